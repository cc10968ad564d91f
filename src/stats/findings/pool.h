// Recognises waits for a slot: a connection of a pool, a permit of a semaphore, a place in a limited
// group. A trace does not tell them from other waits for channels and condition variables, but their
// stacks do: whoever gives a slot back uses the pool as the waiter does. Borrows the totals.
#ifndef TP_STATS_FINDINGS_POOL_H
#define TP_STATS_FINDINGS_POOL_H

#include "stats/findings/wakes.h"

// Whether the waits are for a slot: waiter and waker are in one function, in a function and its
// closure, or in methods of one type, and the program has called these from one function; or
// slots.def has them. A sender to a channel that its own function empties needs no caller in
// common: the channel is a semaphore.
bool tp_wake_is_for_slot(const struct tp_totals *s, const struct tp_wake *wake);

#endif
