// The program's output to stderr: messages of the run and a progress line. Threads of the
// run show messages; the main thread paints and clears the progress line. The main thread
// never waits for a thread of the run that is stuck in a write to stderr, because it must
// also answer signals.
//
// No function here fails: a failed write to stderr cannot be reported anywhere.
#ifndef TP_CLI_MSG_H
#define TP_CLI_MSG_H

#include <pthread.h>

#include "tracepipe/tracepipe.h"

// Forms of the progress display.
enum tp_progress_style {
    TP_PROGRESS_OFF,
    TP_PROGRESS_LINE, // one line of a terminal, painted over each time
    TP_PROGRESS_LOG,  // a new line every two seconds, for files and pipes
};

// The state of the output to stderr. The owner keeps it until all threads of the run have ended.
struct tp_msg {
    enum tp_message_level least; // messages below this level are not shown
    enum tp_progress_style style;
    pthread_mutex_t mu;
    bool is_stopped; // no progress line is painted any more; guarded by `mu`
    bool line_shown; // the progress line is on the terminal; guarded by `mu`
    // Main thread only.
    uint64_t start_ns;
    uint64_t sample_ns;    // time of the last update of rate_per_s
    uint64_t sample_bytes; // bytes read at that time
    double rate_per_s;     // bytes per second, smoothed; negative: unknown
};

// Starts with all warnings shown and progress off. The owner may change `least` and `style`
// until the run starts.
void tp_msg_init(struct tp_msg *msg);
// Main thread, after the threads of the run have ended.
void tp_msg_fini(struct tp_msg *msg);

// Whether stderr is a terminal on which a progress line can be erased. Any thread.
bool tp_msg_on_terminal(void);

// A tp_message_fn; `ctx` is the struct tp_msg. Any thread.
void tp_msg_show(void *ctx, enum tp_message_level level, const char *text);

// Shows an error as one line, at every level; after TP_E_USAGE a hint at --help follows.
// Main thread.
void tp_msg_error(struct tp_msg *msg, const struct tp_error *err);

// Shows a text as one line, at every level and without the name of the program. Main thread.
void tp_msg_line(struct tp_msg *msg, const char *text);

// Main thread. Milliseconds between two paints, as poll takes them; -1: never paint.
int tp_msg_period_ms(const struct tp_msg *msg);

// Main thread. Starts the clock that rates are computed by.
void tp_msg_start(struct tp_msg *msg);
// Main thread. Does nothing if stderr would block or another thread writes a message.
void tp_msg_paint(struct tp_msg *msg, const struct tp_progress *progress);
// Erases the progress line and paints no other: something else has the terminal from now on. Any
// thread.
void tp_msg_stop(struct tp_msg *msg);
// Main thread. Erases the progress line, unless stderr is stuck.
void tp_msg_clear(struct tp_msg *msg);

// Formats the progress line, without newline; cuts it to `to_bytes`. A pure function of its
// arguments, so that tests need no clock. `rate_per_s` negative: unknown.
void tp_msg_format_progress(char *to, size_t to_bytes, const struct tp_progress *progress,
                            uint64_t elapsed_ns, double rate_per_s);

#endif
