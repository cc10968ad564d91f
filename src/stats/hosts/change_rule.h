// Tells a change of a measure from chance, by the values of the hosts of two sides (versus.h has the rule in
// words). Pure functions of integers, the same on every machine; they allocate nothing.
#ifndef TP_STATS_HOSTS_CHANGE_RULE_H
#define TP_STATS_HOSTS_CHANGE_RULE_H

#include "base/wide.h"

// The values of a measure, sorted, by side.
struct tp_two_samples {
    uint64_t *items[2];
    size_t counts[2];
};

// The medians, and what makes a difference: if the noise is known, and if there are too few values.
struct tp_change_size {
    uint64_t low, high;
    uint64_t least, least_of_few;
};

// Whether the values of the side `above` lie so far above those of the other that it is a change, which is one
// of `tests` that are looked at. Both sides have values.
bool tp_is_change(const struct tp_two_samples *values, unsigned above, const struct tp_change_size *size,
                  uint64_t tests);
// Whether sides of so many values show how much of a difference is noise.
bool tp_is_noise_known(size_t count, size_t other, uint64_t tests);
// Whether chance does not put all `count` hosts that have something on a side of `from` hosts, and none on
// one of `other` hosts; true also if all hosts of the side have it.
bool tp_is_no_chance(size_t count, size_t from, size_t other, uint64_t tests);

#endif
