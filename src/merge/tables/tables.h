// The tables of one generation: strings, stacks, CPU samples, clock, experimental
// data; with the rules, limits and messages of Go's full reader
// (internal/trace/generation.go).
//
//   add* ─▶ finish ─▶ constant, shared by all blocks of the generation ─▶ release
//
// Nothing is copied: strings and stacks point into the bodies of the batches,
// which must outlive the tables (`on_free` tells when that is), or into memory of theirs. Built by one
// thread; after finish any thread may read. Frames are resolved when the first
// stack is looked at, because ordering alone never does.
//
// Memory is bounded by `max_bytes` (index and resolved frames, not the bodies).
//
// Two files build them: read.c takes strings, stacks and samples out of the
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

// Stacks of so many frames may have been cut off by the runtime, which keeps 128 program
// counters and skips some: where they began is not to be seen.
#define TP_WHOLE_STACK_FRAMES 120

#define TP_STRING_EMPTY 0            // index of the string with id 0
#define TP_STRING_UNKNOWN UINT32_MAX

// Behind the last byte of frame_text as many more may be read, so that copies of
// frames need not end where the frame does.
#define TP_FRAME_TEXT_SLACK_BYTES 128

struct tp_tables {
    uint64_t generation;
    uint32_t minor;
    // Of a generation that is not whole: ids that are missing are no error.
    bool is_partial;
    bool has_frequency;
    bool has_clock;
    uint64_t frequency;      // clock units per second
    double ns_per_tick;      // 1.0 / (frequency / 1e9); 0 until there is one
    struct tp_clock_snapshot clock;

    struct tp_idmap string_ids;  // id to index; 0 is not in it
    struct tp_span *strings;     // [TP_STRING_EMPTY] is empty
    struct tp_own_bytes *own;    // what strings and stacks point into beside batches
    size_t string_count;
    size_t string_capacity;
    uint64_t max_string_id;
    struct tp_idmap stack_ids;
    struct tp_stack_def *stacks;
    size_t stack_count;
    size_t stack_capacity;
    uint64_t frame_count;        // over all stacks
    uint64_t max_frame_string_id; // of all functions and files in frames
    uint32_t max_stack_frames;   // frames of the longest stack
    // All ids from 1 to here are in the table; what lies above has to be looked up.
    // After finish; as the runtime writes tables, that is all of them.
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
    int resolve_code;            // TP_E_MEMORY, TP_E_LIMIT, TP_E_TOO_LARGE: no stack is known
    uint32_t *frame_idx;         // for every frame of every stack: index in `frames`
    struct tp_frame_def *frames;
    size_t frame_def_count;
    unsigned char *frame_text;   // printed forms, see tp_tables_resolve
    uint32_t max_frame_text_bytes;
    struct tp_stack_texts stack_texts; // of stacks whose frames are whole: any thread puts
    size_t resolved_bytes;       // memory of the five above; not in memory_bytes

    _Atomic uint32_t holds;
    void (*on_free)(struct tp_tables *t, void *ctx); // before the memory goes; may be NULL
    void *ctx;
};

// One hold. NULL: out of memory.
struct tp_tables *tp_tables_create(uint64_t generation, uint32_t minor, size_t max_bytes) TP_MUST_USE;
void tp_tables_hold(struct tp_tables *t);
void tp_tables_release(struct tp_tables *t); // NULL is fine

// Takes a batch that is not of events (x->batch_kind), in file order; `experiment`
// is that of experimental ones. Fails with TP_E_EVENT and the first line of Go's
// words where Go gives the generation up; TP_E_LIMIT, TP_E_MEMORY. What came
// before the place at fault is in the tables then. With is_partial what cannot be
// read ends that batch and no more, and an id that is there already keeps its first
// meaning.
int tp_tables_add(struct tp_tables *t, const struct tp_extent *x, unsigned experiment,
                  struct tp_span body, struct tp_error *err) TP_MUST_USE;

// After the last batch, once: what must be there is there, every frame names
// strings that are, samples are in nanoseconds and sorted. Same failures; with
// is_partial it cannot fail.
int tp_tables_finish(struct tp_tables *t, struct tp_error *err) TP_MUST_USE;

// Looks up frames by PC and prints each distinct one ("\t" function " @ 0x" pc
// "\n\t\t" file ":" line "\n"); the first call does it, the others wait. Frames of
// strings that are missing print "string#ID". Until then `frame_idx`, `frames` and
// `frame_text` must not be touched. Returns resolve_code.
int tp_tables_resolve_once(const struct tp_tables *t);

TP_INLINE int tp_tables_resolve(const struct tp_tables *t)
{
    if (tp_likely(atomic_load_explicit(&t->is_resolved, memory_order_acquire)))
        return t->resolve_code;
    return tp_tables_resolve_once(t);
}

// Who asks for a stack and gets none, because there was no room for frames, notes it for its
// thread; whoever had it work asks for the note, and takes it away. What somebody else has met
// at the same tables is not in it: that would depend on who was first.
void tp_tables_note_missed(void);
bool tp_tables_take_missed(void);

// If somebody has looked up frames and could not, why; else 0.
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
    return id == 0 ? TP_STRING_EMPTY : tp_idmap_get(&t->string_ids, id, TP_STRING_UNKNOWN);
}

TP_INLINE bool tp_tables_has_string(const struct tp_tables *t, uint64_t id)
{
    return tp_likely(id <= t->complete_string_ids) ||
           tp_tables_string_idx(t, id) != TP_STRING_UNKNOWN;
}

TP_INLINE bool tp_tables_has_stack(const struct tp_tables *t, uint64_t id)
{
    return tp_likely(id <= t->complete_stack_ids) || id == 0 ||
           tp_idmap_get(&t->stack_ids, id, UINT32_MAX) != UINT32_MAX;
}

// The text of all frames of a stack, if it was kept: else empty. After resolve.
TP_INLINE struct tp_span tp_tables_stack_text(const struct tp_tables *t, uint64_t id)
{
    uint32_t idx = tp_idmap_get(&t->stack_ids, id, UINT32_MAX);
    return idx == UINT32_MAX ? tp_span_of(NULL, 0) : tp_stack_texts_find(&t->stack_texts, idx);
}

// Keeps it for the next event that has the stack; any thread.
void tp_tables_keep_stack_text(const struct tp_tables *t, const struct tp_stack_def *def,
                               struct tp_span text);

// What ordering puts into the arguments of events, beyond the wire's. Arguments
// are counted without the time.
//   ProcStatus       [1] status, promoted   [2] enum tp_state before
//   ProcStart        [3] 1: the P was said to run before, and goes from Running to Running
//   ProcSteal        [3] 1: the P was given up before, and goes from Idle to Idle
//   GoStatus(Stack)  [2] enum tp_state before << 32 | status
//   STWEnd           [0] string id of the kind
//   UserTaskBegin    [1] parent, TP_NO_TASK for none
//   UserTaskEnd      [2] parent   [3] index of the name, see below
//   CPUSample        [0] stack id
//   Sync             [0] number   [1] 1: begins a generation, with its tables
#define TP_NAME_CARRIED (UINT64_C(1) << 32) // index in `carried`, else in `strings`

#endif
