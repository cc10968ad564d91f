// Bounded hand-over of pointers between threads, and the event count that lets
// a thread sleep until something was handed over. Wraps Concurrency Kit; nothing
// else includes it.
//
// ThreadSanitizer does not see Concurrency Kit's inline assembly, so ring.c is
// compiled without it and tells it about the hand-over by hand: whatever was
// written before an enqueue is visible after the dequeue.
#ifndef TP_BASE_RING_H
#define TP_BASE_RING_H

#include "base/attr.h"

// Any number of threads on both sides.
struct tp_ring;

// Room for `capacity` pointers (rounded up to a power of two, less one). NULL:
// out of memory.
struct tp_ring *tp_ring_create(size_t capacity);
void tp_ring_destroy(struct tp_ring *r); // must be empty of anything that matters

// False when full / empty. Never block.
bool tp_ring_try_put(struct tp_ring *r, void *item) TP_MUST_USE;
bool tp_ring_try_take(struct tp_ring *r, void **ret_item) TP_MUST_USE;

// An event count: read the ticket, look for work, and only then sleep on the
// ticket; a wake in between makes the sleep return at once.
struct tp_event_count {
    _Alignas(8) unsigned char opaque[16];
};
void tp_event_count_init(struct tp_event_count *ec);
uint32_t tp_event_count_ticket(struct tp_event_count *ec);
void tp_event_count_wake(struct tp_event_count *ec); // all sleepers
void tp_event_count_sleep(struct tp_event_count *ec, uint32_t ticket);

#endif
