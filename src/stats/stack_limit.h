// Records counts and times by stack, and decides which stacks the totals keep: those with the
// TP_TOTALS_STACKS_MAX smallest hashes. Which stacks are kept does not depend on the order and
// grouping in which traces are added: a stack whose hash is among the smallest of all is among the
// smallest of each part, from its first occurrence on, so nothing recorded under it is ever
// dropped. Counts and times of the other stacks go to groups of TP_SPACE_COARSE, by type and place
// (names/stack_places.h): no time is lost, only the frames other than the function of the place.
//
// tp_totals_put_stack gives a stack a number, which is valid until the totals are packed (pack.h).
// Whether the stack is kept is decided when something is first recorded under it. One thread at a
// time uses the totals.
#ifndef TP_STATS_STACK_LIMIT_H
#define TP_STATS_STACK_LIMIT_H

#include "base/intern.h"
#include "base/list.h"
#include "stats/figures/stack_sums.h"
#include "stats/names/frame_ids.h"

// Maximum number of stacks that totals keep.
#define TP_TOTALS_STACKS_MAX 65536
// Maximum number of frames of a stack: the runtime records no more. Further frames of an artificial
// stack, the outermost ones, are left out.
#define TP_TOTALS_FRAMES_MAX 128

// Labels of a stack. A stack with labels has a frame for each after its own frames, whose function is the
// text of the label; empty: it has none. So it is limited, merged and packed like any stack. X(LABEL, key)
#define TP_STACK_LABELS(X)                                                                    \
    X(TRACE, "trace")             /* the path of the input */                           \
    X(FUNCTION, "start function")                                                       \
    X(TASK, "task")                                                                     \
    X(REGION, "region")
enum tp_stack_label {
#define TP_X(label, key) TP_STACK_LABEL_##label,
    TP_STACK_LABELS(TP_X)
#undef TP_X
    TP_STACK_LABEL_COUNT
};

// A stack. The hash is computed from the contents of the frames, not from their numbers.
struct tp_totals_stack {
    uint64_t hash;
    uint32_t first_frame; // index in `frames` of struct tp_totals_stacks
    uint16_t depth;       // number of frames
    bool is_kept;
};

// All stacks, by number. Owns its memory, which tp_totals_stacks_fini frees.
struct tp_totals_stacks {
    TP_LIST(struct tp_totals_stack) of;     // by number of the stack
    TP_LIST(uint32_t) frames;               // numbers, stack after stack, innermost frame first
    struct tp_index index;                  // finds a stack by its hash
    TP_LIST(uint32_t) heap;                 // the kept stacks; the one with the greatest hash first
    uint32_t label_count;                   // of each stack under which anything is recorded
};

struct tp_totals;

// Frees the memory; the struct is then empty. Accepts a zeroed struct.
void tp_totals_stacks_fini(struct tp_totals_stacks *stacks);
// Returns the bytes of memory in use.
size_t tp_totals_stacks_bytes(const struct tp_totals_stacks *stacks);
// Drops each stack i for which numbers[i] is TP_INTERN_NONE, renumbers the others without gaps in
// their old order, and writes the new number of stack i to numbers[i]. frames[n] is the new number
// of frame n, for each used frame. Cannot fail.
void tp_totals_stacks_pack(struct tp_totals_stacks *stacks, uint32_t *numbers,
                           const uint32_t *frames);

// Returns the number of frames of a stack, and sets *ret_frames to the numbers of the frames,
// innermost first, borrowed until the next tp_totals_put_stack or packing; to NULL if the stack has
// no frames.
TP_INLINE size_t tp_totals_stack_frames(const struct tp_totals_stacks *stacks, uint32_t stack,
                                        const uint32_t **ret_frames)
{
    const struct tp_totals_stack *of = &stacks->of.items[stack];
    *ret_frames = of->depth > 0 ? stacks->frames.items + of->first_frame : NULL;
    return of->depth;
}

// Returns the number of the stack that most likely has this hash, and prefetches the stack;
// TP_INTERN_NONE if no stack has this hash.
TP_INLINE uint32_t tp_totals_stacks_prefetch(const struct tp_totals_stacks *stacks, uint64_t hash)
{
    uint32_t number = tp_index_guess(&stacks->index, hash);
    if (number != TP_INTERN_NONE)
        __builtin_prefetch(&stacks->of.items[number]);
    return number;
}

// HASHES

// Returns the hash of a frame, computed from its contents.
uint64_t tp_totals_frame_hash(struct tp_span function, struct tp_span file, uint64_t line,
                              uint64_t pc);
// Returns the hash of a stack extended by one frame. Call it for each frame from the innermost on,
// first with hash 0, and then tp_totals_stack_hash_end.
TP_INLINE uint64_t tp_totals_stack_hash(uint64_t hash, uint64_t frame_hash)
{
    return (hash ^ frame_hash) * UINT64_C(0x9e3779b97f4a7c15) + (hash >> 32);
}
// Returns the complete hash of a stack, from the hash after its last frame.
uint64_t tp_totals_stack_hash_end(uint64_t hash);

// NUMBERS. TP_INTERN_NONE: out of memory, and no stack was added.

// Returns the number of a stack, adding the stack if it is new. `frames` are numbers of s->frames,
// innermost first, at most TP_TOTALS_FRAMES_MAX and labels, and are copied; `hash` is the complete hash.
uint32_t tp_totals_put_stack(struct tp_totals *s, const uint32_t *frames, size_t count,
                             uint64_t hash) TP_MUST_USE;
// Does the same as tp_totals_put_stack, but computes the hash.
uint32_t tp_totals_add_stack(struct tp_totals *s, const uint32_t *frames, size_t count) TP_MUST_USE;

// RECORDING. False: out of memory; then only tp_totals_fini may follow.

// Records a count and time under the stack with this number, or under its place if the totals do
// not keep the stack. `type` is an enum tp_stack_type, here and below.
bool tp_totals_record_stack(struct tp_totals *s, uint32_t stack, unsigned type, uint64_t count,
                            tp_wide total_ns) TP_MUST_USE;
// Returns the greatest hash of the kept stacks, of which there must be at least one.
TP_INLINE uint64_t tp_totals_stacks_greatest_hash(const struct tp_totals_stacks *stacks)
{
    return stacks->of.items[stacks->heap.items[0]].hash;
}
// Whether a stack with this hash can never be kept from now on; such a stack needs no number.
TP_INLINE bool tp_totals_stacks_leave_out(const struct tp_totals_stacks *stacks, uint64_t hash)
{
    return stacks->heap.count >= TP_TOTALS_STACKS_MAX &&
           hash > tp_totals_stacks_greatest_hash(stacks);
}
// Records, under its place, the count and time of a stack that the totals do not keep. The place is
// given by `function` and by whether the stack waits for a lock. Copies the text.
bool tp_totals_record_place(struct tp_totals *s, unsigned type, bool is_lock,
                            struct tp_span function, uint64_t count, tp_wide total_ns) TP_MUST_USE;
// Does the same as tp_totals_record_place, but finds the place of a stack of the totals `of`, which
// may be `s` itself.
bool tp_totals_record_place_of(struct tp_totals *s, const struct tp_totals *of, uint32_t stack,
                               unsigned type, uint64_t count, tp_wide total_ns) TP_MUST_USE;
// Returns the function of a stack's place, a number of s->names, and sets *ret_is_lock to whether
// the stack waits for a lock. TP_INTERN_NONE: the stack has no frames. Cannot fail.
uint32_t tp_totals_place_of(const struct tp_totals *s, uint32_t stack, unsigned type,
                            bool *ret_is_lock);

// Compares two frames, given by number, by their contents: function, file, line, PC. Returns a
// value below 0, 0, or above 0.
int tp_totals_compare_frames(const struct tp_totals *s, uint32_t left, uint32_t right);

// Compares two stacks, given by number, by the contents of their frames, innermost first. Returns a
// value below 0, 0, or above 0.
int tp_totals_compare_stacks(const struct tp_totals *s, uint32_t left, uint32_t right);

// Returns the measure that stacks of this type have in groups of TP_SPACE_COARSE. `is_lock`: the
// stacks wait for a lock. The two functions below return `type` and `is_lock` of a measure.
TP_INLINE uint32_t tp_coarse_measure(unsigned type, bool is_lock)
{
    return 2 * type + is_lock;
}
TP_INLINE unsigned tp_coarse_type(uint32_t measure)
{
    return measure / 2;
}
TP_INLINE bool tp_coarse_is_lock(uint32_t measure)
{
    return measure % 2 != 0;
}

// Returns an estimate of how many stacks are not kept: the more stacks there are, the closer
// together lie the smallest hashes. The estimate follows from the hashes of the kept stacks, so it
// does not depend on order and grouping either.
uint64_t tp_totals_stacks_left_out(const struct tp_totals_stacks *stacks);

#endif
