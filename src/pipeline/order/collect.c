// Collects the batches of an input into generations for the order strand.

#include "base/alloc.h"
#include "decode/spec.h"
#include "pipeline/core/state.h"
#include "pipeline/order/ordering.h"
#include "pipeline/order/speculate.h"
#include "pipeline/read/reread_file.h"

// Clock units per second of a Go runtime whose clock counts nanoseconds, as on
// Linux: it divides them by 64 (runtime: traceTimeDiv).
#define USUAL_FREQUENCY 15625000

// No younger input begins while the `grown` account exceeds 1/BEGIN_SHARE of all memory.
#define BEGIN_SHARE 16
// Younger inputs stop reading while it exceeds 1/PAUSE_SHARE.
#define PAUSE_SHARE 8

bool tp_ordering_create(struct tp_input_run *in)
{
    in->ordering = tp_alloc_zero(sizeof *in->ordering);
    if (in->ordering == NULL)
        return false;
    in->ordering->in = in;
    return true;
}

void tp_ordering_init(struct tp_input_run *in)
{
    struct tp_ordering *o = in->ordering;
    o->is_cut = o->is_past_window = o->is_bounded = o->after_loss = o->is_broken = false;
    o->last_frequency = o->opened_count = o->passed_count = o->header_bytes = 0;
    o->window = (struct tp_window){0};
    o->is_over = false;
    o->end_error = (struct tp_error){0};
    o->report = (struct tp_order_report){0};
    o->doubt = (struct tp_clock_doubt){0};
    o->loss = (struct tp_order_loss){0};
    o->check_count = o->right_count = 0;
    atomic_store(&o->wrong_count, 0);
    atomic_store(&o->given_up_count, 0);
    atomic_store(&o->put_count, 0);
    atomic_store(&o->done_count, 0);
    atomic_store(&o->is_collected, false);
    atomic_store(&o->is_ended, false);
    tp_sequencer_init(&o->order.sequencer, in->run->plan.order_state_bytes,
                      in->run->settings.strict);
}

void tp_ordering_reset(struct tp_input_run *in)
{
    struct tp_ordering *o = in->ordering;
    if (o == NULL)
        return;
    tp_pending_destroy(o->open);
    tp_pending_destroy(o->pending);
    tp_pending_destroy(o->current);
    uint64_t done = atomic_load(&o->done_count);
    // `current` is queue[done] until it is done.
    for (uint64_t i = done + (o->current != NULL); i < atomic_load(&o->put_count); i++)
        tp_pending_destroy(o->queue[i % TP_PENDING_MAX]);
    o->open = o->pending = o->current = NULL;
    tp_sequencer_fini(&o->order.sequencer);
    tp_account_set(&in->run->grown, &o->share, 0);
    tp_order_state_end_walk(&o->order);
}

// OPEN AND CLOSE

// Decoding ahead pays while two conditions hold: a worker would be idle, besides one that
// reads on, and the order strand does not need the events yet, because it is still ordering
// another generation of this input.
static bool decodes_ahead(const struct tp_input_run *in, const struct tp_pending *h)
{
    const struct tp_run *run = in->run;
    if (!in->orderer->runs_ahead)
        return false;
    switch ((enum tp_runs)run->settings.runs) {
    case TP_RUNS_LAZY: return false;
    case TP_RUNS_DECODED: return true;
    case TP_RUNS_AUTO: break;
    }
    // With folding sinks, a spare worker is better used to speculate.
    if (run->lanes[TP_LANE_BLOCKS].folds)
        return false;
    return atomic_load_explicit(&in->ordering->done_count, memory_order_relaxed) < h->put_idx &&
           atomic_load_explicit(&run->ordering_count, memory_order_relaxed) + 1 <
               run->plan.worker_count;
}

// Half of the pages stay reserved for batches. Of the other half, decoding ahead uses no more
// than keeps the workers busy: touching fresh memory is expensive.
#define DECODED_BYTES_PER_WORKER TP_MIB(32)

static size_t pages_not_decoded_into(const struct tp_run *run)
{
    size_t half = run->pages.page_max / 2;
    size_t most = run->plan.worker_count * (size_t)(DECODED_BYTES_PER_WORKER / TP_PAGE_BYTES);
    return run->pages.page_max - (half < most ? half : most);
}

static void prepare(struct tp_task *task)
{
    struct tp_pending *h = (struct tp_pending *)task;
    struct tp_input_run *in = h->in;
    bool is_timed = in->run->wants_cpu_time;
    uint64_t begin_ns = is_timed ? tp_thread_cpu_ns() : 0;
    if (tp_run_is_stopping(in->run)) {
        tp_fail(&h->error, TP_E_STOPPED, "stopped");
    } else {
        tp_speculate_note_end(h);
        tp_pending_prepare(h, in->info.format.minor, in->run->plan.order_state_bytes);
        uint64_t table_bytes = h->tables != NULL ? h->tables->memory_bytes : 0;
        tp_account_set(&in->run->grown, &h->share, h->lists.list_bytes + table_bytes);
        if (decodes_ahead(in, h))
            tp_pending_decode(h, pages_not_decoded_into(in->run));
        tp_speculate(h);
    }
    if (is_timed)
        atomic_fetch_add_explicit(&in->run->order_cpu_ns, tp_thread_cpu_ns() - begin_ns,
                                  memory_order_relaxed);
    atomic_store_explicit(&h->is_ready, true, memory_order_release);
    tp_wake_order(in);
}

// Generations that stay in their files take no pages, so the page reserve for the oldest input
// does not limit them; but their tables are large. Their number is limited to what keeps all
// workers busy.
static bool may_hold(const struct tp_input_run *in)
{
    const struct tp_run *run = in->run;
    const struct tp_ordering *o = in->ordering;
    uint64_t put = atomic_load_explicit(&o->put_count, memory_order_relaxed);
    uint64_t done = atomic_load_explicit(&o->done_count, memory_order_seq_cst);
    // One place is for the generation that is opened here.
    if (put - done + (o->pending != NULL) >= tp_speculate_pending_max(in))
        return false;
    if (tp_rank_of(in) == TP_RANK_OLDEST)
        return true;
    // An input that has put no generation yet waits while others use much memory.
    if (put == 0 && tp_account_passes(&run->grown, BEGIN_SHARE))
        return false;
    return !tp_reread_file_has_stream(in) ||
           atomic_load_explicit(&run->in_file_count, memory_order_seq_cst) <
               2 * run->plan.worker_count + 2;
}

static struct tp_pending *open_generation(struct tp_input_run *in)
{
    struct tp_ordering *o = in->ordering;
    if (!may_hold(in))
        return NULL;
    struct tp_pending *h = tp_pending_create(in, &in->run->pages, TP_BATCH_LISTS_MAX_BYTES);
    if (h == NULL) {
        struct tp_error err;
        tp_fail(&err, TP_E_MEMORY, "out of memory for a generation");
        tp_run_fail(in->run, &err);
        return NULL;
    }
    h->task.run = prepare;
    h->is_strict = in->run->settings.strict;
    h->after_loss = o->after_loss;
    h->is_whole = true;
    o->after_loss = false;
    h->idx = o->opened_count++;
    return h;
}

// Before Go 1.25 the runtime writes the frequency last; a killed program leaves it out.
enum tp_clock_source tp_collect_clock(const struct tp_input_run *in, const struct tp_generation *g,
                                      uint64_t last_frequency, uint64_t *ret_frequency)
{
    uint64_t given = in->run->settings.frequency;
    if (g->has_frequency) {
        *ret_frequency = g->frequency;
        return TP_CLOCK_OWN;
    }
    if (given != 0) {
        *ret_frequency = given;
        return TP_CLOCK_GIVEN;
    }
    *ret_frequency = last_frequency != 0 ? last_frequency : USUAL_FREQUENCY;
    return last_frequency != 0 ? TP_CLOCK_BEFORE : TP_CLOCK_USUAL;
}

static void set_clock(struct tp_input_run *in, struct tp_pending *h)
{
    struct tp_ordering *o = in->ordering;
    if (!in->info.format.decoder->has_generations) {
        h->frequency = in->run->settings.frequency; // its tables hold its clock, if it has one
        return;
    }
    h->clock_source = tp_collect_clock(in, &h->lists, o->last_frequency, &h->frequency);
    if (h->clock_source == TP_CLOCK_OWN)
        o->last_frequency = h->frequency;
}

static void submit(struct tp_input_run *in, struct tp_pending *h)
{
    struct tp_ordering *o = in->ordering;
    uint64_t put = atomic_load_explicit(&o->put_count, memory_order_relaxed);
    h->put_idx = put;
    atomic_store_explicit(&o->end_ns[put % TP_PENDING_MAX], INT64_MAX, memory_order_relaxed);
    o->queue[put % TP_PENDING_MAX] = h;
    atomic_store_explicit(&o->put_count, put + 1, memory_order_release);
    tp_pool_submit(in->run->pool, TP_TASK_EARLY_STAGE, &h->task);
}

// WINDOWS

static void pass_over(struct tp_ordering *o, struct tp_pending *h)
{
    if (h == NULL)
        return;
    o->passed_count++;
    tp_pending_destroy(h);
}

// Whether a generation lies before the window is known only once the next one is there (its
// events may reach past the begin of the next), so one generation is kept back.
static void submit_pending(struct tp_input_run *in)
{
    struct tp_ordering *o = in->ordering;
    struct tp_pending *h = o->pending;
    o->pending = NULL;
    if (h == NULL)
        return;
    if (tp_window_begins_after_pending(&o->window, h))
        pass_over(o, h);
    else
        submit(in, h);
}

static void submit_in_window(struct tp_input_run *in, struct tp_pending *h)
{
    struct tp_ordering *o = in->ordering;
    const struct tp_window_wish *wish = &in->run->settings.window;
    bool has_generations = in->info.format.decoder->has_generations;
    const struct tp_generation *first = has_generations ? &h->lists : NULL;
    struct tp_error err;
    if (!o->window.is_set &&
        tp_window_resolve(wish, first, h->frequency, &o->window, &err) != 0) {
        tp_pending_destroy(h);
        o->end_error = err;
        o->is_cut = true;
        return;
    }
    if (!has_generations) {
        submit(in, h);
        return;
    }
    submit_pending(in);
    if (tp_window_ends_before(&o->window, &h->lists, h->frequency)) {
        // All later generations are past the window, too.
        pass_over(o, h);
        o->is_cut = o->is_past_window = true;
        return;
    }
    if (wish->is_exact || atomic_load_explicit(&o->put_count, memory_order_relaxed) > 0)
        submit(in, h);
    else
        o->pending = h;
}

static void close_generation(struct tp_input_run *in)
{
    struct tp_ordering *o = in->ordering;
    struct tp_pending *h = o->open;
    if (h == NULL)
        return;
    o->open = NULL;
    // The next generation cannot continue the state of one with a hole.
    o->after_loss = o->after_loss || !h->is_whole;
    set_clock(in, h);
    tp_pending_set_windows(h);
    if (tp_window_is_wished(&in->run->settings.window))
        submit_in_window(in, h);
    else
        submit(in, h);
}

static void drop_generation(struct tp_ordering *o)
{
    tp_pending_destroy(o->open);
    o->open = NULL;
}

// EXTENTS

// Younger inputs leave half of the pages to the oldest one, which can always progress; event
// batches leave some to the tables, which cannot be spilled.
static struct tp_hold_limits limits_of(const struct tp_input_run *in)
{
    const struct tp_ordering *o = in->ordering;
    size_t all = in->run->pages.page_max;
    bool is_oldest = tp_rank_of(in) == TP_RANK_OLDEST;
    size_t keep = is_oldest ? 0 : all / 2;
    // With a window a second generation is kept back, and so are its tables.
    bool keeps_back = tp_window_is_wished(&in->run->settings.window);
    return (struct tp_hold_limits){
        .keep_for_tables = keep,
        .keep_for_events = keep + all / (keeps_back ? 2 : 4),
        .table_pages_max = all / 4,
        // The oldest input has no other pending generation whose pages could come back.
        .may_spill = is_oldest &&
                     atomic_load_explicit(&o->done_count, memory_order_seq_cst) ==
                         atomic_load_explicit(&o->put_count, memory_order_relaxed),
    };
}

static enum tp_hold_status fail(struct tp_input_run *in, const struct tp_error *err)
{
    struct tp_ordering *o = in->ordering;
    if (tp_error_class_of(err->code) == TP_CLASS_HOST)
        tp_run_fail(in->run, err);
    o->end_error = *err;
    o->is_cut = true;
    drop_generation(o);
    return TP_HOLD_OK;
}

// With very many threads the batch lists are large before their generation is complete.
static bool must_pause(const struct tp_input_run *in)
{
    return tp_rank_of(in) != TP_RANK_OLDEST && tp_account_passes(&in->run->grown, PAUSE_SHARE);
}

static enum tp_hold_status take(struct tp_input_run *in, const struct tp_extent *x,
                                struct tp_span bytes)
{
    struct tp_ordering *o = in->ordering;
    if (o->open == NULL && x->kind != TP_EXTENT_BATCH)
        return TP_HOLD_OK;
    if (o->open == NULL) {
        o->open = open_generation(in);
        if (o->open == NULL)
            return tp_run_is_stopping(in->run) ? TP_HOLD_OK : TP_HOLD_WAIT;
    }
    if (must_pause(in) && !tp_run_is_stopping(in->run))
        return TP_HOLD_WAIT;
    struct tp_error err;
    struct tp_hold_limits limits = limits_of(in);
    struct tp_pending *h = o->open;
    enum tp_hold_status st = tp_pending_add(h, x, bytes, in->info.format.minor, &limits, &err);
    tp_account_set(&in->run->grown, &h->share, h->lists.list_bytes);
    return st == TP_HOLD_FAILED ? fail(in, &err) : st;
}

// Whether the extent is a batch of events that begins with an end mark.
static bool is_mark_in_batch(const struct tp_extent *x, struct tp_span bytes)
{
    return x->kind == TP_EXTENT_BATCH && x->batch_kind == TP_BATCH_EVENTS &&
           x->len_bytes > x->header_bytes && bytes.ptr[x->header_bytes] == TP_EV_EndOfGeneration;
}

// Go's reader takes such a batch for the end mark itself, and fails on one in a trace from
// before the format had end marks.
static void take_mark_strictly(struct tp_input_run *in)
{
    struct tp_ordering *o = in->ordering;
    bool has_marks = in->info.format.minor >= TP_FIRST_WITH_END_MARK;
    if (has_marks && o->open != NULL) {
        close_generation(in);
        return;
    }
    tp_fail(o->open != NULL ? &o->open->doom : &o->end_error, TP_E_ORDER, "%s",
            has_marks ? "no frequency event found"
                      : "internal error: unexpectedly processing EndOfGeneration; broken trace?");
    close_generation(in);
    o->is_cut = true;
}

// The last generation ends with the trace.
static void end_with_trace(struct tp_input_run *in)
{
    struct tp_ordering *o = in->ordering;
    const struct tp_format *f = &in->info.format;
    if (o->opened_count == 0)
        (void)f->decoder->end_empty(f->minor, in->run->settings.strict, &o->end_error);
    if (o->open != NULL)
        o->open->is_last = true;
    close_generation(in);
}

// With --strict everything ends where Go's reader ends.
static void lose_strictly(struct tp_input_run *in, const struct tp_extent *x)
{
    struct tp_ordering *o = in->ordering;
    struct tp_error err = {0};
    const struct tp_format *f = &in->info.format;
    bool has_events = o->open != NULL && o->open->lists.m_count > 0;
    switch (
        f->decoder->fault((enum tp_loss_kind)x->loss, in->wire.bytes, f->minor, has_events, &err)) {
    case TP_FAULT_DROPS:
        if (o->open != NULL)
            o->open->doom = err;
        else
            o->end_error = err;
        close_generation(in);
        break;
    case TP_FAULT_KEEPS:
        close_generation(in);
        o->end_error = err;
        break;
    case TP_FAULT_IS_END:
        if (f->minor >= TP_FIRST_WITH_END_MARK)
            drop_generation(o);
        else
            end_with_trace(in);
        break;
    case TP_FAULT_VOIDS:
        o->end_error = err;
        drop_generation(o);
        break;
    }
    o->is_cut = true;
}

static void lose(struct tp_input_run *in, const struct tp_extent *x)
{
    struct tp_ordering *o = in->ordering;
    o->after_loss = true;
    if (o->open == NULL)
        return;
    o->open->is_whole = false;
    // The next batch may belong to this generation or to the following one.
    (void)take(in, x, tp_span_of(NULL, 0));
}

enum tp_hold_status tp_collect_extent(struct tp_input_run *in, const struct tp_extent *x,
                                      struct tp_span bytes)
{
    struct tp_ordering *o = in->ordering;
    if (o->is_cut)
        return TP_HOLD_OK;
    if (x->kind == TP_EXTENT_LOST) {
        if (!in->run->settings.strict)
            lose(in, x);
        else
            lose_strictly(in, x);
        return TP_HOLD_OK;
    }
    if (o->open != NULL && tp_generation_is_closed_by(&o->open->lists, x))
        close_generation(in);
    if (o->is_cut)
        return TP_HOLD_OK;
    if (in->run->settings.strict && is_mark_in_batch(x, bytes)) {
        take_mark_strictly(in);
        return TP_HOLD_OK;
    }
    enum tp_hold_status st = take(in, x, bytes);
    if (st == TP_HOLD_OK && x->ends_generation)
        close_generation(in);
    if (st == TP_HOLD_WAIT)
        atomic_store_explicit(&in->wake.collect_starved, true, memory_order_seq_cst);
    return st;
}

bool tp_collect_is_alone(const struct tp_input_run *in)
{
    const struct tp_lane *lanes = in->run->lanes;
    return in->ordering != NULL && !lanes[TP_LANE_SEGMENTS].is_used &&
           !lanes[TP_LANE_FRAMES].is_used && in->stream.digest == NULL;
}

bool tp_collect_is_all_read(const struct tp_input_run *in)
{
    return tp_collect_is_alone(in) && in->ordering->is_past_window;
}

// The stream ended before the generation behind the window, whose headers the header walk has
// read. Counts it as if the strand had read it.
static void end_bounded(struct tp_input_run *in)
{
    struct tp_ordering *o = in->ordering;
    close_generation(in);
    submit_pending(in);
    o->opened_count++;
    o->passed_count++;
    o->is_cut = o->is_past_window = true;
}

static void end_trace(struct tp_input_run *in)
{
    struct tp_ordering *o = in->ordering;
    bool is_broken_off = in->stream.error.code != 0;
    if (o->is_bounded && !o->is_cut && !is_broken_off)
        end_bounded(in);
    if (!o->is_cut && is_broken_off && o->open != NULL)
        o->open->is_whole = false;
    if (!o->is_cut)
        end_with_trace(in);
    submit_pending(in);
}

void tp_collect_end(struct tp_input_run *in)
{
    struct tp_ordering *o = in->ordering;
    if (in->orderer != NULL)
        end_trace(in);
    atomic_store_explicit(&o->is_collected, true, memory_order_release);
    tp_wake_order(in);
}
