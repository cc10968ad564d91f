// The sink `pprof`: waits, system calls, CPU samples and running time of all inputs, as a profile. It gathers
// what `stats:level=full` does.
#include "sink/pprof/profile.h"
#include "sink/stats/level.h"

// With labels the sums have one type of stacks, that of the kind.
#define TP_X(kind, type, ...) \
    static_assert((int)TP_PROFILE_##kind == (type != TP_STACK_TYPE_NONE ? (int)type : (int)TP_STACK_RUN), "");
TP_PROFILE_KINDS(TP_X)
#undef TP_X

static const struct tp_opt_spec options[] = {
    TP_OPTION_ENUM(struct tp_stats_config, kind, "net|sync|syscall|sched|cpu|running",
                   "waits for the network, for other goroutines (default), system calls, waits for "
                   "a P, CPU samples, or running time by start function"),
    TP_OPTION_BOOL(struct tp_stats_config, pc, "distinguish stacks by program counter, and give "
                                            "locations addresses (default no)"),
    TP_OPTION_BOOL(struct tp_stats_config, labels,
                   "give samples the labels trace, start function, task and region (default no)"),
    TP_OPTION_ENUM(struct tp_stats_config, clocks, "consistent|all",
                   "all includes traces with an inconsistent clock (default consistent)"),
    {.key = NULL},
};

static const struct tp_stats_config defaults = {.level = TP_STATS_LEVEL_FULL,
                                                .by = TP_STATS_BY_FUNCTION,
                                                .sort = -1,
                                                .keep = 1,
                                                .idle = true,
                                                .kind = TP_PROFILE_SYNC};

static int end(const struct tp_sink_call *call, const struct tp_run_figures *figures,
               struct tp_error *err)
{
    (void)figures;
    struct tp_stats_config rows = *(const struct tp_stats_config *)call->config;
    rows.format = TP_STATS_FORMAT_JSON; // all rows, with all frames
    if (rows.kind != TP_PROFILE_RUNNING || rows.labels)
        rows.by = TP_STATS_BY_STACK;
    struct tp_full_report report;
    int rc = tp_stats_full_report(call, &rows, &report, err);
    if (rc != 0)
        return rc;
    rc = tp_profile_write(&report, (enum tp_profile_kind)rows.kind, call->out, err);
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
        plan->run.save = NULL;
    }
    plan->suffix = ".pb.gz";
    plan->is_binary = true;
    plan->run.end = end;
}

const struct tp_sink_def tp_sink_pprof = {
    .name = "pprof",
    .summary = "a profile of waits, CPU samples or running time, for go tool pprof",
    .options = options,
    .config_bytes = sizeof(struct tp_stats_config),
    .defaults = &defaults,
    .plan = make_plan,
    .has_equal_state = tp_stats_full_has_equal_state,
};
