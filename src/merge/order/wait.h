// What an event that has to wait waits for, and whom an event that has come may let go: so
// that nobody who waits is asked again before it may have changed.
//
// Of those that wait for one thing only the first in time is asked when it is there, because
// he who gets it takes it away: whatever he does then is asked about again.
#ifndef TP_MERGE_ORDER_WAIT_H
#define TP_MERGE_ORDER_WAIT_H

#include "merge/order/order.h"

enum tp_wait_kind {
    TP_WAIT_P_IDLE,       // P `id` is idle, its counter one before `count`
    TP_WAIT_P_LOST,       // P `id` is in a system call or abandoned, the same
    TP_WAIT_P_NO_SYSCALL, // P `id` is not in a system call
    TP_WAIT_G_RUNNABLE,   // goroutine `id` is runnable, its counter one before `count`
    TP_WAIT_G_WAITING,    // goroutine `id` is waiting, the same
    TP_WAIT_G_NOT_RUNNING, // goroutine `id` is not running
    TP_WAIT_GC,           // the counter of the mark phase is one before `count`
};

struct tp_wait {
    uint64_t id;
    uint64_t count;
    uint8_t kind; // enum tp_wait_kind
};

// Most that one event waits for; either may let it go.
#define TP_WAITS_MAX 2

struct tp_waits {
    struct tp_wait items[TP_WAITS_MAX];
    unsigned count;
    // It does not wait for that, which is there: its thread has something it must lose.
    struct tp_wait is_there;
    bool passes_on;
};

// Rows of the rule table that are about waiting, counted from 1 on.
enum { TP_WAIT_ROWS = 8 };
extern const uint8_t tp_wait_rules[TP_WAIT_ROWS]; // enum tp_rule; the first one is none

// `e` of the thread in the slot `m_slot` was just told to wait. Whatever it waits for, it may
// also go if its thread's binding is changed by another one. Its row.
unsigned tp_order_waits(const struct tp_order *o, const struct tp_run_event *e, uint32_t m_slot,
                        struct tp_waits *ret_waits);

// What is there now, after `e` came of a thread whose binding was `before`.
#define TP_ANSWERS_MAX 9
struct tp_answers {
    struct tp_wait items[TP_ANSWERS_MAX];
    unsigned count;
    bool has_m;  // another thread's binding has changed
    int64_t m;
};
void tp_order_answers(const struct tp_order *o, const struct tp_run_event *e,
                      const struct tp_binding *before, struct tp_answers *ret_answers);

#endif
