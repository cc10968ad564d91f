// What `stats:level=full` knows of an input or of many: sums by name, and by stack. They
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
#include "stats/duration_table.h"
#include "stats/stack_limit.h"
#include "stats/file_rows.h"
#include "stats/top_goroutines.h"
#include "stats/timeline.h"
#include "stats/gc/utilisation.h"

// Figures that add up. X(field, key)
#define TP_SUM_COUNTS(X)                                                                \
    X(file_count, "files")                                                              \
    X(damaged_count, "damaged")       /* not read to their end without damage */        \
    X(refused_count, "refused")       /* no traces, or none that could be read */       \
    X(stored_bytes, "stored_bytes")                                                     \
    X(stream_bytes, "stream_bytes")                                                     \
    X(lost_bytes, "lost_bytes")                                                         \
    X(event_count, "events")          /* ordered ones, Sync events too */
// The same of times. X(field, key)
#define TP_SUM_TIMES(X)                                                                 \
    X(duration_ns, "duration_ns")     /* first to last event */

// Names that programs give can be without number, one for each task, say. In each space of the
// ledger the sums keep those with the TP_SUM_NAMES_MAX smallest hashes, and the others as one.
// These are the same ones in whatever order and grouping the names come: whoever is among the
// smallest of all is so in each part, from its first coming on. The runtime's own goroutines
// that collect garbage are kept beside these, because other figures follow from them.
#define TP_SUM_NAMES_MAX 4096
#define TP_SUM_OTHERS (UINT32_MAX - 1) // instead of a name
struct tp_sum_kept {
    TP_LIST(struct tp_sum_kept_name {
        uint64_t hash;
        uint32_t name;
    }) heap;                 // the greatest first
};

// How much was used when the sums were packed.
struct tp_sums_packed {
    uint32_t name_count;
    uint32_t frame_count;
    uint32_t stack_count;
    uint32_t group_count;
};

struct tp_sums {
    bool is_unlimited; // what was read from an older state is as it was written
#define TP_X(field, key) uint64_t field;
    TP_SUM_COUNTS(TP_X)
#undef TP_X
#define TP_X(field, key) tp_wide field;
    TP_SUM_TIMES(TP_X)
#undef TP_X
    uint64_t doubt_count; // events believed against others, by a fault of the tracer
    struct tp_intern names;
    struct tp_intern reasons;        // of blocking: measure - TP_MEASURE_FIRST_BLOCK
    struct tp_ledger ledger;         // names are numbers of `names`, or TP_SUM_OTHERS
    struct tp_sum_kept kept[TP_SPACES];
    TP_LIST(uint16_t) kept_in;       // by name: 1 << space for each that keeps it; none beyond
    struct tp_sum_frames frames;
    struct tp_sum_stacks stacks;     // their frames are numbers of `frames`
    struct tp_stack_counts by_stack; // by number of `stacks`, and enum tp_stack_type
    TP_LIST(struct tp_file_row) files;
    TP_LIST(struct tp_refused_row) refused; // not those of states of version 1
    struct tp_sum_gs gs;
    struct tp_timeline timeline;
    struct tp_utilisation utilisation;
    struct tp_sums_packed packed;
    // Files whose clock is in doubt (merge/tables/clock_doubt.h), which are not in the sums above, so
    // that these can be told with them or without: sums of the same kind, without such. Owned;
    // NULL: none.
    struct tp_sums *doubtful;
};

void tp_sums_fini(struct tp_sums *s);
// What they take, about: lists that grow with what was read.
size_t tp_sums_bytes(const struct tp_sums *s);
int tp_sums_merge(struct tp_sums *into, const struct tp_sums *from,
                  struct tp_error *err) TP_MUST_USE;
// The same where `from` is good for nothing but fini afterwards: the first of many needs not
// be copied.
int tp_sums_move(struct tp_sums *into, struct tp_sums *from, struct tp_error *err) TP_MUST_USE;

// Whether not all names of the space are kept.
TP_INLINE bool tp_sums_is_limited(const struct tp_sums *s, enum tp_ledger_space space)
{
    bool was_always = space == TP_SPACE_TASK || space == TP_SPACE_REGION || space == TP_SPACE_LOG;
    return was_always || (!s->is_unlimited && space != TP_SPACE_UNNAMED);
}

// Whether it is a name of the runtime's collector, which is kept beside the limited ones.
bool tp_sums_always_keeps(enum tp_ledger_space space, struct tp_span text);

// A sum of one file becomes that of a doubtful one. False: out of memory, and nothing changed.
bool tp_sums_set_doubtful(struct tp_sums *s) TP_MUST_USE;

// The name under which something is booked that has this name; at once, because what is
// kept may change with the next one. False: out of memory.
bool tp_sums_name(struct tp_sums *s, enum tp_ledger_space space, struct tp_span text,
                  uint32_t *ret_name) TP_MUST_USE;
// The same of one that has a number, which is *name.
bool tp_sums_known_name(struct tp_sums *s, enum tp_ledger_space space,
                        uint32_t *name) TP_MUST_USE;
// A space keeps the name from now on, or does not. False: out of memory; where the name was kept
// in any space before, there is enough.
bool tp_sums_set_kept(struct tp_sums *s, enum tp_ledger_space space, uint32_t name,
                      bool is_kept) TP_MUST_USE;
TP_INLINE bool tp_sums_keeps(const struct tp_sums *s, enum tp_ledger_space space, uint32_t name)
{
    return name < s->kept_in.count && (s->kept_in.items[name] >> space & 1) != 0;
}

// Of a group of the ledger.
struct tp_span tp_sums_group_name(const struct tp_sums *s, const struct tp_ledger_group *g);

TP_INLINE struct tp_sum_frame tp_sum_frame(const struct tp_sums *s, uint32_t frame)
{
    return tp_sum_frames_get(&s->frames, frame);
}

TP_INLINE size_t tp_sum_stack(const struct tp_sums *s, uint32_t stack,
                              const uint32_t **ret_frames)
{
    return tp_sum_stack_frames(&s->stacks, stack, ret_frames);
}

#endif
