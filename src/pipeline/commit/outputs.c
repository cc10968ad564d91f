#include "pipeline/commit/outputs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

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
    char number[16] = "";
    if (input->copy > 1)
        snprintf(number, sizeof number, "-%" PRIu32, input->copy);
    size_t len_bytes = folder_len + 1 + below_len + sizeof number + strlen(s->plan.suffix) + 1;
    char *path = tp_alloc(len_bytes);
    if (path != NULL)
        snprintf(path, len_bytes, "%.*s/%.*s%s%s", (int)folder_len, s->output, (int)below_len, below,
                 number, s->plan.suffix);
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

int tp_output_open(struct tp_run *run, const char *path, size_t root_bytes, bool is_own,
                   struct tp_outfile **ret_out, struct tp_error *err)
{
    if (root_bytes == 0)
        root_bytes = root_bytes_of(run, path);
    bool replaces = run->settings.force || is_own;
    enum tp_out_clash clash = replaces ? TP_OUT_REPLACE : TP_OUT_KEEP_EXISTING;
    struct tp_outfile *out;
    int rc = tp_out_open(path, root_bytes, clash, &out, err);
    if (rc != 0)
        return rc;
    tp_out_sweep(out, &run->outputs->sweep);
    if (run->needs.digests && !tp_out_keep_digest(out, run->settings.reads_back)) {
        tp_out_abandon(out);
        return tp_fail(err, TP_E_MEMORY, "out of memory for a digest");
    }
    *ret_out = out;
    return 0;
}
