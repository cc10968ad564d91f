// Section of a state: the files whose clock is in doubt, as a state of their own.
#include "base/alloc.h"
#include "stats/state/section.h"
#include "stats/state/state.h"

// The output of the inner state: the section. Never fails.
struct section_out {
    struct tp_out out;
    struct tp_state_writer *w;
};

static int put(struct tp_out *out, struct tp_span bytes, struct tp_error *err)
{
    (void)err;
    tp_state_put_bytes(((struct section_out *)out)->w, bytes);
    return 0;
}

static void put_doubtful(struct tp_state_writer *w)
{
    struct section_out to = {{put}, w};
    struct tp_error err;
    if (w->totals->doubtful != NULL && !w->lacks_memory &&
        tp_totals_write(w->totals->doubtful, &to.out, &err) != 0)
        w->lacks_memory = true;
}

// Reads the inner state, which must not have a section of doubtful files itself.
static void get_doubtful(struct tp_state_reader *r)
{
    struct tp_error err;
    struct tp_state_terms terms = r->terms;
    uint64_t outer_bytes = tp_totals_bytes(r->totals);
    terms.most_bytes -= outer_bytes < terms.most_bytes ? outer_bytes : terms.most_bytes;
    if (r->is_inner) {
        tp_state_refuse(r, "inconsistent clocks within inconsistent clocks");
        return;
    }
    struct tp_totals *inner = tp_alloc_zero(sizeof *inner);
    if (inner == NULL) {
        tp_state_lack_memory(r);
        return;
    }
    r->totals->doubtful = inner;
    struct tp_span file = tp_span_of(r->at, tp_state_left_bytes(r));
    int rc = tp_state_read_inner(file, terms, inner, &err);
    if (rc == TP_E_MEMORY)
        tp_state_lack_memory(r);
    else if (rc == TP_E_LIMIT)
        tp_state_outgrow(r);
    else if (rc != 0 || inner->file_count == 0)
        tp_state_refuse(r, "the section of inconsistent clocks is no state");
    r->at = r->end;
}

const struct tp_section tp_section_doubtful = {.put = put_doubtful, .get = get_doubtful};
