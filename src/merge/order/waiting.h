// Replaces the frontier while many threads wait. Go puts the events of all threads to the rules
// again, and sorts the threads, after every event. Here a waiting event is not put to the rules
// again before a condition for which it waits may hold (wait.h), and nothing is sorted: each event
// costs O(log threads).
//
// This works as long as no two times are equal: then the times alone decide the order, and the
// positions in Go's heap do not show in the output. As soon as two times are equal, the heap is
// rebuilt as Go's would stand, by replaying all changes since Go's last sort. So the caller uses
// either this or the frontier, and switches between them.
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

#define TP_WAITING_NONE TP_TREE_NONE

struct tp_waiting_turn;
struct tp_waiting_wait;
struct tp_waiting_change;

struct tp_waiting {
    struct tp_waiting_turn *turns;     // one for each cursor; a tree by time of those in it
    struct tp_waiting_wait *waits;     // TP_WAITS_MAX for each cursor
    struct tp_waiting_change *changes; // of times since the heap's layout was last known
    size_t capacity;                   // of `turns`, and of `changes`
    size_t cursor_count;
    size_t change_count;
    size_t count;                      // cursors that have a next event
    size_t least;                      // with fewer cursors the frontier takes over
    uint32_t turn_root;
    uint32_t wait_root;
    struct tp_map cursor_of_m; // index + 1
    bool is_active;
    bool is_sorted; // `changes` follow a sort; else the heap on entering
};

void tp_waiting_fini(struct tp_waiting *w); // zeroed is fine
size_t tp_waiting_bytes(const struct tp_waiting *w);
// Forgets all cursors and waits; keeps memory.
void tp_waiting_close(struct tp_waiting *w);

// Takes over from the frontier, whose entries point into `cursors`; all cursors count as ready.
// `least`: with fewer cursors the caller has to leave; at least 1. False: two times are equal, or
// there is no memory; then the frontier stays in use.
bool tp_waiting_enter(struct tp_waiting *w, const struct tp_frontier *f,
                      const struct tp_cursor *cursors, size_t cursor_count, size_t least);
// Makes the frontier stand as Go's would. `f` must be as it was on entering.
void tp_waiting_leave(struct tp_waiting *w, struct tp_frontier *f, struct tp_cursor *cursors);

// The first cursor in time. Cursors are named by their index in `cursors`.
uint32_t tp_waiting_first(const struct tp_waiting *w, int64_t *ret_time_ns);
// The first ready cursor in time, TP_WAITING_NONE if all have to wait. counts[row] is the number
// of cursors before it that wait in that row.
uint32_t tp_waiting_first_ready(const struct tp_waiting *w, uint32_t counts[TP_WAIT_ROWS]);

// Makes cursor `i`, which is ready, wait for `waits`.
void tp_waiting_park(struct tp_waiting *w, uint32_t i, unsigned row,
                     const struct tp_waits *waits);
// Makes ready, for each condition that holds now, the first cursor in time that waits for it, and
// the cursor of the thread whose binding has changed.
void tp_waiting_answer(struct tp_waiting *w, const struct tp_answers *answers);
// Makes all waiting cursors ready.
void tp_waiting_answer_all(struct tp_waiting *w);

// Call where Go would sort its frontier.
void tp_waiting_sorts(struct tp_waiting *w);
// The event of cursor `i`, which is ready, was taken. Moves it to its next event at `time_ns`, or
// removes it at its end. False: the caller has to leave.
bool tp_waiting_move(struct tp_waiting *w, uint32_t i, int64_t time_ns) TP_MUST_USE;
bool tp_waiting_remove(struct tp_waiting *w, uint32_t i) TP_MUST_USE;

#endif
