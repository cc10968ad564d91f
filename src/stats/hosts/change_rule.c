#include "stats/hosts/change_rule.h"

#include "stats/hosts/measures.h"

// Comparisons of two halves of one fleet in which a change may be listed by chance.
#define COMPARISONS_PER_ALARM 100
// The least ratio of the medians, in per cent; the others are for sides of few values, and of one.
#define CHANGE_PERCENT 110
#define FEW_PERCENT 200
#define SINGLE_PERCENT 300
// Ranks are computed in thousandths.
#define MILLE UINT64_C(1000)

// Returns the root, rounded down, of a number below 2^62.
static uint64_t root_of(uint64_t number)
{
    uint64_t root = 0;
    for (uint64_t bit = UINT64_C(1) << 30; bit > 0; bit >>= 1) {
        if ((root + bit) * (root + bit) <= number)
            root += bit;
    }
    return root;
}

// Returns the index of the value, from either end of `count` sorted ones, at which the interval of their
// median ends if there are `other` values on the other side. False: it is beyond the outermost value.
//
// The ranks of a median have the deviation sqrt(count) / 2. Intervals that each extend over
// k sqrt(count + other) / (sqrt(count) + sqrt(other)) such deviations meet as seldom as the difference of two
// normal medians exceeds k of its own.
static bool interval_end(size_t count, size_t other, uint64_t tests, size_t *ret_idx)
{
    uint64_t root = root_of(count * MILLE * MILLE), root_of_other = root_of(other * MILLE * MILLE);
    uint64_t root_of_both = root_of((count + other) * MILLE * MILLE);
    // A change may go either way.
    tp_wide k = tp_deviations_for(2 * COMPARISONS_PER_ALARM * tests);
    uint64_t reach = (uint64_t)(k * root * root_of_both / (root + root_of_other) / MILLE);
    *ret_idx = count * MILLE >= reach ? (count * MILLE - reach) / 2 / MILLE : 0;
    return count * MILLE >= reach;
}

// Whether the values of a side lie above those of the other, without as many at the near ends as given.
static bool lies_above(const struct tp_two_samples *v, unsigned side, const size_t ends[2])
{
    unsigned other = 1 - side;
    return v->items[side][ends[side]] > v->items[other][v->counts[other] - 1 - ends[other]];
}

static bool differs_by(uint64_t low, uint64_t high, uint64_t least, unsigned percent)
{
    return high - low >= least && (tp_wide)high * 100 >= (tp_wide)low * percent;
}

bool tp_is_change(const struct tp_two_samples *values, unsigned above, const struct tp_change_size *size,
                  uint64_t tests)
{
    size_t ends[2], of_0 = values->counts[0], of_1 = values->counts[1];
    bool is_known = interval_end(of_0, of_1, tests, &ends[0]);
    is_known = interval_end(of_1, of_0, tests, &ends[1]) && is_known;
    if (is_known)
        return differs_by(size->low, size->high, size->least, CHANGE_PERCENT) &&
               lies_above(values, above, ends);
    ends[0] = ends[1] = 0;
    return differs_by(size->low, size->high, size->least_of_few,
                      of_0 == 1 || of_1 == 1 ? SINGLE_PERCENT : FEW_PERCENT) &&
           lies_above(values, above, ends);
}

bool tp_is_noise_known(size_t count, size_t other, uint64_t tests)
{
    size_t end;
    return interval_end(count, other, tests, &end) && interval_end(other, count, tests, &end);
}

bool tp_is_no_chance(size_t count, size_t from, size_t other, uint64_t tests)
{
    const uint64_t whole = UINT64_C(1) << 31;
    uint64_t chance = whole;
    for (size_t i = 0; i < count && chance > 0; i++)
        chance = (uint64_t)((tp_wide)chance * (from - i) / (from + other - i));
    if (count * 2 <= from)
        return false;
    return count == from || (tp_wide)chance * 2 * COMPARISONS_PER_ALARM * tests <= whole;
}
