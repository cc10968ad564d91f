// tracepipe: reads Go execution traces in bulk.
//
// A program describes a run by text, as the command line does (options by name, sinks by
// "NAME[:key=value,...]"), starts it once, and waits for it. All work happens on threads of
// the run; the caller's thread is free to show progress. The library prints nothing:
// messages go to the callback, results to the outputs.
//
//   struct tp_run *run = NULL;
//   tp_run_create(&run, &err);
//   tp_run_set(run, "jobs", "8", &err);
//   tp_run_add_sink(run, "stats:format=json", "report.json", &err);
//   tp_run_add_path(run, "traces", &err);
//   tp_run_start(run, &err);
//   tp_run_wait(run, -1);
//   int status = tp_run_exit_status(run);
//   tp_run_destroy(run);
//
// Threads: one thread at a time uses a run, except tp_run_progress, which any
// thread may call between start and destroy.
//
// Texts are copied, unless the comment of a function says otherwise. The ABI is not frozen before
// 1.0.
#ifndef TRACEPIPE_TRACEPIPE_H
#define TRACEPIPE_TRACEPIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracepipe/api.h"
#include "tracepipe/error.h"

#ifdef __cplusplus
extern "C" {
#endif

// A run: its options, inputs and sinks, and its threads once it is started.
struct tp_run;

// Levels of messages, the least important first.
enum tp_message_level {
    TP_MSG_DETAIL,  // facts for users who want more, as with -v
    TP_MSG_WARNING, // damage and loss that did not stop the file
    TP_MSG_ERROR,   // a file or an output failed
};

// Receives messages on threads of the run, one call at a time; messages about files come in
// input order. `text` ends without newline and is valid during the call. It holds names of
// files byte for byte: pass it through tp_printable before it goes to a terminal.
typedef void (*tp_message_fn)(void *ctx, enum tp_message_level level, const char *text);

// The options of a run. X(name, default, help). Values are text; sizes may have a unit: 64M,
// 1GiB, 4096.
#define TP_RUN_OPTIONS(X)                                                              \
    X("jobs", "0", "worker threads; 0: one per processor")                             \
    X("io", "auto", "read engine: auto, uring or pread")                               \
    X("chunk-size", "256K", "bytes per read, 4K to 4M")                                \
    X("max-memory", "0", "memory limit; 0: 1 GiB")                                     \
    X("strict", "no", "treat damaged input exactly as Go's readers do")                \
    X("salvage", "prefix",                                                             \
      "what to keep of a generation that cannot be ordered completely: prefix, or "    \
      "nothing: generation")                                                           \
    X("frequency", "0", "clock ticks per second where a trace does not record it; 0: guess") \
    X("binary", "", "the traced program, for function names in traces from before Go 1.7") \
    X("from", "", "first time of ordered events: a duration since the start of the "   \
      "trace, a time of day, or a date and time")                                      \
    X("to", "", "end of the time window, exclusive")                                   \
    X("tz", "local",                                                                   \
      "time zone of times without an offset from UTC, and of printed times: UTC, "     \
      "local, or a name like Asia/Tokyo")                                              \
    X("exact", "no", "with 'from': order events from the start of the trace")          \
    X("reread", "auto",                                                                \
      "read batches of plain files again for ordering instead of keeping them in "     \
      "memory: always, never, or auto: for files of 1 MiB or more")                    \
    X("runs", "auto",                                                                  \
      "decode events during ordering: lazy, before it: decoded, or before it if a "    \
      "worker is idle: auto")                                                          \
    X("speculate", "auto",                                                             \
      "order generations speculatively, in parallel: never, always, or if a worker "   \
      "is idle: auto")                                                                 \
    X("spans", "no", "give a reader's blocks the spans that their events end (span.h)") \
    X("intervals", "no", "give them the tasks, regions and others that they end (span.h)") \
    X("force", "no", "replace outputs that exist; only raw and zstd replace a trace")  \
    X("skip-existing", "no", "do not read inputs whose outputs exist, by their names alone")   \
    X("verbose", "no",                                                                 \
      "a message for each input, also where many inputs have the same kind of message") \
    X("color", "auto",                                                                 \
      "colour in text: always, never, or auto: on a terminal, unless NO_COLOR is set " \
      "or TERM is dumb")                                                               \
    X("all", "no", "show all rows of all tables in text")                              \
    X("screen", "auto",                                                                \
      "screen size for text: COLUMNSxROWS, or auto: that of the terminal, or 100 "     \
      "columns without a limit on rows")                                               \
    X("group", "",                                                                     \
      "a host is the inputs in whose paths this regular expression finds one name, in " \
      "place of one input")                                                            \
    X("recursive", "no", "read all files below folders")                               \
    X("zero-ended", "no", "names in lists end with NUL, not newline")                  \
    X("manifest", "", "write a JSON manifest of the run to this file")                 \
    X("junit", "", "write the results of checks to this file, as JUnit XML")           \
    X("known", "",                                                                     \
      "print what is new, worse or gone since the run that wrote this file, and replace it")  \
    X("read-back", "no", "read outputs back from the disk before they get their names")  \
    X("on-clash", "fail",                                                              \
      "inputs whose outputs would have the names of those of an earlier input: fail, " \
      "skip such an input, or rename its outputs")                                     \
    X("timeout", "", "refuse an input for which the run waits longer than this: 90s, 5m") \
    X("fail-fast", "no", "end the run with the first input or output that fails")      \
    X("resume", "",                                                                    \
      "keep a record of inputs in this file, and do not read those that it has as done") \
    X("rehash", "no", "with 'resume': tell inputs by their bytes, not by size and time")

// Creates a run, which the caller gives to tp_run_destroy. Fails with TP_E_MEMORY or TP_E_KERNEL;
// *ret_run is then unchanged.
TP_API int tp_run_create(struct tp_run **ret_run, struct tp_error *err);
// Waits for the threads (interrupting them if the run has not ended) and frees
// everything. NULL is fine.
TP_API void tp_run_destroy(struct tp_run *run);

// Sets the function that receives messages; call before tp_run_start. `ctx` must outlive the run.
TP_API void tp_run_on_message(struct tp_run *run, tp_message_fn fn, void *ctx);

// Takes text of a report. Returns 0, or an errno, which fails the output.
typedef int (*tp_report_fn)(void *ctx, const void *bytes, size_t len_bytes);
// Sets a function that gets the text that a sink makes of all inputs together, if the text would go
// to stdout; for programs that show it page by page. It is called on threads of the run, one call
// at a time. The function changes neither the colours nor the width of the text. Call it before
// tp_run_start. `ctx` must outlive the run.
TP_API void tp_run_on_report(struct tp_run *run, tp_report_fn fn, void *ctx);

// Sets an option; call before tp_run_start. Copies both texts. Fails with TP_E_USAGE, whose text
// names the fault, or with TP_E_MEMORY.
TP_API int tp_run_set(struct tp_run *run, const char *name, const char *value,
                      struct tp_error *err);
// Returns the value of "max-memory" in bytes; 0: not set. For programs that set up their heap.
TP_API uint64_t tp_run_max_memory(const struct tp_run *run);
// Adds a sink; call before tp_run_start. `output` is a path, or "-" or NULL for stdout. Copies both
// texts. Fails with TP_E_USAGE or TP_E_MEMORY; the run is then as it was before the call.
TP_API int tp_run_add_sink(struct tp_run *run, const char *spec, const char *output,
                           struct tp_error *err);
// Adds a file or folder; call before tp_run_start. "-" is stdin. Copies the path. The option
// "recursive" applies as it is set at the time of the call. Fails with TP_E_USAGE if stdin is
// named twice, or with TP_E_MEMORY; the run itself reports a path that cannot be opened.
TP_API int tp_run_add_path(struct tp_run *run, const char *path, struct tp_error *err);
// Adds all names of a list, as tp_run_add_path does; "-" is stdin. The option "zero-ended" applies,
// too. Fails also with TP_E_OPEN or TP_E_READ, if the list cannot be read; err->path then borrows
// `list_path`. The names before the place of a failure stay added.
TP_API int tp_run_add_list(struct tp_run *run, const char *list_path, struct tp_error *err);
// Adds inputs of the baseline, with which sinks of statistics compare all others: a file, a folder, whose
// files are all read, or, if the word begins with '@', the names of the list behind it. Other sinks do
// not get these inputs. Call before tp_run_start, which fails with TP_E_USAGE if no sink compares. Fails
// as tp_run_add_path or tp_run_add_list does.
TP_API int tp_run_add_baseline(struct tp_run *run, const char *word, struct tp_error *err);

// Adds a check, a figure of the run held against a threshold, such as "task(checkout).p99 < 20ms";
// call before tp_run_start. tracepipe-stats(7), section CHECKS, has the names. Copies the text. Fails
// with TP_E_USAGE or TP_E_MEMORY.
TP_API int tp_run_add_check(struct tp_run *run, const char *check, struct tp_error *err);
// Adds the checks of a file, one a line; empty lines and those that begin with '#' are none. Fails as
// tp_run_add_check does, and with TP_E_USAGE if the file cannot be read or has no check; err->path then
// borrows `path`. The checks before the place of a failure stay added.
TP_API int tp_run_add_checks(struct tp_run *run, const char *path, struct tp_error *err);

// How a run uses a path.
enum tp_path_use {
    TP_PATH_READ,   // reads a file, or all files below a folder
    TP_PATH_WRITE,  // writes to a file, device or pipe in place
    TP_PATH_CREATE, // creates, renames and removes files in a folder, but reads none of them
    TP_PATH_TREE,   // creates, renames, removes and reads files and folders below a folder
    TP_PATH_USES
};
// Takes a path, which is valid during the call. Returns 0, or a code after filling the error, which
// ends the visit.
typedef int (*tp_path_fn)(void *ctx, enum tp_path_use use, const char *path, struct tp_error *err);
// Calls the function for each path that the run opens from now on, some of them more than once.
// A path need not exist; what the process has open already has none. Call it in the function of
// tp_run_on_guard only. Fails as the function does, or with TP_E_MEMORY.
TP_API int tp_run_visit_paths(struct tp_run *run, tp_path_fn fn, void *ctx, struct tp_error *err);

// Restricts the process. Returns 0, or a code after filling the error, which fails the start.
typedef int (*tp_guard_fn)(void *ctx, struct tp_run *run, struct tp_error *err);
// Sets a function for programs that give up rights before they read what strangers wrote. It is
// called by tp_run_start, on its thread, when all options are checked, folders of outputs and rings
// of io_uring exist, no byte of an input or an existing output is read, and no thread has started.
// Call it before tp_run_start. `ctx` must outlive the start.
TP_API void tp_run_on_guard(struct tp_run *run, tp_guard_fn fn, void *ctx);

// Checks everything that can be checked before anything is read (usage errors, clashes of
// outputs, existing outputs, the program of "binary"), then starts the threads and returns.
// Fails with a code of any class; tp_run_exit_status and tp_run_error then report the failure.
TP_API int tp_run_start(struct tp_run *run, struct tp_error *err);

// Waits until the run has ended or `timeout_ms` milliseconds have passed; -1 waits without a limit.
// Returns whether the run has ended; true also for a run that never started.
TP_API bool tp_run_wait(struct tp_run *run, int timeout_ms);
// Returns a descriptor that becomes readable when the run ends, for callers that poll. The run owns
// the descriptor until tp_run_destroy: do not read from it or close it.
TP_API int tp_run_fd(const struct tp_run *run);

// How far a run has come.
struct tp_progress {
    uint64_t file_count;      // all inputs
    uint64_t file_done_count;
    uint64_t byte_count;      // stored bytes of the inputs whose size is known so far
    uint64_t byte_done_count; // stored bytes read
};
// Copies how far the run has come. Any thread, between tp_run_start and tp_run_destroy.
TP_API void tp_run_progress(const struct tp_run *run, struct tp_progress *ret_progress);

// Ends inputs that are pipes, sockets or terminals where they are, for a program whose user wants no
// more of a live one: what has come so far is worked on, and such an input counts as damaged, because
// it ends early. Other inputs are read to their ends. Returns whether there is such an input that has
// not been finished; false: nothing was done. Any thread, between tp_run_start and tp_run_destroy.
TP_API bool tp_run_end_pipes(struct tp_run *run);

// Removes the temporary files of all outputs of all runs, for a program that a signal ends. Does
// not wait for the runs, whose outputs fail from then on; the caller must end the process. Any
// thread, but not in a signal handler, because the function takes a lock.
TP_API void tp_run_remove_temporaries(void);

// How a check came out.
enum tp_check_verdict {
    TP_CHECK_NONE,    // the run has not ended, or failed before
    TP_CHECK_OK,
    TP_CHECK_FAILED,
    TP_CHECK_NOT_SEEN // no figure to hold against the threshold: failed as well
};
// A check of a run. The texts live as long as the run.
struct tp_check_result {
    const char *check; // as it was given
    enum tp_check_verdict verdict;
    const char *found; // the figure, in the unit of the threshold; or why there is none
};
// Fills *ret_result with check number `idx`, from 0, in the order in which they were added; call it
// after the end. False: there are no more.
TP_API bool tp_run_check(const struct tp_run *run, size_t idx, struct tp_check_result *ret_result);

// Returns the exit status for the program; call after the end, or after a failed start. 0: all
// inputs are complete; 1: some are damaged, unreadable or not traces, or there are none; 2: wrong
// usage; 3: output, memory or kernel failed, or an input did not fit into max-memory; 4: a check
// failed. If several apply, the order of precedence is 2, 3, 4, 1.
TP_API int tp_run_exit_status(const struct tp_run *run);
// Returns the first error of the run itself (not of an input), errors of tp_run_start included;
// NULL: there is none. Lives as long as the run.
TP_API const struct tp_error *tp_run_error(const struct tp_run *run);

// Texts about one of tracepipe's sinks, for --help.
struct tp_sink_help {
    const char *name;
    const char *summary;
    const char *options; // one line per option: "key=VALUES  what it does\n"
};
// Returns the texts of sink number `idx`, from 0; NULL past the last sink. Any thread. The result
// lies in a buffer of the calling thread: valid until this thread calls the function again or ends.
TP_API const struct tp_sink_help *tp_sink_help(size_t idx);

#ifdef __cplusplus
}
#endif
#endif
