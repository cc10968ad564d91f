// A bounded queue of pointers between threads, and an event count that lets a thread sleep
// until a pointer was queued. Wraps Concurrency Kit; no other file includes it.
//
// ThreadSanitizer does not see Concurrency Kit's inline assembly. So ring.c is compiled
// without ThreadSanitizer, and its annotations tell the order to ThreadSanitizer: writes
// before a put are visible after the matching take.
#ifndef TP_BASE_RING_H
#define TP_BASE_RING_H

#include "base/attr.h"

// Any number of threads may put, and any number may take.
struct tp_ring;

// Creates a ring for at least `capacity` pointers (rounded up to a power of two minus one), which
// the caller destroys. NULL: out of memory.
struct tp_ring *tp_ring_create(size_t capacity);
// Frees the ring, but not the objects that queued pointers point to. NULL is fine.
void tp_ring_destroy(struct tp_ring *r);

// Queues a pointer; the ring does not own what it points to. False: the ring is full. Never
// blocks. Any thread.
bool tp_ring_try_put(struct tp_ring *r, void *item) TP_MUST_USE;
// Takes the oldest pointer. False: the ring is empty. Never blocks. Any thread.
bool tp_ring_try_take(struct tp_ring *r, void **ret_item) TP_MUST_USE;

// An event count. A thread reads the ticket, looks for work, and only then sleeps on the
// ticket; a wake in between makes the sleep return at once. Any thread.
struct tp_event_count {
    _Alignas(8) unsigned char opaque[16];
};
// Prepares the event count. Call it before any other thread sees the event count. There is nothing
// to free.
void tp_event_count_init(struct tp_event_count *ec);
// Returns the ticket for a later sleep.
uint32_t tp_event_count_ticket(struct tp_event_count *ec);
// Wakes all sleepers. Call it after the new work is visible to them. Never blocks.
void tp_event_count_wake(struct tp_event_count *ec);
// Blocks until a wake has come since the ticket was read; returns at once if one has.
void tp_event_count_sleep(struct tp_event_count *ec, uint32_t ticket);

#endif
