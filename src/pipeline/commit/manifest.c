// Writes the JSON manifest of a run: one document, written through a small buffer whenever an input
// has its turn, so that a million inputs need no memory:
//
//   {"schema": "tracepipe.manifest/4", "inputs": [ {...}, ... ], "outputs": [ {...}, ... ],
//    "exit_status": 0}
//
// The manifest depends on inputs and options only, so it has no times of the run.

#include <inttypes.h>

#include "base/alloc.h"
#include "pipeline/commit/commit.h"
#include "pipeline/commit/outputs.h"
#include "pipeline/commit/remarks.h"
#include "pipeline/commit/report.h"
#include "pipeline/commit/resume.h"
#include "pipeline/commit/sink_call.h"
#include "sink/print/fields.h"

struct printer {
    struct tp_emit e;
    struct tp_out_writer writer;
};

// Begins to print a part of the manifest. `follows_inputs`: an input was written before this part.
static struct tp_emit *begin(struct printer *p, struct tp_run *run, bool follows_inputs,
                             struct tp_error *err)
{
    p->writer = tp_out_writer_of(run->outputs->manifest, NULL);
    tp_emit_init(&p->e, &p->writer.out, err);
    p->e.has_spaces = true;
    p->e.has_items = follows_inputs;
    return &p->e;
}

int tp_manifest_begin(struct tp_run *run, struct tp_error *err)
{
    static const char head[] = "{\"schema\": \"tracepipe.manifest/4\", \"inputs\": [";
    bool is_own = tp_resume_replaces(run->outputs->resume, NULL, TP_SINKS_MAX);
    int rc = tp_output_open(run, run->settings.manifest, 0, is_own, &run->outputs->manifest, err);
    return rc != 0 ? rc : tp_out_write(run->outputs->manifest, head, sizeof head - 1, err);
}

const char *const tp_report_words[] = {
    [TP_INPUT_COMPLETE] = "complete",       [TP_INPUT_DAMAGED] = "damaged",
    [TP_INPUT_REFUSED] = "refused",         [TP_INPUT_FAILED] = "failed",
    [TP_INPUT_OVER_MEMORY] = "over_memory", [TP_INPUT_TIMED_OUT] = "timed_out",
    [TP_INPUT_UNWRITTEN] = "unwritten",
};

static void put_identity(struct tp_emit *e, const struct tp_input_run *in)
{
    const struct tp_input_report *r = &in->report;
    tp_field_text(e, "path", in->input->path);
    tp_field_wide(e, "stored_bytes", r->stored_bytes);
    if (in->stored.digest != NULL && r->error.code != TP_E_OPEN) {
        char digest[TP_DIGEST_TEXT_BYTES];
        tp_digest_text(in->stored.digest, digest);
        tp_field_text(e, "xxh3_128", digest);
    }
}

static void put_format(struct tp_emit *e, const struct tp_input_run *in)
{
    const struct tp_format *f = &in->info.format;
    if (in->input->is_baseline)
        tp_field_bool(e, "baseline", true);
    tp_field_text(e, "status", tp_report_words[tp_report_status(in)]);
    tp_field_text(e, "codec", tp_codec_name(in->stored.codec));
    if (!in->info_known)
        return;
    const char *name = f->decoder->name;
    if (name != NULL && name[0] != '\0')
        tp_field_text(e, "format", name);
    if (name != NULL)
        return;
    tp_emit_json_key(e, "format");
    tp_emit_printf(e, "\"go1.%" PRIu32 "\"", f->minor);
    tp_field_text(e, "form", in->info.is_text_form ? "text" : "binary");
}

static void put_bytes(struct tp_emit *e, const struct tp_input_report *r)
{
    tp_field_wide(e, "stream_bytes", r->stream_bytes);
    tp_field_wide(e, "batch_bytes", r->batch_bytes);
    tp_field_wide(e, "structural_bytes", r->structural_bytes);
    tp_field_wide(e, "lost_bytes", r->lost_bytes);
    tp_field_wide(e, "opaque_bytes", r->opaque_bytes);
}

static const char *const list_keys[TP_REMARK_LISTS] = {
#define TP_X(name, key) [TP_REMARK_##name] = (key),
    TP_REMARK_MAP(TP_X)
#undef TP_X
};

// The context of take_remark, which writes the remarks of one list.
struct list_writer {
    struct tp_emit *e;
    enum tp_remark_list list;
};

static void take_remark(void *ctx, const struct tp_remark *r)
{
    struct list_writer *w = ctx;
    struct tp_emit *e = w->e;
    if (r->list != w->list || r->kind == NULL)
        return;
    tp_fields_open(e, NULL, '{');
    tp_field_text(e, "kind", r->kind);
    for (size_t i = 0; i < TP_REMARK_FIGURES_MAX; i++) {
        const struct tp_remark_figure *f = &r->figures[i];
        if (f->key != NULL && f->is_signed)
            tp_field_i64(e, f->key, (int64_t)f->value);
        else if (f->key != NULL)
            tp_field_wide(e, f->key, f->value);
    }
    tp_field_text(e, "text", r->text);
    tp_fields_close(e, '{');
}

static void put_list(struct tp_emit *e, const struct tp_input_run *in, enum tp_remark_list list)
{
    struct list_writer w = {e, list};
    tp_fields_open(e, list_keys[list], '[');
    tp_remarks_of_stream(in, take_remark, &w);
    tp_remarks_of_order(in, take_remark, &w);
    tp_fields_close(e, '[');
}

static void put_nonzero(struct tp_emit *e, const char *key, uint64_t value)
{
    if (value > 0)
        tp_field_wide(e, key, value);
}

// Writes the numbers of doubts of the kinds that the input has.
static void put_doubt_counts(struct tp_emit *e, const struct tp_input_run *in)
{
    tp_fields_open(e, "doubts_by_kind", '{');
    for (size_t kind = 0; kind < TP_DOUBT_KINDS; kind++) {
        if (tp_remarks_count(in, TP_REMARK_DOUBT) > 0)
            put_nonzero(e, tp_doubt_keys[kind], in->order_report->doubts.by_kind[kind]);
    }
    tp_fields_close(e, '{');
}

static void put_remarks(struct tp_emit *e, const struct tp_input_run *in)
{
    uint64_t unordered = in->order_report != NULL ? in->order_report->lost_bytes : 0;
    tp_field_wide(e, "unordered_bytes", unordered);
    tp_field_wide(e, "damage_count", tp_remarks_count(in, TP_REMARK_DAMAGE));
    tp_field_wide(e, "loss_count", tp_remarks_count(in, TP_REMARK_LOSS));
    tp_field_wide(e, "doubt_count", tp_remarks_count(in, TP_REMARK_DOUBT));
    put_doubt_counts(e, in);
    for (enum tp_remark_list list = 0; list < TP_REMARK_LISTS; list++)
        put_list(e, in, list);
}

static void put_error(struct tp_emit *e, const struct tp_error *error)
{
    if (error->code == 0)
        return;
    tp_field_text(e, "error", error->text);
    if (error->line != 0) {
        tp_field_wide(e, "line", error->line);
        tp_field_wide(e, "column", error->column);
    }
    if (error->offset != TP_NO_OFFSET)
        tp_field_wide(e, "offset", error->offset);
}

static void open_sink(struct tp_emit *e, const struct tp_run_sink *s, const char *path)
{
    tp_fields_open(e, NULL, '{');
    tp_field_text(e, "sink", s->spec);
    tp_field_text(e, "path", path);
}

// Whether each byte of the sink's output belongs to one input; this is not so in one report on all
// inputs.
static bool has_own_bytes(const struct tp_run_sink *s)
{
    return s->plan.output != TP_OUTPUT_FOR_ALL;
}

static void put_outputs(struct tp_emit *e, const struct tp_input_run *in)
{
    tp_fields_open(e, "outputs", '[');
    for (size_t k = 0; k < in->run->sink_count; k++) {
        const struct tp_run_sink *s = &in->run->sinks[k];
        const struct tp_input_sink *is = &in->commit->sinks[k];
        if ((!is->has_output || s->plan.output == TP_OUTPUT_NONE) && !is->failed)
            continue;
        open_sink(e, s, is->path != NULL ? is->path : s->output);
        if (has_own_bytes(s))
            tp_field_wide(e, "bytes", is->written_bytes);
        if (is->has_output && is->digest[0] != '\0')
            tp_field_text(e, "xxh3_128", is->digest);
        put_nonzero(e, "undecoded_bytes", is->notes.undecoded_bytes);
        put_nonzero(e, "omitted_events", is->notes.omitted_events);
        put_nonzero(e, "cut_texts", is->notes.cut_texts);
        if (is->failed)
            put_error(e, &is->error);
        tp_fields_close(e, '{');
    }
    tp_fields_close(e, '[');
}

void tp_manifest_put_input(struct tp_emit *e, const struct tp_input_run *in)
{
    put_identity(e, in);
    put_format(e, in);
    put_bytes(e, &in->report);
    put_remarks(e, in);
    put_error(e, &in->report.error);
    put_outputs(e, in);
}

// Copies what the record has of an input that an earlier run has read.
static int copy_entry(struct tp_run *run, const struct tp_resume_done *done, struct tp_error *err)
{
    char *entry = tp_alloc(done->len_bytes);
    if (entry == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for the manifest");
    int rc = tp_record_reread(&run->outputs->resume->record, done->at, entry, done->len_bytes, err);
    if (rc == 0) {
        struct printer p;
        struct tp_emit *e = begin(&p, run, run->outputs->manifest_begun, err);
        run->outputs->manifest_begun = true;
        tp_fields_line(e);
        tp_emit_span(e, tp_span_of(entry, done->len_bytes));
        rc = tp_emit_end(e);
    }
    tp_free(entry);
    return rc;
}

// Copies the entries of the inputs that stand before `place` in the list.
static int copy_entries(struct tp_run *run, uint32_t place, struct tp_error *err)
{
    struct tp_resume *r = run->outputs->resume;
    int rc = 0;
    while (rc == 0 && r != NULL && r->printed_count < r->count &&
           r->items[r->printed_count].place < place)
        rc = copy_entry(run, &r->items[r->printed_count++], err);
    return rc;
}

int tp_manifest_add(struct tp_run *run, const struct tp_input_run *in, struct tp_error *err)
{
    struct printer p;
    int rc = copy_entries(run, in->input->place, err);
    if (rc != 0)
        return rc;
    struct tp_emit *e = begin(&p, run, run->outputs->manifest_begun, err);
    run->outputs->manifest_begun = true;
    tp_fields_open_line(e, NULL, '{');
    tp_manifest_put_input(e, in);
    tp_fields_close(e, '{');
    return tp_emit_end(e);
}

// Writes the entries of the outputs that all inputs share and that are complete by now.
static void put_shared_outputs(struct tp_emit *e, const struct tp_run *run)
{
    tp_fields_open(e, "outputs", '[');
    for (size_t k = 0; k < run->sink_count; k++) {
        const struct tp_run_sink *s = &run->sinks[k];
        if (!s->is_shared || s->plan.output == TP_OUTPUT_NONE)
            continue;
        open_sink(e, s, s->output);
        tp_field_wide(e, "bytes", s->shared_bytes);
        tp_fields_close(e, '{');
    }
    tp_fields_close(e, '[');
}

int tp_manifest_end(struct tp_run *run, struct tp_error *err)
{
    struct printer p;
    int rc = copy_entries(run, UINT32_MAX, err);
    if (rc != 0)
        return rc;
    struct tp_emit *e = begin(&p, run, false, err);
    tp_emit_text(e, "\n");
    tp_fields_close(e, '[');
    put_shared_outputs(e, run);
    tp_field_i64(e, "exit_status", tp_run_exit_status(run));
    tp_fields_end(e);
    return tp_emit_end(e);
}
