// Parses a time arg, a point in time on the command line: a duration since the trace's beginning
// ("1.5s", "2m30s", "250ms", "0"), or a time of day (RFC 3339, "2026-11-21T05:15:00.25Z",
// "...+01:00"). Pure.
#ifndef TP_BASE_TIME_TIME_ARG_H
#define TP_BASE_TIME_TIME_ARG_H

#include "base/attr.h"

// Forms of a time arg; NONE: the option was not given.
enum tp_time_arg_kind { TP_TIME_ARG_NONE, TP_TIME_ARG_SINCE, TP_TIME_ARG_WALL };

// A plain value. A zeroed time arg was not given.
struct tp_time_arg {
    enum tp_time_arg_kind kind;
    int64_t since_ns;  // SINCE: from the beginning
    int64_t wall_sec;  // WALL: Unix time
    int64_t wall_nsec; // 0 to 999999999
};

// Parses `text`. False: it has neither form or is out of range, and *ret_time_arg is unchanged.
bool tp_time_arg_parse(const char *text, struct tp_time_arg *ret_time_arg) TP_MUST_USE;

#endif
