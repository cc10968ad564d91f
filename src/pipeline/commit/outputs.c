#include "pipeline/commit/outputs.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "pipeline/commit/overlap.h"
#include "pipeline/commit/trace_file.h"

static bool is_folder_path(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool ends_with(const char *text, size_t len, const char *tail)
{
    size_t n = strlen(tail);
    return len > n && memcmp(text + len - n, tail, n) == 0;
}

// Slashes at the end of the folder's name do not count, unless the folder is "/".
size_t tp_output_folder_bytes(const struct tp_run_sink *s)
{
    size_t n = s->is_folder ? strlen(s->output) : 0;
    while (n > 1 && s->output[n - 1] == '/')
        n--;
    return n;
}

char *tp_output_path(const struct tp_run *run, size_t k, const struct tp_input *input)
{
    const struct tp_run_sink *s = &run->sinks[k];
    if (!s->is_folder)
        return tp_strdup(s->output);
    const char *below = input->is_stdin ? "stdin" : input->below;
    size_t below_len = strlen(below);
    if (ends_with(below, below_len, ".gz"))
        below_len -= strlen(".gz");
    else if (ends_with(below, below_len, ".zst"))
        below_len -= strlen(".zst");
    size_t folder_len = tp_output_folder_bytes(s);
    size_t len_bytes = folder_len + 1 + below_len + strlen(s->plan.suffix) + 1;
    char *path = tp_alloc(len_bytes);
    if (path != NULL)
        snprintf(path, len_bytes, "%.*s/%.*s%s", (int)folder_len, s->output, (int)below_len, below,
                 s->plan.suffix);
    return path;
}

static bool goes_up(const char *path)
{
    for (const char *at = strstr(path, "/.."); at != NULL; at = strstr(at + 1, "/..")) {
        if (at[3] == '/' || at[3] == '\0')
            return true;
    }
    return false;
}

// Returns the length of the folder of -o below which an output of all inputs is; 0: it is below
// none.
static size_t root_bytes_of(const struct tp_run *run, const char *path)
{
    for (size_t k = 0; k < run->sink_count; k++) {
        const struct tp_run_sink *s = &run->sinks[k];
        size_t n = tp_output_folder_bytes(s);
        if (n > 0 && strncmp(path, s->output, n) == 0 && path[n] == '/' && !goes_up(path + n))
            return n;
    }
    return 0;
}

int tp_output_open(struct tp_run *run, const char *path, size_t root_bytes,
                   struct tp_outfile **ret_out, struct tp_error *err)
{
    if (root_bytes == 0)
        root_bytes = root_bytes_of(run, path);
    enum tp_out_clash clash = run->settings.force ? TP_OUT_REPLACE : TP_OUT_KEEP_EXISTING;
    int rc = tp_out_open(path, root_bytes, clash, ret_out, err);
    if (rc == 0)
        tp_out_sweep(*ret_out, &run->outputs->sweep);
    return rc;
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

// The path of an output. Owns both texts.
struct name {
    char *given;
    char *plain; // the same for all paths that lead to the same name in the same folder
    bool replaces_traces;
};

struct name_list {
    TP_LIST(struct name);
};

static void free_names(struct name_list *l)
{
    for (size_t i = 0; i < l->count; i++) {
        tp_free(l->items[i].given);
        tp_free(l->items[i].plain);
    }
    tp_free(l->items);
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
static bool add_name(struct name_list *l, char *given, bool replaces_traces)
{
    char *plain = given != NULL ? plain_path(given) : NULL;
    if (plain != NULL && TP_LIST_ADD(l, (struct name){given, plain, replaces_traces}))
        return true;
    tp_free(plain);
    tp_free(given);
    return false;
}

static bool collect(const struct tp_run *run, struct name_list *l)
{
    for (size_t k = 0; k < run->sink_count; k++) {
        const struct tp_run_sink *s = &run->sinks[k];
        if (!s->is_folder && tp_out_is_in_place(s->output))
            continue;
        size_t each = s->is_shared ? 1 : run->inputs.count;
        for (size_t i = 0; i < each; i++) {
            char *path = s->is_shared ? tp_strdup(s->output)
                                      : tp_output_path(run, k, &run->inputs.items[i]);
            if (!add_name(l, path, s->plan.replaces_traces))
                return false;
        }
    }
    const char *manifest = run->settings.manifest;
    return manifest == NULL || tp_out_is_in_place(manifest) ||
           add_name(l, tp_strdup(manifest), false);
}

static int by_name(const void *a, const void *b)
{
    const struct name *x = a, *y = b;
    int order = strcmp(x->plain, y->plain);
    return order != 0 ? order : strcmp(x->given, y->given);
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

static int check_overlap(const struct tp_run *run, const struct name_list *l,
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
static int check_distinct(const struct name_list *l, struct tp_error *err)
{
    for (size_t i = 1; i < l->count; i++) {
        const struct name *a = &l->items[i - 1], *b = &l->items[i];
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

static bool is_regular(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && S_ISREG(st.st_mode);
}

// Fails if there is a regular file of this name that the output must not replace.
static int check_existing(const struct tp_run *run, const struct name *name, struct tp_error *err)
{
    if (!is_regular(name->given))
        return 0;
    if (!name->replaces_traces) {
        int rc = tp_trace_file_refuse(name->given, tp_inflate_limit(&run->settings), err);
        if (rc != 0)
            return rc;
    }
    return run->settings.force
               ? 0
               : tp_fail(err, TP_E_EXISTS, "'%s' exists (-f replaces it)", name->given);
}

static int check_names(const struct tp_run *run, struct name_list *l, struct tp_error *err)
{
    if (l->count > 0)
        qsort(l->items, l->count, sizeof l->items[0], by_name);
    int rc = check_distinct(l, err);
    if (rc == 0)
        rc = check_overlap(run, l, err);
    if (rc != 0)
        return rc;
    for (size_t i = 0; i < l->count && rc == 0; i++)
        rc = check_existing(run, &l->items[i], err);
    return rc;
}

// INPUTS THAT ARE DONE

// Sets *ret_is_done to whether the input has all its outputs. An input that cannot be opened is not done.
// False: out of memory.
static bool look_for_outputs(const struct tp_run *run, const struct tp_input *input, bool *ret_is_done)
{
    *ret_is_done = input->defect_errno == 0;
    for (size_t k = 0; k < run->sink_count && *ret_is_done; k++) {
        char *path = tp_output_path(run, k, input);
        if (path == NULL)
            return false;
        *ret_is_done = is_regular(path);
        tp_free(path);
    }
    return true;
}

// Takes inputs that have all their outputs out of the list.
static int skip_done(struct tp_run *run, struct tp_error *err)
{
    for (size_t k = 0; k < run->sink_count; k++) {
        const struct tp_run_sink *s = &run->sinks[k];
        if (s->is_shared || s->plan.output != TP_OUTPUT_PER_INPUT)
            return tp_fail(err, TP_E_USAGE, "--skip-existing needs an output of each input: %s has none",
                           s->def->name);
    }
    struct tp_input *items = run->inputs.items;
    uint32_t count = 0, all_count = run->inputs.count;
    bool fits = true;
    for (uint32_t i = 0; i < all_count; i++) {
        bool is_done = false;
        fits = fits && look_for_outputs(run, &items[i], &is_done);
        if (fits && is_done)
            tp_free(items[i].path);
        else
            items[count++] = items[i];
    }
    run->inputs.count = count;
    run->outputs->skipped_count = all_count - count;
    tp_run_message(run, TP_MSG_DETAIL, "%u of %u inputs are not read: their outputs exist",
                   all_count - count, all_count);
    return fits ? 0 : tp_fail(err, TP_E_MEMORY, "out of memory for output names");
}

int tp_outputs_plan(struct tp_run *run, struct tp_error *err)
{
    for (size_t k = 0; k < run->sink_count; k++) {
        int rc = shape_sink(run, &run->sinks[k], err);
        if (rc != 0)
            return rc;
        enum tp_output_kind kind = run->sinks[k].plan.output;
        if (run->sinks[k].is_shared && kind != TP_OUTPUT_NONE && kind != TP_OUTPUT_FOR_ALL)
            run->needs.commit_turn = true;
    }
    int rc = check_stdout(run, err);
    if (rc == 0 && run->settings.skips_existing)
        rc = skip_done(run, err);
    if (rc != 0)
        return rc;
    struct name_list l = {0};
    rc = collect(run, &l) ? check_names(run, &l, err)
                          : tp_fail(err, TP_E_MEMORY, "out of memory for output names");
    free_names(&l);
    return rc;
}
