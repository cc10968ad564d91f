// Sections of a state: the figures of each input, and the inputs that were refused.
#include "stats/state/section.h"

// Columns of when an input was taken: whether that is known, and two times of two columns each.
#define TAKEN_COLUMNS 5

#define FILE_COLUMNS (1 + TP_FILE_FIGURE_COUNT + 1 + TP_FINDS_COUNT + TAKEN_COLUMNS + 1)

static void fill_file(struct tp_state_writer *w, uint32_t i, tp_wide *row)
{
    const struct tp_file_row *f = &w->totals->files.items[i];
    *row++ = tp_state_refer(w, TP_STATE_NAME, f->path);
    for (unsigned k = 0; k < TP_FILE_FIGURE_COUNT; k++)
        *row++ = f->figures[k];
    *row++ = (unsigned)f->judgement;
    // A value is written plus 1; 0: not judged.
    for (unsigned k = 0; k < TP_FINDS_COUNT; k++)
        *row++ = f->values[k] != TP_VALUE_NONE ? (tp_wide)f->values[k] + 1 : 0;
    *row++ = f->taken.file_count;
    *row++ = (uint64_t)f->taken.first.sec;
    *row++ = (uint64_t)f->taken.first.nsec;
    *row++ = (uint64_t)f->taken.last.sec;
    *row++ = (uint64_t)f->taken.last.nsec;
    *row = f->is_damaged;
}

static void put_files(struct tp_state_writer *w)
{
    tp_state_put_rows(w, w->totals->files.count, FILE_COLUMNS, fill_file);
}

static void get_values(struct tp_state_reader *r, struct tp_file_row *f)
{
    f->judgement = (enum tp_judgement)tp_state_get_below(r, TP_JUDGEMENT_COUNT, "judgement");
    for (unsigned k = 0; k < TP_FINDS_COUNT; k++) {
        uint64_t value = tp_state_get(r);
        f->values[k] = value > 0 ? value - 1 : TP_VALUE_NONE;
        if (value > 0 && f->judgement != TP_JUDGEMENT_JUDGED)
            tp_state_refuse(r, "a finding value of a trace that was not analysed");
    }
}

// A row that does not know the time of day has zeros; other ones are not in the form of a state.
static void get_taken(struct tp_state_reader *r, struct tp_taken *t)
{
    t->file_count = tp_state_get_below(r, 2, "file count of a row");
    t->first = tp_state_get_wall(r);
    t->last = tp_state_get_wall(r);
    if (tp_wall_is_before(t->last, t->first))
        tp_state_refuse(r, "a file that ends before it begins");
    if (t->file_count == 0)
        *t = (struct tp_taken){0};
}

static void get_file(struct tp_state_reader *r, struct tp_file_row *f)
{
    f->path = tp_state_get_below(r, r->totals->names.count, "name");
    for (unsigned k = 0; k < TP_FILE_FIGURE_COUNT; k++)
        f->figures[k] = tp_state_get_wide(r);
    get_values(r, f);
    get_taken(r, &f->taken);
    f->is_damaged = tp_state_get_below(r, 2, "damage") != 0;
}

static uint64_t count_damaged_rows(const struct tp_totals *s)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < s->files.count; i++)
        count += s->files.items[i].is_damaged;
    return count;
}

static void get_files(struct tp_state_reader *r)
{
    struct tp_totals *s = r->totals;
    while (tp_state_has_more(r)) {
        struct tp_file_row f = {0};
        get_file(r, &f);
        if (r->code == 0 && !TP_LIST_ADD(&s->files, f))
            tp_state_lack_memory(r);
    }
    if (s->files.count > s->file_count)
        tp_state_refuse(r, "more file rows than files");
    if (count_damaged_rows(s) > s->damaged_count)
        tp_state_refuse(r, "more rows of damaged files than damaged files");
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
            tp_state_refuse(r, "a refused input without a reason");
        if (r->code == 0 && !TP_LIST_ADD(&s->refused, row))
            tp_state_lack_memory(r);
    }
    if (s->refused.count > s->refused_count)
        tp_state_refuse(r, "more rows of refused inputs than refused inputs");
}

const struct tp_section tp_section_refused = {.use = put_refused, .put = put_refused,
                                              .get = get_refused};
