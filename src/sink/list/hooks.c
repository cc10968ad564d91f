#include "sink/list/hooks.h"

static int work(const struct tp_sink_call *call, const struct tp_unit *unit, struct tp_error *err)
{
    (void)err;
    tp_list_unit_count(call->unit_state, unit);
    return 0;
}

const struct tp_unit_hooks tp_list_unit_hooks = {.work = work};

int tp_list_open(const struct tp_sink_call *call, const struct tp_input_info *input,
                 struct tp_error *err)
{
    (void)err;
    tp_list_state_init(call->input_state, &input->format, call->frequency);
    return 0;
}

int tp_list_commit(const struct tp_sink_call *call, const struct tp_unit *unit,
                   struct tp_error *err)
{
    const struct tp_list_unit *u = call->unit_state;
    tp_sink_notes_add(call->notes, &u->notes);
    return tp_list_state_add(call->input_state, u, unit, err);
}

int tp_list_generation(const struct tp_sink_call *call, const struct tp_generation *g,
                       struct tp_error *err)
{
    return tp_list_state_add_generation(call->input_state, g, err);
}

void tp_list_input_fini(void *state)
{
    tp_list_state_fini(state);
}
