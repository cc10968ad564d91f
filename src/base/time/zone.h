// Time zones: the offset of local time from UTC. Zones are read from files of the IANA time
// zone database (RFC 8536), by the rules of Go's time package, which differ from those of
// the C library before the first transition. The C library's zone is not used, because the
// process has only one.
//
// A zone is constant once it is loaded; any thread may read it. Loading reads files and, for
// "local", the environment variable TZ.
#ifndef TP_BASE_TIME_ZONE_H
#define TP_BASE_TIME_ZONE_H

#include "base/err.h"
#include "base/span.h"

// Limits of a zone file, and of the rule at its end.
#define TP_ZONE_FILE_MAX_BYTES TP_KIB(64)
#define TP_ZONE_RULE_MAX_BYTES 127

// A change of local time.
struct tp_zone_transition {
    int64_t unix_sec;       // the type holds from this time on
    uint32_t type;          // index in `types`
};

// A kind of local time, such as standard or summer time.
struct tp_zone_type {
    int32_t offset_sec;     // east of UTC
    bool is_dst;
};

// A loaded zone. Owns its arrays. A zeroed zone is UTC.
struct tp_zone {
    struct tp_zone_transition *transitions; // ascending
    size_t transition_count;
    struct tp_zone_type *types;
    size_t type_count;      // 0: UTC
    // The rule that holds after the last transition, in the form of the POSIX variable TZ; may
    // be empty.
    char rule[TP_ZONE_RULE_MAX_BYTES + 1];
    bool lacks_memory;      // for zone.c: a file was not read for lack of memory
};

// Loads the zone `name`: "UTC", "local" (as in Go: $TZ, else /etc/localtime, else UTC), or a
// name of the database, such as "Europe/Berlin". Fails with TP_E_USAGE for an unknown name,
// or TP_E_MEMORY; the zone is then UTC. The caller ends the zone with tp_zone_fini.
int tp_zone_load(struct tp_zone *z, const char *name, struct tp_error *err) TP_MUST_USE;
// Returns the place number `idx`, from 0, of those where tp_zone_load finds files: a file, or a folder
// with files below. NULL past the last one.
const char *tp_zone_place(size_t idx);

// Loads a zone from the bytes of a file and keeps no pointer to them. False: they are malformed or
// memory is lacking; the zone is then UTC, without memory.
bool tp_zone_parse(struct tp_zone *z, struct tp_span file) TP_MUST_USE;

// Frees the zone's arrays; a zeroed zone is fine.
void tp_zone_fini(struct tp_zone *z);

// Returns the zone's offset at a Unix time, in seconds east of UTC. NULL is UTC. Cannot fail.
int32_t tp_zone_offset_sec(const struct tp_zone *z, int64_t unix_sec);

#endif
