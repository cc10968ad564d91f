#include "pipeline/run/input_life.h"

#include <errno.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "pipeline/commit/commit.h"
#include "pipeline/commit/input_order.h"
#include "pipeline/core/reread.h"
#include "pipeline/order/ordering.h"
#include "pipeline/read/ingest.h"
#include "pipeline/read/ingest_headers.h"
#include "pipeline/read/stream.h"
#include "pipeline/read/window_find.h"

// The memory of a slot: allocated for an input and reused for later ones.
struct slot {
    struct tp_input_run in; // first member: slot_of casts it
    struct tp_ingest ingest;
    struct tp_commit commit;
    _Atomic size_t admitted; // index + 1 of the admitted input that has not begun; 0: none
};

static struct slot *slot_of(struct tp_input_run *in)
{
    return (struct slot *)in;
}

// BEGIN

// Sets up the slot for the input, except its strands: threads that served the previous input may
// still wake these. Ingest strand.
static int prepare(struct tp_input_run *in, size_t index, struct tp_error *err)
{
    in->input = &in->run->inputs.items[index];
    in->index = index;
    in->begin_ns = tp_now_ns();
    in->info =
        (struct tp_input_info){.path = in->input->path,
                               .is_baseline = in->input->is_baseline,
                               .format = {.decoder = &tp_decoder_none}};
    in->orderer = NULL;
    atomic_store(&in->info_known, false);
    in->report = (struct tp_input_report){0};
    in->stored.codec = TP_CODEC_PLAIN;
    atomic_store(&in->ingest_ended, false);
    for (size_t lane = 0; lane < TP_LANES; lane++) {
        atomic_store(&in->lanes[lane].put_count, 0);
        atomic_store(&in->lanes[lane].commit_count, 0);
        in->lanes[lane].open = NULL;
    }
    if (in->order != NULL)
        tp_order_queue_init(in);
    int rc = tp_ingest_init(in, err);
    return rc == 0 ? tp_commit_init(in, err) : rc;
}

// Opens the input for rereading and looks for the time window. Returns whether there is anything to
// read.
static bool has_source(struct tp_input_run *in)
{
    if (in->input->defect_errno != 0 || tp_run_is_stopping(in->run))
        return false;
    tp_reread_open(in);
    if (in->reread.fd >= 0)
        in->ingest->file.given_fd = in->reread.fd;
    return tp_window_find(in);
}

static void start_reading(struct tp_input_run *in)
{
    struct tp_ingest *g = in->ingest;
    if (has_source(in)) {
        if (!tp_ingest_headers_begin(in))
            tp_source_add(in->run->engine.source, &g->file);
        return;
    }
    if (in->input->defect_errno != 0)
        tp_fail_errno(&g->stream.engine_error, TP_E_OPEN, in->input->defect_errno,
                      in->input->defect_errno == EISDIR
                          ? "cannot open (-r reads the files below it)"
                          : "cannot open");
    atomic_store_explicit(&g->stream.engine_ended, true, memory_order_release);
    tp_wake_ingest(in);
}

// Begins the input that was admitted to the slot, if there is one.
static void begin(struct tp_input_run *in)
{
    size_t admitted = atomic_exchange(&slot_of(in)->admitted, 0);
    if (admitted == 0)
        return;
    struct tp_error err;
    if (prepare(in, admitted - 1, &err) != 0)
        tp_run_fail(in->run, &err);
    atomic_store_explicit(&in->ordering_ended, in->order == NULL, memory_order_release);
    atomic_store_explicit(&in->live, true, memory_order_release);
    start_reading(in);
}

// END

static void release(struct tp_input_run *in)
{
    tp_commit_fini(in);
    if (in->order != NULL)
        tp_order_queue_reset(in);
    tp_reread_file_close(&in->reread);
    tp_digest_destroy(in->stored.digest);
    in->stored.digest = NULL;
    atomic_store_explicit(&in->live, false, memory_order_release);
}

static void end(struct tp_input_run *in)
{
    struct tp_run *run = in->run;
    tp_input_order_report(in);
    release(in);
    size_t next = in->index + 1;
    atomic_store(&run->turns.since_ns, tp_now_ns());
    // From here on the slot of `in` belongs to another input.
    atomic_store_explicit(&run->turns.oldest, next, memory_order_seq_cst);
    tp_wake_admission(run);
    struct tp_input_run *next_in = atomic_load(&run->turns.active[next % TP_ACTIVE_MAX]);
    if (next_in != NULL)
        tp_wake_commit_on_worker(next_in);
}

// THE STRANDS

static bool is_live(const struct tp_input_run *in)
{
    return atomic_load_explicit(&in->live, memory_order_acquire);
}

static void advance_ingest(void *ctx)
{
    struct tp_input_run *in = ctx;
    if (!is_live(in))
        begin(in);
    if (is_live(in))
        tp_ingest_step(in);
}

static void advance_order(void *ctx)
{
    tp_ordering_step(ctx);
}

static void advance_commit(void *ctx)
{
    struct tp_input_run *in = ctx;
    if (is_live(in) && tp_commit_step(in))
        end(in);
}

// SLOTS

static struct tp_input_run *make_slot(struct tp_run *run)
{
    struct slot *slot = tp_alloc_zero(sizeof *slot);
    if (slot == NULL)
        return NULL;
    struct tp_input_run *in = &slot->in;
    in->run = run;
    in->reread.fd = -1;
    atomic_store(&in->ordering_ended, true);
    in->ingest = &slot->ingest;
    in->ingest->in = in;
    in->commit = &slot->commit;
    tp_step_init(&in->wake.ingest, advance_ingest, in);
    tp_step_init(&in->wake.order, advance_order, in);
    tp_step_init(&in->wake.commit, advance_commit, in);
    if (run->lanes[TP_LANE_BLOCKS].is_used && !tp_order_queue_create(in)) {
        tp_free(slot);
        return NULL;
    }
    return in;
}

bool tp_input_admit(struct tp_run *run, size_t index)
{
    struct tp_input_run *in = atomic_load(&run->turns.active[index % TP_ACTIVE_MAX]);
    if (in == NULL && (in = make_slot(run)) == NULL)
        return false;
    atomic_store(&run->turns.active[index % TP_ACTIVE_MAX], in);
    atomic_store(&slot_of(in)->admitted, index + 1);
    tp_wake_ingest(in);
    return true;
}

void tp_input_slots_fini(struct tp_run *run)
{
    for (size_t i = 0; i < TP_ACTIVE_MAX; i++) {
        struct tp_input_run *in = atomic_load(&run->turns.active[i]);
        if (in == NULL)
            continue;
        tp_ring_destroy(in->ingest->stream.inbox);
        tp_digest_destroy(in->stored.digest);
        if (in->order != NULL)
            tp_order_queue_destroy(in);
        tp_reread_file_close(&in->reread);
        tp_free(slot_of(in));
    }
}
