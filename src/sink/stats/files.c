// Files in the report of `stats:level=full`: the figures of each, and the files that stand out.
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "sink/stats/print.h"

static const struct finding {
    const char *key;
    enum tp_file_figure part;
    enum tp_file_figure count;
    enum tp_file_figure whole;
    const char *title;
} findings[] = {
#define TP_X(finding, key, figure, count, against, title) \
    {key, TP_FILE_##figure, TP_FILE_##count, TP_FILE_##against, title},
    TP_FINDINGS(TP_X)
#undef TP_X
};

static struct tp_span path_of(const struct tp_full_report *r, const struct tp_file_row *f)
{
    return tp_intern_text(&r->totals->names, f->path);
}

// Returns the name of a finding's place; empty: there is none.
static struct tp_span place_of(const struct tp_full_report *r, const struct tp_file_row *f,
                               unsigned finding)
{
    uint32_t place = f->places[finding];
    return place != TP_INTERN_NONE ? tp_intern_text(&r->totals->names, place) : tp_span_of("", 0);
}

// Orders files by path; for equal paths, which may occur, by their figures.
static int compare_files(const void *left, const void *right, void *ctx)
{
    const struct tp_full_report *r = ctx;
    const struct tp_file_row *a = *(const struct tp_file_row *const *)left;
    const struct tp_file_row *b = *(const struct tp_file_row *const *)right;
    int order = tp_span_compare(path_of(r, a), path_of(r, b));
    for (unsigned i = 0; i < TP_FILE_FIGURE_COUNT && order == 0; i++)
        order = tp_compare_wide(a->figures[i], b->figures[i]);
    for (unsigned i = 0; i < TP_FINDING_COUNT && order == 0; i++)
        order = tp_span_compare(place_of(r, a, i), place_of(r, b, i));
    return order;
}

static int compare_running(const void *left, const void *right, void *ctx)
{
    tp_wide a = (*(const struct tp_file_row *const *)left)->figures[TP_FILE_RUNNING];
    tp_wide b = (*(const struct tp_file_row *const *)right)->figures[TP_FILE_RUNNING];
    return a != b ? tp_compare_wide(b, a) : compare_files(left, right, ctx);
}

static void find_folder(struct tp_full_report *r)
{
    if (r->file_count < 2)
        return;
    // The paths are sorted: what the first and the last have in common, all have.
    struct tp_span a = path_of(r, r->files[0]), b = path_of(r, r->files[r->file_count - 1]);
    for (size_t i = 0; i < a.len_bytes && i < b.len_bytes && a.ptr[i] == b.ptr[i]; i++) {
        if (a.ptr[i] == '/')
            r->folder_bytes = i + 1;
    }
    // It says nothing.
    if (r->folder_bytes == 2 && a.ptr[0] == '.')
        r->folder_bytes = 0;
}

int tp_full_make_files(struct tp_full_report *r, struct tp_error *err)
{
    size_t most = r->totals->files.count + 1;
    r->files = tp_alloc_array(most, sizeof *r->files);
    r->files_by_running = tp_alloc_array(most, sizeof *r->files_by_running);
    if (r->files == NULL || r->files_by_running == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for a table of files");
    for (uint32_t i = 0; i < r->totals->files.count; i++) {
        const struct tp_file_row *f = &r->totals->files.items[i];
        if (tp_full_matches(r, path_of(r, f)))
            r->files[r->file_count++] = f;
    }
    qsort_r(r->files, r->file_count, sizeof *r->files, compare_files, r);
    find_folder(r);
    for (size_t i = 0; i < r->file_count; i++)
        r->files_by_running[i] = r->files[i];
    qsort_r(r->files_by_running, r->file_count, sizeof *r->files, compare_running, r);
    return 0;
}

struct tp_span tp_full_path(const struct tp_full_report *r, struct tp_span path)
{
    bool is_below = r->folder_bytes > 0 && path.len_bytes > r->folder_bytes &&
                    memcmp(path.ptr, path_of(r, r->files[0]).ptr, r->folder_bytes) == 0;
    return is_below ? tp_span_skip(path, r->folder_bytes) : path;
}

// TEXT

// A figure stands out if it is at least a twentieth of the figure it is compared with, and at least
// a hundredth of the trace's time.
#define LEAST_PART 20
#define LEAST_TIME 100
// Rows of each kind of finding, so that a screen shows all kinds.
#define FINDING_ROWS 4

static bool stands_out(const struct tp_file_row *f, const struct finding *kind)
{
    return f->figures[kind->whole] > 0 &&
           f->figures[kind->part] >= f->figures[kind->whole] / LEAST_PART &&
           f->figures[kind->part] >= f->figures[TP_FILE_DURATION] / LEAST_TIME;
}

// Weight of a finding: its share times its duration, because a short trace easily has a large
// share. Shares above DEGREE_MAX count as DEGREE_MAX.
#define DEGREE_MAX 16
static tp_wide weight_of(const struct tp_file_row *f, const struct finding *kind)
{
    // Only a forged state file can exceed this limit.
    const tp_wide most = TP_WIDE_MAX / (1000 * DEGREE_MAX);
    tp_wide part = f->figures[kind->part] < most ? f->figures[kind->part] : most;
    tp_wide degree = part * 1000 / f->figures[kind->whole];
    return part * (degree < 1000 * DEGREE_MAX ? degree : 1000 * DEGREE_MAX);
}

// Picks the files with the greatest weight: the greatest weight first, and files of equal weight by
// path. Returns their number.
static size_t pick(const struct tp_full_report *r, const struct finding *kind,
                   const struct tp_file_row *picked[FINDING_ROWS])
{
    size_t count = 0;
    for (size_t i = 0; i < r->file_count; i++) {
        const struct tp_file_row *f = r->files[i];
        if (!stands_out(f, kind))
            continue;
        size_t at = count < FINDING_ROWS ? count++ : FINDING_ROWS;
        tp_wide weight = weight_of(f, kind);
        for (; at > 0 && weight > weight_of(picked[at - 1], kind); at--) {
            if (at < FINDING_ROWS)
                picked[at] = picked[at - 1];
        }
        if (at < FINDING_ROWS)
            picked[at] = f;
    }
    return count;
}

static const struct tp_column finding_columns[] = {
    TP_FIGURES("value"), TP_FIGURES("time"), TP_COUNTS("count")};
static const struct tp_table finding_table = TP_TABLE_OF_NAMES(finding_columns, "top function");

static void print_finding(struct tp_emit *e, const struct tp_full_report *r, unsigned idx,
                          const struct tp_file_row *f)
{
    const struct finding *kind = &findings[idx];
    tp_wide part = f->figures[kind->part], whole = f->figures[kind->whole];
    const struct tp_human cells[] = {
        idx == TP_FINDING_COLLECTOR ? tp_human_share(part, whole) : tp_human_ratio(part, whole),
        tp_human_ns(part),
        tp_human_count(f->figures[kind->count]),
    };
    tp_emit_style(e, TP_STYLE_ALARM);
    tp_table_name(e, tp_full_path(r, path_of(r, f)), "-");
    tp_emit_style(e, TP_STYLE_PLAIN);
    tp_table_cells(e, &finding_table, cells, TP_ARRAY_LEN(cells));
    tp_table_last(e, place_of(r, f, idx));
}

void tp_full_print_outliers(struct tp_emit *e, const struct tp_full_report *r)
{
    bool is_first = true;
    for (unsigned i = 0; i < TP_FINDING_COUNT; i++) {
        const struct tp_file_row *picked[FINDING_ROWS];
        size_t count = pick(r, &findings[i], picked);
        if (count == 0)
            continue;
        if (is_first)
            tp_table_begin(e, &finding_table, "what stands out, by file");
        is_first = false;
        tp_emit_printf(e, " %s\n", findings[i].title);
        for (size_t k = 0; k < count; k++)
            print_finding(e, r, i, picked[k]);
    }
}

// The times of a file that are shown after the number of events. X(figure, head)
#define TIMES(X)                                                                        \
    X(DURATION, "lasts")                                                                \
    X(RUNNING, "running")                                                               \
    X(SCHEDULING, "runnable")                                                           \
    X(SYSCALL, "syscalls")                                                              \
    X(BLOCKED, "blocked")                                                               \
    X(LOCKED, "by locks")                                                               \
    X(COLLECTOR, "GC")                                                                  \
    X(STOPPED, "stopped")

static const struct tp_column columns[] = {
    TP_COUNTS("events"),
#define TP_X(figure, head) TP_FIGURES(head),
    TIMES(TP_X)
#undef TP_X
};
static const struct tp_table table = TP_TABLE_OF_NAMES(columns, NULL);

static void print_file(struct tp_emit *e, const struct tp_full_report *r,
                       const struct tp_file_row *f)
{
    const struct tp_human cells[] = {
        tp_human_count(f->figures[TP_FILE_EVENTS]),
#define TP_X(figure, head) tp_human_ns(f->figures[TP_FILE_##figure]),
        TIMES(TP_X)
#undef TP_X
    };
    tp_table_name(e, tp_full_path(r, path_of(r, f)), "-");
    tp_table_cells(e, &table, cells, TP_ARRAY_LEN(cells));
    if (f->figures[TP_FILE_LOST_BYTES] > 0)
        tp_emit_printf(e, "  %s lost",
                       tp_human_bytes(tp_wide_limited(f->figures[TP_FILE_LOST_BYTES])).text);
    tp_emit_text(e, "\n");
}

void tp_full_print_files(struct tp_emit *e, const struct tp_full_report *r)
{
    tp_table_begin(e, &table, "files");
    for (size_t i = 0; i < r->file_count && i < r->top; i++)
        print_file(e, r, r->files_by_running[i]);
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

// Puts the places of a file, those that there are; CSV has no place for texts.
static void put_places(struct tp_emit *e, const struct tp_full_report *r,
                       const struct tp_file_row *f)
{
    tp_fields_open(e, "places", '[');
    for (unsigned k = 0; k < TP_FINDING_COUNT && e->csv == NULL; k++) {
        if (f->places[k] == TP_INTERN_NONE)
            continue;
        tp_fields_open(e, NULL, '{');
        tp_field_text(e, "kind", findings[k].key);
        tp_field_span(e, "function", place_of(r, f, k));
        tp_fields_close(e, '{');
    }
    tp_fields_close(e, '[');
}

static void put_file(struct tp_emit *e, const struct tp_full_report *r,
                     const struct tp_file_row *f)
{
    tp_fields_open_line(e, NULL, '{');
    tp_fields_name(e, "file", path_of(r, f));
    if (e->csv == NULL)
        tp_field_text(e, "status", "read");
    tp_full_put_file_figures(e, f);
    put_places(e, r, f);
    tp_fields_close(e, '{');
}

void tp_full_put_files(struct tp_emit *e, const struct tp_full_report *r)
{
    tp_fields_set_csv(e, "file", "");
    tp_fields_open_line(e, "by_file", '[');
    for (size_t i = 0; i < r->file_count; i++)
        put_file(e, r, r->files[i]);
    tp_full_put_refused(e, r);
    tp_fields_close(e, '[');
}
