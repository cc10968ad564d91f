// Sums up the ordered events of one input as Go's Summarizer (internal/trace/summary.go
// of Go 1.26) does: times of goroutines, tasks with their regions and logs.
//
//   init ─▶ add* ─▶ finish ─▶ items, sorted, and totals ─▶ fini
//
// Where Go's Summarizer would end the program it goes on: regions of goroutines that are
// not known are left out, a transition of one is taken for its first sign of life.
//
// Memory: records of goroutines that live, and their open regions, are in memory, at
// most TP_SUMMARY_STATE_MAX_BYTES; one bit for each task that has a parent; everything
// else in the sorters of the items.
#ifndef TP_STATS_SUMMARY_SUMMARY_H
#define TP_STATS_SUMMARY_SUMMARY_H

#include "base/idset.h"
#include "base/map.h"
#include "merge/tables/block.h"
#include "merge/tables/event_shape.h"
#include "stats/summary/items.h"

// Two million goroutines at once. The same on every machine, because what does not fit
// shows.
#define TP_SUMMARY_STATE_MAX_BYTES TP_MIB(512)

// A P: who is in a syscall on it, and who sweeps.
struct tp_summary_proc {
    bool has_syscall;
    bool has_sweep;
    int64_t syscall_goroutine;
    int64_t sweep_goroutine;
};

// Names of a block's strings, and goroutines of tasks, that were looked up before.
#define TP_SUMMARY_STRINGS 64
#define TP_SUMMARY_PAIRS 256

struct tp_summary_totals {
    uint64_t event_count;
    uint64_t sync_count;
    int64_t first_ns;
    int64_t last_ns;
};

struct tp_summary {
    struct tp_summary_rules rules;
    struct tp_summary_totals totals;
    struct tp_intern names;
    struct tp_summary_items items;
    struct tp_summary_memory memory;

    int64_t sync_ns;               // of the last Sync
    struct tp_map goroutine_slots;
    // Records lie in chunks, which stay where they are; those with number 0 are free.
    struct tp_summary_goroutine **chunks;
    size_t chunk_count;
    uint32_t *free_slots;
    size_t free_count;
    uint64_t record_count;         // ever made
    struct tp_map proc_slots;
    struct tp_summary_proc *procs;
    size_t proc_count;
    size_t proc_capacity;
    struct tp_idset children;      // tasks whose parent is known
    struct tp_times scratch;
    uint32_t name_forever, name_sweep, name_assist;

    struct {
        uint64_t id_plus_1;
        uint32_t name;
    } strings[TP_SUMMARY_STRINGS]; // of this block
    struct {
        uint64_t task;
        int64_t goroutine;
        bool is_set;
    } pairs[TP_SUMMARY_PAIRS];
};

// `memory`: of each of the two sorters. TP_E_MEMORY.
int tp_summary_init(struct tp_summary *s, const struct tp_summary_rules *rules,
                    const struct tp_sorter_memory *memory, struct tp_error *err) TP_MUST_USE;
void tp_summary_fini(struct tp_summary *s); // zeroed or half-built is fine

// TP_E_MEMORY, TP_E_TOO_LARGE, TP_E_WRITE: what follows is undefined, but for fini.
int tp_summary_add(struct tp_summary *s, const struct tp_block *block,
                   struct tp_error *err) TP_MUST_USE;

// Behind the last event: all goroutines end there, the items are sorted.
int tp_summary_finish(struct tp_summary *s, struct tp_error *err) TP_MUST_USE;

// About what it takes, but for the sorters.
size_t tp_summary_bytes(const struct tp_summary *s);

// FOR THE FILES OF THE SUMMARY

// NULL: not known.
struct tp_summary_goroutine *tp_summary_goroutine_of(const struct tp_summary *s, int64_t id);
// The number of a string of the tables.
int tp_summary_name_of(struct tp_summary *s, const struct tp_tables *t, uint64_t string_id,
                       uint32_t *ret_name, struct tp_error *err) TP_MUST_USE;
// All open regions of a goroutine end. Its times are settled.
int tp_summary_end_regions(struct tp_summary *s, struct tp_summary_goroutine *g, bool has_end,
                           int64_t end_ns, struct tp_error *err) TP_MUST_USE;
// Regions, tasks, logs; nothing happens for events of another kind.
int tp_summary_user_event(struct tp_summary *s, const struct tp_event *e,
                          const struct tp_tables *t, struct tp_error *err) TP_MUST_USE;
// A goroutine is created: it inherits the task of its creator's innermost region.
int tp_summary_inherit(struct tp_summary *s, struct tp_summary_goroutine *g,
                       const struct tp_event *e, struct tp_error *err) TP_MUST_USE;
// What its open regions are when the record is given up without an end.
int tp_summary_drop_regions(struct tp_summary *s, struct tp_summary_goroutine *g,
                            struct tp_error *err) TP_MUST_USE;

#endif
