// The trace in wire form: its bytes, or those that its text form encodes. With `version` the trace
// is converted (raw_upgraded.c).
#include "sink/text/raw.h"

static const struct tp_opt_spec options[] = {
    TP_OPTION_ENUM(struct tp_raw_config, version, "1.26",
                   "convert a trace from before Go 1.22 to the format of this release"),
    {.key = NULL},
};

static const struct tp_raw_config defaults = {.version = TP_RAW_AS_IT_IS,
                                              .generation_bytes = TP_RAW_GENERATION_BYTES};

// Does nothing. But with a `work` hook units pass through a worker, so commits run while later
// events are put in order; without it, wall time of a conversion is a quarter more.
static int work(const struct tp_sink_call *call, const struct tp_unit *unit, struct tp_error *err)
{
    (void)call, (void)unit, (void)err;
    return 0;
}

static int commit(const struct tp_sink_call *call, const struct tp_unit *unit, struct tp_error *err)
{
    return tp_out_put(call->out, unit->bytes, err);
}

static const struct tp_sink_plan as_it_is = {
    .suffix = TP_RAW_SUFFIX,
    .need = TP_NEED_UNITS,
    .unit_kind = TP_UNIT_SEGMENT,
    .accepts = TP_KIND_ALL,
    .is_binary = true,
    .replaces_traces = true,
    .input = {.commit = commit},
};

static void make_plan(const void *config, struct tp_sink_plan *plan)
{
    const struct tp_raw_config *c = config;
    *plan = c->version == TP_RAW_AS_IT_IS ? as_it_is : tp_raw_upgraded_plan;
    plan->unit.work = work;
}

const struct tp_sink_def tp_sink_raw = {
    .name = "raw",
    .summary = "the trace in wire form, byte for byte; text input is encoded",
    .options = options,
    .config_bytes = sizeof(struct tp_raw_config),
    .defaults = &defaults,
    .plan = make_plan,
};
