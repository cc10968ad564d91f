#include "pipeline/read/state_input.h"

#include "pipeline/core/run.h"
#include "pipeline/read/ingest.h"

// Largest number of bytes of a state, however large --max-memory is. States are much smaller, and
// address space for a larger one may be scarce.
#define MOST_BYTES TP_MIB(1024)

// A younger input gathers no more while the account exceeds 1/YOUNGER_SHARE of all memory.
#define YOUNGER_SHARE 64

static size_t most_bytes(const struct tp_input_run *in)
{
    uint64_t left = tp_account_left(&in->run->memory.grown);
    return left < MOST_BYTES ? (size_t)left : (size_t)MOST_BYTES;
}

static enum tp_stage_status refuse(struct tp_input_run *in)
{
    struct tp_error *err = &in->ingest->stream.error;
    if (most_bytes(in) < MOST_BYTES)
        tp_fail(err, TP_E_LIMIT, "statistics state that does not fit beside the totals of the "
                                 "inputs before it");
    else
        tp_fail(err, TP_E_TOO_LARGE, "statistics state of more than %zu MiB",
                (size_t)MOST_BYTES >> 20);
    in->ingest->is_cut = true;
    return TP_STAGE_OK;
}

static bool is_wanted(const struct tp_input_run *in)
{
    for (size_t k = 0; k < in->run->sink_count; k++) {
        if (in->run->sinks[k].plan.input.take_state != NULL)
            return in->info.format.decoder->kind == TP_KIND_STATE && !in->ingest->is_cut;
    }
    return false;
}

enum tp_stage_status tp_state_input_add(struct tp_input_run *in)
{
    struct tp_state_input *w = &in->state_input;
    struct tp_span bytes = in->ingest->current.bytes;
    if (!is_wanted(in))
        return TP_STAGE_OK;
    struct tp_account *grown = &in->run->memory.grown;
    size_t most = most_bytes(in); // less than before, if an older input has added its totals
    if (w->buf.len_bytes > most || bytes.len_bytes > most - w->buf.len_bytes)
        return refuse(in);
    if (tp_rank_of(in) != TP_RANK_OLDEST && tp_account_passes(grown, YOUNGER_SHARE))
        return tp_starve(in);
    if (w->buf.ptr == NULL && !tp_buf_init(&w->buf, most)) {
        tp_run_fail_with(in->run, TP_E_MEMORY, "out of memory for a statistics state");
        return TP_STAGE_OK;
    }
    if (!tp_buf_put(&w->buf, bytes.ptr, bytes.len_bytes))
        return refuse(in);
    tp_account_set(grown, &w->share, w->buf.len_bytes);
    return TP_STAGE_OK;
}
