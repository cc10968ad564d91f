#include "pipeline/commit/input_order.h"

#include <inttypes.h>
#include <sys/resource.h>

#include "pipeline/commit/commit.h"
#include "pipeline/commit/outputs.h"
#include "pipeline/commit/record_lines.h"
#include "pipeline/commit/remarks.h"
#include "pipeline/commit/report.h"
#include "pipeline/commit/resume.h"
#include "pipeline/commit/sink_call.h"
#include "pipeline/commit/windows.h"

// BEGIN AND END OF THE RUN

// Whether the sink makes one text of all inputs, on stdout.
static bool is_report(const struct tp_run_sink *s)
{
    return s->plan.output == TP_OUTPUT_FOR_ALL && !s->plan.is_binary && strcmp(s->output, "-") == 0;
}

static int begin_sink(struct tp_run *run, struct tp_run_sink *s, size_t k, struct tp_error *err)
{
    if (!s->is_shared)
        return 0;
    bool is_own = tp_resume_replaces(run->outputs->resume, NULL, k);
    int rc = s->plan.output == TP_OUTPUT_NONE
                 ? 0
                 : tp_output_open(run, s->output, 0, is_own, &s->shared, err);
    if (rc == 0 && is_report(s) && run->reports.fn != NULL)
        tp_out_divert(s->shared, run->reports.fn, run->reports.ctx);
    if (rc == 0 && s->plan.has_texts_as_they_are && tp_out_is_terminal(s->output))
        tp_out_escape(s->shared);
    if (rc != 0 || s->plan.run.begin == NULL)
        return rc;
    struct tp_sink_call call = tp_sink_call_of(run, k);
    struct tp_out_writer w = tp_out_writer_of(s->shared, NULL);
    call.out = &w.out;
    return s->plan.run.begin(&call, err);
}

void tp_input_order_begin(struct tp_run *run)
{
    struct tp_error err;
    int rc = run->settings.manifest != NULL ? tp_manifest_begin(run, &err) : 0;
    for (size_t k = 0; k < run->sink_count && rc == 0; k++)
        rc = begin_sink(run, &run->sinks[k], k, &err);
    if (rc != 0)
        tp_run_fail(run, &err);
}

static void measure(struct tp_run *run)
{
    struct tp_run_figures *f = &run->outputs->figures;
    struct rusage ru;
    getrusage(RUSAGE_SELF, &ru);
    f->stored_bytes = atomic_load(&run->meter.stored_bytes);
    f->stream_bytes = run->outputs->stream_bytes;
    f->wall_ns = tp_now_ns() - run->meter.start_ns;
    f->cpu_ns = tp_process_cpu_ns();
    f->scan_cpu_ns = atomic_load(&run->meter.scan_cpu_ns);
    f->work_cpu_ns = atomic_load(&run->meter.work_cpu_ns);
    f->order_cpu_ns = atomic_load(&run->meter.order_cpu_ns);
    f->peak_rss_bytes = (uint64_t)ru.ru_maxrss * 1024;
}

static int end_sink(struct tp_run *run, struct tp_run_sink *s, size_t k, struct tp_error *err)
{
    if (s->shared == NULL && s->plan.output != TP_OUTPUT_NONE)
        return 0;
    struct tp_sink_call call = tp_sink_call_of(run, k);
    struct tp_out_writer w = tp_out_writer_of(s->shared, NULL);
    call.out = &w.out;
    int rc = s->plan.run.end != NULL ? s->plan.run.end(&call, &run->outputs->figures, err) : 0;
    if (rc != 0 || s->shared == NULL)
        return rc;
    const struct tp_shared_output output = {s->spec, s->output, s->shared};
    s->shared = NULL;
    s->shared_bytes = tp_out_written_bytes(output.file);
    return tp_resume_commit_shared(run, &output, err);
}

static int end_manifest(struct tp_run *run, struct tp_error *err)
{
    int rc = tp_manifest_end(run, err);
    if (rc != 0)
        return rc;
    const struct tp_shared_output output = {NULL, run->settings.manifest, run->outputs->manifest};
    run->outputs->manifest = NULL;
    return tp_resume_commit_shared(run, &output, err);
}

// Ends the sinks with binary outputs, or the others.
static int end_sinks(struct tp_run *run, bool is_binary, struct tp_error *err)
{
    int rc = 0;
    for (size_t k = 0; k < run->sink_count && rc == 0 && !tp_run_is_stopping(run); k++) {
        if (run->sinks[k].plan.is_binary == is_binary)
            rc = end_sink(run, &run->sinks[k], k, err);
    }
    return rc;
}

// Warns if the time window left out all events of all inputs.
static void say_windows(struct tp_run *run)
{
    char text[TP_WINDOWS_TEXT_BYTES];
    if (!tp_run_is_stopping(run) &&
        tp_windows_are_empty(&run->outputs->windows, &run->settings.zone, text))
        tp_run_message(run, TP_MSG_WARNING, "%s", text);
}

// Warns if the options of a sink select nothing of any input, unless the time window has said so.
static void say_selections(struct tp_run *run)
{
    const struct tp_run_outputs *o = run->outputs;
    bool has_events = o->windows.input_count == 0 || o->windows.event_count > 0;
    if (tp_run_is_stopping(run) || !has_events || o->known_count == 0 || o->skipped_count > 0)
        return;
    for (size_t k = 0; k < run->sink_count; k++) {
        const struct tp_run_sink *s = &run->sinks[k];
        if (s->plan.selects && s->selected_count == 0)
            tp_run_message(run, TP_MSG_WARNING, "nothing matches '%s'%s", s->spec,
                           s->plan.selects_by != NULL ? s->plan.selects_by : "");
    }
}

// Fails the run's inputs as a whole if there is none of which anything could be read: else a script
// would take an empty folder, or a wrong name in a list, for traces without faults. An input that
// options leave out on purpose is none of the run's, but one that was skipped has been read before.
static void say_nothing_read(struct tp_run *run)
{
    size_t count = run->inputs.count;
    uint64_t known = run->outputs->known_count, excluded = run->outputs->excluded_count;
    // A single trace is not excluded.
    bool are_all_excluded = known > 1 && excluded == known;
    bool are_all_skipped = known == 0 && count == 0 && run->outputs->skipped_count > 0;
    if (tp_run_is_stopping(run) || are_all_skipped || (known > 0 && !are_all_excluded))
        return;
    atomic_store(&run->outcome.input_failed, true);
    if (are_all_excluded)
        tp_run_message(run, TP_MSG_ERROR,
                       "all %" PRIu64 " traces are excluded for their inconsistent clocks; "
                       "stats:clocks=all includes them", known);
    else if (count == 0)
        tp_run_message(run, TP_MSG_ERROR, "no input: the folders and lists have no files");
    else if (count > 1)
        tp_run_message(run, TP_MSG_ERROR, "none of the %zu inputs could be read as a trace", count);
}

void tp_input_order_end(struct tp_run *run)
{
    struct tp_error err;
    measure(run);
    if (!tp_run_is_stopping(run))
        tp_repeats_say(&run->outputs->repeats, run);
    say_windows(run);
    say_selections(run);
    say_nothing_read(run);
    bool has_record = run->outputs->resume != NULL && !tp_run_is_stopping(run);
    // Before any sink ends: it may change its sums.
    int rc = has_record ? tp_resume_save(run, &err) : 0;
    if (rc == 0)
        rc = end_sinks(run, true, &err);
    if (rc == 0)
        rc = end_sinks(run, false, &err);
    if (rc == 0 && run->outputs->manifest != NULL && !tp_run_is_stopping(run))
        rc = end_manifest(run, &err);
    if (rc == 0 && has_record)
        rc = tp_resume_end(run, &err);
    if (rc != 0)
        tp_run_fail(run, &err);
    // Outputs that are still open could not be completed.
    for (size_t k = 0; k < run->sink_count; k++) {
        tp_out_abandon(run->sinks[k].shared);
        run->sinks[k].shared = NULL;
    }
    tp_out_abandon(run->outputs->manifest);
    run->outputs->manifest = NULL;
}

// THE TURN OF ONE INPUT

// Whether a sink of the run adds up ordered events of several inputs.
static bool has_sums(const struct tp_run *run)
{
    bool found = false;
    for (size_t k = 0; k < run->sink_count; k++)
        found = found || run->sinks[k].plan.need == TP_NEED_FOLD;
    return found && run->inputs.count + run->outputs->skipped_count > 1;
}

// Looks for generations of the input in those before it. Returns false after a failure of the run.
static bool find_shared(struct tp_input_run *in)
{
    struct tp_run *run = in->run;
    struct tp_snapshots *s = &run->outputs->snapshots;
    struct tp_error err;
    // Both sides of a comparison may have the same traces.
    if (in->order_report == NULL || in->input->is_baseline || !has_sums(run))
        return true;
    if (tp_snapshots_add(s, in->index, in->order_report, &err) != 0) {
        tp_run_fail(run, &err);
        return false;
    }
    struct tp_shared_generations *shared = &in->order_report->shared;
    if (shared->count > 0)
        shared->path = tp_resume_path_of(run, shared->input_index);
    tp_account_keep(&run->memory.grown, &s->share, tp_map_bytes(&s->inputs));
    return true;
}

// Fails the run if a state beside the record was not read: all sums would lack its inputs.
static void check_state(const struct tp_input_run *in)
{
    struct tp_error why;
    const struct tp_input_sink *is = &in->commit->sinks[in->input->only_sink - 1];
    if (tp_run_is_stopping(in->run) || (!is->failed && is->has_output && in->report.error.code == 0))
        return;
    tp_refusal_of(in, in->input->only_sink - 1, &why);
    why.path = in->input->path;
    tp_run_fail(in->run, &why);
}

void tp_input_order_report(struct tp_input_run *in)
{
    struct tp_run *run = in->run;
    if (in->input->only_sink != 0) {
        check_state(in);
        return;
    }
    if (tp_run_is_stopping(run) || !find_shared(in))
        return;
    tp_report_messages(in);
    enum tp_input_status status = tp_report_status(in);
    if (status == TP_INPUT_OVER_MEMORY || status == TP_INPUT_TIMED_OUT || status == TP_INPUT_UNWRITTEN)
        atomic_store(&run->outcome.input_beyond_host, true);
    else if (status != TP_INPUT_COMPLETE)
        atomic_store(&run->outcome.input_failed, true);
    run->outputs->known_count += in->info_known && in->info.format.decoder->kind != TP_KIND_OTHER;
    run->outputs->excluded_count += tp_input_is_excluded(in);
    run->outputs->stream_bytes += in->report.stream_bytes;
    for (size_t k = 0; k < run->sink_count; k++)
        run->sinks[k].selected_count += in->commit->sinks[k].notes.selected_count;
    for (size_t i = 0; i < TP_RULES && in->order_report != NULL; i++)
        run->outputs->figures.rule_counts[i] += in->order_report->rule_counts[i];
    struct tp_error err;
    if (in->order_report != NULL &&
        tp_windows_add(&run->outputs->windows, in->order_report, &run->settings.zone, &err) != 0) {
        err.path = in->input->path;
        tp_run_fail(run, &err);
        return;
    }
    int rc = run->outputs->manifest != NULL ? tp_manifest_add(run, in, &err) : 0;
    if (rc == 0 && run->outputs->resume != NULL)
        rc = tp_resume_add(in, &err);
    if (rc != 0)
        tp_run_fail(run, &err);
    if (status != TP_INPUT_COMPLETE && run->settings.fails_fast) {
        tp_run_message(run, TP_MSG_ERROR, "%s: the run ends with this input (--fail-fast)",
                       in->input->path);
        tp_run_stop(run);
    }
}
