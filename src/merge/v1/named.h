// Finds strings and stacks that events of a trace from before Go 1.22 name but the tables lack.
// Tables mostly come last, so a trace that was cut has lost them. Neither the parsers of these
// traces' time nor Go's conversion check for this: the conversion takes a missing stack of an event
// for no stack, and looks up all other names only when it prints the event, where it panics.
//
// The members of t->named are constant after tp_v1_named_prepare; then any thread may read them.
#ifndef TP_MERGE_V1_NAMED_H
#define TP_MERGE_V1_NAMED_H

#include "merge/v1/trace.h"
#include "tracepipe/event.h"

// Finds the stacks with missing names and sets t->named; called once, after the last string has
// been added to the tables. TP_E_LIMIT, TP_E_MEMORY.
int tp_v1_named_prepare(struct tp_v1_trace *t, struct tp_error *err) TP_MUST_USE;

// Returns whether the trace itself has the string with this id; true for 0, which means no string.
// With is_strict, strings that the conversion added count, too, as in Go.
bool tp_v1_has_string(const struct tp_v1_trace *t, uint64_t id);

// Whether an event names a string or stack that is missing. `stack` is that of the event, 0 if its
// form has none. For tp_v1_lacks_names only.
bool tp_v1_lacks_names_slow(const struct tp_v1_trace *t, uint8_t type, const uint64_t *args,
                            uint64_t stack);

// Does the same as tp_v1_lacks_names_slow, but inlined for types that name nothing but a stack.
TP_INLINE bool tp_v1_lacks_names(const struct tp_v1_trace *t, uint8_t type, const uint64_t *args,
                                 uint64_t stack)
{
    bool may_lack;
    switch (type) {
    case TP_V1_GoCreate:
    case TP_V1_GoStartLabel:
    case TP_V1_UserTaskCreate:
    case TP_V1_UserRegion:
    case TP_V1_UserLog: may_lack = true; break;
    default: may_lack = t->named.has_torn_stacks || !tp_tables_has_stack(t->tables, stack); break;
    }
    return tp_unlikely(may_lack) && tp_v1_lacks_names_slow(t, type, args, stack);
}

// Whether Go panics when it prints the converted event; then *ret_error has the panic's words.
bool tp_v1_cannot_print(const struct tp_v1_trace *t, const struct tp_event *e,
                        struct tp_error *ret_error);

#endif
