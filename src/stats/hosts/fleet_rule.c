#include "stats/hosts/fleet_rule.h"

// The ratio of the standard deviation of a normal distribution to the median of the distances from its median,
// in thousandths.
#define SCALE 1483
// A deviation is at least this part of the median.
#define NOISE_PARTS 20

// Returns the median of the distances of values from `middle`, which is one of them: the distances below it
// and above it are sorted, so they are merged up to the middle one.
static uint64_t median_distance(const struct tp_fleet_values *of, size_t first, size_t end, uint64_t middle)
{
    size_t low = first, high;
    while (low < end && tp_fleet_value(of, low) < middle)
        low++;
    high = low;
    uint64_t next = 0;
    for (size_t i = 0; i <= (end - first - 1) / 2; i++) {
        bool takes_low = low > first && (high >= end || middle - tp_fleet_value(of, low - 1) < tp_fleet_value(of, high) - middle);
        next = takes_low ? middle - tp_fleet_value(of, --low) : tp_fleet_value(of, high++) - middle;
    }
    return next;
}

uint64_t tp_fleet_median(const struct tp_fleet_values *of, size_t first, size_t end)
{
    return tp_fleet_value(of, first + (end - first - 1) / 2);
}

uint64_t tp_fleet_deviation(const struct tp_fleet_values *of, size_t first, size_t end)
{
    size_t count = end - first;
    // Most hosts have no such wait; there may be as many of these as hosts, so none costs a walk over all.
    if (first == 0 && of->zero_count > count / 4 * 3 + 3)
        return 0;
    uint64_t median = tp_fleet_median(of, first, end);
    uint64_t spread = median_distance(of, first, end, median);
    uint64_t upper = tp_fleet_value(of, first + (count - 1) * 3 / 4) - median;
    uint64_t least = median / NOISE_PARTS;
    uint64_t scaled = tp_wide_limited((tp_wide)(upper > spread ? upper : spread) * SCALE / 1000);
    return scaled > least ? scaled : least;
}

uint64_t tp_fleet_least_distance(const struct tp_fleet_rule *rule, uint64_t median, uint64_t deviation, bool is_below)
{
    const struct tp_measure_info *info = &rule->info;
    tp_wide noise = ((tp_wide)rule->deviations_thousandths * deviation + 999) / 1000;
    tp_wide effect = is_below ? median - (tp_wide)median * 100 / info->least_percent
                              : ((tp_wide)median * info->least_percent + 99) / 100 - median;
    effect = effect > info->least ? effect : info->least;
    return tp_wide_limited(effect > noise ? effect : noise);
}

bool tp_fleet_is_far(const struct tp_fleet_rule *rule, uint64_t value, uint64_t median, uint64_t deviation)
{
    bool is_below = value < median;
    return (!is_below || rule->info.is_two_sided) &&
           tp_distance(value, median) >= tp_fleet_least_distance(rule, median, deviation, is_below);
}

// Returns the index of the first value from `least` on; their count: there is none.
static size_t first_from(const struct tp_fleet_values *of, uint64_t least)
{
    size_t low = 0, high = of->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (tp_fleet_value(of, middle) < least)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t tp_fleet_split(const struct tp_fleet_rule *rule, const struct tp_fleet_values *of)
{
    const struct tp_measure_info *info = &rule->info;
    size_t best = 0, quarter = (of->count + 3) / 4;
    size_t found = info->unit == TP_UNIT_OF_FINDING ? first_from(of, info->least) : 0;
    tp_wide low = 1, high = 1;
    if (found >= quarter && found + quarter <= of->count &&
        tp_fleet_is_far(rule, tp_fleet_median(of, found, of->count), tp_fleet_median(of, 0, found),
                        tp_fleet_deviation(of, 0, found)))
        return found;
    // The widest gap as a ratio: the values of the upper group may be farther from each other than from the lower one.
    for (size_t i = quarter > of->zero_count ? quarter : of->zero_count; i + quarter <= of->count; i++) {
        tp_wide below = (tp_wide)tp_fleet_value(of, i - 1) + info->least, above = (tp_wide)tp_fleet_value(of, i) + info->least;
        if (above * low > high * below) {
            low = below;
            high = above;
            best = i;
        }
    }
    if (best == 0)
        return 0;
    // The values of hosts with a fault vary by themselves, so only the others say what is usual.
    uint64_t deviation = tp_fleet_deviation(of, 0, best);
    return tp_fleet_is_far(rule, tp_fleet_value(of, best), tp_fleet_value(of, best - 1), deviation) ? best : 0;
}
