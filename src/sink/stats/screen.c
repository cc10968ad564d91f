// The first screen of `stats:level=full`: what stands out, what the program did, where goroutines spent their
// time, and how to see more, in the lines and columns of a terminal.
#include "sink/print/layout.h"
#include "sink/print/lines.h"
#include "sink/print/wrap.h"
#include "sink/stats/findings/print.h"
#include "sink/stats/forms.h"
#include "sink/stats/hosts/print.h"
#include "sink/stats/report/parts.h"

// The first screen is not longer than this, however high the terminal is. The shell's next prompt
// needs the last line.
#define ROWS_MOST 40
// Columns before the lines that continue one.
#define INDENT 2

enum part { PART_FINDINGS, PART_WORK, PART_SPENT, PART_TIME, PART_COUNT };

static unsigned limited(size_t count)
{
    return count < ROWS_MOST ? (unsigned)count : ROWS_MOST;
}

// The parts of which lines are counted.
static void put_totals(struct tp_emit *e, const void *report)
{
    tp_full_print_totals(e, report);
}

static void put_versus_head(struct tp_emit *e, const void *report)
{
    tp_full_print_versus_head(e, report);
}

// Divides the lines below the totals. A higher terminal shows more findings before other parts.
static void lay(const struct tp_full_report *r, unsigned rows, unsigned lines,
                unsigned shown[PART_COUNT])
{
    unsigned findings = rows >= ROWS_MOST ? 8 : rows >= 30 ? 6 : 4;
    unsigned work = rows >= 30 ? 5 : 3;
    size_t waiting; // rows of goroutines that never ran take no lines from later parts' least
    unsigned work_count = limited(tp_full_work_count(r, &waiting));
    unsigned spent = rows >= ROWS_MOST ? 9 : rows >= 30 ? 6 : 4;
    unsigned head = tp_full_has_versus(r)  ? tp_lines_of(put_versus_head, r)
                    : tp_full_has_hosts(r) ? tp_full_hosts_head(r)
                                           : tp_full_findings_head(r);
    struct tp_layout_part parts[PART_COUNT] = {
        [PART_FINDINGS] = {0, 1, 0, 1, findings, findings, true},
        [PART_WORK] = {tp_full_work_head(r), 1, work_count, 1, work, work + limited(waiting), false},
        [PART_SPENT] = {tp_full_spent_head(r), 1, limited(tp_full_spent_count(r)), 2, spent, 12,
                        false},
        [PART_TIME] = {tp_full_time_head(r), 1, limited(tp_full_time_count(r)), 5, rows >= ROWS_MOST ? 5 : 0,
                       TP_FULL_TIME_ROWS_SHORT, false},
    };
    // A comparison has the findings that have changed; a fleet's are on the lines of its hosts.
    if (tp_full_has_versus(r)) {
        parts[PART_FINDINGS].count = r->versus.count;
        parts[PART_FINDINGS].least = parts[PART_FINDINGS].most = TP_VERSUS_LINES;
    } else if (tp_full_has_hosts(r)) {
        parts[PART_FINDINGS].count = limited(tp_full_host_lines(r));
        parts[PART_FINDINGS].least = parts[PART_FINDINGS].most = 2 * findings;
    } else {
        parts[PART_FINDINGS].count = limited(r->fleet.count);
        parts[PART_FINDINGS].row_lines = tp_full_finding_lines(r);
    }
    tp_layout(lines > head ? lines - head : 0, parts, PART_COUNT, shown);
}

// Prints how to see more: of several traces the figures of each, of a single one its tasks, if it
// has any.
static void print_more(struct tp_emit *e, const struct tp_full_report *r)
{
    const char *sink = r->totals->file_count > 1 ? "--sink stats:by=trace (each trace),"
                       : tp_full_has_tasks(r)    ? "--sink stats:by=task (tasks),"
                                                 : "--sink stats:by=function (goroutines),";
    tp_emit_text(e, "\n");
    struct tp_wrap w = tp_wrap_begin(e, r->screen.columns, 0, "more:", INDENT);
    tp_wrap_word(&w, tp_span_of_text("--all (all tables),"));
    tp_wrap_word(&w, tp_span_of_text(sink));
    tp_wrap_word(&w, tp_span_of_text("--explain TERM,"));
    tp_wrap_word(&w, tp_span_of_text("--sink report -o report.html (pictures)"));
    tp_wrap_end(&w);
}

static void put_more(struct tp_emit *e, const void *report)
{
    print_more(e, report);
}

void tp_full_print_screen(struct tp_emit *e, const struct tp_full_report *r)
{
    unsigned rows = r->screen.rows < ROWS_MOST ? r->screen.rows : ROWS_MOST;
    unsigned used = tp_lines_of(put_totals, r) + tp_lines_of(put_more, r) + 1;
    unsigned shown[PART_COUNT];
    e->columns = r->screen.columns;
    lay(r, rows, rows > used ? rows - used : 0, shown);
    tp_full_print_totals(e, r);
    if (r->totals->file_count == 0)
        return;
    if (tp_full_has_versus(r))
        tp_full_print_versus(e, r, shown[PART_FINDINGS]);
    else if (tp_full_has_hosts(r))
        tp_full_print_hosts(e, r, shown[PART_FINDINGS]);
    else
        tp_full_print_findings(e, r, shown[PART_FINDINGS]);
    tp_full_print_work(e, r, shown[PART_WORK]);
    tp_full_print_spent(e, r, shown[PART_SPENT]);
    if (shown[PART_TIME] > 0)
        tp_full_print_time(e, r, shown[PART_TIME]);
    print_more(e, r);
}
