"""Sort short arrays in kernels."""

from ..jit import njit


@njit
def sort_short(array):
    """Sort an array of numbers, which is written, by Shellsort with Knuth's increments.

    See TAOCP 5.2.1. Most arrays are short.
    """
    gap = 1
    while 3 * gap + 1 < len(array):
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, len(array)):
            moved = array[i]
            hole = i
            while hole >= gap and array[hole - gap] > moved:
                array[hole] = array[hole - gap]
                hole -= gap
            array[hole] = moved
        gap //= 3
