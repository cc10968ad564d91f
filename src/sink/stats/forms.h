// The outputs of `stats:level=full`: one for the run, printed after its last input.
//
// TEXT and FLAMEGRAPH are for people and may change. JSON, CSV and FOLDED are for programs; their
// names stay. Durations are integers, in nanoseconds; their totals may exceed 2^64. The printing
// functions borrow their arguments for the call; errors of the output stay in the emitter.
//
// CSV: a header and rows, quoted as in RFC 4180:
//   space,group,kind,measure,count,total_ns,max_ns,p50_ns,p90_ns,p99_ns,p999_ns,cut_count,cut_ns
//     space     goroutine, task, region, pause, mark, assist, sweep, log; trace_task;
//               coarse_stack; stack; waker; trace; inconsistent_clock; total; utilisation;
//               time, wall_time, gauge; top_goroutine; slow_task; slow_region; sample; refused;
//               finding, finding_place, finding_trace; change
//     group     start function, name, reason of a pause, category; of a stack, or a waker's
//               stack, its functions, innermost first, with ';' between them; of a coarse stack
//               its function; of a finding the responsible function, or nothing; of a trace or a
//               refused input its path; of utilisation the length of its windows in ns, if it has
//               windows; of a bucket of time its beginning in ns, by the wall clock in Unix time;
//               of a gauge its name; of a top goroutine or a slow task its id; of samples the
//               function
//     kind      of goroutines: state, or block; of stacks and coarse stacks: their type; of
//               wakers: blocked, or blamed; of findings: their kind; of top goroutines, slow
//               tasks and regions: trace; of traces with an inconsistent clock: included, or
//               excluded; of changes: the verdict and the measure
//     measure   of goroutines: the state, or the reason; of coarse stacks: lock, or nothing; of
//               totals, findings, traces with any clock, utilisation, time, gauges, top
//               goroutines, slow tasks and regions: the figure, whose value is in count; of
//               refused inputs: the reason, and count is 1; of stacks, wakers and finding_place: FILE:LINE
//               of the place; of tasks of traces: the trace; of finding_trace: the worst trace
// JSON: one document. A field has one type, or null where a trace does not tell its value; no key
// is a name from a trace. Numbers are integers, whatever their size.
//   {"schema":"tracepipe.stats.full/6", TOTALS, WALL, "wall_trace_count",
//   "states":{STATE:DIST},"blocks":[{"reason",DIST}], which are the sums over "functions",
//   "functions":[{"function","states":{STATE:DIST},"blocks":[{"reason",DIST}]}],
//   "tasks_by_trace":[{"trace","name",DIST}], if there are two traces or more,
//   "tasks" "regions" "pauses" "mark_phases" "assists" "sweeps" "logs":[{"name",DIST}],
//   "utilisation":{FIGURES,"windows":[{"window_ns",FIGURES}]},
//   "timeline":{"layout","bucket_ns","clock_bucket_ns","wall_trace_count",
//     "gauges":[{"gauge","report_count","change_count","min","max"}],
//     "buckets":[{"begin_ns","covered_ns","runnable_ns",...}],
//     "wall_buckets":[{"wall_start_ns","wall_start","covered_ns",...}],"runnable_peak":PEAK},
//   "runnable_peaks":[PEAK], PEAK is {"function","goroutines","begin_ns",WALL_BEGIN},
//   "traces":[{"trace","status":"read",FIGURES,"has_damage",WALL,"finding_values":[{"kind","value","found"}]},
//     then {"trace","status":"refused","error":{"code","text"}}],
//   "inconsistent_clocks":[{"trace","included",FIGURES}],
//   "samples":[{"function","flat","cumulative"}],
//   "top_goroutines":[{"trace","id","function",FIGURES}],"other_goroutines":{FIGURES},
//   "slowest_tasks":[{"trace","id","name","goroutine","begin_ns",WALL_BEGIN,"duration_ns",CLASSES,
//     "logs":[{"after_ns","category","message",...}],"command"}], "slowest_regions" without id and
//     logs,
//   "wakers":[{"function","file","line",DIST,"blamed_ns",
//     "waiters":[{"function","file","line","reason","idle","count","total_ns"}],
//     "frames":[{"function","file","line"}]}],"other_wakers":{DIST,"blamed_ns"},
//   "other_stack_count","coarse_stacks":[{"type","lock","function","count","total_ns"}],
//   "stacks":[{"type","count","total_ns","max_ns",QUANTILES,MAX_BEGIN,"function","file","line","idle",
//     "frames":[{"function","file","line"}]}]}, with pc=yes also "pc" of each frame; the first
//     "function", "file" and "line" are those of the place
//   STATE is running, runnable, syscall or lifetime; an absent one did not occur.
//   WALL_BEGIN is "wall_start_ns","wall_start"; CLASSES is a duration by class.
//   WALL is "wall_start_ns","wall_start","wall_end_ns","wall_end": Unix time, and RFC 3339.
//   DIST is {count,total_ns,max_ns,p50_ns,p90_ns,p99_ns,p999_ns,cut_count,cut_ns,max_begin_ns,
//     max_wall_start_ns,max_wall_start}; with histograms=yes also "buckets":[{"from_ns","to_ns","count"}], those that are not empty.
// FOLDED: "TYPE;outermost;...;innermost NUMBER", as flame graph tools read it. No two lines have
//   the same functions. NUMBER is in
//   nanoseconds; for CPU samples it is the number of samples. Coarse stacks are
//   "TYPE;(folded);FUNCTION", idle waits "TYPE;(idle waits)". With by=waker the type is "woken", and
//   the stacks are those of wakers. With a baseline two numbers, that of the baseline first; lines are sorted.
// FLAMEGRAPH: an SVG of the numbers of FOLDED. Each type is a block with a scale of its own,
//   because samples and times of different kinds do not add up; the blocks have the order of enum
//   tp_stack_type. In a block the root is at the bottom. The picture is complete without its
//   script.
#ifndef TP_SINK_STATS_FORMS_H
#define TP_SINK_STATS_FORMS_H

#include "sink/stats/report/report.h"

// Print the report, each in one form.
void tp_full_print_text(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_print_json(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_print_csv(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_print_folded(struct tp_emit *e, const struct tp_full_report *r);
void tp_full_print_flamegraph(struct tp_emit *e, const struct tp_full_report *r);
// The first screen, which is printed instead of the text if the report's screen has rows.
void tp_full_print_screen(struct tp_emit *e, const struct tp_full_report *r);
// The head of text and of the first screen, which says what was read.
void tp_full_print_totals(struct tp_emit *e, const struct tp_full_report *r);

#endif
