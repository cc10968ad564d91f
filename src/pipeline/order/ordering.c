#include "pipeline/order/ordering.h"

#include "base/digest.h"
#include "pipeline/core/unit.h"
#include "pipeline/order/blocks.h"
#include "pipeline/order/speculate.h"

// The order strands of younger inputs wait while the `grown` account exceeds 1/WAITING_SHARE of all
// memory.
#define WAITING_SHARE 8

void tp_ordering_init(struct tp_input_run *in)
{
    struct tp_ordering *o = in->order->ordering;
    o->is_broken = o->is_over = o->has_last = false;
    o->loss = (struct tp_order_loss){0};
    uint64_t most_bytes = in->run->memory.plan.order_state_bytes;
    unsigned tracks = tp_blocks_tracks(in);
    // The tracker keeps three times as much of a goroutine as the order.
    tp_sequencer_init(&o->order.sequencer, tracks != 0 ? most_bytes / 2 : most_bytes,
                      in->run->settings.strict);
    tp_tracker_init(&o->tracker, tracks, most_bytes / 2 * 3);
}

void tp_ordering_fini(struct tp_input_run *in)
{
    struct tp_ordering *o = in->order->ordering;
    o->current = NULL;
    tp_sequencer_fini(&o->order.sequencer);
    tp_tracker_fini(&o->tracker);
    tp_account_set(&in->run->memory.grown, &o->share, 0);
    tp_order_state_end_walk(&o->order);
}

// THE WINDOW

static int64_t time_ns_of(const struct tp_event_layout *layout, const unsigned char *event)
{
    int64_t time_ns;
    memcpy(&time_ns, event + layout->time_offset_bytes, sizeof time_ns);
    // The Sync of an older trace has no time; it counts as at the beginning of the trace.
    return time_ns < 0 ? 0 : time_ns;
}

// Moves the events of the window, which are consecutive because times rise, to the front. Returns
// their number, and counts the other events. The first event after the window ends the ordering.
static size_t keep_window(struct tp_input_run *in, void *events, size_t count)
{
    struct tp_order_queue *q = in->order;
    struct tp_ordering *o = q->ordering;
    const struct tp_event_layout *layout = &tp_event_layouts[in->run->model];
    const size_t each_bytes = layout->event_bytes;
    unsigned char *at = events;
    size_t begin = 0, end = 0;
    while (end < count && time_ns_of(layout, at + end * each_bytes) < q->window.to_ns)
        end++;
    while (begin < end && time_ns_of(layout, at + begin * each_bytes) < q->window.from_ns)
        begin++;
    o->is_over = o->is_over || end < count;
    struct tp_window_report *r = &in->order_report->window;
    r->before_count += begin;
    r->behind_count += count - end;
    if (count > 0)
        r->seen_end_ns = time_ns_of(layout, at + (end < count ? end : count - 1) * each_bytes);
    if (begin > 0)
        memmove(at, at + begin * each_bytes, (end - begin) * each_bytes);
    return end - begin;
}

// GENERATIONS

static void add_loss(struct tp_input_run *in)
{
    struct tp_ordering *o = in->order->ordering;
    struct tp_order_report *r = in->order_report;
    struct tp_order_loss *loss = &o->loss;
    if (o->current->order.is_begun) {
        loss->forced_count =
            o->current->order.starts_in_middle ? 0 : o->order.sequencer.order.forced_count;
        loss->unknown_id_count = o->order.sequencer.unknown_id_count;
    }
    if (loss->error.code == 0 && loss->forced_count == 0 && loss->unknown_id_count == 0)
        return;
    loss->generation = o->current->lists.number;
    if (r->loss_count < TP_ORDER_LOSSES_KEPT)
        r->losses[r->loss_count] = *loss;
    r->loss_count++;
    r->lost_bytes += loss->lost_bytes;
    r->unknown_id_count += loss->unknown_id_count;
}

static void end_generation(struct tp_input_run *in)
{
    struct tp_ordering *o = in->order->ordering;
    if (!o->is_broken)
        add_loss(in);
    // Clear the loss here, because the next generation may be dropped before it sets its own.
    o->loss = (struct tp_order_loss){0};
    if (in->order_report->doubts.count != o->order.sequencer.doubts.count)
        in->order_report->doubts = o->order.sequencer.doubts;
    tp_pending_destroy(o->current);
    o->current = NULL;
    atomic_fetch_sub_explicit(&in->run->order_load.ordering_count, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&in->order->done_count, 1, memory_order_seq_cst);
    tp_wake_for_pages(in->run);
}

// Forgets the order's states, which the tracker keeps: its own may contradict them from now on.
static void lose_order(struct tp_ordering *o)
{
    tp_order_reset(&o->order.sequencer.order);
    o->tracker.has_lost = true;
}

// Gives up the rest of a generation that is unusable or breaks off. With --strict, or if memory or
// the machine is the cause, the events of the input end here.
static void break_generation(struct tp_input_run *in, uint64_t lost_bytes,
                             const struct tp_error *err, struct tp_slot *slot)
{
    struct tp_ordering *o = in->order->ordering;
    bool is_lost = o->current->order.is_begun || !in->orderer->is_all_or_nothing;
    if (is_lost && tp_error_may_be_salvaged(err->code) && !in->run->settings.strict) {
        o->loss.error = *err;
        o->loss.is_of_tables = !o->current->order.is_begun && o->current->prepared.error.code != 0;
        o->loss.lost_bytes = lost_bytes;
    } else {
        slot->order_error = *err;
        o->is_broken = true;
    }
    end_generation(in);
    lose_order(o);
}

// Whether the input must wait. A younger input waits while the memory of all inputs together is too
// large, until that memory has shrunk or the input's turn comes and older inputs have freed theirs.
static bool must_wait(struct tp_input_run *in)
{
    if (tp_rank_of(in) == TP_RANK_OLDEST ||
        !tp_account_passes(&in->run->memory.grown, WAITING_SHARE))
        return false;
    tp_starved_raise(&in->wake, TP_STARVED_OF_TURN);
    return true;
}

// Whether the input may begin to put the generation in order, or must wait for memory. The cursors
// of all threads are allocated at once, so their memory is charged beforehand, and other inputs see
// it in time.
static bool may_begin(struct tp_input_run *in, const struct tp_pending *h)
{
    struct tp_ordering *o = in->order->ordering;
    uint64_t before = o->share.bytes;
    uint64_t each_bytes = sizeof(struct tp_cursor) + h->loader.window_bytes;
    tp_account_set(&in->run->memory.grown, &o->share, before + h->lists.ms.count * each_bytes);
    if (!must_wait(in))
        return true;
    tp_account_set(&in->run->memory.grown, &o->share, before);
    return false;
}

// Takes the next generation. False: none is ready yet, or the input must wait.
static bool next_generation(struct tp_input_run *in)
{
    struct tp_order_queue *q = in->order;
    struct tp_ordering *o = q->ordering;
    uint64_t done = atomic_load_explicit(&q->done_count, memory_order_relaxed);
    if (done == atomic_load_explicit(&q->put_count, memory_order_acquire))
        return false;
    struct tp_pending *h = q->items[done % TP_PENDING_MAX];
    if (!atomic_load_explicit(&h->is_ready, memory_order_acquire) || !may_begin(in, h))
        return false;
    o->current = h;
    atomic_fetch_add_explicit(&in->run->order_load.ordering_count, 1, memory_order_relaxed);
    return true;
}

static enum tp_repair repair_of(const struct tp_pending *h)
{
    // No event is lost, but the state at the beginning of the generation is not known, because the
    // previous generation was not read.
    if (h->order.starts_in_middle)
        return h->found.is_whole && !h->in->run->settings.strict ? TP_REPAIR_MIDDLE
                                                                 : TP_REPAIR_ALWAYS;
    if (h->in->run->settings.strict)
        return TP_REPAIR_NEVER;
    if (!h->found.is_whole || (h->found.is_last && h->prepared.salvaged.code != 0))
        return TP_REPAIR_ALWAYS;
    return h->found.is_last ? TP_REPAIR_IF_TORN : TP_REPAIR_DOUBTS;
}

// Seeds the order's state from the generation's own events, if the generation is the first one that
// the window of --from and --to needs: the generation before it was not read.
static int start_in_the_middle(struct tp_ordering *o, struct tp_pending *h, struct tp_error *err)
{
    if (!h->in->order->window.is_set || h->found.idx == 0 || o->order.sequencer.sync_count > 0)
        return 0;
    o->order.sequencer.sync_count = h->found.idx;
    h->order.starts_in_middle = true;
    return tp_order_seed(&o->order.sequencer.order, &h->lists, h->prepared.tables, &h->loader, err);
}

static int open_generation(struct tp_input_run *in, struct tp_pending *h, struct tp_error *err)
{
    struct tp_order_source source = tp_pending_source(h);
    source.repair = repair_of(h);
    return in->orderer->begin(&in->order->ordering->order, &source, err);
}

// Adds the key of a generation: number and clocks of its beginning, which no other process shares.
static void add_key(struct tp_generation_keys *keys, const struct tp_generation *g)
{
    const uint64_t facts[] = {g->number, g->begin_ticks, g->frequency, g->clock.mono_ns};
    if (keys->count < TP_GENERATION_KEYS_MAX)
        keys->items[keys->count++] = tp_digest_words(facts, TP_ARRAY_LEN(facts));
}

// Gives out a Sync in place of a generation. It is where a trace without generations begins.
static void put_sync(struct tp_input_run *in, struct tp_slot *slot)
{
    struct tp_sequencer *s = &in->order->ordering->order.sequencer;
    struct tp_beginning *begin = &in->order_report->begin;
    tp_sequencer_sync(s, &slot->events[0]);
    if (s->sync_count == 1 && begin->ns == 0)
        begin->ns = slot->events[0].time_ns;
}

static void begin_generation(struct tp_input_run *in, struct tp_slot *slot)
{
    struct tp_order_report *r = in->order_report;
    struct tp_ordering *o = in->order->ordering;
    struct tp_pending *h = o->current;
    if (h->found.after_loss)
        lose_order(o);
    int rc = h->prepared.error.code;
    struct tp_error err = h->prepared.error;
    if (h->prepared.is_refused) {
        // Like Go's reader, gives a Sync and then the error.
        put_sync(in, slot);
        if (!h->prepared.is_go_end)
            slot->order_error = err;
        o->is_broken = true;
        tp_blocks_submit(in, slot, NULL, 1);
        end_generation(in);
        return;
    }
    if (rc == 0)
        rc = start_in_the_middle(o, h, &err);
    if (rc == 0)
        rc = open_generation(in, h, &err);
    r->pc_count = h->prepared.v1.pc_count;
    r->known_pc_count = h->prepared.v1.known_pc_count;
    o->loss = (struct tp_order_loss){.error = h->prepared.salvaged,
                                     .is_of_tables = h->prepared.salvaged.code != 0};
    if (rc != 0) {
        break_generation(in, h->store.stored_bytes, &err, slot);
        tp_blocks_submit(in, slot, NULL, 0);
        return;
    }
    h->order.is_begun = true;
    tp_clock_doubt_add(&r->clock_doubt, &h->lists, h->prepared.tables->ns_per_tick);
    if (in->info.format.decoder->has_generations)
        add_key(&r->generation_keys, &h->lists);
    if (h->found.clock_source != TP_CLOCK_OWN && r->clock_source == TP_CLOCK_OWN) {
        r->clock_source = h->found.clock_source;
        r->clock_generation = h->lists.number;
        r->clock_frequency = h->found.frequency;
    }
}

// Folds a block, and submits the unit if its partial ends: with the generation, at the place where
// a speculation takes over, or because the partial is full.
static void add_to_partial(struct tp_input_run *in, struct tp_slot *slot,
                           struct tp_tables *tables, size_t event_count)
{
    struct tp_ordering *o = in->order->ordering;
    struct tp_slot *rest = NULL;
    struct tp_error err;
    tp_blocks_add(in, slot, tables, event_count);
    if (o->current != NULL && !o->is_broken &&
        !tp_speculation_take_over(o->current, slot, &rest, &err)) {
        if (err.code == 0 && !tp_unit_fold_is_full(slot, 0))
            return;
        if (err.code != 0)
            break_generation(in, 0, &err, slot);
    }
    tp_unit_submit(in, TP_LANE_BLOCKS);
    if (rest != NULL) {
        end_generation(in);
        tp_unit_put(in, rest);
    }
}

static void fill_block(struct tp_input_run *in, struct tp_slot *slot)
{
    struct tp_ordering *o = in->order->ordering;
    struct tp_tables *tables = o->current->prepared.tables;
    struct tp_error err;
    size_t count = 0;
    tp_tables_hold(tables);
    enum tp_fill_status st = in->orderer->fill(&o->order, tp_blocks_next(slot), &count, &err);
    uint64_t left_bytes = st == TP_FILL_BROKEN ? tp_order_state_left_bytes(&o->order) : 0;
    if (st == TP_FILL_BROKEN)
        tp_clock_doubt_add_order(&in->order_report->clock_doubt,
                                 tp_order_state_late_ns(&o->order));
    if (st != TP_FILL_MORE)
        tp_order_state_end_walk(&o->order);
    switch (st) {
    case TP_FILL_MORE: break;
    case TP_FILL_END: end_generation(in); break;
    case TP_FILL_BROKEN: break_generation(in, left_bytes, &err, slot); break;
    }
    if (in->order->window.is_set)
        count = keep_window(in, tp_blocks_next(slot), count);
    if (o->is_over && o->current != NULL)
        in->order_report->window.behind_bytes = tp_order_state_left_bytes(&o->order);
    if (slot->gathers)
        tp_blocks_gather(in, slot, tables, count);
    else if (tp_blocks_are_folded(in))
        add_to_partial(in, slot, tables, count);
    // An empty block stays open for the next events, unless it carries an error.
    else if (count > 0 || slot->order_error.code != 0)
        tp_blocks_submit(in, slot, tables, count);
    tp_tables_release(tables);
}

static bool has_ended(const struct tp_input_run *in)
{
    return atomic_load_explicit(&in->ordering_ended, memory_order_acquire);
}

// Adds the thread's CPU time since the mark (cpu_mark_ns) to the meter, and sets a new mark. Must
// be called before ordering_ended is set, because the meter is read after that.
static void add_cpu_time(struct tp_input_run *in)
{
    struct tp_meter *meter = &in->run->meter;
    struct tp_ordering *o = in->order->ordering;
    tp_meter_add(meter, &meter->order_cpu_ns, o->cpu_mark_ns);
    o->cpu_mark_ns = tp_meter_mark(meter);
}

static void settle_report(struct tp_input_run *in)
{
    struct tp_order_queue *q = in->order;
    struct tp_order_report *r = in->order_report;
    r->window.place = q->window;
    r->window.is_cut = r->window.is_cut || q->ordering->is_over || q->is_past_window;
    r->speculation.given_up_count = atomic_load_explicit(&q->given_up_count, memory_order_relaxed);
    memcpy(r->rule_counts, q->ordering->order.sequencer.order.hits, sizeof r->rule_counts);
}

static void set_ended(struct tp_input_run *in)
{
    // When the run stops, an empty block may still be open.
    struct tp_slot *open = in->lanes[TP_LANE_BLOCKS].open;
    if (open != NULL) {
        // A unit that gathers has facts of events that nobody needs any more.
        tp_facts_clear(&open->facts);
        tp_blocks_submit(in, open, NULL, 0);
    }
    add_cpu_time(in);
    settle_report(in);
    atomic_store_explicit(&in->ordering_ended, true, memory_order_release);
    tp_wake_commit(in);
}

// Submits the last block of events, after the last generation: Go's last Sync, and the error with
// which the trace ends, if any.
static void submit_last(struct tp_input_run *in, struct tp_slot *slot)
{
    struct tp_order_queue *q = in->order;
    struct tp_ordering *o = q->ordering;
    size_t count = 0;
    bool is_past = o->is_over || q->is_past_window;
    bool is_void = q->end_error.code != 0 && in->orderer->is_all_or_nothing;
    if (in->orderer->has_sync && !o->is_broken && !is_past && !is_void &&
        !tp_error_voids_input(q->end_error.code)) {
        put_sync(in, slot);
        count = q->window.is_set ? keep_window(in, slot->events, 1) : 1;
    }
    if (!o->is_broken)
        slot->order_error = q->end_error;
    tp_blocks_submit(in, slot, NULL, count);
}

// Submits units that come after the last generation. False: that was all of them.
static bool end_ordering(struct tp_input_run *in, struct tp_slot *slot)
{
    struct tp_ordering *o = in->order->ordering;
    if (!o->has_last) {
        submit_last(in, slot);
        o->has_last = true;
        return true;
    }
    if (tp_blocks_submit_rest(in, slot))
        return true;
    set_ended(in);
    return false;
}

static void drop_rest(struct tp_input_run *in)
{
    struct tp_ordering *o = in->order->ordering;
    if (o->current != NULL)
        end_generation(in);
    while (next_generation(in))
        end_generation(in);
}

static bool is_all_collected(const struct tp_order_queue *q)
{
    // The flag must be read first: the ingest strand puts nothing after it sets the flag.
    return atomic_load_explicit(&q->is_collected, memory_order_acquire) &&
           atomic_load_explicit(&q->put_count, memory_order_acquire) ==
               atomic_load_explicit(&q->done_count, memory_order_relaxed);
}

// Charges the present size of the order's states, and wakes waiting inputs if memory was given
// back.
static void charge_states(struct tp_input_run *in)
{
    struct tp_ordering *o = in->order->ordering;
    struct tp_account *grown = &in->run->memory.grown;
    uint64_t bytes = tp_sequencer_bytes(&o->order.sequencer) + tp_tracker_bytes(&o->tracker);
    uint64_t before = o->share.bytes;
    tp_account_set(grown, &o->share, bytes);
    // A generation that has ended has freed its tables, too.
    bool is_less = bytes < before || o->current == NULL;
    if (!is_less || tp_account_passes(grown, WAITING_SHARE))
        return;
    tp_wake_for_turn(in->run);
    tp_wake_for_pages(in->run);
}

// Orders one more block. False: the strand must wait, or the events have ended.
static bool advance(struct tp_input_run *in)
{
    struct tp_ordering *o = in->order->ordering;
    bool is_over = o->is_broken || o->is_over || tp_run_is_stopping(in->run);
    if (is_over) {
        drop_rest(in);
        charge_states(in);
    }
    bool is_last = o->current == NULL && is_all_collected(in->order);
    if (is_last && (tp_run_is_stopping(in->run) || in->orderer == NULL)) {
        set_ended(in);
        return false;
    }
    // Waits before a generation is taken, because a taken one counts as being put in order.
    if (!is_last && (is_over || must_wait(in)))
        return false;
    if (!is_last && o->current == NULL && !next_generation(in))
        return false;
    struct tp_slot *slot = tp_blocks_open(in);
    if (slot == NULL)
        return false;
    if (is_last)
        return end_ordering(in, slot);
    if (!o->current->order.is_begun)
        begin_generation(in, slot);
    else
        fill_block(in, slot);
    charge_states(in);
    return true;
}

void tp_ordering_step(struct tp_input_run *in)
{
    struct tp_ordering *o = in->order->ordering;
    if (has_ended(in))
        return;
    o->cpu_mark_ns = tp_meter_mark(&in->run->meter);
    tp_starved_lower(&in->wake, TP_STARVED_OF_UNITS);
    tp_starved_lower(&in->wake, TP_STARVED_OF_TURN);
    while (advance(in)) {
    }
    // A unit or memory may have come back before the flag was raised, as in the ingest strand.
    if (!has_ended(in) && (tp_starved_is_raised(&in->wake, TP_STARVED_OF_UNITS) ||
                           tp_starved_is_raised(&in->wake, TP_STARVED_OF_TURN))) {
        while (advance(in)) {
        }
    }
    if (!has_ended(in))
        add_cpu_time(in);
}

struct tp_slot *tp_ordering_pull(struct tp_input_run *in)
{
    struct tp_slot *slot = NULL;
    bool goes_on = !has_ended(in);
    while (goes_on && slot == NULL) {
        goes_on = advance(in);
        slot = tp_unit_done(in, TP_LANE_BLOCKS);
    }
    return slot;
}
