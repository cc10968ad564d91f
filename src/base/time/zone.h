// Time zones: how far a wall clock is ahead of UTC. Zones come from files of the IANA
// time zone database (RFC 8536) and are read by the rules of Go's time package,
// which differ from those of the C library before the first transition. The C
// library's own zone is one for the whole process, so it is not used.
//
// A zone is constant once it is loaded; any thread may read it. Loading looks at the
// file system and, for "local", at the environment variable TZ.
#ifndef TP_BASE_TIME_ZONE_H
#define TP_BASE_TIME_ZONE_H

#include "base/err.h"
#include "base/span.h"

#define TP_ZONE_FILE_MAX_BYTES TP_KIB(64)
#define TP_ZONE_RULE_MAX_BYTES 127

struct tp_zone_transition {
    int64_t unix_sec;       // from here on
    uint32_t type;          // index in `types`
};

struct tp_zone_type {
    int32_t offset_sec;     // east of UTC
    bool is_dst;
};

struct tp_zone {
    struct tp_zone_transition *transitions; // ascending
    size_t transition_count;
    struct tp_zone_type *types;
    size_t type_count;      // 0: UTC
    // What holds behind the last transition, as POSIX writes the variable TZ; may
    // be empty.
    char rule[TP_ZONE_RULE_MAX_BYTES + 1];
    bool lacks_memory;      // for zone.c: a file was not read for that reason
};

// `name` is "UTC", "local" (as Go finds it: $TZ, else /etc/localtime, else UTC), or
// one of the database, such as "Europe/Berlin". TP_E_USAGE for a name that there is
// none of, TP_E_MEMORY. Zeroed is UTC.
int tp_zone_load(struct tp_zone *z, const char *name, struct tp_error *err) TP_MUST_USE;

// The same from the bytes of a file; false if they are malformed or there is no
// memory.
bool tp_zone_parse(struct tp_zone *z, struct tp_span file) TP_MUST_USE;

void tp_zone_fini(struct tp_zone *z); // zeroed is fine

// Seconds east of UTC at a moment; NULL is UTC.
int32_t tp_zone_offset_sec(const struct tp_zone *z, int64_t unix_sec);

#endif
