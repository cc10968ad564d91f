// A port of the algorithm behind Go's slices.SortFunc: quicksort that looks for
// patterns, falls back to heapsort, and finishes short ranges by insertion.
// Nothing here may be "improved": every comparison and swap decides where equal
// records end up. Records are swapped in place, as Go swaps slice elements.
#include "base/gosort.h"

#include <assert.h>
#include <string.h>

#define MAX_EACH_BYTES 256
#define INSERTION_MAX 12 // ranges up to this length are sorted by insertion
#define NINTHER_MIN 50   // from here on the pivot is a median of medians
#define SHIFT_MIN 50     // shorter ranges are not repaired by shifting
#define SHIFT_STEPS 5    // out-of-order pairs repaired before giving up
#define PIVOT_SWAPS_MAX 12

struct sorter {
    unsigned char *base;
    size_t each_bytes;
    tp_cmp_fn cmp;
    void *ctx;
};

enum pattern { PATTERN_UNKNOWN, PATTERN_INCREASING, PATTERN_DECREASING };

TP_INLINE unsigned char *at(const struct sorter *s, size_t i)
{
    return s->base + i * s->each_bytes;
}

TP_INLINE bool less(const struct sorter *s, size_t i, size_t j)
{
    return s->cmp(at(s, i), at(s, j), s->ctx) < 0;
}

static void swap(const struct sorter *s, size_t i, size_t j)
{
    // memcpy between a record and itself would be undefined.
    if (i == j)
        return;
    unsigned char spare[MAX_EACH_BYTES];
    memcpy(spare, at(s, i), s->each_bytes);
    memcpy(at(s, i), at(s, j), s->each_bytes);
    memcpy(at(s, j), spare, s->each_bytes);
}

static void sort_by_insertion(const struct sorter *s, size_t from, size_t to)
{
    for (size_t i = from + 1; i < to; i++)
        for (size_t j = i; j > from && less(s, j, j - 1); j--)
            swap(s, j, j - 1);
}

static void sift_down(const struct sorter *s, size_t root, size_t count, size_t first)
{
    for (;;) {
        size_t child = 2 * root + 1;
        if (child >= count)
            return;
        if (child + 1 < count && less(s, first + child, first + child + 1))
            child++;
        if (!less(s, first + root, first + child))
            return;
        swap(s, first + root, first + child);
        root = child;
    }
}

static void sort_by_heap(const struct sorter *s, size_t from, size_t to)
{
    size_t count = to - from;
    for (size_t i = (count - 1) / 2 + 1; i-- > 0;)
        sift_down(s, i, count, from);
    for (size_t i = count; i-- > 0;) {
        swap(s, from, from + i);
        sift_down(s, 0, i, from);
    }
}

// Splits around the record at `pivot` into smaller ones, the pivot, and the
// rest. Returns the pivot's new place; ret_was_split says that nothing moved.
static size_t partition(const struct sorter *s, size_t from, size_t to, size_t pivot,
                        bool *ret_was_split)
{
    swap(s, from, pivot);
    size_t i = from + 1;
    size_t j = to - 1;
    *ret_was_split = true;
    for (;;) {
        while (i <= j && less(s, i, from))
            i++;
        while (i <= j && !less(s, j, from))
            j--;
        if (i > j)
            break;
        *ret_was_split = false;
        swap(s, i, j);
        i++;
        j--;
    }
    swap(s, j, from);
    return j;
}

// For a range without records smaller than the pivot: moves those equal to it
// to the front and returns where the larger ones begin.
static size_t partition_equal(const struct sorter *s, size_t from, size_t to, size_t pivot)
{
    swap(s, from, pivot);
    size_t i = from + 1;
    size_t j = to - 1;
    for (;;) {
        while (i <= j && !less(s, from, i))
            i++;
        while (i <= j && less(s, from, j))
            j--;
        if (i > j)
            return i;
        swap(s, i, j);
        i++;
        j--;
    }
}

// Tries to finish an almost sorted range with a few shifts; true if it is
// sorted afterwards.
static bool repair(const struct sorter *s, size_t from, size_t to)
{
    size_t i = from + 1;
    for (int step = 0; step < SHIFT_STEPS; step++) {
        while (i < to && !less(s, i, i - 1))
            i++;
        if (i == to)
            return true;
        if (to - from < SHIFT_MIN)
            return false;
        swap(s, i, i - 1);
        // Go stops this shift at the array's second record, not at `from`; it
        // never gets there because what precedes the range is not larger.
        if (i - from >= 2)
            for (size_t j = i - 1; j >= 1 && less(s, j, j - 1); j--)
                swap(s, j, j - 1);
        if (to - i >= 2)
            for (size_t j = i + 1; j < to && less(s, j, j - 1); j++)
                swap(s, j, j - 1);
    }
    return false;
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

// Moves three records of the middle to places that depend on the length only.
static void break_patterns(const struct sorter *s, size_t from, size_t to)
{
    size_t count = to - from;
    uint64_t random = count;
    size_t mask = ((size_t)1 << (64 - __builtin_clzll(count))) - 1;
    size_t middle = from + count / 4 * 2;
    for (size_t i = middle - 1; i <= middle + 1; i++) {
        size_t other = (size_t)next_random(&random) & mask;
        if (other >= count)
            other -= count;
        swap(s, i, from + other);
    }
}

static void order_two(const struct sorter *s, size_t *a, size_t *b, int *swap_count)
{
    if (less(s, *b, *a)) {
        size_t was = *a;
        *a = *b;
        *b = was;
        ++*swap_count;
    }
}

static size_t median(const struct sorter *s, size_t a, size_t b, size_t c, int *swap_count)
{
    order_two(s, &a, &b, swap_count);
    order_two(s, &b, &c, swap_count);
    order_two(s, &a, &b, swap_count);
    return b;
}

// Only for ranges longer than INSERTION_MAX.
static size_t choose_pivot(const struct sorter *s, size_t from, size_t to,
                           enum pattern *ret_pattern)
{
    size_t count = to - from;
    size_t i = from + count / 4;
    size_t j = from + count / 4 * 2;
    size_t k = from + count / 4 * 3;
    int swap_count = 0;
    if (count >= NINTHER_MIN) {
        i = median(s, i - 1, i, i + 1, &swap_count);
        j = median(s, j - 1, j, j + 1, &swap_count);
        k = median(s, k - 1, k, k + 1, &swap_count);
    }
    j = median(s, i, j, k, &swap_count);
    *ret_pattern = swap_count == 0                 ? PATTERN_INCREASING
                   : swap_count == PIVOT_SWAPS_MAX ? PATTERN_DECREASING
                                                   : PATTERN_UNKNOWN;
    return j;
}

static void reverse(const struct sorter *s, size_t from, size_t to)
{
    for (size_t i = from, j = to - 1; i < j; i++, j--)
        swap(s, i, j);
}

// `bad_left`: unbalanced splits still allowed before heapsort takes over. The
// shorter side recurses, so the depth is logarithmic.
static void sort_range(const struct sorter *s, size_t from, size_t to, int bad_left)
{
    bool was_balanced = true;
    bool was_split = true;
    while (to - from > INSERTION_MAX) {
        size_t count = to - from;
        if (bad_left == 0) {
            sort_by_heap(s, from, to);
            return;
        }
        if (!was_balanced) {
            break_patterns(s, from, to);
            bad_left--;
        }
        enum pattern pattern;
        size_t pivot = choose_pivot(s, from, to, &pattern);
        if (pattern == PATTERN_DECREASING) {
            reverse(s, from, to);
            pivot = to - 1 - (pivot - from);
            pattern = PATTERN_INCREASING;
        }
        if (was_balanced && was_split && pattern == PATTERN_INCREASING && repair(s, from, to))
            return;
        // A pivot equal to the record before the range cannot be undercut.
        if (from > 0 && !less(s, from - 1, pivot)) {
            from = partition_equal(s, from, to, pivot);
            continue;
        }
        size_t middle = partition(s, from, to, pivot, &was_split);
        size_t left_count = middle - from;
        size_t right_count = to - middle;
        if (left_count < right_count) {
            was_balanced = left_count >= count / 8;
            sort_range(s, from, middle, bad_left);
            from = middle + 1;
        } else {
            was_balanced = right_count >= count / 8;
            sort_range(s, middle + 1, to, bad_left);
            to = middle;
        }
    }
    sort_by_insertion(s, from, to);
}

void tp_gosort(void *base, size_t count, size_t each_bytes, tp_cmp_fn cmp, void *ctx)
{
    assert(each_bytes <= MAX_EACH_BYTES);
    if (count < 2)
        return;
    struct sorter s = {base, each_bytes, cmp, ctx};
    sort_range(&s, 0, count, 64 - __builtin_clzll(count));
}
