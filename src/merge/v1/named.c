#include "merge/v1/named.h"

#include "base/alloc.h"
#include "merge/tables/event_shape.h"
#include "merge/tables/read.h"

bool tp_v1_has_string(const struct tp_v1_trace *t, uint64_t id)
{
    return tp_likely(id <= t->tables->complete_string_ids) ||
           tp_tables_string_idx(t->tables, id) < t->named.string_end;
}

// FRAMES

static bool has_string(const void *trace, uint64_t id)
{
    return tp_v1_has_string(trace, id);
}

// Finds the stacks that have a frame with missing names. All frames with one PC have the names of
// the first of them, so a frame may have names although its own strings are missing, and lack names
// although its own strings are there.
static int note_torn_stacks(struct tp_v1_trace *t, struct tp_error *err)
{
    const struct tp_tables *tables = t->tables;
    int rc = tp_tables_resolve(tables);
    if (rc == TP_E_LIMIT)
        return tp_tables_refuse(tables, rc, err);
    uint64_t *bits = rc == 0 ? tp_alloc_zero((tables->stacks.count / 64 + 1) * sizeof *bits) : NULL;
    if (bits == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for the tables of a trace");
    for (size_t i = 0; i < tables->stacks.count; i++) {
        if (!tp_tables_has_names(tables, &tables->stacks.items[i], t->named.string_end)) {
            bits[i / 64] |= UINT64_C(1) << i % 64;
            t->named.has_torn_stacks = true;
        }
    }
    t->named.torn_stacks = bits;
    return 0;
}

int tp_v1_named_prepare(struct tp_v1_trace *t, struct tp_error *err)
{
    uint32_t added_count = t->tables->messages.count + TP_V1_WORD_COUNT;
    t->named.string_end = t->is_strict ? TP_STRING_UNKNOWN : t->tables->strings.count - added_count;
    // Frames that were bare PCs name only strings that were added for them.
    if (tp_v1_has_bare_pcs(t) || tp_tables_frame_strings_pass(t->tables, has_string, t))
        return 0;
    return note_torn_stacks(t, err);
}

// EVENTS

static bool is_noted_torn(const struct tp_v1_trace *t, uint32_t stack)
{
    return t->named.has_torn_stacks && (t->named.torn_stacks[stack / 64] >> stack % 64 & 1) != 0;
}

static bool lacks_stack(const struct tp_v1_trace *t, uint64_t id)
{
    uint32_t idx = tp_idmap_get(&t->tables->stack_ids, id);
    return id != 0 && (idx == UINT32_MAX || is_noted_torn(t, idx));
}

bool tp_v1_lacks_names_slow(const struct tp_v1_trace *t, uint8_t type, const uint64_t *args,
                            uint64_t stack)
{
    bool lacks = lacks_stack(t, stack);
    switch (type) {
    case TP_V1_GoCreate:
        return lacks ||
               (!tp_v1_has_bare_pcs(t) && lacks_stack(t, args[TP_V1_ARG_GoCreate_new_stack]));
    case TP_V1_UserLog: return lacks || !tp_v1_has_string(t, args[TP_V1_ARG_UserLog_key_string]);
    case TP_V1_GoStartLabel:
    case TP_V1_UserTaskCreate:
    case TP_V1_UserRegion: return lacks || !tp_v1_has_string(t, args[TP_V1_ARG_Called_string]);
    default: return lacks;
    }
}

static bool say_string(uint64_t id, struct tp_error *ret_error)
{
    tp_fail(ret_error, TP_E_ORDER, "expected id %llu in string table", (unsigned long long)id);
    return true;
}

static bool cannot_print_stack(const struct tp_v1_trace *t, uint64_t id,
                               struct tp_error *ret_error)
{
    bool is_function;
    if (!lacks_stack(t, id))
        return false;
    uint32_t idx = tp_idmap_get(&t->tables->stack_ids, id);
    if (idx != UINT32_MAX)
        return say_string(
            tp_tables_missing_frame_string(t->tables, &t->tables->stacks.items[idx], &is_function),
            ret_error);
    tp_fail(ret_error, TP_E_ORDER, "expected id %llu in trace.stack table",
            (unsigned long long)id);
    return true;
}

// Returns the id of the trace's string that a converted event names; 0: none.
static uint64_t string_of(const struct tp_event *e)
{
    switch (e->type) {
    case TP_EV_GoLabel: return tp_arg(e, GoLabel, label_string);
    case TP_EV_UserRegionBegin:
    case TP_EV_UserRegionEnd: return tp_arg(e, Region, name_string);
    case TP_EV_UserLog: return tp_arg(e, UserLog, key_string);
    case TP_EV_UserTaskBegin: return tp_arg(e, UserTaskBegin, name_string);
    default: return 0;
    }
}

bool tp_v1_cannot_print(const struct tp_v1_trace *t, const struct tp_event *e,
                        struct tp_error *ret_error)
{
    const struct tp_event_shape *s = &tp_event_shapes[e->type];
    uint64_t transition_stack =
        s->transition_stack_arg != 0 ? e->args[s->transition_stack_arg - 1] : 0;
    uint64_t stack = s->stack_arg != 0 ? e->args[s->stack_arg - 1] : 0;
    if (!tp_v1_has_string(t, string_of(e)))
        return say_string(string_of(e), ret_error);
    return cannot_print_stack(t, transition_stack, ret_error) ||
           cannot_print_stack(t, stack, ret_error);
}
