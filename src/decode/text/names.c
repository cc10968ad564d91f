#include "decode/text/names.h"

#define SHORTEST_NAME 4 // bytes that name_hash reads

static const char *const old_stack_args[] = {"id", "nframes", "pad"};

TP_INLINE uint32_t name_hash(struct tp_span name)
{
    uint32_t head;
    uint32_t tail;
    memcpy(&head, name.ptr, sizeof head);
    memcpy(&tail, name.ptr + name.len_bytes - sizeof tail, sizeof tail);
    uint32_t mixed = head * 0x9e3779b1u ^ tail * 0x85ebca6bu ^ (uint32_t)name.len_bytes << 27;
    return (mixed ^ mixed >> 15) * 0x2c1b3c6du >> 24;
}

unsigned tp_wirenames_find(const struct tp_wirenames *n, struct tp_span name)
{
    if (name.len_bytes < SHORTEST_NAME)
        return 0;
    for (uint32_t slot = name_hash(name);; slot = (slot + 1) % TP_WIRENAME_SLOTS) {
        unsigned code = n->codes[slot];
        if (code == 0)
            return 0;
        const char *found = n->events[code].name;
        if (memcmp(found, name.ptr, SHORTEST_NAME) == 0 && tp_span_is(name, found))
            return code;
    }
}

// Returns `event` with the lengths of its arguments.
static struct tp_wirename measured(struct tp_wirename event)
{
    for (unsigned i = 0; i < event.arg_count; i++)
        event.arg_lens[i] = (uint8_t)strlen(event.args[i]);
    return event;
}

static void learn(struct tp_wirenames *n, unsigned code, struct tp_wirename event)
{
    size_t name_bytes = strlen(event.name);
    assert(name_bytes >= SHORTEST_NAME);
    uint32_t slot = name_hash(tp_span_of(event.name, name_bytes));
    while (n->codes[slot] != 0)
        slot = (slot + 1) % TP_WIRENAME_SLOTS;
    n->codes[slot] = (uint8_t)code;
    n->events[code] = measured(event);
}

static void learn_frame(struct tp_wirenames *n, unsigned arg_count)
{
    n->frame =
        measured((struct tp_wirename){.args = tp_frame_arg_names, .arg_count = (uint8_t)arg_count});
}

void tp_wirenames_learn(struct tp_wirenames *n, uint32_t minor, enum tp_dialect dialect)
{
    const struct tp_arg_table *known = tp_arg_table(minor, dialect);
    for (unsigned code = 0; code < TP_EVENT_CODES; code++) {
        const struct tp_event_spec *spec = &tp_event_specs[code];
        struct tp_wirename event = {
            .name = spec->name, .args = spec->args, .arg_count = spec->arg_count};
        if (spec->kind == TP_WIRE_DATA)
            event.tail = TP_WIRENAME_BYTES;
        else if (spec->kind == TP_WIRE_STACK)
            event.tail = TP_WIRENAME_FRAMES;
        if (event.name != NULL && known->count[code] != TP_ARGS_INVALID)
            learn(n, code, event);
    }
    learn_frame(n, TP_FRAME_ARGS);
}

void tp_wirenames_learn_old(struct tp_wirenames *n, const struct tp_v1_table *table)
{
    for (unsigned code = 0; code < TP_V1_CODES; code++) {
        const struct tp_v1_form *form = &table->forms[code];
        struct tp_wirename event = {
            .name = form->name, .args = form->args, .arg_count = form->arg_count};
        if (form->kind == TP_V1_KIND_STACK) {
            event.tail = TP_WIRENAME_FRAMES;
            event.args = old_stack_args;
            event.arg_count = TP_ARRAY_LEN(old_stack_args);
        } else if (form->kind == TP_V1_KIND_STRING || form->kind == TP_V1_KIND_LOG) {
            event.tail = TP_WIRENAME_BYTES;
        }
        if (event.name != NULL)
            learn(n, code, event);
    }
    learn_frame(n, table->frame_args);
}
