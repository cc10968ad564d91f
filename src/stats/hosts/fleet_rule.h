// Tells a host that differs from the noise of its fleet, by the values that all hosts have of a measure (differ.h
// has the rule in words). Pure functions of integers, the same on every machine; they allocate nothing.
#ifndef TP_STATS_HOSTS_FLEET_RULE_H
#define TP_STATS_HOSTS_FLEET_RULE_H

#include "stats/hosts/measures.h"

// A sorted list of values, of which the first `zero_count` are 0 and not in the array.
struct tp_fleet_values {
    const uint64_t *values;
    size_t zero_count, count; // of all
};
TP_INLINE uint64_t tp_fleet_value(const struct tp_fleet_values *of, size_t i)
{
    return i < of->zero_count ? 0 : of->values[i - of->zero_count];
}
TP_INLINE uint64_t tp_distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

// A rule names the effects of the measure, and how many robust deviations make a difference.
struct tp_fleet_rule {
    struct tp_measure_info info;
    uint64_t deviations_thousandths;
};

// Both functions look at the values from index `first` to before `end`, of which there is one at least, and return
// their median, or their robust deviation.
uint64_t tp_fleet_median(const struct tp_fleet_values *of, size_t first, size_t end);
uint64_t tp_fleet_deviation(const struct tp_fleet_values *of, size_t first, size_t end);
// Returns how far from the median a value lies at least, above it or below it, if its host differs: by so much
// that it is worth a line, and beyond the noise.
uint64_t tp_fleet_least_distance(const struct tp_fleet_rule *rule, uint64_t median, uint64_t deviation, bool is_below);
// Whether a host with this value differs.
bool tp_fleet_is_far(const struct tp_fleet_rule *rule, uint64_t value, uint64_t median, uint64_t deviation);
// Returns where the values fall into two groups: the index of the first value of the upper one; 0: they do not.
// Those of a finding do so at its threshold, or else as other ones: at the widest gap.
size_t tp_fleet_split(const struct tp_fleet_rule *rule, const struct tp_fleet_values *of);

#endif
