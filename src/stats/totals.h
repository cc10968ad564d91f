// Holds the result of `stats:level=full` for one or more inputs: totals by name and by stack.
// Totals add up exactly, in any order and grouping, so the totals of a run do not depend on how the
// inputs were cut, read or grouped.
//
// One thread at a time uses totals; zeroed totals are empty. Functions fail only for lack of
// memory (TP_E_MEMORY). After a failure only tp_totals_fini may follow, unless the function says
// otherwise.
#ifndef TP_STATS_TOTALS_H
#define TP_STATS_TOTALS_H

#include "base/err.h"
#include "base/intern.h"
#include "base/list.h"
#include "base/map.h"
#include "base/wide.h"
#include "stats/history/history.h"
#include "stats/figures/durations.h"
#include "stats/figures/timeline.h"
#include "stats/figures/wall_timeline.h"
#include "stats/file_rows.h"
#include "stats/found.h"
#include "stats/gc/utilisation.h"
#include "stats/pair_limit.h"
#include "stats/slowest.h"
#include "stats/stack_limit.h"
#include "stats/taken.h"
#include "stats/top_goroutines.h"

// Counts that add up over inputs; `key` is the name of the count in reports. X(field, key)
#define TP_TOTALS_COUNTS(X)                                                                        \
    X(file_count, "trace_count")                                                                   \
    X(damaged_count, "damaged_count") /* damaged, events not ordered, or an early end */           \
    X(refused_count, "refused_count") /* no trace, or unreadable */                                \
    X(stored_bytes, "stored_bytes")                                                                \
    X(stream_bytes, "stream_bytes")                                                                \
    X(lost_bytes, "lost_bytes")                                                                    \
    X(event_count, "events") /* ordered events, including Sync */

// Programs can use any number of names, for example one for each task. So in each space of the
// durations the totals keep only the names with the TP_TOTALS_NAMES_MAX smallest hashes, and join
// all others in one group. Which names are kept does not depend on order and grouping: a name whose
// hash is among the smallest of all is among the smallest of each part, from its first occurrence
// on. Names of the goroutines that collect garbage (collector_name.h) are kept in addition, because
// other figures depend on them.
#define TP_TOTALS_NAMES_MAX 4096
// Maximum number of reasons of blocking. The runtime has approximately fifty, so an input with more
// is refused, and so is one whose reasons are too many with those of the inputs before it.
#define TP_TOTALS_REASONS_MAX 256
#define TP_TOTALS_OTHERS (UINT32_MAX - 1) // for a name's number: the names not kept
// The names that a space keeps within its limit.
struct tp_totals_kept {
    TP_LIST(struct tp_totals_kept_name {
        uint64_t hash;
        uint32_t name;
    });                      // a heap: the first item has the greatest hash
};

// Sizes of the tables when the totals were last packed.
struct tp_totals_packed {
    uint32_t name_count;
    uint32_t frame_count;
    uint32_t stack_count;
    uint32_t pair_count;
    uint32_t group_count;
};

// The totals of one input, or of a run. Owns everything that it points to; tp_totals_fini frees it.
struct tp_totals {
    // Counts and times of the inputs.
#define TP_X(field, key) uint64_t field;
    TP_TOTALS_COUNTS(TP_X)
#undef TP_X
    tp_wide duration_ns; // sum of the times from the first event of an input to its last
    struct tp_taken taken; // by the wall clock, from the first event to the last
    // Bytes of generations, or of their rests, whose events could not be put in order, and of their
    // tables if none could, as far as known. No other member counts these events.
    uint64_t unordered_bytes;
    // Events that contradict others and were believed, because a fault of the tracer explains them.
    uint64_t doubt_count;
    // CPU samples, and the sum of the times from the first one of an input to its last.
    uint64_t sample_count;
    tp_wide sample_span_ns;
    // The names of the durations below, and all texts (a function, a file, a path) to which other
    // members refer: by their numbers in `names`.
    struct tp_intern names;
    // Durations by name.
    struct tp_intern reasons;        // of blocking; numbers are measure - TP_MEASURE_FIRST_BLOCK
    // Names are numbers of `names`, in spaces of pairs numbers of `pairs`, or TP_TOTALS_OTHERS.
    struct tp_durations durations;
    struct tp_totals_kept kept[TP_SPACES];
    // By number of name: bit `space` is set if that space of the durations keeps the name. No space
    // keeps a name whose number is past the end.
    TP_LIST(uint16_t) kept_in;
    // Waits and CPU samples by stack. Normally no frame has a PC, so that the stacks of different
    // builds of a program are equal; with the option pc=yes the frames have the PCs of their traces.
    struct tp_totals_frames frames;
    struct tp_totals_stacks stacks;  // their frames are numbers of `frames`
    struct tp_stack_counts by_stack; // by number of `stacks` and enum tp_stack_type
    struct tp_totals_pairs pairs;    // their stacks are numbers of `stacks`
    // Inputs one by one, in no particular order.
    TP_LIST(struct tp_file_row) files;
    TP_LIST(struct tp_refused_row) refused;
    TP_LIST(struct tp_found) found;           // in these inputs, in no particular order
    // Goroutines one by one, levels over time, and mutator utilisation.
    struct tp_top_goroutines gs;
    struct tp_slowest slow;
    struct tp_timeline timeline;
    struct tp_wall_timeline wall_timeline;
    struct tp_utilisation utilisation;
    struct tp_history *history;// owned; NULL: not gathered, as of states
    struct tp_totals_packed packed;
    // Totals of the inputs whose clock is in doubt (merge/tables/clock_doubt.h). The members above
    // leave these inputs out, so that a report can include them or not. In these totals `doubtful`
    // is NULL. Owned; NULL: no such inputs.
    struct tp_totals *doubtful;
};

// Returns the text of a number of s->names, borrowed as by tp_intern_text; of TP_INTERN_NONE the empty
// text.
TP_INLINE struct tp_span tp_totals_text(const struct tp_totals *s, uint32_t name)
{
    return name != TP_INTERN_NONE ? tp_intern_text(&s->names, name) : tp_span_of("", 0);
}

// Compares the texts of two such numbers.
TP_INLINE int tp_totals_compare_texts(const struct tp_totals *s, uint32_t a, uint32_t b)
{
    return a == b ? 0 : tp_span_compare(tp_totals_text(s, a), tp_totals_text(s, b));
}

// Frees all memory, including `doubtful`; accepts zeroed or half-built totals. They are then empty.
void tp_totals_fini(struct tp_totals *s);
// Returns the approximate memory, in bytes, of the lists that grow with the input.
size_t tp_totals_bytes(const struct tp_totals *s);
// Fails with TP_E_LIMIT: the totals of an input, beside those of others, take too much memory.
int tp_totals_outgrow(struct tp_error *err);
// Fails with TP_E_TOO_LARGE: there are more than TP_TOTALS_REASONS_MAX reasons.
int tp_totals_fail_reasons(struct tp_error *err);
// Adds copies of all totals of `from` to `into`. `from` does not change. After a failure only
// tp_totals_fini may be called on `into`.
int tp_totals_merge(struct tp_totals *into, const struct tp_totals *from,
                    struct tp_error *err) TP_MUST_USE;
// Does the same as tp_totals_merge, but removes the PCs of all frames, also in `doubtful`. Stacks
// that differ only in their PCs become one.
int tp_totals_merge_without_pcs(struct tp_totals *into, const struct tp_totals *from,
                                struct tp_error *err) TP_MUST_USE;
// Does the same as tp_totals_merge, but takes the memory of `from` without a copy if `into` is
// empty, and otherwise frees the durations of `from` early. Afterwards, also after a failure, only
// tp_totals_fini may be called on `from`. Fails with TP_E_TOO_LARGE, too, and changes nothing then:
// there would be more than TP_TOTALS_REASONS_MAX reasons.
int tp_totals_move(struct tp_totals *into, struct tp_totals *from,
                   struct tp_error *err) TP_MUST_USE;
// Returns how many bytes of names tp_totals_move would copy.
size_t tp_totals_copied_bytes(const struct tp_totals *into, const struct tp_totals *from);

// Whether the space keeps only a limited number of names.
TP_INLINE bool tp_totals_is_limited(enum tp_durations_space space)
{
    return space != TP_SPACE_UNNAMED;
}

// Whether the space keeps this name beyond its limit, because it belongs to the garbage collector.
bool tp_totals_always_keeps(enum tp_durations_space space, struct tp_span text);

// Turns all times of longest durations and worst instances of the only input in these totals, which
// are on the clock of its trace, into moments (figures/moment.h), and sets the beginning in its row.
// Call it once, when the findings were judged. Cannot fail.
void tp_totals_place_moments(struct tp_totals *s, const struct tp_trace_zero *zero);
// Moves the totals of one input as a whole to a new `doubtful`; the other members are then empty.
// Must not be called twice. False: no memory, and nothing has changed.
bool tp_totals_set_doubtful(struct tp_totals *s) TP_MUST_USE;

// Sets *ret_name to the number under which to record durations of the name `text`: to
// TP_TOTALS_OTHERS if the limit of the space does not allow keeping the name, else to the name's
// number; the name is then added, with a copy of the text, and kept. Use the number at once: the
// next call may change which names are kept. False: no memory.
bool tp_totals_name(struct tp_totals *s, enum tp_durations_space space, struct tp_span text,
                    uint32_t *ret_name) TP_MUST_USE;
// Does the same as tp_totals_name for a name that s->names has already. Before the call *name is
// the name's number in s->names; after the call it is the result.
bool tp_totals_known_name(struct tp_totals *s, enum tp_durations_space space,
                          uint32_t *name) TP_MUST_USE;
// Sets whether the space keeps the name, in `kept_in` only. False: no memory, and nothing has
// changed; this cannot happen for a name that any space has kept before.
bool tp_totals_set_kept(struct tp_totals *s, enum tp_durations_space space, uint32_t name,
                        bool is_kept) TP_MUST_USE;
// Moves the durations that the space has recorded under the name, or pair, to TP_TOTALS_OTHERS. False: no
// memory.
bool tp_totals_give_up(struct tp_totals *s, enum tp_durations_space space,
                       uint32_t name) TP_MUST_USE;
// Whether the space keeps the name with this number.
TP_INLINE bool tp_totals_keeps(const struct tp_totals *s, enum tp_durations_space space,
                               uint32_t name)
{
    return name < s->kept_in.count && (s->kept_in.items[name] >> space & 1) != 0;
}

// Returns the text of the name of a group of s->durations, which must not be in a space of pairs;
// "(others)" for TP_TOTALS_OTHERS. Borrowed from the totals until they change.
struct tp_span tp_totals_group_name(const struct tp_totals *s, const struct tp_durations_group *g);

#endif
