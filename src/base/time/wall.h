// Formats dates with times of day as Go does.
#ifndef TP_BASE_TIME_WALL_H
#define TP_BASE_TIME_WALL_H

#include "base/time/zone.h"

// The longest text of a time of day, also of absurd times.
#define TP_WALL_MAX_BYTES 64

// Writes what Go's time.Unix(unix_sec, nsec).Format(time.RFC3339Nano) returns in a zone (NULL:
// UTC), also for absurd times. Returns one past the last byte. `to` needs room for
// TP_WALL_MAX_BYTES. Any thread; cannot fail.
unsigned char *tp_put_wall(unsigned char *to, int64_t unix_sec, int64_t nsec,
                           const struct tp_zone *z);

#endif
