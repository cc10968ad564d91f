// Sums up events: one tracker follows all, sums are begun anew at each cut, and an input adds them.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "full_lab.h"
#include "hist_bytes.h"
#include "stats/pack.h"

struct lab {
    const struct full_cuts *cuts;
    struct tp_stats_input input;
    struct tp_tracker tracker;
    struct tp_sums *sums, *ahead; // those of all events, and of a speculative tracker
    size_t added_count;           // sums that were added to the input
};

// CHECKS

// Adds an unused stack, or so many unused names that the totals get packed when the next sums
// are added. Called with one after the other: packing then drops a stack, and the stacks that were
// added after it get other numbers.
static bool loosen(struct tp_totals *s, bool by_names)
{
    char text[40];
    uint32_t name = TP_INTERN_NONE;
    for (unsigned i = 0; i < (by_names ? 8200 : 1); i++) {
        int len = snprintf(text, sizeof text, "unused %" PRIu32, s->names.count);
        name = tp_intern_put(&s->names, tp_span_of(text, (size_t)len));
        if (name == TP_INTERN_NONE)
            return false;
    }
    if (by_names)
        return tp_totals_is_loose(s);
    const struct tp_totals_frame f = {.function = name, .file = name};
    uint32_t frame = tp_totals_frames_put(&s->frames, &s->names, &f);
    return frame != TP_INTERN_NONE && tp_totals_add_stack(s, &frame, 1) != TP_INTERN_NONE;
}

// These hold after a failure, too.
static void check_hist_bytes(const struct tp_durations *l)
{
    if (l->hist_bytes != hist_bytes_of(l)) {
        fprintf(stderr, "full_sum: hist_bytes is %zu, not %zu\n", l->hist_bytes, hist_bytes_of(l));
        abort();
    }
}

static void check_sums(const struct tp_sums *s)
{
    size_t pair_bytes = 0;
    check_hist_bytes(&s->durations);
    for (uint32_t i = 0; i < s->pairs.sums.count; i++)
        pair_bytes += tp_hist_bytes(&s->pairs.sums.items[i].dist.hist);
    if (s->pairs.hist_bytes != pair_bytes) {
        fprintf(stderr, "full_sum: pair_hist_bytes is %zu, not %zu\n", s->pairs.hist_bytes,
                pair_bytes);
        abort();
    }
}

// What goroutines did is recorded by their names in the end.
static void check_names(const struct tp_durations *l)
{
    for (uint32_t i = 0; i < l->groups.count; i++) {
        const struct tp_durations_group *g = &l->groups.items[i];
        if (g->space == TP_SPACE_UNNAMED && g->dist_count > 0) {
            fprintf(stderr, "full_sum: life %" PRIu32 " has got no name\n", g->name);
            abort();
        }
    }
}

// SUMS

static void begin_sums(struct lab *lab, struct tp_sums *s)
{
    const struct tp_sums_floor floor = tp_stats_input_floor(&lab->input);
    tp_sums_clear(s);
    s->parts = lab->input.parts;
    tp_sums_set_limit(s, lab->cuts->keep, &floor);
}

// Adds the facts of a block, and empties them.
static int add_facts(struct tp_sums *s, struct tp_block block, struct tp_facts *facts,
                     struct tp_error *err)
{
    block.facts = facts;
    int rc = tp_sums_add(s, &block, err);
    tp_facts_clear(facts);
    return rc;
}

// Adds sums to the input.
static int end_sums(struct lab *lab, struct tp_sums *s, struct tp_error *err)
{
    struct tp_stats_input *c = &lab->input;
    check_sums(s);
    if (lab->cuts->loosens && !loosen(&c->totals, lab->added_count++ % 2 != 0))
        return tp_fail(err, TP_E_MEMORY, "out of memory");
    int rc = tp_stats_input_add(c, s, err);
    check_hist_bytes(&c->totals.durations);
    return rc;
}

// Returns how many of the next events a cut gives.
static size_t cut_of(full_cut_fn cut, void *ctx, size_t left)
{
    return cut != NULL ? cut(ctx, left) : left;
}

// The tracker follows the events, and the sums get the facts.
static int follow(const struct full_cuts *cuts, struct tp_tracker *t, struct tp_sums *s,
                  const struct full_run *part, struct tp_error *err)
{
    struct tp_facts facts = {.event_count = 0};
    size_t done = 0, added = 0;
    int rc = 0;
    while (done < part->event_count && rc == 0) {
        size_t left = part->event_count - done;
        left = left < TP_BLOCK_EVENTS ? left : TP_BLOCK_EVENTS;
        struct tp_block block = {.tables = part->tables,
                                 .events = part->events + done,
                                 .event_count = cut_of(cuts->block, cuts->ctx, left)};
        rc = tp_tracker_block(t, &block, &facts, err);
        done += block.event_count;
        if (rc != 0 || (cuts->gathers && done < part->event_count))
            continue;
        block.events = part->events + added;
        block.event_count = done - added;
        rc = add_facts(s, block, &facts, err);
        added = done;
    }
    tp_facts_fini(&facts);
    return rc;
}

// SPECULATION

// Joins the trackers, and adds both sums.
static int adopt(struct lab *lab, struct tp_tracker *ahead, struct tp_tables *tables,
                 struct tp_error *err)
{
    const struct tp_block block = {.tables = tables};
    struct tp_facts facts = {.event_count = 0}, facts_ahead = {.event_count = 0};
    int rc = 0;
    tp_tracker_adopt(&lab->tracker, ahead, &facts, &facts_ahead);
    if (lab->tracker.lacks_memory)
        rc = tp_fail(err, TP_E_MEMORY, "out of memory");
    if (rc == 0)
        rc = add_facts(lab->sums, block, &facts, err);
    if (rc == 0)
        rc = add_facts(lab->ahead, block, &facts_ahead, err);
    tp_facts_fini(&facts);
    tp_facts_fini(&facts_ahead);
    if (rc == 0)
        rc = end_sums(lab, lab->sums, err);
    return rc == 0 ? end_sums(lab, lab->ahead, err) : rc;
}

// Tries to follow the events ahead. Sets *ret_is_adopted to whether that is done, with all that the open
// sums have. A speculation without memory is given up.
static int run_ahead(struct lab *lab, const struct full_run *part, bool *ret_is_adopted,
                     struct tp_error *err)
{
    struct tp_tracker ahead = {.tables = NULL};
    struct tp_error why;
    int rc = 0;
    tp_tracker_begin_ahead(&ahead, TP_TRACK_FOR_STATS, UINT64_MAX, part->tables);
    begin_sums(lab, lab->ahead);
    *ret_is_adopted = follow(lab->cuts, &ahead, lab->ahead, part, &why) == 0 &&
                      tp_tracker_can_adopt(&lab->tracker, &ahead);
    if (*ret_is_adopted)
        rc = adopt(lab, &ahead, part->tables, err);
    tp_tracker_fini(&ahead);
    lab->cuts->ahead->tried_count++;
    lab->cuts->ahead->adopted_count += *ret_is_adopted;
    return rc;
}

// INPUTS

static int add_run(struct lab *lab, const struct full_run *run, struct tp_error *err)
{
    const struct full_cuts *cuts = lab->cuts;
    size_t done = 0;
    int rc = 0;
    while (done < run->event_count && rc == 0) {
        bool is_adopted = false;
        struct full_run part = {run->tables, run->events + done,
                                cut_of(cuts->sums, cuts->ctx, run->event_count - done)};
        begin_sums(lab, lab->sums);
        rc = follow(cuts, &lab->tracker, lab->sums, &part, err);
        done += part.event_count;
        part.events = run->events + done;
        part.event_count = run->event_count - done;
        bool may_run_ahead =
            rc == 0 && cuts->ahead != NULL && part.tables != NULL && part.event_count > 0;
        part.event_count = may_run_ahead ? cuts->ahead->cut(cuts->ahead->ctx, &part) : 0;
        if (part.event_count > 0)
            rc = run_ahead(lab, &part, &is_adopted, err);
        if (is_adopted)
            done += part.event_count;
        else if (rc == 0)
            rc = end_sums(lab, lab->sums, err);
    }
    return rc;
}

// Adds what the trace cuts, in pieces.
static int add_rest(struct lab *lab, struct tp_error *err)
{
    const struct full_cuts *cuts = lab->cuts;
    const struct tp_block block = {.tables = lab->tracker.tables};
    struct tp_facts facts = {.event_count = 0};
    bool goes_on = true;
    int rc = 0;
    begin_sums(lab, lab->sums);
    while (goes_on && rc == 0) {
        size_t most = cut_of(cuts->block, cuts->ctx, TP_BLOCK_EVENTS);
        goes_on = tp_tracker_rest(&lab->tracker, &facts, (uint32_t)most);
        if (lab->tracker.lacks_memory)
            rc = tp_fail(err, TP_E_MEMORY, "out of memory");
        if (rc == 0)
            rc = add_facts(lab->sums, block, &facts, err);
        if (rc == 0 && goes_on && cut_of(cuts->sums, cuts->ctx, 2) == 1) {
            rc = end_sums(lab, lab->sums, err);
            begin_sums(lab, lab->sums);
        }
    }
    tp_facts_fini(&facts);
    return rc == 0 ? end_sums(lab, lab->sums, err) : rc;
}

// Sums that could not be allocated have no memory.
static void drop_sums(struct tp_sums *s)
{
    if (s == NULL)
        return;
    check_sums(s);
    tp_sums_fini(s);
    tp_free(s);
}

int full_sum(const struct full_run *runs, size_t run_count, const struct full_cuts *cuts,
             struct tp_totals *ret_totals, struct tp_error *err)
{
    struct lab lab = {.cuts = cuts,
                      .input.parts = cuts->parts != 0 ? cuts->parts : TP_PARTS_ALL,
                      .sums = tp_alloc_zero(sizeof *lab.sums),
                      .ahead = tp_alloc_zero(sizeof *lab.ahead)};
    int rc = 0;
    if (lab.sums == NULL || lab.ahead == NULL)
        rc = tp_fail(err, TP_E_MEMORY, "out of memory");
    tp_tracker_init(&lab.tracker, TP_TRACK_FOR_STATS, UINT64_MAX);
    tp_totals_limit_gs(&lab.input.totals, cuts->keep);
    tp_totals_limit_slow(&lab.input.totals, cuts->keep);
    for (size_t i = 0; i < run_count && rc == 0; i++)
        rc = add_run(&lab, &runs[i], err);
    if (rc == 0)
        rc = add_rest(&lab, err);
    if (rc == 0)
        rc = tp_stats_input_end(&lab.input, err);
    *ret_totals = (struct tp_totals){0};
    if (rc == 0) {
        check_names(&lab.input.totals.durations);
        *ret_totals = lab.input.totals;
        lab.input.totals = (struct tp_totals){0};
    }
    tp_tracker_fini(&lab.tracker);
    tp_stats_input_fini(&lab.input);
    drop_sums(lab.sums);
    drop_sums(lab.ahead);
    // The tables may be followed again, by a tracker that has seen none.
    for (size_t i = 0; i < run_count; i++) {
        if (runs[i].tables == NULL)
            continue;
        tp_carried_states_release(runs[i].tables->carried_states);
        runs[i].tables->carried_states = NULL;
    }
    return rc;
}
