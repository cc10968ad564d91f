// Adds notes and legs of tasks as evidence for findings, and adds up waits by waker.
#include "stats/evidence.h"
#include "stats/input/input.h"

// NOTES

// Whether the stack is that of a goroutine that was preempted by an interrupt. Such a stack shows the
// function that ran.
static bool is_interrupted(const struct tp_totals *s, uint32_t stack)
{
    const uint32_t *frames;
    if (tp_totals_stack_frames(&s->stacks, stack, &frames) == 0)
        return false;
    uint32_t function = tp_totals_frames_get(&s->frames, frames[0]).function;
    return tp_span_begins_with(tp_intern_text(&s->names, function), "runtime.asyncPreempt");
}

// Records a long run that ended by preemption at `stack`. Unless that stack shows the function that ran,
// records the pair with note->other, the stack at which the goroutine's next run ended.
static bool record_preempted(struct tp_stats_step *step, const struct tp_track_note *note,
                             uint32_t stack)
{
    struct tp_stats_input *c = step->c;
    uint32_t next = tp_stats_stack(step, note->other);
    if (next == TP_INTERN_NONE)
        return false;
    return is_interrupted(&c->totals, stack)
               ? tp_stats_record(c, TP_EVIDENCE_LONG_RUN_PREEMPTED, stack, note->ns, note->begin_ns)
               : tp_stats_record_pair(c, TP_EVIDENCE_LONG_RUN_PREEMPTED, stack, next, note->ns,
                                      note->begin_ns);
}

// Records a goroutine that was created at `stack` and is blocked when the trace ends, as evidence for the
// half of the trace in which it was created.
static bool record_left(struct tp_stats_step *step, const struct tp_track_note *note,
                        uint32_t stack)
{
    struct tp_stats_input *c = step->c;
    uint64_t age_ns = note->of_ns - (uint64_t)c->first_ns;
    uint64_t whole_ns = (uint64_t)(c->last_ns - c->first_ns);
    enum tp_evidence half = age_ns < whole_ns - age_ns ? TP_EVIDENCE_LEFT_EARLY
                                                       : TP_EVIDENCE_LEFT_LATE;
    return tp_stats_record_sum(c, half, stack, tp_stats_stack(step, note->other), 1, 0);
}

static bool add_note(struct tp_stats_step *step, const struct tp_track_note *note)
{
    struct tp_stats_input *c = step->c;
    uint32_t stack = tp_stats_stack(step, note->stack);
    if (stack == TP_INTERN_NONE)
        return false;
    switch ((enum tp_track_note_kind)note->kind) {
    case TP_TRACK_LONG_RUN: return tp_stats_record(c, TP_EVIDENCE_LONG_RUN, stack, note->ns, note->begin_ns);
    case TP_TRACK_PREEMPTED_RUN:
        return tp_stats_record(c, TP_EVIDENCE_LONG_RUN_PREEMPTED, stack, note->ns, note->begin_ns);
    case TP_TRACK_PREEMPTED_PAIR: return record_preempted(step, note, stack);
    case TP_TRACK_LATE: return tp_stats_record(c, TP_EVIDENCE_LATE, stack, note->ns, note->begin_ns);
    case TP_TRACK_STOP: return tp_stats_record(c, (unsigned)note->of_ns, stack, note->ns, note->begin_ns);
    case TP_TRACK_LEFT: return record_left(step, note, stack);
    default: return true;
    }
}

// LEGS

// Returns the totals' number of the stack that stands for tasks of one name: its only frame has the name
// as its function. TP_INTERN_NONE: out of memory.
static uint32_t type_stack(struct tp_stats_input *c, uint32_t name)
{
    struct tp_totals *totals = &c->totals;
    struct tp_stats_type *known = &c->types[name % TP_ARRAY_LEN(c->types)];
    if (tp_likely(known->stack != 0 && known->name == name))
        return known->stack - 1;
    uint32_t frame = tp_stats_frame_of_name(c, name);
    uint32_t stack =
        frame != TP_INTERN_NONE ? tp_totals_add_stack(totals, &frame, 1) : TP_INTERN_NONE;
    *known = (struct tp_stats_type){name, stack + 1};
    return stack;
}

static bool add_leg(struct tp_stats_step *step, const struct tp_sums_leg *leg)
{
    uint32_t name = tp_stats_name(step, leg->name);
    return name != TP_INTERN_NONE &&
           tp_stats_record_sum(step->c, TP_EVIDENCE_SLOW + leg->octave, tp_stats_stack(step, leg->stack),
                      type_stack(step->c, name), leg->count, leg->ns);
}

// PAIRS

// Adds the waits of a pair of the sums, with the blame for them, to the pair of the totals. Unless they
// count by the pair alone, also adds them to the stack at which they began.
static bool add_pair(struct tp_stats_step *step, const struct tp_sums_pair *p)
{
    struct tp_totals *totals = &step->c->totals;
    uint32_t left = tp_stats_stack(step, p->wait), right = tp_stats_stack(step, p->wake);
    uint32_t measure = tp_stats_measure(step, p->measure);
    if (left == TP_INTERN_NONE || right == TP_INTERN_NONE || measure == TP_DURATIONS_NONE)
        return false;
    uint32_t number = tp_totals_seek_pair(totals, TP_SPACE_WAKE, left, right);
    struct tp_totals_waits waits = {.one_ns = p->ns, .one_at = p->at, .blamed_ns = p->blamed_ns};
    uint64_t count = 1;
    tp_wide total_ns = p->ns;
    if (p->sum != 0) {
        const struct tp_sums_pair_sum *sum = &step->s->pairs.sums.items[p->sum - 1];
        waits = (struct tp_totals_waits){.dist = &sum->dist, .blamed_ns = sum->blamed_ns};
        count = sum->dist.count;
        total_ns = sum->dist.total_ns;
    }
    const struct tp_dist one = tp_dist_of_one(p->ns, p->at);
    bool is_by_stack = tp_stats_wants(step->c, TP_PART_STACKS) && !p->is_pair_only;
    return number != TP_INTERN_NONE &&
           (!is_by_stack || tp_stats_add_waits(step, p->wait, TP_STACK_SYNC, count, total_ns,
                                                waits.dist != NULL ? waits.dist : &one)) &&
           tp_totals_add_waits(totals, number, measure, &waits);
}

bool tp_stats_add_evidence(struct tp_stats_step *step)
{
    const struct tp_sums *s = step->s;
    bool fits = s->idle_runs.count == 0 ||
                tp_stats_record_sum(step->c, TP_EVIDENCE_IDLE_WORKER, tp_stats_empty_stack(step->c),
                           tp_stats_empty_stack(step->c), s->idle_runs.count, s->idle_runs.ns);
    for (uint32_t i = 0; i < s->notes.count && fits; i++)
        fits = add_note(step, &s->notes.items[i]);
    for (uint32_t i = 0; i < s->legs.of.count && fits; i++)
        fits = add_leg(step, &s->legs.of.items[i]);
    for (uint32_t i = 0; i < s->pairs.of.count && fits; i++) {
        tp_stats_prefetch_pair(step, i);
        fits = add_pair(step, &s->pairs.of.items[i]);
    }
    return fits;
}
