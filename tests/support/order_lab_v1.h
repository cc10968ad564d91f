// Orders whole traces from before Go 1.22 in memory, as order_lab.h does for later ones: scan,
// lists, tables, first walk, second walk. The result must not depend on how runs are cut and
// read, nor on how many events are requested at a time.
#ifndef TP_TESTS_ORDER_LAB_V1_H
#define TP_TESTS_ORDER_LAB_V1_H

#include "merge/v1/legacy_events.h"

// How the bytes that a loader gives differ from those that the scan has seen.
enum order_v1_change {
    ORDER_V1_SAME,
    ORDER_V1_SOME,          // some bytes of all kinds differ
    ORDER_V1_SYSCALLS,      // a goroutine that yields enters a system call instead
    ORDER_V1_JOINED,        // the last two events of a run are one event
};

// How a trace is read. A zeroed struct: everything at once, in place, practically without limits.
struct order_v1_way {
    size_t fill_capacity;   // events requested at a time
    size_t piece_bytes;     // bytes given to the scan at a time
    bool is_spilled;        // runs come through a loader
    enum order_v1_change change; // the loader's bytes differ in this way,
    size_t changes_after;   // from the load with this number on,
    unsigned change_seed;   // at places that depend on this seed
    bool forgets_turns;     // the second walk finds the order again
    bool walks_first;       // there is a first walk even if a prescan would be enough
    // A trace that Go refuses is an error. Bytes lost by the scan are skipped in either case.
    bool is_strict;
    bool is_rehearsed;      // a trace with an error anywhere gives no event
    uint64_t max_bytes;     // limit for memory of the walks; the next two limit lists and tables
    size_t lists_max_bytes;
    size_t tables_max_bytes;
    struct tp_symbols *symbols;
};

// Result of one of the functions below: the events before the error, if there is one.
struct order_v1_result {
    struct tp_v1_ordered *ordered; // of order_v1_walk, without messages; from malloc
    struct tp_event *events;       // of order_v1_convert; from malloc
    struct tp_legacy_event *legacy_events; // of order_v1_legacy_events; from malloc
    size_t count;                  // length of the one array that is set
    uint64_t lost_bytes;           // all bytes that the scan gave up
    uint64_t left_bytes;           // bytes of events that the conversion did not reach
    uint64_t unknown_id_count;     // events that name a string or stack the tables lack
    bool had_turns;                // the second walk used trace->turns of the first
    bool was_prescanned;             // a prescan replaced the first walk
    // The tables, with one hold; `bytes` must outlive them. NULL: out of memory.
    struct tp_tables *tables;
    struct tp_error err;           // code 0: none
};

// `bytes` is the trace without its file header; order_v1_result_fini frees the result. The lab
// itself allocates with malloc, so that injected failures (tp_alloc_fail_at) hit only the code
// under test.
struct order_v1_result order_v1_walk(uint32_t minor, struct tp_span bytes,
                                     const struct order_v1_way *way);
struct order_v1_result order_v1_convert(uint32_t minor, struct tp_span bytes,
                                        const struct order_v1_way *way);
// Returns the legacy events. With is_strict a trace with an error anywhere gives no event.
struct order_v1_result order_v1_legacy_events(uint32_t minor, struct tp_span bytes,
                                              const struct order_v1_way *way);
void order_v1_result_fini(struct order_v1_result *r);

// Returns NULL if the converted or the legacy events are equal, else what differs, as static text.
const char *order_v1_difference(const struct order_v1_result *a,
                                const struct order_v1_result *b);

#endif
