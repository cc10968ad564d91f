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

static bool begin_range(struct tp_order *o, uint32_t *first, const struct tp_event *e,
                        struct tp_error *err)
{
    struct tp_range_key key = {.type = e->type};
    if (e->type == TP_EV_STWBegin)
        key.detail = tp_arg(e, STWBegin, kind_string);
    if (tp_order_has_range(o, *first, key)) {
        tp_fail(err, TP_E_ORDER, "discovered event already in-flight for when starting event %s",
                name_of(e));
        return false;
    }
    return tp_order_add_range(o, first, key, err);
}

static bool end_range(struct tp_order *o, uint32_t *first, const struct tp_event *e,
                      uint64_t *ret_detail, struct tp_error *err)
{
    uint8_t type = range_begin_of(e->type);
    if (tp_order_end_range(o, first, type, ret_detail))
        return true;
    tp_fail(err, TP_E_ORDER, "tried to end event %s, but not in-flight",
            tp_event_specs[type].name);
    return false;
}

static bool say_missing(const struct tp_order *o, uint32_t first, uint8_t type, struct tp_error *err)
{
    char list[64] = "";
    size_t used = 0;
    for (uint32_t at = first; at != 0 && used < sizeof list - 32; at = o->ranges.items[at].next) {
        const struct tp_range_key *k = &o->ranges.items[at].key;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s{%u %llu}",
                                 at != first ? " " : "", k->type, (unsigned long long)k->detail);
    }
    tp_fail(err, TP_E_ORDER, "resource is missing active range: %s [%s]",
            tp_event_specs[type].name, list);
    return false;
}

// Handles a range that is open when a generation begins: adds the range in the first generation; in
// later generations the range must be known.
static bool active_range(struct tp_order *o, uint32_t *first, const struct tp_event *e,
                         struct tp_error *err)
{
    struct tp_range_key key = {.type = range_begin_of(e->type)};
    bool is_known = tp_order_has_range(o, *first, key);
    if (!is_first_generation(o))
        return is_known || say_missing(o, *first, key.type, err);
    if (is_known) {
        tp_fail(err, TP_E_ORDER, "found named active range already in first gen: {%u 0}",
                key.type);
        return false;
    }
    return tp_order_add_range(o, first, key, err);
}

static bool is_sweep(const struct tp_event *e)
{
    return e->type == TP_EV_GCSweepBegin || e->type == TP_EV_GCSweepEnd;
}

// Returns the chain of open ranges of the thread's P, if the event begins or ends a sweep, else that
// of its goroutine. NULL after filling the error: the thread has no such P or goroutine, or the state
// of that P or goroutine is not known.
static uint32_t *current_ranges(struct tp_order *o, const struct tp_event *e,
                                const struct tp_binding *at, struct tp_error *err)
{
    if (is_sweep(e)) {
        struct tp_p_state *p = has_proc(e, err) ? tp_current_p(o, e, at, err) : NULL;
        return p != NULL ? &p->range : NULL;
    }
    if (!has_user(e, err))
        return NULL;
    uint32_t slot = tp_order_g_at(o, at);
    if (tp_likely(slot != TP_MAP_NONE))
        return &o->gs.items[slot].range;
    tp_fail(err, TP_E_ORDER,
            "encountered event of type %u without known state for current goroutine %lld",
            e->type, (long long)e->g);
    return NULL;
}

enum tp_verdict tp_rule_range_begin(struct tp_order *o, struct tp_event *out, struct tp_binding *at,
                                    struct tp_error *err)
{
    uint32_t *first = current_ranges(o, out, at, err);
    if (first == NULL || !begin_range(o, first, out, err))
        return TP_ORDER_BROKEN;
    return is_sweep(out) ? TAKEN(SWEEP_BEGIN) : TAKEN(GO_RANGE_BEGIN);
}

enum tp_verdict tp_rule_range_end(struct tp_order *o, struct tp_event *out, struct tp_binding *at,
                                  struct tp_error *err)
{
    uint32_t *first = current_ranges(o, out, at, err);
    uint64_t detail;
    if (first == NULL || !end_range(o, first, out, &detail, err))
        return TP_ORDER_BROKEN;
    if (out->type == TP_EV_STWEnd)
        tp_arg(out, STWEnd, kind_string) = detail;
    return is_sweep(out) ? TAKEN(SWEEP_END) : TAKEN(GO_RANGE_END);
}

// Assumes, for a speculator, that the range is the only one that an assumed goroutine or P has had
// open since before the generation. *has_assumed: the speculator has made this assumption already.
static bool assume_range(struct tp_order *o, uint32_t *first, bool *has_assumed,
                         const struct tp_event *e, enum tp_assumption_kind kind,
                         struct tp_error *err)
{
    struct tp_range_key key = {.type = range_begin_of(e->type)};
    if (tp_order_has_range(o, *first, key))
        return true;
    if (*has_assumed || *first != 0)
        return say_missing(o, *first, key.type, err);
    *has_assumed = true;
    return assumption(o, kind, tp_arg(e, Named, id), key.type, err) &&
           tp_order_add_range(o, first, key, err);
}

// Handles a range whose event names its goroutine, which need not be running.
enum tp_verdict tp_rule_assist_active(struct tp_order *o, struct tp_event *out,
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
                  ? assume_range(o, &g->range, &g->has_assumed_range, out, TP_ASSUME_G_RANGE, err)
                  : active_range(o, &g->range, out, err);
    if (!ok)
        return TP_ORDER_BROKEN;
    return is_first_generation(o) ? TAKEN(GO_RANGE_ACTIVE_FIRST) : TAKEN(GO_RANGE_ACTIVE_KNOWN);
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
                  ? assume_range(o, &p->range, &p->has_assumed_range, out, TP_ASSUME_P_RANGE, err)
                  : active_range(o, &p->range, out, err);
    if (!ok)
        return TP_ORDER_BROKEN;
    return TAKEN(SWEEP_ACTIVE);
}

// MARK PHASE

// Assumes, for a speculator, that the first event of a mark phase has the counter's next value.
// False after filling the error: the state before that event cannot be inferred, or there is no
// memory for the assumption.
static bool assume_gc(struct tp_order *o, const struct tp_event *e, struct tp_error *err)
{
    if (!is_assuming(o) || o->gc_state != TP_GC_UNDETERMINED)
        return true;
    if (e->type == TP_EV_GCEnd) {
        tp_fail(err, TP_E_ORDER, "the state before is unknown");
        return false;
    }
    o->gc_state = e->type == TP_EV_GCActive ? TP_GC_RUNNING : TP_GC_NOT_RUNNING;
    o->gc_seq = tp_arg(e, GC, seq) - 1;
    return assumption(o, TP_ASSUME_GC, o->gc_state, o->gc_seq, err);
}

// Returns Go's message if an event of this type cannot follow on `state`; NULL: it can.
static const char *gc_refusal(enum tp_gc_state state, uint8_t type)
{
    switch (type) {
    case TP_EV_GCActive:
        return state != TP_GC_RUNNING ? "encountered GCActive while GC was not in progress" : NULL;
    case TP_EV_GCBegin:
        return state == TP_GC_RUNNING ? "encountered GCBegin while GC was already in progress"
                                      : NULL;
    default:
        if (state == TP_GC_UNDETERMINED)
            return "encountered GCEnd when GC was in an undetermined state";
        return state == TP_GC_NOT_RUNNING ? "encountered GCEnd when GC was not in progress" : NULL;
    }
}

enum tp_verdict tp_rule_gc(struct tp_order *o, struct tp_event *out, struct tp_binding *at,
                           struct tp_error *err)
{
    (void)at;
    static const uint8_t rows[TP_EVENT_CODES] = {[TP_EV_GCActive] = TP_RULE_GC_ACTIVE_KNOWN,
                                                 [TP_EV_GCBegin] = TP_RULE_GC_BEGIN,
                                                 [TP_EV_GCEnd] = TP_RULE_GC_END};
    if (!assume_gc(o, out, err))
        return TP_ORDER_BROKEN;
    if (out->type == TP_EV_GCActive && is_first_generation(o)) {
        if (o->gc_state != TP_GC_UNDETERMINED)
            return BROKEN("GCActive in the first generation isn't first GC event");
        set_gc(o, out);
        return TAKEN(GC_ACTIVE_FIRST);
    }
    if (out->type == TP_EV_GCBegin && o->gc_state == TP_GC_UNDETERMINED) {
        set_gc(o, out);
        return TAKEN(GC_BEGIN_FIRST);
    }
    // The counter determines the order of these events, whatever their times are.
    if (tp_arg(out, GC, seq) != o->gc_seq + 1)
        return WAIT(GC_WAIT);
    const char *refusal = gc_refusal(o->gc_state, out->type);
    if (refusal != NULL)
        return BROKEN("%s", refusal);
    if (!has_user(out, err))
        return TP_ORDER_BROKEN;
    set_gc(o, out);
    o->hits[rows[out->type]]++;
    return TP_ORDER_TAKE;
}
