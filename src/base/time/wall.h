// Wall clocks as text.
#ifndef TP_BASE_TIME_WALL_H
#define TP_BASE_TIME_WALL_H

#include "base/time/zone.h"

#define TP_WALL_MAX_BYTES 64

// Prints Go's time.Unix(sec, nsec).Format(time.RFC3339Nano) of a zone (NULL: UTC),
// with its results for absurd times; returns one past it. Needs TP_WALL_MAX_BYTES.
unsigned char *tp_put_wall(unsigned char *to, int64_t unix_sec, int64_t nsec,
                           const struct tp_zone *z);

#endif
