// A block: consecutive ordered events of one generation, as the orderer hands them to sinks. All
// blocks of a generation but the last one are full.
#ifndef TP_MERGE_TABLES_BLOCK_H
#define TP_MERGE_TABLES_BLOCK_H

#include "merge/tables/tables.h"

// Capacity of a block. 36 KB of events stay in the cache of the core that fills the block, and are
// approximately a thousandth of a generation.
#define TP_BLOCK_EVENTS 512

// The struct in which a run shows ordered events. All sinks of blocks in one run have the same
// model.
enum tp_event_model {
    TP_MODEL_EVENTS, // struct tp_event
    TP_MODEL_LEGACY, // legacy events (merge/v1/legacy_events.h)
    TP_MODELS,
};

struct tp_facts;
struct tp_legacy_event;
struct tp_interval;
struct tp_state_span;

// A block. Borrows its events from the caller of the orderer, who keeps them while sinks work on
// the block and releases the hold of the tables afterwards. Any thread may read it.
struct tp_block {
    struct tp_tables *tables;       // one hold; NULL for Sync events outside generations
    union {                         // by the run's model
        const struct tp_event *events;
        const struct tp_legacy_event *legacy_events;
    };
    size_t event_count;
    // The facts of these events (merge/track/facts.h), if a sink wants facts, and the spans and intervals among
    // them, for the C library. A block without events has the facts of what the end of the trace cuts.
    const struct tp_facts *facts;
    const struct tp_state_span *spans;
    size_t span_count;
    const struct tp_interval *intervals;
    size_t interval_count;
};

// Returns the block as the C library hands it out.
TP_INLINE struct tp_event_block tp_event_block_of(const struct tp_block *b)
{
    return (struct tp_event_block){b->events, b->event_count, b->tables,
                                   b->tables != NULL ? b->tables->generation : 0, b->spans,
                                   b->span_count, b->intervals, b->interval_count};
}

// Returns whether the block has nothing for who gets it.
TP_INLINE bool tp_event_block_is_empty(const struct tp_event_block *b)
{
    return b->event_count == 0 && b->span_count == 0 && b->interval_count == 0;
}

#endif
