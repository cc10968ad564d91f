// Records assumptions, checks them, and transfers the speculator's end state to the order proper.

#include "merge/order/assumption.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "merge/order/doubt.h"
#include "merge/order/names.h"

#define FIRST_ASSUMPTIONS 64

bool tp_assumption_add(struct tp_order *o, struct tp_assumption assumption, struct tp_error *err)
{
    struct tp_assumptions *g = o->assumptions;
    if (!g->is_kept)
        return true;
    if (TP_LIST_ROOM_WITHIN(g, FIRST_ASSUMPTIONS, &g->room_bytes) != 0) {
        tp_fail(err, TP_E_TOO_LARGE, "too many assumptions about a generation");
        return false;
    }
    g->items[g->count++] = assumption;
    return true;
}

// AT THE CUT

static void clear_marks(struct tp_order *o)
{
    for (uint32_t i = 1; i <= o->gs.count; i++)
        o->gs.items[i].marks = (struct tp_assumption_marks){0};
    for (uint32_t i = 1; i <= o->ps.count; i++)
        o->ps.items[i].marks = (struct tp_assumption_marks){0};
}

static bool is_same_seq(const struct tp_seq *a, const struct tp_seq *b)
{
    return a->generation == b->generation && a->count == b->count;
}

// Returns whether chain `a` of `o` has the same ranges as chain `b` of `other`, in the same order. The
// order matters, because an end event ends the first range that fits.
static bool is_same_ranges(const struct tp_order *o, uint32_t a, const struct tp_order *other,
                           uint32_t b)
{
    while (a != 0 && b != 0) {
        const struct tp_open_range *own = &o->ranges.items[a], *their = &other->ranges.items[b];
        if (own->key.type != their->key.type || own->key.detail != their->key.detail)
            return false;
        a = own->next;
        b = their->next;
    }
    return a == b;
}

// Returns whether the speculator's open regions are the innermost ones of `g`. If so, sets g->hidden.
static bool has_known_regions(const struct tp_order *o, struct tp_g_state *g,
                              const struct tp_order *cut, const struct tp_g_state *theirs)
{
    uint32_t at = g->region, known = theirs->region;
    while (known != 0 && at != 0 &&
           tp_order_is_region(o, tp_order_region_key(o, at), tp_order_region_key(cut, known))) {
        at = o->regions.items[at].nest.next;
        known = cut->regions.items[known].nest.next;
    }
    g->hidden = at;
    return known == 0;
}

static bool is_g_met(struct tp_order *o, const struct tp_order *cut,
                     const struct tp_g_state *theirs)
{
    uint32_t slot = tp_order_g(o, theirs->id);
    if (slot == TP_MAP_NONE)
        return false;
    struct tp_g_state *g = &o->gs.items[slot];
    if (g->status != theirs->status || !is_same_seq(&g->seq, &theirs->seq) ||
        !is_same_ranges(o, g->range, cut, theirs->range) ||
        !has_known_regions(o, g, cut, theirs))
        return false;
    g->marks.is_met = true;
    return theirs->marks.is_assumed || g->hidden == 0;
}

static bool is_p_met(struct tp_order *o, const struct tp_order *cut,
                     const struct tp_p_state *theirs)
{
    uint32_t slot = tp_order_p(o, theirs->id);
    if (slot == TP_MAP_NONE)
        return false;
    struct tp_p_state *p = &o->ps.items[slot];
    p->marks.is_met = true;
    return p->status == theirs->status && is_same_seq(&p->seq, &theirs->seq) &&
           is_same_ranges(o, p->range, cut, theirs->range);
}

// Returns whether the order proper has the same binding for the thread as the speculator. A thread
// that the order proper does not know has no P and no goroutine.
static bool is_m_met(const struct tp_order *o, const struct tp_m_state *theirs)
{
    uint32_t slot = tp_order_m(o, theirs->id);
    int64_t p = slot != TP_MAP_NONE ? o->ms.items[slot].at.p : -1;
    int64_t g = slot != TP_MAP_NONE ? o->ms.items[slot].at.g : -1;
    return p == theirs->at.p && g == theirs->at.g;
}

static bool is_task_met(const struct tp_order *o, const struct tp_task_state *theirs)
{
    uint32_t slot = tp_map_get(&o->tasks.by_id, theirs->id);
    return slot != TP_MAP_NONE && o->tasks.items[slot].parent == theirs->parent &&
           o->tasks.items[slot].name == theirs->name;
}

static bool is_cut_met(struct tp_order *o, const struct tp_order *cut)
{
    for (uint32_t i = 1; i <= cut->gs.count; i++) {
        if (cut->gs.items[i].is_live && !is_g_met(o, cut, &cut->gs.items[i]))
            return false;
    }
    for (uint32_t i = 1; i <= cut->ps.count; i++) {
        if (!is_p_met(o, cut, &cut->ps.items[i]))
            return false;
    }
    for (uint32_t i = 1; i <= cut->ms.count; i++) {
        if (!is_m_met(o, &cut->ms.items[i]))
            return false;
    }
    for (uint32_t i = 1; i <= cut->tasks.count; i++) {
        if (cut->tasks.items[i].is_live && !is_task_met(o, &cut->tasks.items[i]))
            return false;
    }
    return cut->gc_state == TP_GC_UNDETERMINED ||
           (cut->gc_state == o->gc_state && cut->gc_seq == o->gc_seq);
}

// Returns whether the speculator knows each goroutine and P whose counter an event of this
// generation before the cut has set. If it does not know one of them, it may have made events wait
// that the order proper takes.
static bool is_rest_unseen(const struct tp_order *o)
{
    for (uint32_t i = 1; i <= o->gs.count; i++) {
        const struct tp_g_state *g = &o->gs.items[i];
        if (g->is_live && g->seq.generation == o->generation && !g->marks.is_met)
            return false;
    }
    for (uint32_t i = 1; i <= o->ps.count; i++) {
        const struct tp_p_state *p = &o->ps.items[i];
        if (p->seq.generation == o->generation && !p->marks.is_met)
            return false;
    }
    return true;
}

// AFTER THE CUT

struct check {
    struct tp_order *o;
    size_t awaited_count; // open ranges for which no assumption was found yet
    uint64_t region_end_count; // hidden regions that end
};

// Checks that a goroutine or P met for the first time after the cut has at most one open range, and
// notes that an assumption about that range must follow.
static bool meet(struct check *f, struct tp_assumption_marks *marks, uint32_t range)
{
    if (marks->is_met || (range != 0 && f->o->ranges.items[range].next != 0))
        return false;
    marks->is_met = true;
    marks->awaits_range = range != 0;
    f->awaited_count += range != 0;
    return true;
}

static bool await_range(struct check *f, struct tp_assumption_marks *marks, uint32_t range,
                        uint64_t type)
{
    if (!marks->awaits_range || f->o->ranges.items[range].key.type != type ||
        f->o->ranges.items[range].key.detail != 0)
        return false;
    marks->awaits_range = false;
    f->awaited_count--;
    return true;
}

static bool holds_for_g(struct check *f, const struct tp_assumption *assumption)
{
    struct tp_order *o = f->o;
    uint32_t slot = tp_order_g(o, (int64_t)assumption->id);
    struct tp_g_state *g = slot != TP_MAP_NONE ? &o->gs.items[slot] : NULL;
    if (assumption->kind == TP_ASSUME_NO_G)
        return g == NULL;
    if (g == NULL)
        return false;
    if (assumption->kind == TP_ASSUME_G_RANGE)
        return await_range(f, &g->marks, g->range, assumption->value);
    if (assumption->kind == TP_ASSUME_G) {
        g->hidden = g->region;
        return g->status == assumption->value && meet(f, &g->marks, g->range);
    }
    // TP_ASSUME_REGION_ENDS: the innermost hidden region ends, if there is one. Else the end is a
    // mistake if no region of the goroutine can be from before the trace.
    if (g->hidden == 0)
        return !g->is_new || o->doubts == NULL;
    const struct tp_open_region *ends = &o->regions.items[g->hidden];
    g->hidden = ends->nest.next;
    f->region_end_count++;
    return tp_order_is_region(o, ends->nest.key,
                              (struct tp_nest_key){assumption->value, assumption->name});
}

static bool holds_for_p(struct check *f, const struct tp_assumption *assumption)
{
    uint32_t slot = tp_order_p(f->o, (int64_t)assumption->id);
    if (slot == TP_MAP_NONE)
        return false;
    struct tp_p_state *p = &f->o->ps.items[slot];
    return assumption->kind == TP_ASSUME_P_RANGE
               ? await_range(f, &p->marks, p->range, assumption->value)
               : p->status == assumption->value && meet(f, &p->marks, p->range);
}

static bool holds_for_m(const struct tp_order *o, const struct tp_assumption *assumption)
{
    uint32_t slot = tp_order_m(o, (int64_t)assumption->id);
    return slot != TP_MAP_NONE && o->ms.items[slot].at.g == (int64_t)assumption->value;
}

static bool holds(struct check *f, const struct tp_assumption *assumption)
{
    const struct tp_order *o = f->o;
    switch ((enum tp_assumption_kind)assumption->kind) {
    case TP_ASSUME_G:
    case TP_ASSUME_NO_G:
    case TP_ASSUME_G_RANGE:
    case TP_ASSUME_REGION_ENDS: return holds_for_g(f, assumption);
    case TP_ASSUME_P:
    case TP_ASSUME_P_RANGE: return holds_for_p(f, assumption);
    case TP_ASSUME_M_HAS_G: return holds_for_m(o, assumption);
    case TP_ASSUME_NO_TASK: return tp_map_get(&o->tasks.by_id, assumption->id) == TP_MAP_NONE;
    case TP_ASSUME_TASK_ENDS: return tp_ended_task(&o->ended_tasks, assumption->id) == NULL;
    case TP_ASSUME_GC: return o->gc_state == assumption->id && o->gc_seq == assumption->value;
    }
    return false;
}

// Returns the number of regions that the speculator did not know and that are open when their
// goroutine ends.
static uint64_t count_hidden_open(const struct tp_order *o, const struct tp_order *end)
{
    uint64_t count = 0;
    for (uint32_t i = 1; i <= o->gs.count; i++) {
        const struct tp_g_state *g = &o->gs.items[i];
        if (!g->is_live || !g->marks.is_met || g->hidden == 0 ||
            tp_order_g(end, g->id) != TP_MAP_NONE)
            continue;
        for (uint32_t at = g->hidden; at != 0; at = o->regions.items[at].nest.next)
            count++;
    }
    return count;
}

bool tp_assumptions_hold(struct tp_order *o, const struct tp_order *cut, const struct tp_order *end)
{
    struct check f = {.o = o};
    clear_marks(o);
    if (cut->generation != o->generation || !is_cut_met(o, cut) || !is_rest_unseen(o))
        return false;
    const struct tp_assumptions *g = end->assumptions;
    for (size_t i = 0; i < g->count; i++) {
        if (!holds(&f, &g->items[i]))
            return false;
    }
    o->hidden_end_count = f.region_end_count;
    o->hidden_open_count = o->doubts != NULL ? count_hidden_open(o, end) : 0;
    // The speculator cannot put the details of their mistakes between those that it has counted.
    return f.awaited_count == 0 && (o->hidden_open_count == 0 || tp_doubts_are_full(o->doubts));
}

// ADOPTION

// Puts the regions of `o` from slot `inmost` outwards, which have not ended, around those of the
// goroutine `g` of `to`.
static bool join_regions(struct tp_order *to, struct tp_g_state *g, const struct tp_order *o,
                         uint32_t inmost, struct tp_error *err)
{
    const struct tp_open_region *items = o->regions.items;
    const uint32_t own = g->region;
    uint32_t at = inmost;
    if (inmost == 0)
        return true;
    while (items[at].nest.next != 0)
        at = items[at].nest.next;
    g->region = 0;
    for (uint32_t pushed = 0; pushed != inmost; pushed = at, at = items[at].nest.inner) {
        if (!tp_order_push_region(to, g, items[at].nest.key, items[at].stack, err))
            return false;
        to->regions.items[g->region].is_carried = items[at].is_carried;
        to->regions.items[g->region].is_nameless = items[at].is_nameless;
    }
    tp_nests_join(&to->regions.as_nests, &g->region, own, sizeof *to->regions.items);
    return true;
}

// Replaces the chain *first, which is one of `o`, by a copy in `to`.
static bool take_ranges(struct tp_order *to, const struct tp_order *o, uint32_t *first,
                        struct tp_error *err)
{
    uint32_t at = *first;
    bool fits = true;
    for (*first = 0; at != 0 && fits; at = o->ranges.items[at].next)
        fits = tp_order_add_range(to, first, o->ranges.items[at].key, err);
    return fits;
}

static bool adopt_g(struct tp_order *to, const struct tp_order *o, const struct tp_g_state *g,
                    struct tp_error *err)
{
    uint32_t slot;
    if (g->marks.is_met) {
        slot = tp_order_g(to, g->id);
        if (slot == TP_MAP_NONE)
            return true;
        to->gs.items[slot].is_new |= g->is_new;
        return join_regions(to, &to->gs.items[slot], o, g->hidden, err) &&
               tp_order_list_regions(to, slot, err);
    }
    if (!tp_order_add_g(to, g->id, g->status, &slot, err))
        return false;
    struct tp_g_state *adopted = &to->gs.items[slot];
    *adopted = *g;
    adopted->region = 0;
    return take_ranges(to, o, &adopted->range, err) &&
           join_regions(to, adopted, o, g->region, err) && tp_order_list_regions(to, slot, err);
}

static bool adopt_p(struct tp_order *to, const struct tp_order *o, const struct tp_p_state *p,
                    struct tp_error *err)
{
    uint32_t slot;
    if (p->marks.is_met)
        return true;
    if (!tp_order_add_p(to, p->id, p->status, &slot, err))
        return false;
    to->ps.items[slot] = *p;
    return take_ranges(to, o, &to->ps.items[slot].range, err);
}

static bool adopt_m(struct tp_order *to, const struct tp_m_state *m, struct tp_error *err)
{
    uint32_t slot;
    if (tp_order_m(to, m->id) != TP_MAP_NONE)
        return true;
    if (!tp_order_add_m(to, m->id, &slot, err))
        return false;
    to->ms.items[slot].at.p = m->at.p;
    to->ms.items[slot].at.g = m->at.g;
    return true;
}

static bool adopt_tasks(struct tp_order *to, struct tp_order *o, const struct tp_order *cut,
                        struct tp_error *err)
{
    const struct tp_assumptions *g = to->assumptions;
    for (size_t i = 0; i < g->count; i++) {
        uint64_t id = g->items[i].id;
        uint32_t slot = tp_map_get(&o->tasks.by_id, id);
        // If the speculator knew a task at the cut, it records TP_ASSUME_TASK_ENDS only when the
        // task ends a second time. That end remains counted as the end of an unknown task.
        bool is_known = tp_map_get(&cut->tasks.by_id, id) != TP_MAP_NONE;
        if (g->items[i].kind != TP_ASSUME_TASK_ENDS || slot == TP_MAP_NONE || is_known)
            continue;
        to->hits[TP_RULE_TASK_END_UNKNOWN]--;
        to->hits[TP_RULE_TASK_END_KNOWN]++;
        struct tp_ended_task *ended = tp_ended_task(&to->ended_tasks, id);
        if (ended != NULL)
            ended->name = o->tasks.items[slot].name;
        tp_order_remove_task(o, slot);
    }
    // The speculator's tasks ended later than those of the order proper.
    if (!tp_ended_tasks_join(&o->ended_tasks, &to->ended_tasks)) {
        tp_fail(err, TP_E_MEMORY, "out of memory for tasks that have ended");
        return false;
    }
    struct tp_ended_tasks joined = o->ended_tasks;
    o->ended_tasks = to->ended_tasks;
    to->ended_tasks = joined;
    for (uint32_t i = 1; i <= o->tasks.count; i++) {
        const struct tp_task_state *task = &o->tasks.items[i];
        if (task->is_live && tp_map_get(&cut->tasks.by_id, task->id) == TP_MAP_NONE &&
            !tp_order_begin_task(to, task->id, task->parent, task->name, err))
            return false;
    }
    return true;
}

static bool adopt_states(struct tp_order *to, struct tp_order *o, const struct tp_order *cut,
                         struct tp_error *err)
{
    for (uint32_t i = 1; i <= o->gs.count; i++) {
        if (o->gs.items[i].is_live && !adopt_g(to, o, &o->gs.items[i], err))
            return false;
    }
    for (uint32_t i = 1; i <= o->ps.count; i++) {
        if (!adopt_p(to, o, &o->ps.items[i], err))
            return false;
    }
    for (uint32_t i = 1; i <= o->ms.count; i++) {
        if (!adopt_m(to, &o->ms.items[i], err))
            return false;
    }
    return adopt_tasks(to, o, cut, err);
}

// Sets to->hits, which count the outcomes of the rules, to the counts of the order proper up to the
// cut plus those of the speculator after the cut. The speculator has counted the ends of
// `known_region_ends` regions as those of unknown regions, because it could not know that these
// regions were open at the cut. Now they count as ends of known regions.
static void adopt_hits(struct tp_order *to, const struct tp_order *o, const struct tp_order *cut,
                       uint64_t known_region_ends)
{
    for (size_t i = 0; i < TP_RULES; i++)
        to->hits[i] += o->hits[i] - cut->hits[i];
    to->hits[TP_RULE_REGION_END] += known_region_ends;
    to->hits[TP_RULE_REGION_END_UNKNOWN] -= known_region_ends;
}

int tp_assumptions_adopt(struct tp_order *o, const struct tp_order *cut, struct tp_order *end,
                         struct tp_error *err)
{
    struct tp_order to = *end;
    assert(to.tables == o->tables); // names are indices into them
    *end = (struct tp_order){0};
    // Adopting ignores the limit; the next growth checks the limit against all states.
    to.max_bytes = UINT64_MAX;
    bool ok = adopt_states(&to, o, cut, err);
    adopt_hits(&to, o, cut, o->hidden_end_count);
    for (uint32_t i = 1; i <= to.gs.count; i++)
        to.gs.items[i].marks.is_assumed = to.gs.items[i].has_assumed_range = false;
    for (uint32_t i = 1; i <= to.ps.count; i++)
        to.ps.items[i].has_assumed_range = false;
    if (to.gc_state == TP_GC_UNDETERMINED) {
        to.gc_state = o->gc_state;
        to.gc_seq = o->gc_seq;
    }
    to.first_generation = o->first_generation;
    to.begins_in_middle = o->begins_in_middle;
    to.forced_count = o->forced_count;
    to.forced_look_count = o->forced_look_count;
    to.max_bytes = o->max_bytes;
    to.assumptions = NULL;
    to.doubts = o->doubts;
    for (uint64_t i = 0; i < o->hidden_open_count; i++)
        tp_doubts_count(o->doubts, TP_DOUBT_REGION_NOT_ENDED);
    tp_order_fini(o);
    *o = to;
    return ok ? 0 : err->code;
}
