#include "stats/findings/judge.h"

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "stats/findings/explain.h"
#include "stats/findings/judging.h"

static tp_judge_fn *const judges[] = {
    tp_judge_lock,
    tp_judge_gc,
    tp_judge_syscall,
    tp_judge_few_ps,
    tp_judge_p_hog,
    tp_judge_sched_latency,
    tp_judge_channel,
    tp_judge_stop_the_world,
    tp_judge_leak,
    tp_judge_slow_task,
    tp_judge_pool,
};

static enum tp_judgement judgement_of(const struct tp_totals *s, const struct tp_file_row *row,
                                      const struct tp_judged_input *input)
{
    if ((tp_wide)s->lost_bytes + s->unordered_bytes > s->stream_bytes / 2)
        return TP_JUDGEMENT_LOST;
    if (input->has_doubtful_clock)
        return TP_JUDGEMENT_CLOCK;
    if (row->figures[TP_FILE_RUNNING] == 0)
        return TP_JUDGEMENT_IDLE;
    return row->figures[TP_FILE_DURATION] < TP_JUDGED_NS_MIN ? TP_JUDGEMENT_SHORT
                                                             : TP_JUDGEMENT_JUDGED;
}

static int compare_found(const void *left, const void *right, void *ctx)
{
    const struct tp_totals *s = ctx;
    const struct tp_found *a = &((const struct tp_judged *)left)->found;
    const struct tp_found *b = &((const struct tp_judged *)right)->found;
    return tp_compare_u64(a->kind, b->kind)
        ?: tp_compare_u64(b->value_ppm, a->value_ppm)
        ?: tp_source_place_compare(s, &a->culprit, &b->culprit)
        ?: tp_source_place_compare(s, &a->victim, &b->victim)
        ?: tp_source_place_compare(s, &a->other, &b->other);
}

// Returns whether none of the `count` findings that the totals got last has the kind and the
// culprit of this one.
static bool is_first(const struct tp_totals *s, unsigned count, const struct tp_found *found)
{
    for (uint32_t i = s->found.count - count; i < s->found.count; i++) {
        const struct tp_found *other = &s->found.items[i];
        if (other->kind == found->kind &&
            tp_source_place_compare_functions(s, &other->culprit, &found->culprit) == 0)
            return false;
    }
    return true;
}

// Adds the findings to the totals that no other explains: of each kind the TP_FOUND_PER_KIND with
// the greatest values.
static bool keep(struct tp_judging *j)
{
    bool fits = true;
    unsigned count = 0;
    TP_LIST_SORT_BY(&j->found, compare_found, j->s);
    tp_judging_explain(j);
    for (uint32_t i = 0; i < j->found.count && fits; i++) {
        struct tp_found *found = &j->found.items[i].found;
        count = i > 0 && found->kind == j->found.items[i - 1].found.kind ? count + 1 : 1;
        found->path = j->row->path;
        found->is_damaged = j->row->is_damaged;
        if (count > TP_FOUND_PER_KIND)
            continue;
        found->is_first = is_first(j->s, count - 1, found);
        fits = TP_LIST_ADD(&j->s->found, *found);
    }
    return fits;
}

// Marks an input without findings as not judged if most of it lacks names, which locks, channels
// and tasks need: nothing could have been found. The input may begin within a generation, or be cut.
static void doubt(struct tp_judging *j, const struct tp_judged_input *input)
{
    if (j->found.count > 0 || !input->lacks_names)
        return;
    j->row->judgement = TP_JUDGEMENT_NAMELESS;
    for (unsigned kind = 0; kind < TP_FINDS_COUNT; kind++)
        j->row->values[kind] = TP_VALUE_NONE;
}

bool tp_findings_judge(struct tp_totals *s, const struct tp_judged_input *input)
{
    struct tp_judging j = {.s = s, .row = &s->files.items[s->files.count - 1], .input = input};
    j.row->judgement = judgement_of(s, j.row, input);
    tp_judging_set_figures(&j);
    bool fits = true, is_judged = j.row->judgement == TP_JUDGEMENT_JUDGED;
    for (size_t i = 0; i < TP_ARRAY_LEN(judges) && is_judged && fits; i++)
        fits = judges[i](&j);
    fits = fits && keep(&j);
    if (is_judged)
        doubt(&j, input);
    tp_free(j.found.items);
    tp_totals_drop_evidence(s);
    return fits;
}
