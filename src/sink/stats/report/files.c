// Files in the report of `stats:level=full`: the figures of each, and what was found in it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "sink/stats/report/parts.h"

static int compare_walls(struct tp_wall a, struct tp_wall b)
{
    return tp_wall_is_before(a, b) ? -1 : tp_wall_is_before(b, a);
}

static int compare_taken(const struct tp_taken *a, const struct tp_taken *b)
{
    return tp_compare_u64(a->file_count, b->file_count)
        ?: compare_walls(a->first, b->first)
        ?: compare_walls(a->last, b->last);
}

// Orders files by path; for equal paths, which may occur, by all that is printed of them.
static int compare_files(const void *left, const void *right, void *ctx)
{
    const struct tp_full_report *r = ctx;
    const struct tp_file_row *a = *(const struct tp_file_row *const *)left;
    const struct tp_file_row *b = *(const struct tp_file_row *const *)right;
    int order = tp_totals_compare_texts(r->totals, a->path, b->path);
    for (unsigned i = 0; i < TP_FILE_FIGURE_COUNT && order == 0; i++)
        order = tp_compare_wide(a->figures[i], b->figures[i]);
    for (unsigned i = 0; i < TP_FINDS_COUNT && order == 0; i++)
        order = tp_compare_u64(a->values[i], b->values[i]);
    return order
        ?: tp_compare_u64(a->judgement, b->judgement)
        ?: tp_compare_u64(a->is_damaged, b->is_damaged)
        ?: compare_taken(&a->taken, &b->taken);
}

static int compare_running(const void *left, const void *right, void *ctx)
{
    tp_wide a = (*(const struct tp_file_row *const *)left)->figures[TP_FILE_RUNNING];
    tp_wide b = (*(const struct tp_file_row *const *)right)->figures[TP_FILE_RUNNING];
    return a != b ? tp_compare_wide(b, a) : compare_files(left, right, ctx);
}

// Returns the value of the report's measure, plus 1; 0: the file does not have it.
static tp_wide measure_of(const struct tp_full_report *r, const struct tp_named_measure *measure,
                          const struct tp_file_row *f)
{
    uint64_t value;
    return tp_row_value(r->totals, f, measure, &value) ? (tp_wide)value + 1 : 0;
}

struct by_measure {
    const struct tp_full_report *r;
    struct tp_named_measure measure;
};

static int compare_measures(const void *left, const void *right, void *ctx)
{
    const struct by_measure *by = ctx;
    tp_wide a = measure_of(by->r, &by->measure, *(const struct tp_file_row *const *)left);
    tp_wide b = measure_of(by->r, &by->measure, *(const struct tp_file_row *const *)right);
    return a != b ? tp_compare_wide(b, a) : compare_files(left, right, (void *)by->r);
}

static int sort_files(struct tp_full_report *r, struct tp_error *err)
{
    struct by_measure by = {.r = r};
    if (r->measure[0] == '\0') {
        qsort_r(r->files_by_running, r->file_count, sizeof *r->files, compare_running, r);
        return 0;
    }
    int rc = tp_measure_parse(r->measure, &by.measure, err);
    if (rc != 0)
        return rc;
    qsort_r(r->files_by_running, r->file_count, sizeof *r->files, compare_measures, &by);
    r->has_no_such_name = by.measure.name.len_bytes > 0 && r->file_count > 0 &&
                          measure_of(r, &by.measure, r->files_by_running[0]) == 0;
    return 0;
}

static void find_folder(struct tp_full_report *r)
{
    if (r->file_count < 2)
        return;
    // The paths are sorted: what the first and the last have in common, all have.
    struct tp_span a = tp_full_text(r, r->files[0]->path), b = tp_full_text(r, r->files[r->file_count - 1]->path);
    for (size_t i = 0; i < a.len_bytes && i < b.len_bytes && a.ptr[i] == b.ptr[i]; i++) {
        if (i > 0 && a.ptr[i] == '/') // else all paths would look relative
            r->folder_bytes = i + 1;
    }
}

static bool note_findings(struct tp_full_report *r)
{
    const struct tp_totals *t = r->totals;
    static_assert(TP_FINDS_COUNT <= 8 * sizeof *r->kinds_found, "a bit for each kind");
    r->kinds_found = tp_alloc_zero(((size_t)t->names.count + 1) * sizeof *r->kinds_found);
    for (uint32_t i = 0; i < t->found.count && r->kinds_found != NULL; i++)
        r->kinds_found[t->found.items[i].path] |= (uint16_t)(1u << t->found.items[i].kind);
    return r->kinds_found != NULL;
}

int tp_full_make_files(struct tp_full_report *r, struct tp_error *err)
{
    size_t most = r->totals->files.count + 1;
    r->files = tp_alloc_array(most, sizeof *r->files);
    r->files_by_running = tp_alloc_array(most, sizeof *r->files_by_running);
    if (r->files == NULL || r->files_by_running == NULL || !note_findings(r))
        return tp_fail(err, TP_E_MEMORY, "out of memory for a table of traces");
    for (uint32_t i = 0; i < r->totals->files.count; i++) {
        const struct tp_file_row *f = &r->totals->files.items[i];
        if (tp_full_matches(r, tp_full_text(r, f->path)))
            r->files[r->file_count++] = f;
    }
    qsort_r(r->files, r->file_count, sizeof *r->files, compare_files, r);
    find_folder(r);
    for (size_t i = 0; i < r->file_count; i++)
        r->files_by_running[i] = r->files[i];
    return sort_files(r, err);
}

struct tp_span tp_full_path(const struct tp_full_report *r, struct tp_span path)
{
    bool is_below = r->folder_bytes > 0 && path.len_bytes > r->folder_bytes &&
                    memcmp(path.ptr, tp_full_text(r, r->files[0]->path).ptr, r->folder_bytes) == 0;
    return is_below ? tp_span_skip(path, r->folder_bytes) : path;
}

// TEXT

// The times of a file that are shown after the number of events; the columns of lower ranks stay
// longer. X(figure, rank, head)
#define TIMES(X)                                                                        \
    X(DURATION, 3, "duration")                                                             \
    X(RUNNING, 0, "running")                                                            \
    X(SCHEDULING, 1, "runnable")                                                        \
    X(SYSCALL, 4, "syscalls")                                                           \
    X(BLOCKED, 2, "blocked")                                                            \
    X(LOCKED, 6, "lock wait")                                                            \
    X(COLLECTOR, 6, "GC")                                                               \
    X(STOPPED, 8, "stopped")
// A time of day in UTC, and one with an offset.
#define UTC_COLUMNS 24
#define OFFSET_COLUMNS 29
// The kinds of findings of a file, at least one of them.
#define FINDINGS_COLUMNS 14

#define TP_X(figure, rank, head) TP_RANKED(head, rank),
#define COLUMNS(begin_columns)                                                          \
    {{"events", TP_COUNT_COLUMNS, 7, false},                                            \
     TIMES(TP_X)                                                                        \
     {"start", begin_columns, 5, false}}
static const struct tp_column utc_columns[] = COLUMNS(UTC_COLUMNS);
static const struct tp_column offset_columns[] = COLUMNS(OFFSET_COLUMNS);
#undef TP_X
static const struct tp_table utc_table =
    TP_TABLE_OF_NAMES(utc_columns, "findings", FINDINGS_COLUMNS);
static const struct tp_table offset_table =
    TP_TABLE_OF_NAMES(offset_columns, "findings", FINDINGS_COLUMNS);

// Returns whether a finding of this kind belongs to the file. States can have files with equal
// paths; their values distinguish them.
static bool has_finding(const struct tp_full_report *r, const struct tp_file_row *f, unsigned kind)
{
    return f->values[kind] != TP_VALUE_NONE &&
           f->values[kind] >= tp_finding_kinds[kind].threshold_ppm &&
           (r->kinds_found[f->path] >> kind & 1) != 0;
}

// Prints the kinds of findings of the file, and what is lost of it, or only that it is damaged if
// there is no room for the figure: the text may lose its middle, and figures are never cut.
static void print_findings(struct tp_emit *e, const struct tp_full_report *r,
                           const struct tp_table *table, const struct tp_file_row *f)
{
    char text[TP_FINDS_COUNT * 24 + TP_HUMAN_BYTES + 8] = "";
    size_t len_bytes = 0;
    uint64_t lost = tp_wide_limited(
        tp_wide_add(f->figures[TP_FILE_LOST_BYTES], f->figures[TP_FILE_UNORDERED_BYTES]));
    for (unsigned k = 0; k < TP_FINDS_COUNT; k++) {
        if (has_finding(r, f, k))
            len_bytes += (size_t)snprintf(text + len_bytes, sizeof text - len_bytes, "%s%s",
                                          len_bytes > 0 ? " " : "", tp_finding_kinds[k].key);
    }
    tp_emit_style(e, len_bytes > 0 ? TP_STYLE_ALARM : TP_STYLE_PLAIN);
    const char *comma = len_bytes > 0 ? ", " : "";
    const struct tp_human loss = tp_human_printf("%s%s lost", comma, tp_human_bytes(lost).text);
    if (lost > 0 && len_bytes + loss.columns <= tp_table_last_room(e, table, table->count))
        snprintf(text + len_bytes, sizeof text - len_bytes, "%s", loss.text);
    else if (f->is_damaged)
        snprintf(text + len_bytes, sizeof text - len_bytes, "%sdamaged", comma);
    tp_table_last(e, table, table->count, tp_span_of_text(text));
    tp_emit_style(e, TP_STYLE_PLAIN);
}

static struct tp_human human_begin(const struct tp_full_report *r, const struct tp_file_row *f)
{
    char text[TP_WALL_MAX_BYTES + 1] = "-";
    if (f->taken.file_count > 0)
        *tp_put_wall((unsigned char *)text, f->taken.first, 3, r->zone) = '\0';
    return tp_human_printf("%s", text);
}

static void print_file(struct tp_emit *e, const struct tp_full_report *r,
                       const struct tp_table *table, const struct tp_file_row *f)
{
    const struct tp_human cells[] = {
        tp_human_count(f->figures[TP_FILE_EVENTS]),
#define TP_X(figure, rank, head) tp_human_ns(f->figures[TP_FILE_##figure]),
        TIMES(TP_X)
#undef TP_X
        human_begin(r, f),
    };
    tp_table_name(e, table, tp_full_path(r, tp_full_text(r, f->path)), "-");
    tp_table_cells(e, table, cells, TP_ARRAY_LEN(cells));
    print_findings(e, r, table, f);
}

void tp_full_print_files(struct tp_emit *e, const struct tp_full_report *r)
{
    bool has_offset = false;
    for (size_t i = 0; i < r->file_count && i < r->top; i++)
        has_offset |= human_begin(r, r->files_by_running[i]).columns > UTC_COLUMNS;
    const struct tp_table *table = has_offset ? &offset_table : &utc_table;
    tp_table_begin(e, table, "traces");
    for (size_t i = 0; i < r->file_count && i < r->top; i++)
        print_file(e, r, table, r->files_by_running[i]);
    tp_table_more(e, r->file_count, r->top);
}

// FOR PROGRAMS

void tp_full_put_file_figures(struct tp_emit *e, const struct tp_file_row *f)
{
    static const char *const keys[] = {
#define TP_X(figure, key) key,
        TP_FILE_FIGURES(TP_X)
#undef TP_X
    };
    for (unsigned k = 0; k < TP_FILE_FIGURE_COUNT; k++)
        tp_field_wide(e, keys[k], f->figures[k]);
}

// Puts whether the file is damaged, when it was taken, and the value of each kind of finding that
// was judged; CSV has none of these, whose columns hold numbers of 128 bits only.
static void put_judged(struct tp_emit *e, const struct tp_full_report *r,
                       const struct tp_file_row *f)
{
    if (e->csv != NULL)
        return;
    tp_field_bool(e, "has_damage", f->is_damaged);
    tp_field_known_wall(e, "wall_start", f->taken.file_count > 0, f->taken.first);
    tp_field_known_wall(e, "wall_end", f->taken.file_count > 0, f->taken.last);
    tp_fields_open(e, "finding_values", '[');
    for (unsigned k = 0; k < TP_FINDS_COUNT; k++) {
        if (f->values[k] == TP_VALUE_NONE)
            continue;
        tp_fields_open(e, NULL, '{');
        tp_field_text(e, "kind", tp_finding_kinds[k].key);
        tp_field_ppm(e, "value", f->values[k]);
        tp_field_bool(e, "found", has_finding(r, f, k));
        tp_fields_close(e, '{');
    }
    tp_fields_close(e, '[');
}

static void put_file(struct tp_emit *e, const struct tp_full_report *r,
                     const struct tp_file_row *f)
{
    tp_fields_open_line(e, NULL, '{');
    tp_fields_name(e, "trace", tp_full_text(r, f->path));
    if (e->csv == NULL)
        tp_field_text(e, "status", "read");
    tp_full_put_file_figures(e, f);
    put_judged(e, r, f);
    tp_fields_close(e, '{');
}

void tp_full_put_files(struct tp_emit *e, const struct tp_full_report *r)
{
    tp_fields_set_csv(e, "trace", "");
    tp_fields_open_line(e, "traces", '[');
    for (size_t i = 0; i < r->file_count; i++)
        put_file(e, r, r->files[i]);
    tp_full_put_refused(e, r);
    tp_fields_close(e, '[');
}
