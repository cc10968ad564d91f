#include "pipeline/commit/report.h"

#include <inttypes.h>
#include <stdio.h>

#include "pipeline/commit/commit.h"
#include "pipeline/commit/outputs.h"
#include "pipeline/commit/remarks.h"

// Whether damage that the scan found makes the input damaged. Under --strict it does not if every
// sink reproduces one of Go's readers, because then that reader alone decides.
static bool scan_decides(const struct tp_input_run *in)
{
    const struct tp_run *run = in->run;
    if (!run->settings.strict || !in->info.format.decoder->has_raw_reader)
        return true;
    for (size_t k = 0; k < run->sink_count; k++) {
        if (!run->sinks[k].plan.has_reference)
            return true;
    }
    return false;
}

enum tp_input_status tp_report_status(const struct tp_input_run *in)
{
    bool is_over_memory = tp_error_class_of(in->report.error.code) == TP_CLASS_BOUND;
    bool has_failed = false, is_unwritten = false, is_too_large = in->report.error.code == TP_E_TOO_LARGE;
    for (size_t k = 0; k < in->run->sink_count; k++) {
        const struct tp_input_sink *is = &in->commit->sinks[k];
        is_over_memory = is_over_memory || tp_error_class_of(is->error.code) == TP_CLASS_BOUND;
        is_unwritten = is_unwritten || tp_error_class_of(is->error.code) == TP_CLASS_HOST;
        has_failed = has_failed || is->failed;
        is_too_large = is_too_large || is->error.code == TP_E_TOO_LARGE;
    }
    if (in->report.error.code == TP_E_TIMEOUT)
        return TP_INPUT_TIMED_OUT;
    if (is_over_memory)
        return TP_INPUT_OVER_MEMORY;
    if (is_unwritten)
        return TP_INPUT_UNWRITTEN;
    // A limit that no bound of memory raises refuses an input as its format does.
    if (is_too_large)
        return TP_INPUT_REFUSED;
    if (in->report.error.code != 0)
        return TP_INPUT_FAILED;
    if (tp_input_is_refused(in))
        return TP_INPUT_REFUSED;
    if (has_failed)
        return TP_INPUT_FAILED;
    if (in->order_report != NULL && in->order_report->loss_count > 0)
        return TP_INPUT_DAMAGED;
    return in->report.damage_count > 0 && scan_decides(in) ? TP_INPUT_DAMAGED
                                                                : TP_INPUT_COMPLETE;
}

// Whether a message about the input is to be sent.
static bool is_sent(const struct tp_input_run *in, enum tp_message_level level, const char *list,
                    const char *kind)
{
    struct tp_run *run = in->run;
    return run->settings.verbose ||
           tp_repeats_take(&run->outputs->repeats, in->index, level, list, kind);
}

static void say_error(const struct tp_input_run *in, const char *who, const struct tp_error *e)
{
    char place[64] = "";
    if (!is_sent(in, TP_MSG_ERROR, "error", tp_error_sentence(e->code)))
        return;
    if (e->line != 0)
        snprintf(place, sizeof place, " at line %" PRIu64 ", column %" PRIu64, e->line, e->column);
    else if (e->offset != TP_NO_OFFSET)
        snprintf(place, sizeof place, " at byte %" PRIu64, e->offset);
    tp_run_message(in->run, TP_MSG_ERROR, "%s: %s%s%s", in->input->path, who, e->text, place);
}

static void say_remark(void *ctx, const struct tp_remark *remark)
{
    static const char *const lists[] = {[TP_REMARK_DAMAGE] = "damage",
                                        [TP_REMARK_LOSS] = "loss",
                                        [TP_REMARK_DOUBT] = "doubt",
                                        [TP_REMARK_NOTE] = "note"};
    const struct tp_input_run *in = ctx;
    const char *list = remark->level == TP_MSG_ERROR ? "error" : lists[remark->list];
    if (is_sent(in, remark->level, list, remark->kind))
        tp_run_message(in->run, remark->level, "%s: %s", in->input->path, remark->text);
}

// Sends a message if --binary was not needed, or if its program has all PCs.
static void say_symbols(const struct tp_input_run *in)
{
    const struct tp_order_report *r = in->order_report;
    const char *path = in->input->path, *binary = in->run->settings.binary;
    const struct tp_format *f = &in->info.format;
    if (binary == NULL || !in->info_known || !tp_format_is_trace(f))
        return;
    if (f->minor >= f->decoder->first_with_names)
        tp_run_message(in->run, TP_MSG_DETAIL, "%s: the trace has function names, %s is not used",
                       path, binary);
    else if (r->pc_count > 0 && r->known_pc_count == r->pc_count)
        tp_run_message(in->run, TP_MSG_DETAIL, "%s: all %" PRIu64 " PCs are in %s", path,
                       r->pc_count, binary);
}

// Sends messages about how the events were put in order.
static void say_order(const struct tp_input_run *in)
{
    if (in->order_report == NULL)
        return;
    const struct tp_order_report *r = in->order_report;
    const struct tp_window_report *w = &r->window;
    const struct tp_speculation_report *s = &r->speculation;
    say_symbols(in);
    if (w->place.is_set) {
        tp_run_message(in->run, TP_MSG_DETAIL,
                       "%s: window: %" PRIu64 " of %" PRIu64 " generations ordered; %" PRIu64
                       " bytes read, %" PRIu64 " of batch headers, %" PRIu64
                       " skipped outside the window",
                       in->input->path, w->opened_count - w->passed_count, w->opened_count,
                       in->report.stream_bytes - in->report.passed_bytes, w->header_bytes,
                       in->report.passed_bytes);
        tp_run_message(
            in->run, TP_MSG_DETAIL,
            "%s: window: %" PRIu64 " events ordered inside, %" PRIu64 " before, %" PRIu64
            " after; %" PRIu64 " bytes of events after it not read",
            in->input->path, r->event_count, w->before_count, w->behind_count, w->behind_bytes);
    }
    if (s->check_count + s->given_up_count > 0)
        tp_run_message(in->run, TP_MSG_DETAIL,
                       "%s: generations ordered speculatively: %" PRIu64 " right, %" PRIu64
                       " wrong, %" PRIu64 " abandoned", in->input->path, s->right_count,
                       s->check_count - s->right_count, s->given_up_count);
}

void tp_report_messages(struct tp_input_run *in)
{
    const struct tp_input_report *r = &in->report;
    if (tp_error_class_of(r->error.code) == TP_CLASS_BOUND) {
        say_error(in, "", &r->error);
        return;
    }
    tp_remarks_of_stream(in, say_remark, in);
    say_order(in);
    tp_remarks_of_order(in, say_remark, in);
    if (r->error.code != 0)
        say_error(in, "", &r->error);
    for (size_t k = 0; k < in->run->sink_count; k++) {
        char who[32];
        snprintf(who, sizeof who, "%s: ", in->run->sinks[k].def->name);
        bool is_said = in->run->sinks[k].leader != NULL ||
                       (tp_error_voids_input(r->error.code) &&
                        in->commit->sinks[k].error.code == r->error.code);
        if (in->commit->sinks[k].failed && !is_said)
            say_error(in, who, &in->commit->sinks[k].error);
    }
    // With a window the figures would vary from run to run, because the engine may have read any
    // number of bytes after the window.
    if (r->read_count > 0 && !in->stored.is_past_window && r->passed_bytes == 0)
        tp_run_message(in->run, TP_MSG_DETAIL, "%s: %s%" PRIu64 " bytes in %" PRIu64 " read%s",
                       in->input->path,
                       tp_report_status(in) == TP_INPUT_COMPLETE ? "complete, " : "",
                       r->stored_bytes, r->read_count, r->read_count == 1 ? "" : "s");
}
