#include "pipeline/commit/outputs_plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "io/file_digest.h"
#include "io/folder.h"
#include "pipeline/commit/done_inputs.h"
#include "pipeline/commit/outputs.h"
#include "pipeline/commit/overlap.h"
#include "pipeline/commit/resume.h"
#include "pipeline/commit/sums.h"
#include "pipeline/commit/trace_file.h"

static bool is_folder_path(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

// SHAPES

// Returns the size for which the text of a sink is laid out.
static struct tp_screen screen_of(const struct tp_run *run, const struct tp_run_sink *s)
{
    struct tp_screen screen = run->settings.screen;
    if (screen.rows == 0 && !tp_out_screen(s->output, &screen))
        screen = (struct tp_screen){.columns = TP_SCREEN_COLUMNS};
    return screen;
}

static int shape_sink(struct tp_run *run, struct tp_run_sink *s, struct tp_error *err)
{
    enum tp_output_kind kind = s->plan.output;
    if (kind == TP_OUTPUT_NONE) {
        s->is_shared = true; // so that `finish` is called in the input's turn
        return 0;
    }
    s->has_colour = run->settings.color == TP_COLOR_AUTO ? tp_out_shows_colour(s->output)
                                                         : run->settings.color == TP_COLOR_ALWAYS;
    s->screen = screen_of(run, s);
    bool to_stdout = strcmp(s->output, "-") == 0;
    if (s->plan.is_binary && tp_out_is_terminal(s->output))
        return tp_fail(err, TP_E_USAGE, "%s writes binary data: give an output file with -o",
                       s->def->name);
    if (to_stdout || tp_out_is_in_place(s->output) || kind != TP_OUTPUT_PER_INPUT) {
        if (kind != TP_OUTPUT_PER_INPUT && is_folder_path(s->output))
            return tp_fail(err, TP_E_USAGE, "%s makes one output: '%s' is a folder", s->def->name,
                           s->output);
        // tp_out_is_in_place is true of a folder, too: it exists and is not a regular file.
        s->is_shared = to_stdout || !is_folder_path(s->output);
        s->is_folder = !s->is_shared;
        return 0;
    }
    s->is_folder = run->needs.folders;
    struct stat st;
    if (s->is_folder && stat(s->output, &st) == 0)
        return tp_fail(err, TP_E_USAGE, "several inputs: '%s' must be a folder", s->output);
    return 0;
}

static int check_stdout(const struct tp_run *run, struct tp_error *err)
{
    const char *first = NULL;
    for (size_t k = 0; k < run->sink_count; k++) {
        if (run->sinks[k].plan.output == TP_OUTPUT_NONE || strcmp(run->sinks[k].output, "-") != 0)
            continue;
        if (first != NULL)
            return tp_fail(err, TP_E_USAGE, "only one sink may write to standard output: %s or %s",
                           first, run->sinks[k].def->name);
        first = run->sinks[k].def->name;
    }
    if (first != NULL && run->settings.manifest != NULL && strcmp(run->settings.manifest, "-") == 0)
        return tp_fail(err, TP_E_USAGE,
                       "standard output is used by %s: use -o, or give the manifest a file", first);
    return 0;
}

// CLASHES

void tp_outputs_forget_names(struct tp_run_outputs *outputs)
{
    struct tp_output_names *l = &outputs->names;
    for (size_t i = 0; i < l->count; i++) {
        tp_free(l->items[i].given);
        tp_free(l->items[i].plain);
    }
    tp_free(l->items);
    *l = (struct tp_output_names){0};
}

// Returns the length of the longest beginning of `path` that is an existing folder; 0: there is
// none. Folders in the rest of the path do not exist yet.
static size_t found_bytes(char *path, size_t folder_bytes, struct stat *ret_st)
{
    size_t n = folder_bytes;
    for (;;) {
        char next = path[n];
        path[n] = '\0';
        bool is_found = stat(n > 0 ? path : ".", ret_st) == 0 && S_ISDIR(ret_st->st_mode);
        path[n] = next;
        if (is_found || n == 0)
            return n;
        while (n > 0 && path[n - 1] == '/')
            n--;
        while (n > 0 && path[n - 1] != '/')
            n--;
    }
}

// Writes the part of a path that does not exist yet to `to`, without ".", extra slashes, and the
// components that ".." cancels.
static void put_missing(char *to, const char *path)
{
    char *from = to;
    *to = '\0';
    while (*path != '\0') {
        size_t n = strcspn(path, "/");
        if (n == 2 && memcmp(path, "..", 2) == 0 && to > from) {
            while (*--to != '/') {
            }
            *to = '\0';
        } else if (n > 0 && !(n == 1 && path[0] == '.')) {
            *to++ = '/';
            memcpy(to, path, n);
            to += n;
            *to = '\0';
        }
        path += n + (path[n] == '/');
    }
}

// Returns device and inode of the last existing folder of the path, and the rest of the path, as
// text. The last component stays a name even if it is a link: an output replaces the link. NULL:
// out of memory.
static char *plain_path(const char *path)
{
    enum { NUMBERS_BYTES = 2 * 16 + 2 };
    const char *slash = strrchr(path, '/');
    struct stat st = {0};
    char *copy = tp_strdup(path), *plain = tp_alloc(NUMBERS_BYTES + strlen(path) + 2);
    if (copy != NULL && plain != NULL) {
        size_t n = found_bytes(copy, slash == NULL ? 0 : (size_t)(slash - path) + 1, &st);
        int at = snprintf(plain, NUMBERS_BYTES, "%jx:%jx", (uintmax_t)st.st_dev,
                          (uintmax_t)st.st_ino);
        put_missing(plain + at, path + n);
    } else {
        tp_free(plain);
        plain = NULL;
    }
    tp_free(copy);
    return plain;
}

// Adds the path `given` to the list, which then owns it; NULL means that the caller could not
// allocate the path. False: out of memory, here or in the caller; `given` is freed.
static bool add_name(struct tp_output_names *l, char *given, struct tp_output_name name)
{
    name.given = given;
    name.plain = given != NULL ? plain_path(given) : NULL;
    if (name.plain != NULL && TP_LIST_ADD(l, name))
        return true;
    tp_free(name.plain);
    tp_free(given);
    return false;
}

static bool collect(const struct tp_run *run, struct tp_output_names *l)
{
    for (size_t k = 0; k < run->sink_count; k++) {
        const struct tp_run_sink *s = &run->sinks[k];
        if (!s->is_folder && tp_out_is_in_place(s->output))
            continue;
        size_t each = s->is_shared ? 1 : run->inputs.count;
        for (size_t i = 0; i < each; i++) {
            const struct tp_input *input = &run->inputs.items[i];
            if (!s->is_shared && (input->is_left_out || input->is_baseline))
                continue;
            char *path = s->is_shared ? tp_strdup(s->output)
                                      : tp_output_path(run, k, input);
            struct tp_output_name name = {.replaces_traces = s->plan.replaces_traces,
                                .input = s->is_shared ? TP_OUTPUT_OF_ALL : (uint32_t)i,
                                .sink = k};
            const struct tp_resume *r = run->outputs->resume;
            name.is_recorded = !s->is_shared && r != NULL && r->inputs[i].is_recorded;
            if (!add_name(l, path, name))
                return false;
        }
    }
    const char *manifest = run->settings.manifest, *record = run->settings.resume;
    const char *known = run->settings.known;
    struct tp_output_name of_all = {.input = TP_OUTPUT_OF_ALL, .sink = TP_SINKS_MAX};
    bool fits = manifest == NULL || tp_out_is_in_place(manifest) ||
                add_name(l, tp_strdup(manifest), of_all);
    of_all.is_appended = true;
    fits = fits && (record == NULL || add_name(l, tp_strdup(record), of_all));
    fits = fits && (known == NULL || add_name(l, tp_strdup(known), of_all));
    for (size_t i = 0; i < 2 * run->sink_count && fits; i++) {
        if (run->outputs->resume != NULL && tp_has_state(run, i / 2))
            fits = add_name(l, tp_sums_path(run, i / 2, i % 2 == 1), of_all);
    }
    return fits;
}

static int by_name(const void *a, const void *b)
{
    const struct tp_output_name *x = a, *y = b;
    int order = strcmp(x->plain, y->plain);
    if (order == 0)
        order = strcmp(x->given, y->given);
    if (order == 0)
        order = y->is_recorded - x->is_recorded;
    return order != 0 ? order : (x->input > y->input) - (x->input < y->input);
}

// Notes the outputs written in place: a regular file that a descriptor leads to must not be read,
// nor replaced, while it grows.
static int note_in_place(const struct tp_run *run, struct tp_overlap *o, struct tp_error *err)
{
    const char *manifest = run->settings.manifest;
    int rc = 0;
    for (size_t k = 0; k < run->sink_count && rc == 0; k++) {
        const struct tp_run_sink *s = &run->sinks[k];
        if (s->plan.output != TP_OUTPUT_NONE && !s->is_folder && tp_out_is_in_place(s->output))
            rc = tp_overlap_note_in_place(o, s->output, err);
    }
    if (rc == 0 && manifest != NULL && tp_out_is_in_place(manifest))
        rc = tp_overlap_note_in_place(o, manifest, err);
    return rc;
}

static int check_overlap(const struct tp_run *run, const struct tp_output_names *l,
                         struct tp_error *err)
{
    struct tp_overlap o = {0};
    int rc = note_in_place(run, &o, err);
    for (size_t i = 0; i < l->count && rc == 0; i++)
        rc = tp_overlap_note(&o, l->items[i].given, err);
    if (rc == 0)
        rc = tp_overlap_check(&o, &run->inputs, err);
    if (rc == 0 && run->settings.binary != NULL)
        rc = tp_overlap_check_file(&o, run->settings.binary, "program", err);
    tp_overlap_fini(&o);
    return rc;
}

// Fails with TP_E_USAGE if two outputs of the sorted list have the same plain path.
static int check_distinct(const struct tp_output_names *l, struct tp_error *err)
{
    for (size_t i = 1; i < l->count; i++) {
        const struct tp_output_name *a = &l->items[i - 1], *b = &l->items[i];
        if (strcmp(a->plain, b->plain) != 0)
            continue;
        if (strcmp(a->given, b->given) == 0)
            return tp_fail(err, TP_E_USAGE, "two outputs would be named '%s'",
                           tp_overlap_shown(b->given));
        return tp_fail(err, TP_E_USAGE, "the outputs '%s' and '%s' are the same file",
                       tp_overlap_shown(a->given), tp_overlap_shown(b->given));
    }
    return 0;
}

// Whether the record says that the existing file is an earlier output of the same input.
static bool is_own(struct tp_run *run, const struct tp_output_name *name)
{
    const struct tp_input *input = name->input != TP_OUTPUT_OF_ALL ? &run->inputs.items[name->input] : NULL;
    return run->outputs->resume != NULL &&
           tp_resume_owns(run, input, name->sink, name->given);
}

// Fails if there is a regular file of this name that the output must not replace.
static int check_existing(struct tp_run *run, const struct tp_output_name *name, struct tp_error *err)
{
    if (name->is_appended || !tp_is_regular(name->given))
        return 0;
    if (!name->replaces_traces) {
        int rc = tp_trace_file_refuse(name->given, tp_inflate_limit(&run->settings), err);
        if (rc != 0)
            return rc;
    }
    return run->settings.force || is_own(run, name)
               ? 0
               : tp_fail(err, TP_E_EXISTS, "'%s' exists (-f replaces it)", name->given);
}

// INPUTS WITH THE SAME NAMES

static bool is_clash(const struct tp_output_name *a, const struct tp_output_name *b)
{
    return a->input != TP_OUTPUT_OF_ALL && b->input != TP_OUTPUT_OF_ALL && a->input != b->input &&
           strcmp(a->plain, b->plain) == 0;
}

// Whether the record has a file of this name as the output of another input, which need not be one of
// this run.
static bool is_taken(const struct tp_run *run, const struct tp_output_name *name)
{
    return run->outputs->resume != NULL && name->input != TP_OUTPUT_OF_ALL && !name->is_recorded &&
           tp_resume_is_taken(run, &run->inputs.items[name->input], name->given);
}

// Gives each input whose output of some sink has the name of that of an earlier one a number, or leaves
// it out. Looks at one sink only: an input has one number for all. False: there is none.
static bool settle_clashes(struct tp_run *run, const struct tp_output_names *l)
{
    size_t sink = SIZE_MAX;
    uint32_t number = 1;
    for (size_t i = 0; i < l->count; i++) {
        bool is_first = i == 0 || !is_clash(&l->items[i - 1], &l->items[i]);
        number = is_first && !is_taken(run, &l->items[i]) ? 1 : number + 1;
        if (number == 1 || (sink != SIZE_MAX && sink != l->items[i].sink))
            continue;
        struct tp_input *input = &run->inputs.items[l->items[i].input];
        sink = l->items[i].sink;
        input->is_left_out = run->settings.on_clash == TP_CLASH_SKIP;
        input->copy = input->copy >= number ? input->copy + 1 : number;
    }
    return sink != SIZE_MAX;
}

// Whether two outputs of one input have the same name, which no number changes.
static bool has_equal_sinks(const struct tp_output_names *l)
{
    bool has = false;
    for (size_t i = 1; i < l->count && !has; i++)
        has = strcmp(l->items[i - 1].plain, l->items[i].plain) == 0 &&
              !is_clash(&l->items[i - 1], &l->items[i]);
    return has;
}

static void say_clashes(struct tp_run *run)
{
    size_t count = 0;
    for (size_t i = 0; i < run->inputs.count; i++)
        count += run->inputs.items[i].copy > 1;
    if (count > 0)
        tp_run_message(run, TP_MSG_WARNING, "outputs of %zu input%s would have the names of others: %s",
                       count, count == 1 ? "" : "s",
                       run->settings.on_clash == TP_CLASH_SKIP ? "not read" : "they get a number");
}

// Lists the names of all outputs, until no two inputs have the same.
static int collect_distinct(struct tp_run *run, struct tp_output_names *l, struct tp_error *err)
{
    do {
        tp_outputs_forget_names(run->outputs);
        if (!collect(run, l))
            return tp_fail(err, TP_E_MEMORY, "out of memory for output names");
        if (l->count > 0)
            qsort(l->items, l->count, sizeof l->items[0], by_name);
    } while (run->settings.on_clash != TP_CLASH_FAIL && !has_equal_sinks(l) && settle_clashes(run, l));
    say_clashes(run);
    return check_distinct(l, err);
}

// Takes the names of inputs that are done out of the list, and lets the others have the new indexes of
// their inputs. `is_done` is by the old ones.
static void drop_names(struct tp_output_names *l, const struct tp_done_inputs *done)
{
    uint32_t kept = 0;
    for (size_t i = 0; i < l->count; i++) {
        struct tp_output_name *name = &l->items[i];
        if (name->input != TP_OUTPUT_OF_ALL && done->index[name->input] == TP_INPUT_IS_DONE) {
            tp_free(name->given);
            tp_free(name->plain);
            continue;
        }
        if (name->input != TP_OUTPUT_OF_ALL)
            name->input = done->index[name->input];
        l->items[kept++] = *name;
    }
    l->count = kept;
}

int tp_outputs_check(struct tp_run *run, struct tp_error *err)
{
    struct tp_output_names *l = &run->outputs->names;
    int rc = 0;
    for (size_t i = 0; i < l->count && rc == 0; i++)
        rc = check_existing(run, &l->items[i], err);
    tp_outputs_forget_names(run->outputs);
    return rc;
}

// FOLDERS

int tp_outputs_make_folders(struct tp_run *run, struct tp_error *err)
{
    for (size_t k = 0; k < run->sink_count && run->inputs.count > 0; k++) {
        const struct tp_run_sink *s = &run->sinks[k];
        size_t root_bytes = tp_output_folder_bytes(s), link_bytes;
        if (root_bytes == 0)
            continue;
        int fd = tp_folder_open_below(s->output, root_bytes, &link_bytes);
        // The first output fails for these reasons, too, and says which one it is.
        if (fd < 0 && errno != ENOENT && errno != ENOTDIR && errno != EACCES)
            return tp_fail_errno(err, TP_E_WRITE, errno, "cannot create the folder '%s'",
                                 tp_overlap_shown(s->output));
        if (fd >= 0)
            close(fd);
    }
    return 0;
}

// Lists the names, and takes the inputs that are done out of the run.
static int plan_names(struct tp_run *run, struct tp_error *err)
{
    struct tp_output_names *l = &run->outputs->names;
    struct tp_done_inputs done = {0};
    int rc = tp_resume_begin(run, err);
    if (rc == 0)
        rc = collect_distinct(run, l, err);
    // Inputs that are not read are not to be replaced, either.
    if (rc == 0)
        rc = check_overlap(run, l, err);
    if (rc == 0)
        rc = tp_done_inputs_drop(run, &done, err);
    if (rc == 0 && done.index != NULL)
        drop_names(l, &done);
    tp_free(done.index);
    return rc;
}

int tp_outputs_plan(struct tp_run *run, struct tp_error *err)
{
    const struct tp_settings *settings = &run->settings;
    run->needs.digests = settings->manifest != NULL || settings->resume != NULL || settings->reads_back;
    for (size_t k = 0; k < run->sink_count; k++) {
        int rc = shape_sink(run, &run->sinks[k], err);
        if (rc != 0)
            return rc;
        enum tp_output_kind kind = run->sinks[k].plan.output;
        if (run->sinks[k].is_shared && kind != TP_OUTPUT_NONE && kind != TP_OUTPUT_FOR_ALL)
            run->needs.commit_turn = true;
    }
    int rc = check_stdout(run, err);
    return rc == 0 ? plan_names(run, err) : rc;
}
