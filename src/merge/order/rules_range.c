#include <stdio.h>

#include "merge/order/rules.h"

static uint8_t range_begin_of(uint8_t type)
{
    switch (type) {
    case TP_EV_STWEnd: return TP_EV_STWBegin;
    case TP_EV_GCSweepActive:
    case TP_EV_GCSweepEnd: return TP_EV_GCSweepBegin;
    case TP_EV_GCMarkAssistActive:
    case TP_EV_GCMarkAssistEnd: return TP_EV_GCMarkAssistBegin;
    default: return type;
    }
}

static bool begin_range(struct tp_order *o, struct tp_range_list *l, const struct tp_event *e,
                        struct tp_error *err)
{
    struct tp_range_key key = {.type = e->type};
    if (e->type == TP_EV_STWBegin)
        key.detail = tp_arg(e, STWBegin, kind_string);
    if (tp_ranges_have(l, key)) {
        tp_fail(err, TP_E_ORDER, "discovered event already in-flight for when starting event %s",
                name_of(e));
        return false;
    }
    return tp_order_add_range(o, l, key, err);
}

static bool end_range(struct tp_range_list *l, const struct tp_event *e, uint64_t *ret_detail,
                      struct tp_error *err)
{
    uint8_t type = range_begin_of(e->type);
    for (uint32_t i = 0; i < l->count; i++) {
        if (l->items[i].type == type) {
            *ret_detail = l->items[i].detail;
            l->items[i] = l->items[--l->count];
            return true;
        }
    }
    tp_fail(err, TP_E_ORDER, "tried to end event %s, but not in-flight",
            tp_event_specs[type].name);
    return false;
}

static bool say_missing(const struct tp_range_list *l, uint8_t type, struct tp_error *err)
{
    char list[64] = "";
    size_t at = 0;
    for (uint32_t i = 0; i < l->count && at < sizeof list - 32; i++)
        at += (size_t)snprintf(list + at, sizeof list - at, "%s{%u %llu}", i > 0 ? " " : "",
                               l->items[i].type, (unsigned long long)l->items[i].detail);
    tp_fail(err, TP_E_ORDER, "resource is missing active range: %s [%s]",
            tp_event_specs[type].name, list);
    return false;
}

// Handles a range that is open when a generation begins: adds the range in the first generation; in
// later generations the range must be known.
static bool active_range(struct tp_order *o, struct tp_range_list *l, const struct tp_event *e,
                         struct tp_error *err)
{
    struct tp_range_key key = {.type = range_begin_of(e->type)};
    bool is_known = tp_ranges_have(l, key);
    if (!is_first_generation(o))
        return is_known || say_missing(l, key.type, err);
    if (is_known) {
        tp_fail(err, TP_E_ORDER, "found named active range already in first gen: {%u 0}",
                key.type);
        return false;
    }
    return tp_order_add_range(o, l, key, err);
}

static struct tp_g_state *range_g(struct tp_order *o, const struct tp_event *e,
                                  const struct tp_binding *at, struct tp_error *err)
{
    uint32_t slot = tp_order_g_at(o, at);
    if (tp_likely(slot != TP_MAP_NONE))
        return &o->gs.items[slot];
    tp_fail(err, TP_E_ORDER,
            "encountered event of type %u without known state for current goroutine %lld",
            e->type, (long long)e->g);
    return NULL;
}

enum tp_verdict tp_rule_go_range_begin(struct tp_order *o, struct tp_event *out,
                                      struct tp_binding *at, struct tp_error *err)
{
    if (!has_user(out, err))
        return TP_ORDER_BROKEN;
    struct tp_g_state *g = range_g(o, out, at, err);
    if (g == NULL || !begin_range(o, &g->ranges, out, err))
        return TP_ORDER_BROKEN;
    return TAKEN(GO_RANGE_BEGIN);
}

enum tp_verdict tp_rule_go_range_end(struct tp_order *o, struct tp_event *out,
                                    struct tp_binding *at, struct tp_error *err)
{
    if (!has_user(out, err))
        return TP_ORDER_BROKEN;
    struct tp_g_state *g = range_g(o, out, at, err);
    uint64_t detail = 0;
    if (g == NULL || !end_range(&g->ranges, out, &detail, err))
        return TP_ORDER_BROKEN;
    if (out->type == TP_EV_STWEnd)
        tp_arg(out, STWEnd, kind_string) = detail;
    return TAKEN(GO_RANGE_END);
}

// Assumes, for a speculator, that the range is the only one that an assumed goroutine or P has had
// open since before the generation. *has_assumed: the speculator has made this assumption already.
static bool assume_range(struct tp_order *o, struct tp_range_list *l, bool *has_assumed,
                         const struct tp_event *e, enum tp_assumption_kind kind,
                         struct tp_error *err)
{
    struct tp_range_key key = {.type = range_begin_of(e->type)};
    if (tp_ranges_have(l, key))
        return true;
    if (*has_assumed || l->count > 0)
        return say_missing(l, key.type, err);
    *has_assumed = true;
    return assumption(o, kind, tp_arg(e, Named, id), key.type, err) &&
           tp_order_add_range(o, l, key, err);
}

// Handles a range whose event names its goroutine, which need not be running.
enum tp_verdict tp_rule_go_range_active(struct tp_order *o, struct tp_event *out,
                                       struct tp_binding *at, struct tp_error *err)
{
    (void)at;
    int64_t id = (int64_t)tp_arg(out, GCMarkAssistActive, g);
    uint32_t slot = tp_order_g(o, id);
    if (slot == TP_MAP_NONE)
        return BROKEN("uninitialized goroutine %lld found during %s", (long long)id,
                      name_of(out));
    struct tp_g_state *g = &o->gs.items[slot];
    bool ok = is_assuming(o) && g->marks.is_assumed
                  ? assume_range(o, &g->ranges, &g->has_assumed_range, out, TP_ASSUME_G_RANGE, err)
                  : active_range(o, &g->ranges, out, err);
    if (!ok)
        return TP_ORDER_BROKEN;
    return is_first_generation(o) ? TAKEN(GO_RANGE_ACTIVE_FIRST) : TAKEN(GO_RANGE_ACTIVE_KNOWN);
}

enum tp_verdict tp_rule_sweep_begin(struct tp_order *o, struct tp_event *out,
                                   struct tp_binding *at, struct tp_error *err)
{
    if (!has_proc(out, err))
        return TP_ORDER_BROKEN;
    struct tp_p_state *p = tp_current_p(o, out, at, err);
    if (p == NULL || !begin_range(o, &p->ranges, out, err))
        return TP_ORDER_BROKEN;
    return TAKEN(SWEEP_BEGIN);
}

enum tp_verdict tp_rule_sweep_end(struct tp_order *o, struct tp_event *out, struct tp_binding *at,
                                 struct tp_error *err)
{
    if (!has_proc(out, err))
        return TP_ORDER_BROKEN;
    struct tp_p_state *p = tp_current_p(o, out, at, err);
    uint64_t detail;
    if (p == NULL || !end_range(&p->ranges, out, &detail, err))
        return TP_ORDER_BROKEN;
    return TAKEN(SWEEP_END);
}

enum tp_verdict tp_rule_sweep_active(struct tp_order *o, struct tp_event *out,
                                    struct tp_binding *at, struct tp_error *err)
{
    (void)at;
    int64_t id = (int64_t)tp_arg(out, GCSweepActive, p);
    uint32_t slot = tp_order_p(o, id);
    if (slot == TP_MAP_NONE)
        return BROKEN("encountered GCSweepActive for unknown proc %lld", (long long)id);
    struct tp_p_state *p = &o->ps.items[slot];
    bool ok = is_assuming(o)
                  ? assume_range(o, &p->ranges, &p->has_assumed_range, out, TP_ASSUME_P_RANGE, err)
                  : active_range(o, &p->ranges, out, err);
    if (!ok)
        return TP_ORDER_BROKEN;
    return TAKEN(SWEEP_ACTIVE);
}

// MARK PHASE

// Returns whether the event has the next value of the counter in the begin and end events of mark
// phases. The counter determines the order of these events, whatever their times are.
static bool is_gc_turn(const struct tp_order *o, const struct tp_event *e)
{
    return tp_arg(e, GC, seq) == o->gc_seq + 1;
}

// Assumes, for a speculator, that the first event of a mark phase comes in its turn. False after
// filling the error: the state before that event cannot be inferred, or there is no room for the
// assumption.
static bool assume_gc(struct tp_order *o, const struct tp_event *e, struct tp_error *err)
{
    if (!is_assuming(o) || o->gc_state != TP_GC_UNDETERMINED)
        return true;
    if (e->type == TP_EV_GCEnd) {
        tp_fail(err, TP_E_ORDER, "encountered GCEnd when GC was in an undetermined state");
        return false;
    }
    o->gc_state = e->type == TP_EV_GCActive ? TP_GC_RUNNING : TP_GC_NOT_RUNNING;
    o->gc_seq = tp_arg(e, GC, seq) - 1;
    return assumption(o, TP_ASSUME_GC, o->gc_state, o->gc_seq, err);
}

enum tp_verdict tp_rule_gc_active(struct tp_order *o, struct tp_event *out, struct tp_binding *at,
                                  struct tp_error *err)
{
    (void)at;
    if (is_first_generation(o)) {
        if (o->gc_state != TP_GC_UNDETERMINED)
            return BROKEN("GCActive in the first generation isn't first GC event");
        o->gc_seq = tp_arg(out, GCActive, gc_seq);
        o->gc_state = TP_GC_RUNNING;
        return TAKEN(GC_ACTIVE_FIRST);
    }
    if (!assume_gc(o, out, err))
        return TP_ORDER_BROKEN;
    if (!is_gc_turn(o, out))
        return WAIT(GC_WAIT);
    if (o->gc_state != TP_GC_RUNNING)
        return BROKEN("encountered GCActive while GC was not in progress");
    if (!has_user(out, err))
        return TP_ORDER_BROKEN;
    o->gc_seq = tp_arg(out, GCActive, gc_seq);
    return TAKEN(GC_ACTIVE_KNOWN);
}

enum tp_verdict tp_rule_gc_begin(struct tp_order *o, struct tp_event *out, struct tp_binding *at,
                                 struct tp_error *err)
{
    (void)at;
    if (!assume_gc(o, out, err))
        return TP_ORDER_BROKEN;
    if (o->gc_state == TP_GC_UNDETERMINED) {
        o->gc_seq = tp_arg(out, GCBegin, gc_seq);
        o->gc_state = TP_GC_RUNNING;
        return TAKEN(GC_BEGIN_FIRST);
    }
    if (!is_gc_turn(o, out))
        return WAIT(GC_WAIT);
    if (o->gc_state == TP_GC_RUNNING)
        return BROKEN("encountered GCBegin while GC was already in progress");
    if (!has_user(out, err))
        return TP_ORDER_BROKEN;
    o->gc_seq = tp_arg(out, GCBegin, gc_seq);
    o->gc_state = TP_GC_RUNNING;
    return TAKEN(GC_BEGIN);
}

enum tp_verdict tp_rule_gc_end(struct tp_order *o, struct tp_event *out, struct tp_binding *at,
                               struct tp_error *err)
{
    (void)at;
    if (!assume_gc(o, out, err))
        return TP_ORDER_BROKEN;
    if (!is_gc_turn(o, out))
        return WAIT(GC_WAIT);
    if (o->gc_state == TP_GC_NOT_RUNNING)
        return BROKEN("encountered GCEnd when GC was not in progress");
    if (o->gc_state == TP_GC_UNDETERMINED)
        return BROKEN("encountered GCEnd when GC was in an undetermined state");
    if (!has_user(out, err))
        return TP_ORDER_BROKEN;
    o->gc_seq = tp_arg(out, GCEnd, gc_seq);
    o->gc_state = TP_GC_NOT_RUNNING;
    return TAKEN(GC_END);
}
