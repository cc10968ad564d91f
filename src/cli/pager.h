// Shows a report that is longer than the terminal with the user's pager. The text waits in memory
// until it is longer than the terminal; from then on all of it goes to the pager. A shorter text
// goes to standard output when it is complete.
//
// A child process waits from the beginning to become the pager, because a program in a sandbox
// starts no other. tp_pager_take may be called on any thread, one call at a time; the other functions
// belong to the main thread. The owner keeps the pager until tp_pager_end.
#ifndef TP_CLI_PAGER_H
#define TP_CLI_PAGER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/text/screen.h"

// Where the text goes.
enum tp_pager_state {
    TP_PAGER_WAITS,  // into memory
    TP_PAGER_SHOWS,  // to the pager
    TP_PAGER_CLOSED, // nowhere: the user has left the pager
    TP_PAGER_FAILED  // to standard output: the pager could not be started
};

// A pager. Begin with {.command = ..., .screen = ...}.
struct tp_pager {
    const char *command;     // borrowed
    struct tp_screen screen; // size of the terminal
    void (*on_start)(void *ctx); // called before the pager starts; NULL: none
    void *ctx;
    _Atomic int state;       // enum tp_pager_state
    char *held;              // text that waits; owned
    size_t held_bytes, room;
    unsigned rows, columns;  // of the held text: complete rows, and columns of the last one
    bool in_escape;          // the held text ends in an escape sequence
    pid_t pid;               // of the child; 0: there is none
    int fd;                  // takes text for the child
    int word_fd;             // takes the word to start, and says whether the pager has started
};

// Returns the command of the pager: that of the environment's PAGER, or less. NULL: none is wanted,
// because PAGER is empty or "cat", or the terminal cannot show one. Borrowed from the environment,
// in which it sets LESS, unless the user has: call it before threads read the environment.
const char *tp_pager_command(void);

// Starts the child. Returns 0, or an errno, after which text goes to standard output. Call it while
// the process has one thread.
int tp_pager_prepare(struct tp_pager *p);

// A tp_report_fn; `ctx` is the struct tp_pager.
int tp_pager_take(void *ctx, const void *bytes, size_t len_bytes);

// Whether the pager has the terminal, so that signals of its keys are meant for the pager.
bool tp_pager_shows(const struct tp_pager *p);

// Writes what waits, or waits until the user has left the pager. Frees all memory. Returns 0, or
// the errno of the failed write.
int tp_pager_end(struct tp_pager *p);

#endif
