#include "sink/run_tally.h"

#include <assert.h>

struct tp_v1_tally_result tp_run_tally(struct tp_v1_tally *t, const struct tp_unit *unit,
                                       const struct tp_extent *run, tp_v1_ident_fn on_ident,
                                       void *ctx)
{
    size_t at_bytes = (size_t)(run->offset - unit->offset);
    struct tp_v1_tally_result r =
        tp_v1_tally_events(t, tp_span_of(unit->bytes.ptr + at_bytes, run->len_bytes),
                           tp_v1_table(unit->input->format.minor), on_ident, ctx);
    assert(r.used_bytes == run->len_bytes);
    return r;
}
