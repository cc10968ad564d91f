// The sink `pprof`: waits, system calls, CPU samples and running time of all inputs, as a profile. It gathers
// what `stats:level=full` does.
#include "sink/pprof/profile.h"
#include "sink/stats/level.h"

struct config {
    struct tp_stats_config stats; // first: the hooks of level=full see the whole as it
    int kind;                     // enum tp_profile_kind
};
static_assert(offsetof(struct config, stats) == 0, "a pointer to one is a pointer to the other");

static const struct tp_opt_spec options[] = {
    TP_OPTION_ENUM(struct config, kind, "sync|net|syscall|sched|cpu|running",
                   "waits for other goroutines (default), for the network, system calls, waits for "
                   "a P, CPU samples, or running time by start function"),
    TP_OPTION_BOOL(struct tp_stats_config, pc, "distinguish stacks by program counter, and give "
                                            "locations addresses (default no)"),
    TP_OPTION_BOOL(struct tp_stats_config, labels,
                   "give samples the labels trace, start function, task and region (default no)"),
    TP_OPTION_ENUM(struct tp_stats_config, clocks, "consistent|all",
                   "all includes traces with an inconsistent clock (default consistent)"),
    {.key = NULL},
};

static const struct config defaults = {
    .stats = {.level = TP_STATS_LEVEL_FULL,
              .by = TP_STATS_BY_FUNCTION,
              .sort = -1,
              .keep = 1,
              .idle = true}};

static int end(const struct tp_sink_call *call, const struct tp_run_figures *figures,
               struct tp_error *err)
{
    (void)figures;
    const struct config *config = call->config;
    struct tp_stats_config rows = config->stats;
    rows.format = TP_STATS_FORMAT_JSON; // all rows, with all frames
    if (config->kind != TP_PROFILE_RUNNING || rows.labels)
        rows.by = TP_STATS_BY_STACK;
    struct tp_full_report report;
    int rc = tp_stats_full_report(call, &rows, &report, err);
    if (rc != 0)
        return rc;
    rc = tp_profile_write(&report, (enum tp_profile_kind)config->kind, call->out, err);
    tp_full_report_fini(&report);
    return rc;
}

static void make_plan(const void *config, struct tp_sink_plan *plan)
{
    const struct tp_stats_config *stats = config;
    *plan = tp_stats_full_plan;
    if (stats->labels) {
        plan->tracks = TP_TRACK_LABELS;
        plan->accepts = TP_KIND_TRACES; // states have no labels
    }
    plan->suffix = ".pb.gz";
    plan->is_binary = true;
    plan->run.end = end;
}

const struct tp_sink_def tp_sink_pprof = {
    .name = "pprof",
    .summary = "a profile of waits, CPU samples or running time, for go tool pprof",
    .options = options,
    .config_bytes = sizeof(struct config),
    .defaults = &defaults,
    .plan = make_plan,
    .has_equal_state = tp_stats_full_has_equal_state,
};
