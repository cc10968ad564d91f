// Orders whole traces from before Go 1.22 in memory, as order_lab.h does later ones: scan,
// lists, tables, the first walk, the second. How runs are cut and read, and how many events
// are asked for at a time, must not show in the result.
#ifndef TP_TESTS_ORDER_LAB_V1_H
#define TP_TESTS_ORDER_LAB_V1_H

#include "merge/v1/legacy_events.h"

// What a loader gives that is not what the scan has seen.
enum order_v1_change {
    ORDER_V1_SAME,
    ORDER_V1_SOME,          // bytes of all kinds are others
    ORDER_V1_SYSCALLS,      // who gives up its turn goes into a system call
    ORDER_V1_JOINED,        // the last two events of a run are one
};

// Zeroed: all at once, where the bytes lie, without limits to speak of.
struct order_v1_way {
    size_t fill_capacity;   // events asked for at a time
    size_t piece_bytes;     // that the scan is given at a time
    bool is_spilled;        // runs come through a loader,
    enum order_v1_change change; // which gives other bytes
    size_t changes_after;   // after so many loads,
    unsigned change_seed;   // and here: where
    bool forgets_turns;     // the second walk finds the order again
    bool walks_first;       // though a survey would do
    bool is_strict;         // for the conversion; losses are passed over either way
    bool is_rehearsed;      // it has to be sound as a whole to give any event
    uint64_t max_bytes;     // of what the walks keep
    size_t lists_max_bytes;
    size_t tables_max_bytes;
    struct tp_symbols *symbols;
};

// What was made before the error, if there is one.
struct order_v1_result {
    struct tp_v1_ordered *ordered; // of the walk alone, without messages; from malloc
    struct tp_event *events;       // of the conversion; from malloc
    struct tp_legacy_event *legacy_events; // of the parser of that time; from malloc
    size_t count;                  // of one of them
    uint64_t lost_bytes;           // that the scan gave up, however it was cut
    uint64_t left_bytes;           // of events that the conversion did not come to
    uint64_t unknown_id_count;     // events that name what the tables lack
    bool had_turns;                // its walk went by those of the first one
    bool was_surveyed;             // there was no first one
    struct tp_tables *tables;      // one hold; `bytes` has to outlive it. NULL: no memory
    struct tp_error err;           // code 0: none
};

// `bytes` are those behind the file header. Of the heap that tests may have fail, only what
// is asked for by the code under test is taken.
struct order_v1_result order_v1_walk(uint32_t minor, struct tp_span bytes,
                                     const struct order_v1_way *way);
struct order_v1_result order_v1_convert(uint32_t minor, struct tp_span bytes,
                                        const struct order_v1_way *way);
// With is_strict all of it has to be sound.
struct order_v1_result order_v1_legacy_events(uint32_t minor, struct tp_span bytes,
                                              const struct order_v1_way *way);
void order_v1_result_fini(struct order_v1_result *r);

// NULL if the conversions, or the legacy_events, are the same, else what differs; the text is
// static.
const char *order_v1_difference(const struct order_v1_result *a,
                                const struct order_v1_result *b);

#endif
