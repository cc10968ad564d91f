// Section of a state: findings, one by one.
#include "stats/state/section.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/sort/compare.h"

// FIGURES: kind, also, value, count, max, p99, two details, lost; each place has three columns; flags.
#define FIGURE_COLUMNS 9
#define PLACE_COLUMNS 3
#define COLUMNS (1 + FIGURE_COLUMNS + 3 * PLACE_COLUMNS + 1)
// The last column: the sum of these.
#define FLAG_FIRST 1
#define FLAG_DAMAGED 2
#define FLAGS_END 4

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
    *row++ = f->detail[0];
    *row++ = f->detail[1];
    *row++ = f->lost;
    row = fill_place(w, &f->culprit, row);
    row = fill_place(w, &f->victim, row);
    row = fill_place(w, &f->other, row);
    *row = (f->is_first ? FLAG_FIRST : 0) | (f->is_damaged ? FLAG_DAMAGED : 0);
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

// Orders findings so that those with equal paths, kinds and culprits (function and file) are
// together. A state has no name twice, so numbers are compared.
static int compare_found(const void *left, const void *right)
{
    const struct tp_found *a = *(struct tp_found *const *)left;
    const struct tp_found *b = *(struct tp_found *const *)right;
    int order = tp_compare_u64(a->path, b->path);
    if (order == 0)
        order = tp_compare_u64(a->kind, b->kind);
    if (order == 0)
        order = tp_compare_u64(a->culprit.function, b->culprit.function);
    return order != 0 ? order : tp_compare_u64(a->culprit.file, b->culprit.file);
}

// Checks that each group of equal findings counts as an input.
static void check_first(struct tp_state_reader *r)
{
    struct tp_totals *s = r->totals;
    uint32_t count = s->found.count;
    struct tp_found **found = tp_alloc_array(count, sizeof *found);
    if (found == NULL) {
        tp_state_lack_memory(r);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        found[i] = &s->found.items[i];
    qsort(found, count, sizeof *found, compare_found);
    for (uint32_t begin = 0, end; begin < count; begin = end) {
        bool is_counted = found[begin]->is_first;
        for (end = begin + 1; end < count && compare_found(&found[begin], &found[end]) == 0; end++)
            is_counted = is_counted || found[end]->is_first;
        if (!is_counted)
            tp_state_refuse(r, "a finding of no file");
    }
    tp_free(found);
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
        f.detail[0] = tp_state_get(r);
        f.detail[1] = tp_state_get(r);
        f.lost = tp_state_get_wide(r);
        f.culprit = get_place(r);
        f.victim = get_place(r);
        f.other = get_place(r);
        uint32_t flags = tp_state_get_below(r, FLAGS_END, "flag");
        f.is_first = (flags & FLAG_FIRST) != 0;
        f.is_damaged = (flags & FLAG_DAMAGED) != 0;
        if (r->code == 0 && !TP_LIST_ADD(&s->found, f))
            tp_state_lack_memory(r);
    }
    if (s->found.count > (tp_wide)s->file_count * TP_FINDS_COUNT * TP_FOUND_PER_KIND)
        tp_state_refuse(r, "more findings than files can have");
    if (r->code == 0 && s->found.count > 0)
        check_first(r);
}

const struct tp_section tp_section_found = {.use = put_found, .put = put_found,
                                            .get = get_found};
