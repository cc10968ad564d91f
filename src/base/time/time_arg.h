// Points in time as people write them on a command line: a duration since some
// beginning ("1.5s", "2m30s", "250ms", "0"), or a time of day (RFC 3339,
// "2026-11-21T05:15:00.25Z", "...+01:00").
#ifndef TP_BASE_TIME_TIME_ARG_H
#define TP_BASE_TIME_TIME_ARG_H

#include "base/attr.h"

enum tp_moment_kind { TP_MOMENT_NONE, TP_MOMENT_SINCE, TP_MOMENT_WALL };

struct tp_moment {
    enum tp_moment_kind kind;
    int64_t since_ns;  // SINCE
    int64_t wall_sec;  // WALL: Unix time
    int64_t wall_nsec; // 0 to 999999999
};

// False if `text` is neither, or out of range.
bool tp_moment_parse(const char *text, struct tp_moment *ret_moment) TP_MUST_USE;

#endif
