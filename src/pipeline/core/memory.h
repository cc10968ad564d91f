// Holds the memory of a run, divided among its uses by the memory plan (settings.h). Waiting for
// memory cannot deadlock: only the oldest input may use the last chunks, pages and credits
// (budget.h).
#ifndef TP_PIPELINE_CORE_MEMORY_H
#define TP_PIPELINE_CORE_MEMORY_H

#include "base/account.h"
#include "pipeline/core/budget.h"
#include "pipeline/core/chunk_pool.h"
#include "pipeline/core/page_pool.h"
#include "pipeline/core/settings.h"

// Part of the run and freed with it. Every strand takes from it and gives back to it.
struct tp_memory {
    struct tp_memory_plan plan;  // constant after start
    struct tp_budget budget;     // for units and decoders
    struct tp_chunk_pool chunks;
    struct tp_page_pool pages;   // for ordering
    struct tp_account grown;     // memory that grows with the inputs and is not in `plan`
};

#endif
