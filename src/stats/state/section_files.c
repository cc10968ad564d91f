// Sections of a state: the figures of each input, and the inputs that were refused.
#include "stats/state/section.h"

#define FILE_COLUMNS (1 + TP_FILE_FIGURE_COUNT + TP_FINDING_COUNT)

static void fill_file(struct tp_state_writer *w, uint32_t i, tp_wide *row)
{
    const struct tp_file_row *f = &w->totals->files.items[i];
    *row++ = tp_state_refer(w, TP_STATE_NAME, f->path);
    for (unsigned k = 0; k < TP_FILE_FIGURE_COUNT; k++)
        *row++ = f->figures[k];
    // A place is written as the number of its name plus 1; 0: there is no place.
    for (unsigned k = 0; k < TP_FINDING_COUNT; k++) {
        bool has_place = f->places[k] != TP_INTERN_NONE;
        *row++ = has_place ? 1 + tp_state_refer(w, TP_STATE_NAME, f->places[k]) : 0;
    }
}

static void put_files(struct tp_state_writer *w)
{
    tp_state_put_rows(w, w->totals->files.count, FILE_COLUMNS, fill_file);
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

const struct tp_section tp_section_files = {.use = put_files, .put = put_files,
                                            .get = get_files};

// REFUSED

// Error codes are negative in memory; the file has their absolute values, below CODES_END.
// Codes that this version does not know are kept as they are.
#define CODES_END 1000
static void fill_refused(struct tp_state_writer *w, uint32_t i, tp_wide *row)
{
    const struct tp_refused_row *r = &w->totals->refused.items[i];
    row[0] = tp_state_refer(w, TP_STATE_NAME, r->path);
    row[1] = (uint64_t)-(int64_t)r->code;
    row[2] = tp_state_refer(w, TP_STATE_NAME, r->words);
}

static void put_refused(struct tp_state_writer *w)
{
    tp_state_put_rows(w, w->totals->refused.count, 3, fill_refused);
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

const struct tp_section tp_section_refused = {.use = put_refused, .put = put_refused,
                                              .get = get_refused};
