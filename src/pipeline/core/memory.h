// The memory of a run, cut up by its plan. Nobody waits for it in a way that could lock up: the
// oldest input may use the last chunks, pages and credits (budget.h), all others leave these alone.
#ifndef TP_PIPELINE_CORE_MEMORY_H
#define TP_PIPELINE_CORE_MEMORY_H

#include "base/account.h"
#include "pipeline/core/budget.h"
#include "pipeline/core/chunk_pool.h"
#include "pipeline/core/page_pool.h"
#include "pipeline/core/settings.h"

struct tp_memory {
    struct tp_memory_plan plan;  // constant after start
    struct tp_budget budget;     // for units and decoders
    struct tp_chunk_pool chunks;
    struct tp_page_pool pages;   // for ordering
    struct tp_account grown;     // memory that grows with the inputs and is not in `plan`
};

#endif
