#include "pipeline/commit/remarks.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "pipeline/commit/commit.h"

// REMARKS

struct remarks {
    const struct tp_input_run *in;
    tp_remark_fn *fn;
    void *ctx;
};

// A warning of a list and kind; the rest of the arguments are its figures.
#define WARNING(of_list, of_kind, ...)                                                             \
    ((struct tp_remark){.list = TP_REMARK_##of_list,                                               \
                        .level = TP_MSG_WARNING,                                                   \
                        .kind = (of_kind),                                                         \
                        .figures = {__VA_ARGS__}})
#define FIGURE(key, value) ((struct tp_remark_figure){(key), (value), false})
#define SIGNED_FIGURE(key, value) ((struct tp_remark_figure){(key), (uint64_t)(value), true})

static TP_PRINTF(3, 4) void say(const struct remarks *to, struct tp_remark *r, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(r->text, sizeof r->text, fmt, args);
    va_end(args);
    to->fn(to->ctx, r);
}

// Whether the input gets remarks. An input that does not fit into memory gets none, because its
// missing parts are no damage in it.
static bool is_remarked(const struct tp_input_run *in)
{
    return tp_error_class_of(in->report.error.code) != TP_CLASS_BOUND;
}

// THE STREAM

bool tp_input_is_refused(const struct tp_input_run *in)
{
    if (!in->info_known)
        return false;
    if (in->info.format.decoder->kind == TP_KIND_OTHER)
        return true;
    // An input is refused if any sink does not take it: for example an older trace, a state, or a
    // later trace for a sink of legacy events.
    for (size_t k = 0; k < in->run->sink_count; k++) {
        if (tp_input_is_for(in, k) && !tp_sink_accepts(&in->run->sinks[k].plan, &in->info.format))
            return true;
    }
    return false;
}

bool tp_input_is_excluded(const struct tp_input_run *in)
{
    for (size_t k = 0; k < in->run->sink_count; k++) {
        const struct tp_run_sink *s = &in->run->sinks[k];
        size_t noted = s->leader != NULL ? (size_t)(s->leader - in->run->sinks) : k;
        const struct tp_sink_notes *n = &in->commit->sinks[noted].notes;
        if (!s->plan.is_binary && n->clock_doubt != TP_CLOCK_DOUBT_NONE && !n->includes_doubtful)
            return true;
    }
    return false;
}

// Fills *ret_why with the reason why the sinks of the run do not take an input of this format.
static void refuse_format(const struct tp_input_run *in, struct tp_error *ret_why)
{
    if (in->report.stored_bytes == 0)
        tp_fail(ret_why, TP_E_NOT_TRACE, "empty file, not a Go execution trace");
    else
        tp_format_refuse(&in->info.format, ret_why);
}

void tp_refusal_of(const struct tp_input_run *in, size_t k, struct tp_error *ret_why)
{
    if (in->commit->sinks[k].failed)
        *ret_why = in->commit->sinks[k].error;
    else if (in->report.error.code != 0)
        *ret_why = in->report.error;
    else
        refuse_format(in, ret_why);
}

static void say_refusal(const struct remarks *to)
{
    struct tp_error why;
    struct tp_remark r = {.list = TP_REMARK_NOTE, .level = TP_MSG_ERROR, .kind = "refused"};
    refuse_format(to->in, &why);
    say(to, &r, "%s", why.text);
}

static void say_damage(const struct remarks *to)
{
    const struct tp_input_run *in = to->in;
    const struct tp_input_report *report = &in->report;
    uint64_t kept = tp_remarks_kept(in, TP_REMARK_DAMAGE);
    for (size_t i = 0; i < kept; i++) {
        const struct tp_damage *d = &report->damage[i];
        struct tp_remark r =
            WARNING(DAMAGE, tp_loss_key(d->kind), FIGURE("offset", d->offset),
                    FIGURE("bytes", d->len_bytes), FIGURE("generation", d->generation));
        char generation[40] = "", lost[48] = "";
        if (in->info.format.decoder->has_generations)
            snprintf(generation, sizeof generation, ", generation %" PRIu64, d->generation);
        // A pipe that the user has ended, and a generation without its end mark, lose no bytes.
        if (d->len_bytes > 0)
            snprintf(lost, sizeof lost, ": %" PRIu64 " byte%s lost", d->len_bytes,
                     d->len_bytes == 1 ? "" : "s");
        say(to, &r, "%s%s at offset %" PRIu64 "%s", tp_loss_sentence(d->kind), lost, d->offset,
            generation);
    }
    if (report->damage_count > kept) {
        struct tp_remark r = WARNING(DAMAGE, NULL);
        char lost[48] = "";
        if (report->lost_bytes > 0)
            snprintf(lost, sizeof lost, ", %" PRIu64 " bytes lost in total", report->lost_bytes);
        say(to, &r, "%" PRIu64 " more places%s", report->damage_count - kept, lost);
    }
}

static void say_undecoded(const struct remarks *to)
{
    // All sinks that decode find the same bytes, so only the first one is reported.
    for (size_t k = 0; k < to->in->run->sink_count; k++) {
        const struct tp_sink_notes *n = &to->in->commit->sinks[k].notes;
        struct tp_remark r =
            WARNING(NOTE, "undecoded", FIGURE("offset", n->first_offset),
                    FIGURE("bytes", n->undecoded_bytes), FIGURE("batches", n->undecoded_batches));
        if (n->undecoded_bytes == 0)
            continue;
        say(to, &r, "%" PRIu64 " byte%s in %" PRIu64
            " batch%s cannot be decoded, the first at offset %" PRIu64, n->undecoded_bytes,
            n->undecoded_bytes == 1 ? "" : "s", n->undecoded_batches,
            n->undecoded_batches == 1 ? "" : "es", n->first_offset);
        return;
    }
}

// Reports events and texts that the output format of a sink cannot hold.
static void say_left_out(const struct remarks *to)
{
    for (size_t k = 0; k < to->in->run->sink_count; k++) {
        const struct tp_sink_notes *n = &to->in->commit->sinks[k].notes;
        const char *name = to->in->run->sinks[k].def->name;
        struct tp_remark events =
            WARNING(NOTE, "omitted_events", FIGURE("events", n->omitted_events));
        struct tp_remark texts = WARNING(NOTE, "cut_texts", FIGURE("texts", n->cut_texts));
        if (n->omitted_events > 0)
            say(to, &events, "%s: %" PRIu64 " event%s omitted", name, n->omitted_events,
                n->omitted_events == 1 ? "" : "s");
        if (n->cut_texts > 0)
            say(to, &texts, "%s: %" PRIu64 " string%s or stack%s truncated", name, n->cut_texts,
                n->cut_texts == 1 ? "" : "s", n->cut_texts == 1 ? "" : "s");
    }
}

// Reports pictures that are larger than their viewer opens, and what would fit.
static void say_large(const struct remarks *to)
{
    for (size_t k = 0; k < to->in->run->sink_count; k++) {
        const struct tp_large_picture *large = &to->in->commit->sinks[k].notes.large;
        struct tp_remark r = WARNING(NOTE, "large_picture", FIGURE("bytes", large->bytes));
        if (large->bytes > 0)
            say(to, &r, "%s: %.2f GB (uncompressed), and viewers open about %.1f GB: less of the trace "
                "(--to %.3fs) fits%s",
                to->in->run->sinks[k].def->name, (double)large->bytes / 1e9,
                (double)TP_VIEWER_MAX_BYTES / 1e9, (double)(large->fits_ns / 1000000) / 1e3,
                large->proc_bytes < TP_VIEWER_MAX_BYTES ? ", or tracks=ps, or some goroutines"
                                                        : ", or some goroutines");
    }
}

// Reports sinks whose sums wrapped around as Go's sums do.
static void say_wrapped(const struct remarks *to)
{
    for (size_t k = 0; k < to->in->run->sink_count; k++) {
        struct tp_remark r = WARNING(NOTE, "wrapped_sums");
        if (to->in->commit->sinks[k].notes.has_wrapped)
            say(to, &r, "%s: sums of durations exceed 2^63 ns and wrap around, as in Go",
                to->in->run->sinks[k].def->name);
    }
}

static void say_clock_doubt(const struct remarks *to)
{
    bool is_said[2] = {false}; // by whether the figures include it
    for (size_t k = 0; k < to->in->run->sink_count; k++) {
        const struct tp_sink_notes *n = &to->in->commit->sinks[k].notes;
        if (n->clock_doubt == TP_CLOCK_DOUBT_NONE || is_said[n->includes_doubtful])
            continue;
        is_said[n->includes_doubtful] = true;
        struct tp_remark r =
            WARNING(NOTE, "inconsistent_clock", FIGURE("discrepancy_ns", (uint64_t)n->doubt_ns));
        say(to, &r, "inconsistent clock: %s by %.0f s; %s", tp_clock_doubt_sentence(n->clock_doubt),
            n->doubt_ns / 1e9,
            n->includes_doubtful ? "included in all figures by stats:clocks=all"
                                 : "excluded if there are other traces "
                                   "(stats:clocks=all includes it)");
    }
}

// Reports the number of PCs that the program of --binary does not have.
static void say_unknown_pcs(const struct remarks *to)
{
    if (to->in->order_report == NULL || to->in->run->settings.binary == NULL)
        return;
    const struct tp_order_report *report = to->in->order_report;
    uint64_t unknown = report->pc_count - report->known_pc_count;
    struct tp_remark r = WARNING(NOTE, "unknown_pcs", FIGURE("pcs", unknown));
    if (unknown == 0)
        return;
    say(to, &r, "%" PRIu64 " of %" PRIu64 " PCs are not in %s: is it the program that was traced?",
        unknown, report->pc_count, to->in->run->settings.binary);
}

void tp_remarks_of_stream(const struct tp_input_run *in, tp_remark_fn *fn, void *ctx)
{
    const struct remarks to = {in, fn, ctx};
    if (!is_remarked(in))
        return;
    if (tp_input_is_refused(in) && in->report.error.code == 0)
        say_refusal(&to);
    say_damage(&to);
    say_undecoded(&to);
    say_left_out(&to);
    say_large(&to);
    say_clock_doubt(&to);
    say_wrapped(&to);
    say_unknown_pcs(&to);
}

// THE ORDER

static void say_shared(const struct remarks *to, const struct tp_shared_generations *shared)
{
    const char *first = shared->path;
    struct tp_remark r = WARNING(NOTE, "overlap", FIGURE("generations", shared->count));
    say(to, &r, "overlaps %s: %" PRIu32 " generation%s in common, counted twice", first,
        shared->count, shared->count == 1 ? "" : "s");
}

static void say_clock(const struct remarks *to, const struct tp_order_report *report)
{
    static const char *const clocks[] = {
        [TP_CLOCK_BEFORE] = "as in the previous generation",
        [TP_CLOCK_GIVEN] = "from --frequency",
        [TP_CLOCK_USUAL] = "the usual value of Go on Linux",
    };
    struct tp_remark r = WARNING(NOTE, "clock", FIGURE("generation", report->clock_generation),
                                 FIGURE("ticks_per_second", report->clock_frequency));
    say(to, &r, "generation %" PRIu64 " does not record its clock frequency: using %" PRIu64
        " ticks per second, %s", report->clock_generation, report->clock_frequency,
        clocks[report->clock_source]);
}

const char *const tp_doubt_keys[TP_DOUBT_KINDS] = {
#define TP_X(name, key, words) key,
    TP_DOUBT_MAP(TP_X)
#undef TP_X
};
static const char *const doubt_words[TP_DOUBT_KINDS] = {
#define TP_X(name, key, words) words,
    TP_DOUBT_MAP(TP_X)
#undef TP_X
};

static void say_doubt(const struct remarks *to, const struct tp_doubt *doubt)
{
    bool is_status = doubt->kind == TP_DOUBT_STATUS;
    bool has_generations = to->in->info.format.decoder->has_generations;
    char generation[40] = "";
    struct tp_remark r =
        WARNING(DOUBT, tp_doubt_keys[doubt->kind],
                FIGURE(has_generations ? "generation" : NULL, doubt->generation),
                SIGNED_FIGURE("time_ns", doubt->time_ns),
                SIGNED_FIGURE(has_generations ? "m" : NULL, doubt->m),
                SIGNED_FIGURE(is_status ? NULL : "goroutine", doubt->g));
    if (has_generations)
        snprintf(generation, sizeof generation, "generation %" PRIu64 ": ", doubt->generation);
    say(to, &r, "%s%s%sat %" PRId64 " ns; %sno data is lost", generation, doubt->text,
        is_status ? " " : ", ", doubt->time_ns, is_status ? "the later event is used, " : "");
}

// Gives the numbers of all doubts by kind, if there are more than those that were told.
static void say_more_doubts(const struct remarks *to, const struct tp_doubts *d, uint64_t kept)
{
    struct tp_remark r = WARNING(DOUBT, NULL);
    char all[512] = "";
    size_t at = 0;
    for (size_t kind = 0; kind < TP_DOUBT_KINDS; kind++) {
        if (d->by_kind[kind] > 0)
            at += (size_t)snprintf(all + at, sizeof all - at, "%s%" PRIu64 " %s",
                                   at > 0 ? ", " : "", d->by_kind[kind], doubt_words[kind]);
    }
    say(to, &r, "%" PRIu64 " more events contradict earlier ones and are used, no data is lost; in "
        "total %s", d->count - kept, all);
}

static void say_doubts(const struct remarks *to, const struct tp_doubts *d)
{
    uint64_t kept = tp_remarks_kept(to->in, TP_REMARK_DOUBT);
    for (uint64_t i = 0; i < kept; i++)
        say_doubt(to, &d->first[i]);
    if (d->count > kept)
        say_more_doubts(to, d, kept);
}

static const char *loss_kind(const struct tp_order_loss *l)
{
    if (l->is_of_tables)
        return "tables";
    switch (l->error.code) {
    case 0: return l->forced_count > 0 ? "gap" : "missing_ids";
    case TP_E_ORDER: return "order";
    case TP_E_EVENT: return "event";
    default: return "other";
    }
}

static void say_loss(const struct remarks *to, const struct tp_order_loss *l)
{
    bool has_generations = to->in->info.format.decoder->has_generations;
    bool has_offset = l->error.code != 0 && l->error.offset != TP_NO_OFFSET;
    struct tp_remark r =
        WARNING(LOSS, loss_kind(l), FIGURE(has_generations ? "generation" : NULL, l->generation),
                FIGURE("bytes", l->lost_bytes), FIGURE("forced_events", l->forced_count),
                FIGURE("missing_id_events", l->unknown_id_count),
                FIGURE(has_offset ? "offset" : NULL, l->error.offset));
    char what[48], counts[160] = "";
    size_t at = 0;
    if (has_generations)
        snprintf(what, sizeof what, "generation %" PRIu64 " is incomplete", l->generation);
    else
        snprintf(what, sizeof what, "%s",
                 l->error.code != 0 ? "events end early" : "the trace is incomplete");
    if (l->lost_bytes > 0)
        at += (size_t)snprintf(counts + at, sizeof counts - at,
                               ", %" PRIu64 " bytes of events not ordered", l->lost_bytes);
    if (l->forced_count > 0)
        at += (size_t)snprintf(counts + at, sizeof counts - at,
                               ", %" PRIu64 " event%s out of sequence", l->forced_count,
                               l->forced_count == 1 ? "" : "s");
    if (l->unknown_id_count > 0)
        snprintf(counts + at, sizeof counts - at,
                 ", %" PRIu64 " event%s with missing stacks or strings", l->unknown_id_count,
                 l->unknown_id_count == 1 ? "" : "s");
    say(to, &r, "%s%s%s%s", what, counts, l->error.code != 0 ? ": " : "",
        l->error.code != 0 ? l->error.text : "");
}

void tp_remarks_of_order(const struct tp_input_run *in, tp_remark_fn *fn, void *ctx)
{
    const struct remarks to = {in, fn, ctx};
    if (in->order_report == NULL || !is_remarked(in))
        return;
    const struct tp_order_report *report = in->order_report;
    if (report->clock_source != TP_CLOCK_OWN)
        say_clock(&to, report);
    if (report->shared.count > 0)
        say_shared(&to, &report->shared);
    say_doubts(&to, &report->doubts);
    uint64_t kept = tp_remarks_kept(in, TP_REMARK_LOSS);
    for (uint64_t i = 0; i < kept; i++)
        say_loss(&to, &report->losses[i]);
    if (report->loss_count > kept) {
        struct tp_remark r = WARNING(LOSS, NULL);
        say(&to, &r, "%" PRIu64 " more incomplete generations, %" PRIu64
            " bytes of events not ordered in total", report->loss_count - kept, report->lost_bytes);
    }
}

// COUNTS

uint64_t tp_remarks_count(const struct tp_input_run *in, enum tp_remark_list list)
{
    const struct tp_order_report *order = in->order_report;
    if (!is_remarked(in))
        return 0;
    switch (list) {
    case TP_REMARK_DAMAGE: return in->report.damage_count;
    case TP_REMARK_LOSS: return order != NULL ? order->loss_count : 0;
    case TP_REMARK_DOUBT: return order != NULL ? order->doubts.count : 0;
    default: return 0;
    }
}

uint64_t tp_remarks_kept(const struct tp_input_run *in, enum tp_remark_list list)
{
    static const uint64_t most[TP_REMARK_LISTS] = {
        [TP_REMARK_DAMAGE] = TP_DAMAGE_KEPT,
        [TP_REMARK_LOSS] = TP_ORDER_LOSSES_KEPT,
        [TP_REMARK_DOUBT] = TP_DOUBTS_KEPT,
    };
    uint64_t count = tp_remarks_count(in, list);
    return count < most[list] ? count : most[list];
}
