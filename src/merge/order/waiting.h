// Replaces the frontier while many threads wait. After every event, Go sorts the threads and puts
// the events of all threads to the rules again. Here a waiting event is put to the rules again
// only when a condition for which it waits may hold (wait.h), and nothing is sorted: each event
// costs O(log threads).
//
// This works as long as no two times are equal: then the times alone decide the order, and the
// positions in Go's heap do not show in the output. As soon as two times are equal, the frontier
// is rebuilt in the state in which Go's heap would be, by replaying all changes since Go's last
// sort. So the caller uses either `waiting` or the frontier, and switches between them.
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

// Stands for no cursor.
#define TP_WAITING_NONE TP_TREE_NONE

struct tp_waiting_turn;
struct tp_waiting_wait;
struct tp_waiting_change;

// The cursors of a generation, each ready or waiting. It owns the arrays and the map; fini frees
// them.
struct tp_waiting {
    struct tp_waiting_turn *turns;     // one for each cursor; cursors with a next event form a tree
    struct tp_waiting_wait *waits;     // TP_WAITS_MAX for each cursor
    struct tp_waiting_change *changes; // of times since the heap's layout was last known
    size_t capacity;                   // of `turns`, and of `changes`
    size_t cursor_count;
    size_t change_count;
    size_t count;                      // cursors that have a next event
    size_t least;                      // with fewer cursors the frontier takes over
    uint32_t turn_root;                // root of the tree of `turns`, by time
    uint32_t wait_root;                // root of the tree of `waits`, by condition, then by time
    struct tp_map cursor_of_m;         // thread id to index of its cursor + 1
    bool is_active;
    bool is_sorted; // `changes` begin at a sort of Go's; false: at the heap on entering
};

// Frees all memory. A zeroed struct is fine.
void tp_waiting_fini(struct tp_waiting *w);
// Returns the bytes of its arrays.
size_t tp_waiting_bytes(const struct tp_waiting *w);
// Forgets all cursors and waits, and becomes inactive. Keeps the memory.
void tp_waiting_close(struct tp_waiting *w);

// Takes over from the frontier, whose entries point into `cursors`; all cursors count as ready.
// `least`, at least 1: with fewer cursors the caller has to leave. False: two times are equal, or
// memory is short; then the frontier stays in use.
bool tp_waiting_enter(struct tp_waiting *w, const struct tp_frontier *f,
                      const struct tp_cursor *cursors, size_t cursor_count, size_t least);
// Puts the frontier into the state in which Go's would be, and closes `w`. `f` must be unchanged
// since tp_waiting_enter.
void tp_waiting_leave(struct tp_waiting *w, struct tp_frontier *f, struct tp_cursor *cursors);

// Returns the first cursor in time, as its index in `cursors`. There must be one.
uint32_t tp_waiting_first(const struct tp_waiting *w, int64_t *ret_time_ns);
// Returns the first ready cursor in time, TP_WAITING_NONE if all cursors wait. counts[row] is set
// to the number of cursors before the returned one that wait in that row.
uint32_t tp_waiting_first_ready(const struct tp_waiting *w, uint32_t counts[TP_WAIT_ROWS]);

// Makes cursor `i`, which is ready, wait for the conditions `waits`. `row`: see tp_order_waits.
void tp_waiting_park(struct tp_waiting *w, uint32_t i, unsigned row,
                     const struct tp_waits *waits);
// Makes cursors ready: for each condition that holds now, the first cursor in time that waits for
// it; and the cursor of the thread whose binding has changed.
void tp_waiting_answer(struct tp_waiting *w, const struct tp_answers *answers);
// Makes all waiting cursors ready.
void tp_waiting_answer_all(struct tp_waiting *w);

// Records that Go would sort its frontier now.
void tp_waiting_sorts(struct tp_waiting *w);
// After the event of cursor `i`, which is ready, was taken: moves the cursor to its next event at
// `time_ns`, or removes it at its end. False: the caller has to call tp_waiting_leave.
bool tp_waiting_move(struct tp_waiting *w, uint32_t i, int64_t time_ns) TP_MUST_USE;
bool tp_waiting_remove(struct tp_waiting *w, uint32_t i) TP_MUST_USE;

#endif
