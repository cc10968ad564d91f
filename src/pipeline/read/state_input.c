#include "pipeline/read/state_input.h"

#include "pipeline/core/run.h"
#include "pipeline/read/ingest.h"

// Largest number of bytes of a state, however large --max-memory is. States are much smaller, and
// address space for a larger one may be scarce.
#define MOST_BYTES TP_MIB(1024)

static size_t most_bytes(const struct tp_input_run *in)
{
    // The limit of a decompressor, so that the limit of a state does not depend on -j. The state
    // must also fit beside its own decompressor.
    uint64_t most = tp_inflate_limit(&in->run->settings);
    uint64_t left = in->run->memory.budget.reserve_bytes - in->ingest->stream.reserved_bytes;
    left = left < most ? left : most;
    return left < MOST_BYTES ? (size_t)left : (size_t)MOST_BYTES;
}

static enum tp_stage_status refuse(struct tp_input_run *in)
{
    size_t most = most_bytes(in);
    tp_fail(&in->ingest->stream.error, most < MOST_BYTES ? TP_E_LIMIT : TP_E_TOO_LARGE,
            "statistics state of more than %zu KiB", most >> 10);
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
    // The limit may have shrunk, because the decompressor may have taken more memory since.
    size_t most = most_bytes(in);
    if (w->buf.len_bytes > most || bytes.len_bytes > most - w->buf.len_bytes)
        return refuse(in);
    if (!tp_budget_try_take(&in->run->memory.budget, bytes.len_bytes, tp_rank_of(in)))
        return tp_starve(in);
    w->reserved_bytes += bytes.len_bytes;
    if (w->buf.ptr == NULL && !tp_buf_init(&w->buf, most)) {
        tp_run_fail_with(in->run, TP_E_MEMORY, "out of memory for a statistics state");
        return TP_STAGE_OK;
    }
    return tp_buf_put(&w->buf, bytes.ptr, bytes.len_bytes) ? TP_STAGE_OK : refuse(in);
}
