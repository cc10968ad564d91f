// Section of a state: the files whose clock is in doubt, as a state of their own.
#include "base/alloc.h"
#include "stats/state/section.h"
#include "stats/state/state.h"

static void put_doubtful(struct tp_state_writer *w)
{
    struct tp_state_bytes file;
    struct tp_error err;
    if (w->totals->doubtful == NULL || w->lacks_memory)
        return;
    if (tp_state_make(w->totals->doubtful, &file, &err) != 0) {
        w->lacks_memory = true;
        return;
    }
    tp_state_put_bytes(w, tp_span_of(file.ptr, file.len_bytes));
    tp_free(file.ptr);
}

// Reads the inner state, which must not have a section of doubtful files itself.
static void get_doubtful(struct tp_state_reader *r)
{
    struct tp_error err;
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
    int rc = tp_state_read_inner(tp_span_of(r->at, tp_state_left_bytes(r)), inner, &err);
    if (rc == TP_E_MEMORY)
        tp_state_lack_memory(r);
    else if (rc != 0 || inner->file_count == 0)
        tp_state_refuse(r, "the section of inconsistent clocks is no state");
    r->at = r->end;
}

const struct tp_section tp_section_doubtful = {.put = put_doubtful, .get = get_doubtful};
