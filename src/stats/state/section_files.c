// Sections of a state: the figures of each input, and the inputs that were refused.
#include "base/alloc.h"
#include "base/sort/compare.h"
#include "stats/state/section.h"

// Returns the number of a place in the file; 0: no place.
static uint64_t place_number(const struct tp_state_writer *w, uint32_t place)
{
    return place == TP_INTERN_NONE ? 0 : UINT64_C(1) + tp_state_number(w, TP_STATE_NAME, place);
}

static void use_files(struct tp_state_writer *w)
{
    for (uint32_t i = 0; i < w->totals->files.count; i++) {
        const struct tp_file_row *f = &w->totals->files.items[i];
        tp_state_use(w, TP_STATE_NAME, f->path);
        for (unsigned k = 0; k < TP_FINDING_COUNT; k++) {
            if (f->places[k] != TP_INTERN_NONE)
                tp_state_use(w, TP_STATE_NAME, f->places[k]);
        }
    }
}

// Orders rows by the numbers that they have in the file.
static int compare_files(const void *left, const void *right, void *ctx)
{
    const struct tp_file_row *a = left, *b = right;
    const struct tp_state_writer *w = ctx;
    int order = tp_compare_u64(tp_state_number(w, TP_STATE_NAME, a->path),
                               tp_state_number(w, TP_STATE_NAME, b->path));
    for (unsigned k = 0; k < TP_FILE_FIGURE_COUNT && order == 0; k++)
        order = tp_compare_wide(a->figures[k], b->figures[k]);
    for (unsigned k = 0; k < TP_FINDING_COUNT && order == 0; k++)
        order = tp_compare_u64(place_number(w, a->places[k]), place_number(w, b->places[k]));
    return order;
}

static void put_files(struct tp_state_writer *w)
{
    uint32_t count = w->totals->files.count;
    struct tp_file_row *sorted =
        tp_state_sorted(w, &w->totals->files.as_list, sizeof *sorted, compare_files);
    for (uint32_t i = 0; i < count && sorted != NULL; i++) {
        tp_state_put(w, tp_state_number(w, TP_STATE_NAME, sorted[i].path));
        for (unsigned k = 0; k < TP_FILE_FIGURE_COUNT; k++)
            tp_state_put_wide(w, sorted[i].figures[k]);
        for (unsigned k = 0; k < TP_FINDING_COUNT; k++)
            tp_state_put(w, place_number(w, sorted[i].places[k]));
    }
    tp_free(sorted);
}

static void get_files(struct tp_state_reader *r)
{
    struct tp_totals *s = r->totals;
    while (tp_state_has_more(r)) {
        struct tp_file_row f = {.path = tp_state_get_below(r, s->names.count, "name")};
        for (unsigned k = 0; k < TP_FILE_FIGURE_COUNT; k++)
            f.figures[k] = tp_state_get_wide(r);
        for (unsigned k = 0; k < TP_FINDING_COUNT; k++) {
            uint32_t place = tp_state_get_below(r, UINT64_C(1) + s->names.count, "name");
            f.places[k] = place == 0 ? TP_INTERN_NONE : place - 1;
        }
        if (r->code == 0 && !TP_LIST_ADD(&s->files, f))
            tp_state_lack_memory(r);
    }
    if (s->files.count > s->file_count)
        tp_state_refuse(r, "more rows of files than files");
}

const struct tp_section tp_section_files = {.use = use_files, .put = put_files,
                                            .get = get_files};

// REFUSED

// Error codes are negative in memory; the file has their absolute values, below CODES_END.
// Codes of later versions are kept as they are.
#define CODES_END 1000
static uint64_t code_number(int code)
{
    return (uint64_t)-(int64_t)code;
}

static void use_refused(struct tp_state_writer *w)
{
    for (uint32_t i = 0; i < w->totals->refused.count; i++) {
        tp_state_use(w, TP_STATE_NAME, w->totals->refused.items[i].path);
        tp_state_use(w, TP_STATE_NAME, w->totals->refused.items[i].words);
    }
}

static int compare_refused(const void *left, const void *right, void *ctx)
{
    const struct tp_refused_row *a = left, *b = right;
    const struct tp_state_writer *w = ctx;
    int order = tp_compare_u64(tp_state_number(w, TP_STATE_NAME, a->path),
                               tp_state_number(w, TP_STATE_NAME, b->path));
    if (order == 0)
        order = tp_compare_u64(code_number(a->code), code_number(b->code));
    if (order == 0)
        order = tp_compare_u64(tp_state_number(w, TP_STATE_NAME, a->words),
                               tp_state_number(w, TP_STATE_NAME, b->words));
    return order;
}

static void put_refused(struct tp_state_writer *w)
{
    uint32_t count = w->totals->refused.count;
    struct tp_refused_row *sorted =
        tp_state_sorted(w, &w->totals->refused.as_list, sizeof *sorted, compare_refused);
    for (uint32_t i = 0; i < count && sorted != NULL; i++) {
        tp_state_put(w, tp_state_number(w, TP_STATE_NAME, sorted[i].path));
        tp_state_put(w, code_number(sorted[i].code));
        tp_state_put(w, tp_state_number(w, TP_STATE_NAME, sorted[i].words));
    }
    tp_free(sorted);
}

static void get_refused(struct tp_state_reader *r)
{
    struct tp_totals *s = r->totals;
    while (tp_state_has_more(r)) {
        struct tp_refused_row row = {.path = tp_state_get_below(r, s->names.count, "name")};
        uint32_t code = tp_state_get_below(r, CODES_END, "error code");
        row.words = tp_state_get_below(r, s->names.count, "name");
        row.code = -(int)code;
        if (r->code == 0 && code == 0)
            tp_state_refuse(r, "an input is refused for no reason");
        if (r->code == 0 && !TP_LIST_ADD(&s->refused, row))
            tp_state_lack_memory(r);
    }
    if (s->refused.count > s->refused_count)
        tp_state_refuse(r, "more rows of refused inputs than there are");
}

const struct tp_section tp_section_refused = {.use = use_refused, .put = put_refused,
                                              .get = get_refused};
