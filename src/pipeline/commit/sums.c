#include "pipeline/commit/sums.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/text/json_read.h"
#include "io/file_digest.h"
#include "io/folder.h"
#include "pipeline/commit/outputs.h"
#include "pipeline/commit/resume.h"
#include "pipeline/commit/sink_call.h"
#include "sink/print/fields.h"

// Returns the path of a state, which the caller frees with tp_free; NULL: out of memory.
static char *state_path(const struct tp_resume *r, size_t k, uint64_t number)
{
    size_t len_bytes = strlen(r->record.path) + 64;
    char *path = tp_alloc(len_bytes);
    if (path != NULL)
        snprintf(path, len_bytes, "%s.%zu-%" PRIu64 ".state", r->record.path, k, number);
    return path;
}

char *tp_sums_path(const struct tp_run *run, size_t k, bool is_next)
{
    const struct tp_resume *r = run->outputs->resume;
    return state_path(r, k, r->state_number + is_next);
}

static bool is_same_file(const struct stat *st, const char *path)
{
    struct stat other;
    return path != NULL && stat(path, &other) == 0 && other.st_dev == st->st_dev &&
           other.st_ino == st->st_ino;
}

bool tp_sums_is_own_file(const struct tp_resume *r, const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return false;
    bool is_own = is_same_file(&st, r->record.path);
    for (size_t k = 0; k < TP_SINKS_MAX && !is_own && r->known.sums > 0; k++) {
        for (uint64_t back = 0; back < 3 && back <= r->state_number && !is_own; back++) {
            char *state = state_path(r, k, r->state_number + 1 - back);
            is_own = is_same_file(&st, state);
            tp_free(state);
        }
    }
    return is_own;
}

bool tp_has_state(const struct tp_run *run, size_t k)
{
    return tp_sink_has_sums(run, k) && run->sinks[k].leader == NULL;
}

bool tp_sums_are_there(const struct tp_run *run)
{
    struct tp_resume *r = run->outputs->resume;
    struct tp_record_line line;
    if (!tp_known_line(&r->known, r->known.sums_line, &line))
        return false;
    struct tp_span states = tp_json_items(tp_json_member(line.text, "states")), state;
    bool are_there = true;
    for (size_t k = 0; k < run->sink_count && are_there; k++) {
        char digest[TP_DIGEST_TEXT_BYTES];
        if (!tp_has_state(run, k))
            continue;
        char *path = state_path(r, k, r->state_number);
        are_there = path != NULL && tp_json_next(&states, &state) && tp_file_digest(path, digest) == 0 &&
                    tp_json_equals(state, digest);
        tp_free(path);
    }
    return are_there;
}

// Removes the states of a number; ignores failures, because nothing reads these states.
static void remove_states(const struct tp_resume *r, uint64_t number)
{
    for (size_t k = 0; k < TP_SINKS_MAX && number > 0; k++) {
        char *path = state_path(r, k, number);
        if (path != NULL)
            unlink(path);
        tp_free(path);
    }
}

static void sweep_folder(struct tp_run *run)
{
    char *folder = tp_folder_of(run->outputs->resume->record.path);
    if (folder == NULL)
        return;
    int fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        tp_sweep_folder(&run->outputs->sweep, fd);
        close(fd);
    }
    tp_free(folder);
}

// Puts the state of sink `k` before the inputs.
static bool put_before(struct tp_run *run, size_t k)
{
    struct tp_input_list *l = &run->inputs;
    char *path = state_path(run->outputs->resume, k, run->outputs->resume->state_number);
    if (path == NULL || !TP_LIST_ADD(l, (struct tp_input){0})) {
        tp_free(path);
        return false;
    }
    memmove(l->items + 1, l->items, (l->count - 1) * sizeof l->items[0]);
    l->items[0] = (struct tp_input){.path = path, .below = path, .only_sink = (unsigned char)(k + 1)};
    return true;
}

int tp_sums_start(struct tp_run *run, bool has_had_sums, bool goes_on, struct tp_error *err)
{
    struct tp_resume *r = run->outputs->resume;
    sweep_folder(run);
    r->saved_ns = tp_now_ns();
    if (!has_had_sums)
        return 0;
    // A killed run may have left those that it wrote last, or those that they were to replace.
    remove_states(r, r->state_number + 1);
    if (r->state_number > 0)
        remove_states(r, r->state_number - 1);
    if (!goes_on) {
        remove_states(r, r->state_number);
        return 0;
    }
    for (size_t k = run->sink_count; k-- > 0;) {
        if (tp_has_state(run, k) && !put_before(run, k))
            return tp_fail(err, TP_E_MEMORY, "out of memory for a state");
    }
    return 0;
}

// SAVED

static int save_state(struct tp_run *run, size_t k, const char *path,
                      char ret_digest[TP_DIGEST_TEXT_BYTES], struct tp_error *err)
{
    struct tp_outfile *file;
    int rc = tp_out_open(path, 0, TP_OUT_REPLACE, &file, err);
    if (rc != 0)
        return rc;
    struct tp_sink_call call = tp_sink_call_of(run, k);
    struct tp_out_writer w = tp_out_writer_of(file, NULL);
    call.out = &w.out;
    rc = tp_out_keep_digest(file, run->settings.reads_back) ? run->sinks[k].plan.run.save(&call, err)
                                  : tp_fail(err, TP_E_MEMORY, "out of memory for a state");
    tp_out_digest_text(file, ret_digest);
    if (rc == 0)
        return tp_out_commit(file, err);
    tp_out_abandon(file);
    return rc;
}

// The context of put_sums.
struct sums_line {
    const struct tp_run *run;
    char digests[TP_SINKS_MAX][TP_DIGEST_TEXT_BYTES];
};

static int put_sums(struct tp_out *out, const void *ctx, struct tp_error *err)
{
    const struct sums_line *line = ctx;
    const struct tp_resume *r = line->run->outputs->resume;
    struct tp_emit e;
    tp_record_line_begin(&e, out, TP_RECORD_SUMS, err);
    tp_field_wide(&e, "sums", r->sums);
    tp_field_wide(&e, "inputs", r->group_count);
    tp_field_wide(&e, "all_inputs", r->summed_count + r->group_count);
    tp_field_wide(&e, "number", r->state_number + 1);
    tp_fields_open(&e, "states", '[');
    for (size_t k = 0; k < line->run->sink_count; k++) {
        if (tp_has_state(line->run, k))
            tp_field_text(&e, NULL, line->digests[k]);
    }
    tp_fields_close(&e, '[');
    tp_fields_close(&e, '{');
    return tp_emit_end(&e);
}

int tp_sums_save(struct tp_run *run, struct tp_error *err)
{
    struct tp_resume *r = run->outputs->resume;
    struct sums_line line = {.run = run};
    uint64_t begin_ns = tp_now_ns();
    int rc = 0;
    for (size_t k = 0; k < run->sink_count && rc == 0; k++) {
        if (!tp_has_state(run, k))
            continue;
        char *path = state_path(r, k, r->state_number + 1);
        rc = path != NULL ? save_state(run, k, path, line.digests[k], err)
                          : tp_fail(err, TP_E_MEMORY, "out of memory for a state");
        tp_free(path);
    }
    if (rc == 0)
        rc = tp_record_add(&r->record, TP_RECORD_GROUP, put_sums, &line, err);
    if (rc == 0)
        rc = tp_record_write(&r->record, TP_RECORD_GROUP, true, err);
    if (rc != 0)
        return rc;
    remove_states(r, r->state_number);
    r->state_number++;
    r->summed_count += r->group_count;
    r->group_count = 0;
    r->saved_ns = tp_now_ns();
    r->save_ns = r->saved_ns - begin_ns;
    return 0;
}
