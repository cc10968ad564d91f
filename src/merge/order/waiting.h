// The frontier while many threads wait. Go asks all of them again, and sorts them, after every
// event; here an event that has to wait is not asked again before what it waits for may be
// there (wait.h), and nothing is sorted: O(log threads) for an event.
//
// That is possible as long as no two times are equal: who comes before whom follows from the
// times then, and where an entry stands in Go's heap cannot show. As soon as two are
// equal, the heap is made anew as it would stand: what has changed since Go last sorted
// is done again. So it is the caller's to hold either this or the frontier, and to change
// from one to the other.
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
    struct tp_waiting_turn *turns;     // one for each cursor, by time those that are in
    struct tp_waiting_wait *waits;     // TP_WAITS_MAX for each cursor
    struct tp_waiting_change *changes; // of times since the layout was known
    size_t capacity;                   // cursors, and changes
    size_t cursor_count;
    size_t change_count;
    size_t count;                      // cursors that are in
    size_t least;                      // fewer are left to the frontier
    uint32_t turn_root;
    uint32_t wait_root;
    struct tp_map cursor_of_m;
    bool is_active;
    bool is_sorted; // the layout is that of a sort; else it is still in the frontier
};

void tp_waiting_fini(struct tp_waiting *w); // zeroed is fine
size_t tp_waiting_bytes(const struct tp_waiting *w);
// Forgets who waits; keeps memory.
void tp_waiting_close(struct tp_waiting *w);

// Takes over from the frontier, whose entries point into `cursors`. Nobody counts as
// waiting. `least`: at least 1; how many cursors it takes. False: two times are equal, or
// there is no memory; then nothing has changed.
bool tp_waiting_enter(struct tp_waiting *w, const struct tp_frontier *f,
                      const struct tp_cursor *cursors, size_t cursor_count, size_t least);
// The frontier stands as Go's would. `f` must be as it was on entering.
void tp_waiting_leave(struct tp_waiting *w, struct tp_frontier *f, struct tp_cursor *cursors);

// Cursors are told by their places among all. The first in time.
uint32_t tp_waiting_first(const struct tp_waiting *w, int64_t *ret_time_ns);
// The first that may go, TP_WAITING_NONE if all have to wait. counts[row] is how many of a
// row wait before it.
uint32_t tp_waiting_first_ready(const struct tp_waiting *w, uint32_t counts[TP_WAIT_ROWS]);

// Cursor `i`, which is ready, has to wait.
void tp_waiting_park(struct tp_waiting *w, uint32_t i, unsigned row,
                     const struct tp_waits *waits);
// What is there now: whoever may have it is ready.
void tp_waiting_answer(struct tp_waiting *w, const struct tp_answers *answers);
// The same, of whatever there may be.
void tp_waiting_answer_all(struct tp_waiting *w);

// Go sorts its frontier here.
void tp_waiting_sorts(struct tp_waiting *w);
// Cursor `i`, which is ready, has gone, and its next event is at `time_ns`; or it was at its
// end. False: the caller has to leave.
bool tp_waiting_move(struct tp_waiting *w, uint32_t i, int64_t time_ns) TP_MUST_USE;
bool tp_waiting_remove(struct tp_waiting *w, uint32_t i) TP_MUST_USE;

#endif
