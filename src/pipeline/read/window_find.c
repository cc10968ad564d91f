#include "pipeline/read/window_find.h"

#include "pipeline/order/collect.h"
#include "pipeline/read/header_walk.h"
#include "pipeline/read/ingest.h"
#include "pipeline/read/source_host.h"

// After this many batches the search checks whether the header walk is cheaper than reading the
// file: it is not if the walk reads more than one byte in four.
#define BATCHES_TO_TRY 1024
#define READ_SHARE_MAX 4

// The state of a search.
struct search {
    struct tp_input_run *in;
    struct tp_header_walk walk;
    uint64_t hop_count;
    struct tp_generation open;
    uint64_t last_frequency;
    struct tp_scan begin;    // position at which to begin to read; offset 0: beginning of the file
    bool is_inside;          // the window has begun, so `begin` is final
    uint64_t end_offset;     // file offset at which to end; 0: not found
    struct tp_window_found found;
};

// GENERATIONS

static bool has_end_marks(const struct search *s)
{
    return s->walk.format.minor >= TP_FIRST_WITH_END_MARK;
}

// Compares the open generation, of which the walk has passed the last batch, with the window.
// `next` is the position after that batch, where the next generation begins if there is one.
// False: the search is over.
static bool judge(struct search *s, const struct tp_scan *next)
{
    struct tp_window *window = &s->found.window;
    const struct tp_window_args *wish = &s->in->run->settings.window;
    const struct tp_generation *g = &s->open;
    uint64_t frequency;
    struct tp_error err;
    if (tp_collect_clock(s->in, g, s->last_frequency, &frequency) == TP_CLOCK_OWN)
        s->last_frequency = frequency;
    if (!window->is_set &&
        tp_window_resolve(&s->in->run->settings, g, frequency, window, &err) != 0)
        return false;
    if (tp_window_ends_before(window, g, frequency)) {
        s->end_offset = g->begin_offset;
        return false;
    }
    // Without an end mark a file that still grows may go on with the same generation.
    bool is_over = has_end_marks(s) || next->offset < s->walk.file->size_bytes;
    bool is_passed =
        !s->is_inside && !wish->is_exact && is_over && tp_window_begins_after(window, g, frequency);
    if (is_passed) {
        s->begin = *next;
        s->found.last_frequency = s->last_frequency;
        s->found.passed_count++;
        int64_t end_ns = tp_ticks_to_ns(g->end_ticks, frequency);
        s->found.passed_end_ns = end_ns > s->found.passed_end_ns ? end_ns : s->found.passed_end_ns;
    }
    s->is_inside = !is_passed;
    return is_passed || window->to_ns != INT64_MAX;
}

static bool is_worth_it(struct search *s)
{
    return ++s->hop_count < BATCHES_TO_TRY ||
           s->walk.looked_bytes < s->walk.scan.offset / READ_SHARE_MAX;
}

// Takes the next extent. False: the search is over.
static bool take_extent(struct search *s)
{
    struct tp_scan before = s->walk.scan;
    struct tp_extent x;
    struct tp_span bytes;
    struct tp_error err;
    if (!tp_header_walk_next(&s->walk, TP_HEADER_WALK_KIND(TP_BATCH_SYNC), &x, &bytes)) {
        if (before.offset == s->walk.file->size_bytes && s->open.number != 0 && !has_end_marks(s))
            (void)judge(s, &before);
        return false;
    }
    if (tp_generation_is_closed_by(&s->open, &x)) {
        if (!judge(s, &before))
            return false;
        tp_generation_reset(&s->open);
    }
    if (tp_generation_add(&s->open, &x, bytes, s->walk.format.minor, &err) != 0)
        return false;
    if (x.ends_generation) {
        if (!judge(s, &s->walk.scan))
            return false;
        tp_generation_reset(&s->open);
    }
    return is_worth_it(s) && !tp_run_is_stopping(s->in->run);
}

static void search(struct search *s)
{
    const struct tp_input_run *in = s->in;
    if (tp_header_walk_begin(&s->walk, &in->reread) &&
        tp_orderer_of(&s->walk.format, in->run->model) != NULL) {
        tp_generation_init(&s->open, TP_BATCH_LISTS_MAX_BYTES);
        while (take_extent(s)) {
        }
        tp_generation_fini(&s->open);
    }
    s->found.header_bytes = s->walk.looked_bytes;
}

// THE FILE

// Sets the state that the ingest strand would have after reading everything before `begin`.
static void begin_at(struct tp_input_run *in, const struct search *s)
{
    struct tp_ingest *g = in->ingest;
    g->scan = s->begin;
    in->info.format = s->walk.format;
    in->orderer = tp_orderer_of(&s->walk.format, in->run->model);
    in->report.passed_bytes = in->report.stream_bytes = s->begin.offset;
    g->stream.inflate.is_known = g->stream.encode.is_known = true;
    tp_meter_count(&in->run->meter.stat_bytes, in->reread.size_bytes - s->begin.offset);
    atomic_store_explicit(&in->info_known, true, memory_order_release);
}

static bool is_of_use(const struct tp_input_run *in)
{
    const struct tp_window_args *wish = &in->run->settings.window;
    bool is_part = wish->to.kind != TP_TIME_ARG_NONE ||
                   (wish->from.kind != TP_TIME_ARG_NONE && !wish->is_exact);
    return in->reread.fd >= 0 && in->order != NULL && is_part && tp_collect_is_alone(in);
}

static bool hand_over(const struct search *s)
{
    tp_reread_file_expect_jumps(&s->in->reread, false);
    return (s->begin.offset > 0 || s->end_offset > 0) &&
           tp_source_host_begin_at(s->in, s->begin.offset);
}

bool tp_window_find(struct tp_input_run *in)
{
    struct search s = {.in = in};
    if (!is_of_use(in))
        return true;
    // The walk needs one page of each batch, so readahead would be wasted.
    tp_reread_file_expect_jumps(&in->reread, true);
    search(&s);
    if (!hand_over(&s)) {
        s.found.passed_count = s.found.last_frequency = 0;
        s.found.passed_end_ns = 0;
        s.begin.offset = s.end_offset = 0;
    }
    s.found.is_bounded = s.end_offset > 0;
    tp_collect_begin_at(in, &s.found);
    if (s.begin.offset > 0)
        begin_at(in, &s);
    if (s.end_offset > 0)
        in->ingest->file.end_bytes = s.end_offset - s.begin.offset;
    return s.end_offset == 0 || in->ingest->file.end_bytes > 0;
}
