/* The functions of this header of Windows that Schoku uses, for GCC on other systems. */
#pragma once
#include <x86intrin.h>

static inline unsigned char _bittestandreset64(long long *word, long long bit)
{
    long long mask = 1LL << (bit & 63);
    unsigned char was_set = (*word & mask) != 0;
    *word &= ~mask;
    return was_set;
}

static inline unsigned char _bittestandreset(int *word, int bit)
{
    int mask = 1 << (bit & 31);
    unsigned char was_set = (*word & mask) != 0;
    *word &= ~mask;
    return was_set;
}

static inline unsigned short __popcnt16(unsigned short word)
{
    return (unsigned short)__builtin_popcount(word);
}
