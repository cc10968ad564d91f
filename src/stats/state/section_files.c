// Sections of a state: the figures of each input, and the inputs that were refused.
#include "stats/state/section.h"

// The fields are those that a kind has; the others are 0.
static void visit_tops(struct tp_state_visit *v, struct tp_file_row *f, enum tp_top_kind kind)
{
    tp_visit_below(v, &f->top_counts[kind], TP_TOPS_PER_KIND + 1, "number of names of a kind of a file");
    for (uint32_t i = 0; i < f->top_counts[kind]; i++) {
        struct tp_file_top *top = &f->tops[kind][i];
        tp_visit_row(v, &top->name, TP_SECTION_names);
        if (kind == TP_TOP_WAIT) {
            tp_visit_any(v, &top->file, TP_SECTION_names);
            tp_visit_u64(v, &top->line);
        } else {
            top->file = TP_INTERN_NONE;
            tp_visit_u64(v, &top->count);
        }
        if (kind != TP_TOP_EVENT)
            tp_visit_u64(v, &top->total_ns);
        if (kind >= TP_TOP_TIMED)
            continue;
        struct tp_file_times *times = &f->times[kind][i];
        tp_visit_u64(v, &times->mean_ns);
        tp_visit_u64(v, &times->p50_ns);
        tp_visit_u64(v, &times->p99_ns);
        for (unsigned class = 0; class < TP_CLASS_COUNT; class++)
            tp_visit_u64(v, &times->class_ns[class]);
    }
    tp_visit_u64(v, &f->more_tops[kind]);
}

static void visit_file(struct tp_state_visit *v, void *row)
{
    struct tp_file_row *f = row;
    uint32_t judgement = f->judgement, file_count = (uint32_t)f->taken.file_count;
    tp_visit_row(v, &f->path, TP_SECTION_names);
    tp_visit_any(v, &f->host, TP_SECTION_names);
    tp_visit_any(v, &f->grouped_by, TP_SECTION_names);
    for (unsigned i = 0; i < TP_FILE_FIGURE_COUNT; i++)
        tp_visit_wide(v, &f->figures[i]);
    tp_visit_below(v, &judgement, TP_JUDGEMENT_COUNT, "judgement");
    tp_visit_values(v, f->values);
    tp_visit_below(v, &file_count, 2, "file count of a row");
    tp_visit_wall(v, &f->taken.first);
    tp_visit_wall(v, &f->taken.last);
    tp_visit_u64(v, &f->begin);
    tp_visit_flag(v, &f->is_damaged, "damage");
    for (unsigned kind = 0; kind < TP_TOP_KINDS; kind++)
        visit_tops(v, f, (enum tp_top_kind)kind);
    f->judgement = (enum tp_judgement)judgement;
    f->taken.file_count = file_count;
}

// A row that does not know the time of day has zeros; other ones are not in the form of a state.
static void check_file(struct tp_state_reader *r, void *row)
{
    struct tp_file_row *f = row;
    for (unsigned k = 0; k < TP_FINDS_COUNT; k++) {
        if (f->values[k] != TP_VALUE_NONE && f->judgement != TP_JUDGEMENT_JUDGED)
            tp_state_refuse(r, "a finding value of a trace that was not analysed");
    }
    if (tp_wall_is_before(f->taken.last, f->taken.first))
        tp_state_refuse(r, "a file that ends before it begins");
    if (f->taken.file_count == 0)
        f->taken = (struct tp_taken){0};
}

static void check_files(struct tp_state_reader *r)
{
    const struct tp_totals *s = r->totals;
    uint64_t damaged_count = 0;
    for (uint32_t i = 0; i < s->files.count; i++)
        damaged_count += s->files.items[i].is_damaged;
    if (s->files.count > s->file_count)
        tp_state_refuse(r, "more file rows than files");
    if (damaged_count > s->damaged_count)
        tp_state_refuse(r, "more rows of damaged files than damaged files");
}

const struct tp_section tp_section_files = {.visit = visit_file,
                                            TP_STATE_ROWS(struct tp_file_row, files),
                                            .check_row = check_file,
                                            .check = check_files};

// REFUSED

// Error codes are negative in memory; the file has their absolute values, below CODES_END.
// Codes that this version does not know are kept as they are.
#define CODES_END 1000

static void visit_refused(struct tp_state_visit *v, void *row)
{
    struct tp_refused_row *of = row;
    uint32_t code = (uint32_t)-of->code;
    tp_visit_row(v, &of->path, TP_SECTION_names);
    tp_visit_below(v, &code, CODES_END, "error code");
    tp_visit_row(v, &of->words, TP_SECTION_names);
    of->code = -(int)code;
}

static void check_refused_row(struct tp_state_reader *r, void *row)
{
    if (((const struct tp_refused_row *)row)->code == 0)
        tp_state_refuse(r, "a refused input without a reason");
}

static void check_refused(struct tp_state_reader *r)
{
    if (r->totals->refused.count > r->totals->refused_count)
        tp_state_refuse(r, "more rows of refused inputs than refused inputs");
}

const struct tp_section tp_section_refused = {.visit = visit_refused,
                                              TP_STATE_ROWS(struct tp_refused_row, refused),
                                              .check_row = check_refused_row,
                                              .check = check_refused};
