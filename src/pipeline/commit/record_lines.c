#include "pipeline/commit/record_lines.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/digest.h"
#include "pipeline/commit/commit.h"
#include "pipeline/commit/outputs.h"
#include "pipeline/commit/remarks.h"
#include "pipeline/commit/report.h"
#include "pipeline/commit/resume.h"
#include "pipeline/commit/sums.h"
#include "pipeline/record/match.h"
#include "sink/print/fields.h"
#include "tracepipe/api.h"

// A line on an input.
struct input_line {
    const struct tp_input_run *in;
    enum tp_record_kind kind;
};

static void put_generations(struct tp_emit *e, const struct tp_generation_keys *keys)
{
    tp_fields_open(e, "generations", '[');
    for (uint32_t i = 0; i < keys->count; i++) {
        char text[17];
        snprintf(text, sizeof text, "%016" PRIx64, keys->items[i]);
        tp_field_text(e, NULL, text);
    }
    tp_fields_close(e, '[');
}

static int put_input(struct tp_out *out, const void *ctx, struct tp_error *err)
{
    const struct input_line *line = ctx;
    const struct tp_input_run *in = line->in;
    const struct tp_resume *r = in->run->outputs->resume;
    const struct tp_resume_input *ri = &r->inputs[in->input->place];
    uint64_t elapsed_ms = (tp_now_ns() - in->begin_ns) / 1000000;
    struct tp_emit e;
    tp_record_line_begin(&e, out, line->kind, err);
    if (ri->has_file) {
        tp_field_wide(&e, "size_bytes", ri->size_bytes);
        tp_field_text(&e, "mtime", tp_record_mtime(ri->mtime).text);
    }
    tp_field_text(&e, "options", tp_options_text(r).text);
    tp_field_text(&e, "version", tp_version());
    tp_emit_json_key(&e, "seconds");
    tp_emit_printf(&e, "%" PRIu64 ".%03" PRIu64, elapsed_ms / 1000, elapsed_ms % 1000);
    tp_field_wide(&e, "attempt", ri->attempt);
    if (in->input->copy > 1)
        tp_field_wide(&e, "copy", in->input->copy);
    if (line->kind == TP_RECORD_DONE && tp_input_is_excluded(in))
        tp_field_bool(&e, "is_excluded", true);
    if (line->in->order_report != NULL && r->has_sums)
        put_generations(&e, &line->in->order_report->generation_keys);
    tp_fields_open(&e, "input", '{');
    tp_manifest_put_input(&e, in);
    tp_fields_close(&e, '{');
    tp_fields_close(&e, '{');
    return tp_emit_end(&e);
}

static int note_input(const struct tp_input_run *in, enum tp_record_kind kind, bool is_durable,
                      struct tp_error *err)
{
    struct tp_record *record = &in->run->outputs->resume->record;
    const struct input_line line = {in, kind};
    int rc = tp_record_add(record, TP_RECORD_LINES, put_input, &line, err);
    return rc == 0 ? tp_record_write(record, TP_RECORD_LINES, is_durable, err) : rc;
}

int tp_resume_intend(const struct tp_input_run *in, struct tp_error *err)
{
    return note_input(in, TP_RECORD_INTENT, true, err);
}

int tp_resume_finish(const struct tp_input_run *in, struct tp_error *err)
{
    return in->run->outputs->resume->has_sums ? 0 : note_input(in, TP_RECORD_DONE, false, err);
}

// Whether a later run may have more of the input: what failed is not in its bytes.
static bool is_to_be_tried_again(const struct tp_input_run *in)
{
    const struct tp_resume_input *ri = &in->run->outputs->resume->inputs[in->input->place];
    int code = in->report.error.code;
    bool is_unwritten = false;
    for (size_t k = 0; k < in->run->sink_count; k++)
        is_unwritten = is_unwritten ||
                       tp_error_class_of(in->commit->sinks[k].error.code) == TP_CLASS_HOST;
    return is_unwritten || code == TP_E_READ || code == TP_E_TIMEOUT ||
           (code == TP_E_OPEN && ri->has_file);
}

int tp_resume_before_sums(const struct tp_input_run *in, struct tp_error *err)
{
    struct tp_resume *r = in->run->outputs->resume;
    if (!r->has_sums || r->is_closed || !is_to_be_tried_again(in))
        return 0;
    int rc = tp_resume_save(in->run, err);
    r->is_closed = true;
    tp_run_message(in->run, TP_MSG_DETAIL, "%s: sums are kept up to this input, which is to be tried again",
                   in->input->path);
    return rc;
}

// The states are written when that took at most this share of the time since they were written last,
// but no more often than ten times a second.
#define SAVE_SHARE 20
#define SAVE_LEAST_NS 100000000u

int tp_resume_add(struct tp_input_run *in, struct tp_error *err)
{
    struct tp_resume *r = in->run->outputs->resume;
    const struct input_line line = {in, TP_RECORD_DONE};
    if (!r->has_sums)
        return 0;
    if (r->is_closed)
        return 0;
    int rc = tp_record_add(&r->record, TP_RECORD_GROUP, put_input, &line, err);
    if (rc != 0)
        return rc;
    r->group_count++;
    uint64_t since_ns = tp_now_ns() - r->saved_ns;
    bool is_due = since_ns >= SAVE_LEAST_NS && since_ns / SAVE_SHARE >= r->save_ns;
    return is_due || tp_record_is_full(&r->record, TP_RECORD_GROUP) ? tp_sums_save(in->run, err) : 0;
}

int tp_resume_save(struct tp_run *run, struct tp_error *err)
{
    return run->outputs->resume->group_count > 0 ? tp_sums_save(run, err) : 0;
}

// A line on an output of all inputs.
struct shared_line {
    const struct tp_shared_output *output;
    enum tp_record_kind kind;
};

static int put_shared(struct tp_out *out, const void *ctx, struct tp_error *err)
{
    const struct shared_line *line = ctx;
    char digest[TP_DIGEST_TEXT_BYTES];
    tp_out_digest_text(line->output->file, digest);
    struct tp_emit e;
    tp_record_line_begin(&e, out, line->kind, err);
    tp_fields_open(&e, "outputs", '[');
    tp_fields_open(&e, NULL, '{');
    if (line->output->spec != NULL)
        tp_field_text(&e, "sink", line->output->spec);
    tp_field_text(&e, "path", line->output->path);
    tp_field_wide(&e, "bytes", tp_out_written_bytes(line->output->file));
    tp_field_text(&e, "xxh3_128", digest);
    tp_fields_close(&e, '{');
    tp_fields_close(&e, '[');
    tp_fields_close(&e, '{');
    return tp_emit_end(&e);
}

// The `done` line waits in its queue until the output has its name.
int tp_resume_commit_shared(struct tp_run *run, const struct tp_shared_output *output,
                            struct tp_error *err)
{
    struct tp_resume *r = run->outputs->resume;
    struct shared_line line = {output, TP_RECORD_INTENT};
    char digest[TP_DIGEST_TEXT_BYTES];
    int rc = tp_out_sync(output->file, err);
    tp_out_digest_text(output->file, digest);
    if (digest[0] == '\0')
        r = NULL;
    if (rc == 0 && r != NULL)
        rc = tp_record_add(&r->record, TP_RECORD_LINES, put_shared, &line, err);
    if (rc == 0 && r != NULL)
        rc = tp_record_write(&r->record, TP_RECORD_LINES, true, err);
    line.kind = TP_RECORD_DONE;
    if (rc == 0 && r != NULL)
        rc = tp_record_add(&r->record, TP_RECORD_LINES, put_shared, &line, err);
    if (rc != 0) {
        tp_out_abandon(output->file);
        return rc;
    }
    rc = tp_out_commit(output->file, err);
    return rc == 0 && r != NULL ? tp_record_write(&r->record, TP_RECORD_LINES, false, err) : rc;
}

int tp_resume_end(struct tp_run *run, struct tp_error *err)
{
    return tp_record_write(&run->outputs->resume->record, TP_RECORD_LINES, true, err);
}
