// Consecutive ordered events of one generation, as the orderer hands them to sinks. All blocks
// but the last of a generation are full.
#ifndef TP_MERGE_TABLES_BLOCK_H
#define TP_MERGE_TABLES_BLOCK_H

#include "merge/tables/tables.h"

// 36 KB: stays in the cache of the core that fills it; about a thousandth of a generation.
#define TP_BLOCK_EVENTS 512

// What the events of a run are. All its sinks of blocks have the same model.
enum tp_event_model {
    TP_MODEL_EVENTS,
    TP_MODEL_LEGACY, // as the parsers from before Go 1.22 gave them (merge/v1/legacy_events.h)
    TP_MODELS,
};

struct tp_legacy_event;

struct tp_block {
    struct tp_tables *tables;       // one hold; NULL for Sync events outside generations
    union {                         // by the run's model
        const struct tp_event *events;
        const struct tp_legacy_event *legacy_events;
    };
    size_t event_count;
};

#endif
