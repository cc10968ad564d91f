// What the program says on stderr: messages of the run and a progress line. Two
// kinds of threads meet here: threads of the run show messages, the main thread
// paints and clears. The main thread never waits for a run thread that is stuck
// in a write to stderr, because it also has to answer signals.
//
// Nothing here fails: who cannot write to stderr has nobody to tell.
#ifndef TP_CLI_MSG_H
#define TP_CLI_MSG_H

#include <pthread.h>

#include "tracepipe/tracepipe.h"

enum tp_progress_style {
    TP_PROGRESS_OFF,
    TP_PROGRESS_LINE, // one line of a terminal, painted over
    TP_PROGRESS_LOG,  // a new line now and then, for files and pipes
};

struct tp_msg {
    enum tp_message_level least; // what is less than this is not shown
    enum tp_progress_style style;
    pthread_mutex_t mu;
    bool line_shown; // the progress line is on the terminal; guarded by `mu`
    // Main thread only.
    uint64_t start_ns;
    uint64_t sample_ns; // when rate_per_s was last brought up to date
    uint64_t sample_bytes;
    double rate_per_s;  // bytes, smoothed; negative: unknown
};

// Warnings are shown, progress is off; the owner may change `least` and `style`
// until the run starts.
void tp_msg_init(struct tp_msg *msg);
void tp_msg_fini(struct tp_msg *msg);

// Whether a progress line on stderr would be seen and not get in the way.
bool tp_msg_on_terminal(void);

// A tp_message_fn; `ctx` is the struct tp_msg. Any thread.
void tp_msg_show(void *ctx, enum tp_message_level level, const char *text);

// An error as one line, however quiet; after misuse a hint at --help follows.
void tp_msg_error(struct tp_msg *msg, const struct tp_error *err);

// Milliseconds between two paints, for poll; -1: never.
int tp_msg_period_ms(const struct tp_msg *msg);

// Main thread. Starts the clock of the rates.
void tp_msg_start(struct tp_msg *msg);
// Main thread. Skipped when stderr would block or a message is being written.
void tp_msg_paint(struct tp_msg *msg, const struct tp_progress *progress);
// Main thread. Takes the line away, unless stderr is stuck.
void tp_msg_clear(struct tp_msg *msg);

// One line about the progress, without newline. Exact in its arguments, so that
// tests need no clock. `rate_per_s` negative: unknown.
void tp_msg_format_progress(char *to, size_t to_bytes, const struct tp_progress *progress,
                            uint64_t elapsed_ns, double rate_per_s);

#endif
