// Parses a time arg, a point in time on the command line:
//   SINCE  a duration since the trace's beginning: "1.5s", "2m30s", "250ms", "0"
//   WALL   a date with a time of day and an offset from UTC: "2026-11-21T05:15:00.25Z",
//          "2026-11-21 05:15+01:00"
//   LOCAL  the same without an offset, in a zone that is known later: "2026-11-21 05:15"
//   CLOCK  a time of day alone, in a zone and on a day that are known later: "12:03", "12:03:05.5"
// Pure functions.
#ifndef TP_BASE_TIME_TIME_ARG_H
#define TP_BASE_TIME_TIME_ARG_H

#include "base/time/zone.h"

// How far a trace may go on past midnight for its times of day to be found on the second day.
#define TP_PAST_MIDNIGHT_SEC (6 * 3600)

// All forms of a time arg, for messages that refuse a text.
#define TP_TIME_ARG_FORMS                                                                          \
    "a duration (1.5s, 250ms), a time of day (12:03, 12:03:05.5) or a date with one "              \
    "(2026-11-21 05:15, 2026-11-21T05:15:00.25Z)"

// Forms of a time arg; NONE: the option was not given.
enum tp_time_arg_kind {
    TP_TIME_ARG_NONE,
    TP_TIME_ARG_SINCE,
    TP_TIME_ARG_WALL,
    TP_TIME_ARG_LOCAL,
    TP_TIME_ARG_CLOCK,
};

// A plain value. A zeroed time arg was not given.
struct tp_time_arg {
    enum tp_time_arg_kind kind;
    int64_t since_ns;  // SINCE: from the beginning
    // WALL: Unix time. LOCAL: the Unix time at which clocks in UTC show that date and time. CLOCK:
    // seconds since midnight.
    int64_t wall_sec;
    int64_t wall_nsec; // of all but SINCE: 0 to 999999999
};

// Parses `text`. False: it has none of the forms or is out of range, and *ret_time_arg is
// unchanged.
bool tp_time_arg_parse(const char *text, struct tp_time_arg *ret_time_arg) TP_MUST_USE;

// Makes a LOCAL time arg one of WALL, in a zone; leaves others as they are. Where clocks are put
// back and show a time twice, it is the first one; where they skip it, the moment of the skip.
void tp_time_arg_set_zone(struct tp_time_arg *a, const struct tp_zone *z);

// Makes a CLOCK time arg one of WALL, for a trace that begins at a Unix time between the years 1
// and 9999; leaves others as they are. It is that time of the day on which the trace begins, in the
// zone; of the next day if it is then at most TP_PAST_MIDNIGHT_SEC after the beginning, and on the
// first day before it. If clocks show the time twice on that day, it is the first of the two, even
// before the beginning.
void tp_time_arg_set_day(struct tp_time_arg *a, const struct tp_zone *z, int64_t begin_sec);

#endif
