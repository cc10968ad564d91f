// The conditions for which a waiting event waits, and the conditions that hold after an event was
// taken. With both, no waiting event is put to the rules again before their answer may change.
//
// Of the events that wait for one condition only the first in time is asked once it holds,
// because taking that event ends the condition; its own changes are then matched with the waits.
#ifndef TP_MERGE_ORDER_WAIT_H
#define TP_MERGE_ORDER_WAIT_H

#include "merge/order/order.h"

enum tp_wait_kind {
    TP_WAIT_P_IDLE,       // P `id` is idle, its counter one before `count`
    TP_WAIT_P_LOST,       // P `id` is in a system call or abandoned, counter likewise
    TP_WAIT_P_NO_SYSCALL, // P `id` is not in a system call
    TP_WAIT_G_RUNNABLE,   // goroutine `id` is runnable, its counter one before `count`
    TP_WAIT_G_WAITING,    // goroutine `id` is waiting, counter likewise
    TP_WAIT_G_NOT_RUNNING, // goroutine `id` is not running
    TP_WAIT_GC,           // the counter of the mark phase is one before `count`
};

struct tp_wait {
    uint64_t id;
    uint64_t count;
    uint8_t kind; // enum tp_wait_kind
};

// Most conditions for which one event waits; either one may let it go.
#define TP_WAITS_MAX 2

struct tp_waits {
    struct tp_wait items[TP_WAITS_MAX];
    unsigned count;
    // With `passes_on`: a condition that holds already. The event waits only because its thread
    // must first lose what it has; meanwhile another event may use the condition.
    struct tp_wait is_there;
    bool passes_on;
};

// Rows of the rule table that mean waiting, numbered from 1 on; row 0 means none.
enum { TP_WAIT_ROWS = 8 };
extern const uint8_t tp_wait_rules[TP_WAIT_ROWS]; // enum tp_rule

// Finds the conditions for which `e` waits, an event of the thread in slot `m_slot` to which a
// rule has just answered WAIT; returns its row. `e` may also go after another thread has changed
// the binding of its thread.
unsigned tp_order_waits(const struct tp_order *o, const struct tp_run_event *e, uint32_t m_slot,
                        struct tp_waits *ret_waits);

// Conditions that hold after an event was taken.
#define TP_ANSWERS_MAX 9
struct tp_answers {
    struct tp_wait items[TP_ANSWERS_MAX];
    unsigned count;
    bool has_m;  // the binding of another thread, `m`, has changed
    int64_t m;
};
// `e` was just taken; the binding of its thread was `before`.
void tp_order_answers(const struct tp_order *o, const struct tp_run_event *e,
                      const struct tp_binding *before, struct tp_answers *ret_answers);

#endif
