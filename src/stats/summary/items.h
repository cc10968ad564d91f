// The items that a summary prints, kept in two sorters until then, so that memory does not
// grow with goroutines that have ended, tasks, regions and logs. Sort orders:
//
//   goroutines   id, newest record first, then: the record, its regions by beginning and end
//   tasks        id, then: begin and end events, children, goroutines, logs in the order
//                of events, regions by beginning and end
//
// The words of a key are unsigned; a signed number is written as tp_sorter_word_of gives it:
//
//   goroutines   id, age << 1 | section, beginning and end of the region
//   tasks        id, section, number of the event, child or goroutine
//                id, section, beginning and end of the region
//
// The section is the kind of the item: enum tp_goroutine_section or enum tp_task_section. The age
// of a record is a number that is smaller for a newer record; a record's regions have its age, too.
// The sorters also return items of a goroutine's older records, and duplicates of a task's
// goroutines; whoever reads the items must skip both. One thread at a time uses the items.
#ifndef TP_STATS_SUMMARY_ITEMS_H
#define TP_STATS_SUMMARY_ITEMS_H

#include "base/sort/sorter.h"
#include "merge/tables/text.h"
#include "stats/summary/goroutine.h"

// Kinds of the items of a goroutine, in sort order.
enum tp_goroutine_section { TP_GOROUTINE_RECORD, TP_GOROUTINE_REGION };
// Kinds of the items of a task, in sort order.
enum tp_task_section {
    TP_TASK_EVENT,
    TP_TASK_CHILD,
    TP_TASK_GOROUTINE,
    TP_TASK_LOG,
    TP_TASK_REGION
};

// The structs of items have no padding, because the sorters store them byte for byte. Times are in
// nanoseconds of the trace. Members has_... and is_... are 0 or 1; texts are bytes without a NUL.

// The times in an item. The struct of the item is followed by `block_count` and then `range_count`
// struct tp_named_ns, and these by the item's text, if it has one.
struct tp_item_times {
    struct tp_time_sums sums;
    uint64_t block_count;
    uint64_t range_count;
};

// The record of a goroutine, with the members of struct tp_summary_goroutine that are printed.
struct tp_item_goroutine {
    int64_t id;
    int64_t creation_ns;
    int64_t start_ns;
    int64_t end_ns;
    uint64_t has_parent;
    int64_t parent;
    uint64_t name;
    uint64_t pc;
    struct tp_item_times times;
};

// A region. Its beginning is known if has_start is 1, its end if has_end is 1. Its name follows the
// lists of its times.
struct tp_item_region {
    uint64_t task;
    uint64_t has_start;
    int64_t start_ns;
    uint64_t has_end;
    int64_t end_ns;
    uint64_t name_bytes;
    struct tp_item_times times;
};

// A log event. The category and then the message follow the struct.
struct tp_item_log {
    int64_t time_ns;
    int64_t goroutine;
    uint64_t category_bytes;
    uint64_t message_bytes;
};

// The beginning or the end of a task. The task's name follows the struct.
struct tp_item_task_event {
    uint64_t is_end;
    int64_t time_ns;
    uint64_t parent;      // TP_NO_TASK: none
    uint64_t name_bytes;
};

// The two sorters, which the owner of the struct creates and frees; a sorter may have a spill.
struct tp_summary_items {
    struct tp_sorter goroutines;
    struct tp_sorter tasks;
};

// The functions below add copies of items. They may block on a disk, and fail as tp_sorter_put
// does.

// Adds the record of a goroutine, whose times must be settled (tp_goroutine_settle).
void tp_summary_put_goroutine(struct tp_summary_items *s, const struct tp_summary_goroutine *g,
                              struct tp_summary_status *st);

// A region that has ended, or that the trace leaves open, with the times spent in it. Borrows name
// and times. The functions that take this struct fill in the times and name_bytes of its `item`.
struct tp_region_result {
    struct tp_item_region item;
    struct tp_span name;
    const struct tp_times *times;
};
// Adds a region to the regions of its goroutine.
void tp_summary_put_goroutine_region(struct tp_summary_items *s,
                                     const struct tp_summary_goroutine *g,
                                     const struct tp_region_result *r,
                                     struct tp_summary_status *st);
// Adds a region to the regions of its task, r->item.task.
void tp_summary_put_task_region(struct tp_summary_items *s, const struct tp_region_result *r,
                                struct tp_summary_status *st);

// Adds the beginning or the end of a task. `order` must rise from event to event.
void tp_summary_put_task_event(struct tp_summary_items *s, uint64_t order, bool is_end,
                               int64_t time_ns, const struct tp_task_event *t,
                               struct tp_summary_status *st);
// Adds a child of a task.
void tp_summary_put_task_child(struct tp_summary_items *s, uint64_t task, uint64_t child,
                               struct tp_summary_status *st);
// Adds a goroutine of a task; the same goroutine may be added several times.
void tp_summary_put_task_goroutine(struct tp_summary_items *s, uint64_t task, int64_t goroutine,
                                   struct tp_summary_status *st);
// Adds a log event of a task. `order` is as in tp_summary_put_task_event.
void tp_summary_put_task_log(struct tp_summary_items *s, uint64_t order, int64_t time_ns,
                             int64_t goroutine, const struct tp_log *l,
                             struct tp_summary_status *st);

#endif
