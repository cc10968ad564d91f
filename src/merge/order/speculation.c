#include "merge/order/speculation.h"

#include <string.h>

#include "base/alloc.h"

// Maximum number of events that the rules may refuse before the cut. Real traces have a handful.
#define REFUSED_MAX 256

// PLACES

static void free_place(struct tp_sequencer_pos *p)
{
    tp_free(p->left_bytes);
    tp_free(p->turns);
    *p = (struct tp_sequencer_pos){0};
}

static uint32_t cursor_at_turn(const struct tp_sequencer *s, size_t turn)
{
    return (uint32_t)(s->frontier.entries[turn].cursor - s->cursors);
}

static int note_place(struct tp_sequencer *s, struct tp_sequencer_pos *p, struct tp_error *err)
{
    tp_sequencer_settle(s);
    *p = (struct tp_sequencer_pos){.cursor_count = s->cursor_count,
                                   .turn_count = s->frontier.count,
                                   .sample_idx = s->sample_idx,
                                   .last_ns = s->last_ns};
    p->left_bytes = tp_alloc_array(s->cursor_count + 1, sizeof *p->left_bytes);
    p->turns = tp_alloc_array(s->cursor_count + 1, sizeof *p->turns);
    if (p->left_bytes == NULL || p->turns == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for the threads of a generation");
    for (size_t i = 0; i < s->cursor_count; i++)
        p->left_bytes[i] = tp_cursor_left_bytes(&s->cursors[i]);
    for (size_t i = 0; i < s->frontier.count; i++)
        p->turns[i] = cursor_at_turn(s, i);
    return 0;
}

// Returns whether the sequencer stands at the position. Compares the bytes left, because two
// cursors of the same run with the same number of bytes left have the same next event.
static bool is_at(struct tp_sequencer *s, const struct tp_sequencer_pos *p)
{
    tp_sequencer_settle(s);
    if (s->cursor_count != p->cursor_count || s->frontier.count != p->turn_count ||
        s->sample_idx != p->sample_idx || s->last_ns != p->last_ns)
        return false;
    for (size_t i = 0; i < s->cursor_count; i++) {
        if (tp_cursor_left_bytes(&s->cursors[i]) != p->left_bytes[i])
            return false;
    }
    for (size_t i = 0; i < s->frontier.count; i++) {
        if (cursor_at_turn(s, i) != p->turns[i])
            return false;
    }
    return true;
}

// THE SPECULATOR

void tp_speculative_order_fini(struct tp_speculative_order *a)
{
    tp_sequencer_fini(&a->sequencer);
    tp_order_fini(&a->cut_order);
    tp_free(a->assumptions.items);
    free_place(&a->cut_pos);
    *a = (struct tp_speculative_order){0};
}

int tp_speculative_order_begin(struct tp_speculative_order *a, const struct tp_generation *g,
                               struct tp_tables *tables, struct tp_batch_loader *loader,
                               int64_t cut_ns, uint64_t max_state_bytes, bool strict,
                               struct tp_error *err)
{
    *a = (struct tp_speculative_order){.cut_ns = cut_ns,
                                       .assumptions = {.room_bytes = max_state_bytes}};
    struct tp_sequencer *s = &a->sequencer;
    tp_sequencer_init(s, max_state_bytes, strict);
    s->order.assumptions = &a->assumptions;
    // No generation has this number, so for a speculator no generation is the first one.
    s->order.first_generation = UINT64_MAX;
    int rc = tp_order_seed_first(&s->order, g, tables, loader, err);
    // Events before the cut may be wrong, so the speculator takes refused events by force.
    return rc == 0 ? tp_sequencer_begin(s, g, tables, TP_REPAIR_MIDDLE, NULL, loader, err) : rc;
}

static int cut(struct tp_speculative_order *a, struct tp_error *err)
{
    struct tp_sequencer *s = &a->sequencer;
    int rc = note_place(s, &a->cut_pos, err);
    if (rc == 0)
        rc = tp_order_copy(&s->order, &a->cut_order, err);
    if (rc != 0)
        return rc;
    // After the cut any refusal or unknown id ends the speculation. Mistakes of annotations are
    // counted anew, for the order proper.
    tp_sequencer_set_repair(s, TP_REPAIR_NEVER);
    s->order.doubts = s->strict ? NULL : &s->doubts;
    s->doubts = (struct tp_doubts){0};
    s->timed_doubt_count = 0;
    s->unknown_id_count = 0;
    a->assumptions.is_kept = true;
    a->is_cut = true;
    return 0;
}

enum tp_fill_status tp_speculative_order_fill(struct tp_speculative_order *a,
                                              struct tp_event *events, size_t capacity,
                                              size_t *ret_count, bool *ret_is_behind,
                                              struct tp_error *err)
{
    struct tp_sequencer *s = &a->sequencer;
    enum tp_fill_status st = tp_sequencer_fill(s, events, capacity, ret_count, err);
    *ret_is_behind = a->is_cut;
    if (st == TP_FILL_BROKEN)
        return st;
    if (a->is_cut && s->unknown_id_count == 0)
        return st;
    if (a->is_cut || st == TP_FILL_END || s->order.forced_count > REFUSED_MAX) {
        tp_fail(err, TP_E_ORDER, "cannot tell how the generation goes on");
        return TP_FILL_BROKEN;
    }
    a->fill_count++;
    a->event_count += *ret_count;
    // The order proper may begin at a later time, the end of the previous generation; it then
    // stamps each event one nanosecond after the one before.
    bool is_late = *ret_count > 0 && events[*ret_count - 1].time_ns - a->cut_ns >
                                         (int64_t)a->event_count;
    return is_late && cut(a, err) != 0 ? TP_FILL_BROKEN : st;
}

// THE PROOF

bool tp_speculative_order_adopt(struct tp_speculative_order *a, struct tp_sequencer *s,
                                struct tp_error *err)
{
    struct tp_sequencer *speculator = &a->sequencer;
    err->code = 0;
    // Where events are missing, the order proper calls nothing a mistake.
    bool may_doubt = s->order.doubts != NULL || speculator->doubts.count == 0;
    if (!a->is_cut || !may_doubt || !is_at(s, &a->cut_pos) ||
        !tp_assumptions_hold(&s->order, &a->cut_order, &speculator->order))
        return false;
    if (tp_assumptions_adopt(&s->order, &a->cut_order, &speculator->order, err) != 0)
        return false;
    tp_doubts_join(&s->doubts, &speculator->doubts);
    s->timed_doubt_count = s->doubts.count;
    s->last_ns = speculator->last_ns;
    return true;
}
