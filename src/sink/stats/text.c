// The text form of `stats:level=full` for people: what was read, then all tables. Findings and the
// time by state are in files of their own.
#include <inttypes.h>
#include <string.h>

#include "base/time/wall.h"
#include "sink/print/shorten.h"
#include "sink/print/wrap.h"
#include "sink/stats/findings/print.h"
#include "sink/stats/forms.h"
#include "sink/stats/hosts/print.h"
#include "sink/stats/report/parts.h"
#include "sink/stats/report/when.h"
#include "stats/names/wait_reasons.h"

// TOTALS

#define HEAD_INDENT 2

// Returns the number of traces with events, of which all figures are. With a time window that may
// be a few of many. If no trace has events, returns the number of all.
static uint64_t counted_files(const struct tp_full_report *r)
{
    uint64_t count = 0;
    for (size_t i = 0; i < r->totals->files.count; i++)
        count += r->totals->files.items[i].figures[TP_FILE_EVENTS] > 0;
    return count > 0 ? count : r->totals->file_count;
}

// Begins a line of the head, which a narrow screen makes two.
static struct tp_wrap begin(struct tp_emit *e, const struct tp_full_report *r)
{
    return tp_wrap_begin(e, r->screen.columns, HEAD_INDENT, "", HEAD_INDENT);
}

static unsigned char *write_wall(unsigned char *p, struct tp_wall w, bool has_fraction,
                                 const struct tp_zone *zone)
{
    return has_fraction ? tp_put_wall(p, w, 3, zone)
                        : tp_put_wall(p, (struct tp_wall){.sec = w.sec}, 0, zone);
}

// Writes the period that the traces cover. Returns the number of columns.
static unsigned write_taken(const struct tp_full_report *r, bool has_fraction,
                            char text[2 * TP_WALL_MAX_BYTES + sizeof "  from  to "])
{
    static const char from[] = "  from ", to[] = " to ";
    const struct tp_taken *t = &r->totals->taken;
    unsigned char *p = (unsigned char *)text;
    p = write_wall(memcpy(p, from, sizeof from - 1) + sizeof from - 1, t->first, has_fraction,
                   r->zone);
    p = write_wall(memcpy(p, to, sizeof to - 1) + sizeof to - 1, t->last, has_fraction, r->zone);
    *p = '\0';
    return (unsigned)strlen(text);
}

// Prints the period that the traces cover, and how many have a wall-clock time unless all do.
static void print_taken(struct tp_emit *e, const struct tp_full_report *r)
{
    const struct tp_taken *t = &r->totals->taken;
    char text[2 * TP_WALL_MAX_BYTES + sizeof "  from  to "];
    struct tp_human known = {"", 0};
    if (t->file_count == 0)
        return;
    if (t->file_count < counted_files(r))
        known = tp_human_printf(" (%s trace%s wall-clock time)", tp_human_count(t->file_count).text,
                                t->file_count == 1 ? " has" : "s have");
    // Only times with an offset from UTC are too long for a screen of 80 columns.
    if (write_taken(r, true, text) + known.columns > r->screen.columns)
        (void)write_taken(r, false, text);
    struct tp_wrap w = begin(e, r);
    tp_wrap_printf(&w, "%s%s", text, known.text);
    tp_wrap_end(&w);
}

static void print_folder(struct tp_emit *e, const struct tp_full_report *r)
{
    struct tp_line l = {e, r->screen.columns};
    if (r->folder_bytes == 0)
        return;
    struct tp_span path = tp_full_text(r, r->files[0]->path);
    if (tp_span_equals(tp_span_of(path.ptr, r->folder_bytes), "./", 2))
        return;
    tp_line_text(&l, "  in ");
    // Only a screen is so narrow that the path matters less than the width.
    tp_line_short(&l, tp_shorten_path(tp_span_of(path.ptr, r->folder_bytes),
                                      r->screen.rows > 0 ? l.left : UINT32_MAX));
    tp_emit_text(e, "\n");
}

// Returns GOMAXPROCS with a comma before it; nothing if no trace reports it, or if the report has one table
// only, for which the gauges need not be known.
static struct tp_human human_procs(const struct tp_full_report *r)
{
    const struct tp_gauge *procs = &r->totals->timeline.gauges[TP_GAUGE_GOMAXPROCS];
    if (procs->count == 0 || r->by != TP_STATS_BY_ALL)
        return (struct tp_human){"", 0};
    if (procs->least == procs->greatest)
        return tp_human_printf(", GOMAXPROCS %s", tp_human_count(procs->least).text);
    return tp_human_printf(", GOMAXPROCS %s to %s", tp_human_count(procs->least).text,
                           tp_human_count(procs->greatest).text);
}

// Prints what was read. Of the traces only those count that have events, if any has.
static void print_read(struct tp_emit *e, const struct tp_full_report *r)
{
    const struct tp_totals *s = r->totals;
    uint64_t counted = counted_files(r);
    struct tp_wrap w = tp_wrap_begin(e, r->screen.columns, 0, "", 0);
    w.indent_columns = HEAD_INDENT;
    bool excludes_doubtful = s->doubtful != NULL && !r->includes_doubtful;
    uint64_t excluded = s->refused_count + (excludes_doubtful ? s->doubtful->file_count : 0);
    if (s->file_count == 0 && excluded == 0)
        tp_wrap_printf(&w, "no trace read");
    else if (s->file_count == 0)
        tp_wrap_printf(&w, "no trace %s: %s input%s %s", excludes_doubtful ? "included" : "read",
                       tp_human_count(excluded).text, tp_plural(excluded),
                       !excludes_doubtful      ? "refused"
                       : s->refused_count == 0 ? "excluded"
                                               : "refused or excluded");
    if (counted < s->file_count)
        tp_wrap_printf(&w, "%s of", tp_human_count(counted).text);
    if (s->file_count > 0)
        tp_wrap_printf(&w, "%s trace%s, %s%s, %s event%s, %s of trace%s",
                       tp_human_count(s->file_count).text, tp_plural(s->file_count),
                       tp_human_bytes(s->stream_bytes).text,
                       counted < s->file_count ? " in all" : "",
                       tp_human_count(s->event_count).text, tp_plural(s->event_count),
                       tp_human_ns(s->duration_ns).text, human_procs(r).text);
    tp_wrap_end(&w);
}

static void print_losses(struct tp_emit *e, const struct tp_full_report *r)
{
    const struct tp_totals *s = r->totals;
    if (s->damaged_count > 0) {
        uint64_t lost_bytes = tp_wide_limited((tp_wide)s->lost_bytes + s->unordered_bytes);
        const struct tp_human lost = tp_human_printf(", %s lost", tp_human_bytes(lost_bytes).text);
        struct tp_wrap w = begin(e, r);
        tp_wrap_printf(&w, "%s trace%s damaged%s", tp_human_count(s->damaged_count).text,
                       tp_plural(s->damaged_count), lost_bytes > 0 ? lost.text : "");
        tp_wrap_end(&w);
    }
    if (s->doubt_count > 0) {
        struct tp_wrap w = begin(e, r);
        tp_wrap_printf(&w, "%s event%s earlier ones; the later ones are used, no data is lost",
                       tp_human_count(s->doubt_count).text,
                       s->doubt_count == 1 ? " contradicts" : "s contradict");
        tp_wrap_end(&w);
    }
}

// The messages have said why.
static void print_refused_count(struct tp_emit *e, const struct tp_full_report *r)
{
    const struct tp_totals *s = r->totals;
    if (s->refused_count == 0 || s->file_count == 0)
        return;
    struct tp_wrap w = begin(e, r);
    tp_wrap_printf(&w, "%s input%s refused%s",
                   tp_human_count(s->refused_count).text, tp_plural(s->refused_count),
                   r->by == TP_STATS_BY_FILE ? "" : ": --sink stats:by=trace shows why");
    tp_wrap_end(&w);
}

void tp_full_print_totals(struct tp_emit *e, const struct tp_full_report *r)
{
    print_read(e, r);
    print_taken(e, r);
    print_folder(e, r);
    print_losses(e, r);
    print_refused_count(e, r);
    tp_full_print_doubtful(e, r);
    if (r->filter[0] != '\0') {
        tp_emit_text(e, "  filter: '");
        tp_cell_text(e, tp_span_of_text(r->filter));
        tp_emit_text(e, "'\n");
    }
}

// TABLES

// A histogram of durations by power of ten, from below 100 ns to 10 s and more.
#define SHAPE_COLUMNS 10
static const char shape_head[] = "100ns..10s";
_Static_assert(sizeof shape_head - 1 == SHAPE_COLUMNS, "one letter for each column");

// Returns the column of a duration. 0: below 100 ns; 1: below 1 us; and so on.
static unsigned shape_column(uint64_t ns)
{
    unsigned column = 0;
    for (uint64_t bound = 100; ns >= bound && column < SHAPE_COLUMNS - 1; bound *= 10)
        column++;
    return column;
}

static struct tp_human human_shape(const struct tp_dist *d)
{
    static const char *const levels[] = {
        "\xe2\x96\x81", "\xe2\x96\x82", "\xe2\x96\x83", "\xe2\x96\x84",
        "\xe2\x96\x85", "\xe2\x96\x86", "\xe2\x96\x87", "\xe2\x96\x88"};
    struct tp_human shape = {.columns = SHAPE_COLUMNS};
    uint64_t counts[SHAPE_COLUMNS] = {0}, most = 1;
    struct tp_hist_walk walk = {.hist = &d->hist};
    char *to = shape.text;
    while (tp_hist_walk_next(&walk))
        counts[shape_column(tp_hist_bucket_middle(walk.bucket))] += walk.count;
    for (unsigned i = 0; i < SHAPE_COLUMNS; i++)
        most = counts[i] > most ? counts[i] : most;
    for (unsigned i = 0; i < SHAPE_COLUMNS; i++) {
        uint64_t level = (uint64_t)((tp_wide)counts[i] * (TP_ARRAY_LEN(levels) - 1) / most);
        to = stpcpy(to, counts[i] > 0 ? levels[level] : "\xc2\xb7");
    }
    return shape;
}
// Each letter has at most three bytes.
_Static_assert(3 * SHAPE_COLUMNS < TP_HUMAN_BYTES, "room for a histogram");

static const struct tp_column dist_columns[] = {
    TP_FIGURES("total"), TP_COUNTS("count"), TP_RANKED("mean", 4),
#define TP_X(thousandths, key, rank, head) TP_RANKED(head, rank),
    TP_FULL_QUANTILES(TP_X)
#undef TP_X
    TP_RANKED("max", 2), {shape_head, SHAPE_COLUMNS + 1, 6, true},
};
static const struct tp_table dist_table = TP_TABLE_OF_NAMES(dist_columns, NULL, 0);
static const struct tp_table block_table = TP_TABLE_OF_NAMES(dist_columns, "reason", 18);
static const struct tp_table file_table = TP_TABLE_OF_NAMES(dist_columns, "trace", 18);

static void print_dist(struct tp_emit *e, const struct tp_table *table, const struct tp_dist *d)
{
    const struct tp_human cells[] = {
        tp_human_ns(tp_dist_all_ns(d)),
        tp_human_count(tp_dist_all_count(d)),
        tp_full_human_length(d, tp_dist_mean_ns(d)),
#define TP_X(thousandths, key, rank, head) tp_full_human_quantile(d, thousandths),
        TP_FULL_QUANTILES(TP_X)
#undef TP_X
        tp_full_human_length(d, d->max_ns),
        human_shape(d),
    };
    tp_table_cells(e, table, cells, TP_ARRAY_LEN(cells));
}

static const struct tp_column count_columns[] = {TP_COUNTS("count")};
static const struct tp_table count_table = TP_TABLE_OF_NAMES(count_columns, NULL, 0);

static bool is_in_table(const struct tp_full_row *row, enum tp_durations_space space,
                        uint32_t measure)
{
    bool is_block = row->measure >= TP_MEASURE_FIRST_BLOCK;
    return row->space == space &&
           (measure == TP_MEASURE_FIRST_BLOCK ? is_block : row->measure == measure);
}

// Gives the table the longest name of the rows that it will have.
static void expect_names(struct tp_table *table, const struct tp_full_report *r,
                         enum tp_durations_space space, uint32_t measure)
{
    size_t count = 0;
    for (size_t i = 0; i < r->row_count && count < r->top; i++) {
        if (!is_in_table(&r->rows[i], space, measure))
            continue;
        tp_table_expect_name(table, tp_full_row_name(&r->rows[i]), tp_full_name_if_empty(space));
        count++;
    }
}

static struct tp_table table_of(enum tp_durations_space space, uint32_t measure)
{
    if (measure == TP_MEASURE_FIRST_BLOCK)
        return block_table;
    switch (space) {
    case TP_SPACE_LOG: return count_table;
    case TP_SPACE_FILE_TASK: return file_table;
    default: return dist_table;
    }
}

static void print_table(struct tp_emit *e, const struct tp_full_report *r, const char *title,
                        enum tp_durations_space space, uint32_t measure)
{
    struct tp_table made = table_of(space, measure);
    const struct tp_table *table = &made;
    size_t count = 0;
    expect_names(&made, r, space, measure);
    for (size_t i = 0; i < r->row_count; i++) {
        const struct tp_full_row *row = &r->rows[i];
        if (!is_in_table(row, space, measure))
            continue;
        if (count == 0)
            tp_table_begin(e, table, title);
        if (count++ >= r->top)
            continue;
        tp_table_name(e, table, tp_full_row_name(row), tp_full_name_if_empty(space));
        if (space == TP_SPACE_LOG)
            tp_table_cells(e, table, (struct tp_human[]){tp_human_count(row->dist->count)}, 1);
        else
            print_dist(e, table, row->dist);
        if (row->space == TP_SPACE_FILE_TASK)
            tp_table_last(e, table, table->count, tp_full_path(r, row->measure_name));
        else if (row->measure >= TP_MEASURE_FIRST_BLOCK && row->measure_name.len_bytes > 0)
            tp_table_last(e, table, table->count, row->measure_name);
        else
            tp_emit_text(e, "\n");
    }
    tp_table_more(e, count, r->top);
}

// STACKS

// Prints the function of a frame and, of the stack's place and its caller, file and line, which are not
// shortened.
static void print_frame(struct tp_line *l, const struct tp_totals *totals,
                        const struct tp_full_stack *s, size_t frame)
{
    const struct tp_totals_frame f = tp_full_frame(totals, s, frame);
    struct tp_span function = tp_intern_text(&totals->names, f.function);
    struct tp_span file = tp_full_file_name(tp_intern_text(&totals->names, f.file));
    const struct tp_human line = tp_human_printf(":%" PRIu64 ")", f.line);
    struct tp_short place = tp_shorten_path(file, UINT32_MAX);
    bool is_place = frame == s->place || (frame == s->caller && frame != 0);
    bool has_place = is_place && (f.line > 0 || file.len_bytes > 0);
    unsigned columns = has_place ? place.columns + line.columns + 2 : 0;
    tp_line_text(l, "  ");
    tp_line_short(l, tp_shorten_function(function, l->left > columns ? l->left - columns : 0));
    if (has_place) {
        tp_line_text(l, " (");
        tp_line_short(l, place);
        tp_line_text(l, line.text);
    }
    tp_line_text(l, "\n");
}

#define TIMES_INDENT 4
// Prints percentiles and the longest of the waits at a stack, and when that began.
static void print_times(struct tp_emit *e, const struct tp_full_report *r, const struct tp_dist *d)
{
    const struct tp_when when = tp_full_when_longest(r, d);
    struct tp_line l = {e, e->columns > TIMES_INDENT ? e->columns - TIMES_INDENT : 0};
    if (d->count == 1 && !tp_when_is_known(when))
        return;
    tp_cell_spaces(e, TIMES_INDENT);
    if (d->count > 1)
        (void)tp_line_try(&l, "p50 %s, p99 %s, longest %s",
                          tp_human_ns(tp_dist_quantile_ns(d, 500)).text,
                          tp_human_ns(tp_dist_quantile_ns(d, 990)).text, tp_human_ns(d->max_ns).text);
    if (tp_when_is_known(when))
        tp_full_line_when(&l, r, d->count > 1 ? ", at " : "at ", when);
    tp_emit_text(e, "\n");
}

static void print_stack(struct tp_emit *e, const struct tp_full_report *r, enum tp_stack_type type,
                        const struct tp_full_stack *s)
{
    const struct tp_totals *totals = r->totals;
    bool has_time = type != TP_STACK_CPU;
    unsigned before = has_time ? TP_FIGURE_COLUMNS + TP_COUNT_COLUMNS + 3 : TP_COUNT_COLUMNS + 2;
    tp_cell_spaces(e, 2);
    if (has_time) {
        tp_cell_figure(e, tp_human_ns(s->total_ns), TP_FIGURE_COLUMNS);
        tp_cell_spaces(e, 1);
    }
    tp_cell_figure(e, tp_human_count(s->count), TP_COUNT_COLUMNS);
    if (s->frame_count == 0)
        tp_emit_printf(e, "  %s\n", s->is_idle ? TP_FULL_IDLE : "(no stack)");
    struct tp_span head = s->is_in_c ? tp_span_of_text("in C")
                          : s->inferred != TP_NOT_INFERRED && !s->is_idle ? tp_inferred_text(s->inferred)
                                                                          : tp_span_of_text("");
    if (head.len_bytes > 0) {
        tp_cell_spaces(e, 2);
        tp_cell_text(e, head);
        tp_emit_text(e, "\n");
    }
    for (size_t i = 0; i < s->frame_count && i < TP_FULL_TEXT_FRAMES; i++) {
        struct tp_line l = {e, e->columns > before ? e->columns - before : 0};
        if (i > 0 || head.len_bytes > 0)
            tp_cell_spaces(e, before);
        print_frame(&l, totals, s, tp_full_text_frame(s, i));
    }
    struct tp_dist one;
    const struct tp_dist *times = tp_full_stack_times(s, &one);
    if (times != NULL)
        print_times(e, r, times);
}

static void print_stacks(struct tp_emit *e, const struct tp_full_report *r,
                         enum tp_stack_type type, const char *title)
{
    const struct tp_full_stacks *of = &r->stacks[type];
    if (of->count == 0 && of->idle.count == 0)
        return;
    tp_cell_title(e, title, 0);
    tp_emit_text(e, "\n");
    for (size_t i = 0; i < of->count; i++)
        print_stack(e, r, type, &of->items[i]);
    tp_table_more(e, of->all_count, r->top);
    if (of->idle.count > 0)
        print_stack(e, r, type, &of->idle);
}

// The rows that `by` selects, as text says that there are none; NULL: it need not.
static const char *const selected[TP_STATS_BY_COUNT] = {
    [TP_STATS_BY_FUNCTION] = "goroutines", [TP_STATS_BY_GOROUTINE] = "goroutines",
    [TP_STATS_BY_TASK] = "tasks",          [TP_STATS_BY_REGION] = "regions",
    [TP_STATS_BY_STACK] = "waits, system calls or CPU samples with a stack",
    [TP_STATS_BY_WAKER] = "waits that a goroutine ended",
};

// Whether the report has rows that `by` selects. It has files also for the tables of tasks, which name them.
static bool has_rows(const struct tp_full_report *r)
{
    size_t count = r->row_count + r->sample_count + r->g_count + r->wakers.count + r->wrapped_count;
    if (selected[r->by] == NULL)
        count += r->file_count + r->refused_count;
    for (unsigned type = 0; type < TP_STACK_TYPE_COUNT; type++)
        count += r->stacks[type].count + r->stacks[type].idle.count;
    return count > 0;
}

static void print_no_such_name(struct tp_emit *e, const struct tp_full_report *r)
{
    tp_emit_text(e, "\nno trace has '");
    tp_cell_text(e, tp_span_of_text(r->measure));
    tp_emit_text(e, "': no such name, too few of it, or six others that took more time\n");
}

static void print_all(struct tp_emit *e, const struct tp_full_report *r)
{
    tp_full_print_totals(e, r);
    if (r->filter[0] != '\0' && !has_rows(r)) {
        tp_emit_text(e, "\nno name contains '");
        tp_cell_text(e, tp_span_of_text(r->filter));
        tp_emit_text(e, "'\n");
        return;
    }
    if (selected[r->by] != NULL && r->totals->file_count > 0 && !has_rows(r)) {
        tp_emit_printf(e, "\nno %s\n", selected[r->by]);
        return;
    }
    if (r->by == TP_STATS_BY_FINDING) {
        tp_full_print_view(e, r);
        return;
    }
    if (r->by == TP_STATS_BY_FILE) {
        if (r->has_no_such_name)
            print_no_such_name(e, r);
        else if (r->measure[0] != '\0')
            tp_full_print_measured(e, r);
        else
            tp_full_print_files(e, r);
        tp_full_print_refused(e, r);
        return;
    }
    if (r->by == TP_STATS_BY_GOROUTINE) {
        tp_full_print_gs(e, r);
        return;
    }
    if (tp_full_has_versus(r))
        tp_full_print_versus(e, r, r->top == SIZE_MAX ? SIZE_MAX : TP_VERSUS_LINES);
    if (tp_full_has_hosts(r))
        tp_full_print_hosts(e, r, SIZE_MAX);
    if (r->by == TP_STATS_BY_ALL && r->filter[0] == '\0')
        tp_full_print_findings(e, r, SIZE_MAX);
    tp_full_print_spent(e, r, r->top);
    tp_full_print_time(e, r, TP_FULL_TIME_ROWS_MAX);
    print_table(e, r, "running, by start function", TP_SPACE_GOROUTINE, TP_MEASURE_RUN);
    print_table(e, r, "runnable, by start function", TP_SPACE_GOROUTINE, TP_MEASURE_SCHED);
    tp_full_print_peaks(e, r);
    print_table(e, r, "blocked, by start function and reason", TP_SPACE_GOROUTINE,
                TP_MEASURE_FIRST_BLOCK);
    print_table(e, r, "system calls, by start function", TP_SPACE_GOROUTINE, TP_MEASURE_SYSCALL);
    print_table(e, r, "lifetime, by start function", TP_SPACE_GOROUTINE, TP_MEASURE_LIFE);
    tp_full_print_wrapped(e, r);
    print_table(e, r, "tasks", TP_SPACE_TASK, 0);
    tp_full_print_breakdown(e, r, TP_SPACE_TASK, "task time by state: mean, shares");
    tp_full_print_slow(e, r, TP_SLOW_TASK);
    print_table(e, r, "tasks by trace", TP_SPACE_FILE_TASK, 0);
    print_table(e, r, "regions", TP_SPACE_REGION, 0);
    tp_full_print_breakdown(e, r, TP_SPACE_REGION, "region time by state: mean, shares");
    tp_full_print_slow(e, r, TP_SLOW_REGION);
    print_table(e, r, "stop-the-world pauses", TP_SPACE_PAUSE, 0);
    print_table(e, r, "GC: concurrent mark", TP_SPACE_MARK, 0);
    print_table(e, r, "GC: assists", TP_SPACE_ASSIST, 0);
    print_table(e, r, "GC: sweeps", TP_SPACE_SWEEP, 0);
    if (tp_full_is_whole(r))
        tp_full_print_utilisation(e, r);
    print_table(e, r, "log messages by category", TP_SPACE_LOG, 0);
    tp_full_print_samples(e, r);
    tp_full_print_wakers(e, r);
    print_stacks(e, r, TP_STACK_SYNC, "waits for other goroutines, by stack: time, count");
    print_stacks(e, r, TP_STACK_NET, "waits for the network, by stack: time, count");
    print_stacks(e, r, TP_STACK_SYSCALL, "system calls, by stack: time, count");
    print_stacks(e, r, TP_STACK_SCHED, "runnable, by stack of the waker: time, count");
    print_stacks(e, r, TP_STACK_SYNC_OPEN, "waits for other goroutines, unfinished at the end: time, count");
    print_stacks(e, r, TP_STACK_NET_OPEN, "waits for the network, unfinished at the end: time, count");
    print_stacks(e, r, TP_STACK_SYSCALL_OPEN, "system calls, unfinished at the end: time, count");
    print_stacks(e, r, TP_STACK_BEFORE, "waits since before the trace, by stack: time, count");
    print_stacks(e, r, TP_STACK_CPU, "CPU samples, by stack: count");
    tp_full_print_coarse(e, r);
}

void tp_full_print_text(struct tp_emit *e, const struct tp_full_report *r)
{
    e->columns = r->screen.columns;
    e->leaves_out = false;
    print_all(e, r);
    if (e->leaves_out)
        tp_emit_printf(e, "\nsome columns need more than %u characters; format=json has all\n",
                       r->screen.columns);
}
