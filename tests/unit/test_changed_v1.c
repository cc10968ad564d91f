// Older traces are walked over several times, and somebody may write to their file between two
// walks: what the second one finds is not what the first one has prepared for. Events are lost
// then, nothing else.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "decode/format.h"
#include "order_lab_v1.h"
#include "reader_lab.h"
#include "wire_build_v1.h"

#define MINOR 21
#define TRACE_MAX_BYTES TP_MIB(1)
#define ROUNDS 300
#define SEEDS 40
// Walks, and a load for each run of each, or for those with marks: a few for the small ones here.
#define LOADS_MAX 24

#define EV(type, ...) WIRE_V1_PUT(b, MINOR, TP_V1_##type, __VA_ARGS__)

// Logs, system calls that block and that do not, and goroutines that others make.
static void make_trace(const char *path)
{
    struct tp_buf buf, *b = &buf;
    assert_true(tp_buf_init(b, TRACE_MAX_BYTES));
    wire_v1_put_header(b, MINOR);
    wire_v1_put_beginning(b, MINOR);
    for (uint64_t round = 0; round < ROUNDS; round++) {
        char message[32];
        if (round % 50 == 0)
            wire_v1_put_batch(b, MINOR, 0, 101 + 20 * round);
        EV(GoCreate, 1, 2 + round, 2, 3);
        EV(GoSysCall, 1, 4);
        EV(GoSched, 1, 4);
        EV(GoStartLocal, 1, 2 + round);
        snprintf(message, sizeof message, "message %u", (unsigned)round);
        wire_v1_put_log(b, 1, 0, 10, 1, message);
        EV(GoEnd, 1);
        EV(GoStartLocal, 1, 1);
    }
    wire_v1_put_stacks(b, MINOR, 9);
    wire_v1_put_string(b, 1, "main.f");
    wire_v1_put_string(b, 10, "category");
    wire_v1_put_frequency(b, MINOR, 1000000000);
    lab_write(path, b->ptr, b->len_bytes);
    tp_buf_fini(b);
}

typedef struct order_v1_result (*walk_fn)(uint32_t minor, struct tp_span bytes,
                                          const struct order_v1_way *way);

// Asserts that the events of `r` can be printed.
static void check_events(const struct order_v1_result *r)
{
    for (size_t i = 0; r->ordered != NULL && i < r->count; i++)
        assert_int_not_equal(r->ordered[i].type, TP_V1_NONE);
    for (size_t i = 0; r->legacy_events != NULL && i < r->count; i++) {
        const struct tp_legacy_event *e = &r->legacy_events[i];
        assert_non_null(tp_v1_type_names[e->type]);
        for (unsigned k = 0; k < tp_legacy_event_strings(e->type); k++)
            assert_true(e->strings[k] < r->tables->strings.count);
    }
}

static void walk_all(const char *path)
{
    static const walk_fn walks[] = {order_v1_walk, order_v1_convert, order_v1_legacy_events};
    struct lab_trace t = lab_load(path);
    struct tp_span bytes = tp_span_of(t.bytes, t.len_bytes);
    struct tp_format format;
    assert_int_equal(tp_format_detect(bytes, true, &format), TP_FORMAT_KNOWN);
    bytes = tp_span_skip(bytes, format.header_bytes);
    for (size_t w = 0; w < TP_ARRAY_LEN(walks); w++) {
        struct order_v1_way way = {.is_spilled = true};
        struct order_v1_result whole = walks[w](format.minor, bytes, &way);
        assert_int_equal(whole.err.code, 0);
        size_t changed_count = 0;
        for (unsigned n = 0; n < LOADS_MAX * SEEDS; n++) {
            way.change = ORDER_V1_SOME;
            way.changes_after = n % LOADS_MAX;
            way.change_seed = 1 + n / LOADS_MAX;
            way.is_strict = n / LOADS_MAX % 3 == 1;
            way.walks_first = n / LOADS_MAX % 3 == 2;
            struct order_v1_result r = walks[w](format.minor, bytes, &way);
            check_events(&r);
            changed_count += r.err.code != 0 || r.count != whole.count;
            order_v1_result_fini(&r);
        }
        assert_true(changed_count > SEEDS);
        order_v1_result_fini(&whole);
    }
    lab_drop(&t);
}

static void test_bytes_that_change_between_walks(void **state)
{
    (void)state;
    static const char *const names[] = {"go111-gc", "go121-cpu", "go19-stw"};
    make_trace("a.trace");
    walk_all("a.trace");
    for (size_t i = 0; i < TP_ARRAY_LEN(names); i++) {
        char path[256];
        snprintf(path, sizeof path, TP_TRACES "/v1/%s.trace", names[i]);
        walk_all(path);
    }
}

static struct order_v1_result walk_changed(walk_fn walk, enum order_v1_change change)
{
    struct tp_buf buf, *b = &buf;
    assert_true(tp_buf_init(b, TRACE_MAX_BYTES));
    wire_v1_put_beginning(b, MINOR);
    EV(GoSched, 1, 4);
    EV(GoStartLocal, 1, 1);
    EV(HeapAlloc, 1, 5);
    EV(GoEnd, 1);
    wire_v1_put_stacks(b, MINOR, 9);
    wire_v1_put_string(b, 1, "main.f");
    wire_v1_put_frequency(b, MINOR, 1000000000);
    struct order_v1_way way = {.is_spilled = true, .walks_first = true};
    struct tp_span bytes = tp_span_of(b->ptr, b->len_bytes);
    struct order_v1_result whole = walk(MINOR, bytes, &way);
    assert_int_equal(whole.err.code, 0);
    order_v1_result_fini(&whole);
    way.change = change;
    way.changes_after = 1; // with the second walk
    struct order_v1_result r = walk(MINOR, bytes, &way);
    check_events(&r);
    tp_buf_fini(b);
    return r;
}

static void test_syscalls_that_the_first_walk_has_not_met(void **state)
{
    (void)state;
    struct order_v1_result r = walk_changed(order_v1_convert, ORDER_V1_SYSCALLS);
    assert_int_not_equal(r.err.code, 0);
    order_v1_result_fini(&r);
}

static void test_fewer_events_than_there_were_turns(void **state)
{
    (void)state;
    struct order_v1_result r = walk_changed(order_v1_legacy_events, ORDER_V1_JOINED);
    assert_int_equal(r.err.code, TP_E_READ);
    assert_string_equal(r.err.text, "the file changed while it was read");
    order_v1_result_fini(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_bytes_that_change_between_walks, lab_set_up,
                                        lab_tear_down),
        cmocka_unit_test(test_syscalls_that_the_first_walk_has_not_met),
        cmocka_unit_test(test_fewer_events_than_there_were_turns),
    };
    return cmocka_run_group_tests_name("changed_v1", tests, NULL, NULL);
}
