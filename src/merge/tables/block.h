// Consecutive ordered events of one generation, as the orderer hands them to sinks. All blocks
// but the last of a generation are full.
#ifndef TP_MERGE_TABLES_BLOCK_H
#define TP_MERGE_TABLES_BLOCK_H

#include "merge/tables/tables.h"

// 36 KB: stays in the cache of the core that fills it; about a thousandth of a generation.
#define TP_BLOCK_EVENTS 512

struct tp_block {
    struct tp_tables *tables;       // one hold; NULL for Sync events outside generations
    const struct tp_event *events;
    size_t event_count;
};

#endif
