// Checks: figures of a run held against thresholds. A check is a text:
//
//   NAME OP VALUE [or none]
//
//   NAME   STATE.FIGURE                   of all goroutines together
//          function(NAME).STATE.FIGURE    of those with this start function
//          task(NAME).FIGURE   region(NAME).FIGURE
//          gc.share                       share of running time that the collector took
//          findings.KIND                  number of findings
//          differs                        number of hosts that differ from the others
//   VALUE  a decimal number with a unit; with a sign, per cent of the same figure of a baseline
//
// A name in brackets ends at the bracket that closes it, or stands in double quotes, in which \" and
// \\ stand for a quote and a backslash. The figures are those of the report of `stats:level=full`:
// count and total include cut durations, as in its tables; lengths are of whole durations.
//
// One thread at a time uses checks.
#ifndef TP_SINK_CHECK_CHECK_H
#define TP_SINK_CHECK_CHECK_H

#include "base/err.h"
#include "base/list.h"
#include "base/wide.h"
#include "tracepipe/tracepipe.h"

struct tp_totals;

// The subjects of names, besides all goroutines. X(SUBJECT, word, whether a name in brackets follows)
#define TP_CHECK_SUBJECTS(X)          \
    X(FUNCTION, "function", true)     \
    X(TASK, "task", true)             \
    X(REGION, "region", true)         \
    X(GC, "gc", false)                \
    X(FINDINGS, "findings", false)    \
    X(DIFFERS, "differs", false)

enum tp_check_subject {
#define TP_X(subject, word, is_named) TP_CHECK_##subject,
    TP_CHECK_SUBJECTS(TP_X)
#undef TP_X
    TP_CHECK_SUBJECT_COUNT,
    TP_CHECK_ALL_GOROUTINES = TP_CHECK_SUBJECT_COUNT
};

// The states of goroutines. X(STATE, word)
#define TP_CHECK_STATES(X)     \
    X(RUNNABLE, "runnable")    \
    X(RUNNING, "running")      \
    X(SYSCALL, "syscall")      \
    X(BLOCKED, "blocked")

enum tp_check_state {
#define TP_X(state, word) TP_CHECK_##state,
    TP_CHECK_STATES(TP_X)
#undef TP_X
    TP_CHECK_STATE_COUNT
};

// Dimensions of figures, in whose base unit values are integers. X(DIMENSION, what a value is)
#define TP_CHECK_DIMENSIONS(X)                             \
    X(COUNTED, "a plain number")                           \
    X(TIME, "a duration like 20ms or 1.5s")   /* ns */     \
    X(PART, "a share like 12.5%")             /* millionths */

enum tp_check_dimension {
#define TP_X(dimension, what) TP_CHECK_##dimension,
    TP_CHECK_DIMENSIONS(TP_X)
#undef TP_X
};

// Figures of durations. X(FIGURE, word, dimension, thousandths of a quantile)
#define TP_CHECK_FIGURES(X)             \
    X(COUNT, "count", COUNTED, 0)       \
    X(TOTAL, "total", TIME, 0)          \
    X(MEAN, "mean", TIME, 0)            \
    X(P50, "p50", TIME, 500)            \
    X(P90, "p90", TIME, 900)            \
    X(P99, "p99", TIME, 990)            \
    X(P999, "p99.9", TIME, 999)         \
    X(MAX, "max", TIME, 0)              \
    X(SHARE, "share", PART, 0)

enum tp_check_figure_kind {
#define TP_X(figure, word, dimension, thousandths) TP_CHECK_##figure,
    TP_CHECK_FIGURES(TP_X)
#undef TP_X
    TP_CHECK_FIGURE_COUNT
};

// Operators; one that begins another one stands after it. X(OPERATOR, text, operator of C)
#define TP_CHECK_OPERATORS(X) \
    X(AT_MOST, "<=", <=)      \
    X(BELOW, "<", <)          \
    X(AT_LEAST, ">=", >=)     \
    X(ABOVE, ">", >)          \
    X(EQUAL, "==", ==)

enum tp_check_operator {
#define TP_X(name, text, op) TP_CHECK_##name,
    TP_CHECK_OPERATORS(TP_X)
#undef TP_X
    TP_CHECK_OPERATOR_COUNT
};

// Units; the first one of a dimension is that of a zero without a unit. X(text, dimension, the
// power of ten of base units that make one)
#define TP_CHECK_UNITS(X)                                                                   \
    X("", COUNTED, 0)                                                                       \
    X("ms", TIME, 6) X("ns", TIME, 0) X("us", TIME, 3) X("\xc2\xb5s", TIME, 3)              \
    X("\xce\xbcs", TIME, 3) X("s", TIME, 9)                                                 \
    X("%", PART, 4)

struct tp_check_unit {
    const char *text;
    enum tp_check_dimension dimension;
    unsigned power;
};

// The longest text of a check.
#define TP_CHECK_MAX_BYTES 4096
// Room for a figure with its unit, or for the reason why there is none.
#define TP_CHECK_FOUND_BYTES 80

// A check, and its result.
struct tp_check {
    char *text;                         // as given; owned
    enum tp_check_subject subject;
    char *name;                         // in brackets; owned; NULL: none
    enum tp_check_state state;          // of all goroutines or a function
    enum tp_check_figure_kind figure;   // of all but findings
    unsigned finding;                   // enum tp_finding_kind
    enum tp_check_operator op;
    const struct tp_check_unit *unit;
    tp_wide value;                      // in base units
    bool is_relative;                   // the value is a change of the figure of the baseline
    bool is_decrease;                   // of a relative value: the sign is '-'
    bool or_none;                       // holds if no trace has what it names
    enum tp_check_verdict verdict;
    char found[TP_CHECK_FOUND_BYTES];   // the figure, in `unit`; or why there is none
};

struct tp_checks {
    TP_LIST(struct tp_check);
};

// Adds the check that the text is. Fails with TP_E_USAGE or TP_E_MEMORY; nothing is then added.
int tp_checks_add(struct tp_checks *checks, const char *text, struct tp_error *err) TP_MUST_USE;
void tp_checks_fini(struct tp_checks *checks);

// Sets verdicts and figures of all checks, by the totals of both sides; those of the baseline are asked for if
// a value is relative. *ret_failed_count is the number of checks that do not hold. Fails with TP_E_MEMORY.
int tp_checks_evaluate(struct tp_checks *checks, const struct tp_totals *totals,
                       const struct tp_totals *baseline, size_t *ret_failed_count,
                       struct tp_error *err) TP_MUST_USE;
// Whether the value of a check is a change of a figure of the baseline.
bool tp_checks_are_relative(const struct tp_checks *checks);

struct tp_emit;
// Prints the evaluated checks as JUnit XML: a document with one suite, and a test case for each.
void tp_checks_print_junit(struct tp_emit *e, const struct tp_checks *checks);

#endif
