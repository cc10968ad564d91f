// What `stats:level=full` knows of an input or of many: sums by name, and by stack. They
// add up exactly, in any order and grouping, so the total of a run does not depend on how
// the inputs were cut, read or grouped.
//
// Plain memory of one thread; zeroed is empty. Failures are TP_E_MEMORY.
#ifndef TP_SINK_SUMS_H
#define TP_SINK_SUMS_H

#include "base/err.h"
#include "base/intern.h"
#include "base/list.h"
#include "sink/ledger.h"
#include "sink/stack_sums.h"
#include "sink/sum_files.h"
#include "sink/sum_gs.h"
#include "sink/timeline.h"
#include "sink/utilisation.h"

// A frame, as bytes in `frames`; a stack is the numbers of its frames, innermost first,
// as bytes in `stacks`.
struct tp_sum_frame {
    uint64_t pc;
    uint64_t line;
    uint32_t function; // numbers of names
    uint32_t file;
};
// The runtime keeps no more; what is deeper is left out.
#define TP_SUM_FRAMES_MAX 128

// Figures that add up. X(field, key)
#define TP_SUM_COUNTS(X)                                                                \
    X(file_count, "files")                                                              \
    X(damaged_count, "damaged")       /* not read to their end without damage */        \
    X(refused_count, "refused")       /* no traces, or none that could be read */       \
    X(stored_bytes, "stored_bytes")                                                     \
    X(stream_bytes, "stream_bytes")                                                     \
    X(lost_bytes, "lost_bytes")                                                         \
    X(event_count, "events")          /* ordered ones, Sync events too */               \
    X(duration_ns, "duration_ns")     /* first to last event */

// Names that programs give can be without number, one for each task, say. Of tasks, regions
// and logs the sums keep those with the TP_SUM_NAMES_MAX smallest hashes, and the others as
// one. These are the same ones in whatever order and grouping the names come: whoever is
// among the smallest of all is so in each part, from its first coming on.
#define TP_SUM_NAMES_MAX 4096
#define TP_SUM_OTHERS (UINT32_MAX - 1) // instead of a name
struct tp_sum_kept {
    struct tp_sum_kept_name {
        uint64_t hash;
        uint32_t name;
    } *heap;                 // the greatest first
    uint32_t count;
    struct tp_map by_name;
};

struct tp_sums {
#define TP_X(field, key) uint64_t field;
    TP_SUM_COUNTS(TP_X)
#undef TP_X
    struct tp_intern names;
    struct tp_intern reasons;        // of blocking: measure - TP_MEASURE_FIRST_BLOCK
    struct tp_ledger ledger;         // names are numbers of `names`, or TP_SUM_OTHERS
    struct tp_sum_kept kept[TP_SPACES];
    struct tp_intern frames;
    struct tp_intern stacks;
    struct tp_stack_counts by_stack; // by number of `stacks`, and enum tp_stack_type
    TP_LIST(struct tp_file_row) files;
    struct tp_sum_gs gs;
    struct tp_timeline timeline;
    struct tp_utilisation utilisation;
};

void tp_sums_fini(struct tp_sums *s);
int tp_sums_merge(struct tp_sums *into, const struct tp_sums *from,
                  struct tp_error *err) TP_MUST_USE;
// The same where `from` is good for nothing but fini afterwards: the first of many needs not
// be copied.
int tp_sums_move(struct tp_sums *into, struct tp_sums *from, struct tp_error *err) TP_MUST_USE;

TP_INLINE bool tp_sums_is_limited(enum tp_ledger_space space)
{
    return space == TP_SPACE_TASK || space == TP_SPACE_REGION || space == TP_SPACE_LOG;
}

// The name under which something is booked that has this name; at once, because what is
// kept may change with the next one. False: out of memory.
bool tp_sums_name(struct tp_sums *s, enum tp_ledger_space space, struct tp_span text,
                  uint32_t *ret_name) TP_MUST_USE;
// Of a group of the ledger.
struct tp_span tp_sums_group_name(const struct tp_sums *s, const struct tp_ledger_group *g);

TP_INLINE const struct tp_sum_frame *tp_sum_frame(const struct tp_sums *s, uint32_t frame)
{
    return (const struct tp_sum_frame *)(const void *)tp_intern_text(&s->frames, frame).ptr;
}

TP_INLINE size_t tp_sum_stack(const struct tp_sums *s, uint32_t stack,
                              const uint32_t **ret_frames)
{
    struct tp_span bytes = tp_intern_text(&s->stacks, stack);
    *ret_frames = (const uint32_t *)(const void *)bytes.ptr;
    return bytes.len_bytes / sizeof **ret_frames;
}

#endif
