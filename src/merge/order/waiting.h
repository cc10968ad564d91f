// Replaces the frontier while many threads wait. In that situation Go sorts all threads after each
// event and asks the rules about the next event of each thread again. Here the rules are asked
// about a waiting event again only when a condition for which it waits may hold (wait.h), and
// nothing is sorted: each event costs O(log threads).
//
// This works as long as no two times are equal: then the times alone decide the order, and
// positions in Go's heap have no effect on the output. As soon as two times are equal, the frontier
// is rebuilt in the state that Go's heap would have at that moment, by replaying all changes since
// Go's last sort. So the caller uses either `waiting` or the frontier, and switches between them.
//
//   frontier ─ enter ─▶ waiting: first_ready, park, answer, sorts, move ─ leave ─▶ frontier
//
// Belongs to one thread at a time.
#ifndef TP_MERGE_ORDER_WAITING_H
#define TP_MERGE_ORDER_WAITING_H

#include "base/map.h"
#include "base/sort/balanced.h"
#include "merge/order/frontier.h"
#include "merge/order/wait.h"

// Index that stands for no cursor.
#define TP_WAITING_NONE TP_TREE_NONE

struct tp_waiting_turn;
struct tp_waiting_wait;
struct tp_waiting_change;

// The cursors of a generation, each of which is ready (the rules must be asked about its next
// event) or waiting. Owns the arrays and the map; fini frees them.
struct tp_waiting {
    struct tp_waiting_turn *turns;     // one for each cursor; cursors with a next event form a tree
    struct tp_waiting_wait *waits;     // the conditions: TP_WAITS_MAX for each cursor
    struct tp_waiting_change *changes; // of times, since entries of Go's heap were last known
    size_t capacity;                   // of `turns`, and of `changes`
    size_t cursor_count;
    size_t change_count;
    size_t count;                      // cursors that have a next event
    size_t least;                      // with fewer cursors the frontier takes over
    uint32_t turn_root;                // root of the tree of `turns`, by time
    uint32_t wait_root;                // root of the tree of `waits`, by condition, then by time
    struct tp_map cursor_of_m;         // thread id to index of its cursor + 1
    bool is_active;
    bool is_sorted; // `changes` are those since Go's last sort; false: since tp_waiting_enter
};

// Frees all memory. A zeroed struct is fine.
void tp_waiting_fini(struct tp_waiting *w);
// Returns the memory of the arrays in bytes.
size_t tp_waiting_bytes(const struct tp_waiting *w);
// Forgets all cursors and conditions, and becomes inactive. Keeps the memory.
void tp_waiting_close(struct tp_waiting *w);

// Takes over from the frontier, whose entries point into `cursors`; all cursors count as ready. As
// soon as fewer than `least` cursors are left (`least` is at least 1), the caller has to call
// tp_waiting_leave. False: two times are equal, or memory is short; then the frontier stays in use.
bool tp_waiting_enter(struct tp_waiting *w, const struct tp_frontier *f,
                      const struct tp_cursor *cursors, size_t cursor_count, size_t least);
// Brings the frontier into the state that Go's frontier would have now, and closes `w`. Cannot
// fail. `f` must be unchanged since tp_waiting_enter.
void tp_waiting_leave(struct tp_waiting *w, struct tp_frontier *f, struct tp_cursor *cursors);

// Returns the cursor with the earliest next event, as an index in `cursors`, and the time of that
// event. There must be a cursor.
uint32_t tp_waiting_first(const struct tp_waiting *w, int64_t *ret_time_ns);
// Returns the ready cursor with the earliest next event, TP_WAITING_NONE if all cursors wait. Sets
// counts[row] to the number of earlier cursors that wait because of the rule in that row of
// tp_wait_rules.
uint32_t tp_waiting_first_ready(const struct tp_waiting *w, uint32_t counts[TP_WAIT_ROWS]);

// Makes cursor `i`, which is ready, wait for the conditions `waits`. `row` is the result of
// tp_order_waits.
void tp_waiting_park(struct tp_waiting *w, uint32_t i, unsigned row,
                     const struct tp_waits *waits);
// For each condition in `answers`, makes ready the cursor with the earliest event that waits for
// this condition. If answers->has_m is set, also makes ready the cursor of the thread answers->m.
void tp_waiting_answer(struct tp_waiting *w, const struct tp_answers *answers);
// Makes all waiting cursors ready. Does nothing if `w` is not active.
void tp_waiting_answer_all(struct tp_waiting *w);

// Records that Go would sort its frontier now.
void tp_waiting_sorts(struct tp_waiting *w);
// Call after the event of cursor `i`, a ready cursor, has been taken: tp_waiting_move moves the
// cursor to its next event, at `time_ns`; tp_waiting_remove removes the cursor at the end of its
// run. False: the caller has to call tp_waiting_leave.
bool tp_waiting_move(struct tp_waiting *w, uint32_t i, int64_t time_ns) TP_MUST_USE;
bool tp_waiting_remove(struct tp_waiting *w, uint32_t i) TP_MUST_USE;

#endif
