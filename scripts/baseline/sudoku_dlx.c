/* The C baseline: Dancing Links for 9x9 Sudoku, written directly from Knuth's description.
 *
 * The links are flat int32 arrays, and the next item is the one with the fewest options. For each
 * puzzle, the template of 729 options and 324 items is copied and the items of the givens are covered.
 * Reading the file and building the template are not timed.
 *
 *   cc -O3 -march=native -o sudoku_dlx sudoku_dlx.c
 *   ./sudoku_dlx FILE LIMIT [REPEATS]
 *
 * FILE has one puzzle of 81 characters per line: 1-9 are givens, every other character is an empty
 * cell. Lines that start with # and lines of fewer than 81 characters are skipped. The search for a
 * puzzle ends after LIMIT solutions. Each repeat prints one line: puzzles, solutions, and puzzles per
 * second.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ITEMS = 324, OPTIONS = 729, FIRST = ITEMS + 1, NODES = FIRST + 4 * OPTIONS };

struct links { int32_t L[FIRST], R[FIRST], U[NODES], D[NODES], size[FIRST]; };

static struct links template, x;
static int32_t column[NODES];
static int32_t chosen[81];
static char board[81];
static int found, limit;

static int32_t row_start(int32_t node) { return FIRST + ((node - FIRST) & ~3); }

static void cover(int32_t item)
{
    x.R[x.L[item]] = x.R[item];
    x.L[x.R[item]] = x.L[item];
    for (int32_t i = x.D[item]; i != item; i = x.D[i])
        for (int32_t j = row_start(i), end = j + 4; j < end; j++)
            if (j != i) {
                x.D[x.U[j]] = x.D[j];
                x.U[x.D[j]] = x.U[j];
                x.size[column[j]]--;
            }
}

static void uncover(int32_t item)
{
    for (int32_t i = x.U[item]; i != item; i = x.U[i])
        for (int32_t first = row_start(i), j = first + 3; j >= first; j--)
            if (j != i) {
                x.size[column[j]]++;
                x.D[x.U[j]] = j;
                x.U[x.D[j]] = j;
            }
    x.R[x.L[item]] = item;
    x.L[x.R[item]] = item;
}

static void search(int depth)
{
    if (x.R[0] == 0) {
        if (found++ == 0)
            for (int k = 0; k < depth; k++)
                board[chosen[k] / 9] = (char)('1' + chosen[k] % 9);
        return;
    }
    int32_t best = x.R[0];
    for (int32_t item = x.R[best]; item && x.size[best] > 1; item = x.R[item])
        if (x.size[item] < x.size[best])
            best = item;
    if (x.size[best] == 0)
        return;
    cover(best);
    for (int32_t node = x.D[best]; node != best && found < limit; node = x.D[node]) {
        int32_t first = row_start(node);
        chosen[depth] = (node - FIRST) / 4;
        for (int32_t j = first; j < first + 4; j++)
            if (j != node)
                cover(column[j]);
        search(depth + 1);
        for (int32_t j = first + 3; j >= first; j--)
            if (j != node)
                uncover(column[j]);
    }
    uncover(best);
}

static void make_template(void)
{
    for (int32_t i = 0; i <= ITEMS; i++) {
        template.L[i] = i ? i - 1 : ITEMS;
        template.R[i] = i < ITEMS ? i + 1 : 0;
        template.U[i] = template.D[i] = i;
    }
    for (int32_t option = 0; option < OPTIONS; option++) {
        int r = option / 81, c = option / 9 % 9, d = option % 9, b = r / 3 * 3 + c / 3;
        int32_t items[4] = { 1 + r * 9 + c, 82 + r * 9 + d, 163 + c * 9 + d, 244 + b * 9 + d };
        for (int k = 0; k < 4; k++) {
            int32_t node = FIRST + 4 * option + k, item = items[k];
            column[node] = item;
            template.U[node] = template.U[item];
            template.D[node] = item;
            template.D[template.U[item]] = node;
            template.U[item] = node;
            template.size[item]++;
        }
    }
}

static int solve(const char *puzzle)
{
    x = template;
    found = 0;
    memcpy(board, puzzle, 81);
    for (int cell = 0; cell < 81; cell++)
        if (puzzle[cell] >= '1' && puzzle[cell] <= '9')
            for (int k = 0; k < 4; k++) {
                int32_t item = column[FIRST + 4 * (cell * 9 + puzzle[cell] - '1') + k];
                if (x.R[x.L[item]] != item)
                    return 0;
                cover(item);
            }
    search(0);
    return found;
}

int main(int argc, char **argv)
{
    FILE *file = argc > 2 ? fopen(argv[1], "r") : NULL;
    if (!file) {
        fprintf(stderr, "usage: sudoku_dlx FILE LIMIT [REPEATS]\n");
        return 2;
    }
    limit = atoi(argv[2]);
    int repeats = argc > 3 ? atoi(argv[3]) : 1;
    size_t n = 0, capacity = 1 << 16;
    char line[512], *puzzles = malloc(81 * capacity);
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#' || strlen(line) < 81)
            continue;
        if (n == capacity)
            puzzles = realloc(puzzles, 81 * (capacity *= 2));
        memcpy(puzzles + 81 * n++, line, 81);
    }
    make_template();
    for (int repeat = 0; repeat < repeats; repeat++) {
        struct timespec a, b;
        long total = 0;
        clock_gettime(CLOCK_MONOTONIC, &a);
        for (size_t i = 0; i < n; i++)
            total += solve(puzzles + 81 * i);
        clock_gettime(CLOCK_MONOTONIC, &b);
        double seconds = (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
        printf("%zu puzzles %ld solutions %.0f per second\n", n, total, (double)n / seconds);
    }
    return 0;
}
