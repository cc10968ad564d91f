// Names the paths that a run opens after its guard, for programs that restrict themselves. See
// tracepipe/tracepipe.h.

#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/spill/spill.h"
#include "base/time/zone.h"
#include "io/folder.h"
#include "pipeline/commit/outputs.h"
#include "pipeline/commit/sums.h"

// What the visit calls.
struct visitor {
    tp_path_fn fn;
    void *ctx;
};

static int show(const struct visitor *v, enum tp_path_use use, const char *path,
                struct tp_error *err)
{
    return v->fn(v->ctx, use, path, err);
}

static int visit_inputs(const struct tp_run *run, const struct visitor *v, struct tp_error *err)
{
    const struct tp_input_list *l = &run->inputs;
    int rc = 0;
    for (size_t i = 0; i < l->roots.count && rc == 0; i++)
        rc = show(v, TP_PATH_READ, l->roots.items[i], err);
    for (size_t i = 0; i < l->count && rc == 0; i++) {
        const struct tp_input *input = &l->items[i];
        if (!input->is_stdin && !input->is_found && input->defect_errno == 0)
            rc = show(v, TP_PATH_READ, input->path, err);
    }
    return rc;
}

// Shows the folder of an output that gets its name when it is complete. A file of that name is read,
// because it may be a trace; a link is replaced and not followed.
static int visit_named(const struct visitor *v, const char *path, struct tp_error *err)
{
    char *folder = tp_folder_of(path);
    if (folder == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for output names");
    struct stat st;
    int rc = show(v, TP_PATH_CREATE, folder, err);
    if (rc == 0 && lstat(path, &st) == 0 && S_ISREG(st.st_mode))
        rc = show(v, TP_PATH_READ, path, err);
    tp_free(folder);
    return rc;
}

static int visit_output(const struct visitor *v, const char *path, struct tp_error *err)
{
    if (strcmp(path, "-") == 0)
        return 0;
    return tp_out_is_in_place(path) ? show(v, TP_PATH_WRITE, path, err)
                                    : visit_named(v, path, err);
}

// Shows the states beside the record, which itself is open.
static int visit_states(const struct tp_run *run, const struct visitor *v, struct tp_error *err)
{
    int rc = 0;
    for (size_t k = 0; k < run->sink_count && rc == 0; k++) {
        char *path = tp_sums_path(run, k, false);
        rc = path != NULL ? visit_named(v, path, err)
                          : tp_fail(err, TP_E_MEMORY, "out of memory for output names");
        tp_free(path);
    }
    return rc;
}

int tp_run_visit_paths(struct tp_run *run, tp_path_fn fn, void *ctx, struct tp_error *err)
{
    const struct visitor v = {fn, ctx};
    int rc = visit_inputs(run, &v, err);
    for (size_t i = 0; tp_zone_place(i) != NULL && rc == 0; i++)
        rc = show(&v, TP_PATH_READ, tp_zone_place(i), err); // sinks have zones of their own
    if (rc == 0 && run->settings.binary != NULL)
        rc = show(&v, TP_PATH_READ, run->settings.binary, err);
    for (size_t k = 0; k < run->sink_count && rc == 0; k++) {
        const struct tp_run_sink *s = &run->sinks[k];
        if (s->plan.output != TP_OUTPUT_NONE)
            rc = s->is_folder ? show(&v, TP_PATH_TREE, s->output, err)
                              : visit_output(&v, s->output, err);
    }
    if (rc == 0 && run->settings.manifest != NULL)
        rc = visit_output(&v, run->settings.manifest, err);
    if (rc == 0 && run->settings.known != NULL)
        rc = visit_named(&v, run->settings.known, err);
    if (rc == 0 && run->outputs->resume != NULL)
        rc = visit_states(run, &v, err);
    return rc == 0 ? show(&v, TP_PATH_TREE, tp_spill_folder(), err) : rc;
}
