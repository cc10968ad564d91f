#include "pipeline/run/pull.h"

#include "merge/tables/tables.h"
#include "merge/track/tracker.h"
#include "pipeline/core/unit.h"
#include "pipeline/order/ordering.h"
#include "pipeline/run/run_life.h"
#include "pipeline/run/run_sink.h"

// THE SINK
//
// The sink makes the run use the lane of blocks, and reports how the events ended. Blocks never
// reach it.

static int finish(const struct tp_sink_call *call, const struct tp_input_info *input,
                  const struct tp_input_report *report, struct tp_error *err)
{
    (void)input, (void)report;
    const struct tp_pull *p = *(struct tp_pull *const *)call->config;
    *err = p->order_error;
    return err->code;
}

static void make_plan(const void *config, struct tp_sink_plan *plan)
{
    const struct tp_pull *p = *(struct tp_pull *const *)config;
    *plan = (struct tp_sink_plan){
        .need = TP_NEED_UNITS,
        .unit_kind = TP_UNIT_BLOCK,
        .output = TP_OUTPUT_NONE,
        .accepts = TP_KIND_TRACES,
        .has_reference = true,
        .tracks = tp_track_for_program(p->run->settings.spans, p->run->settings.intervals),
        .input = {.finish = finish},
    };
}

static const struct tp_sink_def pull_sink = {
    .name = "reader", .config_bytes = sizeof(struct tp_pull *), .plan = make_plan};

int tp_pull_init(struct tp_pull *p, struct tp_run *run, struct tp_error *err)
{
    *p = (struct tp_pull){.run = run};
    tp_event_count_init(&p->woken);
    run->puller = &p->woken;
    return tp_run_add_inner_sink(run, &pull_sink, p, err);
}

// THE PULLER

// Gives the lent block back. After the last block also wakes the commit strand, which can close the
// input only once the last unit is retired, and which nothing else wakes.
static void give_back(struct tp_pull *p, struct tp_input_run *in)
{
    struct tp_error err;
    if (p->lent == NULL)
        return;
    // The reader of the block asked for stacks that did not fit into memory.
    const struct tp_tables *tables = p->lent->block.tables;
    if (tables != NULL && tp_tables_stacks_failure(tables, &err) != 0)
        tp_run_fail(p->run, &err);
    tp_unit_retire(in, p->lent);
    p->lent = NULL;
    if (atomic_load_explicit(&in->ordering_ended, memory_order_relaxed))
        tp_wake_commit(in);
}

static struct tp_slot *take(struct tp_pull *p)
{
    // The only input; NULL before it is admitted.
    struct tp_input_run *in = atomic_load_explicit(&p->run->turns.active[0], memory_order_acquire);
    if (in == NULL)
        return NULL;
    give_back(p, in);
    return p->lent = tp_ordering_pull(in);
}

const struct tp_block *tp_pull_next(struct tp_pull *p)
{
    for (;;) {
        // Take the ticket before looking for a block: then a block that arrives afterwards ends the
        // sleep at once.
        uint32_t ticket = tp_event_count_ticket(&p->woken);
        struct tp_slot *slot = take(p);
        if (slot == NULL) {
            if (atomic_load_explicit(&p->run->life->over, memory_order_acquire))
                return NULL;
            tp_event_count_sleep(&p->woken, ticket);
            continue;
        }
        if (slot->order_error.code != 0)
            p->order_error = slot->order_error;
        const struct tp_event_block block = tp_event_block_of(&slot->block);
        if (!tp_event_block_is_empty(&block))
            return &slot->block;
    }
}
