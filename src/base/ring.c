#include "base/ring.h"

#include <ck_ec.h>
#include <ck_ring.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"

#ifdef TP_TSAN
void __tsan_acquire(void *addr);
void __tsan_release(void *addr);
#define TELL_RELEASE(addr) __tsan_release(addr)
#define TELL_ACQUIRE(addr) __tsan_acquire(addr)
#else
#define TELL_RELEASE(addr) ((void)(addr))
#define TELL_ACQUIRE(addr) ((void)(addr))
#endif

struct tp_ring {
    ck_ring_t ring;
    atomic_flag putting; // one producer at a time
    ck_ring_buffer_t slots[];
};

struct tp_ring *tp_ring_create(size_t capacity)
{
    // One slot of a ck_ring always stays empty.
    unsigned slot_count = 4;
    while (slot_count - 1 < capacity)
        slot_count *= 2;
    struct tp_ring *r = tp_alloc(sizeof *r + slot_count * sizeof r->slots[0]);
    if (r != NULL) {
        ck_ring_init(&r->ring, slot_count);
        atomic_flag_clear(&r->putting);
    }
    return r;
}

void tp_ring_destroy(struct tp_ring *r)
{
    tp_free(r);
}

// Producers of ck_ring_enqueue_mpmc publish in the order in which they came; each spins until
// its predecessor is done. If the predecessor has lost its processor (more threads than
// processors, a busy machine), each of them burns a time slice in turn: a ring fell to 500
// items a second. The flag here lets a waiting producer yield its processor instead.
bool tp_ring_try_put(struct tp_ring *r, void *item)
{
    TELL_RELEASE(item);
    while (atomic_flag_test_and_set_explicit(&r->putting, memory_order_acquire))
        sched_yield();
    bool taken = ck_ring_enqueue_spmc(&r->ring, r->slots, item);
    atomic_flag_clear_explicit(&r->putting, memory_order_release);
    return taken;
}

bool tp_ring_try_take(struct tp_ring *r, void **ret_item)
{
    if (!ck_ring_dequeue_spmc(&r->ring, r->slots, ret_item))
        return false;
    TELL_ACQUIRE(*ret_item);
    return true;
}

static int ec_time(const struct ck_ec_ops *ops, struct timespec *ret_now)
{
    (void)ops;
    return clock_gettime(CLOCK_MONOTONIC, ret_now);
}

static void ec_wait32(const struct ck_ec_wait_state *state, const uint32_t *word,
                      uint32_t expected, const struct timespec *deadline)
{
    (void)state;
    syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, expected, deadline, NULL,
            FUTEX_BITSET_MATCH_ANY);
}

static void ec_wake32(const struct ck_ec_ops *ops, const uint32_t *word)
{
    (void)ops;
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

// Without wait64 and wake64, which only event counts of 64 bits need.
static const struct ck_ec_ops ec_ops = {
    .gettime = ec_time,
    .wait32 = ec_wait32,
    .wake32 = ec_wake32,
    // Let a worker without work sleep soon: there may be more workers than work, and other
    // processes may need the cores.
    .busy_loop_iter = 20,
    .initial_wait_ns = 0,
};
static const struct ck_ec_mode ec_mode = {.ops = &ec_ops, .single_producer = false};

_Static_assert(sizeof(struct ck_ec32) <= sizeof(((struct tp_event_count *)0)->opaque),
               "tp_event_count holds a ck_ec32");

static struct ck_ec32 *ec_of(struct tp_event_count *ec)
{
    return (struct ck_ec32 *)(void *)ec->opaque;
}

void tp_event_count_init(struct tp_event_count *ec)
{
    ck_ec32_init(ec_of(ec), 0);
}

uint32_t tp_event_count_ticket(struct tp_event_count *ec)
{
    return ck_ec32_value(ec_of(ec));
}

void tp_event_count_wake(struct tp_event_count *ec)
{
    ck_ec32_inc(ec_of(ec), &ec_mode);
}

void tp_event_count_sleep(struct tp_event_count *ec, uint32_t ticket)
{
    ck_ec32_wait(ec_of(ec), &ec_mode, ticket, NULL);
}
