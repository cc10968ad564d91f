// The outputs of `stats:level=full`: one for the run, printed after its last input.
//
// TEXT and FLAMEGRAPH are for people and may change. JSON, CSV and FOLDED are for programs; their
// names stay. Durations are integers, in nanoseconds; their totals may exceed 2^64. The printing
// functions borrow their arguments for the call; errors of the output stay in the emitter. One
// thread at a time uses a report.
//
// CSV: a header and rows, quoted as in RFC 4180:
//   space,group,kind,measure,count,total_ns,max_ns,p50_ns,p90_ns,p99_ns,p999_ns,cut_count,cut_ns
//     space     goroutine, task, region, pause, mark, assist, sweep, log; coarse_stack; stack;
//               woken_by; file; doubtful; total; utilisation; time, wall_time, gauge; longest;
//               sample; refused
//     group     start function, name, reason of a pause, category; of a stack, or a waker's
//               stack, its functions,
//               innermost first, with ';' between them; of a coarse stack its function; of a file
//               or a refused input its path; of utilisation the length of its windows in ns, if it
//               has windows; of a bucket of time its beginning in ns, by the wall
//               clock in Unix time; of a gauge its name; of one
//               of the longest goroutines its id; of samples the function
//     kind      of goroutines: state, or block; of stacks and coarse stacks: their type; of
//               wakers: blocked, or blamed; of the longest: file; of doubtful files: included, or
//               left out
//     measure   of goroutines: the state, or the reason; of coarse stacks: lock, or nothing; of
//               totals, files, doubtful files, utilisation, time, gauges, the longest: the
//               figure, whose value is in count; of refused inputs: the reason, and count is 1;
//               of stacks and wakers: FILE:LINE of the place
// JSON: one document. A field has one type, or null where a trace does not tell its value; no key
// is a name from a trace. Numbers are integers, whatever their size.
//   {"schema":"tracepipe.stats.full/3", TOTALS, WALL, "wall_files",
//   "states":{STATE:DIST},"blocks":[{"reason",DIST}], which are the sums over "functions",
//   "functions":[{"function","states":{STATE:DIST},"blocks":[{"reason",DIST}]}],
//   "tasks" "regions" "pauses" "mark_phases" "assists" "sweeps" "logs":[{"name",DIST}],
//   "utilisation":{FIGURES,"windows":[{"window_ns",FIGURES}]},
//   "timeline":{"layout","bucket_ns","clock_bucket_ns","wall_files",
//     "gauges":[{"gauge","told","changes","least","greatest"}],
//     "buckets":[{"begin_ns","covered_ns","runnable_ns",...}],
//     "wall_buckets":[{"wall_start_ns","wall_start","covered_ns",...}]},
//   "by_file":[{"file","status":"read",FIGURES,WALL,"values":[{"kind","value","found"}]},
//     then {"file","status":"refused","error":{"code","text"}}],
//   "doubtful":[{"file","included",FIGURES}],
//   "samples":[{"function","flat","cumulative"}],
//   "longest":[{"file","id","function",FIGURES}],"longest_others":{FIGURES},
//   "woken_by":[{"function","file","line",DIST,"blamed_ns",
//     "waiters":[{"function","file","line","reason","idle","count","total_ns"}],
//     "frames":[{"function","file","line"}]}],"woken_by_others":{DIST,"blamed_ns"},
//   "stacks_folded","coarse_stacks":[{"type","lock","function","count","total_ns"}],
//   "stacks":[{"type","count","total_ns","function","file","line","idle",
//     "frames":[{"function","file","line"}]}]}, with pc=yes also "pc" of each frame; the first
//     "function", "file" and "line" are those of the place
//   STATE is running, scheduling, syscall or lifetime; an absent one did not occur.
//   WALL is "wall_start_ns","wall_start","wall_end_ns","wall_end": Unix time, and RFC 3339.
//   DIST is {count,total_ns,max_ns,p50_ns,p90_ns,p99_ns,p999_ns,cut_count,cut_ns}; with
//     histograms=yes also "buckets":[{"from_ns","to_ns","count"}], those that are not empty.
// FOLDED: "TYPE;outermost;...;innermost NUMBER", as flame graph tools read it. No two lines have
//   the same functions. NUMBER is in
//   nanoseconds; for CPU samples it is the number of samples. Coarse stacks are
//   "TYPE;(folded);FUNCTION", idle waits "TYPE;(idle waits)". With by=waker the type is "woken", and
//   the stacks are those of wakers.
// FLAMEGRAPH: an SVG of the numbers of FOLDED. Each type is a block with a scale of its own,
//   because samples and times of different kinds do not add up; the blocks have the order of enum
//   tp_stack_type. In a block the root is at the bottom. The picture is complete without its
//   script.
#ifndef TP_SINK_STATS_PRINT_H
#define TP_SINK_STATS_PRINT_H

#include "sink/print/fields.h"
#include "sink/print/table.h"
#include "sink/stats/flame.h"
#include "sink/stats/level.h"
#include "stats/findings/detail.h"
#include "stats/fold/partial.h"
#include "stats/totals.h"

// A distribution, with the group and the measure that it belongs to.
struct tp_full_row {
    const struct tp_dist *dist;
    enum tp_durations_space space;
    uint32_t measure;
    struct tp_span group;        // name
    struct tp_span measure_name; // "running", "chan receive"
    const struct tp_breakdown *breakdown; // of tasks and regions; NULL: there is none
};

// A stack with its waits, or samples, of one type; or several stacks that look alike in a form of
// the report, with the frames of one of them.
struct tp_full_stack {
    uint64_t count;
    tp_wide total_ns;
    const uint32_t *frames; // borrowed from the totals, innermost first
    size_t frame_count;
    size_t place;           // index of the frame that people look for (findings/place.h)
    bool is_idle;           // the waits are idle (stats/idle_waits.h)
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
// frames. CSV: all functions, with file and line of the place. FOLDED: all functions. TEXT: the
// lines that tp_full_text_frame selects, with the end of the file's path and the line of the place.
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
// Returns the index of the frame in this line of a stack in text: the innermost frames; but the
// place in the last line, if it lies further out.
TP_INLINE size_t tp_full_text_frame(const struct tp_full_stack *s, size_t line)
{
    return line == TP_FULL_TEXT_FRAMES - 1 && s->place > line ? s->place : line;
}

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
    size_t goroutine_row_count;
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
    const struct tp_file_row **files_by_running;
    size_t file_count;
    uint16_t *kinds_found;            // by the number of a path: bit k is set for a finding of kind k
    struct tp_fleet fleet;            // findings of all inputs, whatever the options select
    struct tp_details details;        // of the findings; by=finding only
    const struct tp_refused_row **refused; // by path
    size_t refused_count;
    const struct tp_file_row **doubtful; // whose clock is in doubt, by path
    size_t doubtful_count;
    bool includes_doubtful;       // the totals include the doubtful files
    const struct tp_zone *zone;   // of times of day in text; NULL: UTC
    const struct tp_top_goroutine **gs; // longest first
    size_t g_count;
    const struct tp_slow_task **slow; // slowest first
    size_t slow_count;
    enum tp_stats_by by;
    const char *filter;           // of the options; empty: all
    // For which text is laid out. If it has rows, the first screen is printed instead of the text.
    struct tp_screen screen;
    size_t folder_bytes;          // of the common folder with which all paths of `files` begin
    size_t top;                   // rows of a table, SIZE_MAX: all
    bool has_pcs;                 // frames of stacks have PCs
    bool has_histograms;          // distributions have the buckets of their histograms
    bool joins_idle;              // idle waits are one row of each type
};

// Makes the report of totals. The report borrows the totals and the filter of `config` until fini.
// Fails with TP_E_MEMORY; all rows are then freed.
int tp_full_report_make(const struct tp_stats_config *config, const struct tp_totals *totals,
                        struct tp_full_report *ret_report, struct tp_error *err) TP_MUST_USE;
// Returns the number of rows of `by_function`, from `first` on, that have the same function.
size_t tp_full_function_rows(const struct tp_full_report *r, size_t first);
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
int tp_full_make_slow(struct tp_full_report *r, struct tp_error *err) TP_MUST_USE;
int tp_full_make_samples(struct tp_full_report *r, struct tp_error *err) TP_MUST_USE;
void tp_full_free_states(struct tp_full_report *r);
void tp_full_free_wakers(struct tp_full_report *r);
// Frees the rows, but not the totals. A zeroed or half-built report is fine.
void tp_full_report_fini(struct tp_full_report *r);

// Returns a hash of a stack as the form shows it; whether the form shows two stacks of the same
// type alike, which then have the same hash; and the index of the frame of a stack's place. `place`
// of the stacks must be set for the first two.
uint64_t tp_full_look_hash(const struct tp_totals *t, enum tp_full_look look,
                           const struct tp_full_stack *s);
bool tp_full_look_alike(const struct tp_totals *t, enum tp_full_look look,
                        const struct tp_full_stack *a, const struct tp_full_stack *b);
size_t tp_full_place(const struct tp_totals *s, unsigned type, const struct tp_full_stack *stack);
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

// Print the report, each in one form.
void tp_full_print_text(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_print_json(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_print_csv(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_print_folded(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_print_flamegraph(struct tp_emit *e, const struct tp_full_report *r);

// Each function prints one part of the full report: tp_full_print_* as text, tp_full_put_* as JSON
// and CSV. The parts are the timeline; the share of the garbage collector (its figures are defined
// in stats/gc/utilisation.h); CPU samples by function; goroutines one by one; files; refused
// inputs, in JSON in the array of files; files whose clock is in doubt, and whether the totals
// include them; blocked time by who ended it; the coarse stacks, which the totals do not keep one by
// one.
//
// TEXT only: the head, which says what was read; the findings, at most `most` of them, and the
// verdict: that there are none, and why inputs were not judged; all that is known of each finding,
// with the verdict; the states of goroutines, at most `most` rows of them; the first screen, which has some of
// these parts.
void tp_full_print_totals(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_print_findings(struct tp_emit *e, const struct tp_full_report *r, size_t most);
void tp_full_print_verdict(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_print_view(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_print_spent(struct tp_emit *e, const struct tp_full_report *r, size_t most);
void tp_full_print_screen(struct tp_emit *e, const struct tp_full_report *r);
// Returns the lines of the findings besides those of the findings themselves, and the lines of one.
unsigned tp_full_findings_head(const struct tp_full_report *r);
unsigned tp_full_finding_lines(const struct tp_full_report *r);
// Returns the rows that tp_full_print_spent has in all.
size_t tp_full_spent_count(const struct tp_full_report *r);
// The timeline in at most `most` rows, 1 to TP_FULL_TIME_ROWS_MAX; without the gauges if these are
// at most TP_FULL_TIME_ROWS_SHORT. tp_full_time_count returns the number of rows of a short one, 0
// if it is not printed; tp_full_time_head its lines besides these rows.
#define TP_FULL_TIME_ROWS_SHORT 10
#define TP_FULL_TIME_ROWS_MAX 24
void tp_full_print_time(struct tp_emit *e, const struct tp_full_report *r, uint32_t most);
size_t tp_full_time_count(const struct tp_full_report *r);
unsigned tp_full_time_head(const struct tp_full_report *r);
void tp_full_put_time(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_print_utilisation(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_put_utilisation(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_print_samples(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_put_samples(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_print_gs(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_put_gs(struct tp_emit *e, const struct tp_full_report *r);
// This function prints the findings, how many inputs were judged, and why the others were not; JSON
// only.
void tp_full_put_findings(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_print_files(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_put_files(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_put_file_figures(struct tp_emit *e, const struct tp_file_row *f);
void tp_full_print_refused(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_put_refused(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_print_doubtful(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_put_doubtful(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_print_wakers(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_put_wakers(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_put_wakers_csv(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_print_wakers_folded(struct tp_emit *e, const struct tp_full_report *r);
// Where the time of tasks, or regions, went; of one of them.
void tp_full_print_breakdown(struct tp_emit *e, const struct tp_full_report *r,
                             enum tp_durations_space space, const char *title);
// Puts the classes of a sum that have time, the largest first, and the end of the line, of which so
// many columns are used.
void tp_full_print_shares(struct tp_emit *e, const struct tp_full_report *r,
                          const struct tp_breakdown_sum *sum, unsigned used_columns);
// For programs: puts the time of each class, and of assists, of a sum.
void tp_full_put_classes(struct tp_emit *e, const struct tp_breakdown_sum *sum);
// The slowest tasks one by one.
void tp_full_print_slow(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_put_slow(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_put_breakdown(struct tp_emit *e, const struct tp_full_row *row);
void tp_full_put_breakdown_csv(struct tp_emit *e, const struct tp_full_row *row);
void tp_full_print_coarse(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_put_coarse(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_print_coarse_folded(struct tp_emit *e, const struct tp_full_report *r);

// Prints the name of a function of a stack, in CSV and FOLDED.
void tp_full_print_function(struct tp_emit *e, struct tp_span name);

#endif
