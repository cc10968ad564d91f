// Sections of a state: the figures of each input, and the inputs that were refused.
#include "stats/state/section.h"

static bool has_findings(unsigned version)
{
    return version >= TP_STATE_VERSION_FINDINGS;
}

static unsigned figure_count(unsigned version)
{
    return has_findings(version) ? TP_FILE_FIGURE_COUNT : TP_FILE_FIGURES_V2;
}

static unsigned column_count(unsigned version)
{
    unsigned count = 1 + figure_count(version) + TP_FINDING_COUNT;
    return has_findings(version) ? count + 1 + TP_FINDS_COUNT : count;
}

static void fill_file(struct tp_state_writer *w, uint32_t i, tp_wide *row)
{
    const struct tp_file_row *f = &w->totals->files.items[i];
    *row++ = tp_state_refer(w, TP_STATE_NAME, f->path);
    for (unsigned k = 0; k < figure_count(w->version); k++)
        *row++ = f->figures[k];
    for (unsigned k = 0; k < TP_FINDING_COUNT; k++)
        *row++ = tp_state_refer_any(w, TP_STATE_NAME, f->places[k]);
    if (!has_findings(w->version))
        return;
    *row++ = (unsigned)f->judgement;
    // A value is written plus 1; 0: not judged.
    for (unsigned k = 0; k < TP_FINDS_COUNT; k++)
        *row++ = f->values[k] != TP_VALUE_NONE ? (tp_wide)f->values[k] + 1 : 0;
}

static void put_files(struct tp_state_writer *w)
{
    tp_state_put_rows(w, w->totals->files.count, column_count(w->version), fill_file);
}

static void get_values(struct tp_state_reader *r, struct tp_file_row *f)
{
    for (unsigned k = 0; k < TP_FINDS_COUNT; k++)
        f->values[k] = TP_VALUE_NONE;
    if (!has_findings(r->version))
        return;
    f->judgement = (enum tp_judgement)tp_state_get_below(r, TP_JUDGEMENT_COUNT, "judgement");
    for (unsigned k = 0; k < TP_FINDS_COUNT; k++) {
        uint64_t value = tp_state_get(r);
        f->values[k] = value > 0 ? value - 1 : TP_VALUE_NONE;
        if (value > 0 && f->judgement != TP_JUDGEMENT_JUDGED)
            tp_state_refuse(r, "a value of a file that was not judged");
    }
}

static void get_files(struct tp_state_reader *r)
{
    struct tp_totals *s = r->totals;
    while (tp_state_has_more(r)) {
        struct tp_file_row f = {.path = tp_state_get_below(r, s->names.count, "name")};
        for (unsigned k = 0; k < figure_count(r->version); k++)
            f.figures[k] = tp_state_get_wide(r);
        for (unsigned k = 0; k < TP_FINDING_COUNT; k++)
            f.places[k] = tp_state_get_any(r, s->names.count, "name");
        get_values(r, &f);
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
