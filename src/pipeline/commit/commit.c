#include "pipeline/commit/commit.h"

#include "base/alloc.h"
#include "pipeline/commit/outputs.h"
#include "pipeline/commit/record_lines.h"
#include "pipeline/commit/remarks.h"
#include "pipeline/commit/resume.h"
#include "pipeline/core/unit.h"

// Whether an error concerns the input's own output of sink `k` only: other outputs may be written.
static bool is_of_own_output(const struct tp_input_run *in, size_t k, int rc)
{
    return !in->run->sinks[k].is_shared && (rc == TP_E_WRITE || rc == TP_E_EXISTS);
}

// Records the result of a hook of sink `k`: 0 changes nothing, an error of the input or of its own
// output fails the input for this sink, any other error fails the run.
static void keep_result(struct tp_input_run *in, size_t k, int rc, const struct tp_error *err)
{
    if (rc == 0)
        return;
    struct tp_input_sink *is = &in->commit->sinks[k];
    if (tp_error_is_of_input(rc) || is_of_own_output(in, k, rc)) {
        is->error = is->failed ? is->error : *err;
        is->failed = true;
        return;
    }
    tp_run_fail(in->run, err);
}

// Returns the bytes that the state of sink `k` may take, beside those of the other sinks and
// `taken` bytes.
static uint64_t left_bytes_of(const struct tp_input_run *in, size_t k, uint64_t taken)
{
    uint64_t left = tp_account_left(&in->run->memory.grown);
    for (size_t i = 0; i < in->run->sink_count; i++)
        taken += i != k ? in->commit->sinks[i].share.bytes : 0;
    return taken < left ? left - taken : 0;
}

static struct tp_sink_call call_of(struct tp_input_run *in, size_t k)
{
    struct tp_input_sink *is = &in->commit->sinks[k];
    struct tp_outfile *file = is->file != NULL ? is->file : in->run->sinks[k].shared;
    struct tp_sink_call call = tp_sink_call_of(in->run, k);
    is->writer = tp_out_writer_of(file, &is->written_bytes);
    call.input_state = is->state;
    call.input_index = in->index;
    call.left_bytes = left_bytes_of(in, k, 0);
    call.out = &is->writer.out;
    call.notes = &is->notes;
    return call;
}

// Whether hooks of sink `k` are still called for this input.
static bool is_heard(const struct tp_input_run *in, size_t k)
{
    return in->commit->sinks[k].opened && !in->commit->sinks[k].failed &&
           !tp_run_is_stopping(in->run);
}

// BEGIN AND END

static void drop_state_input(struct tp_input_run *in)
{
    struct tp_state_input *w = &in->state_input;
    if (w->buf.ptr == NULL)
        return;
    tp_buf_fini(&w->buf);
    tp_account_set(&in->run->memory.grown, &w->share, 0);
    tp_wake_for_memory(in->run);
}

int tp_commit_init(struct tp_input_run *in, struct tp_error *err)
{
    const struct tp_run *run = in->run;
    tp_generation_init(&in->commit->generation, TP_BATCH_LISTS_MAX_BYTES);
    for (size_t k = 0; k < run->sink_count; k++) {
        if (run->sinks[k].is_shared)
            continue;
        in->commit->sinks[k].path = tp_output_path(run, k, in->input);
        if (in->commit->sinks[k].path == NULL)
            return tp_fail(err, TP_E_MEMORY, "out of memory for output names");
    }
    return 0;
}

// The memory of an input is given back to the machine if it is more than 1/TRIM_SHARE of all
// memory: the next input may need it for something else than the heap.
#define TRIM_SHARE 16

void tp_commit_fini(struct tp_input_run *in)
{
    uint64_t freed_bytes = 0;
    for (size_t k = 0; k < in->run->sink_count; k++) {
        struct tp_input_sink *is = &in->commit->sinks[k];
        const struct tp_input_hooks *hooks = &in->run->sinks[k].plan.input;
        if (is->state != NULL && hooks->fini != NULL)
            hooks->fini(is->state);
        tp_free(is->state);
        freed_bytes += is->share.bytes;
        tp_account_set(&in->run->memory.grown, &is->share, 0);
        tp_out_abandon(is->file); // of a run that stops
        tp_free(is->path);
        *is = (struct tp_input_sink){0};
    }
    tp_generation_fini(&in->commit->generation);
    drop_state_input(in);
    in->commit->sinks_opened = in->commit->closed = false;
    if (freed_bytes > in->run->memory.plan.limit_bytes / TRIM_SHARE)
        tp_alloc_trim();
}

// OPEN

static int open_sink(struct tp_input_run *in, size_t k, struct tp_error *err)
{
    const struct tp_run_sink *s = &in->run->sinks[k];
    struct tp_input_sink *is = &in->commit->sinks[k];
    is->state = tp_alloc_zero(s->plan.input_state_bytes);
    if (is->state == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for an input of %s", s->def->name);
    if (!s->is_shared) {
        bool is_own = tp_resume_replaces(in->run->outputs->resume, in->input, k);
        int rc = tp_output_open(in->run, is->path, tp_output_folder_bytes(s), is_own, &is->file, err);
        if (rc != 0)
            return rc;
    }
    is->opened = true;
    if (s->plan.input.open == NULL)
        return 0;
    struct tp_sink_call call = call_of(in, k);
    return s->plan.input.open(&call, &in->info, err);
}

static void open_sinks(struct tp_input_run *in)
{
    in->commit->sinks_opened = true;
    for (size_t k = 0; k < in->run->sink_count && !tp_run_is_stopping(in->run); k++) {
        struct tp_error err;
        if (tp_input_is_for(in, k) && tp_sink_accepts(&in->run->sinks[k].plan, &in->info.format))
            keep_result(in, k, open_sink(in, k, &err), &err);
    }
}

// UNITS AND GENERATIONS

// Charges the present size of the state that sink `k` has of this input to the run's account, so
// that the next sink takes only what is left.
static void charge_state(struct tp_input_run *in, size_t k)
{
    const struct tp_input_hooks *hooks = &in->run->sinks[k].plan.input;
    struct tp_input_sink *is = &in->commit->sinks[k];
    if (hooks->grown_bytes != NULL && is->state != NULL)
        tp_account_set(&in->run->memory.grown, &is->share, hooks->grown_bytes(is->state));
}

static void commit_sink(struct tp_input_run *in, struct tp_slot *slot, size_t k)
{
    const struct tp_input_hooks *hooks = &in->run->sinks[k].plan.input;
    if (slot->state[k] == NULL || !is_heard(in, k))
        return;
    struct tp_error err = slot->err[k];
    int rc = err.code;
    if (rc == 0 && hooks->commit != NULL) {
        struct tp_sink_call call = call_of(in, k);
        call.unit_state = slot->state[k];
        call.buf = &slot->buf[k];
        (void)tp_tables_take_missed();
        rc = hooks->commit(&call, &slot->unit, &err);
        rc = tp_unit_end_looking(slot->block.tables, rc, &err);
        charge_state(in, k);
    }
    keep_result(in, k, rc, &err);
}

static bool wants_generations(const struct tp_run *run)
{
    for (size_t k = 0; k < run->sink_count; k++) {
        if (run->sinks[k].plan.input.generation != NULL && run->sinks[k].plan.need == TP_NEED_UNITS)
            return true;
    }
    return false;
}

static void close_generation(struct tp_input_run *in)
{
    if (in->commit->generation.number == 0)
        return;
    for (size_t k = 0; k < in->run->sink_count; k++) {
        const struct tp_input_hooks *hooks = &in->run->sinks[k].plan.input;
        if (hooks->generation == NULL || !is_heard(in, k))
            continue;
        struct tp_error err;
        struct tp_sink_call call = call_of(in, k);
        keep_result(in, k, hooks->generation(&call, &in->commit->generation, &err), &err);
    }
    tp_generation_reset(&in->commit->generation);
}

static void fail_all(struct tp_input_run *in, const struct tp_error *err)
{
    for (size_t k = 0; k < in->run->sink_count; k++) {
        if (is_heard(in, k))
            keep_result(in, k, err->code, err);
    }
}

static void add_extent(struct tp_input_run *in, const struct tp_extent *x, struct tp_span bytes)
{
    struct tp_error err;
    int rc = tp_generation_add(&in->commit->generation, x, bytes, in->info.format.minor, &err);
    if (rc != 0)
        fail_all(in, &err);
}

static void commit_sinks(struct tp_input_run *in, struct tp_slot *slot)
{
    for (size_t k = 0; k < in->run->sink_count; k++)
        commit_sink(in, slot, k);
}

// Commits a segment to the sinks. If a generation ends inside the segment, sinks learn of that only
// after the whole segment, which is harmless: they only add up figures.
static void commit_segment(struct tp_input_run *in, struct tp_slot *slot)
{
    bool generations = wants_generations(in->run) && in->info.format.decoder->has_generations;
    size_t offset = 0;
    commit_sinks(in, slot);
    for (size_t i = 0; i < slot->unit.extent_count && generations; i++) {
        const struct tp_extent *x = &slot->extents[i];
        if (tp_generation_is_closed_by(&in->commit->generation, x))
            close_generation(in);
        add_extent(in, x, tp_span_of(slot->unit.bytes.ptr + offset, x->len_bytes));
        offset += x->len_bytes;
    }
}

// Commits a block. If the input's events end too early with this block, the sinks of the lane get
// the error after it.
static void commit_block(struct tp_input_run *in, struct tp_slot *slot)
{
    commit_sinks(in, slot);
    for (size_t k = 0; k < in->run->sink_count; k++) {
        if (slot->order_error.code != 0 && slot->state[k] != NULL && is_heard(in, k))
            keep_result(in, k, slot->order_error.code, &slot->order_error);
    }
}

static void commit_units(struct tp_input_run *in)
{
    struct tp_slot *slot;
    while ((slot = tp_unit_done(in, TP_LANE_SEGMENTS)) != NULL) {
        commit_segment(in, slot);
        tp_unit_retire(in, slot);
    }
    while ((slot = tp_unit_done(in, TP_LANE_FRAMES)) != NULL) {
        commit_sinks(in, slot);
        tp_unit_retire(in, slot);
    }
    if (in->run->puller != NULL)
        return; // the puller retires the blocks
    while ((slot = tp_unit_done(in, TP_LANE_BLOCKS)) != NULL) {
        commit_block(in, slot);
        tp_unit_retire(in, slot);
    }
}

// CLOSE

// Whether the sink's output is kept. A failed sink keeps the bytes that it has written (the
// reference reader also stops there). An input that does not fit into memory, or an internal error,
// leaves no output.
static bool is_kept(const struct tp_input_run *in, const struct tp_input_sink *is)
{
    if (tp_run_is_stopping(in->run))
        return false;
    if (tp_error_voids_input(in->report.error.code) || tp_error_voids_input(is->error.code) ||
        tp_error_class_of(is->error.code) == TP_CLASS_HOST)
        return false;
    return !is->failed || is->written_bytes > 0;
}

static bool is_finished(const struct tp_input_run *in, size_t k)
{
    const struct tp_input_sink *is = &in->commit->sinks[k];
    const struct tp_input_hooks *hooks = &in->run->sinks[k].plan.input;
    if (hooks->finish == NULL)
        return false;
    bool has_rest = in->run->sinks[k].plan.finishes_failed && is->opened && is->failed &&
                    !tp_error_voids_input(is->error.code) && !tp_run_is_stopping(in->run);
    return is_heard(in, k) || has_rest;
}

static void finish_sink(struct tp_input_run *in, size_t k)
{
    struct tp_input_sink *is = &in->commit->sinks[k];
    struct tp_error err;
    struct tp_sink_call call = call_of(in, k);
    call.failure = is->failed ? &is->error : NULL;
    int rc = in->run->sinks[k].plan.input.finish(&call, &in->info, &in->report, &err);
    keep_result(in, k, rc, &err);
}

static void refuse_input(struct tp_input_run *in, size_t k)
{
    struct tp_error why, err;
    tp_refusal_of(in, k, &why);
    struct tp_sink_call call = call_of(in, k);
    int rc = in->run->sinks[k].plan.input.refuse(&call, &in->info, &why, &err);
    if (rc != 0)
        tp_run_fail(in->run, &err);
}

// Records that the own output of sink `k` could not be completed, and drops it.
static void drop_output(struct tp_input_run *in, size_t k, int rc, const struct tp_error *err)
{
    struct tp_input_sink *is = &in->commit->sinks[k];
    keep_result(in, k, rc, err);
    tp_out_abandon(is->file);
    is->file = NULL;
    is->has_output = false;
}

// Writes the kept outputs to the disk under their temporary names.
static void sync_outputs(struct tp_input_run *in)
{
    for (size_t k = 0; k < in->run->sink_count; k++) {
        struct tp_input_sink *is = &in->commit->sinks[k];
        struct tp_error err;
        if (is->file == NULL)
            continue;
        int rc = tp_out_sync(is->file, &err);
        if (rc == 0)
            tp_out_digest_text(is->file, is->digest);
        else
            drop_output(in, k, rc, &err);
    }
}

static void name_outputs(struct tp_input_run *in)
{
    for (size_t k = 0; k < in->run->sink_count; k++) {
        struct tp_input_sink *is = &in->commit->sinks[k];
        struct tp_outfile *file = is->file;
        struct tp_error err;
        if (file == NULL)
            continue;
        is->file = NULL;
        int rc = tp_out_commit(file, &err);
        if (rc != 0)
            drop_output(in, k, rc, &err);
    }
}

static bool has_files(const struct tp_input_run *in)
{
    bool has = false;
    for (size_t k = 0; k < in->run->sink_count; k++)
        has = has || in->commit->sinks[k].file != NULL;
    return has;
}

// Completes the own outputs that are kept, and notes in the record what was done and, before it, what
// is to be done: a run that is killed in between leaves names that the record can tell from others.
// Any thread.
static void complete(struct tp_input_run *in)
{
    bool has_record = in->run->outputs->resume != NULL;
    struct tp_error err;
    sync_outputs(in);
    int rc = has_record && has_files(in) ? tp_resume_intend(in, &err) : 0;
    // tp_commit_fini drops outputs of a run that failed.
    if (rc == 0)
        name_outputs(in);
    if (rc == 0 && has_record)
        rc = tp_resume_finish(in, &err);
    if (rc != 0)
        tp_run_fail(in->run, &err);
}

static void complete_apart(struct tp_task *task)
{
    struct tp_commit *c = (struct tp_commit *)task;
    struct tp_input_run *in = c->in;
    complete(in);
    // From here on the input may end.
    atomic_store(&c->is_completing, false);
    tp_wake_commit_on_worker(in);
}

// A disk takes many outputs at a time in hardly more time than one, so those of an input wait on a
// thread of their own, if the run has such threads.
static void begin_completion(struct tp_input_run *in)
{
    static_assert(offsetof(struct tp_commit, completion) == 0, "a pointer to one is a pointer to the other");
    if (in->run->completers == NULL) {
        complete(in);
        return;
    }
    in->commit->completion.run = complete_apart;
    in->commit->in = in;
    atomic_store(&in->commit->is_completing, true);
    tp_pool_submit(in->run->completers, TP_TASK_LATE_STAGE, &in->commit->completion);
}

static void close_sink(struct tp_input_run *in, size_t k)
{
    struct tp_input_sink *is = &in->commit->sinks[k];
    const struct tp_run_sink *s = &in->run->sinks[k];
    if (is_finished(in, k))
        finish_sink(in, k);
    else if (s->plan.input.refuse != NULL && !tp_run_is_stopping(in->run))
        refuse_input(in, k);
    is->has_output = is->opened && is_kept(in, is);
    if (is->has_output)
        return;
    tp_out_abandon(is->file);
    is->file = NULL;
}

static bool takes_state(const struct tp_input_run *in, size_t k)
{
    return in->run->sinks[k].plan.input.take_state != NULL && is_heard(in, k);
}

// Gives a complete state to the sinks that take states, and frees its bytes. A damaged state fails
// the input for these sinks; a truncated state already has its error from the stream.
static void hand_over_state(struct tp_input_run *in)
{
    bool is_windowed = tp_window_is_given(&in->run->settings.window);
    bool is_whole = in->state_input.buf.ptr != NULL && in->report.error.code == 0;
    size_t last = 0;
    for (size_t k = 0; k < in->run->sink_count; k++)
        last = takes_state(in, k) ? k : last;
    for (size_t k = 0; k < in->run->sink_count && is_whole; k++) {
        if (!takes_state(in, k))
            continue;
        struct tp_error err;
        struct tp_sink_call call = call_of(in, k);
        struct tp_span bytes = tp_span_of(in->state_input.buf.ptr, in->state_input.buf.len_bytes);
        call.left_bytes = left_bytes_of(in, k, bytes.len_bytes);
        int rc = is_windowed ? tp_fail(&err, TP_E_STATE,
                                       "a statistics state has no events to choose by time")
                             : in->run->sinks[k].plan.input.take_state(&call, bytes, k == last, &err);
        keep_result(in, k, rc, &err);
    }
    drop_state_input(in);
}

// Only a state of up to 1/STATE_SHARE of the memory is handed over before the input's turn: its
// totals may take fifty times its bytes.
#define STATE_SHARE 1024

static bool must_wait_for_turn(const struct tp_input_run *in)
{
    return in->state_input.buf.len_bytes > in->run->memory.plan.limit_bytes / STATE_SHARE &&
           tp_rank_of(in) != TP_RANK_OLDEST;
}

// Completes the outputs that belong to this input alone; these do not wait for its turn.
static void close_own_sinks(struct tp_input_run *in)
{
    close_generation(in);
    if (in->order_report != NULL) {
        in->report.order_loss_count = in->order_report->loss_count;
        in->report.unordered_bytes = in->order_report->lost_bytes;
        in->report.unknown_id_count = in->order_report->unknown_id_count;
        in->report.doubt_count = in->order_report->doubts.count;
        in->report.clock_doubt = in->order_report->clock_doubt;
        in->report.begin = in->order_report->begin;
    }
    // If the error makes all results of the input void (tp_error_voids_input), the input must not
    // count in sinks with one output for all inputs, either.
    if (tp_error_voids_input(in->report.error.code))
        fail_all(in, &in->report.error);
    hand_over_state(in);
    for (size_t k = 0; k < in->run->sink_count; k++) {
        if (!in->run->sinks[k].is_shared)
            close_sink(in, k);
    }
    in->commit->closed = true;
    bool has_record = in->run->outputs->resume != NULL && in->input->only_sink == 0;
    if ((has_record || has_files(in)) && !tp_run_is_stopping(in->run))
        begin_completion(in);
}

// Gives the sink the result of its leader for this input.
static void follow(struct tp_input_run *in, size_t k)
{
    const struct tp_input_sink *leader =
        &in->commit->sinks[in->run->sinks[k].leader - in->run->sinks];
    struct tp_input_sink *is = &in->commit->sinks[k];
    is->failed = leader->failed;
    is->error = leader->error;
    is->has_output = leader->has_output;
}

static void close_shared_sinks(struct tp_input_run *in)
{
    for (size_t k = 0; k < in->run->sink_count; k++) {
        struct tp_run_sink *s = &in->run->sinks[k];
        if (!s->is_shared || !tp_input_is_for(in, k))
            continue;
        close_sink(in, k);
        if (s->leader != NULL)
            follow(in, k);
        charge_state(in, k);
        if (s->plan.run.grown_bytes != NULL)
            tp_account_keep(&in->run->memory.grown, &s->share,
                            s->plan.run.grown_bytes(s->run_state));
    }
}

// THE STRAND

static bool has_turn(const struct tp_input_run *in)
{
    return tp_rank_of(in) == TP_RANK_OLDEST;
}

bool tp_commit_step(struct tp_input_run *in)
{
    if (in->run->needs.commit_turn && !has_turn(in))
        return false;
    if (!in->commit->sinks_opened) {
        if (!atomic_load_explicit(&in->info_known, memory_order_acquire) &&
            !atomic_load_explicit(&in->ingest_ended, memory_order_acquire))
            return false;
        if (in->info_known)
            open_sinks(in);
    }
    // Read the flags before looking at the units: no unit is added once they are set.
    bool have_ended = atomic_load_explicit(&in->ingest_ended, memory_order_acquire) &&
                      atomic_load_explicit(&in->ordering_ended, memory_order_acquire);
    commit_units(in);
    if (!have_ended || !tp_units_are_retired(in) || must_wait_for_turn(in))
        return false;
    if (!in->commit->closed && tp_input_is_late(in))
        tp_fail(&in->report.error, TP_E_TIMEOUT, "takes longer than --timeout");
    if (!in->commit->closed)
        close_own_sinks(in);
    if (atomic_load(&in->commit->is_completing))
        return false;
    if (!has_turn(in))
        return false;
    struct tp_error err;
    if (in->run->outputs->resume != NULL && in->input->only_sink == 0 && !tp_run_is_stopping(in->run) &&
        tp_resume_before_sums(in, &err) != 0)
        tp_run_fail(in->run, &err);
    close_shared_sinks(in);
    return true;
}
