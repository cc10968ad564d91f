#include "merge/order/doubt.h"

#include "merge/order/rules.h"

// Returns whether the event may be the wrong status that the tracer writes before it flushes a P's
// cache of spans (see doubt.h).
static bool is_suspect(const struct tp_order *o, const struct tp_run_event *e, uint32_t m_slot)
{
    if (e->type != TP_EV_ProcStatus || tp_arg(e, ProcStatus, pstatus) != P_RUNNING ||
        m_slot == TP_MAP_NONE)
        return false;
    uint32_t slot = tp_order_p(o, (int64_t)tp_arg(e, ProcStatus, p));
    return slot != TP_MAP_NONE && o->ps.items[slot].status == P_IDLE &&
           o->ms.items[m_slot].at.p == -1;
}

// Returns whether the tracer may write the event while it flushes a P's cache of spans.
static bool is_of_flush(const struct tp_run_event *e)
{
    return e->type == TP_EV_HeapAlloc || tp_event_kinds[e->type] == TP_KIND_EXPERIMENTAL;
}

// Initializes a cursor at the place of `c`, which must not move on while the new cursor is used.
// The new cursor yields the events that `c` has decoded, and decodes the next ones into `events`.
static void look_ahead(const struct tp_cursor *c, struct tp_run_event events[TP_CURSOR_AHEAD],
                       struct tp_cursor *ret_ahead)
{
    const struct tp_decoded_run rest = tp_cursor_decoded(c, c->parts);
    tp_cursor_init_decoded(ret_ahead, &rest);
    tp_cursor_use_ahead(ret_ahead, events, TP_CURSOR_AHEAD);
    ret_ahead->next = c->next;
    ret_ahead->ready_end = c->ready_end;
}

// Sets *ret_follows to whether the first start of `p` follows the next event of `c`, which is the
// status of `p`, with no events between them but those that the tracer writes while it flushes the
// cache of spans of `p`. Returns an error code if a read or an allocation fails.
static int follows_on(const struct tp_cursor *c, uint64_t p, const struct tp_tables *t,
                      struct tp_batch_loader *loader, bool *ret_follows, struct tp_error *err)
{
    struct tp_cursor ahead;
    struct tp_run_event events[TP_CURSOR_AHEAD];
    look_ahead(c, events, &ahead);
    enum tp_cursor_status st;
    do {
        st = tp_cursor_advance(&ahead, t, loader, err);
    } while (st == TP_CURSOR_EVENT && is_of_flush(ahead.next));
    *ret_follows = st == TP_CURSOR_EVENT && ahead.next->type == TP_EV_ProcStart &&
                   tp_arg(ahead.next, ProcStart, p) == p &&
                   tp_arg(ahead.next, ProcStart, p_seq) == 1;
    tp_cursor_fini(&ahead);
    // An event that cannot be decoded is reported when the sequencer reaches it.
    return st == TP_CURSOR_BAD && err->code != TP_E_EVENT ? err->code : 0;
}

int tp_order_believe(struct tp_order *o, const struct tp_cursor *c, struct tp_batch_loader *loader,
                     struct tp_event *out, size_t *ret_made, struct tp_error *err)
{
    const struct tp_run_event *next = c->next;
    bool follows = false;
    *ret_made = 0;
    if (!is_suspect(o, next, c->m_slot))
        return 0;
    const uint64_t p_id = tp_arg(next, ProcStatus, p);
    struct tp_error ahead_err;
    int rc = follows_on(c, p_id, o->tables, loader, &follows, &ahead_err);
    if (rc != 0)
        *err = ahead_err;
    if (rc != 0 || !follows)
        return rc;
    struct tp_binding *at = &o->ms.items[c->m_slot].at;
    uint32_t slot = tp_order_p(o, (int64_t)p_id);
    set_event(out, next, c->m, at);
    tp_arg(out, ProcStatus, from) = TP_STATE_IDLE;
    struct tp_p_state *p = &o->ps.items[slot];
    p->status = P_RUNNING;
    p->seq = (struct tp_seq){o->generation, 0};
    p->awaits_start = true;
    bind_p(at, p->id, slot);
    o->made_count = *ret_made = 1;
    return 0;
}

struct tp_doubt *tp_doubts_count(struct tp_doubts *d, enum tp_doubt_kind kind)
{
    d->by_kind[kind]++;
    if (d->count++ >= TP_DOUBTS_KEPT)
        return NULL;
    struct tp_doubt *doubt = &d->first[d->count - 1];
    doubt->kind = kind;
    return doubt;
}

void tp_doubts_join(struct tp_doubts *d, const struct tp_doubts *later)
{
    for (uint64_t i = 0; i < later->count && d->count + i < TP_DOUBTS_KEPT; i++)
        d->first[d->count + i] = later->first[i];
    for (size_t kind = 0; kind < TP_DOUBT_KINDS; kind++)
        d->by_kind[kind] += later->by_kind[kind];
    d->count += later->count;
}
