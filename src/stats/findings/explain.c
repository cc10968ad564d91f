#include "stats/findings/explain.h"

typedef bool condition_fn(const struct tp_judging *j, const struct tp_judged *by,
                          const struct tp_judged *found);

static bool is_always(const struct tp_judging *j, const struct tp_judged *by,
                      const struct tp_judged *found)
{
    (void)j, (void)by, (void)found;
    return true;
}

// Whether one function is the culprit of both, or one's culprit is on the stack of the other: who
// assists, or works while others wait for its lock or its channel, runs for as long as that takes.
static bool is_by_same(const struct tp_judging *j, const struct tp_judged *by,
                       const struct tp_judged *found)
{
    const struct tp_source_place *a = &by->found.culprit, *b = &found->found.culprit;
    if (a->function == TP_INTERN_NONE || b->function == TP_INTERN_NONE)
        return false;
    return tp_source_place_compare_functions(j->s, a, b) == 0 ||
           tp_stack_has_function(j->s, found->stack, a->function) ||
           tp_stack_has_function(j->s, by->stack, b->function);
}

// Whether the other one takes as long at a time, half as long at least: a goroutine that waits for
// the world to stop, or for a P that is held, waits no longer than that takes.
static bool is_as_long(const struct tp_judging *j, const struct tp_judged *by,
                       const struct tp_judged *found)
{
    (void)j;
    return found->found.max_ns / 2 < by->found.max_ns;
}

// Whether the world stands still for a tenth of the time, so that goroutines wait for that.
static bool is_standing(const struct tp_judging *j, const struct tp_judged *by,
                        const struct tp_judged *found)
{
    (void)found;
    return by->found.lost >= j->row->figures[TP_FILE_DURATION] / 10;
}

// Whether the collector takes at least half of the CPU time: what queues for the Ps is then the
// collector's work more than the program's.
static bool is_half(const struct tp_judging *j, const struct tp_judged *by,
                    const struct tp_judged *found)
{
    (void)j, (void)found;
    return by->found.value_ppm >= 500000;
}

// The rules by which one finding explains another. The rules for one explained kind stand together;
// the first rule that holds decides. No rule explains, over others, what explains it.
static const struct rule {
    enum tp_finding_kind by, kind;
    condition_fn *holds;
} rules[] = {
    {TP_FINDS_SYSCALL, TP_FINDS_LOCK, is_by_same},
    {TP_FINDS_GC, TP_FINDS_STOP_THE_WORLD, is_by_same},
    {TP_FINDS_LOCK, TP_FINDS_P_HOG, is_by_same},
    {TP_FINDS_GC, TP_FINDS_P_HOG, is_by_same},
    {TP_FINDS_CHANNEL, TP_FINDS_P_HOG, is_by_same},
    {TP_FINDS_STOP_THE_WORLD, TP_FINDS_P_HOG, is_as_long},
    {TP_FINDS_GC, TP_FINDS_FEW_PS, is_half},
    {TP_FINDS_STOP_THE_WORLD, TP_FINDS_FEW_PS, is_standing},
    {TP_FINDS_STOP_THE_WORLD, TP_FINDS_SCHED_LATENCY, is_as_long},
    {TP_FINDS_STOP_THE_WORLD, TP_FINDS_SCHED_LATENCY, is_by_same},
    {TP_FINDS_FEW_PS, TP_FINDS_SCHED_LATENCY, is_always},
    {TP_FINDS_P_HOG, TP_FINDS_SCHED_LATENCY, is_as_long},
    {TP_FINDS_CHANNEL, TP_FINDS_SCHED_LATENCY, is_by_same},
    {TP_FINDS_FEW_PS, TP_FINDS_CHANNEL, is_always},
    {TP_FINDS_SYSCALL, TP_FINDS_SLOW_TASK, is_by_same},
    {TP_FINDS_LOCK, TP_FINDS_SLOW_TASK, is_by_same},
    {TP_FINDS_POOL, TP_FINDS_SLOW_TASK, is_by_same},
};

// Returns the first finding that explains `found` by the rule. NULL: there is none.
static struct tp_judged *find_by(struct tp_judging *j, const struct tp_judged *found,
                                 const struct rule *rule)
{
    if (found->found.kind != (uint32_t)rule->kind)
        return NULL;
    for (uint32_t i = 0; i < j->found.count; i++) {
        struct tp_judged *by = &j->found.items[i];
        if (by->found.kind == (uint32_t)rule->by && rule->holds(j, by, found))
            return by;
    }
    return NULL;
}

static struct tp_judged *find_any(struct tp_judging *j, const struct tp_judged *found)
{
    struct tp_judged *by = NULL;
    for (size_t i = 0; i < TP_ARRAY_LEN(rules) && by == NULL; i++)
        by = find_by(j, found, &rules[i]);
    return by;
}

void tp_judging_explain(struct tp_judging *j)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < j->found.count; i++) {
        struct tp_judged *found = &j->found.items[i], *last = NULL;
        for (struct tp_judged *by = find_any(j, found); by != NULL; by = find_any(j, by))
            last = by;
        found->is_explained = last != NULL;
        if (last != NULL && !found->is_doubtful)
            last->found.also |= 1u << found->found.kind;
    }
    for (uint32_t i = 0; i < j->found.count; i++) {
        if (!j->found.items[i].is_explained && !j->found.items[i].is_doubtful)
            j->found.items[count++] = j->found.items[i];
    }
    j->found.count = count;
}
