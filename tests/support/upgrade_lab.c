#include "upgrade_lab.h"

#include <stdlib.h>

#include "decode/put_v2.h"
#include "sink/text/raw.h"

struct keeper {
    struct tp_out out; // first: the hook gets a pointer to it
    struct upgrade *u;
};

static int keep(struct tp_out *out, struct tp_span bytes, struct tp_error *err)
{
    struct upgrade *u = ((struct keeper *)out)->u;
    if (++u->write_count == u->fail_write || !tp_buf_put(&u->wire, bytes.ptr, bytes.len_bytes))
        return tp_fail(err, TP_E_WRITE, "full");
    return 0;
}

static int commit_all(const struct tp_sink_call *call, const struct upgrade *u,
                      const struct tp_event *events, size_t count, struct tp_tables *tables,
                      struct tp_error *err)
{
    size_t most = u->block_events != 0 ? u->block_events : count;
    int rc = 0;
    for (size_t done = 0; done < count && rc == 0; done += most) {
        struct tp_block block = {.tables = tables,
                                 .events = events + done,
                                 .event_count = count - done < most ? count - done : most};
        struct tp_unit unit = {.block = &block};
        rc = tp_raw_upgraded_plan.input.commit(call, &unit, err);
    }
    return rc;
}

int upgrade_write(struct upgrade *u, const struct tp_event *events, size_t count,
                  struct tp_tables *tables, struct tp_error *err)
{
    const struct tp_input_hooks *hooks = &tp_raw_upgraded_plan.input;
    struct tp_raw_config config = {.version = TP_RAW_GO_1_26};
    struct keeper k = {.out = {keep}, .u = u};
    u->notes = (struct tp_sink_notes){0};
    u->write_count = 0;
    tp_buf_reset(&u->wire);
    config.generation_bytes =
        u->generation_bytes != 0 ? u->generation_bytes : TP_RAW_GENERATION_BYTES;
    const struct tp_input_info info = {
        .format = {.decoder = &tp_decoder_v1, .minor = tables->minor}};
    void *state = calloc(1, tp_raw_upgraded_plan.input_state_bytes);
    if (state == NULL)
        abort();
    const struct tp_sink_call call = {
        .config = &config, .input_state = state, .out = &k.out, .notes = &u->notes};
    int rc = hooks->open(&call, &info, err);
    if (rc == 0)
        rc = commit_all(&call, u, events, count, tables, err);
    if (rc == 0)
        rc = hooks->finish(&call, &info, NULL, err);
    hooks->fini(state);
    free(state);
    return rc;
}

struct order_result upgrade_read(const struct upgrade *u)
{
    const struct order_way way = {.fill_capacity = 512, .keeps_tables = true};
    return order_trace(26, tp_span_of(u->wire.ptr + TP_PUT_V2_HEADER_BYTES,
                                      u->wire.len_bytes - TP_PUT_V2_HEADER_BYTES), false, &way);
}

const char *upgrade_fault(const struct order_result *r)
{
    return r->error_count > 0 ? r->errors[0].text : order_time_fault(r);
}
