// The tables of one generation: strings, stacks, CPU samples, clock, experimental
// data; they follow the rules, limits and messages of Go's full reader
// (internal/trace/generation.go).
//
//   add* ─▶ finish ─▶ constant, shared by all blocks of the generation ─▶ release
//
// Nothing is copied: strings and stacks point into the bodies of the batches, which must
// outlive the tables (`on_free` tells when they are freed), or into memory that the tables own.
// One thread builds them; after finish any thread may read. Frames are resolved when the first
// stack is looked up, because ordering alone never needs them.
//
// `max_bytes` bounds the memory of index and resolved frames; the bodies do not count.
//
// Two files build the tables: read.c reads strings, stacks and samples from the
// batches, frames.c resolves frames.
#ifndef TP_MERGE_TABLES_TABLES_H
#define TP_MERGE_TABLES_TABLES_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/err.h"
#include "base/idmap.h"
#include "base/span.h"
#include "base/truncate.h"
#include "decode/scan_v2.h"
#include "merge/tables/generation.h"
#include "merge/tables/stack_text.h"
#include "tracepipe/event.h"

struct tp_sample {
    int64_t time_ns;
    int64_t m;
    int64_t p;
    int64_t g;               // -1 for 0 on the wire
    uint64_t stack;          // id, not checked (Go does not either)
    uint64_t offset;         // of the event in the stream; only before Go 1.22
};

struct tp_stack_def {
    uint64_t id;
    const unsigned char *frames; // frame_count * (pc func file line), checked
    uint32_t first;          // sum of the frame counts before it
    uint16_t frame_count;
    uint16_t frames_bytes;
};

// A distinct PC; its first definition in file order wins.
struct tp_frame_def {
    uint64_t pc;
    uint64_t line;
    uint32_t function;       // indices of strings; TP_STRING_UNKNOWN in partial tables
    uint32_t file;
    uint32_t text_offset;    // of its printed form in frame_text
    uint32_t text_bytes;
};

// The runtime keeps 128 program counters of a stack and skips some, so it may have cut off a stack
// of this many frames or more: such a stack need not show where it began.
#define TP_WHOLE_STACK_FRAMES 120

#define TP_STRING_EMPTY 0            // index of the string with id 0
#define TP_STRING_UNKNOWN UINT32_MAX

// Readable bytes behind the last byte of frame_text, so that a copy of a frame may run past the
// frame's end.
#define TP_FRAME_TEXT_SLACK_BYTES 128

struct tp_tables {
    uint64_t generation;
    uint32_t minor;
    // True: the generation is not whole, so missing ids are no error.
    bool is_partial;
    bool has_frequency;
    bool has_clock;
    uint64_t frequency;      // clock units per second
    double ns_per_tick;      // 1.0 / (frequency / 1e9); 0 until there is one
    struct tp_clock_snapshot clock;

    struct tp_idmap string_ids;  // id to index; 0 is not in it
    struct tp_span *strings;     // [TP_STRING_EMPTY] is empty
    struct tp_own_bytes *own;    // owned memory of strings and stacks that lie in no batch
    size_t string_count;
    size_t string_capacity;
    uint64_t max_string_id;
    struct tp_idmap stack_ids;
    struct tp_stack_def *stacks;
    size_t stack_count;
    size_t stack_capacity;
    uint64_t frame_count;        // over all stacks
    uint64_t max_frame_string_id; // largest id of a function or file in frames
    uint32_t max_stack_frames;   // frames of the longest stack
    // All ids from 1 to this one are in the table; larger ids have to be looked up. Set by finish;
    // as the runtime writes tables, no larger ids exist.
    uint64_t complete_string_ids;
    uint64_t complete_stack_ids;
    struct tp_sample *samples;   // sorted as Go sorts them, after finish
    size_t sample_count;
    size_t sample_capacity;
    struct tp_experimental_batch *experimental; // in file order
    size_t experimental_count;
    size_t experimental_capacity;
    bool has_unknown_experiment; // Go's printer panics on it
    // The failure of tp_tables_add was a bare "EOF", which Go's reader takes for the
    // end of the trace: it stops there without an error.
    bool is_go_eof;

    // Names of tasks begun in earlier generations, for the ends in this one. Set
    // once before the first block is made; the array is owned, the bytes are not.
    struct tp_span *carried;
    size_t carried_count;

    size_t memory_bytes;
    size_t max_bytes;

    pthread_mutex_t resolve_mu;
    _Atomic bool is_resolved;
    int resolve_code;            // not 0 (TP_E_MEMORY, TP_E_LIMIT, TP_E_TOO_LARGE): no stacks
    uint32_t *frame_idx;         // for every frame of every stack: index in `frames`
    struct tp_frame_def *frames;
    size_t frame_def_count;
    unsigned char *frame_text;   // printed forms, see tp_tables_resolve
    uint32_t max_frame_text_bytes;
    struct tp_stack_texts stack_texts; // only of stacks whose frames are whole; any thread puts
    size_t resolved_bytes;       // memory of the five above; not in memory_bytes

    _Atomic uint32_t holds;
    void (*on_free)(struct tp_tables *t, void *ctx); // before the memory goes; may be NULL
    void *ctx;
};

// The caller gets one hold, to be released. NULL: out of memory.
struct tp_tables *tp_tables_create(uint64_t generation, uint32_t minor, size_t max_bytes) TP_MUST_USE;
void tp_tables_hold(struct tp_tables *t);
void tp_tables_release(struct tp_tables *t); // NULL is fine

// Adds a batch that is not of events (x->batch_kind), in file order; `experiment` is the id of an
// experimental batch. Fails with TP_E_EVENT and the first line of Go's message where Go gives the
// generation up; TP_E_LIMIT, TP_E_MEMORY. Entries before the place at fault stay in the tables.
// With is_partial unreadable bytes end only that batch, and an id that is defined twice keeps its
// first meaning.
int tp_tables_add(struct tp_tables *t, const struct tp_extent *x, unsigned experiment,
                  struct tp_span body, struct tp_error *err) TP_MUST_USE;

// Call once after the last batch: checks that required data and the strings of all frames are in
// the tables, converts the times of samples to nanoseconds and sorts them. Fails as add does; with
// is_partial it cannot fail.
int tp_tables_finish(struct tp_tables *t, struct tp_error *err) TP_MUST_USE;

// Looks up frames by PC and prints each distinct one ("\t" function " @ 0x" pc
// "\n\t\t" file ":" line "\n"); the first call does it, concurrent calls wait. A missing string
// of a frame prints as "string#ID". Before the first call has returned, `frame_idx`, `frames` and
// `frame_text` must not be touched. Returns resolve_code.
int tp_tables_resolve_once(const struct tp_tables *t);

TP_INLINE int tp_tables_resolve(const struct tp_tables *t)
{
    if (tp_likely(atomic_load_explicit(&t->is_resolved, memory_order_acquire)))
        return t->resolve_code;
    return tp_tables_resolve_once(t);
}

// A lookup that returns no stack because there was no room for frames sets a note of the calling
// thread; the code that runs the lookups takes the note, which clears it. The note is per thread,
// not per tables: otherwise it would depend on which thread came first.
void tp_tables_note_missed(void);
bool tp_tables_take_missed(void);

// The failure of resolving frames, with the reason in *err; 0 if it succeeded or was never tried.
int tp_tables_stacks_failure(const struct tp_tables *t, struct tp_error *err);

// As tp_ticks_to_ns, with the division done once.
TP_INLINE int64_t tp_tables_ns(const struct tp_tables *t, uint64_t ticks)
{
    // The conversion of signed numbers is one instruction.
    double units = tp_likely(ticks <= INT64_MAX) ? (double)(int64_t)ticks : (double)ticks;
    return tp_truncate(units * t->ns_per_tick);
}

// Index of a string; TP_STRING_UNKNOWN if the table has no such id.
TP_INLINE uint32_t tp_tables_string_idx(const struct tp_tables *t, uint64_t id)
{
    return id == 0 ? TP_STRING_EMPTY : tp_idmap_get(&t->string_ids, id);
}

TP_INLINE bool tp_tables_has_string(const struct tp_tables *t, uint64_t id)
{
    return tp_likely(id <= t->complete_string_ids) ||
           tp_tables_string_idx(t, id) != TP_STRING_UNKNOWN;
}

TP_INLINE bool tp_tables_has_stack(const struct tp_tables *t, uint64_t id)
{
    return tp_likely(id <= t->complete_stack_ids) || id == 0 ||
           tp_idmap_get(&t->stack_ids, id) != UINT32_MAX;
}

// The text of all frames of a stack; empty if it was not kept. Call after resolve.
TP_INLINE struct tp_span tp_tables_stack_text(const struct tp_tables *t, uint64_t id)
{
    uint32_t idx = tp_idmap_get(&t->stack_ids, id);
    return idx == UINT32_MAX ? tp_span_of(NULL, 0) : tp_stack_texts_find(&t->stack_texts, idx);
}

// Keeps a stack's text for the next event with that stack; any thread.
void tp_tables_keep_stack_text(const struct tp_tables *t, const struct tp_stack_def *def,
                               struct tp_span text);

// Arguments that ordering adds to events or changes. Arguments are counted from 0, without the
// time.
//   ProcStatus       [1] status, promoted   [2] enum tp_state before
//   ProcStart        [3] 1: a status had the P run already; it goes from Running to Running
//   ProcSteal        [3] 1: the P was given up before, and goes from Idle to Idle
//   GoStatus(Stack)  [2] enum tp_state before << 32 | status
//   STWEnd           [0] string id of the kind
//   UserTaskBegin    [1] parent, TP_NO_TASK for none
//   UserTaskEnd      [2] parent   [3] index of the name, see below
//   CPUSample        [0] stack id
//   Sync             [0] number   [1] 1: begins a generation, with its tables
#define TP_NAME_CARRIED (UINT64_C(1) << 32) // index in `carried`, else in `strings`

#endif
