#include "naive_tally.h"

#include <string.h>

static enum tp_ident ident_of(uint8_t type)
{
    switch (type) {
    case TP_EV_ProcStart:
    case TP_EV_ProcStatus: return TP_IDENT_PROC;
    case TP_EV_GoCreate:
    case TP_EV_GoCreateSyscall:
    case TP_EV_GoCreateBlocked:
    case TP_EV_GoStatus:
    case TP_EV_GoStatusStack: return TP_IDENT_GOROUTINE;
    default: return TP_IDENT_NONE;
    }
}

static bool begins_with_delta(uint8_t type)
{
    uint8_t kind = tp_event_specs[type].kind;
    return kind == TP_WIRE_TIMED || kind == TP_WIRE_EXP;
}

struct tp_tally_result naive_tally(struct tp_tally *t, struct tp_span bytes,
                                   const struct tp_arg_table *table, tp_ident_fn on_ident,
                                   void *ctx)
{
    struct tp_tally_result r = {0};
    const unsigned char *p = bytes.ptr, *end = p + bytes.len_bytes;
    while (p < end) {
        struct tp_wire_event ev;
        if (tp_event_read(&p, end, table, &ev) != TP_EVENT_OK)
            break;
        t->count[ev.type]++;
        t->bytes[ev.type] += tp_event_canonical_bytes(&ev);
        if (begins_with_delta(ev.type))
            r.dt_ticks += ev.args[0];
        if (ident_of(ev.type) != TP_IDENT_NONE && on_ident != NULL)
            on_ident(ctx, ident_of(ev.type), ev.args[1]);
    }
    r.used_bytes = (size_t)(p - bytes.ptr);
    return r;
}

// Adds an id to a digest that depends on the order of the ids.
static void note_ident(void *ctx, enum tp_ident ident, uint64_t id)
{
    uint64_t *digest = ctx;
    *digest = (*digest * 31 + ident) * 0x100000001b3 + id + 1;
}

const char *tally_difference(struct tp_span bytes, const struct tp_arg_table *table)
{
    struct tp_tally want = {0}, got = {0}, deaf = {0};
    uint64_t want_ids = 0, got_ids = 0;
    struct tp_tally_result w = naive_tally(&want, bytes, table, note_ident, &want_ids);
    struct tp_tally_result g = tp_tally_events(&got, bytes, table, note_ident, &got_ids);
    struct tp_tally_result d = tp_tally_events(&deaf, bytes, table, NULL, NULL);
    if (g.used_bytes != w.used_bytes || d.used_bytes != w.used_bytes)
        return "bytes used";
    if (g.dt_ticks != w.dt_ticks || d.dt_ticks != w.dt_ticks)
        return "sum of deltas";
    if (got_ids != want_ids)
        return "ids";
    if (memcmp(&got, &want, sizeof got) != 0 || memcmp(&deaf, &want, sizeof deaf) != 0)
        return "counts";
    return NULL;
}
