// Whole runs of the library, in a scratch folder, with faults planted: what a run
// is, how it ended, what it left. Whatever the fault, a run must end, own no memory
// afterwards, and leave no temporary file and no half-written output.
//
// Everything asserts with cmocka, so only the thread of the test may call it.
#ifndef TP_TESTS_FAULT_LAB_H
#define TP_TESTS_FAULT_LAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracepipe/tracepipe.h"

#define FAULT_WORDS_MAX 24

struct fault_run {
    const char *name;                       // for messages
    const char *options[FAULT_WORDS_MAX];   // name, value, ...; NULL ends each list
    const char *sinks[FAULT_WORDS_MAX];     // spec, output, ...
    const char *inputs[FAULT_WORDS_MAX];
    size_t repeat_count;                    // the inputs that many times more
    const char *check;    // NULL: none
    const char *baseline; // NULL: none
};

struct fault_result {
    struct tp_error err; // of describing, starting, or the run itself; code 0: none
    int status;          // exit status as the program would give it
    size_t error_count;  // messages of that level
    char first_error[512];
};

// Scratch folders in memory, where there is such a place: thousands of outputs are
// synced. For main.
void fault_set_up(void);

// A run that is under way, for tests that do something meanwhile.
struct fault_live {
    struct tp_run *run;
    struct fault_result result;
    uint64_t live_bytes; // of the heap, before
};

void fault_begin(struct fault_live *live, const struct fault_run *what);
// Waits for the end; a run that hangs aborts the test.
struct fault_result fault_end(struct fault_live *live);
struct fault_result fault_go(const struct fault_run *what);

// Makes the inputs in the current folder:
//   a.trace b.trace       sound, Go 1.26 and 1.22
//   a.gz a.zst b.txt      the same in other forms; a.zst has a frame per generation
//   hurt.trace cut.zst    damaged
//   empty                 no bytes
void fault_make_inputs(void);

// Moves what a sound run left in `out` to `want`; later runs are compared with it.
void fault_keep_reference(void);
void fault_drop_reference(void);
// Nothing in `out` is temporary, and every file there is the one in `want` (a
// manifest, which tells durations, only has to be whole). `all`: and none is
// missing. Then removes `out`.
void fault_check_outputs(const char *name, bool all);

// File contents; the caller frees.
unsigned char *fault_read(const char *path, size_t *ret_len_bytes);
void fault_write(const char *path, const void *bytes, size_t len_bytes);

#endif
