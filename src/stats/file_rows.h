// Computes one row of figures for each input. The rows of many inputs show which input deserves
// attention. A row is computed from the totals of its input alone; the
// totals of a run collect the rows. A refused input, which adds nothing else to the totals, has a
// row with the reason.
//
// The totals own the rows and the texts in them. One thread at a time uses the totals.
#ifndef TP_STATS_FILE_ROWS_H
#define TP_STATS_FILE_ROWS_H

#include <stdbool.h>

#include "base/err.h"
#include "base/wide.h"
#include "merge/track/time_class.h"
#include "stats/figures/moment.h"
#include "stats/names/kinds.h"
#include "stats/taken.h"

struct tp_totals;

// The figures of a row: times in nanoseconds if the key ends in _ns, bytes if it ends in _bytes,
// else counts. X(FIGURE, key)
#define TP_FILE_FIGURES(X)                                                                \
    X(EVENTS, "events")                                                                   \
    X(LOST_BYTES, "lost_bytes")                                                           \
    X(DURATION, "duration_ns")                                                            \
    X(GOROUTINES, "goroutine_count")                                                      \
    X(RUNNING, "running_ns")                                                              \
    X(SCHEDULING, "runnable_ns")                                                          \
    X(SCHEDULINGS, "runnable_count")                                                      \
    X(SYSCALL, "syscall_ns")                                                              \
    X(SYSCALLS, "syscall_count")                                                          \
    X(BLOCKED, "blocked_ns")                                                              \
    X(LOCKED, "lock_wait_ns")      /* blocked by sync.Mutex and sync.RWMutex */           \
    X(LOCKS, "lock_wait_count")                                                           \
    X(COLLECTOR, "gc_ns")          /* run time of its goroutines, and of assists */       \
    X(ASSISTS, "assist_ns")        /* from beginning to end, including waits */           \
    X(MARKS, "gc_cycle_count")                                                            \
    X(PROCS, "gomaxprocs_ns")      /* integral of GOMAXPROCS; duration if unknown */      \
    X(STOPPED, "stopped_ns")       /* sum of the stop-the-world pauses */                 \
    X(STOPS, "stop_count")                                                                \
    X(PROCS_KNOWN, "gomaxprocs_known_ns") /* time for which GOMAXPROCS is known */        \
    X(TASKS, "task_ns")            /* of tasks that began and ended in the trace */       \
    X(IDLE_WAITS, "idle_wait_ns")  /* waits of who has nothing to do: idle_waits.h */     \
    X(IDLE_WORKERS, "idle_mark_worker_ns") /* of the collector's: of idle mark workers */ \
    X(UNORDERED_BYTES, "unordered_bytes") /* of events that could not be put in order */  \
    X(HEAP, "heap_byte_ns")        /* integral of the heap's size */                      \
    X(HEAP_KNOWN, "heap_known_ns") /* time for which that is known */                     \
    X(PROCS_USED, "p_used_ns")     /* integral of the Ps in use */                        \
    X(GREW, "blocked_growth")      /* blocked goroutines: the mean of the trace's last quarter */ \
                                   /* less that of its first, in thousandths, at least 0 */

enum tp_file_figure {
#define TP_X(figure, key) TP_FILE_##figure,
    TP_FILE_FIGURES(TP_X)
#undef TP_X
    TP_FILE_FIGURE_COUNT
};

// Whether findings of an input were judged, and if not, why. X(VERDICT, key, words)
#define TP_JUDGEMENTS(X)                                                                  \
    X(JUDGED, "judged", "analysed")                                                       \
    X(SHORT, "short", "shorter than 50 ms")                                               \
    X(IDLE, "idle", "no goroutine ran")                                                   \
    X(LOST, "lost", "more than half of it is damaged")                                    \
    X(CLOCK, "clock", "inconsistent clock")                                               \
    X(NAMELESS, "nameless", "function names lost, nothing found")

enum tp_judgement {
#define TP_X(judgement, key, words) TP_JUDGEMENT_##judgement,
    TP_JUDGEMENTS(TP_X)
#undef TP_X
    TP_JUDGEMENT_COUNT
};
// Shorter traces are not judged: what begins or ends a trace would decide.
#define TP_JUDGED_NS_MIN 50000000
// In shorter traces leaks are not judged: goroutines that live long would look like it.
#define TP_LEAK_NS_MIN 500000000

// Kinds of what a row keeps of an input, each with a limit: the tasks or the regions of one name, the waits in
// one function of the program that are not idle (idle_waits.h), the goroutines of one start function, the
// events of one type.
enum tp_top_kind {
    TP_TOP_TASK,
    TP_TOP_REGION,
    TP_TOP_WAIT,
    TP_TOP_START,
    TP_TOP_EVENT,
    TP_TOP_KINDS,
    TP_TOP_NONE = TP_TOP_KINDS,
    TP_TOP_TIMED = TP_TOP_WAIT // number of kinds with times
};
#define TP_TOPS_PER_KIND 6
// The figures that a row keeps of one name; a plain value.
struct tp_file_top {
    uint32_t name;     // a number of the totals' `names`
    uint32_t file;     // where the goroutines wait, a number of `names`; TP_INTERN_NONE: not known
    uint64_t line;     // of that file, or 0
    // Tasks and regions that began and ended in the trace, goroutines, or events; of waits 0.
    uint64_t count;
    uint64_t total_ns; // with what the trace cuts; of a start function the time in the state running
};
// How long those tasks or regions took; a plain value.
struct tp_file_times {
    uint64_t mean_ns;
    uint64_t p50_ns;
    uint64_t p99_ns;
    uint64_t class_ns[TP_CLASS_COUNT]; // of those about as long as the median: the mean by class of time
};

// The row of an input that was read; a plain value.
struct tp_file_row {
    uint32_t path; // as the user wrote it; a number of the totals' `names`
    // The name of the host that the pattern `grouped_by` finds in the path, and that pattern, numbers of
    // `names`; TP_INTERN_NONE: it finds none, or none is given.
    uint32_t host;
    uint32_t grouped_by;
    // Bytes or events of the input were lost, or it was not read to its end: its figures hold as far
    // as it could be read.
    bool is_damaged;
    struct tp_taken taken; // of this input; no file: it does not know the time of day
    uint64_t begin;        // of the trace, a moment (figures/moment.h); set by tp_totals_place_moments
    tp_wide figures[TP_FILE_FIGURE_COUNT];
    enum tp_judgement judgement; // set by tp_findings_judge, as the next member
    // By enum tp_finding_kind: the greatest value, in millionths of the kind's unit; TP_VALUE_NONE: not
    // judged, because of the judgement or because the kind's other conditions do not hold.
    uint64_t values[TP_FINDS_COUNT];
    // Those that took most time, or the most events, the greatest first; set by tp_hosts_add_tops (hosts/tops.h).
    struct tp_file_top tops[TP_TOP_KINDS][TP_TOPS_PER_KIND];
    struct tp_file_times times[TP_TOP_TIMED][TP_TOPS_PER_KIND]; // of `tops`
    uint32_t top_counts[TP_TOP_KINDS];
    uint64_t more_tops[TP_TOP_KINDS]; // how many the input had besides
};

// The memory that a row takes at most, in bytes: the list of rows has up to half of its memory free, and the
// comparison of hosts (hosts/differ.h) needs less than that for each.
#define TP_FILE_ROW_BYTES (2 * sizeof(struct tp_file_row))

// Computes the row of the only input in these totals and adds the row to them, and its tasks
// (file_tasks.h). Call it when all other figures of the input are in the totals. Copies `path`.
// False: no memory; then only tp_totals_fini may follow.
bool tp_totals_add_file(struct tp_totals *s, const char *path) TP_MUST_USE;

// The row of an input that adds nothing else to the totals; a plain value.
struct tp_refused_row {
    uint32_t path;  // as the user wrote it; a number of the totals' `names`
    uint32_t words; // the text of the error; a number of the totals' `names`
    int code;       // enum tp_error_code, perhaps one of another version of tracepipe
};

// Adds the row of a refused input, and adds 1 to refused_count. Copies `path` and the text of
// `why`. False: no memory; neither was done.
bool tp_totals_add_refused(struct tp_totals *s, const char *path, const struct tp_error *why)
    TP_MUST_USE;

#endif
