#include "stats/findings/explain.h"

typedef bool condition_fn(const struct tp_totals *s, const struct tp_judged *by,
                          const struct tp_judged *found);

static bool is_always(const struct tp_totals *s, const struct tp_judged *by,
                      const struct tp_judged *found)
{
    (void)s, (void)by, (void)found;
    return true;
}

static bool is_of_collector(const struct tp_totals *s, const struct tp_judged *by,
                            const struct tp_judged *found)
{
    (void)s, (void)by;
    return found->is_of_collector;
}

// Whether one function is to blame for both, or has called who is: who assists, or works while others
// wait for its lock or its channel, runs for as long as that takes.
static bool is_by_same(const struct tp_totals *s, const struct tp_judged *by,
                         const struct tp_judged *found)
{
    const struct tp_source_place *culprit = &by->found.culprit;
    return tp_source_place_compare_functions(s, culprit, &found->found.culprit) == 0 ||
           tp_stack_has_function(s, found->stack, culprit->function);
}

// A goroutine that waits for the world to stop holds its P, and so does the one that delays it.
static bool is_of_stop(const struct tp_totals *s, const struct tp_judged *by,
                       const struct tp_judged *found)
{
    (void)s;
    return found->found.max_ns / 2 < by->found.max_ns;
}

// The rules by which one finding explains another. The rules for one explained kind stand together;
// the first rule that holds decides.
// Nothing explains what explains it.
static const struct rule {
    enum tp_finding_kind by, kind;
    condition_fn *holds;
} rules[] = {
    {TP_FINDS_GC, TP_FINDS_STOP_THE_WORLD, is_of_collector},
    {TP_FINDS_LOCK, TP_FINDS_P_HOG, is_by_same},
    {TP_FINDS_GC, TP_FINDS_P_HOG, is_by_same},
    {TP_FINDS_CHANNEL, TP_FINDS_P_HOG, is_by_same},
    {TP_FINDS_STOP_THE_WORLD, TP_FINDS_P_HOG, is_of_stop},
    {TP_FINDS_FEW_PS, TP_FINDS_SCHED_LATENCY, is_always},
    {TP_FINDS_GC, TP_FINDS_SCHED_LATENCY, is_always},
    {TP_FINDS_STOP_THE_WORLD, TP_FINDS_SCHED_LATENCY, is_always},
    {TP_FINDS_P_HOG, TP_FINDS_SCHED_LATENCY, is_always},
    {TP_FINDS_CHANNEL, TP_FINDS_SCHED_LATENCY, is_by_same},
};

// Returns the first finding that explains `found` by the rule. NULL: there is none.
static struct tp_judged *find_by(struct tp_judging *j, const struct tp_judged *found,
                                 const struct rule *rule)
{
    if (found->found.kind != (uint32_t)rule->kind)
        return NULL;
    for (uint32_t i = 0; i < j->found.count; i++) {
        struct tp_judged *by = &j->found.items[i];
        if (by->found.kind == (uint32_t)rule->by && rule->holds(j->s, by, found))
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
        if (last != NULL)
            last->found.also |= 1u << found->found.kind;
    }
    for (uint32_t i = 0; i < j->found.count; i++) {
        if (!j->found.items[i].is_explained)
            j->found.items[count++] = j->found.items[i];
    }
    j->found.count = count;
}
