// The rows of the report of `stats:level=full`, which all its forms print. One thread at a time uses
// a report.
#ifndef TP_SINK_STATS_REPORT_REPORT_H
#define TP_SINK_STATS_REPORT_REPORT_H

#include "base/text/system_name.h"
#include "sink/print/fields.h"
#include "sink/print/table.h"
#include "sink/stats/report/flame.h"
#include "sink/stats/report/options.h"
#include "stats/findings/detail.h"
#include "stats/hosts/differ.h"
#include "stats/hosts/versus.h"
#include "stats/sums/sums.h"
#include "stats/totals.h"

// A distribution, with the group and the measure that it belongs to.
struct tp_full_row {
    const struct tp_dist *dist;
    enum tp_durations_space space;
    uint32_t measure;
    struct tp_span group;        // name
    struct tp_span measure_name; // "running", "chan receive"; of TP_SPACE_FILE_TASK the path
    const struct tp_breakdown *breakdown; // of tasks and regions; NULL: there is none
    bool is_inferred;            // the reason of a wait from before the trace (names/wait_reasons.h)
};

// The waits of a start function without a reason in the trace.
struct tp_full_unexplained {
    struct tp_dist dist;         // owns nothing: what is not cut is borrowed from the totals
    struct tp_dist_cut cut;
};

// The goroutines whose start function, a wrapper, calls one function of the program.
struct tp_full_wrapped {
    struct tp_span wrapper, function; // empty wrapper: all beyond the limit
    const struct tp_dist *dists[TP_WRAPPED_MEASURES]; // sums of each goroutine; NULL: none
};
// Returns the time of a measure, of all of these goroutines.
TP_INLINE tp_wide tp_full_wrapped_ns(const struct tp_full_wrapped *w, unsigned measure)
{
    return w->dists[measure] != NULL ? tp_dist_all_ns(w->dists[measure]) : 0;
}

// A stack with its waits, or samples, of one type; or several stacks that look alike in a form of
// the report, with the frames of one of them.
struct tp_full_stack {
    uint64_t count;
    tp_wide total_ns;
    const uint32_t *frames; // borrowed from the totals, innermost first
    size_t frame_count;
    size_t place;           // index of the frame that people look for (findings/place.h)
    size_t caller;          // text: index of the program's frame that called the place; 0: none
    // The item of the totals that has the distribution of the waits that the trace does not cut; `times`,
    // owned, is that of the row if several stacks look alike. Both NULL: there is none. See
    // tp_full_stack_times.
    const struct tp_stack_count *timed;
    struct tp_dist *times;
    bool is_idle;           // the waits are idle (stats/idle_waits.h)
    bool is_in_c;           // system calls, as Go has them, that are in C code
    unsigned inferred;      // of TP_STACK_BEFORE: number of the reason (names/wait_reasons.h)
};

// The stacks of one type; for the text form only those that are printed.
struct tp_full_stacks {
    struct tp_full_stack *items; // longest first
    size_t count;
    size_t all_count;            // includes the stacks left out
    // The idle waits in one row, which has no frames; count 0: there are none, or `items` has them.
    struct tp_full_stack idle;
};
// The name of that row.
#define TP_FULL_IDLE "(idle waits)"
// The type of the stacks of wakers, in FOLDED and FLAMEGRAPH.
#define TP_FULL_WOKEN "woken"

// A row of who ended waits: a goroutine, or a timer, at stacks that look alike in the form of the
// report; or the waits that are not told one by one.
enum tp_full_waker_kind {
    TP_FULL_WAKER_STACK,
    TP_FULL_WAKER_NONE,   // events without a stack
    TP_FULL_WAKER_IDLE,   // any stack; idle waits, if the report joins them
    TP_FULL_WAKER_OTHERS  // pairs of stacks that the totals do not keep
};
struct tp_full_waker {
    enum tp_full_waker_kind kind;
    struct tp_full_stack stack; // of a waker; of kind STACK
    struct tp_dist dist;        // of the waits; owned
    tp_wide blamed_ns;          // part of the waits for which the waker is to blame
    struct tp_full_waiter *waiters; // in `waiters` of the report, longest first
    size_t waiter_count;
};
// Returns the name of a row that has no frames.
TP_INLINE const char *tp_full_waker_name(enum tp_full_waker_kind kind)
{
    switch (kind) {
    case TP_FULL_WAKER_IDLE: return TP_FULL_IDLE;
    case TP_FULL_WAKER_OTHERS: return "(others)";
    default: return "(no stack)";
    }
}
// The waits for one reason at places that look alike, all ended by one waker.
struct tp_full_waiter {
    uint32_t waker;             // until tp_full_make_wakers returns: index of the waker
    struct tp_full_stack stack; // with count and time
    struct tp_span reason;
};

// How a form shows a stack, and so which stacks look alike. JSON, FLAMEGRAPH and the others: all
// frames. CSV: all functions, with file and line of the place. FOLDED: all functions. TEXT: the lines that
// tp_full_text_frame selects, with the end of the file's path and the line of the place and of its caller,
// so that each caller of one helper is a row.
// PLACE and TEXT_PLACE: where a part of the report shows only the place of stacks, with the file, or
// with the end of its path.
enum tp_full_look {
    TP_FULL_LOOK_JSON,
    TP_FULL_LOOK_CSV,
    TP_FULL_LOOK_FOLDED,
    TP_FULL_LOOK_TEXT,
    TP_FULL_LOOK_PLACE,
    TP_FULL_LOOK_TEXT_PLACE
};

// Maximum number of frames that text shows of a stack.
#define TP_FULL_TEXT_FRAMES 6
// Returns the index of the frame in this line of a stack in text: the innermost frames; but the caller of
// the place in the last line, and the place in the line before or, without a caller, in the last line, if
// they lie further out.
TP_INLINE size_t tp_full_text_frame(const struct tp_full_stack *s, size_t line)
{
    size_t last = s->caller != 0 ? s->caller : s->place;
    if (last < TP_FULL_TEXT_FRAMES || line + 2 < TP_FULL_TEXT_FRAMES)
        return line;
    if (line == TP_FULL_TEXT_FRAMES - 1)
        return last;
    return s->caller != 0 && s->place > line ? s->place : line;
}

// Return a length, or a quantile of lengths, as text; "-" if all durations were cut, so that no length is
// known.
TP_INLINE struct tp_human tp_full_human_length(const struct tp_dist *d, uint64_t ns)
{
    return d->count > 0 ? tp_human_ns(ns) : tp_human_unknown();
}
TP_INLINE struct tp_human tp_full_human_quantile(const struct tp_dist *d, unsigned thousandths)
{
    return tp_full_human_length(d, tp_dist_quantile_ns(d, thousandths));
}

// Returns the distribution of the waits of a row, as tp_stack_count_times does of an item.
TP_INLINE const struct tp_dist *tp_full_stack_times(const struct tp_full_stack *s,
                                                    struct tp_dist *spare)
{
    if (s->times != NULL)
        return s->times;
    return s->timed != NULL ? tp_stack_count_times(s->timed, spare) : NULL;
}
// Returns a frame of a stack.
TP_INLINE struct tp_totals_frame tp_full_frame(const struct tp_totals *s, const struct tp_full_stack *stack,
                                               size_t at)
{
    return tp_totals_frames_get(&s->frames, stack->frames[at]);
}
// Frees the distribution of a row, if the row owns one.
void tp_full_free_times(struct tp_full_stack *s);

// CPU samples of a function.
struct tp_full_sample {
    struct tp_span function;
    uint64_t flat_count; // in the function itself
    uint64_t count;      // in the function and its callees
};

// The rows of goroutines of all functions, added up by measure.
struct tp_full_states {
    const struct tp_full_row **items; // in the order of struct tp_full_report's rows
    size_t count;
    struct tp_full_row *rows;         // the items
    struct tp_dist *dists;            // of the rows, by measure
};

// All rows of the report, in the order in which they are printed.
struct tp_full_report {
    const struct tp_totals *totals;
    struct tp_full_row *rows;     // by space, state before blocks, then as sorted
    size_t row_count;
    // The rows of goroutines, grouped by function: functions in the order of their names, the rows
    // of each function in the order of `rows`.
    const struct tp_full_row **by_function;
    // For programs: the rows without a reason, with the time of the rows whose reason is inferred, because
    // the trace has no reason for these either. NULL: text, where each wait is in one row.
    struct tp_full_unexplained *unexplained;
    size_t goroutine_row_count;
    struct tp_full_wrapped *wrapped;  // longest lifetime first
    size_t wrapped_count;
    struct tp_full_states states; // JSON only
    const struct tp_full_row *coarse; // in `rows`: coarse stacks, by place
    size_t coarse_count;
    struct tp_full_stacks stacks[TP_STACK_TYPE_COUNT];
    // FLAMEGRAPH only; borrow from `stacks` and `wakers`.
    struct tp_flame flames[TP_FLAME_COUNT];
    // By kind, then as sorted.
    struct tp_full_wakers {
        TP_LIST(struct tp_full_waker);
    } wakers;
    struct tp_full_waiters {
        TP_LIST(struct tp_full_waiter);
    } waiters;
    struct tp_full_sample *samples; // most first
    size_t sample_count;
    const struct tp_file_row **files; // by path
    const struct tp_file_row **files_by_running; // or by `measure`
    size_t file_count;
    uint16_t *kinds_found;            // by the number of a path: bit k is set for a finding of kind k
    struct tp_fleet fleet;            // findings of all inputs, whatever the options select
    struct tp_details details;        // of the findings; by=finding only
    struct tp_differs differs;        // hosts that differ; not compared: the options select something else
    struct tp_versus versus;          // with the baseline; empty: there is none
    struct tp_full_report *baseline;  // FOLDED and FLAMEGRAPH: of the baseline; owned; NULL: there is none
    const struct tp_refused_row **refused; // by path
    size_t refused_count;
    const struct tp_file_row **doubtful; // whose clock is in doubt, by path
    size_t doubtful_count;
    bool includes_doubtful;       // the totals include the doubtful files
    const struct tp_zone *zone;   // of times of day in text; NULL: UTC
    const char *const *reading;   // by enum tp_reading_option, for commands; NULL: none is given
    const struct tp_top_goroutine **gs; // longest first
    size_t g_count;
    struct tp_full_slow {
        const struct tp_slow_interval **items; // slowest first
        size_t count;
    } slow[TP_SLOW_KIND_COUNT];
    enum tp_stats_by by;
    const char *filter;           // of the options; empty: all
    const char *measure;          // of the options; empty: files are sorted by running time
    // For which text is laid out. If it has rows, the first screen is printed instead of the text.
    struct tp_screen screen;
    size_t folder_bytes;          // of the common folder with which all paths of `files` begin
    size_t top;                   // rows of a table, SIZE_MAX: all
    bool has_no_such_name;        // no file has the task, region or function that `measure` names
    bool has_pcs;                 // frames of stacks have PCs
    bool has_histograms;          // distributions have the buckets of their histograms
    bool has_detail;              // JSON has what happened when
    bool joins_idle;              // idle waits are one row of each type
};

// Makes the report of totals. The report borrows the totals and the filter of `config` until fini.
// Fails with TP_E_MEMORY; all rows are then freed.
int tp_full_report_make(const struct tp_stats_config *config, const struct tp_totals *totals,
                        struct tp_full_report *ret_report, struct tp_error *err) TP_MUST_USE;
// Sets `baseline`, made of these totals, which it borrows as the report does its own. Fails with TP_E_MEMORY; the
// report is then still to be freed.
int tp_full_report_set_baseline(struct tp_full_report *r, const struct tp_stats_config *config,
                                const struct tp_totals *totals, struct tp_error *err) TP_MUST_USE;
// Returns the number of rows of `by_function`, from `first` on, that have the same function.
size_t tp_full_function_rows(const struct tp_full_report *r, size_t first);
// Returns the text in place of an empty name of this kind of group.
const char *tp_full_name_if_empty(enum tp_durations_space space);
// Returns the name of a measure: of a state, or the reason of a block; empty in other spaces.
struct tp_span tp_full_measure_name(const struct tp_totals *s, enum tp_durations_space space,
                                    uint32_t measure);
// Sorts rows as the report has them.
void tp_full_sort_rows(struct tp_full_row *rows, size_t count, enum tp_stats_sort sort);
// Returns the figure by which distributions are sorted, the greatest first.
tp_wide tp_full_sort_key(const struct tp_dist *d, enum tp_stats_sort sort);
// Returns whether the options select everything. If not, the parts from which `by` and the filter
// cannot select are not printed.
bool tp_full_is_whole(const struct tp_full_report *r);
// Returns the text of a number of the totals' `names`; of TP_INTERN_NONE the empty text.
TP_INLINE struct tp_span tp_full_text(const struct tp_full_report *r, uint32_t name)
{
    return tp_totals_text(r->totals, name);
}
// Returns the path of an input without the folder that all inputs have in common.
struct tp_span tp_full_path(const struct tp_full_report *r, struct tp_span path);
// Returns whether a name contains the text of the filter.
bool tp_full_matches(const struct tp_full_report *r, struct tp_span name);
// Returns whether a function of the stack does, or there is no filter.
bool tp_full_stack_matches(const struct tp_full_report *r, const struct tp_full_stack *s);
// Compares two stacks by their frames. Returns a value below 0, 0, or above 0.
int tp_full_compare_stacks(const struct tp_totals *s, const struct tp_full_stack *a,
                           const struct tp_full_stack *b);
// The steps of tp_full_report_make: each makes the rows of one part. tp_full_make_stacks joins
// stacks that look alike, and keeps at most `most` rows of each type; tp_full_make_wakers joins
// those of wakers. They fail with TP_E_MEMORY; only fini may follow a failure.
int tp_full_make_wrapped(struct tp_full_report *r, struct tp_error *err) TP_MUST_USE;
int tp_full_make_states(struct tp_full_report *r, enum tp_stats_sort sort,
                        struct tp_error *err) TP_MUST_USE;
int tp_full_make_stacks(struct tp_full_report *r, enum tp_full_look look, size_t most,
                        struct tp_error *err) TP_MUST_USE;
int tp_full_make_wakers(struct tp_full_report *r, enum tp_full_look look, enum tp_stats_sort sort,
                        struct tp_error *err) TP_MUST_USE;
int tp_full_make_files(struct tp_full_report *r, struct tp_error *err) TP_MUST_USE;
int tp_full_make_refused(struct tp_full_report *r, struct tp_error *err) TP_MUST_USE;
int tp_full_make_doubtful(struct tp_full_report *r, struct tp_error *err) TP_MUST_USE;
int tp_full_make_gs(struct tp_full_report *r, struct tp_error *err) TP_MUST_USE;
int tp_full_make_slow(struct tp_full_report *r, enum tp_slow_kind kind,
                      struct tp_error *err) TP_MUST_USE;
int tp_full_make_samples(struct tp_full_report *r, struct tp_error *err) TP_MUST_USE;
void tp_full_free_states(struct tp_full_report *r);
void tp_full_free_wakers(struct tp_full_report *r);
// Frees the rows, but not the totals. A zeroed or half-built report is fine.
void tp_full_report_fini(struct tp_full_report *r);

// Whether the start function is that of goroutines whose thread C code created, for its calls into Go.
TP_INLINE bool tp_full_is_from_c(struct tp_span function)
{
    return tp_span_is(function, TP_FROM_C);
}
// Returns the name by which text has a start function.
TP_INLINE struct tp_span tp_full_start_name(struct tp_span function)
{
    return tp_full_is_from_c(function) ? tp_span_of_text("(called from C)") : function;
}
TP_INLINE struct tp_span tp_full_row_name(const struct tp_full_row *row)
{
    return row->space == TP_SPACE_GOROUTINE ? tp_full_start_name(row->group) : row->group;
}
// Whether goroutines with this start function do the runtime's own work.
TP_INLINE bool tp_full_is_housekeeping(struct tp_span function)
{
    return tp_is_housekeeping(function) && !tp_full_is_from_c(function);
}

// Returns a hash of a stack as the form shows it; whether the form shows two stacks of the same
// type alike, which then have the same hash. `place` of the stacks must be set.
uint64_t tp_full_look_hash(const struct tp_totals *t, enum tp_full_look look,
                           const struct tp_full_stack *s);
bool tp_full_look_alike(const struct tp_totals *t, enum tp_full_look look,
                        const struct tp_full_stack *a, const struct tp_full_stack *b);
// Returns the part of a path behind its last '/', borrowed from the path.
struct tp_span tp_full_file_name(struct tp_span path);

// The quantiles that are printed. X(thousandths, key, rank, head): text has the columns of lower
// ranks longer (tp_column)
#define TP_FULL_QUANTILES(X)                                                            \
    X(500, "p50_ns", 3, "p50") X(900, "p90_ns", 5, "p90") X(990, "p99_ns", 1, "p99")    \
    X(999, "p999_ns", 7, "p99.9")

// Returns the mean duration in ns, rounded down; 0 if there are no durations.
TP_INLINE uint64_t tp_dist_mean_ns(const struct tp_dist *d)
{
    return d->count > 0 ? tp_wide_limited(d->total_ns / d->count) : 0;
}
// Names of spaces and of types of stacks in JSON and CSV. Constant.
extern const char *const tp_space_names[TP_SPACES];
extern const char *const tp_stack_type_names[TP_STACK_TYPE_COUNT];

#endif
