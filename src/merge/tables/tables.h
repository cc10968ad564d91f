// The tables of one generation: strings, stacks, CPU samples, clock, experimental data. The tables
// are built by the rules of Go's full reader (internal/trace/generation.go), with its limits and
// messages.
//
//   add* ─▶ finish ─▶ constant, shared by all blocks of the generation ─▶ release
//
// Nothing is copied: strings and stacks point into the bodies of the batches, which must outlive
// the tables (the hook `on_free` is called when the tables are freed), or into memory that the
// tables own. One thread builds the tables; after finish any thread may read them. Frames are
// resolved when the first stack is looked up, because ordering never needs frames.
//
// `max_bytes` limits the memory of the tables and of resolved frames; the bodies of the batches do
// not count.
//
// Two more files build the tables: read.c reads strings, stacks and samples from the batches, and
// frames.c resolves frames.
#ifndef TP_MERGE_TABLES_TABLES_H
#define TP_MERGE_TABLES_TABLES_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/err.h"
#include "base/idmap.h"
#include "base/intern.h"
#include "base/span.h"
#include "base/truncate.h"
#include "decode/scan_v2.h"
#include "merge/tables/carried_names.h"
#include "merge/tables/carried_states.h"
#include "merge/tables/generation.h"
#include "merge/tables/stack_text.h"
#include "tracepipe/event.h"

// A CPU sample.
struct tp_sample {
    int64_t time_ns;
    int64_t m;
    int64_t p;
    int64_t g;               // -1 for 0 on the wire
    uint64_t stack;          // id, not checked (Go does not either)
    uint64_t offset;         // of the event in the stream; only before Go 1.22
    uint32_t wire_bytes;
};

// A stack as the trace defines it.
struct tp_stack_def {
    uint64_t id;
    const unsigned char *frames; // frame_count * (pc func file line), checked
    uint32_t first;          // sum of the frame counts of the stacks before this one
    uint16_t frame_count;
    uint16_t frames_bytes;
};

// The frame of a distinct PC. If the trace defines a PC several times, the first definition in file
// order counts.
struct tp_frame_def {
    uint64_t pc;
    uint64_t line;
    uint32_t function;       // indices of strings; TP_STRING_UNKNOWN in partial tables
    uint32_t file;
    uint32_t text_offset;    // of its printed form in frame_text
    uint32_t text_bytes;
};

// The runtime keeps 128 program counters of a stack and skips some of them. So a stack with this
// many frames or more may have been cut off, and then it does not show the function in which the
// goroutine began.
#define TP_WHOLE_STACK_FRAMES 120

// Indices of strings: the first is the index of the string with id 0, the second stands for no
// string.
#define TP_STRING_EMPTY 0
#define TP_STRING_UNKNOWN UINT32_MAX

// Number of readable bytes after the last frame in frame_text, so that a copy of a frame may read
// past the frame's end.
#define TP_FRAME_TEXT_SLACK_BYTES 128

// Constant after finish, except for `carried`, `carried_states`, `first_ns` and the members from resolve_mu on. The
// tables own all arrays; the last release frees them.
struct tp_tables {
    uint64_t generation;
    uint32_t minor;          // release in the header of the trace
    // True: the generation is not whole, so a missing id is no error. Set by the creator of the
    // tables.
    bool is_partial;
    // The clock, from the generation's Sync batches.
    bool has_frequency;
    bool has_clock;
    uint64_t frequency;      // clock units per second
    double ns_per_tick;      // 1.0 / (frequency / 1e9); 0 until there is one
    struct tp_clock_snapshot clock;

    // Strings, by index; an id of the trace is looked up in string_ids.
    struct tp_idmap string_ids;  // id to index; 0 is not in it
    TP_LIST(struct tp_span) strings; // [TP_STRING_EMPTY] is empty
    struct tp_own_bytes *own;        // list of blocks for strings and stacks that are in no batch
    uint64_t max_string_id;
    // Stacks, by index. Their frames stay as they are on the wire until they are resolved.
    struct tp_idmap stack_ids;
    TP_LIST(struct tp_stack_def) stacks;
    uint64_t frame_count;        // over all stacks
    uint64_t max_frame_string_id; // largest id of a function or file in frames
    uint32_t max_stack_frames;   // frames of the longest stack
    // The table has all ids from 1 to this one; larger ids have to be looked up. Set by finish. In
    // tables that the runtime wrote, no larger ids exist.
    uint64_t complete_string_ids;
    uint64_t complete_stack_ids;
    // CPU samples, and batches of experiments.
    TP_LIST(struct tp_sample) samples;                  // after finish, sorted as Go sorts them
    TP_LIST(struct tp_experimental_batch) experimental; // in file order
    bool has_unknown_experiment; // Go's printer panics on such an experiment
    // The failure of the last tp_tables_add was a bare "EOF", which Go's reader takes for the end
    // of the trace: it stops there without an error.
    bool is_go_eof;

    // Messages of logs and names of frames that are parts of `strings`, before Go 1.22.
    struct tp_intern messages;
    // Names of open tasks and regions from earlier generations, for their ends in this one; one
    // hold, or NULL. Set before the first block is created.
    struct tp_carried_names *carried;
    // Holds the texts and stacks of earlier generations to which spans of this one refer; one hold.
    // NULL: no sink asks for spans. The tracker sets it before the first block is handed out.
    struct tp_carried_states *carried_states;
    // Time of the generation's first event. Set with carried_states, if a sink asks for spans.
    int64_t first_ns;

    size_t max_bytes;  // limit of the memory of the tables
    size_t room_bytes; // of max_bytes: not taken yet; bodies of batches do not count

    // Resolved frames (see tp_tables_resolve).
    pthread_mutex_t resolve_mu;  // held while frames are resolved
    _Atomic bool is_resolved;    // set after the results were written
    int resolve_code;            // not 0 (TP_E_MEMORY, TP_E_LIMIT, TP_E_TOO_LARGE): no stacks
    uint32_t *frame_idx;         // for every frame of every stack: index in `frames`
    TP_LIST(struct tp_frame_def) frames;
    unsigned char *frame_text;   // printed forms, see tp_tables_resolve
    uint32_t max_frame_text_bytes;
    struct tp_stack_texts stack_texts; // texts of whole stacks; put by any thread

    _Atomic uint32_t holds;
    // Called before the memory of the tables is freed, on the thread of the last release; may be
    // NULL.
    void (*on_free)(struct tp_tables *t, void *ctx);
    void *ctx;
};

// Creates empty tables. The caller gets one hold, to be released. NULL: out of memory.
struct tp_tables *tp_tables_create(uint64_t generation, uint32_t minor, size_t max_bytes) TP_MUST_USE;
// Takes one more hold, on any thread.
void tp_tables_hold(struct tp_tables *t);
// Releases a hold, on any thread; the last release frees the tables. NULL is fine.
void tp_tables_release(struct tp_tables *t);

// Adds a batch of any kind except events (x->batch_kind), in file order; `experiment` is the id of
// an experimental batch. Fails with TP_E_EVENT and the first line of Go's message if Go drops the
// generation, with TP_E_LIMIT, or with TP_E_MEMORY. Entries before the failure stay in the tables.
// With is_partial, unreadable bytes end only that batch, and an id that is defined twice keeps its
// first meaning.
int tp_tables_add(struct tp_tables *t, const struct tp_extent *x, unsigned experiment,
                  struct tp_span body, struct tp_error *err) TP_MUST_USE;

// Completes the tables; call once after the last batch. Checks that the required data and the
// strings of all frames are in the tables, converts the times of samples to nanoseconds, and sorts
// the samples. Fails as add does; with is_partial it cannot fail.
int tp_tables_finish(struct tp_tables *t, struct tp_error *err) TP_MUST_USE;

// Looks up the frames of all stacks by PC and prints each distinct frame ("\t" function " @ 0x" pc
// "\n\t\t" file ":" line "\n"). The first call does this; concurrent calls wait for it. A missing
// string of a frame is printed as "string#ID". Before the first call has returned, `frame_idx`,
// `frames` and `frame_text` must not be used. Any thread. Returns resolve_code.
int tp_tables_resolve_once(const struct tp_tables *t);

// Does the same as tp_tables_resolve_once, in a few instructions if the frames are resolved
// already.
TP_INLINE int tp_tables_resolve(const struct tp_tables *t)
{
    if (tp_likely(atomic_load_explicit(&t->is_resolved, memory_order_acquire)))
        return t->resolve_code;
    return tp_tables_resolve_once(t);
}

// Notes for the calling thread that a lookup returned no stack because there was no room for
// frames. The note belongs to the thread, not to the tables; otherwise it would depend on which
// thread came first.
void tp_tables_note_missed(void);
// Returns whether the calling thread has that note, and clears it. For the code that runs lookups.
bool tp_tables_take_missed(void);

// Returns the code with which resolving frames failed, with the reason in *err; 0 if it succeeded
// or was never tried.
int tp_tables_stacks_failure(const struct tp_tables *t, struct tp_error *err);

// Converts as tp_ticks_to_ns does, but with a factor that was computed once.
TP_INLINE int64_t tp_tables_ns(const struct tp_tables *t, uint64_t ticks)
{
    // Converting a signed number takes one instruction.
    double units = tp_likely(ticks <= INT64_MAX) ? (double)(int64_t)ticks : (double)ticks;
    return tp_truncate(units * t->ns_per_tick);
}

// Returns the index of the empty string for TP_STRING_UNKNOWN, and any other index as it is.
TP_INLINE uint32_t tp_string_or_empty(uint32_t idx)
{
    return idx != TP_STRING_UNKNOWN ? idx : TP_STRING_EMPTY;
}

// Returns the index of a string; TP_STRING_UNKNOWN if the tables have no such id.
TP_INLINE uint32_t tp_tables_string_idx(const struct tp_tables *t, uint64_t id)
{
    return id == 0 ? TP_STRING_EMPTY : tp_idmap_get(&t->string_ids, id);
}

// Returns whether the tables have a string with this id; true for 0, the empty string.
TP_INLINE bool tp_tables_has_string(const struct tp_tables *t, uint64_t id)
{
    return tp_likely(id <= t->complete_string_ids) ||
           tp_tables_string_idx(t, id) != TP_STRING_UNKNOWN;
}

// Returns whether the tables have the stack `id`; true for 0, which means no stack.
TP_INLINE bool tp_tables_has_stack(const struct tp_tables *t, uint64_t id)
{
    return tp_likely(id <= t->complete_stack_ids) || id == 0 ||
           tp_idmap_get(&t->stack_ids, id) != UINT32_MAX;
}

// Returns the text of all frames of a stack, borrowed from the tables; empty if it was not kept.
// Call after resolve.
TP_INLINE struct tp_span tp_tables_stack_text(const struct tp_tables *t, uint64_t id)
{
    uint32_t idx = tp_idmap_get(&t->stack_ids, id);
    return idx == UINT32_MAX ? tp_span_of(NULL, 0) : tp_stack_texts_find(&t->stack_texts, idx);
}

// Keeps a copy of a stack's text for the next event with that stack. Any thread.
void tp_tables_keep_stack_text(const struct tp_tables *t, const struct tp_stack_def *def,
                               struct tp_span text);

// Arguments that ordering adds to events, or changes. They are counted from 0, without the time.
//   ProcStatus       [1] status, promoted   [2] enum tp_state before
//   ProcStart        [3] 1: a status said that the P runs already: it goes from Running to Running
//   ProcSteal        [3] 1: the P was abandoned before: it goes from Idle to Idle
//   GoStatus(Stack)  [2] enum tp_state before << 32 | status
//   STWEnd           [0] string id of the kind
//   UserTaskBegin    [1] parent, TP_NO_TASK for none
//   UserTaskEnd      [2] parent   [3] index of the name, see below
//   UserRegionEnd    [3] 1: ends no region
//   CPUSample        [0] stack id
//   Sync             [0] number   [1] 1: begins a generation, with its tables

// Flag of a tp_name_ref (merge/order/order.h). If it is set, the other bits are an index in
// `carried`, otherwise in `strings`.
#define TP_NAME_CARRIED (UINT64_C(1) << 32)
// The name, which is empty, of a task that has ended before: the event ends no task.
#define TP_NAME_OF_STRAY (UINT64_C(1) << 33)

#endif
