// Selects ordered events by goroutine, by start function and by task: options of the sink `events`.
//
// The options select goroutines; a goroutine must agree with all of them. An event is selected if it
// concerns such a goroutine (enum tp_track_role): the goroutine runs it, or it changes the goroutine's
// state, so that the events of others that woke the goroutine are among them. With a task, an event that
// names the task counts as one of a goroutine that works for it.
//
// The tracker gives out the functions and tasks of each event's goroutines (struct tp_track_whose). The
// filter itself keeps the ids of the wanted tasks, a set that grows event by event, because a child task
// belongs to its parent.
#ifndef TP_SINK_TEXT_EVENT_FILTER_H
#define TP_SINK_TEXT_EVENT_FILTER_H

#include <regex.h>

#include "base/idset.h"
#include "base/text/opts.h"
#include "merge/tables/block.h"

// The options, members of a sink's config.
struct tp_event_choice {
    int64_t goroutine;                      // -1: all
    char function[TP_OPT_TEXT_MAX_BYTES + 1]; // empty: all
    char task[TP_OPT_TEXT_MAX_BYTES + 1];   // id or name; empty: all
};

// Returns TP_E_USAGE, with an error that names the option, if `function` is no regular expression, or
// `task` no id that tasks have.
int tp_event_choice_check(const struct tp_event_choice *c, struct tp_error *err);
TP_INLINE bool tp_event_choice_is_any(const struct tp_event_choice *c)
{
    return c->goroutine != -1 || c->function[0] != '\0' || c->task[0] != '\0';
}
// Whether the blocks need struct tp_track_whose.
TP_INLINE bool tp_event_choice_needs_whose(const struct tp_event_choice *c)
{
    return c->function[0] != '\0' || c->task[0] != '\0';
}

// The wanted tasks of an input. A zeroed object has none.
struct tp_event_tasks {
    struct tp_idset ids;
};
// Begins with the tasks of an input. Fails as tp_idset_add does.
int tp_event_tasks_init(struct tp_event_tasks *t, const struct tp_event_choice *c,
                        struct tp_error *err) TP_MUST_USE;
void tp_event_tasks_fini(struct tp_event_tasks *t);

// Names that the filter has compared in the current block: a power of two.
#define TP_EVENT_FILTER_NAMES 64

// A filter of blocks. One thread at a time uses it.
struct tp_event_filter {
    const struct tp_event_choice *choice;
    bool has_pattern;
    regex_t pattern;
    struct {
        uint32_t function;  // reference
        bool is_known, is_wanted;
    } names[TP_EVENT_FILTER_NAMES];
    // Indices of the events of the block that are selected.
    uint16_t picked[TP_BLOCK_EVENTS];
    size_t picked_count;
};

// Borrows the choice, which tp_event_choice_check has accepted. Fails with TP_E_MEMORY.
int tp_event_filter_init(struct tp_event_filter *f, const struct tp_event_choice *c,
                         struct tp_error *err) TP_MUST_USE;
void tp_event_filter_fini(struct tp_event_filter *f); // a zeroed filter is fine

// Sets `picked` to the selected events of the block. With a task, `tasks` are those of the events before
// the block, and are then those of the block, too. Fails as tp_idset_add does.
int tp_event_filter_pick(struct tp_event_filter *f, const struct tp_block *block,
                         struct tp_event_tasks *tasks, struct tp_error *err) TP_MUST_USE;
// Does the same with legacy events, for a choice without function and task.
void tp_event_filter_pick_legacy(struct tp_event_filter *f, const struct tp_block *block);

#endif
