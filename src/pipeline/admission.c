#include "pipeline/admission.h"

#include <assert.h>
#include <errno.h>
#include <unistd.h>

#include "base/alloc.h"
#include "pipeline/commit.h"
#include "pipeline/ingest.h"
#include "pipeline/ingest_headers.h"
#include "pipeline/input_order.h"
#include "pipeline/outputs.h"
#include "pipeline/pull.h"
#include "pipeline/reread_file.h"
#include "pipeline/stream.h"
#include "pipeline/window_find.h"

// For the batches of one generation: half a million, where the runtime writes a
// thousand. The same on every machine, because what does not fit shows.
#define BATCH_LISTS_MAX_BYTES TP_MIB(16)

// WHAT THE ENGINE ASKS

static struct tp_input_run *input_of(struct tp_source_file *f)
{
    return (struct tp_input_run *)((char *)f - offsetof(struct tp_input_run, file));
}

static struct tp_chunk *try_take(struct tp_input_run *in)
{
    struct tp_run *run = in->run;
    unsigned before = atomic_fetch_add_explicit(&in->stream.stored_count, 1, memory_order_seq_cst);
    struct tp_chunk *c = before < run->plan.stored_per_input
                             ? tp_chunk_pool_try_take(&run->chunks, tp_rank_of(in))
                             : NULL;
    if (c == NULL)
        atomic_fetch_sub_explicit(&in->stream.stored_count, 1, memory_order_seq_cst);
    return c;
}

static struct tp_chunk *take_chunk(void *ctx, struct tp_source_file *f)
{
    struct tp_run *run = ctx;
    struct tp_input_run *in = input_of(f);
    struct tp_chunk *c = try_take(in);
    if (c != NULL)
        return c;
    // The second try finds a chunk that came back before the flag was raised; whoever gives one
    // back later sees the flag.
    atomic_store_explicit(&run->source_starved, true, memory_order_seq_cst);
    return try_take(in);
}

static void deliver(void *ctx, struct tp_source_file *f, struct tp_chunk *c)
{
    (void)ctx;
    struct tp_input_run *in = input_of(f);
    bool taken = tp_ring_try_put(in->stream.inbox, c);
    assert(taken && "an inbox holds as many chunks as an input may have");
    (void)taken;
    tp_ingest_post(in);
}

static void ended(void *ctx, struct tp_source_file *f, const struct tp_error *err)
{
    (void)ctx;
    struct tp_input_run *in = input_of(f);
    if (err != NULL)
        in->stream.engine_error = *err;
    if (err != NULL && err->offset != TP_NO_OFFSET)
        in->stream.engine_error.offset += in->engine_begin;
    atomic_store_explicit(&in->stream.engine_ended, true, memory_order_release);
    tp_ingest_post(in);
}

struct tp_source_host tp_admission_host(struct tp_run *run)
{
    return (struct tp_source_host){.ctx = run, .take = take_chunk, .deliver = deliver,
                                   .ended = ended};
}

// ADMISSION

static struct tp_input_run *slot_for(struct tp_run *run, size_t index)
{
    struct tp_input_run *in = atomic_load(&run->active[index % TP_ACTIVE_MAX]);
    if (in == NULL) {
        in = tp_alloc_zero(sizeof *in);
        if (in == NULL)
            return NULL;
        in->run = run;
        in->reread_fd = -1;
        in->ingest_task.run = tp_ingest_run;
        in->commit_task.run = tp_commit_run;
        if (run->lanes[TP_LANE_BLOCKS].is_used && !tp_ordering_create(in)) {
            tp_free(in);
            return NULL;
        }
        atomic_store(&run->active[index % TP_ACTIVE_MAX], in);
    }
    return in;
}

static int prepare_sinks(struct tp_input_run *in, struct tp_error *err)
{
    struct tp_run *run = in->run;
    for (size_t k = 0; k < run->sink_count; k++) {
        in->sinks[k] = (struct tp_input_sink){0};
        if (run->sinks[k].is_shared)
            continue;
        in->sinks[k].path = tp_output_path(run, k, in->input);
        if (in->sinks[k].path == NULL)
            return tp_fail(err, TP_E_MEMORY, "out of memory for output names");
    }
    return 0;
}

// Sets up everything but the strands: threads that served the previous input may still post
// them. Ingest strand.
static int prepare(struct tp_input_run *in, size_t index, struct tp_error *err)
{
    struct tp_run *run = in->run;
    in->input = &run->inputs.items[index];
    in->index = index;
    in->file = (struct tp_source_file){.path = in->input->path,
                                       .given_fd = in->input->is_stdin ? STDIN_FILENO : -1,
                                       .rank = index};
    in->reread_fd = -1;
    in->engine_begin = 0;
    in->begin_ns = tp_now_ns();
    in->wire = (struct tp_piece){0};
    in->wire_ended = false;
    in->is_cut = false;
    in->info = (struct tp_input_info){.path = in->input->path};
    atomic_store(&in->info_known, false);
    in->has_current = false;
    in->report = (struct tp_input_report){0};
    atomic_store(&in->ingest_ended, false);
    for (size_t lane = 0; lane < TP_LANES; lane++) {
        atomic_store(&in->lanes[lane].put_count, 0);
        atomic_store(&in->lanes[lane].commit_count, 0);
        in->lanes[lane].open = NULL;
    }
    in->sinks_opened = false;
    in->closed = false;
    tp_generation_init(&in->generation, BATCH_LISTS_MAX_BYTES);
    int rc = tp_stream_init(&in->stream, run->plan.stored_per_input + 1,
                            run->settings.manifest != NULL, err);
    if (in->ordering != NULL)
        tp_ordering_init(in);
    return rc != 0 ? rc : prepare_sinks(in, err);
}

// Whether there is anything to read.
static bool has_source(struct tp_input_run *in)
{
    if (in->input->defect_errno != 0 || tp_run_is_stopping(in->run))
        return false;
    tp_reread_file_open(in);
    return tp_window_find(in);
}

static void start_reading(struct tp_input_run *in)
{
    if (has_source(in)) {
        if (!tp_ingest_headers_begin(in))
            tp_source_add(in->run->source, &in->file);
        return;
    }
    if (in->input->defect_errno != 0)
        tp_fail_errno(&in->stream.engine_error, TP_E_OPEN, in->input->defect_errno,
                      in->input->defect_errno == EISDIR ? "cannot open (-r reads what is in it)"
                                                        : "cannot open");
    atomic_store_explicit(&in->stream.engine_ended, true, memory_order_release);
    tp_ingest_post(in);
}

void tp_admission_begin_input(struct tp_input_run *in)
{
    size_t pending = atomic_exchange(&in->pending, 0);
    if (pending == 0)
        return;
    struct tp_error err;
    if (prepare(in, pending - 1, &err) != 0)
        tp_run_fail(in->run, &err);
    atomic_store_explicit(&in->live, true, memory_order_release);
    start_reading(in);
}

static void admit(struct tp_run *run, size_t index)
{
    struct tp_input_run *in = slot_for(run, index);
    if (in == NULL) {
        struct tp_error err;
        tp_fail(&err, TP_E_MEMORY, "out of memory for an input");
        tp_run_fail(run, &err);
        return;
    }
    run->next_index = index + 1;
    atomic_store(&in->pending, index + 1);
    tp_ingest_post(in);
}

static void end_run(struct tp_run *run)
{
    tp_input_order_end(run);
    atomic_store_explicit(&run->over, true, memory_order_release);
    uint64_t one = 1;
    ssize_t n = write(run->end_fd, &one, sizeof one);
    assert(n == sizeof one);
    (void)n;
    if (run->pull != NULL)
        tp_pull_wake(run->pull);
}

static void step(struct tp_run *run)
{
    if (run->over)
        return;
    if (!run->begun) {
        run->begun = true;
        tp_input_order_begin(run);
    }
    size_t turn = atomic_load_explicit(&run->turn, memory_order_acquire);
    // The input whose turn it is may now use the memory reserved for the oldest. Kicked here and
    // not where the turn was passed on: by then the run may have ended for others.
    tp_run_kick(run);
    tp_run_kick_who_stands_back(run);
    while (!tp_run_is_stopping(run) && run->next_index < run->inputs.count &&
           run->next_index - turn < run->active_max)
        admit(run, run->next_index);
    // When the run fails, the admitted inputs still have their turns.
    if (turn == run->inputs.count || (tp_run_is_stopping(run) && turn == run->next_index))
        end_run(run);
}

void tp_admission_run(struct tp_task *task)
{
    struct tp_run *run = (struct tp_run *)((char *)task - offsetof(struct tp_run, admission_task));
    uint32_t seen;
    do {
        seen = tp_strand_begin(&run->admission);
        step(run);
    } while (!tp_strand_end(&run->admission, seen));
}

void tp_admission_post(struct tp_run *run)
{
    if (tp_strand_post(&run->admission))
        tp_pool_submit(run->pool, TP_TASK_EARLY_STAGE, &run->admission_task);
}

void tp_admission_fini(struct tp_run *run)
{
    for (size_t i = 0; i < TP_ACTIVE_MAX; i++) {
        struct tp_input_run *in = atomic_load(&run->active[i]);
        if (in == NULL)
            continue;
        tp_stream_fini(&in->stream);
        tp_ordering_reset(in);
        tp_reread_file_close(in);
        tp_free(in->ordering);
        tp_free(in);
    }
}
