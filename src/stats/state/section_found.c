// Section of a state: findings, one by one.
#include <stdlib.h>

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "stats/state/section.h"

static void visit_place(struct tp_state_visit *v, struct tp_source_place *place)
{
    tp_visit_any(v, &place->function, TP_SECTION_names);
    tp_visit_any(v, &place->file, TP_SECTION_names);
    tp_visit_u64(v, &place->line);
    if (v->mode == TP_STATE_GET &&
        ((place->function == TP_INTERN_NONE && place->file != TP_INTERN_NONE) ||
         (place->file == TP_INTERN_NONE && place->line != 0)))
        tp_state_refuse(v->r, "a place without a function, or a line without a file");
}

static void visit_worst(struct tp_state_visit *v, struct tp_found *f)
{
    struct tp_worst *worst = &f->worst;
    bool is_known = worst->since_ns != TP_NO_MOMENT;
    tp_visit_flag(v, &is_known, "flag");
    if (!is_known) {
        *worst = (struct tp_worst)TP_WORST_NONE;
        return;
    }
    tp_visit_u64(v, &f->peak);
    tp_visit_u64(v, &worst->ns);
    tp_visit_u64(v, &worst->since_ns);
    tp_visit_i64(v, &worst->wall_ns);
    if (v->mode == TP_STATE_GET && worst->since_ns == TP_NO_MOMENT)
        tp_state_refuse(v->r, "a worst instance without its time");
}

static void visit_found(struct tp_state_visit *v, void *row)
{
    struct tp_found *f = row;
    tp_visit_row(v, &f->path, TP_SECTION_names);
    tp_visit_row(v, &f->kind, TP_SECTION_kinds);
    tp_visit_kinds(v, &f->also);
    tp_visit_u64(v, &f->value_ppm);
    tp_visit_u64(v, &f->count);
    tp_visit_u64(v, &f->max_ns);
    tp_visit_u64(v, &f->p99_ns);
    visit_worst(v, f);
    tp_visit_u64(v, &f->detail[0]);
    tp_visit_u64(v, &f->detail[1]);
    tp_visit_wide(v, &f->lost);
    visit_place(v, &f->culprit);
    visit_place(v, &f->victim);
    visit_place(v, &f->other);
    tp_visit_flag(v, &f->is_first, "flag");
    tp_visit_flag(v, &f->is_damaged, "flag");
}

// Orders findings so that those with equal paths, kinds and culprits (function and file) are
// together. A state has no name twice, so numbers are compared.
static int compare_found(const void *left, const void *right)
{
    const struct tp_found *a = *(struct tp_found *const *)left;
    const struct tp_found *b = *(struct tp_found *const *)right;
    return tp_compare_u64(a->path, b->path)
        ?: tp_compare_u64(a->kind, b->kind)
        ?: tp_compare_u64(a->culprit.function, b->culprit.function)
        ?: tp_compare_u64(a->culprit.file, b->culprit.file);
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

static void check_found(struct tp_state_reader *r)
{
    const struct tp_totals *s = r->totals;
    if (s->found.count > (tp_wide)s->file_count * TP_FINDS_COUNT * TP_FOUND_PER_KIND)
        tp_state_refuse(r, "more findings than files can have");
    else if (s->found.count > 0)
        check_first(r);
}

const struct tp_section tp_section_found = {
    .visit = visit_found, TP_STATE_ROWS(struct tp_found, found), .check = check_found};
