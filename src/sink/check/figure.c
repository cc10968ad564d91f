// The figures that checks name, found in totals.
#include <inttypes.h>
#include <stdio.h>

#include "sink/check/check.h"
#include "sink/stats/report/parts.h"
#include "stats/file_tasks.h"
#include "stats/findings/fleet.h"
#include "stats/hosts/differ.h"

// The figure that a check names, of one side.
struct figure {
    enum seen {
        SEEN,
        ABSENT, // no trace of that side has what the check names
        UNKNOWN // a trace has it, or may have it, but not the figure
    } seen;
    tp_wide value;   // in base units, if it was seen
    const char *why; // constant, if it was not
};

// The sum of the groups of a space that a check names.
struct sum {
    struct tp_dist dist;  // in the state, if the check names one
    tp_wide whole_ns;     // that the share is of
    bool is_found;        // a trace has the group
    bool has_others;      // some groups are not kept by name
};

static const unsigned thousandths[TP_CHECK_FIGURE_COUNT] = {
#define TP_X(figure, word, dimension, thousandths) thousandths,
    TP_CHECK_FIGURES(TP_X)
#undef TP_X
};

// DURATIONS

static bool has_states(enum tp_durations_space space)
{
    return space == TP_SPACE_GOROUTINE || space == TP_SPACE_WRAPPED;
}

// TP_CHECK_STATE_COUNT: the measure is of no state.
static enum tp_check_state state_of(uint32_t measure)
{
    switch (measure) {
    case TP_MEASURE_SCHED: return TP_CHECK_RUNNABLE;
    case TP_MEASURE_RUN: return TP_CHECK_RUNNING;
    case TP_MEASURE_SYSCALL: return TP_CHECK_SYSCALL;
    case TP_MEASURE_LIFE: return TP_CHECK_STATE_COUNT;
    default: return TP_CHECK_BLOCKED;
    }
}

static bool is_named(const struct tp_check *c, const struct tp_totals *s,
                     const struct tp_durations_group *g)
{
    struct tp_file_task parts; // names of TP_SPACE_WRAPPED have the same form
    struct tp_span name = tp_totals_group_name(s, g);
    if (c->subject == TP_CHECK_ALL_GOROUTINES)
        return true;
    if (g->space == TP_SPACE_WRAPPED && tp_file_task_split(name, &parts))
        name = parts.name;
    return tp_span_is(name, c->name);
}

// Adds up what the check names in a space. False: no memory.
static bool add_up(const struct tp_check *c, const struct tp_totals *s, enum tp_durations_space space,
                   struct sum *sum)
{
    for (uint32_t i = 0; i < s->durations.groups.count; i++) {
        const struct tp_durations_group *g = &s->durations.groups.items[i];
        if (g->space != space)
            continue;
        bool is_it = is_named(c, s, g);
        for (struct tp_durations_walk walk = {.group = g}; tp_durations_walk_next(&walk);) {
            // Further measures of a wrapped function divide its blocked time, which the sum has already.
            if (space == TP_SPACE_WRAPPED && walk.measure > TP_MEASURE_FIRST_BLOCK)
                continue;
            enum tp_check_state state = has_states(space) ? state_of(walk.measure) : c->state;
            // The share of a state is of the same goroutines, that of a task of all tasks.
            bool is_of_whole = has_states(space) ? is_it && state != TP_CHECK_STATE_COUNT : true;
            sum->is_found = sum->is_found || is_it;
            sum->has_others = sum->has_others || g->name == TP_TOTALS_OTHERS;
            if (is_of_whole)
                sum->whole_ns = tp_wide_add(sum->whole_ns, tp_dist_all_ns(walk.dist));
            if (is_it && state == c->state && !tp_dist_merge(&sum->dist, walk.dist))
                return false;
        }
    }
    return true;
}

static struct figure seen(tp_wide value)
{
    return (struct figure){.seen = SEEN, .value = value};
}

static struct figure not_seen(enum seen seen, const char *why)
{
    return (struct figure){.seen = seen, .why = why};
}

static struct figure figure_in(const struct tp_check *c, const struct sum *sum)
{
    const struct tp_dist *d = &sum->dist;
    if (!sum->is_found && sum->has_others)
        return not_seen(UNKNOWN, "more names than are kept");
    if (!sum->is_found)
        return not_seen(ABSENT, "no trace has it");
    switch (c->figure) {
    case TP_CHECK_COUNT: return seen(tp_dist_all_count(d));
    case TP_CHECK_TOTAL: return seen(tp_dist_all_ns(d));
    case TP_CHECK_SHARE: return seen(tp_wide_ratio(tp_dist_all_ns(d), 1000000, sum->whole_ns));
    default: break;
    }
    if (d->count == 0 && tp_dist_cut_count(d) > 0)
        return not_seen(UNKNOWN, "each goes beyond an end of its trace");
    if (c->figure == TP_CHECK_MEAN)
        return seen(tp_dist_mean_ns(d));
    if (c->figure == TP_CHECK_MAX)
        return seen(d->max_ns);
    return seen(tp_dist_quantile_ns(d, thousandths[c->figure]));
}

static int find_durations(const struct tp_check *c, const struct tp_totals *s, struct figure *ret,
                          struct tp_error *err)
{
    static const enum tp_durations_space spaces[] = {
        [TP_CHECK_FUNCTION] = TP_SPACE_GOROUTINE,
        [TP_CHECK_TASK] = TP_SPACE_TASK,
        [TP_CHECK_REGION] = TP_SPACE_REGION,
        [TP_CHECK_ALL_GOROUTINES] = TP_SPACE_GOROUTINE,
    };
    struct sum sum = {.is_found = false};
    bool has_memory = add_up(c, s, spaces[c->subject], &sum);
    // The report has a function that a start function only wraps under its own name.
    if (has_memory && c->subject == TP_CHECK_FUNCTION && !sum.is_found)
        has_memory = add_up(c, s, TP_SPACE_WRAPPED, &sum);
    *ret = figure_in(c, &sum);
    tp_dist_fini(&sum.dist);
    return has_memory ? 0 : tp_fail(err, TP_E_MEMORY, "out of memory for checks");
}

// OTHERS

static struct figure find_gc(const struct tp_totals *s)
{
    const struct tp_full_gc_time gc = tp_full_gc_time(s);
    return gc.running_ns > 0 ? seen(tp_wide_ratio(gc.taken_ns, 1000000, gc.running_ns))
                             : not_seen(ABSENT, "no goroutine ran");
}

static int find_findings(const struct tp_check *c, const struct tp_totals *s, struct figure *ret,
                         struct tp_error *err)
{
    struct tp_fleet fleet;
    tp_wide count = 0;
    int rc = tp_fleet_make(s, &fleet, err);
    if (rc != 0)
        return rc;
    for (uint32_t i = 0; i < fleet.count; i++)
        count += fleet.items[i].kind == c->finding;
    bool is_judged = fleet.judgements[TP_JUDGEMENT_JUDGED] > fleet.not_judged[c->finding];
    *ret = count > 0 || is_judged ? seen(count)
                                  : not_seen(ABSENT, "no trace was analysed for it");
    tp_fleet_fini(&fleet);
    return 0;
}

static int find_differs(const struct tp_totals *s, struct figure *ret, struct tp_error *err)
{
    struct tp_differs differs;
    int rc = tp_differs_make(s, &differs, err);
    if (rc != 0)
        return rc;
    tp_wide count = differs.count;
    for (uint32_t i = 0; i < differs.groups.count; i++)
        count = differs.groups.items[i].high_count > count ? differs.groups.items[i].high_count : count;
    *ret = differs.is_compared ? seen(count)
                               : not_seen(ABSENT, "no ten hosts of one program were analysed");
    tp_differs_fini(&differs);
    return 0;
}

// Finds the figure that a check names, by the totals of one side. Fails with TP_E_MEMORY.
static int find(const struct tp_check *c, const struct tp_totals *side, struct figure *ret,
                struct tp_error *err)
{
    switch (c->subject) {
    case TP_CHECK_FINDINGS: return find_findings(c, side, ret, err);
    case TP_CHECK_DIFFERS: return find_differs(side, ret, err);
    case TP_CHECK_GC: *ret = find_gc(side); return 0;
    default: return find_durations(c, side, ret, err);
    }
}

// VERDICTS

static bool holds(enum tp_check_operator op, tp_wide figure, tp_wide value)
{
    switch (op) {
#define TP_X(name, text, op) case TP_CHECK_##name: return figure op value;
        TP_CHECK_OPERATORS(TP_X)
#undef TP_X
    default: return false;
    }
}

// Writes a value as a decimal number of units, with all its places.
static void put_found(struct tp_check *c, tp_wide value)
{
    const struct tp_wide_text all = tp_wide_text(value);
    size_t digits = strlen(all.text), power = c->unit->power, places = power;
    char padded[2 * TP_WIDE_TEXT_BYTES];
    // At least one digit stands before the point.
    int zeros = digits <= power ? (int)(power + 1 - digits) : 0;
    snprintf(padded, sizeof padded, "%.*s%s", zeros, "0000000000000", all.text);
    const char *point = padded + strlen(padded) - power;
    while (places > 0 && point[places - 1] == '0')
        places--;
    snprintf(c->found, sizeof c->found, "%.*s%s%.*s%s", (int)(point - padded), padded,
             places > 0 ? "." : "", (int)places, point, c->unit->text);
}

// Returns a figure of the baseline with the change that the check allows, whose value is in millionths.
static tp_wide changed(const struct tp_check *c, tp_wide figure)
{
    tp_wide change;
    if (__builtin_mul_overflow(figure / 1000000, c->value, &change))
        return c->is_decrease ? 0 : TP_WIDE_MAX;
    change = tp_wide_add(change, figure % 1000000 * tp_wide_limited(c->value) / 1000000);
    if (!c->is_decrease)
        return tp_wide_add(figure, change);
    return figure > change ? figure - change : 0;
}

// Writes by how much a figure differs from that of the baseline.
static void put_change(struct tp_check *c, tp_wide before, tp_wide after)
{
    uint64_t mille = tp_wide_ratio(after > before ? after - before : before - after, 1000, before);
    if (before == 0 && after > 0)
        snprintf(c->found, sizeof c->found, "the baseline has 0");
    else
        snprintf(c->found, sizeof c->found, "%s%" PRIu64 ".%" PRIu64 "%%", after >= before ? "+" : "-",
                 mille / 10, mille % 10);
}

bool tp_checks_are_relative(const struct tp_checks *checks)
{
    bool are = false;
    for (uint32_t i = 0; i < checks->count; i++)
        are = are || checks->items[i].is_relative;
    return are;
}

// Holds a figure that was seen against the value of the check. `before` is that of the baseline.
static void judge(struct tp_check *c, tp_wide figure, tp_wide before)
{
    tp_wide value = c->is_relative ? changed(c, before) : c->value;
    c->verdict = holds(c->op, figure, value) ? TP_CHECK_OK : TP_CHECK_FAILED;
    if (c->is_relative)
        put_change(c, before, figure);
    else
        put_found(c, figure);
}

int tp_checks_evaluate(struct tp_checks *checks, const struct tp_totals *totals,
                       const struct tp_totals *baseline, size_t *ret_failed_count,
                       struct tp_error *err)
{
    *ret_failed_count = 0;
    for (uint32_t i = 0; i < checks->count; i++) {
        struct tp_check *c = &checks->items[i];
        struct figure figure, before = {.seen = SEEN};
        int rc = find(c, totals, &figure, err);
        if (rc == 0 && c->is_relative)
            rc = find(c, baseline, &before, err);
        if (rc != 0)
            return rc;
        const struct figure *missing = figure.seen != SEEN ? &figure : &before;
        if (missing->seen == SEEN) {
            judge(c, figure.value, before.value);
        } else {
            c->verdict = missing->seen == ABSENT && c->or_none ? TP_CHECK_OK : TP_CHECK_NOT_SEEN;
            snprintf(c->found, sizeof c->found, "%s%s", missing == &before ? "baseline: " : "", missing->why);
        }
        *ret_failed_count += c->verdict != TP_CHECK_OK;
    }
    return 0;
}
