// Contended locks, slow channels, and pools that are exhausted, from waits by who ended them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "finding_lab.h"

#define SECOND (1000 * FINDING_MS)

#define LOCKS(s, ...) FINDING_STACK(s, "sync.(*Mutex).Lock", __VA_ARGS__)
#define UNLOCKS(s, ...) FINDING_STACK(s, "sync.(*Mutex).Unlock", __VA_ARGS__)

// LOCKS

static void expect_lock(uint64_t less, unsigned count, uint64_t want_value)
{
    struct tp_totals s = finding_input(SECOND, 4, 0);
    uint32_t left = LOCKS(&s, "main.get");
    finding_wake(&s, left, UNLOCKS(&s, "main.put"), "sync", count - 1, FINDING_MS, 5);
    finding_wake(&s, left, UNLOCKS(&s, "main.put"), "sync", 1, (36 - count) * FINDING_MS - less, 5);
    const struct tp_file_row *row = finding_judge(&s);
    assert_true(row->values[TP_FINDS_LOCK] == want_value);
    assert_true((finding_of(&s, TP_FINDS_LOCK) != NULL) ==
                (want_value != TP_VALUE_NONE && want_value >= 35000));
    tp_totals_fini(&s);
}

static void test_a_lock_at_the_threshold(void **state)
{
    (void)state;
    expect_lock(0, 3, 35000);
    expect_lock(1, 3, 34999);
    // Two waits of three; the longer would count by itself.
    expect_lock(0, 2, 23800); // 34 ms of 50
}

// Judges `count` waits of `ns` each for one lock, in an input of this duration.
static bool has_lock(uint64_t duration_ns, unsigned count, uint64_t ns)
{
    struct tp_totals s = finding_input(duration_ns, 4, 0);
    finding_wake(&s, LOCKS(&s, "main.get"), UNLOCKS(&s, "main.put"), "sync", count, ns, 1);
    finding_judge(&s);
    bool has = finding_of(&s, TP_FINDS_LOCK) != NULL;
    tp_totals_fini(&s);
    return has;
}

static void test_which_waits_for_locks_matter(void **state)
{
    (void)state;
    // Short waits matter only if a goroutine waits all the time.
    assert_true(has_lock(10 * FINDING_MS * 10, 5, FINDING_MS));
    assert_false(has_lock(10 * FINDING_MS * 10, 50, FINDING_MS - FINDING_MS / 50));
    assert_true(has_lock(100 * FINDING_MS, 200, FINDING_MS / 2));
    assert_false(has_lock(100 * FINDING_MS, 199, FINDING_MS / 2));
    // One wait matters if it is 50 ms long, and a twentieth of the time.
    assert_true(has_lock(SECOND, 1, 50 * FINDING_MS));
    assert_false(has_lock(SECOND, 1, 50 * FINDING_MS - 1));
    assert_false(has_lock(SECOND + 1, 1, 50 * FINDING_MS));
}

static void test_once_is_no_lock(void **state)
{
    (void)state;
    struct tp_totals s = finding_input(SECOND, 4, 0);
    finding_wake(&s, LOCKS(&s, "sync.(*Once).doSlow", "sync.(*Once).Do", "main.get"),
                 UNLOCKS(&s, "sync.(*Once).doSlow", "sync.(*Once).Do", "main.get"), "sync", 9, SECOND, 5);
    assert_int_equal(finding_judge(&s)->values[TP_FINDS_LOCK], 0);
    // But a lock that the function of a Once waits for is one.
    finding_wake(&s, LOCKS(&s, "main.load", "sync.(*Once).doSlow", "main.get"),
                 UNLOCKS(&s, "main.put"), "sync", 9, SECOND, 5);
    assert_true(finding_judge(&s)->values[TP_FINDS_LOCK] > 0);
    tp_totals_fini(&s);
}

static void test_methods_that_wrap_a_lock(void **state)
{
    (void)state;
    struct tp_totals s = finding_input(SECOND, 4, 0);
    finding_wake(&s, LOCKS(&s, "log.(*mutexWrap).Lock", "github.com/x/log.(*mutex).RLock", "main.get"),
                 UNLOCKS(&s, "github.com/x/log.(*mutex).Unlock", "main.put"), "sync", 9, 10 * FINDING_MS, 5);
    finding_judge(&s);
    finding_expect_place(&s, &finding_of(&s, TP_FINDS_LOCK)->culprit, "main.put", 3);
    finding_expect_place(&s, &finding_of(&s, TP_FINDS_LOCK)->victim, "main.get", 4);
    tp_totals_fini(&s);
}

static void test_who_held_it(void **state)
{
    (void)state;
    struct tp_totals s = finding_input(SECOND, 4, 0);
    uint32_t get = LOCKS(&s, "main.locked", "main.get", "main.main");
    // Waiters hand the lock on: most waits are ended by another waiter, who is not to blame.
    finding_wake(&s, get, UNLOCKS(&s, "main.locked", "main.get", "main.main"), "sync", 9, 10 * FINDING_MS, 3);
    finding_wake(&s, get, UNLOCKS(&s, "main.locked", "main.refresh", "main.main"), "sync", 1,
         5 * FINDING_MS, 5 * FINDING_MS);
    // Nobody of the program held it.
    finding_wake(&s, get, FINDING_STACK(&s, "runtime.semrelease"), "sync", 1, FINDING_MS, FINDING_MS);
    // These are no waits for a lock.
    finding_wake(&s, FINDING_STACK(&s, "sync.(*WaitGroup).Wait", "main.get"), UNLOCKS(&s, "main.a"), "sync",
         9, 100 * FINDING_MS, 100 * FINDING_MS);
    finding_wake(&s, get, UNLOCKS(&s, "main.a"), "select", 9, 100 * FINDING_MS, 0);
    finding_judge(&s);
    const struct tp_found *found = finding_of(&s, TP_FINDS_LOCK);
    assert_non_null(found);
    assert_true(found->count == 11 && found->max_ns == 10 * FINDING_MS);
    assert_true(found->lost == 96 * FINDING_MS && found->value_ppm == 96000);
    assert_true(found->p99_ns <= found->max_ns && found->p99_ns > 9 * FINDING_MS);
    finding_expect_place(&s, &found->culprit, "main.refresh", 3);
    // Of the waits that main.get ended itself nothing but the helper is left.
    finding_expect_place(&s, &found->victim, "main.locked", 2);
    tp_totals_fini(&s);
}

static void test_the_library_held_it(void **state)
{
    (void)state;
    struct tp_totals s = finding_input(SECOND, 4, 0);
    uint32_t get = LOCKS(&s, "net/http.(*Transport).take", "main.fetch");
    finding_wake(&s, get, UNLOCKS(&s, "net/http.(*Transport).put"), "sync", 9, 10 * FINDING_MS, 0);
    finding_wake(&s, get, FINDING_STACK(&s, "runtime.semrelease"), "sync", 9, 20 * FINDING_MS, 0);
    finding_judge(&s);
    const struct tp_found *found = finding_of(&s, TP_FINDS_LOCK);
    assert_non_null(found);
    finding_expect_place(&s, &found->culprit, "net/http.(*Transport).put", 2);
    tp_totals_fini(&s);
}

static void test_locks_are_joined_by_functions(void **state)
{
    (void)state;
    struct tp_totals s = finding_input(SECOND, 4, 0);
    // a waits for b, b waits for c: one lock. x and y share nothing with these.
    finding_wake(&s, LOCKS(&s, "main.a"), UNLOCKS(&s, "main.b"), "sync", 5, 10 * FINDING_MS, FINDING_MS);
    finding_wake(&s, LOCKS(&s, "main.b"), UNLOCKS(&s, "main.c"), "sync", 5, 10 * FINDING_MS, 2);
    finding_wake(&s, LOCKS(&s, "main.x"), UNLOCKS(&s, "main.y"), "sync", 5, 8 * FINDING_MS, 0);
    finding_judge(&s);
    assert_int_equal(s.found.count, 2);
    assert_int_equal(s.found.items[0].value_ppm, 100000);
    finding_expect_place(&s, &s.found.items[0].culprit, "main.b", 2);
    assert_int_equal(s.found.items[1].value_ppm, 40000);
    // Nobody is to blame by time; by waits it is who ended them.
    finding_expect_place(&s, &s.found.items[1].culprit, "main.y", 2);
    finding_expect_place(&s, &s.found.items[1].victim, "main.x", 2);
    tp_totals_fini(&s);
}

// CHANNELS

#define SENDS(s, ...) FINDING_STACK(s, "runtime.chansend1", __VA_ARGS__)
#define RECEIVES(s, ...) FINDING_STACK(s, "runtime.chanrecv1", __VA_ARGS__)

static void expect_senders(uint64_t less, unsigned count, uint64_t want_value)
{
    struct tp_totals s = finding_input(SECOND, 4, 0);
    uint32_t left = SENDS(&s, "main.produce"), right = RECEIVES(&s, "main.consume");
    finding_wake(&s, left, right, "chan send", count - 1, 100 * FINDING_MS, 0);
    // The rest of 1.2 s is still blocked when the trace ends.
    finding_wake(&s, left, right, "chan send", 1, 50 * FINDING_MS, 0);
    uint64_t open_ns = 1200 * FINDING_MS - (100 * (count - 1) + 50) * FINDING_MS - less;
    assert_true(tp_totals_record_stack(&s, left, TP_STACK_SYNC_OPEN, 1, open_ns));
    assert_true(tp_totals_record_stack(&s, right, TP_STACK_SYNC_OPEN, 1, 9 * SECOND));
    const struct tp_file_row *row = finding_judge(&s);
    assert_int_equal(row->values[TP_FINDS_CHANNEL], want_value);
    const struct tp_found *found = finding_of(&s, TP_FINDS_CHANNEL);
    assert_true((found != NULL) == (want_value != TP_VALUE_NONE && want_value >= 1200000));
    if (found != NULL) {
        finding_expect_place(&s, &found->culprit, "main.consume", 2);
        finding_expect_place(&s, &found->victim, "main.produce", 2);
    }
    tp_totals_fini(&s);
}

static void test_senders_at_the_threshold(void **state)
{
    (void)state;
    expect_senders(0, 10, 1200000);
    expect_senders(1, 10, 1199999);
    expect_senders(0, 9, 1080000); // nine waits of ten
}

static void test_receivers_count_with_blame(void **state)
{
    (void)state;
    for (uint64_t less = 0; less < 2; less++) {
        struct tp_totals s = finding_input(SECOND, 4, 0);
        finding_wake(&s, RECEIVES(&s, "main.work"), SENDS(&s, "main.feed"), "chan receive", 20,
             200 * FINDING_MS, 1200 * FINDING_MS - less);
        const struct tp_file_row *row = finding_judge(&s);
        assert_int_equal(row->values[TP_FINDS_CHANNEL], 1200000 - less);
        assert_int_equal(s.found.count, 1 - less);
        tp_totals_fini(&s);
    }
}

// Twenty waits of ten goroutines are work that comes again and again; of eleven they are not. How
// often senders wait does not matter.
static void test_who_receives_once_waits_for_its_end(void **state)
{
    (void)state;
    for (unsigned more = 0; more < 2; more++) {
        struct tp_totals s = finding_input(SECOND, 4, 0);
        uint32_t receives = RECEIVES(&s, "main.watch", "main.run"), sends = SENDS(&s, "main.stop");
        finding_wake(&s, receives, sends, "chan receive", 20, 200 * FINDING_MS, 1300 * FINDING_MS);
        for (unsigned i = 0; i < 10 + more; i++)
            finding_time(&s, TP_SPACE_GOROUTINE, "main.run", TP_MEASURE_LIFE, FINDING_MS);
        finding_judge(&s);
        assert_int_equal(s.found.count, 1 - more);
        tp_totals_fini(&s);
    }
    struct tp_totals s = finding_input(SECOND, 4, 0);
    finding_wake(&s, SENDS(&s, "main.put", "main.run"), RECEIVES(&s, "main.get"), "chan send", 20,
                 200 * FINDING_MS, 0);
    for (unsigned i = 0; i < 20; i++)
        finding_time(&s, TP_SPACE_GOROUTINE, "main.run", TP_MEASURE_LIFE, FINDING_MS);
    finding_judge(&s);
    assert_int_equal(s.found.count, 1);
    tp_totals_fini(&s);
}

static void test_who_selects_is_a_sender_or_a_receiver(void **state)
{
    (void)state;
    struct tp_totals s = finding_input(SECOND, 4, 0);
    uint32_t selects = FINDING_STACK(&s, "runtime.selectgo", "main.a");
    finding_wake(&s, selects, RECEIVES(&s, "main.slow"), "select", 20, 100 * FINDING_MS, 0);
    finding_wake(&s, selects, SENDS(&s, "main.feed"), "select", 20, 100 * FINDING_MS, FINDING_MS);
    finding_wake(&s, selects, FINDING_STACK(&s, "runtime.selectgo", "main.b"), "select", 99, SECOND, SECOND);
    // A timer ended these.
    finding_wake(&s, selects, FINDING_STACK(&s, "runtime.chansend", "time.sendTime"), "select", 99, SECOND,
         SECOND);
    finding_wake(&s, selects, TP_INTERN_NONE, "chan send", 99, SECOND, SECOND);
    const struct tp_file_row *row = finding_judge(&s);
    const struct tp_found *found = finding_of(&s, TP_FINDS_CHANNEL);
    assert_non_null(found);
    assert_true(found->lost == 2 * SECOND && found->count == 20);
    assert_int_equal(row->values[TP_FINDS_CHANNEL], 2000000);
    finding_expect_place(&s, &found->culprit, "main.slow", 2);
    tp_totals_fini(&s);
}

// POOLS

#define HANDLER "main.order", "net/http.HandlerFunc.ServeHTTP", "net/http.(*conn).serve"

// Judges waits of 1.2 goroutines, of one pair of stacks and reason; `busy_ns` of 4 s of the Ps are used.
static struct tp_totals judge_pool(const char *reason, const char *const *wait, const char *const *wake,
                                   unsigned count, uint64_t busy_ns)
{
    struct tp_totals s = finding_input(SECOND, 4, 0);
    finding_time(&s, TP_SPACE_GOROUTINE, "main.w", TP_MEASURE_RUN, busy_ns);
    finding_wake(&s, finding_stack(&s, wait), finding_stack(&s, wake), reason, count,
                 1200 * FINDING_MS / count, 0);
    finding_judge(&s);
    return s;
}

static bool is_pool(const char *reason, const char *const *wait, const char *const *wake)
{
    struct tp_totals s = judge_pool(reason, wait, wake, 10, 1);
    bool is = finding_of(&s, TP_FINDS_POOL) != NULL;
    // One fault is one finding.
    assert_true(!is || finding_of(&s, TP_FINDS_CHANNEL) == NULL);
    tp_totals_fini(&s);
    return is;
}
#define STACK(...) ((const char *const[]){__VA_ARGS__, NULL})

// Stages of one function, in goroutines that a closure begins, of which the first gets its work from
// elsewhere.
static void test_a_chain_of_stages_is_no_pool(void **state)
{
    (void)state;
#define STAGE(call) call, "main.stage", "main.main.func1"
    for (unsigned fed = 10; fed < 12; fed++) {
        struct tp_totals s = finding_input(SECOND, 4, 0);
        uint32_t gets = FINDING_STACK(&s, STAGE("runtime.chanrecv1"));
        finding_time(&s, TP_SPACE_GOROUTINE, "main.w", TP_MEASURE_RUN, 1);
        finding_wake(&s, gets, FINDING_STACK(&s, STAGE("runtime.chansend1")), "chan receive", 100 - fed,
                     20 * FINDING_MS, 0);
        finding_wake(&s, gets, FINDING_STACK(&s, "runtime.chansend1", "main.source"), "chan receive",
                     fed, 20 * FINDING_MS, 0);
        finding_judge(&s);
        assert_true((finding_of(&s, TP_FINDS_POOL) != NULL) == (fed == 10));
        tp_totals_fini(&s);
    }
}

static void test_what_is_a_slot(void **state)
{
    (void)state;
    // One function takes a slot and gives it back; so do methods of one type that it calls.
    assert_true(is_pool("chan receive", STACK("runtime.chanrecv1", HANDLER),
                        STACK("runtime.chansend1", HANDLER)));
    assert_true(is_pool("select", STACK("runtime.selectgo", "x.io/p.(*Pool).get", HANDLER),
                        STACK("runtime.chansend1", "x.io/p.(*Pool).put", HANDLER)));
    assert_true(is_pool("sync.(*Cond).Wait", STACK("sync.(*Cond).Wait", "x.io/p.(*Pool).get", HANDLER),
                        STACK("sync.(*Cond).Signal", "x.io/p.(*Pool).put", HANDLER)));
    // The method that gives the slot back calls a method of the wait; but not further inside.
    assert_true(is_pool("select", STACK("runtime.selectgo", "x.io/p.(*Pool).get", HANDLER),
                        STACK("runtime.closechan", "x.io/p.(*want).ready", "x.io/p.(*Pool).put",
                              HANDLER)));
    assert_false(is_pool("select", STACK("runtime.selectgo", "x.io/p.(*Pool).get", HANDLER),
                         STACK("runtime.closechan", "x.io/p.(*want).ready", "x.io/p.deliver",
                               "x.io/p.(*Pool).put", HANDLER)));
    // A closure inside a closure; its name goes on with a number. Another one beside it is none.
    assert_true(is_pool("select", STACK("runtime.selectgo", "x.io/t.Limit.func1.1", HANDLER),
                        STACK("runtime.chansend1", "x.io/t.Limit.func1.1.3", HANDLER)));
    assert_false(is_pool("select", STACK("runtime.selectgo", "x.io/t.Limit.func1.1", HANDLER),
                         STACK("runtime.chansend1", "x.io/t.Limit.func1.13", "main.done", HANDLER)));
    // A closure of a function that was inlined.
    assert_true(is_pool("chan send", STACK("runtime.chansend1", "x.io/s.acquire", "x.io/s.handle", HANDLER),
                        STACK("runtime.chanrecv1", "x.io/s.handle.acquire.func1", "main.f", HANDLER)));
    // Closures of methods; those of two functions have no type.
    assert_true(is_pool("select", STACK("runtime.selectgo", "x.io/p.(*Pool).get.func1", "main.f", HANDLER),
                        STACK("runtime.chansend1", "x.io/p.(*Pool).put.func2.1", "main.g", HANDLER)));
    assert_false(is_pool("select", STACK("runtime.selectgo", "x.io/p.get.func1", "main.f", HANDLER),
                         STACK("runtime.chansend1", "x.io/p.put.func1", "main.g", HANDLER)));
    // Methods of a type that is no pointer.
    assert_true(is_pool("chan receive", STACK("runtime.chanrecv1", "x.io/s.S.get", HANDLER),
                        STACK("runtime.chansend1", "x.io/s.S.put", "main.f", HANDLER)));
    // Two functions that one calls, also where a goroutine begins with it if they send, but no others.
    assert_true(is_pool("chan receive", STACK("runtime.chanrecv1", "main.acquire", HANDLER),
                        STACK("runtime.chansend1", "main.release", HANDLER)));
    assert_true(is_pool("chan send", STACK("runtime.chansend1", "main.acquire", "main.order"),
                        STACK("runtime.chanrecv1", "main.release", "main.order")));
    assert_true(is_pool("select", STACK("runtime.selectgo", "main.acquire", "main.order"),
                        STACK("runtime.chanrecv1", "main.release", "main.order.deferwrap1",
                              "main.order")));
    assert_false(is_pool("chan receive", STACK("runtime.chanrecv1", "main.acquire", "main.order"),
                         STACK("runtime.chansend1", "main.release", "main.order")));
    assert_false(is_pool("chan send", STACK("runtime.chansend1", "main.put", "main.order"),
                         STACK("runtime.chanrecv1", "main.take", "main.work")));
    assert_false(is_pool("chan send", STACK("runtime.chansend1", "main.put", "main.order"),
                         STACK("runtime.chanrecv1", "x.io/q.take", "main.order")));
    // A channel that a function fills and its closure empties is a semaphore.
    assert_true(is_pool("chan send", STACK("runtime.chansend1", "main.all", "main.main"),
                        STACK("runtime.chanrecv1", "main.all.func1")));
    // Libraries whose stacks do not show it.
    assert_true(is_pool("chan send", STACK("runtime.chansend1", "golang.org/x/sync/errgroup.(*Group).Go",
                                           "main.all"),
                        STACK("runtime.chanrecv1", "golang.org/x/sync/errgroup.(*Group).done",
                              "golang.org/x/sync/errgroup.(*Group).Go.func1")));
    // A queue: whoever gets is not whom puts. A sender and a receiver. A ping-pong.
    assert_false(is_pool("select", STACK("runtime.selectgo", "x.io/q.(*Queue).get", "main.work"),
                         STACK("runtime.chansend1", "x.io/q.(*Queue).put", HANDLER)));
    assert_false(is_pool("chan receive", STACK("runtime.chanrecv1", "main.work", "main.loop"),
                         STACK("runtime.chansend1", "main.feed", "main.loop")));
    assert_false(is_pool("chan receive", STACK("runtime.chanrecv1", "main.player"),
                         STACK("runtime.chansend1", "main.player")));
    // Names that are lost are no names.
    assert_false(is_pool("chan receive", STACK("", HANDLER), STACK("", HANDLER)));
    // A lock is no pool, and nor is a wait that a timer ends.
    assert_false(is_pool("sync", STACK("sync.(*Mutex).Lock", HANDLER),
                         STACK("sync.(*Mutex).Unlock", HANDLER)));
    assert_false(is_pool("select", STACK("runtime.selectgo", HANDLER), STACK(NULL)));
}

static void test_a_pool_at_the_threshold(void **state)
{
    static const struct {
        unsigned count;
        uint64_t busy_ns;
        uint64_t want_value;
    } cases[] = {
        {10, 1, 1200000},
        {8, 1, 960000},                  // eight waits of ten
        {10, 2 * SECOND - 1, 1200000},   // with the 1 ns of main.main half of the Ps' time
        {10, 4 * SECOND - 1, 600000},    // the Ps are busy for all of it
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tp_totals s =
            judge_pool("select", STACK("runtime.selectgo", "x.io/p.(*Pool).get", HANDLER),
                       STACK("runtime.chansend1", "x.io/p.(*Pool).put", HANDLER), cases[i].count,
                       cases[i].busy_ns);
        assert_int_equal(s.files.items[0].values[TP_FINDS_POOL], cases[i].want_value);
        const struct tp_found *found = finding_of(&s, TP_FINDS_POOL);
        assert_true((found != NULL) == (cases[i].want_value == 1200000));
        if (found != NULL) {
            finding_expect_place(&s, &found->culprit, "x.io/p.(*Pool).get", 2);
            finding_expect_place(&s, &found->other, "-", 0);
        }
        tp_totals_fini(&s);
    }
}

// Waits that a reader of the network ends are for a slot, too, if waits at the same line are.
static void test_waits_beside_those_for_a_slot(void **state)
{
    (void)state;
    struct tp_totals s = finding_input(SECOND, 4, 0);
    uint32_t wait = FINDING_STACK(&s, "runtime.selectgo", "database/sql.(*DB).conn", HANDLER);
    finding_wake(&s, wait, FINDING_STACK(&s, "database/sql.(*DB).putConnDBLocked", HANDLER), "select",
                 10, 100 * FINDING_MS, 0);
    finding_wake(&s, wait, FINDING_STACK(&s, "main.read"), "select", 10, 900 * FINDING_MS, 0);
    finding_judge(&s);
    const struct tp_found *found = finding_of(&s, TP_FINDS_POOL);
    assert_non_null(found);
    assert_true(found->value_ppm == 10000000 && found->count == 20);
    finding_expect_place(&s, &found->culprit, "main.order", 3);
    finding_expect_place(&s, &found->other, "database/sql.(*DB).conn", 2);
    tp_totals_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_lock_at_the_threshold),
        cmocka_unit_test(test_which_waits_for_locks_matter),
        cmocka_unit_test(test_once_is_no_lock),
        cmocka_unit_test(test_methods_that_wrap_a_lock),
        cmocka_unit_test(test_who_held_it),
        cmocka_unit_test(test_the_library_held_it),
        cmocka_unit_test(test_locks_are_joined_by_functions),
        cmocka_unit_test(test_senders_at_the_threshold),
        cmocka_unit_test(test_receivers_count_with_blame),
        cmocka_unit_test(test_who_receives_once_waits_for_its_end),
        cmocka_unit_test(test_who_selects_is_a_sender_or_a_receiver),
        cmocka_unit_test(test_what_is_a_slot),
        cmocka_unit_test(test_a_chain_of_stages_is_no_pool),
        cmocka_unit_test(test_a_pool_at_the_threshold),
        cmocka_unit_test(test_waits_beside_those_for_a_slot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
