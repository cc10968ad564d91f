// Compares a record with the files that it names. See tracepipe/record.h.
#include "tracepipe/record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/digest.h"
#include "base/text/json_read.h"
#include "io/walk.h"
#include "pipeline/record/known.h"
#include "pipeline/record/match.h"

struct finding {
    char *path; // owned
    char sign;
};

struct verifier {
    struct tp_record record;
    struct tp_known known;
    struct tp_map outputs;       // digests of the paths of all outputs that the record has as done
    struct tp_path_list folders; // of outputs; owned
    TP_LIST(struct finding);
};

static int fail_memory(struct tp_error *err)
{
    return tp_fail(err, TP_E_MEMORY, "out of memory for the lines of a record");
}

// Takes ownership of `path` in every case; NULL stands for a failed allocation of the caller.
static int note(struct verifier *v, char sign, char *path, struct tp_error *err)
{
    if (path != NULL && TP_LIST_ADD(v, (struct finding){path, sign}))
        return 0;
    tp_free(path);
    return fail_memory(err);
}

static bool has_output(const struct verifier *v, const char *path)
{
    return tp_map_get(&v->outputs, tp_digest_short(tp_span_of_text(path))) != TP_MAP_NONE;
}

static int verify_output(struct verifier *v, struct tp_span output, struct tp_error *err)
{
    static const char signs[] = {[TP_MATCH_SAME] = TP_VERIFY_SAME,
                                 [TP_MATCH_CHANGED] = TP_VERIFY_CHANGED,
                                 [TP_MATCH_MISSING] = TP_VERIFY_MISSING,
                                 [TP_MATCH_UNREADABLE] = TP_VERIFY_UNREADABLE};
    char *path;
    enum tp_match match = tp_match_output(output, &path);
    if (match == TP_MATCH_NONE)
        return 0;
    bool fits = path != NULL && (has_output(v, path) ||
                                 tp_map_put(&v->outputs, tp_digest_short(tp_span_of_text(path)), 1));
    if (fits)
        return note(v, signs[match], path, err);
    tp_free(path);
    return fail_memory(err);
}

// Looks whether the input is still the file that was read. One that is gone is no finding: archives
// outlive what they were made of.
static int verify_input(struct verifier *v, const struct tp_record_line *line, struct tp_error *err)
{
    struct tp_span mtime = tp_json_member(line->text, "mtime");
    struct stat st;
    uint64_t size_bytes;
    if (mtime.len_bytes == 0)
        return 0;
    char *path = tp_json_strdup(tp_json_member(line->input, "path"));
    if (path == NULL)
        return fail_memory(err);
    bool is_there = stat(path, &st) == 0;
    if (is_there && (!tp_json_u64(tp_json_member(line->text, "size_bytes"), &size_bytes) ||
                     size_bytes != (uint64_t)st.st_size ||
                     !tp_json_equals(mtime, tp_record_mtime(st.st_mtim).text)))
        return note(v, TP_VERIFY_CHANGED, path, err);
    tp_free(path);
    return 0;
}

// Returns the object that has the "outputs" of a line.
static struct tp_span owner_of_outputs(const struct tp_record_line *line)
{
    return line->input.len_bytes > 0 ? line->input : line->text;
}

static int verify_line(struct verifier *v, const struct tp_record_line *line, struct tp_error *err)
{
    bool has_input = line->input.len_bytes > 0;
    struct tp_span outputs = tp_json_items(tp_json_member(owner_of_outputs(line), "outputs")), output;
    int rc = has_input ? verify_input(v, line, err) : 0;
    while (rc == 0 && tp_json_next(&outputs, &output))
        rc = verify_output(v, output, err);
    return rc;
}

// FILES THAT NO INPUT HAS

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

// Notes the folders of the outputs of a run.
static int note_folders(struct verifier *v, const struct tp_record_line *line, struct tp_error *err)
{
    struct tp_span sinks = tp_json_items(tp_json_member(line->text, "sinks")), sink;
    while (tp_json_next(&sinks, &sink)) {
        if (!tp_span_is(tp_json_member(sink, "is_folder"), "true"))
            continue;
        char *path = tp_json_strdup(tp_json_member(sink, "path"));
        // Outputs are named without slashes at the end of their folder.
        for (size_t n = path != NULL ? strlen(path) : 0; n > 1 && path[n - 1] == '/'; n--)
            path[n - 1] = '\0';
        if (path == NULL || !TP_LIST_ADD(&v->folders, path)) {
            tp_free(path);
            return fail_memory(err);
        }
    }
    return 0;
}

// Whether a file is the record, or a state beside it.
static bool is_of_record(const struct verifier *v, const char *path)
{
    size_t n = strlen(v->record.path);
    return strncmp(path, v->record.path, n) == 0 &&
           (path[n] == '\0' ||
            (path[n] == '.' && tp_span_ends_with(tp_span_of_text(path), ".state")));
}

static int verify_folder(struct verifier *v, const char *folder, struct tp_error *err)
{
    struct tp_input_list files = {0};
    int rc = tp_walk_add(&files, folder, true, err);
    for (size_t i = 0; i < files.count && rc == 0; i++) {
        const struct tp_input *file = &files.items[i];
        // The outputs of a folder that is gone are said to be missing one by one.
        if (file->defect_errno != 0 && file->defect_errno != ENOENT)
            rc = note(v, TP_VERIFY_UNREADABLE, tp_strdup(file->path), err);
        else if (file->defect_errno == 0 && !has_output(v, file->path) && !is_of_record(v, file->path))
            rc = note(v, TP_VERIFY_EXTRA, tp_strdup(file->path), err);
    }
    tp_input_list_fini(&files);
    return rc;
}

static int verify_folders(struct verifier *v, struct tp_error *err)
{
    int rc = 0;
    if (v->folders.count > 0)
        qsort(v->folders.items, v->folders.count, sizeof v->folders.items[0], by_text);
    for (size_t i = 0; i < v->folders.count && rc == 0; i++) {
        if (i == 0 || strcmp(v->folders.items[i], v->folders.items[i - 1]) != 0)
            rc = verify_folder(v, v->folders.items[i], err);
    }
    return rc;
}

// Whether a line is the one that says what there should be. A killed run may have named the outputs of an
// intent and not have said so.
static bool is_valid(struct verifier *v, const struct tp_known_input *known,
                     const struct tp_record_line *line)
{
    struct tp_record_line intent;
    bool is_named = tp_known_line(&v->known, known->intent, &intent) &&
                    tp_outputs_are_there(owner_of_outputs(&intent));
    return line->place.at == (is_named ? known->intent.at : known->done.at) &&
           line->kind == (is_named ? TP_RECORD_INTENT : TP_RECORD_DONE);
}

static int take_line(struct verifier *v, const struct tp_record_line *line, struct tp_error *err)
{
    if (line->kind == TP_RECORD_RUN)
        return note_folders(v, line, err);
    if (line->kind != TP_RECORD_DONE && line->kind != TP_RECORD_INTENT)
        return 0;
    const struct tp_known_input *known = tp_known_of_line(&v->known, line);
    if (known == NULL)
        return fail_memory(err);
    return is_valid(v, known, line) ? verify_line(v, line, err) : 0;
}

static int verify(struct verifier *v, struct tp_error *err)
{
    struct tp_record_reader reader;
    struct tp_record_line line;
    int rc = tp_known_read(&v->known, &v->record, UINT64_MAX, err), got = 0;
    if (rc == 0)
        rc = tp_record_reader_init(&reader, &v->record, err);
    if (rc != 0)
        return rc;
    while (rc == 0 && (got = tp_record_next(&reader, &line, err)) == 1)
        rc = take_line(v, &line, err);
    tp_record_reader_fini(&reader);
    rc = rc != 0 ? rc : got;
    return rc == 0 ? verify_folders(v, err) : rc;
}

static int by_path(const void *a, const void *b)
{
    const struct finding *x = a, *y = b;
    int order = strcmp(x->path, y->path);
    return order != 0 ? order : x->sign - y->sign;
}

int tp_record_verify(const char *path, tp_verify_fn fn, void *ctx, struct tp_error *err)
{
    struct verifier v = {0};
    int rc = tp_record_open_to_read(&v.record, path, err);
    if (rc == 0)
        rc = verify(&v, err);
    if (rc == 0 && v.count > 0)
        qsort(v.items, v.count, sizeof v.items[0], by_path);
    for (size_t i = 0; i < v.count; i++) {
        if (rc == 0)
            fn(ctx, v.items[i].sign, v.items[i].path);
        tp_free(v.items[i].path);
    }
    tp_free(v.items);
    for (size_t i = 0; i < v.folders.count; i++)
        tp_free(v.folders.items[i]);
    tp_free(v.folders.items);
    tp_map_fini(&v.outputs);
    tp_known_fini(&v.known);
    tp_record_close(&v.record);
    return rc;
}
