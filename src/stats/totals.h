// The result of `stats:level=full` for one or more inputs: totals by name and by stack. They
// add up exactly, in any order and grouping, so the totals of a run do not depend on how the
// inputs were cut, read or grouped.
//
// Not thread-safe; a zeroed struct is empty. Failures are TP_E_MEMORY.
#ifndef TP_STATS_TOTALS_H
#define TP_STATS_TOTALS_H

#include "base/err.h"
#include "base/intern.h"
#include "base/list.h"
#include "base/map.h"
#include "base/wide.h"
#include "stats/durations.h"
#include "stats/file_rows.h"
#include "stats/gc/utilisation.h"
#include "stats/stack_limit.h"
#include "stats/timeline.h"
#include "stats/top_goroutines.h"

// Counts that add up over files; `key` is their name in state files. X(field, key)
#define TP_TOTALS_COUNTS(X)                                                             \
    X(file_count, "files")                                                              \
    X(damaged_count, "damaged")       /* not read to their end without damage */        \
    X(refused_count, "refused")       /* no traces, or none that could be read */       \
    X(stored_bytes, "stored_bytes")                                                     \
    X(stream_bytes, "stream_bytes")                                                     \
    X(lost_bytes, "lost_bytes")                                                         \
    X(event_count, "events")          /* ordered ones, Sync events too */
// Times that add up over files, in nanoseconds; keys as above. X(field, key)
#define TP_TOTALS_TIMES(X)                                                              \
    X(duration_ns, "duration_ns")     /* first to last event */

// Programs can use any number of names, for example one for each task. In each space of the
// durations the totals keep the names with the TP_TOTALS_NAMES_MAX smallest hashes, and join all
// others. The kept names do not depend on order and grouping: a name that is among the smallest of
// all is among the smallest of each part, from its first occurrence on. Names of the runtime's
// goroutines that collect garbage are kept in addition, because other figures depend on them.
#define TP_TOTALS_NAMES_MAX 4096
#define TP_TOTALS_OTHERS (UINT32_MAX - 1) // in place of a name's number: all names not kept
// The names that a space keeps, except those of the runtime's collector.
struct tp_totals_kept {
    TP_LIST(struct tp_totals_kept_name {
        uint64_t hash;
        uint32_t name;
    }) heap;                 // the greatest hash first
};

// Sizes of the tables when the totals were last packed.
struct tp_totals_packed {
    uint32_t name_count;
    uint32_t frame_count;
    uint32_t stack_count;
    uint32_t group_count;
};

// The totals of one input, or of a run. Owns everything that it points to.
struct tp_totals {
    bool is_unlimited; // read from a state without limits: everything is kept as written
    // Counts and times of the files.
#define TP_X(field, key) uint64_t field;
    TP_TOTALS_COUNTS(TP_X)
#undef TP_X
#define TP_X(field, key) tp_wide field;
    TP_TOTALS_TIMES(TP_X)
#undef TP_X
    uint64_t doubt_count; // events believed against others, because of a fault of the tracer
    // Durations by name. Functions, files and paths elsewhere are numbers of `names`, too.
    struct tp_intern names;
    struct tp_intern reasons;        // of blocking: measure - TP_MEASURE_FIRST_BLOCK
    struct tp_durations durations;   // names are numbers of `names`, or TP_TOTALS_OTHERS
    struct tp_totals_kept kept[TP_SPACES];
    TP_LIST(uint16_t) kept_in; // by name: bit `space` set if that space keeps it; 0 past the end
    // Waits and CPU samples by stack.
    struct tp_totals_frames frames;
    struct tp_totals_stacks stacks;  // their frames are numbers of `frames`
    struct tp_stack_counts by_stack; // by number of `stacks`, and enum tp_stack_type
    // Inputs one by one, in no particular order.
    TP_LIST(struct tp_file_row) files;
    TP_LIST(struct tp_refused_row) refused; // states of version 1 have none
    // Goroutines one by one, levels over time, and mutator utilisation.
    struct tp_top_goroutines gs;
    struct tp_timeline timeline;
    struct tp_utilisation utilisation;
    struct tp_totals_packed packed;
    // Totals of the files whose clock is in doubt (merge/tables/clock_doubt.h). The totals
    // above leave these files out, so that they can be reported with them or without. Their
    // own `doubtful` is NULL. Owned; NULL: no such files.
    struct tp_totals *doubtful;
};

// Frees all memory, that of `doubtful` included; zeroed or half-built totals are fine.
void tp_totals_fini(struct tp_totals *s);
// Returns the approximate memory, in bytes, of the lists that grow with the input.
size_t tp_totals_bytes(const struct tp_totals *s);
// Adds copies of all totals of `from`. After a failure only tp_totals_fini may be called on `into`.
int tp_totals_merge(struct tp_totals *into, const struct tp_totals *from,
                    struct tp_error *err) TP_MUST_USE;
// As tp_totals_merge, but takes the memory of `from` without a copy if `into` is empty. Afterwards
// only tp_totals_fini may be called on `from`.
int tp_totals_move(struct tp_totals *into, struct tp_totals *from,
                   struct tp_error *err) TP_MUST_USE;

// Whether the space limits the names that it keeps.
TP_INLINE bool tp_totals_is_limited(const struct tp_totals *s, enum tp_durations_space space)
{
    bool was_always = space == TP_SPACE_TASK || space == TP_SPACE_REGION || space == TP_SPACE_LOG;
    return was_always || (!s->is_unlimited && space != TP_SPACE_UNNAMED);
}

// Whether this is a name of the runtime's collector, which a space keeps beyond its limit.
bool tp_totals_always_keeps(enum tp_durations_space space, struct tp_span text);

// Moves all members of the totals of one file to a new `doubtful`, which leaves the totals
// themselves empty. False: no memory, and nothing has changed.
bool tp_totals_set_doubtful(struct tp_totals *s) TP_MUST_USE;

// Sets *ret_name to the number under which to record something with this name, or to
// TP_TOTALS_OTHERS if the space does not keep the name. Use the number at once: the next call may
// change which names are kept. Copies the text. False: no memory.
bool tp_totals_name(struct tp_totals *s, enum tp_durations_space space, struct tp_span text,
                    uint32_t *ret_name) TP_MUST_USE;
// As tp_totals_name, for a name that has a number already, which is passed in *name.
bool tp_totals_known_name(struct tp_totals *s, enum tp_durations_space space,
                          uint32_t *name) TP_MUST_USE;
// Sets whether the space keeps the name. False: no memory, which cannot happen for a name that
// any space has kept before.
bool tp_totals_set_kept(struct tp_totals *s, enum tp_durations_space space, uint32_t name,
                        bool is_kept) TP_MUST_USE;
// Whether the space keeps the name with this number.
TP_INLINE bool tp_totals_keeps(const struct tp_totals *s, enum tp_durations_space space,
                               uint32_t name)
{
    return name < s->kept_in.count && (s->kept_in.items[name] >> space & 1) != 0;
}

// Returns the text of a group's name; "(others)" for TP_TOTALS_OTHERS. The group is one of
// s->durations. Borrowed from the totals.
struct tp_span tp_totals_group_name(const struct tp_totals *s, const struct tp_durations_group *g);

// Returns the frame with this number, which tp_totals_frames_put has returned.
TP_INLINE struct tp_totals_frame tp_totals_frame(const struct tp_totals *s, uint32_t frame)
{
    return tp_totals_frames_get(&s->frames, frame);
}

// Returns the frames of a stack, as tp_totals_stack_frames does.
TP_INLINE size_t tp_totals_stack(const struct tp_totals *s, uint32_t stack,
                                 const uint32_t **ret_frames)
{
    return tp_totals_stack_frames(&s->stacks, stack, ret_frames);
}

#endif
