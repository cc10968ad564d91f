// A run of ordered events of one generation, as it travels from the orderer to
// sinks. All but the last of a generation are full.
#ifndef TP_MERGE_TABLES_BLOCK_H
#define TP_MERGE_TABLES_BLOCK_H

#include "merge/tables/tables.h"

// 36 KB: stays in the cache of whoever makes it, yet a thousandth of a generation.
#define TP_BLOCK_EVENTS 512

struct tp_block {
    struct tp_tables *tables;       // one hold; NULL for Sync events outside generations
    const struct tp_event *events;
    size_t event_count;
};

#endif
