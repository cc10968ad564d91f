// Section of a state: mutator utilisation.
#include "stats/state/section.h"

static void put_gc(struct tp_state_writer *w)
{
    const struct tp_utilisation *u = &w->totals->utilisation;
    if (tp_utilisation_is_empty(u))
        return;
#define TP_X(field, key) tp_state_put_wide(w, u->field);
    TP_UTIL_COUNTS(TP_X)
    TP_UTIL_TIMES(TP_X)
#undef TP_X
    for (unsigned i = 0; i < TP_UTIL_WINDOW_COUNT && u->file_count > 0; i++) {
        for (unsigned k = 0; k < tp_util_windows[i].figure_count; k++)
            tp_state_put(w, u->least_ppm[i][k]);
    }
}

static void get_gc(struct tp_state_reader *r)
{
    struct tp_utilisation *u = &r->totals->utilisation;
#define TP_X(field, key) u->field = tp_state_get(r);
    TP_UTIL_COUNTS(TP_X)
#undef TP_X
#define TP_X(field, key) u->field = tp_state_get_wide(r);
    TP_UTIL_TIMES(TP_X)
#undef TP_X
    for (unsigned i = 0; i < TP_UTIL_WINDOW_COUNT && u->file_count > 0; i++) {
        for (unsigned k = 0; k < tp_util_windows[i].figure_count; k++)
            u->least_ppm[i][k] = tp_state_get_below(r, TP_UTIL_WHOLE_PPM + 1, "share of the Ps");
    }
    uint64_t all = r->totals->file_count;
    // UINT64_MAX stands for greater counts, too (tp_add_limited).
    if (u->file_count > all || (all < UINT64_MAX && u->left_out_count > all - u->file_count))
        tp_state_refuse(r, "mutator utilisation of more files than files");
}

const struct tp_section tp_section_gc = {.put = put_gc, .get = get_gc};
