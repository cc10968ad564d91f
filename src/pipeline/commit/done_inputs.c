#include "pipeline/commit/done_inputs.h"

#include "base/alloc.h"
#include "io/file_digest.h"
#include "pipeline/commit/outputs.h"
#include "pipeline/commit/resume.h"

// Sets *ret_is_done to whether the input has all its outputs. An input that cannot be opened is not
// done.
static int look_for_outputs(struct tp_run *run, const struct tp_input *input, bool *ret_is_done,
                            struct tp_error *err)
{
    *ret_is_done = input->defect_errno == 0;
    for (size_t k = 0; k < run->sink_count && *ret_is_done; k++) {
        char *path = tp_output_path(run, k, input);
        if (path == NULL)
            return tp_fail(err, TP_E_MEMORY, "out of memory for output names");
        *ret_is_done = tp_is_regular(path);
        tp_free(path);
    }
    return 0;
}

static int check_skipping(const struct tp_run *run, struct tp_error *err)
{
    for (size_t k = 0; k < run->sink_count; k++) {
        const struct tp_run_sink *s = &run->sinks[k];
        if (s->is_shared || s->plan.output != TP_OUTPUT_PER_INPUT)
            return tp_fail(err, TP_E_USAGE, "--skip-existing needs an output of each input, and %s "
                           "has none (see --resume)", s->def->name);
    }
    if (run->settings.on_clash == TP_CLASH_RENAME)
        return tp_fail(err, TP_E_USAGE, "--skip-existing and --on-clash rename exclude each other: names "
                       "would depend on what is there");
    return run->settings.resume == NULL
               ? 0
               : tp_fail(err, TP_E_USAGE, "--skip-existing and --resume exclude each other");
}

// Removes inputs from the list; `index` says which.
static void compact(struct tp_input_list *l, const uint32_t *index)
{
    uint32_t kept = 0, all = l->count;
    for (uint32_t i = 0; i < all; i++) {
        if (index[i] == TP_INPUT_IS_DONE)
            tp_free(l->items[i].path);
        else
            l->items[kept++] = l->items[i];
    }
    l->count = kept;
}

int tp_done_inputs_drop(struct tp_run *run, struct tp_done_inputs *ret_done, struct tp_error *err)
{
    bool skips = run->settings.skips_existing, has_record = run->outputs->resume != NULL;
    uint32_t count = run->inputs.count, kept = 0, left_out_count = 0;
    int rc = skips ? check_skipping(run, err) : 0;
    ret_done->index = NULL;
    bool leaves_out = run->settings.on_clash == TP_CLASH_SKIP;
    if (rc != 0 || (!skips && !has_record && !leaves_out))
        return rc;
    uint32_t *index = tp_alloc((count + 1) * sizeof *index);
    if (index == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for inputs");
    for (uint32_t i = 0; i < count && rc == 0; i++) {
        bool is_done = run->inputs.items[i].is_left_out;
        left_out_count += is_done;
        if (is_done || (!skips && !has_record))
            rc = 0;
        else
            rc = skips ? look_for_outputs(run, &run->inputs.items[i], &is_done, err)
                       : tp_resume_judge(run, &run->inputs.items[i], &is_done, err);
        index[i] = is_done ? TP_INPUT_IS_DONE : kept++;
    }
    if (rc != 0) {
        tp_free(index);
        return rc;
    }
    compact(&run->inputs, index);
    run->outputs->skipped_count = count - kept;
    if (!has_record)
        run->outputs->known_count = count - kept; // they have outputs, so they were read
    if (kept + left_out_count < count)
        tp_run_message(run, TP_MSG_DETAIL,
                       skips ? "%u of %u inputs are not read: their outputs exist"
                             : "%u of %u inputs are not read: the record has them as done",
                       count - kept - left_out_count, count);
    ret_done->index = index;
    return 0;
}
