// Wakes and stops strands. A strand calls these functions when it hands something on, gives
// something back, or fails; the strands that wait for this then run again. The functions only read
// and set flags; the work of a strand is a function that the strand's owner passes.
//
// The protocol: a strand that was refused something raises its flag and then tries once more. A
// thread that gives something back does so first and reads the flag afterwards. The flags, and all
// state that a refusal reads and a release writes (budget, turn, commit_count), are sequentially
// consistent or under a lock, so one of the two threads sees the other.
//
// Any thread may call these functions. None blocks, except that the commit strand may wait for
// output (tp_wake_commit) and that tp_run_message waits for the program's message function.
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

// A strand and its work.
struct tp_step {
    struct tp_task task;   // first member: cast back to the strand
    struct tp_strand strand;
    void (*advance)(void *ctx); // does all work that is possible now
    void *ctx;
};

// Initialises an idle strand, which owns no memory. `ctx` is passed to `advance` and must outlive
// the strand.
void tp_step_init(struct tp_step *step, void (*advance)(void *ctx), void *ctx);

// The resource that a strand of an input was refused and waits for.
enum tp_starved {
    TP_STARVED_OF_MEMORY, // ingest strand: for chunks, units or budget
    TP_STARVED_OF_PAGES,  // ingest strand: for pages, or a place for a generation; separate
                          // from MEMORY, so that not every block wakes the strand
    TP_STARVED_OF_UNITS,  // order strand: for a unit
    TP_STARVED_OF_TURN,   // order strand: for its turn, or until inputs use less memory
    TP_STARVED_KINDS
};

// The strands of an input and their flags. Created with the slot of the input and not reset between
// two inputs, because threads that served the first input may still wake the strands.
struct tp_input_wake {
    struct tp_step ingest;
    struct tp_step order;
    struct tp_step commit;
    _Atomic bool starved[TP_STARVED_KINDS];
};

// Raises the flag. The strand calls this function after a refusal.
TP_INLINE void tp_starved_raise(struct tp_input_wake *w, enum tp_starved what)
{
    atomic_store_explicit(&w->starved[what], true, memory_order_seq_cst);
}

// Lowers the flag. The strand calls this function before it tries again.
TP_INLINE void tp_starved_lower(struct tp_input_wake *w, enum tp_starved what)
{
    atomic_store_explicit(&w->starved[what], false, memory_order_relaxed);
}

// Whether the flag is raised. Any thread.
TP_INLINE bool tp_starved_is_raised(const struct tp_input_wake *w, enum tp_starved what)
{
    return atomic_load_explicit(&w->starved[what], memory_order_seq_cst);
}

// The result of the run so far.
struct tp_outcome {
    _Atomic bool is_stopping;
    _Atomic bool ends_pipes;      // inputs that are pipes end where they are (read/pipe_end.h)
    pthread_mutex_t mu;           // guards `error`
    struct tp_error error;        // first failure of the run itself; code 0: none
    _Atomic bool input_failed;    // the run exits with 1 or worse
    _Atomic bool input_beyond_host; // the run exits with 3 or worse
    _Atomic bool check_failed;    // the run exits with 4 or worse
};

// Wake one strand. Call when something has happened that the strand waits for. A strand that is
// woken without reason finds nothing to do. The commit strand runs at once, on the caller's thread,
// unless another thread runs it, so the caller may wait for output (tp_wake_commit_on_worker avoids
// that); the other strands run on workers.
void tp_wake_ingest(struct tp_input_run *in);
void tp_wake_order(struct tp_input_run *in); // or the puller, if there is one
void tp_wake_commit(struct tp_input_run *in);
void tp_wake_commit_on_worker(struct tp_input_run *in);
void tp_wake_admission(struct tp_run *run);

// Wakes the engine and the strands that wait for memory; call after memory was given back.
void tp_wake_for_memory(struct tp_run *run);
// Wakes the strands that wait for a unit of the lane; call after a unit was given back. Does not
// wake the engine, which uses no units and would be woken for every block.
void tp_wake_for_units(struct tp_run *run, enum tp_lane_id lane);
// Wakes the strands that wait for pages; call after pages were given back or a generation is done.
void tp_wake_for_pages(struct tp_run *run);
// Wakes the order strands that wait for their turn; call when another input has its turn or inputs
// use less memory.
void tp_wake_for_turn(struct tp_run *run);

// Stops the run without an error of its own: the status is that of the inputs so far.
void tp_run_stop(struct tp_run *run);
// Stops the run, whose strands then end soon; copies `err` if it is the first failure.
void tp_run_fail(struct tp_run *run, const struct tp_error *err);
// Stops the run with an error of this code and text.
void tp_run_fail_with(struct tp_run *run, int code, const char *text);
// Sends a message to the program; cuts its text to 8 KiB.
void tp_run_message(struct tp_run *run, enum tp_message_level level, const char *fmt, ...)
    TP_PRINTF(3, 4);

#endif
