#include "pipeline/order/collect.h"

#include "decode/spec.h"
#include "pipeline/core/reread.h"
#include "pipeline/order/speculate.h"

// Clock units per second of a Go runtime whose clock counts nanoseconds, as on Linux: the runtime
// divides its nanoseconds by 64 (traceTimeDiv).
#define USUAL_FREQUENCY 15625000

// No younger input begins while the `grown` account exceeds 1/BEGIN_SHARE of all memory.
#define BEGIN_SHARE 16
// The oldest input collects no generation ahead while the account exceeds 1/AHEAD_SHARE of it.
#define AHEAD_SHARE 2
// Younger inputs stop reading while the account exceeds 1/PAUSE_SHARE of all memory.
#define PAUSE_SHARE 8

void tp_collect_init(struct tp_input_run *in)
{
    struct tp_order_queue *q = in->order;
    *q->collect = (struct tp_collect){0};
    q->window = (struct tp_window){0};
    q->end_error = (struct tp_error){0};
    q->is_past_window = false;
    atomic_store(&q->is_collected, false);
}

void tp_collect_fini(struct tp_input_run *in)
{
    struct tp_collect *c = in->order->collect;
    tp_pending_destroy(c->open);
    tp_pending_destroy(c->kept_back);
    c->open = c->kept_back = NULL;
}

void tp_collect_begin_at(struct tp_input_run *in, const struct tp_window_found *found)
{
    struct tp_window_report *r = &in->order_report->window;
    in->order->window = found->window;
    in->order->collect->last_frequency = found->last_frequency;
    in->order->collect->is_bounded = found->is_bounded;
    r->opened_count = r->passed_count = found->passed_count;
    r->header_bytes = found->header_bytes;
    r->passed_end_ns = found->passed_end_ns;
    r->is_cut = found->is_bounded;
    in->order_report->begin = found->window.begin;
}

// OPEN AND CLOSE

// Whether to decode events ahead. That pays while a worker besides the reading one would be idle,
// and the order strand does not need the events yet, because it still puts another generation of
// this input in order.
static bool decodes_ahead(const struct tp_input_run *in, const struct tp_pending *h)
{
    const struct tp_run *run = in->run;
    if (!in->orderer->runs_ahead)
        return false;
    if (run->settings.runs != TP_RUNS_AUTO)
        return run->settings.runs == TP_RUNS_DECODED;
    // With folding sinks, a spare worker is better used to speculate.
    if (run->lanes[TP_LANE_BLOCKS].folds)
        return false;
    return atomic_load_explicit(&in->order->done_count, memory_order_relaxed) < h->found.put_idx &&
           atomic_load_explicit(&run->order_load.ordering_count, memory_order_relaxed) + 1 <
               run->memory.plan.worker_count;
}

// Limit of the memory that decoding ahead takes for each worker. Half of the pages stay reserved
// for batches, and of the other half only as much is used as keeps the workers busy, because the
// first use of memory is expensive.
#define DECODED_BYTES_PER_WORKER TP_MIB(32)

static size_t pages_not_decoded_into(const struct tp_run *run)
{
    size_t half = run->memory.pages.page_max / 2;
    size_t most =
        run->memory.plan.worker_count * (size_t)(DECODED_BYTES_PER_WORKER / TP_PAGE_BYTES);
    return run->memory.pages.page_max - (half < most ? half : most);
}

static void prepare(struct tp_task *task)
{
    struct tp_pending *h = (struct tp_pending *)task;
    struct tp_input_run *in = h->in;
    struct tp_meter *meter = &in->run->meter;
    uint64_t mark_ns = tp_meter_mark(meter);
    if (tp_run_is_stopping(in->run)) {
        tp_fail(&h->prepared.error, TP_E_STOPPED, "stopped");
    } else {
        tp_speculate_note_end(h);
        tp_pending_prepare(h);
        const struct tp_tables *t = h->prepared.tables;
        uint64_t table_bytes = t != NULL ? t->max_bytes - t->room_bytes : 0;
        tp_account_set(&in->run->memory.grown, &h->share,
                       tp_generation_list_bytes(&h->lists) + table_bytes);
        if (decodes_ahead(in, h))
            tp_pending_decode(h, pages_not_decoded_into(in->run));
        tp_speculate(h);
    }
    tp_meter_add(meter, &meter->order_cpu_ns, mark_ns);
    atomic_store_explicit(&h->is_ready, true, memory_order_release);
    tp_wake_order(in);
}

// Whether the input may open another generation. Generations that stay in their files take no
// pages, so the page reserve for the oldest input does not limit them; but their tables are large.
// Their number is therefore limited to what keeps all workers busy.
static bool may_hold(const struct tp_input_run *in)
{
    const struct tp_run *run = in->run;
    const struct tp_order_queue *q = in->order;
    const struct tp_collect *c = q->collect;
    uint64_t put = atomic_load_explicit(&q->put_count, memory_order_relaxed);
    uint64_t done = atomic_load_explicit(&q->done_count, memory_order_seq_cst);
    // One place is for the generation that would be opened.
    if (put - done + (c->kept_back != NULL) >= tp_speculate_pending_max(in))
        return false;
    // The oldest input needs one generation to go on; tables of further ones may be large, too.
    if (tp_rank_of(in) == TP_RANK_OLDEST)
        return put == done || !tp_account_passes(&run->memory.grown, AHEAD_SHARE);
    // An input that has put no generation into the queue waits while others use much memory.
    if (put == 0 && tp_account_passes(&run->memory.grown, BEGIN_SHARE))
        return false;
    return !tp_reread_has_stream(in) ||
           atomic_load_explicit(&run->order_load.in_file_count, memory_order_seq_cst) <
               2 * run->memory.plan.worker_count + 2;
}

static struct tp_pending *open_generation(struct tp_input_run *in)
{
    struct tp_collect *c = in->order->collect;
    if (!may_hold(in))
        return NULL;
    struct tp_pending *h = tp_pending_create(in);
    if (h == NULL) {
        tp_run_fail_with(in->run, TP_E_MEMORY, "out of memory for a generation");
        return NULL;
    }
    h->task.run = prepare;
    h->found.after_loss = c->after_loss;
    h->found.is_whole = true;
    c->after_loss = false;
    h->found.idx = in->order_report->window.opened_count++;
    return h;
}

// A generation may lack its frequency: before Go 1.25 the runtime writes it last, and a program
// that is killed never writes it.
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
    struct tp_collect *c = in->order->collect;
    if (!in->info.format.decoder->has_generations) {
        h->found.frequency =
            in->run->settings.frequency; // if the trace gives its clock, the tables have it
        return;
    }
    h->found.clock_source = tp_collect_clock(in, &h->lists, c->last_frequency, &h->found.frequency);
    if (h->found.clock_source == TP_CLOCK_OWN)
        c->last_frequency = h->found.frequency;
}

static void submit(struct tp_input_run *in, struct tp_pending *h)
{
    struct tp_order_queue *q = in->order;
    uint64_t put = atomic_load_explicit(&q->put_count, memory_order_relaxed);
    h->found.put_idx = put;
    atomic_store_explicit(&q->end_ns[put % TP_PENDING_MAX], INT64_MAX, memory_order_relaxed);
    q->items[put % TP_PENDING_MAX] = h;
    atomic_store_explicit(&q->put_count, put + 1, memory_order_release);
    tp_pool_submit(in->run->pool, TP_TASK_EARLY_STAGE, &h->task);
}

// WINDOWS

static void pass_over(struct tp_pending *h)
{
    if (h == NULL)
        return;
    h->in->order_report->window.passed_count++;
    tp_pending_destroy(h);
}

// Submits the generation that was kept back, or passes over it if it is before the window. Call
// when the next generation is complete: events of the generation kept back may be later than the
// beginning of the next one.
static void submit_pending(struct tp_input_run *in)
{
    struct tp_collect *c = in->order->collect;
    struct tp_pending *h = c->kept_back;
    c->kept_back = NULL;
    if (h == NULL)
        return;
    struct tp_window_report *r = &in->order_report->window;
    int64_t end_ns;
    if (tp_window_begins_after_pending(&in->order->window, h, &end_ns)) {
        r->passed_end_ns = end_ns > r->passed_end_ns ? end_ns : r->passed_end_ns;
        pass_over(h);
    } else {
        submit(in, h);
    }
}

static void submit_in_window(struct tp_input_run *in, struct tp_pending *h)
{
    struct tp_order_queue *q = in->order;
    struct tp_collect *c = q->collect;
    const struct tp_window_args *wish = &in->run->settings.window;
    bool has_generations = in->info.format.decoder->has_generations;
    const struct tp_generation *first = has_generations ? &h->lists : NULL;
    struct tp_error err;
    if (!q->window.is_set &&
        tp_window_resolve(&in->run->settings, first, h->found.frequency, &q->window, &err) != 0) {
        tp_pending_destroy(h);
        q->end_error = err;
        c->is_cut = true;
        return;
    }
    if (!has_generations) {
        submit(in, h);
        return;
    }
    submit_pending(in);
    if (tp_window_ends_before(&q->window, &h->lists, h->found.frequency)) {
        // All later generations are past the window, too.
        pass_over(h);
        c->is_cut = q->is_past_window = true;
        return;
    }
    if (wish->is_exact || atomic_load_explicit(&q->put_count, memory_order_relaxed) > 0)
        submit(in, h);
    else
        c->kept_back = h;
}

static void close_generation(struct tp_input_run *in)
{
    struct tp_collect *c = in->order->collect;
    struct tp_pending *h = c->open;
    if (h == NULL)
        return;
    c->open = NULL;
    // The next generation cannot continue the state of an incomplete one.
    c->after_loss = c->after_loss || !h->found.is_whole;
    set_clock(in, h);
    if (h->found.idx == 0 && in->info.format.decoder->has_generations)
        in->order_report->begin = tp_beginning_of(&h->lists, h->found.frequency);
    tp_pending_set_windows(h);
    if (tp_window_is_given(&in->run->settings.window))
        submit_in_window(in, h);
    else
        submit(in, h);
}

static void drop_generation(struct tp_collect *c)
{
    tp_pending_destroy(c->open);
    c->open = NULL;
}

// EXTENTS

// Younger inputs leave half of the pages to the oldest input, which can therefore always go on;
// event batches leave some pages to the tables, which cannot be spilled.
static struct tp_hold_limits limits_of(const struct tp_input_run *in)
{
    const struct tp_order_queue *q = in->order;
    size_t all = in->run->memory.pages.page_max;
    bool is_oldest = tp_rank_of(in) == TP_RANK_OLDEST;
    size_t keep = is_oldest ? 0 : all / 2;
    // With a window a second generation may be kept back with its tables.
    bool keeps_back = tp_window_is_given(&in->run->settings.window);
    return (struct tp_hold_limits){
        .keep_for_tables = keep,
        .keep_for_events = keep + all / (keeps_back ? 2 : 4),
        .table_pages_max = all / 4,
        // Spill if the oldest input has no other pending generation, whose pages could come back.
        .may_spill = is_oldest && atomic_load_explicit(&q->done_count, memory_order_seq_cst) ==
                                      atomic_load_explicit(&q->put_count, memory_order_relaxed),
    };
}

static enum tp_hold_status fail(struct tp_input_run *in, const struct tp_error *err)
{
    struct tp_collect *c = in->order->collect;
    if (tp_error_class_of(err->code) == TP_CLASS_HOST)
        tp_run_fail(in->run, err);
    in->order->end_error = *err;
    c->is_cut = true;
    drop_generation(c);
    return TP_HOLD_OK;
}

// Whether to stop reading until memory is given back. With very many threads the batch lists are
// large before their generation is complete.
static bool must_pause(const struct tp_input_run *in)
{
    return tp_rank_of(in) != TP_RANK_OLDEST &&
           tp_account_passes(&in->run->memory.grown, PAUSE_SHARE);
}

static enum tp_hold_status take(struct tp_input_run *in, const struct tp_cut *cut)
{
    struct tp_collect *c = in->order->collect;
    if (c->open == NULL && cut->extent->kind != TP_EXTENT_BATCH)
        return TP_HOLD_OK;
    if (c->open == NULL) {
        c->open = open_generation(in);
        if (c->open == NULL)
            return tp_run_is_stopping(in->run) ? TP_HOLD_OK : TP_HOLD_WAIT;
    }
    if (must_pause(in) && !tp_run_is_stopping(in->run))
        return TP_HOLD_WAIT;
    struct tp_error err;
    struct tp_hold_limits limits = limits_of(in);
    struct tp_pending *h = c->open;
    enum tp_hold_status st = tp_pending_add(h, cut, &limits, &err);
    tp_account_set(&in->run->memory.grown, &h->share, tp_generation_list_bytes(&h->lists));
    return st == TP_HOLD_FAILED ? fail(in, &err) : st;
}

// Ends the generation at a batch that begins with an end mark, as Go's reader does. Go's reader
// takes the batch for the end mark itself; in a trace from before the format had end marks, it
// fails on the batch.
static void take_mark_strictly(struct tp_input_run *in)
{
    struct tp_collect *c = in->order->collect;
    bool has_marks = in->info.format.minor >= TP_FIRST_WITH_END_MARK;
    if (has_marks && c->open != NULL) {
        close_generation(in);
        return;
    }
    tp_fail(c->open != NULL ? &c->open->found.drop_error : &in->order->end_error, TP_E_ORDER, "%s",
            has_marks ? "no frequency event found"
                      : "internal error: unexpectedly processing EndOfGeneration; broken trace?");
    close_generation(in);
    c->is_cut = true;
}

// Closes the last generation, which ends with the trace.
static void end_with_trace(struct tp_input_run *in)
{
    struct tp_collect *c = in->order->collect;
    const struct tp_format *f = &in->info.format;
    if (in->order_report->window.opened_count == 0)
        (void)f->decoder->end_empty(f->minor, in->run->settings.strict, &in->order->end_error);
    if (c->open != NULL)
        c->open->found.is_last = true;
    close_generation(in);
}

// Ends the generation or the trace at lost bytes, as Go's reader does; for --strict.
static void lose_strictly(struct tp_input_run *in, const struct tp_cut *cut)
{
    struct tp_order_queue *q = in->order;
    struct tp_collect *c = q->collect;
    struct tp_error err = {0};
    const struct tp_format *f = &in->info.format;
    bool has_events = c->open != NULL && c->open->lists.ms.count > 0;
    switch (f->decoder->fault((enum tp_loss_kind)cut->extent->loss, cut->rest, f->minor, has_events,
                              &err)) {
    case TP_FAULT_DROPS:
        if (c->open != NULL)
            c->open->found.drop_error = err;
        else
            q->end_error = err;
        close_generation(in);
        break;
    case TP_FAULT_KEEPS:
        close_generation(in);
        q->end_error = err;
        break;
    case TP_FAULT_IS_END:
        if (f->minor >= TP_FIRST_WITH_END_MARK)
            drop_generation(c);
        else
            end_with_trace(in);
        break;
    case TP_FAULT_VOIDS:
        q->end_error = err;
        drop_generation(c);
        break;
    }
    c->is_cut = true;
}

static void lose(struct tp_input_run *in, const struct tp_cut *cut)
{
    struct tp_collect *c = in->order->collect;
    c->after_loss = true;
    if (c->open == NULL)
        return;
    c->open->found.is_whole = false;
    // Keeps the generation open: the next batch may still belong to it.
    (void)take(in, cut);
}

enum tp_hold_status tp_collect_extent(struct tp_input_run *in, const struct tp_cut *cut)
{
    const struct tp_extent *x = cut->extent;
    struct tp_collect *c = in->order->collect;
    if (c->is_cut)
        return TP_HOLD_OK;
    if (x->kind == TP_EXTENT_LOST) {
        if (!in->run->settings.strict)
            lose(in, cut);
        else
            lose_strictly(in, cut);
        return TP_HOLD_OK;
    }
    if (c->open != NULL && tp_generation_is_closed_by(&c->open->lists, x))
        close_generation(in);
    if (c->is_cut)
        return TP_HOLD_OK;
    if (in->run->settings.strict && tp_extent_begins_with_mark(x, cut->bytes)) {
        take_mark_strictly(in);
        return TP_HOLD_OK;
    }
    enum tp_hold_status st = take(in, cut);
    if (st == TP_HOLD_OK && x->ends_generation)
        close_generation(in);
    if (st == TP_HOLD_WAIT)
        tp_starved_raise(&in->wake, TP_STARVED_OF_PAGES);
    return st;
}

bool tp_collect_is_alone(const struct tp_input_run *in)
{
    const struct tp_lane *lanes = in->run->lanes;
    return in->order != NULL && !lanes[TP_LANE_SEGMENTS].is_used &&
           !lanes[TP_LANE_FRAMES].is_used && !in->run->needs.digests;
}

bool tp_collect_is_all_read(const struct tp_input_run *in)
{
    return tp_collect_is_alone(in) && in->order->is_past_window;
}

// Ends a stream that stops before the first generation after the window. Counts this generation,
// whose headers the header walk has read, as if the strand had read it.
static void end_bounded(struct tp_input_run *in)
{
    struct tp_collect *c = in->order->collect;
    close_generation(in);
    submit_pending(in);
    in->order_report->window.opened_count++;
    in->order_report->window.passed_count++;
    c->is_cut = in->order->is_past_window = true;
}

static void end_trace(struct tp_input_run *in, bool is_torn)
{
    struct tp_collect *c = in->order->collect;
    if (c->is_bounded && !c->is_cut && !is_torn)
        end_bounded(in);
    if (!c->is_cut && is_torn && c->open != NULL)
        c->open->found.is_whole = false;
    if (!c->is_cut)
        end_with_trace(in);
    submit_pending(in);
}

void tp_collect_end(struct tp_input_run *in, bool is_torn)
{
    if (in->orderer != NULL)
        end_trace(in, is_torn);
    atomic_store_explicit(&in->order->is_collected, true, memory_order_release);
    tp_wake_order(in);
}
