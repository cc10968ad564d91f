// Adds notes about goroutines: evidence for findings.
#include "merge/tables/text.h"
#include "stats/evidence.h"
#include "stats/sums/sums.h"

// LEGS

static uint64_t hash_of(const struct tp_sums_leg *leg)
{
    return ((uint64_t)leg->stack << 32 | leg->name) + ((uint64_t)leg->octave << 56);
}

static uint64_t hash_by_number(const void *list, uint32_t number)
{
    return hash_of(&((const struct tp_sums *)list)->legs.of.items[number]);
}

static bool is_leg(const void *list, uint32_t number, const void *key)
{
    const struct tp_sums_leg *leg = &((const struct tp_sums *)list)->legs.of.items[number];
    const struct tp_sums_leg *wanted = key;
    return leg->stack == wanted->stack && leg->name == wanted->name &&
           leg->octave == wanted->octave;
}

// Returns the number in s->legs.of of the item with the stack, name and octave of `leg`; adds `leg` if
// there is none. TP_INDEX_NONE: out of memory.
static uint32_t put_leg(struct tp_sums *s, const struct tp_sums_leg *leg)
{
    uint64_t hash = hash_of(leg);
    uint32_t number = tp_index_find(&s->legs.by_key, hash, s, is_leg, leg);
    if (number != TP_INDEX_NONE)
        return number;
    number = s->legs.of.count;
    if (!TP_LIST_ROOM(&s->legs.of) || !tp_index_make_room(&s->legs.by_key, number, hash_by_number, s))
        return TP_INDEX_NONE;
    s->legs.of.items[s->legs.of.count++] = *leg;
    return tp_index_put(&s->legs.by_key, hash, number);
}

static bool add_leg(struct tp_sums *s, const struct tp_track_note *note)
{
    static_assert((TP_SUMS_LEG_SLOTS & (TP_SUMS_LEG_SLOTS - 1)) == 0, "a power of two");
    const struct tp_sums_leg leg = {.stack = note->stack,
                                    .name = note->other,
                                    .octave = tp_octave_of_task(note->of_ns)};
    struct tp_sums_leg_slot *slot =
        &s->legs.cache[(leg.stack + 5 * leg.octave) % TP_SUMS_LEG_SLOTS];
    if (tp_unlikely(slot->number == 0 || slot->stack != leg.stack || slot->name != leg.name ||
                    slot->octave != leg.octave)) {
        uint32_t number = put_leg(s, &leg);
        if (number == TP_INDEX_NONE)
            return false;
        *slot = (struct tp_sums_leg_slot){leg.stack, leg.name, leg.octave, number + 1};
    }
    struct tp_sums_leg *sum = &s->legs.of.items[slot->number - 1];
    sum->count++;
    sum->ns += note->ns;
    return true;
}

// Keeps the note of a stop of the world if the stop is evidence; its `of_ns` is then the enum
// tp_evidence.
static bool add_stop(struct tp_sums *s, const struct tp_track_note *note)
{
    enum tp_evidence evidence;
    struct tp_track_note stop = *note;
    if (!tp_stop_evidence(tp_text_span(tp_fact_text(note->other, s->tables)), &evidence))
        return true;
    stop.of_ns = evidence;
    return TP_LIST_ADD(&s->notes, stop);
}

bool tp_sums_add_notes(struct tp_sums *s, const struct tp_facts *f)
{
    // Notes are complete only if the tracker follows tasks and ranges: some notes come from tasks or
    // ranges, and a stop of the world shortens a long run.
    bool wants_notes = tp_sums_wants(s, TP_PART_WAKES) && tp_sums_wants(s, TP_PART_INTERVALS);
    bool fits = true;
    for (uint32_t i = 0; i < f->notes.count && fits && wants_notes; i++) {
        const struct tp_track_note *note = &f->notes.items[i];
        switch ((enum tp_track_note_kind)note->kind) {
        case TP_TRACK_IDLE_RUN:
            s->idle_runs.count++;
            s->idle_runs.ns = tp_wide_add(s->idle_runs.ns, note->ns);
            break;
        case TP_TRACK_ASSIST_BEGIN:
            fits = tp_sums_add_wait(s, note->stack, TP_STACK_ASSISTS, 0, TP_NO_MOMENT);
            break;
        case TP_TRACK_CYCLE_BEGIN:
            fits = tp_sums_add_wait(s, note->stack, TP_STACK_CYCLES, 0, TP_NO_MOMENT);
            break;
        case TP_TRACK_STOP: fits = add_stop(s, note); break;
        case TP_TRACK_TASK_LEG: fits = add_leg(s, note); break;
        default: fits = TP_LIST_ADD(&s->notes, *note); break;
        }
    }
    return fits;
}
