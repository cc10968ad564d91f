#include "sink/check/sink.h"

#include "sink/print/emit.h"
#include "sink/stats/level.h"

static const struct tp_check_config defaults = {.stats = TP_STATS_GATHERING};

static int end(const struct tp_sink_call *call, const struct tp_run_figures *figures,
               struct tp_error *err)
{
    (void)figures;
    const struct tp_check_config *c = call->config;
    const struct tp_totals *totals, *baseline;
    size_t failed_count;
    int rc = tp_stats_full_totals(call, &c->stats, TP_STATS_NEW, &totals, err);
    if (rc == 0)
        rc = tp_stats_full_totals(call, &c->stats, TP_STATS_BASELINE, &baseline, err);
    if (rc == 0)
        rc = tp_checks_evaluate(c->checks, totals, baseline, &failed_count, err);
    if (rc != 0)
        return rc;
    atomic_store(c->has_failed, failed_count > 0);
    if (!c->has_output)
        return 0;
    struct tp_emit e;
    tp_emit_init(&e, call->out, err);
    tp_checks_print_junit(&e, c->checks);
    return tp_emit_end(&e);
}

static void make_plan(const void *config, struct tp_sink_plan *plan)
{
    const struct tp_check_config *c = config;
    tp_stats_full_make_plan(&c->stats, plan);
    plan->suffix = ".xml";
    plan->run.end = end;
    plan->compares = c->checks != NULL && tp_checks_are_relative(c->checks);
    if (!c->has_output)
        plan->output = TP_OUTPUT_NONE;
}

const struct tp_sink_def tp_sink_check = {
    .name = "check",
    .summary = "",
    .config_bytes = sizeof(struct tp_check_config),
    .defaults = &defaults,
    .plan = make_plan,
    .has_equal_state = tp_stats_full_has_equal_state,
};
