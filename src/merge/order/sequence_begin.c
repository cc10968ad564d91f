// Creates and frees the cursors of a generation, computes their memory and the bytes that they have
// not handed out, and makes a dry run of the ordering of a generation.
#include "merge/order/sequence.h"

#include "base/alloc.h"
#include "merge/order/state.h"

// Maximum number of events that all cursors of a generation together decode ahead. With many
// threads each cursor decodes fewer ahead, but at least AHEAD_LEAST.
#define AHEAD_EVENTS (1 << 16)
#define AHEAD_LEAST 2

// The frontier is replaced by `waiting` (waiting.h) only if there are at least this many threads;
// with fewer threads, sorts of the frontier are cheaper.
#define WAITING_LEAST 64
// Number of sorts of the frontier before the first attempt to enter `waiting`: entering costs
// approximately as much as these sorts. The number doubles after each failed attempt.
#define WAITING_SORTS 8

void tp_sequencer_init(struct tp_sequencer *s, uint64_t max_state_bytes, bool strict)
{
    *s = (struct tp_sequencer){.waiting_from = {WAITING_LEAST, WAITING_SORTS}, .strict = strict};
    tp_order_init(&s->order, max_state_bytes);
}

static void close_cursors(struct tp_sequencer *s)
{
    for (size_t i = 0; i < s->cursor_count; i++)
        tp_cursor_fini(&s->cursors[i]);
    s->cursor_count = 0;
    s->frontier.count = 0;
    tp_waiting_close(&s->waiting);
    tp_tables_release(s->tables);
    s->tables = NULL;
}

static void free_cursors(struct tp_sequencer *s)
{
    tp_free(s->cursors);
    tp_free(s->ahead);
    tp_free(s->frontier.entries);
    s->cursors = NULL;
    s->ahead = NULL;
    s->frontier.entries = NULL;
    s->cursor_capacity = 0;
}

void tp_sequencer_fini(struct tp_sequencer *s)
{
    close_cursors(s);
    free_cursors(s);
    tp_waiting_fini(&s->waiting);
    tp_order_fini(&s->order);
    *s = (struct tp_sequencer){0};
}

// BEGIN

static int make_room(struct tp_sequencer *s, size_t count, struct tp_error *err)
{
    if (count <= s->cursor_capacity && s->cursors != NULL)
        return 0;
    free_cursors(s);
    s->ahead_count = count * TP_CURSOR_AHEAD;
    if (s->ahead_count > AHEAD_EVENTS)
        s->ahead_count = count * AHEAD_LEAST > AHEAD_EVENTS ? count * AHEAD_LEAST : AHEAD_EVENTS;
    s->cursors = tp_alloc_array(count, sizeof *s->cursors);
    s->ahead = tp_alloc_array(s->ahead_count, sizeof *s->ahead);
    s->frontier.entries =
        tp_alloc_array(TP_FRONTIER_ROOM(count), sizeof *s->frontier.entries);
    if (s->cursors == NULL || s->ahead == NULL || s->frontier.entries == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for the threads of a generation");
    s->cursor_capacity = count;
    return 0;
}

static int open_cursor(struct tp_sequencer *s, const struct tp_m_run *run,
                       const struct tp_decoded_run *decoded, size_t ahead_max,
                       struct tp_error *err)
{
    struct tp_run_event *ahead = &s->ahead[s->cursor_count * ahead_max];
    struct tp_cursor *c = &s->cursors[s->cursor_count++];
    if (decoded != NULL)
        tp_cursor_init_decoded(c, decoded);
    else
        tp_cursor_init(c, run);
    tp_cursor_use_ahead(c, ahead, ahead_max);
    switch (tp_cursor_advance(c, s->tables, s->loader, err)) {
    case TP_CURSOR_EVENT: tp_frontier_push(&s->frontier, c->next->time_ns, c); return 0;
    case TP_CURSOR_END: return 0;
    default: return err->code;
    }
}

int tp_sequencer_begin(struct tp_sequencer *s, const struct tp_generation *g,
                       struct tp_tables *tables, enum tp_repair repair,
                       const struct tp_decoded_run *decoded, struct tp_batch_loader *loader,
                       struct tp_error *err)
{
    close_cursors(s);
    if (!g->has_lists)
        return tp_generation_refuse_batches(g, err);
    int rc = make_room(s, g->ms.count, err);
    if (rc == 0)
        rc = tp_order_begin(&s->order, tables, err);
    if (rc != 0)
        return rc;
    tp_tables_hold(tables);
    tp_frontier_clear(&s->frontier, g->ms.count);
    s->tables = tables;
    s->loader = loader;
    s->window_bytes = loader != NULL ? (size_t)g->ms.count * loader->window_bytes : 0;
    s->sample_idx = 0;
    s->sample_ns = tp_sequencer_next_sample_ns(s);
    // Ends of regions may be missing, which would look like mistakes from here on.
    if (s->repair == TP_REPAIR_ALWAYS)
        tp_order_forget_regions(&s->order);
    tp_sequencer_set_repair(s, repair);
    s->unknown_id_count = 0;
    s->order.forced_count = 0;
    s->look_count = s->tried_look_count = 0;
    s->failed_try_count = 0;
    size_t ahead_max = g->ms.count > 0 ? s->ahead_count / g->ms.count : 0;
    ahead_max = ahead_max < TP_CURSOR_AHEAD ? ahead_max : TP_CURSOR_AHEAD;
    for (size_t i = 0; i < g->ms.count && rc == 0; i++)
        rc = open_cursor(s, &g->ms.items[i], decoded != NULL ? &decoded[i] : NULL, ahead_max, err);
    s->sync_ns = tp_tables_ns(tables, g->begin_ticks);
    s->sync_is_due = rc == 0;
    return rc;
}

// SIZES

uint64_t tp_sequencer_bytes(const struct tp_sequencer *s)
{
    return tp_order_bytes(&s->order) + s->ahead_count * sizeof *s->ahead +
           s->cursor_capacity * sizeof *s->cursors +
           TP_FRONTIER_ROOM(s->cursor_capacity) * sizeof *s->frontier.entries +
           s->window_bytes + tp_waiting_bytes(&s->waiting);
}

uint64_t tp_sequencer_left_bytes(const struct tp_sequencer *s)
{
    uint64_t left_bytes = 0;
    for (size_t i = 0; i < s->cursor_count; i++)
        left_bytes += tp_cursor_left_bytes(&s->cursors[i]);
    return left_bytes;
}

// REHEARSAL

int tp_sequencer_rehearse(const struct tp_sequencer *s, const struct tp_generation *g,
                          struct tp_tables *tables, struct tp_batch_loader *loader,
                          struct tp_error *err)
{
    struct tp_sequencer trial = {.waiting_from = s->waiting_from, .last_ns = s->last_ns};
    struct tp_event *events = tp_alloc_array(TP_BLOCK_EVENTS, sizeof *events);
    int rc = events != NULL ? tp_order_copy(&s->order, &trial.order, err)
                            : tp_fail(err, TP_E_MEMORY, "out of memory for a block");
    if (rc == 0)
        rc = tp_sequencer_begin(&trial, g, tables, TP_REPAIR_DOUBTS, NULL, loader, err);
    enum tp_fill_status st = TP_FILL_MORE;
    size_t count;
    while (rc == 0 && st == TP_FILL_MORE)
        st = tp_sequencer_fill(&trial, events, TP_BLOCK_EVENTS, &count, err);
    if (st == TP_FILL_BROKEN)
        rc = err->code;
    tp_sequencer_fini(&trial);
    tp_free(events);
    return rc;
}
