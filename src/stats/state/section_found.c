// Section of a state: findings, one by one.
#include "stats/state/section.h"

// FIGURES: kind, also, value, count, max, p99, lost; each place has three columns.
#define FIGURE_COLUMNS 7
#define PLACE_COLUMNS 3
#define COLUMNS (1 + FIGURE_COLUMNS + 3 * PLACE_COLUMNS)

static tp_wide *fill_place(struct tp_state_writer *w, const struct tp_source_place *place,
                           tp_wide *row)
{
    *row++ = tp_state_refer_any(w, TP_STATE_NAME, place->function);
    *row++ = tp_state_refer_any(w, TP_STATE_NAME, place->file);
    *row++ = place->line;
    return row;
}

static void fill_found(struct tp_state_writer *w, uint32_t i, tp_wide *row)
{
    const struct tp_found *f = &w->totals->found.items[i];
    *row++ = tp_state_refer(w, TP_STATE_NAME, f->path);
    *row++ = f->kind;
    *row++ = f->also;
    *row++ = f->value_ppm;
    *row++ = f->count;
    *row++ = f->max_ns;
    *row++ = f->p99_ns;
    *row++ = f->lost;
    row = fill_place(w, &f->culprit, row);
    row = fill_place(w, &f->victim, row);
    fill_place(w, &f->other, row);
}

static void put_found(struct tp_state_writer *w)
{
    tp_state_put_rows(w, w->totals->found.count, COLUMNS, fill_found);
}

static struct tp_source_place get_place(struct tp_state_reader *r)
{
    uint32_t count = r->totals->names.count;
    struct tp_source_place place = {.function = tp_state_get_any(r, count, "name")};
    place.file = tp_state_get_any(r, count, "name");
    place.line = tp_state_get(r);
    if ((place.function == TP_INTERN_NONE && place.file != TP_INTERN_NONE) ||
        (place.file == TP_INTERN_NONE && place.line != 0))
        tp_state_refuse(r, "a place without a function, or a line without a file");
    return place;
}

static void get_found(struct tp_state_reader *r)
{
    struct tp_totals *s = r->totals;
    while (tp_state_has_more(r)) {
        struct tp_found f = {.path = tp_state_get_below(r, s->names.count, "name")};
        f.kind = tp_state_get_below(r, TP_FINDS_COUNT, "kind of finding");
        f.also = tp_state_get_below(r, UINT64_C(1) << TP_FINDS_COUNT, "kind of finding");
        f.value_ppm = tp_state_get(r);
        f.count = tp_state_get(r);
        f.max_ns = tp_state_get(r);
        f.p99_ns = tp_state_get(r);
        f.lost = tp_state_get_wide(r);
        f.culprit = get_place(r);
        f.victim = get_place(r);
        f.other = get_place(r);
        if (r->code == 0 && !TP_LIST_ADD(&s->found, f))
            tp_state_lack_memory(r);
    }
    if (s->found.count > s->file_count * TP_FINDS_COUNT * TP_FOUND_PER_KIND)
        tp_state_refuse(r, "more findings than files can have");
}

const struct tp_section tp_section_found = {.use = put_found, .put = put_found,
                                            .get = get_found};
