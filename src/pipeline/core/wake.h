// Waking and stopping. Strands that hand something on, give something back or fail call down to
// here; the strands that wait for it run again. Only flags are read and set here, and what a
// strand does is a function that its owner gives.
//
// The protocol: a strand that is refused something raises its flag and then tries once more. A
// thread that gives something back does so first and looks at the flag then. Flags, and all that
// a refusal reads and a release writes (budget, turn, commit_count), are sequentially consistent
// or under a lock, so one of the two sees the other.
//
// All functions: any thread. None waits, but for what the commit strand writes (tp_wake_commit) and
// what the program does with a message.
#ifndef TP_PIPELINE_CORE_WAKE_H
#define TP_PIPELINE_CORE_WAKE_H

#include <pthread.h>

#include "base/err.h"
#include "base/pool.h"
#include "base/strand.h"
#include "pipeline/core/lane.h"
#include "tracepipe/tracepipe.h"

struct tp_input_run;
struct tp_run;

// A strand and what it does.
struct tp_step {
    struct tp_task task;   // first: the pool hands it back
    struct tp_strand strand;
    void (*advance)(void *ctx); // goes as far as it can
    void *ctx;
};

void tp_step_init(struct tp_step *step, void (*advance)(void *ctx), void *ctx);

// What a strand of an input was refused and waits for.
enum tp_starved {
    TP_STARVED_OF_MEMORY, // ingest strand: for chunks, units or budget
    TP_STARVED_OF_PAGES,  // ingest strand: for pages, or a place for a generation; not to be
                          // woken for every block
    TP_STARVED_OF_UNITS,  // order strand
    TP_STARVED_OF_TURN,   // order strand: for its turn, or until inputs use less memory
    TP_STARVED_KINDS
};

// The strands of an input and their flags. Made with the slot of the input and left alone between
// two inputs: threads that served the one may still post the strands.
struct tp_input_wake {
    struct tp_step ingest;
    struct tp_step order;
    struct tp_step commit;
    _Atomic bool starved[TP_STARVED_KINDS];
};

// The strand raises a flag when it was refused something, and lowers it before it tries again.
TP_INLINE void tp_starved_raise(struct tp_input_wake *w, enum tp_starved what)
{
    atomic_store_explicit(&w->starved[what], true, memory_order_seq_cst);
}

TP_INLINE void tp_starved_lower(struct tp_input_wake *w, enum tp_starved what)
{
    atomic_store_explicit(&w->starved[what], false, memory_order_relaxed);
}

TP_INLINE bool tp_starved_is_raised(const struct tp_input_wake *w, enum tp_starved what)
{
    return atomic_load_explicit(&w->starved[what], memory_order_seq_cst);
}

// How the run ends.
struct tp_outcome {
    _Atomic bool is_stopping;
    pthread_mutex_t mu;           // guards `error`
    struct tp_error error;        // first failure of the run itself
    _Atomic bool input_failed;    // exit 1
    _Atomic bool input_over_memory; // exit 3
};

// Call when something happened that the strand waits for. The commit strand runs at once, in the
// caller's thread, unless another thread runs it; the others run on workers.
void tp_wake_ingest(struct tp_input_run *in);
void tp_wake_order(struct tp_input_run *in); // or the puller, if there is one
void tp_wake_commit(struct tp_input_run *in);
void tp_wake_commit_on_worker(struct tp_input_run *in);
void tp_wake_admission(struct tp_run *run);

// Call when memory was given back: wakes the engine and the strands that wait for some.
void tp_wake_for_memory(struct tp_run *run);
// Call when a unit of the lane was given back: wakes the strands that wait for one. Not the
// engine, which uses no units and would be woken for every block.
void tp_wake_for_units(struct tp_run *run, enum tp_lane_id lane);
// Call when pages were given back or a generation is done.
void tp_wake_for_pages(struct tp_run *run);
// Call when another input has its turn or inputs use less memory: wakes the order strands that
// stand back.
void tp_wake_for_turn(struct tp_run *run);

// The first failure of the run itself; everything winds down.
void tp_run_fail(struct tp_run *run, const struct tp_error *err);
void tp_run_message(struct tp_run *run, enum tp_message_level level, const char *fmt, ...)
    TP_PRINTF(3, 4);

#endif
