// What `stats:level=full` knows of an input or of many: totals by name, and by stack. They
// add up exactly, in any order and grouping, so the total of a run does not depend on how
// the inputs were cut, read or grouped.
//
// Plain memory of one thread; zeroed is empty. Failures are TP_E_MEMORY.
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

// Figures that add up. X(field, key)
#define TP_TOTALS_COUNTS(X)                                                             \
    X(file_count, "files")                                                              \
    X(damaged_count, "damaged")       /* not read to their end without damage */        \
    X(refused_count, "refused")       /* no traces, or none that could be read */       \
    X(stored_bytes, "stored_bytes")                                                     \
    X(stream_bytes, "stream_bytes")                                                     \
    X(lost_bytes, "lost_bytes")                                                         \
    X(event_count, "events")          /* ordered ones, Sync events too */
// The same of times. X(field, key)
#define TP_TOTALS_TIMES(X)                                                              \
    X(duration_ns, "duration_ns")     /* first to last event */

// Names that programs give can be without number, one for each task, say. In each space of the
// durations the totals keep those with the TP_TOTALS_NAMES_MAX smallest hashes, and the others as
// one. These are the same ones in whatever order and grouping the names come: whoever is among
// the smallest of all is so in each part, from its first coming on. The runtime's own goroutines
// that collect garbage are kept beside these, because other figures follow from them.
#define TP_TOTALS_NAMES_MAX 4096
#define TP_TOTALS_OTHERS (UINT32_MAX - 1) // instead of a name
struct tp_totals_kept {
    TP_LIST(struct tp_totals_kept_name {
        uint64_t hash;
        uint32_t name;
    }) heap;                 // the greatest first
};

// How much was used when the totals were packed.
struct tp_totals_packed {
    uint32_t name_count;
    uint32_t frame_count;
    uint32_t stack_count;
    uint32_t group_count;
};

struct tp_totals {
    bool is_unlimited; // what was read from an older state is as it was written
#define TP_X(field, key) uint64_t field;
    TP_TOTALS_COUNTS(TP_X)
#undef TP_X
#define TP_X(field, key) tp_wide field;
    TP_TOTALS_TIMES(TP_X)
#undef TP_X
    uint64_t doubt_count; // events believed against others, by a fault of the tracer
    struct tp_intern names;
    struct tp_intern reasons;        // of blocking: measure - TP_MEASURE_FIRST_BLOCK
    struct tp_durations durations;   // names are numbers of `names`, or TP_TOTALS_OTHERS
    struct tp_totals_kept kept[TP_SPACES];
    TP_LIST(uint16_t) kept_in;       // by name: 1 << space for each that keeps it; none beyond
    struct tp_totals_frames frames;
    struct tp_totals_stacks stacks;  // their frames are numbers of `frames`
    struct tp_stack_counts by_stack; // by number of `stacks`, and enum tp_stack_type
    TP_LIST(struct tp_file_row) files;
    TP_LIST(struct tp_refused_row) refused; // not those of states of version 1
    struct tp_top_goroutines gs;
    struct tp_timeline timeline;
    struct tp_utilisation utilisation;
    struct tp_totals_packed packed;
    // Files whose clock is in doubt (merge/tables/clock_doubt.h), which are not in the totals
    // above, so that these can be told with them or without: totals of the same kind, without
    // such. Owned; NULL: none.
    struct tp_totals *doubtful;
};

void tp_totals_fini(struct tp_totals *s);
// What they take, about: lists that grow with what was read.
size_t tp_totals_bytes(const struct tp_totals *s);
int tp_totals_merge(struct tp_totals *into, const struct tp_totals *from,
                    struct tp_error *err) TP_MUST_USE;
// The same where `from` is good for nothing but fini afterwards: the first of many needs not
// be copied.
int tp_totals_move(struct tp_totals *into, struct tp_totals *from,
                   struct tp_error *err) TP_MUST_USE;

// Whether not all names of the space are kept.
TP_INLINE bool tp_totals_is_limited(const struct tp_totals *s, enum tp_durations_space space)
{
    bool was_always = space == TP_SPACE_TASK || space == TP_SPACE_REGION || space == TP_SPACE_LOG;
    return was_always || (!s->is_unlimited && space != TP_SPACE_UNNAMED);
}

// Whether it is a name of the runtime's collector, which is kept beside the limited ones.
bool tp_totals_always_keeps(enum tp_durations_space space, struct tp_span text);

// A sum of one file becomes that of a doubtful one. False: out of memory, and nothing changed.
bool tp_totals_set_doubtful(struct tp_totals *s) TP_MUST_USE;

// The name under which something is recorded that has this name; at once, because what is
// kept may change with the next one. False: out of memory.
bool tp_totals_name(struct tp_totals *s, enum tp_durations_space space, struct tp_span text,
                    uint32_t *ret_name) TP_MUST_USE;
// The same of one that has a number, which is *name.
bool tp_totals_known_name(struct tp_totals *s, enum tp_durations_space space,
                          uint32_t *name) TP_MUST_USE;
// A space keeps the name from now on, or does not. False: out of memory; where the name was kept
// in any space before, there is enough.
bool tp_totals_set_kept(struct tp_totals *s, enum tp_durations_space space, uint32_t name,
                        bool is_kept) TP_MUST_USE;
TP_INLINE bool tp_totals_keeps(const struct tp_totals *s, enum tp_durations_space space,
                               uint32_t name)
{
    return name < s->kept_in.count && (s->kept_in.items[name] >> space & 1) != 0;
}

// Of a group of the durations.
struct tp_span tp_totals_group_name(const struct tp_totals *s, const struct tp_durations_group *g);

TP_INLINE struct tp_totals_frame tp_totals_frame(const struct tp_totals *s, uint32_t frame)
{
    return tp_totals_frames_get(&s->frames, frame);
}

TP_INLINE size_t tp_totals_stack(const struct tp_totals *s, uint32_t stack,
                                 const uint32_t **ret_frames)
{
    return tp_totals_stack_frames(&s->stacks, stack, ret_frames);
}

#endif
