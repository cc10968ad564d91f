// The history of inputs: the part of statistics that the option detail=yes adds. It has times: when waits for a
// P were long, when the world stood still, and when the goroutines of slow tasks ran or waited. A unit lists
// items in the order of its events. The input takes the longest items from these lists, in the order of the
// trace. A run adds the histories of its inputs, in any order and grouping.
//
//   blocks ──add──▶ tp_history_unit ──in order──▶ tp_history_input ──end──▶ tp_history of the totals
//
// One thread at a time uses an object; a zeroed one is empty. Functions that return bool return false only
// if memory is out; then the object may only be freed.
#ifndef TP_STATS_HISTORY_HISTORY_H
#define TP_STATS_HISTORY_HISTORY_H

#include "base/intern.h"
#include "base/map.h"
#include "base/time/wall.h"
#include "merge/tables/block.h"
#include "stats/history/latency.h"
#include "stats/figures/wall_timeline.h"

// Limits of a run: tasks whose spans are kept, spans and regions of each, the longest ones, and buckets of
// the levels of one trace.
#define TP_HISTORY_TASKS_MAX 20
#define TP_HISTORY_SPANS_MAX 64
#define TP_HISTORY_REGIONS_MAX 32
#define TP_HISTORY_BUCKETS_MAX 64
// Maximum number of tasks of an input that are followed at a time. A task that begins while there are so many is
// only counted.
#define TP_HISTORY_OPEN_MAX 4096

// Kinds of what a unit lists. Those before TP_HISTORY_RANGES are stops of the world and mark phases.
enum tp_history_kind {
    TP_HISTORY_PAUSE,
    TP_HISTORY_MARK,
    TP_HISTORY_RANGES,
    TP_HISTORY_SPAN = TP_HISTORY_RANGES, // of a goroutine in a task
    TP_HISTORY_REGION,                  // in a task
    TP_HISTORY_BEGIN,                   // of a task
    TP_HISTORY_TASK                     // that ended
};

// Something that lasted; a plain value. Texts are numbers of the `names` of the object that has it; in a
// unit they are references (merge/track/facts.h).
struct tp_history_item {
    uint64_t ns;
    int64_t begin_ns; // on the clock of the trace; in a tp_history since the trace or, of pieces, the task began
    int64_t wall_ns;  // of ranges and tasks of a tp_history: Unix time of the begin, or TP_NO_WALL_NS
    int64_t g;        // TP_NO_GOROUTINE: none
    uint64_t task;    // id
    uint32_t name;    // of a span, the goroutine's function
    uint32_t reason;  // of a span
    uint32_t path;    // of ranges and tasks of a tp_history
    uint8_t kind;     // enum tp_history_kind
    uint8_t state;    // of a span: enum tp_state
};

// The longest spans, or regions, of a task: a heap whose first item is the shortest.
struct tp_history_pieces {
    TP_LIST(struct tp_history_item);
    uint64_t omitted_count; // shorter ones
};
struct tp_history_task {
    struct tp_history_item of;
    struct tp_history_pieces spans, regions;
};

// The levels of one trace, as of a timeline.
struct tp_history_levels {
    uint32_t path;
    int64_t wall_ns;  // of the first event, or TP_NO_WALL_NS
    int64_t begin_ns; // of bucket 0, since the trace began
    uint32_t count;
    unsigned shift;  // buckets are 2^shift ns wide
    struct tp_timeline_bucket *buckets; // owned
};

// Owns all that it points to.
struct tp_history {
    uint64_t trace_count;
    struct tp_intern names;
    struct tp_latency since_begin, by_wall;
    struct tp_history_ranges {
        TP_LIST(struct tp_history_item); // the longest: a heap
        uint64_t omitted_count;
    } ranges[TP_HISTORY_RANGES];
    TP_LIST(struct tp_history_task) tasks;    // the slowest, in no particular order
    uint64_t omitted_task_count;              // tasks that were not followed
    TP_LIST(struct tp_history_levels) levels; // in no particular order
    uint32_t limit;       // maximum number of ranges of each kind; 0: none
    size_t packed_bytes;  // texts of `names` when they were last packed
};

// Returns the text of a number of d->names; of any other number the empty text.
TP_INLINE struct tp_span tp_history_text(const struct tp_history *d, uint32_t name)
{
    return name < d->names.count ? tp_intern_text(&d->names, name) : tp_span_of("", 0);
}

// OF A UNIT

struct tp_history_unit {
    struct tp_latency latency;
    // In the order of the events that end them; begins of tasks stand before all else of their block.
    TP_LIST(struct tp_history_item) items;
};
void tp_history_unit_clear(struct tp_history_unit *u);
void tp_history_unit_fini(struct tp_history_unit *u);
size_t tp_history_unit_bytes(const struct tp_history_unit *u);
// Adds the facts of a block, among which are spans (TP_TRACK_SPANS) and intervals (TP_TRACK_LASTING).
bool tp_history_unit_add(struct tp_history_unit *u, const struct tp_block *block) TP_MUST_USE;

// OF AN INPUT

struct tp_history_input {
    struct tp_history *result; // owned; NULL: none yet
    struct tp_latency latency;
    struct tp_map numbers;    // in `open`, plus 1, by id
    TP_LIST(struct tp_history_task) open;
};
void tp_history_input_fini(struct tp_history_input *in);
size_t tp_history_input_bytes(const struct tp_history_input *in);
// Adds the next unit. `tables`: those of its blocks; NULL: it had none. `limit`: of ranges of each kind.
bool tp_history_input_add(struct tp_history_input *in, const struct tp_history_unit *u,
                          const struct tp_tables *tables, uint32_t limit) TP_MUST_USE;
// When and where the input was taken.
struct tp_history_place {
    const char *path;
    int64_t begin_ns;        // what "since the trace began" counts from
    struct tp_wall_place at; // wall_ns may be TP_NO_WALL_NS
};
// Returns those of the whole input, which the caller owns. NULL: out of memory.
struct tp_history *tp_history_input_end(struct tp_history_input *in, const struct tp_timeline *timeline,
                                        const struct tp_history_place *place) TP_MUST_USE;

// OF A RUN

// Frees the object; NULL is fine.
void tp_history_destroy(struct tp_history *d);
size_t tp_history_bytes(const struct tp_history *d);
// Adds copies of all of `from`, which may be NULL, to *into, which is made if it is NULL.
bool tp_history_merge(struct tp_history **into, const struct tp_history *from) TP_MUST_USE;
// Sorts ranges and tasks with the longest first, pieces by time, levels by path. Nothing may be added
// afterwards. NULL is fine.
void tp_history_sort(struct tp_history *d);

// The rest is for the files of this folder only.

// Adds an item to a heap of at most `most` items, 0: any number; counts what goes.
bool tp_history_offer(const struct tp_history *d, struct tp_list *heap, uint32_t most,
                      const struct tp_history_item *item, uint64_t *omitted_count) TP_MUST_USE;
// Adds a task to d->tasks, whose pieces it takes over: they are freed if the task is not kept.
bool tp_history_offer_task(struct tp_history *d, struct tp_history_task *task) TP_MUST_USE;
void tp_history_task_fini(struct tp_history_task *t);
// Whether most texts of the names may be of items that are gone.
TP_INLINE bool tp_history_is_loose(const struct tp_history *d)
{
    return d->names.text_bytes > 2 * d->packed_bytes + TP_MIB(1);
}
// Drops texts of the names to which nothing of `d`, and no piece of the open tasks, refers any more.
bool tp_history_pack(struct tp_history *d, struct tp_history_task *open, uint32_t open_count) TP_MUST_USE;

#endif
