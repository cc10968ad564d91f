#include "pipeline/order/speculate.h"

#include "base/alloc.h"
#include "pipeline/core/run.h"
#include "pipeline/core/unit.h"
#include "pipeline/order/ordering.h"

// The cut lies at least this long after the beginning of the generation and after the last event of
// the previous one. The margin is for events with equal times, each of which the order delays by a
// further nanosecond.
#define CUT_MARGIN_NS 20000
// The cut lies 1/CUT_SHARE of the generation's duration after the end of the margin; the events up
// to the cut are put in order twice. In that part of the generation the runtime takes the Ps of
// threads in system calls, so that each P appears in the trace. A speculation that has not seen the
// runtime take a thread's P assumes that the thread has no P.
#define CUT_SHARE 200
// After N failures in a row one generation in 2^N is tried, and at least one in 2^PAUSE_MAX.
#define PAUSE_MAX 4
// Number of pending generations that an input may have without speculation (see TP_PENDING_MAX).
#define HELD_LEAST 3

// WHETHER

static bool is_wanted(const struct tp_input_run *in)
{
    const struct tp_settings *s = &in->run->settings;
    const struct tp_lane *lane = &in->run->lanes[TP_LANE_BLOCKS];
    // A speculative tracker has no spans and labels, whose names and wakers only the adopting one knows.
    return in->orderer->runs_ahead && lane->folds && (lane->tracks & TP_TRACK_TASK_OF) == 0 &&
           s->speculate != TP_SPECULATE_NEVER && !tp_window_is_given(&s->window) &&
           (s->salvage != TP_SALVAGE_GENERATION || s->strict);
}

size_t tp_speculate_pending_max(const struct tp_input_run *in)
{
    // One being collected, one in the order strand, and one for each worker.
    size_t wanted = is_wanted(in) ? (size_t)in->run->memory.plan.worker_count + 2 : HELD_LEAST;
    return wanted < TP_PENDING_MAX ? wanted : TP_PENDING_MAX;
}

// Whether the generation is complete: its beginning, end and tables are known, and all its bodies
// are in memory or in the input's file.
static bool is_possible(const struct tp_pending *h)
{
    return h->prepared.tables != NULL && h->prepared.error.code == 0 &&
           h->prepared.salvaged.code == 0 && h->found.is_whole && !h->found.after_loss &&
           h->found.put_idx > 0 && h->lists.has_lists && h->store.spill.len_bytes == 0 &&
           h->prepared.decoded == NULL;
}

// Whether speculation pays: the previous generation is not done, a worker would be idle, and recent
// speculations were right.
static bool does_pay(const struct tp_pending *h)
{
    const struct tp_run *run = h->in->run;
    const struct tp_order_queue *q = h->in->order;
    if (run->settings.speculate == TP_SPECULATE_ALWAYS)
        return true;
    unsigned wrong = atomic_load_explicit(&q->wrong_count, memory_order_relaxed);
    uint64_t every = UINT64_C(1) << (wrong < PAUSE_MAX ? wrong : PAUSE_MAX);
    return atomic_load_explicit(&q->done_count, memory_order_relaxed) < h->found.put_idx &&
           tp_run_has_spare_worker(run) && h->found.put_idx % every == 0;
}

// THE SPECULATION

// Whether it pays to search for the last event of the generation. The search decodes the last batch
// of every thread. Without it, `end_ticks` serves as the end, and the next generation puts more
// events in order twice. The search pays if it decodes fewer bytes than those events have.
static bool does_search_pay(const struct tp_generation *g, uint64_t end_ticks)
{
    uint64_t last_bytes = 0, last_ticks = g->begin_ticks;
    for (size_t i = 0; i < g->ms.count; i++) {
        const struct tp_m_run *run = &g->ms.items[i];
        if (run->batches.count == 0)
            continue;
        const struct tp_batch_ref *last = &run->batches.items[run->batches.count - 1];
        last_bytes += last->body_bytes;
        last_ticks = last->time_ticks > last_ticks ? last->time_ticks : last_ticks;
    }
    return (double)last_bytes * (double)(end_ticks - g->begin_ticks) <
           (double)g->batch_bytes * (double)(end_ticks - last_ticks);
}

static int64_t end_ns_of(struct tp_pending *h)
{
    uint64_t end_ticks = h->lists.end_ticks;
    return end_ticks == 0 || does_search_pay(&h->lists, end_ticks)
               ? tp_pending_end_ns(h)
               : tp_ticks_to_ns(end_ticks, h->found.frequency);
}

// Returns the time of the cut; INT64_MAX: unknown.
static int64_t cut_ns_of(const struct tp_pending *h)
{
    const struct tp_generation *g = &h->lists;
    int64_t before_ns = atomic_load_explicit(
        &h->in->order->end_ns[(h->found.put_idx - 1) % TP_PENDING_MAX], memory_order_relaxed);
    int64_t begin_ns = tp_ticks_to_ns(g->begin_ticks, h->found.frequency);
    int64_t share_ns =
        tp_ticks_to_ns((g->last_ticks - g->begin_ticks) / CUT_SHARE, h->found.frequency);
    int64_t from_ns = before_ns > begin_ns ? before_ns : begin_ns;
    if (from_ns < 0 || share_ns < 0 || from_ns > INT64_MAX - CUT_MARGIN_NS - share_ns)
        return INT64_MAX;
    return from_ns + CUT_MARGIN_NS + share_ns;
}

void tp_speculate_note_end(struct tp_pending *h)
{
    struct tp_order_queue *q = h->in->order;
    if (is_wanted(h->in) && h->lists.has_lists && h->store.spill.len_bytes == 0)
        atomic_store_explicit(&q->end_ns[h->found.put_idx % TP_PENDING_MAX], end_ns_of(h),
                              memory_order_relaxed);
}

void tp_speculation_destroy(struct tp_speculation *s)
{
    if (s == NULL)
        return;
    tp_speculative_order_fini(&s->ahead);
    tp_tracker_fini(&s->tracker);
    if (s->slot != NULL)
        tp_unit_drop(s->slot);
    tp_free(s);
}

// Follows a block behind the cut. False: that needs too much memory.
static bool track(struct tp_pending *h, struct tp_speculation *s, const struct tp_block *block,
                  size_t max_bytes)
{
    unsigned tracks = h->in->run->lanes[TP_LANE_BLOCKS].tracks;
    struct tp_error err;
    if (tracks == 0)
        return true;
    if (s->tracker.tables == NULL)
        tp_tracker_begin_ahead(&s->tracker, tracks, max_bytes, h->prepared.tables);
    return tp_tracker_block(&s->tracker, block, &s->slot->facts, &err) == 0 &&
           !s->tracker.has_lost;
}

static bool run_ahead(struct tp_pending *h, struct tp_speculation *s, struct tp_event *events,
                      size_t max_bytes)
{
    struct tp_error err;
    enum tp_fill_status st = TP_FILL_MORE;
    while (st == TP_FILL_MORE && !tp_run_is_stopping(h->in->run)) {
        size_t count;
        bool is_behind;
        st =
            tp_speculative_order_fill(&s->ahead, events, TP_BLOCK_EVENTS, &count, &is_behind, &err);
        if (st == TP_FILL_BROKEN || !is_behind)
            continue;
        struct tp_block block = {.tables = h->prepared.tables,
                                 .events = events,
                                 .event_count = count,
                                 .facts = &s->slot->facts};
        if (!track(h, s, &block, max_bytes))
            return false;
        tp_unit_fold(s->slot, &block);
        tp_facts_clear(&s->slot->facts);
        if (tp_unit_fold_is_full(s->slot, max_bytes))
            return false;
        s->event_count += count;
    }
    return st == TP_FILL_END;
}

static struct tp_speculation *speculate(struct tp_pending *h, int64_t cut_ns)
{
    struct tp_input_run *in = h->in;
    struct tp_error err;
    struct tp_speculation *s = tp_alloc_zero(sizeof *s);
    if (s == NULL)
        return NULL;
    // All pending generations may speculate at the same time.
    uint64_t max_bytes = in->run->memory.plan.order_state_bytes / tp_speculate_pending_max(in);
    s->slot = tp_unit_take_aside(in, TP_LANE_BLOCKS);
    if (s->slot != NULL &&
        tp_speculative_order_begin(&s->ahead, &h->lists, h->prepared.tables, &h->loader, cut_ns,
                                   max_bytes, h->in->run->settings.strict, &err) == 0 &&
        run_ahead(h, s, s->slot->events, max_bytes))
        return s;
    tp_speculation_destroy(s);
    return NULL;
}

void tp_speculate(struct tp_pending *h)
{
    struct tp_run *run = h->in->run;
    struct tp_order_queue *q = h->in->order;
    if (!is_wanted(h->in) || !is_possible(h) || !does_pay(h))
        return;
    int64_t cut_ns = cut_ns_of(h);
    if (cut_ns == INT64_MAX)
        return;
    atomic_fetch_add_explicit(&run->order_load.speculating_count, 1, memory_order_relaxed);
    h->speculation = speculate(h, cut_ns);
    atomic_fetch_sub_explicit(&run->order_load.speculating_count, 1, memory_order_relaxed);
    if (h->speculation != NULL)
        return;
    atomic_fetch_add_explicit(&q->wrong_count, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&q->given_up_count, 1, memory_order_relaxed);
}

// CHECK AND ADOPTION

static bool is_refuted_for_test(const struct tp_input_run *in)
{
    uint64_t every = in->run->settings.refute_every;
    return every > 0 && in->order_report->speculation.check_count % every == 0;
}

// Joins what the two trackers have followed, and folds what the speculative one could not know.
static void join_trackers(struct tp_speculation *s, struct tp_tracker *tracker,
                          struct tp_slot *open, struct tp_tables *tables)
{
    const struct tp_block block = {.tables = tables, .facts = &open->facts};
    const struct tp_block ahead = {.tables = tables, .facts = &s->slot->facts};
    tp_tracker_adopt(tracker, &s->tracker, &open->facts, &s->slot->facts);
    if (!tracker->lacks_memory) {
        tp_unit_fold(open, &block);
        tp_unit_fold(s->slot, &ahead);
    }
    tp_facts_clear(&open->facts);
    tp_facts_clear(&s->slot->facts);
}

bool tp_speculation_take_over(struct tp_pending *h, struct tp_slot *open, struct tp_slot **ret_rest,
                              struct tp_error *err)
{
    struct tp_order_queue *q = h->in->order;
    struct tp_order_report *r = h->in->order_report;
    struct tp_tracker *tracker = &q->ordering->tracker;
    struct tp_speculation *s = h->speculation;
    err->code = 0;
    if (s == NULL || ++h->order.block_count < s->ahead.fill_count)
        return false;
    h->speculation = NULL;
    r->speculation.check_count++;
    bool is_right = !is_refuted_for_test(h->in) && tp_tracker_can_adopt(tracker, &s->tracker) &&
                    tp_speculative_order_adopt(&s->ahead, &q->ordering->order.sequencer, err);
    if (is_right && s->tracker.tables != NULL)
        join_trackers(s, tracker, open, h->prepared.tables);
    if (tracker->lacks_memory)
        is_right = tp_tracker_fail_for_memory(err) == 0;
    if (is_right) {
        *ret_rest = s->slot;
        s->slot = NULL;
        r->speculation.right_count++;
        r->event_count += s->event_count;
        atomic_store_explicit(&q->wrong_count, 0, memory_order_relaxed);
    } else {
        atomic_fetch_add_explicit(&q->wrong_count, 1, memory_order_relaxed);
    }
    tp_speculation_destroy(s);
    return is_right;
}
