// tracepipe: reads Go execution traces in bulk.
//
// A run is described by text, the way the command line does it (options by
// name, sinks by "NAME[:key=value,...]"), started once, and waited for. All
// work happens on threads of the run; the caller's thread is free to show
// progress. Nothing here prints: messages go to the callback, results to the
// outputs.
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
// The ABI is not frozen before 1.0.
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

struct tp_run;

enum tp_message_level {
    TP_MSG_DETAIL,  // for -v
    TP_MSG_WARNING, // damage and loss that did not stop the file
    TP_MSG_ERROR,   // a file or an output that failed
};

// Called on threads of the run, one call at a time, and for each file in input
// order. `text` ends without newline and is valid during the call; names in it are as they
// are, so it takes tp_printable to show it on a terminal.
typedef void (*tp_message_fn)(void *ctx, enum tp_message_level level, const char *text);

// What a run can be told by name. X(name, default, help); the values are text.
// A person's spelling of sizes is accepted: 64M, 1GiB, 4096.
#define TP_RUN_OPTIONS(X)                                                              \
    X("jobs", "0", "worker threads; 0: one per processor")                             \
    X("io", "auto", "read engine: auto, uring or pread")                               \
    X("chunk-size", "256K", "bytes per read, 4K to 4M")                                \
    X("max-memory", "0", "bound on all memory; 0: 1 GiB")                              \
    X("strict", "no", "behave like each sink's reference reader on damaged input")     \
    X("salvage", "prefix",                                                             \
      "of a generation that cannot be ordered keep what comes before: prefix, or "      \
      "nothing: generation")                                                           \
    X("frequency", "0", "clock units per second where a trace does not say; 0: guess")      \
    X("binary", "",                                                                    \
      "the program that was traced: tells functions and lines where stacks are addresses " \
      "alone, as before Go 1.7")                                                       \
    X("from", "", "first moment of ordered events: a duration since the trace's "       \
      "beginning, or a time of day")                                                   \
    X("to", "", "moment behind the last one")                                          \
    X("exact", "no", "order from the beginning of the trace, whatever 'from' is")      \
    X("reread", "auto",                                                                \
      "batches that wait to be put in order stay in their file and are read again, if " \
      "that can be done: always, or of files of 1 MiB and more: auto, or wait in memory: " \
      "never")                                                                         \
    X("runs", "auto",                                                                  \
      "events are decoded when they are put in order: lazy, before that: decoded, or "  \
      "before that if a worker has nothing else to do: auto")                           \
    X("speculate", "auto",                                                             \
      "where all sinks of ordered events fold them, generations are put in order "     \
      "before their turn: never, always, or if a worker has nothing else to do: auto") \
    X("force", "no", "replace outputs that exist")                                     \
    X("color", "auto",                                                                 \
      "colour in text: always, never, or auto: on a terminal, unless NO_COLOR is set "  \
      "or TERM is dumb")                                                               \
    X("recursive", "no", "read all files below folders")                               \
    X("zero-ended", "no", "names in lists end with NUL instead of newline")            \
    X("manifest", "", "write a JSON manifest of the run to this file")

TP_API int tp_run_create(struct tp_run **ret_run, struct tp_error *err);
// Waits for the threads (interrupting them if the run has not ended) and frees
// everything. NULL is fine.
TP_API void tp_run_destroy(struct tp_run *run);

TP_API void tp_run_on_message(struct tp_run *run, tp_message_fn fn, void *ctx);

// Before tp_run_start. TP_E_USAGE names what is wrong.
TP_API int tp_run_set(struct tp_run *run, const char *name, const char *value,
                      struct tp_error *err);
// What "max-memory" says in bytes; 0: it was not set. For programs that set up the heap.
TP_API uint64_t tp_run_max_memory(const struct tp_run *run);
// `output` is a path, "-" for stdout, or NULL: stdout.
TP_API int tp_run_add_sink(struct tp_run *run, const char *spec, const char *output,
                           struct tp_error *err);
// "-" is stdin. Options "recursive" and "zero-ended" apply as set at this moment.
TP_API int tp_run_add_path(struct tp_run *run, const char *path, struct tp_error *err);
TP_API int tp_run_add_list(struct tp_run *run, const char *list_path, struct tp_error *err);

// Checks everything that can be checked before anything is read (usage errors,
// clashes of outputs, existing outputs, the program of "binary"), then starts the threads.
TP_API int tp_run_start(struct tp_run *run, struct tp_error *err);

// Waits until the run has ended or the time is over; true: it has ended.
// timeout_ms -1 waits for ever. `tp_run_fd` becomes readable at the end, for
// callers that poll.
TP_API bool tp_run_wait(struct tp_run *run, int timeout_ms);
TP_API int tp_run_fd(const struct tp_run *run);

struct tp_progress {
    uint64_t file_count;      // inputs in all
    uint64_t file_done_count;
    uint64_t byte_count;      // stored bytes of the inputs whose size is known so far
    uint64_t byte_done_count; // stored bytes read
};
TP_API void tp_run_progress(const struct tp_run *run, struct tp_progress *ret_progress);

// For the end by a signal: removes the temporary files of all outputs now. The
// run is not waited for; the caller ends the process.
TP_API void tp_run_remove_temporaries(void);

// After the end, or a start that failed: 0 all inputs complete; 1 some damaged,
// unreadable or not a trace; 2 usage; 3 output, memory or kernel failed, or some input
// did not fit into max-memory. The worst wins in the order 2, 3, 1.
TP_API int tp_run_exit_status(const struct tp_run *run);
// The first error of the run itself (not of an input), that of tp_run_start included,
// or NULL.
TP_API const struct tp_error *tp_run_error(const struct tp_run *run);

// The sinks this program has, for --help: idx from 0; NULL past the last.
struct tp_sink_help {
    const char *name;
    const char *summary;
    const char *options; // one line per option: "key=VALUES  what it does\n"
};
TP_API const struct tp_sink_help *tp_sink_help(size_t idx);

#ifdef __cplusplus
}
#endif
#endif
