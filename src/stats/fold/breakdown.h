// Holds the clocks and marks from which a partial and the stitch compute where the time of tasks and
// regions went (stats/figures/breakdown.h).
//
// A goroutine has a clock: its times by class. The parts of an interval are the difference of the
// clock at its end and at its beginning, to which the state that lasts belongs as running, because
// a goroutine that begins or ends a task or a region runs. A mark is the clock at such a moment. In
// a partial the clock begins at 0, and of a goroutine that has not changed its state here, the
// partial does not know since when it runs. So a partial records an interval of which it has both
// marks, if both lie before the goroutine's first change here or both after it, and leaves the
// others to the stitch, which turns marks of a partial into its own.
//
// Only goroutines that have begun or ended a task or a region need a clock. But a partial cannot
// know whether one that it has not seen begin is in a task, so it gives a clock to those of them
// that leave a wait. The times of running, runnable and in system calls are those of the
// goroutine's record. One thread at a time uses an object.
#ifndef TP_STATS_FOLD_BREAKDOWN_H
#define TP_STATS_FOLD_BREAKDOWN_H

#include "base/slots.h"
#include "stats/figures/breakdown.h"
#include "stats/slowest.h"

// Stands in place of the number of a clock of a goroutine that gets one when it leaves a wait.
#define TP_CLOCK_WANTED UINT32_MAX

// The clock of a goroutine in a partial, without what its record has; and its regions. A goroutine
// that was created here and ends here gives its clock back, if no mark of it is left, so that the
// clocks of short-lived goroutines stay in the cache.
struct tp_partial_clock {
    uint32_t next;           // of a free slot
    uint32_t mark_count;     // of marks in use; the stitch needs the clock if there are any
    int64_t id;              // of the goroutine
    uint64_t blocked_ns[TP_BLOCK_CLASS_COUNT]; // by class - TP_CLASS_FIRST_BLOCK
    uint64_t assist_ns;      // of assists that began and ended here
    int64_t assist_end_ns;   // of an assist that may have begun before; TP_NEVER_NS: none
    // Chains in tp_partial.regions; 0: empty.
    uint32_t region;         // open regions begun here, innermost first
    uint32_t region_ends;    // ends of regions begun before, in order
    uint32_t last_region_end;
    uint32_t change_count;   // of changes of the times above, modulo 2^32
};

// The clock of a goroutine at a moment.
struct tp_partial_mark {
    uint32_t next;           // of a free slot
    uint32_t clock;          // slot of the clock, which no other goroutine gets meanwhile
    int64_t since_ns;        // of the state that lasts; TP_NEVER_NS: unknown, and it counts from 0
    struct tp_class_clock at;
    uint32_t change_count;   // of the clock
    bool has_assist_end;     // the assist that assist_end_ns ends has ended
};

// An interval that began and ended here, of which only the stitch can tell where its time went.
struct tp_partial_straddle {
    uint64_t ns;             // its duration
    uint32_t space;          // enum tp_durations_space
    uint32_t name;           // string
    uint32_t begin, end;     // marks
    int64_t begin_ns;        // when it began
    // A task has an id, and a chain of log lines.
    uint64_t task;
    uint32_t logs;
};

// A row has the time by class of intervals that began and ended here: those of one space and name
// whose durations are in one bucket, like a row of struct tp_breakdown. A partial has all its rows in one
// list, because many names have few of them, and its sums have 64 bits, so that more rows fit into
// the processor's cache. Several rows may have the same key: a row whose total would have more bits is
// followed by another, and so is a row that is no longer in `recent`, because adding a second row
// takes less time than finding the first.
struct tp_partial_row {
    uint64_t key;            // TP_PARTIAL_ROW_KEY
    uint64_t count;
    uint64_t total_ns;       // of all classes; what is in none of `ns` is elsewhere
    uint64_t ns[TP_CLASS_COUNTED];
    uint64_t assist_ns;
};
// The key of a row, and what it is made of.
#define TP_PARTIAL_ROW_KEY(space, name, bucket)                                         \
    ((uint64_t)(name) << 16 | (uint64_t)(bucket) << 4 | (uint64_t)(space))
#define TP_PARTIAL_ROW_SPACE(key) ((enum tp_durations_space)((key) & 15))
#define TP_PARTIAL_ROW_BUCKET(key) ((unsigned)((key) >> 4) & 4095)
#define TP_PARTIAL_ROW_NAME(key) ((uint32_t)((key) >> 16))
_Static_assert(TP_SPACES <= 16 && TP_HIST_BUCKETS <= 4096, "4 and 12 bits");

// Items of the cache of rows: a power of two.
#define TP_PARTIAL_ROW_SLOTS 2048
// Owns its memory.
struct tp_partial_rows {
    TP_LIST(struct tp_partial_row);
    uint32_t recent[TP_PARTIAL_ROW_SLOTS]; // cache of the last rows added: number + 1; 0: empty
};

// Owns its memory.
struct tp_partial_marks {
    TP_SLOTS(struct tp_partial_clock) clocks;
    TP_SLOTS(struct tp_partial_mark) marks;
    TP_LIST(struct tp_partial_straddle) straddles;
    struct tp_partial_rows rows;
    // Those that began and ended here, except straddles; by kind.
    struct tp_slow_part slow[TP_SLOW_KIND_COUNT];
};

// The clock of a goroutine in the stitch, without what its record has.
struct tp_stitch_clock {
    uint32_t next;           // of a free slot
    uint64_t life;           // no two goroutines have the same; at least 1
    uint64_t blocked_ns[TP_BLOCK_CLASS_COUNT];
    uint64_t assist_ns;
};
struct tp_stitch_mark {
    uint32_t next;           // of a free slot
    uint64_t life;           // 0: the goroutine began and ended in one partial
    int64_t g;               // its id
    struct tp_class_clock at;
};
// Turns the marks of a partial's clock into marks of the stitch: `before` is added to the marks
// before the goroutine's first change in the partial, and `after` to those after it.
struct tp_stitch_base {
    uint64_t life;           // 0: the stitch has no record of the goroutine
    struct tp_class_clock before, after;
    uint64_t assist_ns;      // of the assist that ends in the partial, to be added if it has ended
};
// Owns its memory.
struct tp_stitch_marks {
    TP_SLOTS(struct tp_stitch_clock) clocks;
    TP_SLOTS(struct tp_stitch_mark) marks;
    TP_LIST(struct tp_stitch_base) bases; // by slot of the partial's clock
    uint64_t life_count;
};

#endif
