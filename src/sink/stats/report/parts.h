// The parts of the full report, each of which one file makes and prints: tp_full_print_* as text,
// tp_full_put_* as JSON and CSV. The functions borrow their arguments for the call; errors of the
// output stay in the emitter.
#ifndef TP_SINK_STATS_REPORT_PARTS_H
#define TP_SINK_STATS_REPORT_PARTS_H

#include "sink/stats/report/report.h"

// Tasks or, without any, goroutines by start function, at most `most` rows of them; the number of rows in
// all, *ret_waiting of them goroutines that never ran, which come last; and of the lines besides these. For
// a screen only.
void tp_full_print_work(struct tp_emit *e, const struct tp_full_report *r, size_t most);
size_t tp_full_work_count(const struct tp_full_report *r, size_t *ret_waiting);
unsigned tp_full_work_head(const struct tp_full_report *r);
// Whether the report has a row of tasks.
bool tp_full_has_tasks(const struct tp_full_report *r);

// The states of goroutines, at most `most` rows of them; the number of rows in all, and of the lines
// besides these.
void tp_full_print_spent(struct tp_emit *e, const struct tp_full_report *r, size_t most);
size_t tp_full_spent_count(const struct tp_full_report *r);
unsigned tp_full_spent_head(const struct tp_full_report *r);

// Returns the time of system calls that were in C code, of the stacks that are kept.
tp_wide tp_full_in_c_ns(const struct tp_full_report *r);

// The timeline in at most `most` rows, 1 to TP_FULL_TIME_ROWS_MAX; without the gauges if these are
// at most TP_FULL_TIME_ROWS_SHORT. tp_full_time_count returns the number of rows of a short one, 0
// if it is not printed; tp_full_time_head its lines besides these rows.
#define TP_FULL_TIME_ROWS_SHORT 10
#define TP_FULL_TIME_ROWS_MAX 24
void tp_full_print_time(struct tp_emit *e, const struct tp_full_report *r, uint32_t most);
size_t tp_full_time_count(const struct tp_full_report *r);
unsigned tp_full_time_head(const struct tp_full_report *r);
void tp_full_put_time(struct tp_emit *e, const struct tp_full_report *r);
// Put the keys of the timeline's figures, and these figures of buckets: for each key an array.
void tp_full_put_level_keys(struct tp_emit *e);
void tp_full_put_level_values(struct tp_emit *e, const struct tp_timeline_bucket *buckets, uint32_t count);

// When most goroutines waited for a P at once: a line below the table over time, if there is one to
// tell; the table by start function; both for programs.
bool tp_full_has_peak(const struct tp_full_report *r);
void tp_full_print_peak(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_print_peaks(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_put_peak(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_put_peaks(struct tp_emit *e, const struct tp_full_report *r);

// Puts the history of the inputs, if the report has it, in JSON only.
void tp_full_put_history(struct tp_emit *e, const struct tp_full_report *r);

// The share of the garbage collector; stats/gc/utilisation.h defines its figures.
// Of all goroutines: the time that the collector took, and the running time that this is a share of.
struct tp_full_gc_time {
    tp_wide taken_ns, running_ns;
};
struct tp_full_gc_time tp_full_gc_time(const struct tp_totals *totals);
void tp_full_print_utilisation(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_put_utilisation(struct tp_emit *e, const struct tp_full_report *r);

// CPU samples by function.
void tp_full_print_samples(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_put_samples(struct tp_emit *e, const struct tp_full_report *r);

// Goroutines by the function that their start function wraps; and where the time of one of these went.
struct tp_breakdown_sum tp_full_wrapped_sum(const struct tp_full_wrapped *w);
void tp_full_print_wrapped(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_put_wrapped(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_put_wrapped_csv(struct tp_emit *e, const struct tp_full_report *r);

// Goroutines one by one, those that ran longest.
void tp_full_print_gs(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_put_gs(struct tp_emit *e, const struct tp_full_report *r);

// Files, and the figures of one of them as JSON.
void tp_full_print_files(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_put_files(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_put_file_figures(struct tp_emit *e, const struct tp_file_row *f);

// Refused inputs; in JSON they stand in the array of files.
void tp_full_print_refused(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_put_refused(struct tp_emit *e, const struct tp_full_report *r);

// Files whose clock is in doubt, and whether the totals include them.
void tp_full_print_doubtful(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_put_doubtful(struct tp_emit *e, const struct tp_full_report *r);

// Blocked time by waker.
void tp_full_print_wakers(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_put_wakers(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_put_wakers_csv(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_print_wakers_folded(struct tp_emit *e, const struct tp_full_report *r);

// The coarse stacks, which the totals do not keep one by one.
void tp_full_print_coarse(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_put_coarse(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_print_coarse_folded(struct tp_emit *e, const struct tp_full_report *r);

// The place where the time of tasks, or regions, went; of one of them.
void tp_full_print_breakdown(struct tp_emit *e, const struct tp_full_report *r,
                             enum tp_durations_space space, const char *title);
void tp_full_put_breakdown(struct tp_emit *e, const struct tp_full_row *row);
void tp_full_put_breakdown_csv(struct tp_emit *e, const struct tp_full_row *row);

// Returns words about tasks of which most time is elsewhere, that name what shows more of them; NULL: it is not.
const char *tp_full_elsewhere_note(enum tp_durations_space space, const struct tp_breakdown_sum *sum);
// Puts the classes of a sum that have time, the largest first, with dots for those that have no room, and the
// end of the line, of which so many columns are used. `note`: words at its end, if they fit; NULL: none.
void tp_full_print_shares(struct tp_emit *e, const struct tp_full_report *r,
                          const struct tp_breakdown_sum *sum, unsigned used_columns,
                          const char *note);

// For programs: puts the time of each class, and of each delay, of a sum. Returns the key of a class.
void tp_full_put_classes(struct tp_emit *e, const struct tp_breakdown_sum *sum);
const char *tp_full_class_key(enum tp_class class);

// The slowest tasks or regions one by one.
void tp_full_print_slow(struct tp_emit *e, const struct tp_full_report *r, enum tp_slow_kind kind);
void tp_full_put_slow(struct tp_emit *e, const struct tp_full_report *r, enum tp_slow_kind kind);

// Prints the name of a function of a stack, in CSV and FOLDED.
void tp_full_print_function(struct tp_emit *e, struct tp_span name);

#endif
