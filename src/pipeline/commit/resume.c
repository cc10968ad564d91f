#include "pipeline/commit/resume.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/digest.h"
#include "base/text/json_read.h"
#include "decode/format.h"
#include "io/file_digest.h"
#include "io/walk.h"
#include "pipeline/commit/outputs.h"
#include "pipeline/commit/overlap.h"
#include "pipeline/commit/report.h"
#include "pipeline/commit/sums.h"
#include "pipeline/record/match.h"
#include "sink/print/fields.h"
#include "tracepipe/api.h"

struct tp_options_text tp_options_text(const struct tp_resume *r)
{
    struct tp_options_text t;
    snprintf(t.text, sizeof t.text, "%016" PRIx64, r->options);
    return t;
}

static int fail_memory(struct tp_error *err)
{
    return tp_fail(err, TP_E_MEMORY, "out of memory for a record");
}

// OPENED

static void add_text(struct tp_digest *d, const char *text)
{
    text = text != NULL ? text : "";
    tp_digest_add(d, tp_span_of(text, strlen(text) + 1));
}

static void add_number(struct tp_digest *d, uint64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, number);
    add_text(d, text);
}

// Computes the digest of the options on which the bytes of outputs depend. False: out of memory.
static bool digest_options(const struct tp_run *run, uint64_t *ret_digest)
{
    const struct tp_settings *s = &run->settings;
    struct tp_digest *d = tp_digest_create();
    if (d == NULL)
        return false;
    for (size_t i = 0; i < TP_READING_OPTION_COUNT; i++)
        add_text(d, s->reading[i]);
    add_text(d, getenv("TZ"));
    if (s->group[0] != '\0')
        add_text(d, s->group);
    struct stat st;
    bool has_binary = s->binary != NULL && stat(s->binary, &st) == 0;
    const uint64_t numbers[] = {has_binary ? (uint64_t)st.st_size : 0,
                                has_binary ? (uint64_t)st.st_mtim.tv_sec : 0,
                                has_binary ? (uint64_t)st.st_mtim.tv_nsec : 0,
                                s->max_memory_bytes, s->wants_all, (uint64_t)s->color,
                                s->screen.columns, s->screen.rows};
    for (size_t i = 0; i < TP_ARRAY_LEN(numbers); i++)
        add_number(d, numbers[i]);
    for (size_t k = 0; k < run->sink_count; k++) {
        add_text(d, run->sinks[k].spec);
        add_text(d, run->sinks[k].output);
        // Sums of another version cannot be read.
        if (tp_sink_has_sums(run, k))
            add_number(d, TP_FORMAT_STATE_VERSION);
    }
    *ret_digest = tp_digest_short_of(d);
    tp_digest_destroy(d);
    return true;
}

static int check_sinks(const struct tp_run *run, struct tp_error *err)
{
    for (size_t k = 0; k < run->sink_count; k++) {
        const struct tp_run_sink *s = &run->sinks[k];
        if (tp_sink_has_sums(run, k) && s->leader == NULL && s->plan.run.save == NULL)
            return tp_fail(err, TP_E_USAGE, "--resume: %s makes one output of all inputs, "
                           "which no state can hold", s->spec);
    }
    return 0;
}

// Takes the record and its states out of the inputs, if they were found below a folder.
static void drop_own_files(struct tp_run *run, const struct tp_resume *r)
{
    struct tp_input_list *l = &run->inputs;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        if (l->items[i].is_found && tp_sums_is_own_file(r, l->items[i].path))
            tp_free(l->items[i].path);
        else
            l->items[kept++] = l->items[i];
    }
    l->count = kept;
}

// Notes size and time of an input before it is read: a file that changes later is read again by the next
// run.
static int note_input(struct tp_resume *r, const struct tp_input *input, bool keeps_numbers,
                      struct tp_error *err)
{
    struct tp_resume_input *ri = &r->inputs[input->place];
    struct stat st;
    if (input->is_stdin)
        return tp_fail(err, TP_E_USAGE, "--resume: standard input cannot be read again");
    struct tp_known_input *known = tp_known_get(&r->known, input->path);
    if (known == NULL)
        return fail_memory(err);
    if (known->is_named)
        return tp_fail(err, TP_E_USAGE, "--resume: '%s' is named twice", tp_overlap_shown(input->path));
    known->is_named = true;
    bool is_there = stat(input->path, &st) == 0;
    ri->has_file = is_there && S_ISREG(st.st_mode);
    ri->is_other = is_there && !S_ISREG(st.st_mode);
    if (ri->has_file) {
        ri->size_bytes = (uint64_t)st.st_size;
        ri->mtime = st.st_mtim;
    }
    struct tp_record_line line;
    ri->is_recorded = keeps_numbers && (tp_known_line(&r->known, known->intent, &line) ||
                                        tp_known_line(&r->known, known->done, &line));
    uint64_t copy;
    if (ri->is_recorded && tp_json_u64(tp_json_member(line.text, "copy"), &copy) && copy < UINT32_MAX)
        ri->copy = (uint32_t)copy;
    return 0;
}

static int note_inputs(struct tp_run *run, struct tp_resume *r, struct tp_error *err)
{
    int rc = 0;
    for (size_t i = 0; i < run->inputs.count && rc == 0; i++) {
        struct tp_input *input = &run->inputs.items[i];
        input->place = (uint32_t)i;
        rc = note_input(r, input, run->settings.on_clash == TP_CLASH_RENAME, err);
        input->copy = r->inputs[i].copy;
    }
    return rc;
}

// Whether a line is about the input as it is now, read with these options.
static bool is_same(const struct tp_run *run, const struct tp_record_line *line,
                    const struct tp_input *input)
{
    const struct tp_resume *r = run->outputs->resume;
    const struct tp_resume_input *ri = &r->inputs[input->place];
    char digest[TP_DIGEST_TEXT_BYTES];
    uint64_t size_bytes = 0;
    bool had_file = tp_json_u64(tp_json_member(line->text, "size_bytes"), &size_bytes);
    if (!tp_json_equals(tp_json_member(line->text, "options"), tp_options_text(r).text) ||
        had_file != ri->has_file || (had_file && size_bytes != ri->size_bytes))
        return false;
    if (!had_file)
        return !ri->is_other; // a pipe has other bytes each time
    if (run->settings.rehash)
        return tp_file_digest(input->path, digest) == 0 &&
               tp_json_equals(tp_json_member(line->input, "xxh3_128"), digest);
    return tp_json_equals(tp_json_member(line->text, "mtime"), tp_record_mtime(ri->mtime).text);
}

// Whether the states have inputs of this run only, as they are now, so that it can go on from them.
static bool can_continue(const struct tp_run *run, struct tp_resume *r)
{
    uint64_t found_count = 0;
    for (size_t i = 0; i < run->inputs.count; i++) {
        const struct tp_known_input *known = tp_known_get(&r->known, run->inputs.items[i].path);
        struct tp_record_line line;
        if (known == NULL || known->sums != r->known.sums || r->known.sums == 0)
            continue;
        if (!tp_known_line(&r->known, known->done, &line) ||
            !is_same(run, &line, &run->inputs.items[i]))
            return false;
        found_count++;
    }
    return !r->known.are_sums_torn && found_count == r->known.summed_count && tp_sums_are_there(run);
}

static void choose_sums(struct tp_run *run, struct tp_resume *r)
{
    for (size_t k = 0; k < run->sink_count; k++)
        r->has_sums = r->has_sums || tp_sink_has_sums(run, k);
    r->sums = r->known.sums + 1;
    if (!r->has_sums || r->known.summed_count == 0)
        return;
    if (can_continue(run, r)) {
        r->sums = r->known.sums;
        r->summed_count = r->known.summed_count;
    } else
        tp_run_message(run, TP_MSG_WARNING,
                       "the sums beside '%s' are of other inputs or options, or not whole: all inputs are "
                       "read",
                       tp_overlap_shown(r->record.path));
}

int tp_resume_begin(struct tp_run *run, struct tp_error *err)
{
    const struct tp_settings *s = &run->settings;
    tp_resume_fini(run->outputs->resume);
    run->outputs->resume = NULL;
    if (s->resume != NULL && strcmp(s->resume, "-") == 0)
        return tp_fail(err, TP_E_USAGE, "--resume needs a file, not standard output");
    if (s->resume == NULL)
        return s->rehash ? tp_fail(err, TP_E_USAGE, "--rehash needs --resume") : 0;
    int rc = check_sinks(run, err);
    if (rc != 0)
        return rc;
    struct tp_resume *r = tp_alloc_zero(sizeof *r);
    if (r == NULL)
        return fail_memory(err);
    run->outputs->resume = r;
    r->record.fd = -1;
    r->inputs = tp_alloc_zero((run->inputs.count + 1) * sizeof *r->inputs);
    if (r->inputs == NULL || !digest_options(run, &r->options))
        return fail_memory(err);
    rc = tp_record_open(&r->record, s->resume, err);
    if (rc == 0)
        rc = tp_known_read(&r->known, &r->record, tp_limit_bytes(s) / 2, err);
    if (rc != 0)
        return rc;
    r->state_number = r->known.state_number;
    drop_own_files(run, r);
    rc = note_inputs(run, r, err);
    if (rc != 0)
        return rc;
    if (r->known.reader.skipped_count > 0)
        tp_run_message(run, TP_MSG_WARNING, "'%s': %" PRIu64 " damaged lines are skipped",
                       tp_overlap_shown(r->record.path), r->known.reader.skipped_count);
    choose_sums(run, r);
    return 0;
}

void tp_resume_fini(struct tp_resume *r)
{
    if (r == NULL)
        return;
    tp_known_fini(&r->known);
    tp_record_close(&r->record);
    for (size_t i = 0; i < r->count; i++)
        tp_free(r->items[i].path);
    tp_free(r->failed_path);
    tp_free(r->inputs);
    tp_free(r->items);
    tp_free(r);
}

// JUDGED

#define INTENT_HEAD "{\"kind\": \"intent\""

static int put_taken(struct tp_out *out, const void *ctx, struct tp_error *err)
{
    const struct tp_span *rest = ctx;
    int rc = tp_out_put(out, tp_span_of_text("{\"kind\": \"done\""), err);
    return rc == 0 ? tp_out_put(out, *rest, err) : rc;
}

// Takes an input whose outputs have their names, though the run before was killed before it could say
// so.
static int take(struct tp_resume *r, const struct tp_record_line *line, struct tp_error *err)
{
    struct tp_span rest = tp_span_skip(line->text, sizeof INTENT_HEAD - 1);
    int rc = tp_record_add(&r->record, TP_RECORD_LINES, put_taken, &rest, err);
    return rc == 0 ? tp_record_write(&r->record, TP_RECORD_LINES, false, err) : rc;
}

// Whether an input with own outputs need not be read again. One that failed is tried again.
static bool is_read(const struct tp_record_line *line)
{
    struct tp_span status = tp_json_member(line->input, "status");
    return tp_json_equals(status, tp_report_words[TP_INPUT_COMPLETE]) ||
           tp_json_equals(status, tp_report_words[TP_INPUT_DAMAGED]);
}

// Keeps the place of a line on an input that is done, and lets its status count for the run.
static bool keep_done(struct tp_run *run, const struct tp_input *input,
                      const struct tp_record_line *line)
{
    struct tp_resume *r = run->outputs->resume;
    struct tp_span status = tp_json_member(line->input, "status");
    bool is_complete = tp_json_equals(status, tp_report_words[TP_INPUT_COMPLETE]);
    if (tp_json_equals(status, tp_report_words[TP_INPUT_OVER_MEMORY]) ||
        tp_json_equals(status, tp_report_words[TP_INPUT_TIMED_OUT]))
        atomic_store(&run->outcome.input_beyond_host, true);
    else if (!is_complete)
        atomic_store(&run->outcome.input_failed, true);
    if (run->settings.fails_fast && r->failed_path == NULL && !is_complete)
        r->failed_path = tp_strdup(input->path); // without it the run only goes on
    run->outputs->known_count += is_read(line);
    run->outputs->excluded_count += tp_span_is(tp_json_member(line->text, "is_excluded"), "true");
    const struct tp_resume_done done = {
        .place = input->place,
        .at = line->place.at + (uint64_t)(line->input.ptr - line->text.ptr),
        .len_bytes = line->input.len_bytes,
        .path = r->has_sums ? tp_strdup(input->path) : NULL,
    };
    return (!r->has_sums || done.path != NULL) && TP_LIST_ADD(r, done);
}

// Notes the generations of an input that is done, so that later inputs that have them, too, are seen.
static int note_generations(struct tp_run *run, const struct tp_record_line *line, struct tp_error *err)
{
    size_t number = TP_RESUME_FIRST_DONE + run->outputs->resume->count - 1;
    struct tp_span keys = tp_json_items(tp_json_member(line->text, "generations")), key;
    int rc = 0;
    while (rc == 0 && tp_json_next(&keys, &key)) {
        char *text = tp_json_strdup(key);
        if (text == NULL)
            return fail_memory(err);
        rc = tp_snapshots_put(&run->outputs->snapshots, strtoull(text, NULL, 16), number, err);
        tp_free(text);
    }
    return rc;
}

const char *tp_resume_path_of(const struct tp_run *run, size_t number)
{
    return number < TP_RESUME_FIRST_DONE
               ? run->inputs.items[number].path
               : run->outputs->resume->items[number - TP_RESUME_FIRST_DONE].path;
}

static void count_attempts(struct tp_resume *r, const struct tp_known_input *known,
                           struct tp_resume_input *ri)
{
    struct tp_record_line line;
    if ((!tp_known_line(&r->known, known->intent, &line) && !tp_known_line(&r->known, known->done, &line)) ||
        !tp_json_u64(tp_json_member(line.text, "attempt"), &ri->attempt))
        ri->attempt = 0;
    ri->attempt++;
}

// Sets *ret_has to whether the outputs of a line have the names that they would get today, which depend
// on how inputs are named, too.
static int has_todays_names(const struct tp_run *run, const struct tp_input *input,
                            const struct tp_record_line *line, bool *ret_has, struct tp_error *err)
{
    *ret_has = true;
    for (size_t k = 0; k < run->sink_count && *ret_has; k++) {
        if (run->sinks[k].is_shared)
            continue;
        char *path = tp_output_path(run, k, input);
        if (path == NULL)
            return fail_memory(err);
        *ret_has = tp_outputs_have_path(line->input, path);
        tp_free(path);
    }
    return 0;
}

int tp_resume_judge(struct tp_run *run, const struct tp_input *input, bool *ret_is_done,
                    struct tp_error *err)
{
    struct tp_resume *r = run->outputs->resume;
    struct tp_known_input *known = tp_known_get(&r->known, input->path);
    struct tp_record_line line;
    int rc = 0;
    *ret_is_done = false;
    if (known == NULL)
        return fail_memory(err);
    bool has_done = tp_known_line(&r->known, known->done, &line);
    if (known->done.len_bytes > 0 && !has_done)
        return tp_fail(err, TP_E_KERNEL, "cannot read record '%s' again", tp_overlap_shown(r->record.path));
    if (r->has_sums) {
        *ret_is_done = has_done && known->sums == r->sums;
    } else if (has_done && is_read(&line) && is_same(run, &line, input)) {
        rc = has_todays_names(run, input, &line, ret_is_done, err);
    } else if (tp_known_line(&r->known, known->intent, &line) && is_read(&line) &&
               is_same(run, &line, input) && tp_span_begins_with(line.text, INTENT_HEAD) &&
               tp_outputs_are_there(line.input)) {
        rc = has_todays_names(run, input, &line, ret_is_done, err);
        if (rc == 0 && *ret_is_done)
            rc = take(r, &line, err);
    }
    if (rc == 0 && *ret_is_done && !keep_done(run, input, &line))
        rc = fail_memory(err);
    if (rc == 0 && *ret_is_done && r->has_sums)
        rc = note_generations(run, &line, err);
    if (!*ret_is_done)
        count_attempts(r, known, &r->inputs[input->place]);
    return rc;
}

bool tp_resume_owns(struct tp_run *run, const struct tp_input *input, size_t k, const char *path)
{
    struct tp_resume *r = run->outputs->resume;
    unsigned *replaced = input != NULL ? &r->inputs[input->place].replaced : &r->replaced;
    char digest[TP_DIGEST_TEXT_BYTES];
    if (tp_file_digest(path, digest) != 0 ||
        !tp_known_owns(&r->known, input != NULL ? TP_KNOWN_ONE : TP_KNOWN_ALL,
                       input != NULL ? input->path : path, path, digest))
        return false;
    *replaced |= 1u << k;
    return true;
}

bool tp_resume_is_taken(const struct tp_run *run, const struct tp_input *input, const char *path)
{
    const struct tp_resume *r = run->outputs->resume;
    char digest[TP_DIGEST_TEXT_BYTES];
    return tp_is_regular(path) && tp_file_digest(path, digest) == 0 &&
           tp_known_owns(&r->known, TP_KNOWN_ANY, path, path, digest) &&
           !tp_known_owns(&r->known, TP_KNOWN_ONE, input->path, path, digest);
}

// STARTED

static int put_run(struct tp_out *out, const void *ctx, struct tp_error *err)
{
    const struct tp_run *run = ctx;
    const struct tp_resume *r = run->outputs->resume;
    struct tp_emit e;
    tp_record_line_begin(&e, out, TP_RECORD_RUN, err);
    tp_field_text(&e, "schema", TP_RECORD_SCHEMA);
    tp_field_text(&e, "version", tp_version());
    tp_field_text(&e, "options", tp_options_text(r).text);
    if (r->has_sums)
        tp_field_wide(&e, "sums", r->sums);
    tp_fields_open(&e, "sinks", '[');
    for (size_t k = 0; k < run->sink_count; k++) {
        tp_fields_open(&e, NULL, '{');
        tp_field_text(&e, "sink", run->sinks[k].spec);
        tp_field_text(&e, "path", run->sinks[k].output);
        tp_field_bool(&e, "is_folder", run->sinks[k].is_folder);
        tp_fields_close(&e, '{');
    }
    tp_fields_close(&e, '[');
    tp_fields_close(&e, '{');
    return tp_emit_end(&e);
}

int tp_resume_start(struct tp_run *run, struct tp_error *err)
{
    struct tp_resume *r = run->outputs->resume;
    bool goes_on = r->has_sums && r->sums == r->known.sums && r->known.sums_line.len_bytes > 0;
    bool has_had_sums = r->known.sums > 0;
    int rc = tp_record_add(&r->record, TP_RECORD_LINES, put_run, run, err);
    if (rc == 0)
        rc = tp_record_write(&r->record, TP_RECORD_LINES, false, err);
    tp_known_fini(&r->known);
    return rc == 0 ? tp_sums_start(run, has_had_sums, goes_on, err) : rc;
}
