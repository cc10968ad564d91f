// The trace in wire form: the bytes themselves, or what the text form encodes to.
#include "sink/sink.h"

static int work(const struct tp_sink_call *call, const struct tp_unit *unit, void *unit_state,
                struct tp_buf *buf, struct tp_error *err)
{
    (void)call, (void)unit, (void)unit_state, (void)buf, (void)err;
    return 0;
}

static int commit(const struct tp_sink_call *call, void *state, const struct tp_unit *unit,
                  void *unit_state, struct tp_buf *buf, struct tp_out *out, struct tp_error *err)
{
    (void)call, (void)state, (void)unit_state, (void)buf;
    return tp_out_put(out, unit->bytes, err);
}

const struct tp_sink_def tp_sink_raw = {
    .name = "raw",
    .summary = "the trace in wire form, byte for byte; text input is encoded",
    .suffix = ".raw",
    .unit = TP_UNIT_SEGMENT,
    .is_binary = true,
    .takes_any_bytes = true,
    .work = work,
    .commit = commit,
};
