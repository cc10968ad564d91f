// Hooks shared by the sink `list` and the interface of tracepipe/listing.h: they collect a
// struct tp_list_state up to the end of an input. Each of the two has its own `finish`, which
// uses that state. The pipeline calls the hooks (sink/sink.h): on the commit strand of the input,
// which owns the state, except `work`, which runs on any worker. Hooks fail as the functions of
// sink/list/state.h that they call; tp_list_input_fini always follows.
#ifndef TP_SINK_LIST_HOOKS_H
#define TP_SINK_LIST_HOOKS_H

#include "sink/list/state.h"

int tp_list_open(const struct tp_sink_call *call, const struct tp_input_info *input,
                 struct tp_error *err);
int tp_list_commit(const struct tp_sink_call *call, const struct tp_unit *unit,
                   struct tp_error *err);
int tp_list_generation(const struct tp_sink_call *call, const struct tp_generation *generation,
                       struct tp_error *err);
void tp_list_input_fini(void *state);

// The initialisers of struct tp_input_hooks that both have in common.
#define TP_LIST_INPUT_HOOKS                                                                        \
    .open = tp_list_open, .commit = tp_list_commit, .generation = tp_list_generation,              \
    .fini = tp_list_input_fini

// Hooks of units: `work` counts a segment on any worker. Constant.
extern const struct tp_unit_hooks tp_list_unit_hooks;

// The initialisers of struct tp_sink_plan that both have in common.
#define TP_LIST_PLAN                                                                               \
    .need = TP_NEED_UNITS, .unit_kind = TP_UNIT_SEGMENT, .accepts = TP_KIND_TRACES,             \
    .unit_state_bytes = sizeof(struct tp_list_unit),                                               \
    .input_state_bytes = sizeof(struct tp_list_state), .unit = &tp_list_unit_hooks

#endif
