#include "pipeline/report.h"

#include <inttypes.h>
#include <stdio.h>

static bool is_refused(const struct tp_input_run *in)
{
    if (!in->info_known)
        return false;
    if (in->info.format.family == TP_FORMAT_NONE || in->info.format.family == TP_FORMAT_UNKNOWN)
        return true;
    // Older traces are fine where nobody had to look inside, states where others read them,
    // later traces where nobody wants what only older ones have.
    for (size_t k = 0; k < in->run->sink_count; k++) {
        if (!tp_sink_takes(in->run->sinks[k].ops, &in->info))
            return true;
    }
    return false;
}

// Whether what the scan says is what the sinks' users asked for. There is no reader of Go's
// that prints older traces as they are.
static bool scan_decides(const struct tp_input_run *in)
{
    const struct tp_run *run = in->run;
    if (!run->settings.strict || tp_format_is_old(&in->info.format))
        return true;
    for (size_t k = 0; k < run->sink_count; k++) {
        if (!run->sinks[k].ops->has_reference)
            return true;
    }
    return false;
}

enum tp_input_status tp_report_status(const struct tp_input_run *in)
{
    if (in->report.error.code != 0)
        return TP_INPUT_FAILED;
    if (is_refused(in))
        return TP_INPUT_REFUSED;
    for (size_t k = 0; k < in->run->sink_count; k++) {
        if (in->sinks[k].spoiled)
            return TP_INPUT_FAILED;
    }
    if (in->ordering != NULL && in->ordering->report.loss_count > 0)
        return TP_INPUT_DAMAGED;
    return in->report.damage_count > 0 && scan_decides(in) ? TP_INPUT_DAMAGED
                                                                : TP_INPUT_COMPLETE;
}

static void place_of(const struct tp_error *e, char *to, size_t to_bytes)
{
    if (e->line != 0)
        snprintf(to, to_bytes, " at line %" PRIu64 ", column %" PRIu64, e->line, e->column);
    else if (e->offset != TP_NO_OFFSET)
        snprintf(to, to_bytes, " at byte %" PRIu64, e->offset);
    else
        to[0] = '\0';
}

static void say_error(const struct tp_input_run *in, const char *who, const struct tp_error *e)
{
    char place[64];
    place_of(e, place, sizeof place);
    tp_run_message(in->run, TP_MSG_ERROR, "%s: %s%s%s", in->input->path, who, e->text, place);
}

static void say_refusal(const struct tp_input_run *in)
{
    const char *path = in->input->path;
    const struct tp_format *f = &in->info.format;
    switch (f->family) {
    case TP_FORMAT_V0:
        tp_run_message(in->run, TP_MSG_ERROR,
                       "%s: trace from before Go 1.5, which not all sinks here read", path);
        break;
    case TP_FORMAT_V1:
        tp_run_message(in->run, TP_MSG_ERROR,
                       "%s: trace in the format of Go 1.%" PRIu32
                       ", which not all sinks here read", path, f->minor);
        break;
    case TP_FORMAT_V2:
        tp_run_message(in->run, TP_MSG_ERROR,
                       "%s: trace of Go 1.%" PRIu32
                       ", which has no events as before Go 1.22 (model=v1)", path, f->minor);
        break;
    case TP_FORMAT_UNKNOWN:
        tp_run_message(in->run, TP_MSG_ERROR, "%s: trace of an unknown release, Go 1.%" PRIu32,
                       path, f->minor);
        break;
    case TP_FORMAT_STATE:
        tp_run_message(in->run, TP_MSG_ERROR,
                       "%s: state of statistics, which only --sink stats:level=full reads", path);
        break;
    default:
        tp_run_message(in->run, TP_MSG_ERROR, "%s: %s", path,
                       in->report.stored_bytes == 0 ? "empty file, not a Go execution trace"
                                                    : tp_error_sentence(TP_E_NOT_TRACE));
        break;
    }
}

static void say_damage(const struct tp_input_run *in)
{
    const struct tp_input_report *r = &in->report;
    for (size_t i = 0; i < r->damage_count && i < TP_DAMAGE_KEPT; i++) {
        const struct tp_damage *d = &r->damage[i];
        char generation[40] = "";
        if (!tp_format_is_old(&in->info.format)) // which have none
            snprintf(generation, sizeof generation, ", generation %" PRIu64, d->generation);
        tp_run_message(in->run, TP_MSG_WARNING, "%s: %s: %" PRIu64 " byte%s lost at offset %" PRIu64
                       "%s", in->input->path, tp_loss_sentence(d->kind), d->len_bytes,
                       d->len_bytes == 1 ? "" : "s", d->offset, generation);
    }
    if (r->damage_count > TP_DAMAGE_KEPT)
        tp_run_message(in->run, TP_MSG_WARNING,
                       "%s: %" PRIu64 " more places, %" PRIu64 " bytes lost in all",
                       in->input->path, r->damage_count - TP_DAMAGE_KEPT, r->lost_bytes);
}

static void say_notes(const struct tp_input_run *in)
{
    // Sinks that decode find the same; one message is enough.
    for (size_t k = 0; k < in->run->sink_count; k++) {
        const struct tp_sink_notes *n = &in->sinks[k].notes;
        if (n->undecoded_bytes == 0)
            continue;
        tp_run_message(in->run, TP_MSG_WARNING,
                       "%s: %" PRIu64 " byte%s in %" PRIu64
                       " batch%s cannot be decoded, the first at offset %" PRIu64,
                       in->input->path, n->undecoded_bytes, n->undecoded_bytes == 1 ? "" : "s",
                       n->undecoded_batches, n->undecoded_batches == 1 ? "" : "es",
                       n->first_offset);
        return;
    }
}

// What a sink that writes another form had no place for.
static void say_left_out(const struct tp_input_run *in)
{
    for (size_t k = 0; k < in->run->sink_count; k++) {
        const struct tp_sink_notes *n = &in->sinks[k].notes;
        const char *name = in->run->sinks[k].ops->name;
        if (n->left_out_events > 0)
            tp_run_message(in->run, TP_MSG_WARNING, "%s: %s: %" PRIu64 " event%s left out",
                           in->input->path, name, n->left_out_events,
                           n->left_out_events == 1 ? "" : "s");
        if (n->cut_texts > 0)
            tp_run_message(in->run, TP_MSG_WARNING,
                           "%s: %s: %" PRIu64 " string%s or stack%s cut short", in->input->path,
                           name, n->cut_texts, n->cut_texts == 1 ? "" : "s",
                           n->cut_texts == 1 ? "" : "s");
    }
}

static void say_order_loss(const struct tp_input_run *in, const struct tp_order_loss *l)
{
    char counts[160] = "";
    size_t at = 0;
    if (l->lost_bytes > 0)
        at += (size_t)snprintf(counts + at, sizeof counts - at,
                               ", %" PRIu64 " bytes of events left out", l->lost_bytes);
    if (l->forced_count > 0)
        at += (size_t)snprintf(counts + at, sizeof counts - at,
                               ", %" PRIu64 " events follow from none before", l->forced_count);
    if (l->unknown_id_count > 0)
        snprintf(counts + at, sizeof counts - at,
                 ", %" PRIu64 " events name missing stacks or strings", l->unknown_id_count);
    const char *colon = l->error.code != 0 ? ": " : "";
    const char *why = l->error.code != 0 ? l->error.text : "";
    if (tp_format_is_old(&in->info.format))
        tp_run_message(in->run, TP_MSG_WARNING, "%s: events end early%s%s%s", in->input->path,
                       counts, colon, why);
    else
        tp_run_message(in->run, TP_MSG_WARNING, "%s: generation %" PRIu64 " is incomplete%s%s%s",
                       in->input->path, l->generation, counts, colon, why);
}

// What --binary came to.
static void say_symbols(const struct tp_input_run *in)
{
    const struct tp_order_report *r = &in->ordering->report;
    const char *path = in->input->path, *binary = in->run->settings.binary;
    const struct tp_format *f = &in->info.format;
    if (binary == NULL || !in->info_known || !tp_format_has_order(f))
        return;
    if (!tp_format_is_old(f) || tp_v1_table(f->minor)->frame_args > 1)
        tp_run_message(in->run, TP_MSG_DETAIL, "%s: has names of its own, none are taken from %s",
                       path, binary);
    else if (r->known_pc_count < r->pc_count)
        tp_run_message(in->run, TP_MSG_WARNING,
                       "%s: %" PRIu64 " of %" PRIu64 " PCs are not in %s: is it the program that "
                       "was traced?", path, r->pc_count - r->known_pc_count, r->pc_count, binary);
    else if (r->pc_count > 0)
        tp_run_message(in->run, TP_MSG_DETAIL, "%s: all %" PRIu64 " PCs are in %s", path,
                       r->pc_count, binary);
}

static void say_order(const struct tp_input_run *in)
{
    if (in->ordering == NULL)
        return;
    const struct tp_order_report *r = &in->ordering->report;
    static const char *const clocks[] = {
        [TP_CLOCK_BEFORE] = "the generation before it",
        [TP_CLOCK_GIVEN] = "--frequency",
        [TP_CLOCK_USUAL] = "what Go programs on Linux have",
    };
    const struct tp_ordering *o = in->ordering;
    say_symbols(in);
    if (o->window.is_set) {
        tp_run_message(in->run, TP_MSG_DETAIL,
                       "%s: window: %" PRIu64 " of %" PRIu64 " generations ordered; %" PRIu64
                       " bytes read, %" PRIu64 " more of batch headers, %" PRIu64
                       " before the window passed over",
                       in->input->path, o->opened_count - o->passed_count, o->opened_count,
                       in->report.stream_bytes - in->report.passed_bytes, o->header_bytes,
                       in->report.passed_bytes);
        tp_run_message(in->run, TP_MSG_DETAIL,
                       "%s: window: %" PRIu64 " of the events ordered are in it, %" PRIu64
                       " before, %" PRIu64 " behind; %" PRIu64
                       " bytes of events behind it were not looked at",
                       in->input->path, r->event_count, r->before_count, r->behind_count,
                       r->behind_bytes);
    }
    uint64_t given_up_count = atomic_load_explicit(&o->given_up_count, memory_order_relaxed);
    if (o->proof_count + given_up_count > 0)
        tp_run_message(in->run, TP_MSG_DETAIL,
                       "%s: of %" PRIu64 " generations ordered before their turn %" PRIu64
                       " were right, %" PRIu64 " wrong, %" PRIu64 " given up", in->input->path,
                       o->proof_count + given_up_count, o->right_count,
                       o->proof_count - o->right_count, given_up_count);
    if (r->clock_source != TP_CLOCK_OWN)
        tp_run_message(in->run, TP_MSG_WARNING,
                       "%s: generation %" PRIu64 " does not say how its clock runs: its times rest "
                       "on %" PRIu64 " units per second, taken from %s",
                       in->input->path, r->clock_generation, r->clock_frequency,
                       clocks[r->clock_source]);
    for (uint64_t i = 0; i < r->loss_count && i < TP_ORDER_LOSSES_KEPT; i++)
        say_order_loss(in, &r->losses[i]);
    if (r->loss_count > TP_ORDER_LOSSES_KEPT)
        tp_run_message(in->run, TP_MSG_WARNING,
                       "%s: %" PRIu64 " more incomplete generations, %" PRIu64
                       " bytes of events not ordered in all",
                       in->input->path, r->loss_count - TP_ORDER_LOSSES_KEPT, r->lost_bytes);
}

void tp_report_messages(const struct tp_input_run *in)
{
    const struct tp_input_report *r = &in->report;
    if (is_refused(in) && r->error.code == 0)
        say_refusal(in);
    say_damage(in);
    say_notes(in);
    say_left_out(in);
    say_order(in);
    if (r->error.code != 0)
        say_error(in, "", &r->error);
    for (size_t k = 0; k < in->run->sink_count; k++) {
        char who[32];
        snprintf(who, sizeof who, "%s: ", in->run->sinks[k].ops->name);
        if (in->sinks[k].spoiled)
            say_error(in, who, &in->sinks[k].error);
    }
    // How far the engine had got when the window ended is chance.
    if (r->read_count > 0 && !tp_collect_is_all_read(in) && r->passed_bytes == 0)
        tp_run_message(in->run, TP_MSG_DETAIL, "%s: %s%" PRIu64 " bytes in %" PRIu64 " read%s",
                       in->input->path,
                       tp_report_status(in) == TP_INPUT_COMPLETE ? "complete, " : "",
                       r->stored_bytes, r->read_count, r->read_count == 1 ? "" : "s");
}
