#include "pipeline/run/single_input.h"

#include "pipeline/commit/commit.h"

static int set_options(struct tp_run *run, const struct tp_option *options, struct tp_error *err)
{
    for (const struct tp_option *o = options; o != NULL && o->name != NULL; o++) {
        int rc = tp_run_set(run, o->name, o->value, err);
        if (rc != 0)
            return rc;
    }
    run->settings.recursive = false;
    return 0;
}

static int add_input(struct tp_run *run, const char *path, struct tp_error *err)
{
    int rc = tp_run_add_path(run, path, err);
    if (rc != 0)
        return rc;
    int defect = run->inputs.items[0].defect_errno;
    if (defect == 0)
        return 0;
    rc = tp_fail_errno(err, TP_E_OPEN, defect, "cannot open");
    err->path = path;
    return rc;
}

int tp_single_input_set(struct tp_run *run, const char *path, const struct tp_option *options,
                        struct tp_error *err)
{
    int rc = set_options(run, options, err);
    return rc == 0 ? add_input(run, path, err) : rc;
}

// Points the error's path at the caller's string, which equals the run's own copy: the copy is
// freed with the run.
static void borrow_from_caller(struct tp_error *err, const struct tp_run *run,
                               const struct tp_option *options)
{
    if (err->path == NULL || err->path != run->settings.binary)
        return;
    for (const struct tp_option *o = options; o != NULL && o->name != NULL; o++) {
        if (strcmp(o->name, "binary") == 0)
            err->path = o->value;
    }
}

int tp_single_input_start(struct tp_run *run, const struct tp_option *options,
                          struct tp_error *err)
{
    int rc = tp_run_start(run, err);
    if (rc != 0)
        borrow_from_caller(err, run, options);
    return rc;
}

struct tp_input_run *tp_single_input_of(const struct tp_run *run)
{
    return atomic_load(&run->turns.active[0]);
}

// Fails with the reason why the library does not read an input of this format. 0: the library reads
// it, or the format is not known.
static int refusal_of(const struct tp_input_run *in, struct tp_error *err)
{
    const struct tp_format *f = &in->info.format;
    if (!in->info_known || tp_format_is_trace(f))
        return 0;
    const struct tp_format none = {.decoder = &tp_decoder_none};
    return tp_format_refuse(f->decoder->kind == TP_KIND_OTHER ? f : &none, err);
}

int tp_single_input_reason(const struct tp_run *run, struct tp_error *err)
{
    const struct tp_error *run_error = tp_run_error(run);
    const struct tp_input_run *in = tp_single_input_of(run);
    *err = (struct tp_error){0};
    if (run_error != NULL)
        *err = *run_error;
    else if (in != NULL && in->report.error.code != 0)
        *err = in->report.error;
    else if (in != NULL && in->commit->sinks[0].failed)
        *err = in->commit->sinks[0].error;
    else if (in != NULL)
        (void)refusal_of(in, err);
    return err->code;
}
