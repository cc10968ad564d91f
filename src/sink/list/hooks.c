#include "sink/list/hooks.h"

static int work(const struct tp_sink_call *call, const struct tp_unit *unit, void *unit_state,
                struct tp_buf *buf, struct tp_error *err)
{
    (void)call, (void)buf, (void)err;
    tp_list_unit_count(unit_state, unit);
    return 0;
}

const struct tp_unit_hooks tp_list_unit_hooks = {.work = work};

int tp_list_open(const struct tp_sink_call *call, const struct tp_input_info *input, void *state,
                 struct tp_out *out, struct tp_error *err)
{
    (void)out, (void)err;
    tp_list_state_init(state, &input->format, call->frequency);
    return 0;
}

int tp_list_commit(const struct tp_sink_call *call, void *state, const struct tp_unit *unit,
                   const struct tp_unit_made *made, struct tp_out *out, struct tp_error *err)
{
    (void)out;
    const struct tp_list_unit *u = made->state;
    tp_sink_notes_add(call->notes, &u->notes);
    return tp_list_state_add(state, u, unit, err);
}

int tp_list_generation(const struct tp_sink_call *call, void *state,
                       const struct tp_generation *g, struct tp_error *err)
{
    (void)call;
    return tp_list_state_add_generation(state, g, err);
}

void tp_list_input_fini(void *state)
{
    tp_list_state_fini(state);
}
