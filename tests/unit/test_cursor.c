// Cursors: whether a batch lies in memory, comes through a window or was decoded
// before, the events, their times and the error at the end are those of a plain
// reading of Go's rules.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "decode_lab.h"
#include "merge/order/cursor.h"
#include "table_build.h"
#include "wire_build.h"

#define BATCHES_MAX 6
#define RUN_BYTES (BATCHES_MAX * TP_MAX_BATCH_BYTES)

// A run: bodies one after the other in memory, each ref with its place there. What
// is before the body of batch i is its offset, so that errors tell the batch.
struct run {
    struct tp_buf bytes;
    struct tp_batch_ref refs[BATCHES_MAX];
    struct tp_m_run m;
};

static void run_init(struct run *r)
{
    *r = (struct run){0};
    assert_true(tp_buf_init(&r->bytes, RUN_BYTES));
    r->m = (struct tp_m_run){.m = 77, .batches.items = r->refs};
}

static void begin_batch(struct run *r, uint64_t time_ticks)
{
    struct tp_batch_ref *ref = &r->refs[r->m.batches.count];
    *ref = (struct tp_batch_ref){.offset = 1000 * (r->m.batches.count + 1),
                                 .load_offset = r->bytes.len_bytes,
                                 .time_ticks = time_ticks};
    r->m.batches.count++;
}

// Bodies are known when all bytes are there.
static void settle(struct run *r)
{
    for (size_t i = 0; i < r->m.batches.count; i++) {
        uint64_t end = i + 1 < r->m.batches.count ? r->refs[i + 1].load_offset : r->bytes.len_bytes;
        r->refs[i].body_bytes = (uint32_t)(end - r->refs[i].load_offset);
        r->refs[i].body = r->bytes.ptr + r->refs[i].load_offset;
    }
}

// READING IT PLAINLY

struct reading {
    struct tp_event *events;
    size_t event_count;
    enum tp_cursor_status last;
    struct tp_error err;
};

// Negative or 0: cut or too long, as of Go's binary.Uvarint.
static int number_at(const unsigned char *p, size_t len_bytes, uint64_t *ret_value)
{
    uint64_t value = 0;
    for (int i = 0; i < 10 && (size_t)i < len_bytes; i++) {
        if (p[i] < 0x80) {
            if (i == 9 && p[i] > 1)
                return -1;
            *ret_value = value | (uint64_t)p[i] << (7 * i);
            return i + 1;
        }
        value |= (uint64_t)(p[i] & 0x7f) << (7 * i);
    }
    return len_bytes >= 10 ? -1 : 0;
}

static int64_t to_ns(const struct tp_tables *t, uint64_t ticks)
{
    return tp_ticks_to_ns(ticks, t->frequency);
}

// One event; the number of its bytes, 0 after filling the error.
static size_t event_at(const unsigned char *p, size_t len_bytes, uint64_t offset,
                       struct tp_event *e, uint64_t *ret_dt, struct tp_error *err)
{
    const struct tp_event_spec *spec = &tp_event_specs[p[0]];
    bool is_timed = spec->arg_count > 0 && strcmp(spec->args[0], "dt") == 0;
    size_t n = 1;
    if (p[0] > 136) {
        tp_fail_at(err, TP_E_EVENT, offset, "found invalid event type: %u", p[0]);
        return 0;
    }
    if (!is_timed) {
        tp_fail_at(err, TP_E_EVENT, offset, "found event without a timestamp: type=%u", p[0]);
        return 0;
    }
    for (unsigned i = 0; i < spec->arg_count; i++) {
        uint64_t value;
        int used = number_at(p + n, len_bytes - n, &value);
        if (used <= 0) {
            tp_fail_at(err, TP_E_EVENT, offset,
                       i == 0 ? "found invalid uvarint for timestamp" : "found invalid uvarint");
            return 0;
        }
        *(i == 0 ? ret_dt : &e->args[i - 1]) = value;
        n += (size_t)used;
    }
    e->type = p[0];
    return n;
}

static struct reading read_plainly(const struct run *r, const struct tp_tables *t)
{
    struct reading plain = {.last = TP_CURSOR_END};
    plain.events = calloc(r->bytes.len_bytes + 1, sizeof *plain.events);
    assert_non_null(plain.events);
    for (size_t i = 0; i < r->m.batches.count; i++) {
        const struct tp_batch_ref *ref = &r->refs[i];
        int64_t last_ns = 0;
        for (size_t at = 0; at < ref->body_bytes;) {
            struct tp_event *e = &plain.events[plain.event_count];
            uint64_t dt = 0;
            if (last_ns == 0)
                last_ns = to_ns(t, ref->time_ticks);
            size_t n = event_at(ref->body + at, ref->body_bytes - at, ref->offset, e, &dt,
                                &plain.err);
            if (n == 0) {
                plain.last = TP_CURSOR_BAD;
                return plain;
            }
            last_ns = (int64_t)((uint64_t)last_ns + (uint64_t)to_ns(t, dt));
            e->time_ns = last_ns;
            e->m = 77;
            plain.event_count++;
            at += n;
        }
    }
    return plain;
}

// READING IT BY CURSORS

struct memory_loader {
    struct tp_batch_loader loader; // first
    const struct run *run;
    size_t fail_at;                // the load that fails; 0: none
};

static int load(struct tp_batch_loader *loader, const struct tp_batch_ref *ref,
                uint32_t skip_bytes, unsigned char *to, uint32_t len_bytes, struct tp_error *err)
{
    struct memory_loader *l = (struct memory_loader *)loader;
    if (l->fail_at > 0 && --l->fail_at == 0)
        return tp_fail(err, TP_E_KERNEL, "no such bytes");
    assert_true(len_bytes > 0);
    assert_true(skip_bytes + len_bytes <= ref->body_bytes);
    memcpy(to, l->run->bytes.ptr + ref->load_offset + skip_bytes, len_bytes);
    return 0;
}

static void check_event(const struct tp_run_event *got, const struct tp_event *want)
{
    assert_int_equal(got->type, want->type);
    assert_true(got->time_ns == want->time_ns);
    for (unsigned i = 0; i + 1 < tp_event_specs[want->type].arg_count; i++)
        assert_true(got->args[i] == want->args[i]);
}

static uint64_t all_bytes(const struct run *r)
{
    return r->bytes.len_bytes;
}

// Walks the run and compares with what a plain reading says. Bytes that are left
// only ever go down, to 0 at the end.
static void check_walk(const struct run *r, const struct tp_tables *t,
                       const struct tp_decoded_run *decoded, struct tp_batch_loader *loader,
                       const struct reading *want)
{
    struct tp_cursor c;
    struct tp_error err = {0};
    enum tp_cursor_status status;
    uint64_t left_bytes = all_bytes(r);
    size_t n = 0;
    if (decoded != NULL)
        tp_cursor_init_decoded(&c, decoded);
    else
        tp_cursor_init(&c, &r->m);
    assert_int_equal(c.m, 77);
    while ((status = tp_cursor_advance(&c, t, loader, &err)) == TP_CURSOR_EVENT) {
        assert_true(n < want->event_count);
        check_event(c.next, &want->events[n++]);
        uint64_t now_bytes = tp_cursor_left_bytes(&c);
        assert_true(n == 1 ? now_bytes == left_bytes : now_bytes < left_bytes);
        left_bytes = now_bytes;
    }
    assert_int_equal(n, want->event_count);
    assert_int_equal(status, want->last);
    if (status == TP_CURSOR_BAD) {
        assert_int_equal(err.code, want->err.code);
        assert_string_equal(err.text, want->err.text);
        assert_int_equal(err.offset, want->err.offset);
    } else {
        assert_int_equal(tp_cursor_left_bytes(&c), 0);
    }
    tp_cursor_fini(&c);
    tp_cursor_fini(&c);
}

static void check_decoded(const struct run *r, const struct tp_tables *t,
                          struct tp_batch_loader *loader, size_t each, size_t part_max,
                          const struct reading *want)
{
    struct tp_decoded_run run;
    decode_lab_run(&run, &r->m, t, loader, each, part_max);
    check_walk(r, t, &run, loader, want);
    decode_lab_fini(&run);
}

static void check_every_way(struct run *r, const struct tp_tables *t)
{
    static const uint32_t windows[] = {TP_CURSOR_WINDOW_MIN_BYTES, 4999, 16384,
                                       TP_MAX_BATCH_BYTES};
    settle(r);
    struct reading want = read_plainly(r, t);
    // In a block of just that size, so that a sanitizer sees what is read too far.
    unsigned char *copy = wire_copy(tp_span_of(r->bytes.ptr, r->bytes.len_bytes));
    for (size_t i = 0; i < r->m.batches.count; i++)
        r->refs[i].body = copy + r->refs[i].load_offset;
    check_walk(r, t, NULL, NULL, &want);
    check_decoded(r, t, NULL, 1, SIZE_MAX, &want);
    check_decoded(r, t, NULL, 1000000, SIZE_MAX, &want);
    check_decoded(r, t, NULL, 7, 3, &want);
    for (size_t i = 0; i < r->m.batches.count; i++)
        r->refs[i].body = NULL;
    for (size_t i = 0; i < TP_ARRAY_LEN(windows); i++) {
        struct memory_loader loader = {{load, windows[i]}, r, 0};
        check_walk(r, t, NULL, &loader.loader, &want);
        check_decoded(r, t, &loader.loader, 1, SIZE_MAX, &want);
        check_decoded(r, t, &loader.loader, 1000, 2, &want);
        check_decoded(r, t, &loader.loader, 7, 3, &want);
    }
    // Some here, some there.
    for (size_t i = 0; i < r->m.batches.count; i += 2)
        r->refs[i].body = copy + r->refs[i].load_offset;
    struct memory_loader loader = {{load, 4100}, r, 0};
    check_walk(r, t, NULL, &loader.loader, &want);
    check_decoded(r, t, &loader.loader, 7, 3, &want);
    check_decoded(r, t, &loader.loader, 1000, 2, &want);
    free(copy);
    free(want.events);
    settle(r);
}

static struct tp_tables *tables_with(uint64_t frequency)
{
    struct tp_tables *t = table_create(26);
    struct table_body b;
    struct tp_error err;
    table_begin(&b, TP_BATCH_SYNC);
    table_put_event(&b, TP_EV_Frequency, 1, (uint64_t[]){frequency});
    table_put_event(&b, TP_EV_ClockSnapshot, 4, (uint64_t[]){5, 6, 7, 8});
    assert_int_equal(table_add(t, TP_BATCH_SYNC, &b, &err), 0);
    assert_int_equal(tp_tables_finish(t, &err), 0);
    return t;
}

// TESTS

static void test_random_batches(void **state)
{
    static const uint64_t frequencies[] = {15625000, 1000000000, 3, UINT64_MAX / 3};
    const struct tp_arg_table *table = tp_arg_table(26, TP_DIALECT_LENIENT);
    uint64_t seed = 5;
    (void)state;
    for (unsigned n = 0; n < 300; n++) {
        struct tp_tables *t = tables_with(frequencies[n % TP_ARRAY_LEN(frequencies)]);
        struct run r;
        run_init(&r);
        size_t batch_count = wire_random(&seed) % (BATCHES_MAX + 1);
        for (size_t i = 0; i < batch_count; i++) {
            begin_batch(&r, wire_random_number(&seed));
            size_t wanted_bytes = wire_random(&seed) % (n % 4 == 0 ? 20000 : 300);
            size_t begin = r.bytes.len_bytes;
            while (r.bytes.len_bytes - begin < wanted_bytes) {
                uint8_t code;
                do
                    code = (uint8_t)wire_random(&seed);
                while (table->timed[code] == TP_ARGS_INVALID);
                wire_put_random_args(&r.bytes, &seed, table, code);
            }
            // Cut somewhere.
            if (wire_random(&seed) % 16 == 0 && r.bytes.len_bytes > begin)
                r.bytes.len_bytes--;
        }
        if (n % 3 == 0)
            wire_damage(&r.bytes, &seed, 1 + (unsigned)(n % 5));
        check_every_way(&r, t);
        tp_buf_fini(&r.bytes);
        tp_tables_release(t);
    }
}

// Every cut of a batch with long numbers: one byte before the end of a window, one
// behind it, and inside events.
static void test_every_cut(void **state)
{
    struct tp_tables *t = tables_with(15625000);
    (void)state;
    for (size_t cut = 0; cut < 120; cut++) {
        struct run r;
        run_init(&r);
        begin_batch(&r, 5);
        for (unsigned i = 0; i < 82; i++) {
            wire_put_byte(&r.bytes, TP_EV_UserLog); // 51 bytes
            for (unsigned k = 0; k < 5; k++)
                wire_put_padded(&r.bytes, i * k, 10);
        }
        r.bytes.len_bytes -= cut;
        check_every_way(&r, t);
        tp_buf_fini(&r.bytes);
    }
    tp_tables_release(t);
}

static void test_error_texts(void **state)
{
    static const struct {
        unsigned char bytes[24];
        size_t len_bytes;
        const char *text;
    } cases[] = {
        {{137}, 1, "found invalid event type: 137"},
        {{255, 1, 1}, 3, "found invalid event type: 255"},
        {{0}, 1, "found event without a timestamp: type=0"},
        {{TP_EV_EventBatch, 1, 1, 1, 1}, 5, "found event without a timestamp: type=1"},
        {{TP_EV_CPUSample, 1, 1, 1, 1, 1}, 6, "found event without a timestamp: type=7"},
        {{TP_EV_Frequency, 1}, 2, "found event without a timestamp: type=8"},
        {{53, 1}, 2, "found event without a timestamp: type=53"},
        {{127, 1}, 2, "found event without a timestamp: type=127"},
        {{TP_EV_GoDestroy}, 1, "found invalid uvarint for timestamp"},
        {{TP_EV_GoDestroy, 0x80}, 2, "found invalid uvarint for timestamp"},
        {{TP_EV_GoDestroy, 255, 255, 255, 255, 255, 255, 255, 255, 255, 2}, 11,
         "found invalid uvarint for timestamp"},
        {{TP_EV_GoStart, 1}, 2, "found invalid uvarint"},
        {{TP_EV_GoStart, 1, 2, 0x80}, 4, "found invalid uvarint"},
        {{TP_EV_GoStart, 1, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1}, 13,
         "found invalid uvarint"},
    };
    struct tp_tables *t = tables_with(15625000);
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(cases); i++) {
        for (unsigned is_roomy = 0; is_roomy < 2; is_roomy++) {
            struct run r;
            struct tp_cursor c;
            struct tp_error err = {0};
            run_init(&r);
            begin_batch(&r, 5);
            wire_put(&r.bytes, (const unsigned char[]){TP_EV_GoDestroy, 1}, 2);
            wire_put(&r.bytes, cases[i].bytes, cases[i].len_bytes);
            // What is cut stays cut; the others get what follows.
            bool is_cut = (cases[i].bytes[cases[i].len_bytes - 1] & 0x80) != 0 ||
                          cases[i].len_bytes <= 2;
            for (unsigned k = 0; is_roomy && !is_cut && k < 60; k++)
                wire_put_byte(&r.bytes, 1);
            check_every_way(&r, t);
            tp_cursor_init(&c, &r.m);
            assert_int_equal(tp_cursor_advance(&c, t, NULL, &err), TP_CURSOR_EVENT);
            assert_int_equal(tp_cursor_advance(&c, t, NULL, &err), TP_CURSOR_BAD);
            assert_int_equal(err.code, TP_E_EVENT);
            assert_string_equal(err.text, cases[i].text);
            assert_int_equal(err.offset, 1000);
            tp_cursor_fini(&c);
            tp_buf_fini(&r.bytes);
        }
    }
    tp_tables_release(t);
}

static void put_simple(struct run *r, uint64_t dt)
{
    wire_put_byte(&r->bytes, TP_EV_GoDestroy);
    wire_put_number(&r->bytes, dt);
}

static void test_empty_batches_are_passed_over(void **state)
{
    struct tp_tables *t = tables_with(1000000000);
    struct run r;
    (void)state;
    run_init(&r);
    check_every_way(&r, t);
    for (unsigned i = 0; i < 5; i++) {
        begin_batch(&r, 100 * i);
        if (i == 2 || i == 3)
            put_simple(&r, 5);
    }
    check_every_way(&r, t);
    struct reading plain = read_plainly(&r, t);
    assert_int_equal(plain.event_count, 2);
    assert_int_equal(plain.events[1].time_ns, 305);
    free(plain.events);
    tp_buf_fini(&r.bytes);
    tp_tables_release(t);
}

// Go takes a last time of 0 for "none yet" in the middle of a batch, too.
static void test_time_zero_begins_again_from_the_batch(void **state)
{
    struct tp_tables *t = tables_with(1000000000);
    struct run r;
    struct tp_cursor c;
    struct tp_error err;
    (void)state;
    run_init(&r);
    begin_batch(&r, 0);
    for (unsigned i = 0; i < 3; i++)
        put_simple(&r, 0);
    // Back to 0 by wrapping around: to the batch's time once more.
    begin_batch(&r, 4096);
    put_simple(&r, UINT64_C(1) << 62);
    put_simple(&r, UINT64_C(1) << 62);
    put_simple(&r, (UINT64_C(1) << 62) - 4096);
    put_simple(&r, UINT64_C(1) << 62);
    put_simple(&r, 7);
    check_every_way(&r, t);
    tp_cursor_init(&c, &r.m);
    int64_t last_ns = -1;
    while (tp_cursor_advance(&c, t, NULL, &err) == TP_CURSOR_EVENT)
        last_ns = c.next->time_ns;
    assert_int_equal(last_ns, 4096 + 7);
    tp_cursor_fini(&c);
    tp_buf_fini(&r.bytes);
    tp_tables_release(t);
}

static void test_times_beyond_63_bits(void **state)
{
    static const uint64_t odd[] = {UINT64_MAX, UINT64_MAX / 2, UINT64_MAX / 2 + 1,
                                   UINT64_C(0x8000000000000400), 1};
    struct tp_tables *t = tables_with(1000000000);
    (void)state;
    for (size_t i = 0; i < TP_ARRAY_LEN(odd); i++) {
        struct run r;
        run_init(&r);
        begin_batch(&r, odd[i]);
        for (size_t k = 0; k < TP_ARRAY_LEN(odd); k++)
            put_simple(&r, odd[k]);
        check_every_way(&r, t);
        tp_buf_fini(&r.bytes);
    }
    tp_tables_release(t);
}

static void test_failing_loader_and_memory(void **state)
{
    struct tp_tables *t = tables_with(15625000);
    struct run r;
    uint64_t live_bytes = tp_alloc_live_bytes();
    (void)state;
    run_init(&r);
    begin_batch(&r, 5);
    for (unsigned i = 0; i < 10000; i++)
        put_simple(&r, 5);
    settle(&r);
    r.refs[0].body = NULL;
    for (size_t fail_at = 1; fail_at <= 5; fail_at++) {
        struct memory_loader loader = {{load, TP_CURSOR_WINDOW_MIN_BYTES}, &r, fail_at};
        struct tp_cursor c;
        struct tp_error err = {0};
        enum tp_cursor_status status;
        tp_cursor_init(&c, &r.m);
        while ((status = tp_cursor_advance(&c, t, &loader.loader, &err)) == TP_CURSOR_EVENT) {
        }
        assert_int_equal(status, TP_CURSOR_BAD);
        assert_int_equal(err.code, TP_E_KERNEL);
        tp_cursor_fini(&c);
    }
    struct memory_loader loader = {{load, TP_CURSOR_WINDOW_MIN_BYTES}, &r, 0};
    struct tp_cursor c;
    struct tp_error err = {0};
    tp_cursor_init(&c, &r.m);
    tp_alloc_fail_at(1, false);
    assert_int_equal(tp_cursor_advance(&c, t, &loader.loader, &err), TP_CURSOR_BAD);
    tp_alloc_fail_at(0, false);
    assert_int_equal(err.code, TP_E_MEMORY);
    tp_cursor_fini(&c);
    tp_buf_fini(&r.bytes);
    tp_tables_release(t);
    assert_true(tp_alloc_live_bytes() < live_bytes);
}

// An event with these arguments and room behind it: which of the usual it is said to be.
static unsigned usual_of(const struct tp_tables *t, unsigned code,
                         const uint64_t args[TP_MAX_EVENT_ARGS])
{
    struct run r;
    struct tp_cursor c;
    struct tp_error err = {0};
    run_init(&r);
    begin_batch(&r, 5);
    for (unsigned k = 0; k < 2; k++) {
        wire_put_byte(&r.bytes, code);
        for (unsigned i = 0; i < tp_event_specs[code].arg_count; i++)
            wire_put_number(&r.bytes, args[i]);
    }
    for (unsigned k = 0; k < TP_CURSOR_EVENT_MAX_BYTES; k++)
        wire_put_byte(&r.bytes, 1);
    settle(&r);
    tp_cursor_init(&c, &r.m);
    // The first event of a batch is read with care, the second as most are.
    assert_int_equal(tp_cursor_advance(&c, t, NULL, &err), TP_CURSOR_EVENT);
    assert_int_equal(c.next->usual, TP_USUAL_NONE);
    assert_int_equal(tp_cursor_advance(&c, t, NULL, &err), TP_CURSOR_EVENT);
    assert_int_equal(c.next->type, code);
    unsigned usual = c.next->usual;
    tp_cursor_fini(&c);
    tp_buf_fini(&r.bytes);
    return usual;
}

static bool names_something(const char *arg)
{
    return strstr(arg, "string") != NULL || strstr(arg, "stack") != NULL;
}

static void test_events_are_usual_only_if_their_ids_are_in_the_tables(void **state)
{
    static const uint8_t usual[TP_EVENT_CODES] = {
        [TP_EV_GoStart] = TP_USUAL_GO_START,
        [TP_EV_GoStop] = TP_USUAL_GO_STOP,
        [TP_EV_GoBlock] = TP_USUAL_GO_BLOCK,
        [TP_EV_GoUnblock] = TP_USUAL_GO_UNBLOCK,
        [TP_EV_GoSyscallBegin] = TP_USUAL_SYSCALL_BEGIN,
        [TP_EV_GoSyscallEnd] = TP_USUAL_SYSCALL_END,
        [TP_EV_HeapAlloc] = TP_USUAL_HEAP_ALLOC,
    };
    struct tp_tables *t = table_create(26);
    struct table_body b;
    struct tp_error err;
    (void)state;
    table_add_sync(t, 0, 0);
    table_begin(&b, TP_BATCH_STRINGS);
    table_put_string(&b, 1, "known");
    assert_int_equal(table_add(t, TP_BATCH_STRINGS, &b, &err), 0);
    table_begin(&b, TP_BATCH_STACKS);
    table_put_stack(&b, 1, NULL, 0);
    assert_int_equal(table_add(t, TP_BATCH_STACKS, &b, &err), 0);
    assert_int_equal(tp_tables_finish(t, &err), 0);
    for (unsigned code = 0; code < TP_EV_EXPERIMENTAL_END; code++) {
        const struct tp_event_spec *spec = &tp_event_specs[code];
        const uint64_t ones[TP_MAX_EVENT_ARGS] = {1, 1, 1, 1, 1};
        if (spec->kind == TP_WIRE_TIMED)
            assert_int_equal(usual_of(t, code, ones), usual[code]);
        for (unsigned i = 1; spec->kind == TP_WIRE_TIMED && i < spec->arg_count; i++) {
            uint64_t args[TP_MAX_EVENT_ARGS] = {1, 1, 1, 1, 1};
            args[i] = 2;
            assert_int_equal(usual_of(t, code, args),
                             names_something(spec->args[i]) ? TP_USUAL_NONE : usual[code]);
        }
    }
    tp_tables_release(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events_are_usual_only_if_their_ids_are_in_the_tables),
        cmocka_unit_test(test_random_batches),
        cmocka_unit_test(test_every_cut),
        cmocka_unit_test(test_error_texts),
        cmocka_unit_test(test_empty_batches_are_passed_over),
        cmocka_unit_test(test_time_zero_begins_again_from_the_batch),
        cmocka_unit_test(test_times_beyond_63_bits),
        cmocka_unit_test(test_failing_loader_and_memory),
    };
    return cmocka_run_group_tests_name("cursor", tests, NULL, NULL);
}
