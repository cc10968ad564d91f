// Records durations by a pair of stacks, and decides which pairs the totals keep: in each space of
// pairs those with the TP_TOTALS_PAIRS_MAX smallest hashes. Which pairs are kept does not depend on
// the order and grouping in which traces are added, for the same reason as with stacks
// (stack_limit.h). Durations of all other pairs go to the group TP_TOTALS_OTHERS of their space.
//
// The spaces of pairs are TP_SPACE_WAKE and TP_SPACE_EVIDENCE; the names of their groups are
// numbers of pairs. Groups of TP_SPACE_WAKE have measures of blocking, and TP_WAKE_BLAMED. A pair
// keeps its stacks in the totals, whether or not anything else is recorded under them.
// tp_totals_put_pair gives a pair a number, which is valid until the totals are packed
// (pack.h). One thread at a time uses the totals.
#ifndef TP_STATS_PAIR_LIMIT_H
#define TP_STATS_PAIR_LIMIT_H

#include "base/index.h"
#include "base/intern.h"
#include "base/list.h"
#include "stats/figures/durations.h"

// Maximum number of pairs that a space of the totals keeps.
#define TP_TOTALS_PAIRS_MAX 4096

// The spaces of pairs. X(SPACE)
#define TP_PAIR_SPACES(X) X(WAKE) X(EVIDENCE)
enum tp_pair_space {
#define TP_X(space) TP_PAIR_##space,
    TP_PAIR_SPACES(TP_X)
#undef TP_X
    TP_PAIR_SPACE_COUNT
};

// Two stacks, each a number of tp_totals.stacks; TP_INTERN_NONE: there is none. TP_SPACE_WAKE has
// the waits of stack type TP_STACK_SYNC that began and ended in the trace: `left` is the stack at
// which a goroutine waited, and `right` that of the event which ended the wait; an event without a
// stack has the empty stack. The hash is computed from the hashes of the
// stacks.
struct tp_totals_pair {
    uint64_t hash;
    uint32_t left, right;
    uint8_t kept_in;     // bit i is set if the space i of enum tp_pair_space keeps the pair
    uint32_t group;      // likely index of a group of the pair in the durations of the totals
};

// All pairs, by number. Owns its memory, which tp_totals_pairs_fini frees.
struct tp_totals_pairs {
    TP_LIST(struct tp_totals_pair) of;
    struct tp_index index; // finds a pair by its hash
    // By space: the kept pairs; the one with the greatest hash first.
    struct tp_totals_pair_heap {
        TP_LIST(uint32_t);
    } heaps[TP_PAIR_SPACE_COUNT];
    uint32_t others[TP_PAIR_SPACE_COUNT]; // likely indices of the groups TP_TOTALS_OTHERS
};

// The measure in TP_SPACE_WAKE of the time for which the waker is to blame: the count and sum of the
// parts of waits for a lock or a channel (tp_has_waker), at most the count and sum of all waits of
// the pair. In place of the measure of running, which waits do not have.
#define TP_WAKE_BLAMED TP_MEASURE_RUN

struct tp_totals;

// Whether the names of the groups in this space are numbers of pairs.
TP_INLINE bool tp_is_space_of_pairs(enum tp_durations_space space)
{
    return space == TP_SPACE_WAKE || space == TP_SPACE_EVIDENCE;
}

// Frees the memory; the struct is then empty. Accepts a zeroed struct.
void tp_totals_pairs_fini(struct tp_totals_pairs *pairs);
// Returns the bytes of memory in use.
size_t tp_totals_pairs_bytes(const struct tp_totals_pairs *pairs);
// Drops each pair i for which numbers[i] is TP_INTERN_NONE, renumbers the others without gaps in
// their old order, and writes the new number of pair i to numbers[i]. stacks[n] is the new number
// of stack n, for each stack of a pair that stays. Cannot fail.
void tp_totals_pairs_pack(struct tp_totals_pairs *pairs, uint32_t *numbers, const uint32_t *stacks);

// Returns the number of the pair of these stacks, which is added if it is new. TP_INTERN_NONE: out
// of memory, and no pair was added.
uint32_t tp_totals_put_pair(struct tp_totals *s, uint32_t left, uint32_t right) TP_MUST_USE;

// Does the same if the space may keep the pair, and else returns TP_TOTALS_OTHERS: durations of a
// pair that the space can never keep from now on need no number. Use the number at once in this
// space.
uint32_t tp_totals_seek_pair(struct tp_totals *s, enum tp_durations_space space, uint32_t left,
                             uint32_t right) TP_MUST_USE;

// In the functions below, the number of a pair may also be TP_TOTALS_OTHERS.
//
// Sets *pair, the number of a pair, to the name under which the space records its durations:
// leaves it, and keeps the pair, or sets it to TP_TOTALS_OTHERS if the limit does not allow that.
// Use the name at once: the next call may change which pairs are kept. False: out of memory; then
// only tp_totals_fini may follow.
bool tp_totals_pair_name(struct tp_totals *s, enum tp_durations_space space,
                         uint32_t *pair) TP_MUST_USE;

// Records a duration, as tp_durations_record does, under a pair or, if the limit does not allow
// that, under TP_TOTALS_OTHERS. `pair` is its number. False: out of memory; then only
// tp_totals_fini may follow.
bool tp_totals_record_pair(struct tp_totals *s, enum tp_durations_space space, uint32_t pair,
                           uint32_t measure, uint64_t ns, uint64_t at) TP_MUST_USE;
// The waits of a pair for one reason, and the time for which the waker is to blame.
struct tp_totals_waits {
    const struct tp_dist *dist; // borrowed; NULL: there is one wait, of one_ns, which began at one_at
    uint64_t one_ns, one_at;
    tp_wide blamed_ns;
};
// Does the same for waits in TP_SPACE_WAKE, with the blame for them.
bool tp_totals_add_waits(struct tp_totals *s, uint32_t pair, uint32_t measure,
                         const struct tp_totals_waits *waits) TP_MUST_USE;
// Does the same for `count` durations of which only the sum is known.
bool tp_totals_record_pair_sum(struct tp_totals *s, enum tp_durations_space space, uint32_t pair,
                               uint32_t measure, uint64_t count, tp_wide total_ns) TP_MUST_USE;

// Drops everything recorded in TP_SPACE_EVIDENCE. Cannot fail.
void tp_totals_drop_evidence(struct tp_totals *s);

// Compares two pairs by the contents of their stacks, `left` first. Returns a value below 0, 0, or
// above 0.
int tp_totals_compare_pairs(const struct tp_totals *s, uint32_t a, uint32_t b);

#endif
