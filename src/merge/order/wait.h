// Finds the conditions for which a waiting event waits, and the conditions that hold after an event
// was taken. The sequencer compares the two, and asks the rules about a waiting event again only
// when their verdict may have changed.
//
// If several events wait for the same condition, the rules are asked only about the earliest event
// when the condition holds, because taking that event ends the condition; the changes that this
// event makes are then compared with the remaining conditions.
//
// The functions only read the order, on the thread to which it belongs, and cannot fail.
#ifndef TP_MERGE_ORDER_WAIT_H
#define TP_MERGE_ORDER_WAIT_H

#include "merge/order/order.h"

// Kinds of conditions.
enum tp_wait_kind {
    TP_WAIT_P_IDLE,       // P `id` is idle, its counter one before `count`
    TP_WAIT_P_LOST,       // P `id` is in a system call or abandoned, its counter one before `count`
    TP_WAIT_P_NO_SYSCALL, // P `id` is not in a system call
    TP_WAIT_G_RUNNABLE,   // goroutine `id` is runnable, its counter one before `count`
    TP_WAIT_G_WAITING,    // goroutine `id` is waiting, its counter one before `count`
    TP_WAIT_G_NOT_RUNNING, // goroutine `id` is not running
    TP_WAIT_GC,           // the counter of the mark phase is one before `count`
};

// One condition for which an event may wait.
struct tp_wait {
    uint64_t id;
    uint64_t count;
    uint8_t kind; // enum tp_wait_kind
};

// Maximum number of conditions for which one event waits. Any one of them may be enough to let the
// event be taken.
#define TP_WAITS_MAX 2

// The conditions for which one event waits.
struct tp_waits {
    struct tp_wait items[TP_WAITS_MAX];
    unsigned count;
    // If `passes_on` is true: the condition of the event's rule, which holds already.
    struct tp_wait is_there;
    // The event waits only because its thread must first lose the P that the thread has. Meanwhile
    // another event that waits for the condition `is_there` may be taken.
    bool passes_on;
};

// Number of rows of the rule table whose verdict is WAIT, plus one: index 0 of tp_wait_rules stands
// for no row.
enum { TP_WAIT_ROWS = 8 };
extern const uint8_t tp_wait_rules[TP_WAIT_ROWS]; // enum tp_rule of each row

// Finds the conditions for which the event `e` waits; returns the row of its rule. `e` is the next
// event of the thread in slot `m_slot`, and its rule has just answered WAIT. Whether or not one of
// these conditions holds, the rule may also take `e` after an event of another thread has changed
// the binding of the thread of `e`.
unsigned tp_order_waits(const struct tp_order *o, const struct tp_run_event *e, uint32_t m_slot,
                        struct tp_waits *ret_waits);

// Maximum number of conditions that can hold as a result of one event.
#define TP_ANSWERS_MAX 9
// Conditions that hold after an event was taken and that this event may have made true.
struct tp_answers {
    struct tp_wait items[TP_ANSWERS_MAX];
    unsigned count;
    bool has_m; // the event has changed the binding of another thread, `m`
    int64_t m;
};
// Finds the conditions that hold after the event `e` was taken and that `e` may have made true.
// `before` is the binding that the thread of `e` had before `e`.
void tp_order_answers(const struct tp_order *o, const struct tp_run_event *e,
                      const struct tp_binding *before, struct tp_answers *ret_answers);

#endif
