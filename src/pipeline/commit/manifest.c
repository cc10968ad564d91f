// The JSON manifest of a run. One document, written through a small buffer as
// inputs have their turn, so that a million inputs need no memory:
//
//   {"schema": "tracepipe.manifest/2", "inputs": [ {...}, ... ], "outputs": [ {...}, ... ],
//    "exit_status": 0, "duration_ns": 12345}

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/text/json.h"
#include "pipeline/commit/commit.h"
#include "pipeline/commit/outputs.h"
#include "pipeline/commit/remarks.h"
#include "pipeline/commit/report.h"

// Room for one entry: a path of PATH_MAX bytes may grow sixfold, and every sink
// names one; so may the texts of remarks, of which there are some fifty.
#define ENTRY_MAX_BYTES TP_KIB(1024)

static struct tp_span span_of_text(const char *text)
{
    return tp_span_of(text, strlen(text));
}

static int write_out(struct tp_run *run, struct tp_buf *b, bool fits, struct tp_error *err)
{
    int rc = fits ? tp_out_write(run->outputs->manifest, b->ptr, b->len_bytes, err)
                  : tp_fail(err, TP_E_WRITE, "a manifest entry does not fit into %zu bytes",
                            ENTRY_MAX_BYTES);
    tp_buf_fini(b);
    return rc;
}

int tp_manifest_begin(struct tp_run *run, struct tp_error *err)
{
    static const char head[] = "{\"schema\": \"tracepipe.manifest/2\", \"inputs\": [";
    int rc = tp_output_open(run, run->settings.manifest, 0, &run->outputs->manifest, err);
    return rc != 0 ? rc : tp_out_write(run->outputs->manifest, head, sizeof head - 1, err);
}

static bool put_identity(struct tp_buf *b, const struct tp_input_run *in)
{
    const struct tp_input_report *r = &in->report;
    bool ok = tp_buf_printf(b, "%s\n{\"path\": ", in->run->outputs->manifest_begun ? "," : "") &&
              tp_json_put_string(b, span_of_text(in->input->path)) &&
              tp_buf_printf(b, ", \"stored_bytes\": %" PRIu64, r->stored_bytes);
    if (ok && in->stored.digest != NULL && r->error.code != TP_E_OPEN) {
        char digest[TP_DIGEST_TEXT_BYTES];
        tp_digest_text(in->stored.digest, digest);
        ok = tp_buf_printf(b, ", \"xxh3_128\": \"%s\"", digest);
    }
    return ok;
}

static bool put_format(struct tp_buf *b, const struct tp_input_run *in)
{
    static const char *const status[] = {
        [TP_INPUT_COMPLETE] = "complete",       [TP_INPUT_DAMAGED] = "damaged",
        [TP_INPUT_REFUSED] = "refused",         [TP_INPUT_FAILED] = "failed",
        [TP_INPUT_OVER_MEMORY] = "over_memory",
    };
    const struct tp_format *f = &in->info.format;
    bool ok = tp_buf_printf(b, ", \"status\": \"%s\", \"codec\": \"%s\"",
                            status[tp_report_status(in)], tp_codec_name(in->stored.codec));
    if (!ok || !in->info_known)
        return ok;
    const char *name = f->decoder->name;
    if (name == NULL)
        return tp_buf_printf(b, ", \"format\": \"go1.%" PRIu32 "\", \"form\": \"%s\"", f->minor,
                             in->info.is_text_form ? "text" : "binary");
    return name[0] == '\0' || tp_buf_printf(b, ", \"format\": \"%s\"", name);
}

static bool put_bytes(struct tp_buf *b, const struct tp_input_report *r)
{
    return tp_buf_printf(b,
                         ", \"stream_bytes\": %" PRIu64 ", \"batch_bytes\": %" PRIu64
                         ", \"structural_bytes\": %" PRIu64 ", \"lost_bytes\": %" PRIu64
                         ", \"opaque_bytes\": %" PRIu64,
                         r->stream_bytes, r->batch_bytes, r->structural_bytes, r->lost_bytes,
                         r->opaque_bytes);
}

static const char *const list_keys[TP_REMARK_LISTS] = {
#define TP_X(name, key) [TP_REMARK_##name] = (key),
    TP_REMARK_MAP(TP_X)
#undef TP_X
};

// Puts the remarks of one list.
struct list_writer {
    struct tp_buf *b;
    enum tp_remark_list list;
    const char *glue;
    bool ok;
};

static bool put_remark(struct list_writer *w, const struct tp_remark *r)
{
    bool ok = tp_buf_printf(w->b, "%s{\"kind\": \"%s\"", w->glue, r->kind);
    for (size_t i = 0; i < r->figure_count && ok; i++) {
        const struct tp_remark_figure *f = &r->figures[i];
        ok = f->is_signed
                 ? tp_buf_printf(w->b, ", \"%s\": %" PRId64, f->key, (int64_t)f->value)
                 : tp_buf_printf(w->b, ", \"%s\": %" PRIu64, f->key, f->value);
    }
    w->glue = ", ";
    return ok && tp_buf_printf(w->b, ", \"text\": ") &&
           tp_json_put_string(w->b, span_of_text(r->text)) && tp_buf_printf(w->b, "}");
}

static void take_remark(void *ctx, const struct tp_remark *r)
{
    struct list_writer *w = ctx;
    if (r->list == w->list && r->kind != NULL)
        w->ok = w->ok && put_remark(w, r);
}

static bool put_list(struct tp_buf *b, const struct tp_input_run *in, enum tp_remark_list list)
{
    struct list_writer w = {.b = b, .list = list, .glue = ""};
    w.ok = tp_buf_printf(b, ", \"%s\": [", list_keys[list]);
    tp_remarks_of_stream(in, take_remark, &w);
    tp_remarks_of_order(in, take_remark, &w);
    return w.ok && tp_buf_printf(b, "]");
}

static bool put_remarks(struct tp_buf *b, const struct tp_input_run *in)
{
    uint64_t unordered = in->order_report != NULL ? in->order_report->lost_bytes : 0;
    return tp_buf_printf(b,
                         ", \"unordered_bytes\": %" PRIu64 ", \"damage_count\": %" PRIu64
                         ", \"loss_count\": %" PRIu64 ", \"doubt_count\": %" PRIu64,
                         unordered, tp_remarks_count(in, TP_REMARK_DAMAGE),
                         tp_remarks_count(in, TP_REMARK_LOSS),
                         tp_remarks_count(in, TP_REMARK_DOUBT)) &&
           put_list(b, in, TP_REMARK_DAMAGE) && put_list(b, in, TP_REMARK_LOSS) &&
           put_list(b, in, TP_REMARK_DOUBT) && put_list(b, in, TP_REMARK_NOTE);
}

static bool put_error(struct tp_buf *b, const struct tp_error *e)
{
    if (e->code == 0)
        return true;
    bool ok = tp_buf_printf(b, ", \"error\": ") && tp_json_put_string(b, span_of_text(e->text));
    if (ok && e->line != 0)
        ok = tp_buf_printf(b, ", \"line\": %" PRIu64 ", \"column\": %" PRIu64, e->line, e->column);
    if (ok && e->offset != TP_NO_OFFSET)
        ok = tp_buf_printf(b, ", \"offset\": %" PRIu64, e->offset);
    return ok;
}

static bool put_sink(struct tp_buf *b, const char *glue, const struct tp_run_sink *s,
                     const char *path)
{
    return tp_buf_printf(b, "%s{\"sink\": ", glue) &&
           tp_json_put_string(b, span_of_text(s->spec)) && tp_buf_printf(b, ", \"path\": ") &&
           tp_json_put_string(b, span_of_text(path));
}

// A single report of all inputs has no bytes that belong to one of them.
static bool has_own_bytes(const struct tp_run_sink *s)
{
    return s->plan.output != TP_OUTPUT_FOR_ALL;
}

static bool put_outputs(struct tp_buf *b, const struct tp_input_run *in)
{
    bool ok = tp_buf_printf(b, ", \"outputs\": [");
    const char *glue = "";
    for (size_t k = 0; k < in->run->sink_count && ok; k++) {
        const struct tp_run_sink *s = &in->run->sinks[k];
        const struct tp_input_sink *is = &in->commit->sinks[k];
        if ((!is->has_output || s->plan.output == TP_OUTPUT_NONE) && !is->failed)
            continue;
        ok = put_sink(b, glue, s, is->path != NULL ? is->path : s->output);
        if (ok && has_own_bytes(s))
            ok = tp_buf_printf(b, ", \"bytes\": %" PRIu64, is->written_bytes);
        if (ok && is->notes.undecoded_bytes > 0)
            ok = tp_buf_printf(b, ", \"undecoded_bytes\": %" PRIu64, is->notes.undecoded_bytes);
        if (ok && is->notes.left_out_events > 0)
            ok = tp_buf_printf(b, ", \"left_out_events\": %" PRIu64, is->notes.left_out_events);
        if (ok && is->notes.cut_texts > 0)
            ok = tp_buf_printf(b, ", \"cut_texts\": %" PRIu64, is->notes.cut_texts);
        if (ok && is->failed)
            ok = put_error(b, &is->error);
        ok = ok && tp_buf_printf(b, "}");
        glue = ", ";
    }
    return ok && tp_buf_printf(b, "]");
}

int tp_manifest_add(struct tp_run *run, const struct tp_input_run *in, struct tp_error *err)
{
    struct tp_buf b;
    if (!tp_buf_init(&b, ENTRY_MAX_BYTES))
        return tp_fail(err, TP_E_MEMORY, "out of memory for the manifest");
    bool fits = put_identity(&b, in) && put_format(&b, in) && put_bytes(&b, &in->report) &&
                put_remarks(&b, in) && put_error(&b, &in->report.error) &&
                put_outputs(&b, in) &&
                tp_buf_printf(&b, ", \"duration_ns\": %" PRIu64 "}", tp_now_ns() - in->begin_ns);
    run->outputs->manifest_begun = true;
    return write_out(run, &b, fits, err);
}

// Puts the outputs that all inputs share; they are complete by now.
static bool put_shared_outputs(struct tp_buf *b, const struct tp_run *run)
{
    const char *glue = "";
    bool ok = tp_buf_printf(b, "\n], \"outputs\": [");
    for (size_t k = 0; k < run->sink_count && ok; k++) {
        const struct tp_run_sink *s = &run->sinks[k];
        if (!s->is_shared || s->plan.output == TP_OUTPUT_NONE)
            continue;
        ok = put_sink(b, glue, s, s->output) &&
             tp_buf_printf(b, ", \"bytes\": %" PRIu64 "}", s->shared_bytes);
        glue = ", ";
    }
    return ok && tp_buf_printf(b, "]");
}

int tp_manifest_end(struct tp_run *run, struct tp_error *err)
{
    struct tp_buf b;
    if (!tp_buf_init(&b, ENTRY_MAX_BYTES))
        return tp_fail(err, TP_E_MEMORY, "out of memory for the manifest");
    bool fits = put_shared_outputs(&b, run) &&
                tp_buf_printf(&b, ", \"exit_status\": %d, \"duration_ns\": %" PRIu64 "}\n",
                              tp_run_exit_status(run), tp_now_ns() - run->meter.start_ns);
    int rc = write_out(run, &b, fits, err);
    if (rc != 0)
        return rc;
    struct tp_outfile *file = run->outputs->manifest;
    run->outputs->manifest = NULL;
    return tp_out_commit(file, err);
}
