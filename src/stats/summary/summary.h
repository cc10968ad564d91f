// Sums up the ordered events of one input as Go's Summarizer (internal/trace/summary.go
// of Go 1.26) does: times of goroutines, tasks with their regions and logs.
//
//   init ─▶ add* ─▶ finish ─▶ items, sorted, and totals ─▶ fini
//
// In places where Go's Summarizer would panic, this one continues: it leaves out regions of
// unknown goroutines, and takes a transition of an unknown goroutine for its first appearance.
//
// Memory holds the records of live goroutines and their open regions, at most
// TP_SUMMARY_STATE_MAX_BYTES, and one bit for each task that has a parent; everything else
// is in the sorters of the items. One thread at a time uses a summary.
#ifndef TP_STATS_SUMMARY_SUMMARY_H
#define TP_STATS_SUMMARY_SUMMARY_H

#include "base/idset.h"
#include "base/slab.h"
#include "merge/tables/block.h"
#include "merge/tables/event_shape.h"
#include "stats/summary/items.h"

// Limit of the memory of live goroutines and their open regions: enough for two million goroutines.
// It is the same on every machine, because a summary that exceeds it fails.
#define TP_SUMMARY_STATE_MAX_BYTES TP_MIB(512)

// A P, with the goroutine in a syscall on it and the goroutine sweeping on it, if has_syscall and
// has_sweep are set.
struct tp_summary_proc {
    bool has_syscall;
    bool has_sweep;
    int64_t syscall_goroutine;
    int64_t sweep_goroutine;
};

// Sizes of two caches, in entries: names of the strings of a block; and pairs of a task and a
// goroutine that were already added to the items.
#define TP_SUMMARY_STRINGS 64
#define TP_SUMMARY_PAIRS 256

// Totals over all events.
struct tp_summary_totals {
    uint64_t event_count;
    uint64_t sync_count;
    int64_t first_ns;
    int64_t last_ns;
};

// The state of a summary. Owns everything.
struct tp_summary {
    bool fixes; // see tp_summary_init
    // The result, in which names are numbers of `names`.
    struct tp_summary_totals totals;
    struct tp_intern names;
    struct tp_summary_items items;
    struct tp_summary_status status;

    int64_t sync_ns;               // of the last Sync
    // Slots of the records of live goroutines, by id.
    struct tp_map goroutine_slots;
    // Records are allocated in chunks, which never move; a record with number 0 is free.
    TP_LIST(struct tp_summary_goroutine *) chunks;
    uint32_t free;                 // the first free record; 0: none
    uint64_t record_count;         // records ever created
    struct tp_summary_regions regions; // open ones
    TP_SLAB(struct tp_summary_proc) procs;
    struct tp_idset children;      // tasks whose parent is known
    // The times of the goroutine or region, while the beginning or end of a region is handled. A
    // member so that the memory of its lists is reused.
    struct tp_times scratch;
    // Numbers of the reason "forever" and of the names of two kinds of ranges.
    uint32_t name_forever, name_sweep, name_assist;

    // The two caches.
    struct {
        uint64_t id;   // of the string; an id that does not map to this entry: the entry is empty
        uint32_t name;
    } strings[TP_SUMMARY_STRINGS]; // names of strings of the current block
    struct {
        uint64_t task;
        int64_t goroutine;
        bool is_set;
    } pairs[TP_SUMMARY_PAIRS];
};

// Initializes a summary; tp_summary_fini frees it, also after a failure. `memory` is the memory of
// each of the two sorters. Fails with TP_E_MEMORY. `fixes`: the summary departs from Go where Go's
// figures are plainly wrong:
// - Time in a blocked syscall counts only as blocked time, also while the syscall is open.
// - A goroutine that leaves a syscall clears the P's entry only if the entry is its own.
// - A sweep ends even if another goroutine than the one that began it ends it.
// - The open regions of a goroutine without a name end when the goroutine ends.
// - The second end of a task, and the end of a region that is not open, end nothing.
int tp_summary_init(struct tp_summary *s, bool fixes, const struct tp_sorter_memory *memory,
                    struct tp_error *err) TP_MUST_USE;
// Frees everything, the items included; a zeroed or half-built summary is fine.
void tp_summary_fini(struct tp_summary *s);

// Adds the next block, in the order of the trace; does not keep the block. May block on a disk.
// Fails with TP_E_MEMORY, TP_E_TOO_LARGE or TP_E_WRITE; after a failure only fini may follow.
int tp_summary_add(struct tp_summary *s, const struct tp_block *block,
                   struct tp_error *err) TP_MUST_USE;

// Call this after the last event: ends all goroutines at its time and sorts the items. May block on
// a disk. Fails as tp_summary_add, and with TP_E_KERNEL; after a failure only fini may follow.
int tp_summary_finish(struct tp_summary *s, struct tp_error *err) TP_MUST_USE;

// Returns the approximate memory that the summary uses, without the sorters.
size_t tp_summary_bytes(const struct tp_summary *s);

// FOR THE FILES OF THE SUMMARY
//
// Functions fail as tp_summary_add does, with the code in s->status.

// Returns the record of a goroutine, borrowed until the record is discarded; NULL: the summary does
// not know the goroutine.
struct tp_summary_goroutine *tp_summary_goroutine_of(const struct tp_summary *s, int64_t id);
// Ends all open regions of a goroutine, whose times must be settled, and puts them among the items.
void tp_summary_end_regions(struct tp_summary *s, struct tp_summary_goroutine *g, bool has_end,
                            int64_t end_ns);
// Handles events of regions, tasks and logs; ignores all others.
void tp_summary_user_event(struct tp_summary *s, const struct tp_event *e,
                           const struct tp_tables *t);
// Gives a new goroutine `g` the task of its creator's innermost region.
void tp_summary_inherit(struct tp_summary *s, struct tp_summary_goroutine *g,
                        const struct tp_event *e);
// Removes a goroutine's open regions when its record is discarded without an end. Those that
// are not inherited remain as regions of their task, without an end.
void tp_summary_drop_regions(struct tp_summary *s, struct tp_summary_goroutine *g);

#endif
