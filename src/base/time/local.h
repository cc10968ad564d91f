// Finds the moment at which the clocks of a zone show a date and a time.
#ifndef TP_BASE_TIME_LOCAL_H
#define TP_BASE_TIME_LOCAL_H

#include "base/time/zone.h"

// Returns the Unix time at which clocks in the zone (NULL: UTC) show what clocks in UTC show at
// `local_sec`, which is a time of the years 0 to 10000. Where clocks are put back they show it
// twice: the result is the first of the two. Where clocks are put forward and skip it, the result
// is the moment of the skip. Any thread; cannot fail.
int64_t tp_local_to_unix_sec(const struct tp_zone *z, int64_t local_sec);

#endif
