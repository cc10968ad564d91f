// What `list` knows of a trace, held against what the trace was made of: batches of every
// release before Go 1.22 with their times by the formula, wherever units are cut; and the
// ways in which clocks cannot be.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "sink/inventory/input.h"
#include "sink_drive.h"
#include "wire_build_v1.h"

#define TRACE_MAX_BYTES TP_MIB(2)
#define BATCHES_MAX 1500 // more than a block of records

struct batch {
    uint64_t offset;
    uint64_t len_bytes;
    uint64_t p;
    uint64_t ticks;
    uint64_t event_count;
    uint64_t first_ticks;
    uint64_t last_ticks;
};

// A trace, and what should be told of it.
struct made {
    struct tp_buf wire;
    uint32_t minor;
    uint64_t frequency; // 0: not said
    size_t batch_count;
    struct batch batches[BATCHES_MAX];
    uint64_t event_count;
    uint64_t string_count;
    uint64_t stack_count;
};

static struct made made;

// What the sink below leaves.
static struct tp_inventory_input found;
static struct tp_listing_summary summary;

static int finish(const struct tp_sink_call *call, const struct tp_input_info *input,
                  const struct tp_input_report *report, struct tp_error *err)
{
    int rc = tp_inventory_input_end(call->input_state, report, err);
    if (rc != 0)
        return rc;
    tp_inventory_summary(call->input_state, input, report, &summary);
    found = *(struct tp_inventory_input *)call->input_state;
    *(struct tp_inventory_input *)call->input_state = (struct tp_inventory_input){0};
    return 0;
}

static void make_plan(const void *config, struct tp_sink_plan *plan)
{
    (void)config;
    *plan = (struct tp_sink_plan){TP_INVENTORY_PLAN,
                                  .input = {TP_INVENTORY_HOOKS, .finish = finish}};
}

static const struct tp_sink_def keep_sink = {.name = "keep", .config_bytes = 1, .plan = make_plan};

static struct sink_drive drive;

static void put_event(uint64_t dt)
{
    if (made.minor == 5)
        WIRE_V1_PUT(&made.wire, made.minor, TP_V1_ProcStop, 0, dt);
    else
        WIRE_V1_PUT(&made.wire, made.minor, TP_V1_ProcStop, dt);
    made.event_count++;
}

static void put_string(void)
{
    if (made.minor < 7)
        return;
    wire_v1_put_string(&made.wire, ++made.string_count, "word");
    made.event_count++;
}

static void put_batch(uint64_t *seed, uint64_t p, uint64_t ticks, size_t events)
{
    struct batch *b = &made.batches[made.batch_count++];
    *b = (struct batch){.offset = made.wire.len_bytes, .p = p, .ticks = ticks,
                        .last_ticks = ticks, .event_count = events};
    wire_v1_put_batch(&made.wire, made.minor, p, ticks);
    made.event_count++;
    // Tables may come before the first event, and between events.
    for (size_t i = 0; i < events; i++) {
        uint64_t dt = wire_random(seed) % 300;
        if (wire_random(seed) % 7 == 0)
            put_string();
        put_event(dt);
        b->last_ticks += dt;
        if (i == 0)
            b->first_ticks = b->last_ticks;
    }
    b->len_bytes = made.wire.len_bytes - b->offset;
}

static void put_tables(uint64_t ticks)
{
    struct batch *b = &made.batches[made.batch_count];
    put_batch(NULL, 0, ticks, 0);
    if (made.frequency != 0) {
        wire_v1_put_frequency(&made.wire, made.minor, made.frequency);
        made.event_count++;
    }
    wire_v1_put_stack(&made.wire, made.minor, 1, 3, 4096, 0);
    made.event_count++;
    made.stack_count++;
    b->len_bytes = made.wire.len_bytes - b->offset;
}

static void make_trace(uint32_t minor, uint64_t frequency, size_t batch_count, uint64_t seed)
{
    struct tp_buf wire = made.wire;
    tp_buf_reset(&wire);
    made = (struct made){.wire = wire, .minor = minor, .frequency = frequency};
    wire_v1_put_header(&made.wire, minor);
    for (size_t i = 0; i < batch_count; i++)
        put_batch(&seed, wire_random(&seed) % 9 == 0 ? UINT64_MAX : wire_random(&seed) % 8,
                  1000 + wire_random(&seed) % 100000, wire_random(&seed) % 12);
    put_tables(200000);
}

static void list_made(size_t unit_bytes)
{
    struct tp_error err;
    drive.unit_bytes = unit_bytes;
    struct tp_span bytes = tp_span_of(made.wire.ptr, made.wire.len_bytes);
    assert_int_equal(sink_drive_run(&drive, bytes, &err), 0);
}

static void check_batch(size_t idx, int64_t first_ticks)
{
    const struct batch *want = &made.batches[idx];
    struct tp_listed_batch got;
    struct tp_error err;
    assert_int_equal(tp_inventory_listed_batch(&found, idx, &got, &err), 0);
    assert_int_equal(got.offset, want->offset);
    assert_int_equal(got.len_bytes, want->len_bytes);
    assert_int_equal(got.owner, (int64_t)want->p);
    assert_int_equal(got.generation, 0);
    assert_int_equal(got.ticks, want->ticks);
    assert_int_equal(got.kind, want->event_count > 0 ? TP_LISTED_EVENTS : TP_LISTED_TABLES);
    assert_int_equal(got.has_ns, made.frequency != 0);
    if (got.has_ns) {
        // As the package traceparser has it.
        double per_tick = 1e9 / (double)made.frequency;
        int64_t since_ticks = (int64_t)want->ticks - first_ticks;
        assert_int_equal(got.ns, (int64_t)((double)since_ticks * per_tick));
    }
}

static void check_made(void)
{
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (size_t i = 0; i < made.batch_count; i++) {
        const struct batch *b = &made.batches[i];
        if (b->event_count > 0 && (int64_t)b->first_ticks < first)
            first = (int64_t)b->first_ticks;
        if (b->event_count > 0 && (int64_t)b->last_ticks > last)
            last = (int64_t)b->last_ticks;
    }
    assert_int_equal(summary.go_minor, made.minor);
    assert_int_equal(summary.batch_count, made.batch_count);
    assert_int_equal(summary.generation_count, 0);
    assert_int_equal(summary.event_count, made.event_count);
    assert_int_equal(summary.string_count, made.string_count);
    assert_int_equal(summary.stack_count, made.stack_count);
    assert_int_equal(summary.ticks_per_second, made.frequency);
    assert_true(summary.has_ticks);
    assert_int_equal(summary.first_ticks, first);
    assert_int_equal(summary.last_ticks, last);
    assert_int_equal(summary.has_span, made.frequency != 0);
    if (summary.has_span)
        assert_int_equal(summary.span_ns,
                         (int64_t)((double)(last - first) * (1e9 / (double)made.frequency)));
    for (size_t i = 0; i < made.batch_count; i++)
        check_batch(i, first);
    // Anywhere, too.
    for (size_t n = 0; n < 50; n++)
        check_batch(n * 7919 % made.batch_count, first);
    tp_inventory_input_fini(&found);
}

static void test_batches_are_those_that_were_written(void **state)
{
    static const uint64_t frequencies[] = {1000000000, 31250030, 40564471, 100, 3};
    static const size_t units[] = {1, 50, 1000, 0};
    (void)state;
    for (size_t v = 0; v < TP_V1_VERSIONS; v++) {
        for (size_t i = 0; i < TP_ARRAY_LEN(frequencies); i++) {
            make_trace(tp_versions[v].minor, frequencies[i], 30 + 20 * v, 1 + i + 10 * v);
            for (size_t k = 0; k < TP_ARRAY_LEN(units); k++) {
                list_made(units[k]);
                check_made();
            }
        }
    }
}

static void test_many_batches(void **state)
{
    (void)state;
    make_trace(11, 31250030, BATCHES_MAX - 1, 5);
    list_made(0);
    check_made();
}

static void test_clock_that_nobody_tells(void **state)
{
    struct tp_error err;
    (void)state;
    make_trace(21, 0, 10, 3);
    list_made(0);
    assert_int_equal(tp_inventory_check_times(&found, &err), TP_E_DAMAGED);
    check_made();
}

// One event at `ticks` + `dt`, and a clock.
static int check_clock(uint64_t ticks, uint64_t dt, uint64_t frequency)
{
    struct tp_error err;
    struct tp_listed_batch batch;
    uint64_t seed = 1;
    make_trace(11, frequency, 0, seed);
    tp_buf_reset(&made.wire);
    wire_v1_put_header(&made.wire, 11);
    wire_v1_put_batch(&made.wire, 11, 0, 1000);
    put_event(1);
    wire_v1_put_batch(&made.wire, 11, 1, ticks);
    put_event(dt);
    wire_v1_put_frequency(&made.wire, 11, frequency);
    list_made(0);
    int rc = tp_inventory_check_times(&found, &err);
    assert_int_equal(summary.batch_count, 2);
    assert_int_equal(summary.has_span, rc == 0);
    assert_int_equal(tp_inventory_listed_batch(&found, 1, &batch, &err), 0);
    assert_int_equal(batch.ticks, ticks);
    tp_inventory_input_fini(&found);
    return rc;
}

static void test_clocks_that_cannot_be(void **state)
{
    (void)state;
    assert_int_equal(check_clock(2000, 3, 1000), 0);
    assert_int_equal(check_clock(2000, 3, 0), TP_E_DAMAGED);
    assert_int_equal(check_clock(2000, 3, UINT64_MAX), TP_E_DAMAGED);
    assert_int_equal(check_clock(2000, 3, UINT64_C(1) << 63), TP_E_DAMAGED);
    // Times as far apart as they can be do not fit into nanoseconds.
    assert_int_equal(check_clock(INT64_MAX - 10, 3, 1), TP_E_DAMAGED);
    // A clock that goes back is one that does: the first event is earlier then.
    assert_int_equal(check_clock(2000, UINT64_MAX - 1500, 1000), 0);
}

// A trace of nothing has no times, and nothing is wrong with them.
static void test_no_events(void **state)
{
    struct tp_error err;
    (void)state;
    for (size_t v = 0; v < TP_V1_VERSIONS; v++) {
        tp_buf_reset(&made.wire);
        wire_v1_put_header(&made.wire, tp_versions[v].minor);
        list_made(0);
        assert_int_equal(summary.batch_count + summary.event_count, 0);
        assert_false(summary.has_ticks || summary.has_span);
        assert_int_equal(tp_inventory_check_times(&found, &err), 0);
        tp_inventory_input_fini(&found);
    }
}

static void test_lack_of_memory(void **state)
{
    struct tp_error err;
    (void)state;
    make_trace(11, 31250030, 300, 5);
    struct tp_span bytes = tp_span_of(made.wire.ptr, made.wire.len_bytes);
    for (uint64_t nth = 1;; nth++) {
        uint64_t before = tp_alloc_live_bytes();
        tp_alloc_fail_at(nth, false);
        drive.unit_bytes = 0;
        int rc = sink_drive_run(&drive, bytes, &err);
        bool has_failed = tp_alloc_fail_left() == 0;
        tp_alloc_fail_at(0, false);
        assert_int_equal(rc, has_failed ? TP_E_MEMORY : 0);
        if (!has_failed) {
            check_made();
            break;
        }
        assert_int_equal(tp_alloc_live_bytes(), before);
    }
}

static int set_up(void **state)
{
    (void)state;
    return tp_buf_init(&made.wire, TRACE_MAX_BYTES) && sink_drive_init(&drive, &keep_sink) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    tp_buf_fini(&made.wire);
    sink_drive_fini(&drive);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batches_are_those_that_were_written),
        cmocka_unit_test(test_many_batches),
        cmocka_unit_test(test_clock_that_nobody_tells),
        cmocka_unit_test(test_clocks_that_cannot_be),
        cmocka_unit_test(test_no_events),
        cmocka_unit_test(test_lack_of_memory),
    };
    return cmocka_run_group_tests_name("inventory_batches", tests, set_up, tear_down);
}
