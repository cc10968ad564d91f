// Flat reading: whatever the cut, the events and the verdict are those of reading
// all bytes at once.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "decode/flat_v2.h"
#include "decode/varint.h"

#define START_OFFSET 16

// What reading said: a digest of the events in order, and the verdict.
struct story {
    uint64_t event_count;
    uint64_t digest;
    uint64_t wire_bytes;
    int rc;
    uint64_t error_offset;
    char error_text[TP_ERROR_TEXT_BYTES];
};

static uint64_t mix(uint64_t digest, const unsigned char *bytes, size_t len_bytes)
{
    for (size_t i = 0; i < len_bytes; i++)
        digest = (digest ^ bytes[i]) * 0x100000001b3;
    return digest;
}

static int note(void *ctx, const struct tp_wire_event *event, struct tp_span wire,
                struct tp_error *err)
{
    (void)err;
    struct story *s = ctx;
    s->event_count++;
    s->wire_bytes += wire.len_bytes;
    s->digest = mix(s->digest, &event->type, 1);
    s->digest = mix(s->digest, wire.ptr, wire.len_bytes);
    s->digest = mix(s->digest, (const unsigned char *)event->args,
                    event->arg_count * sizeof(event->args[0]));
    s->digest = mix(s->digest, event->tail.ptr, event->tail.len_bytes);
    return 0;
}

static void conclude(struct story *s, int rc, const struct tp_error *err)
{
    s->rc = rc;
    if (rc == 0)
        return;
    s->error_offset = err->offset;
    snprintf(s->error_text, sizeof(s->error_text), "%s", err->text);
}

// By tp_event_read alone, which is the other, independent way to read.
static struct story read_at_once(uint32_t minor, struct tp_span bytes)
{
    const struct tp_arg_table *table = tp_arg_table(minor, TP_DIALECT_GO_RAW);
    const unsigned char *p = bytes.ptr, *const end = p + bytes.len_bytes;
    struct story s = {0};
    for (;;) {
        const unsigned char *const start = p;
        struct tp_wire_event event;
        enum tp_event_status st = tp_event_read(&p, end, table, &event);
        if (st == TP_EVENT_OK) {
            note(&s, &event, tp_span_of(start, (size_t)(p - start)), NULL);
            continue;
        }
        if (st == TP_EVENT_CUT)
            return s;
        s.rc = TP_E_EVENT;
        s.error_offset = START_OFFSET + (uint64_t)(start - bytes.ptr);
        int n = snprintf(s.error_text, sizeof(s.error_text), "%s", tp_event_status_text(st));
        if (st == TP_EVENT_BAD_CODE)
            snprintf(s.error_text + n, sizeof(s.error_text) - (size_t)n, ": %u", event.type);
        return s;
    }
}

// Returns the length of the next piece, at least 1; `left_bytes` is a maximum.
typedef size_t (*cut_fn)(void *ctx, size_t left_bytes);

static struct story read_in_pieces(uint32_t minor, struct tp_span bytes, cut_fn cut, void *ctx)
{
    struct story s = {0};
    struct tp_error err = {0};
    struct tp_flat f;
    tp_flat_init(&f, tp_arg_table(minor, TP_DIALECT_GO_RAW), START_OFFSET, note, &s);
    int rc = 0;
    while (bytes.len_bytes > 0 && rc == 0) {
        size_t piece_bytes = cut(ctx, bytes.len_bytes);
        // A block of its own, so that reading past the piece is seen.
        unsigned char *piece = malloc(piece_bytes);
        assert_non_null(piece);
        memcpy(piece, bytes.ptr, piece_bytes);
        rc = tp_flat_feed(&f, tp_span_of(piece, piece_bytes), &err);
        free(piece);
        bytes = tp_span_skip(bytes, piece_bytes);
        if (rc == 0)
            assert_int_equal(tp_flat_feed(&f, tp_span_of("", 0), &err), 0);
    }
    if (rc == 0)
        rc = tp_flat_end(&f, &err);
    conclude(&s, rc, &err);
    tp_flat_fini(&f);
    return s;
}

static size_t cut_never(void *ctx, size_t left_bytes)
{
    (void)ctx;
    return left_bytes;
}

static size_t cut_everywhere(void *ctx, size_t left_bytes)
{
    (void)ctx, (void)left_bytes;
    return 1;
}

// Once, after *ctx bytes.
static size_t cut_at(void *ctx, size_t left_bytes)
{
    size_t *first_bytes = ctx;
    size_t n = *first_bytes != 0 ? *first_bytes : left_bytes;
    *first_bytes = 0;
    return n < left_bytes ? n : left_bytes;
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static size_t cut_randomly(void *ctx, size_t left_bytes)
{
    uint64_t r = next_random(ctx);
    size_t n = 1 + (size_t)(r >> 8) % ((r & 1) != 0 ? 7 : 900);
    return n < left_bytes ? n : left_bytes;
}

static void assert_same(const struct story *a, const struct story *b)
{
    assert_int_equal(a->rc, b->rc);
    assert_string_equal(a->error_text, b->error_text);
    assert_int_equal(a->error_offset, b->error_offset);
    assert_int_equal(a->event_count, b->event_count);
    assert_int_equal(a->wire_bytes, b->wire_bytes);
    assert_int_equal(a->digest, b->digest);
}

static void assert_any_cut(uint32_t minor, struct tp_span bytes)
{
    struct story want = read_at_once(minor, bytes);
    struct story got = read_in_pieces(minor, bytes, cut_never, NULL);
    assert_same(&got, &want);
    got = read_in_pieces(minor, bytes, cut_everywhere, NULL);
    assert_same(&got, &want);
    for (uint64_t seed = 1; seed <= 8; seed++) {
        uint64_t state = seed * 0x9e3779b97f4a7c15;
        got = read_in_pieces(minor, bytes, cut_randomly, &state);
        assert_same(&got, &want);
    }
    for (size_t at = 1; at < bytes.len_bytes && at < 300; at++) {
        size_t first_bytes = at;
        got = read_in_pieces(minor, bytes, cut_at, &first_bytes);
        assert_same(&got, &want);
    }
}

// Random events of every code the version has, with odd numbers: any length,
// padded, negative counts.
static unsigned char *put_number(unsigned char *to, uint64_t value, bool padded)
{
    to = tp_varint_put(to, value);
    if (padded && value < 0x80) {
        to[-1] |= 0x80;
        *to++ = 0;
    }
    return to;
}

static unsigned char *put_event(unsigned char *to, uint64_t *random, const struct tp_arg_table *t)
{
    uint8_t code;
    do
        code = (uint8_t)next_random(random);
    while (t->count[code] == TP_ARGS_INVALID);
    uint64_t last = 0;
    *to++ = code;
    for (unsigned i = 0; i < t->count[code]; i++) {
        last = next_random(random) >> (next_random(random) % 64);
        if (tp_event_specs[code].kind == TP_WIRE_STACK && i == 1)
            last = last % 5 == 4 ? UINT64_MAX - 3 : last % 5;
        to = put_number(to, last, (next_random(random) & 7) == 0);
    }
    if (tp_event_specs[code].kind == TP_WIRE_STACK && last < 5) {
        for (uint64_t i = 0; i < last * TP_FRAME_ARGS; i++)
            to = put_number(to, next_random(random) >> (next_random(random) % 64), false);
    }
    if (tp_event_specs[code].kind == TP_WIRE_DATA) {
        uint64_t len_bytes = next_random(random) % 40;
        to = put_number(to, len_bytes, true);
        for (uint64_t i = 0; i < len_bytes; i++)
            *to++ = (unsigned char)next_random(random);
    }
    return to;
}

#define EVENTS 120
#define EVENT_MAX_BYTES 320

static const uint32_t versions[] = {22, 23, 25, 26};

static void test_any_cut_of_events_reads_the_same(void **state)
{
    (void)state;
    static unsigned char bytes[EVENTS * EVENT_MAX_BYTES];
    for (size_t v = 0; v < TP_ARRAY_LEN(versions); v++) {
        uint64_t random = 88172645463325252 + v;
        unsigned char *to = bytes;
        for (unsigned i = 0; i < EVENTS; i++)
            to = put_event(to, &random, tp_arg_table(versions[v], TP_DIALECT_GO_RAW));
        struct tp_span all = tp_span_of(bytes, (size_t)(to - bytes));
        struct story s = read_at_once(versions[v], all);
        assert_int_equal(s.rc, 0);
        assert_int_equal(s.event_count, EVENTS);
        assert_int_equal(s.wire_bytes, all.len_bytes);
        assert_any_cut(versions[v], all);
    }
}

static void test_any_cut_of_damaged_events_reads_the_same(void **state)
{
    (void)state;
    static unsigned char bytes[EVENTS * EVENT_MAX_BYTES];
    uint64_t random = 4711;
    for (unsigned round = 0; round < 60; round++) {
        uint32_t minor = versions[round % TP_ARRAY_LEN(versions)];
        unsigned char *to = bytes;
        for (unsigned i = 0; i < 20; i++)
            to = put_event(to, &random, tp_arg_table(minor, TP_DIALECT_GO_RAW));
        size_t len_bytes = (size_t)(to - bytes);
        for (unsigned i = 0; i < 3; i++)
            bytes[next_random(&random) % len_bytes] = (unsigned char)next_random(&random);
        len_bytes -= next_random(&random) % 10;
        assert_any_cut(minor, tp_span_of(bytes, len_bytes));
    }
}

// Each end of input by itself, at every length of one event of each shape.
static void test_every_end_of_input_is_judged_like_go(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t len_bytes;
        int rc;
        const char *text;
        uint64_t events;
    } rows[] = {
        {"", 0, 0, "", 0},
        {"\x0b", 1, 0, "", 0},                                   // before an argument
        {"\x0b\x80", 2, TP_E_EVENT, "unexpected EOF", 0},        // inside it
        {"\x0b\x80\x00", 3, 0, "", 1},                           // padded
        {"\x0b\x01\x0b", 3, 0, "", 1},                           // behind an event
        {"\x05\x01", 2, 0, "", 0},                               // before a length
        {"\x05\x01\x83", 3, TP_E_EVENT, "unexpected EOF", 0},    // inside it
        {"\x05\x01\x03" "ab", 5, 0, "", 0},                         // inside data
        {"\x05\x01\x03" "abc", 6, 0, "", 1},
        {"\x03\x01\x01\x01\x02\x03", 6, 0, "", 0},               // inside a frame
        {"\x03\x01\x01\x01\x02\x03\x84", 7, TP_E_EVENT, "unexpected EOF", 0},
        {"\x03\x01\x00", 3, 0, "", 1},                           // no frames
        {"\x00", 1, TP_E_EVENT, "invalid event type: 0", 0},
        {"\x0b\x01\xff", 3, TP_E_EVENT, "invalid event type: 255", 1},
        {"\x0b\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11, 0, "", 1},
        {"\x0b\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 11, TP_E_EVENT,
         "binary: varint overflows a 64-bit integer", 0},
        {"\x0b\xff\xff\xff\xff\xff\xff\xff\xff\xff\x81", 11, TP_E_EVENT,
         "binary: varint overflows a 64-bit integer", 0},
        {"\x0b\xff\xff\xff\xff\xff\xff\xff\xff\xff", 10, TP_E_EVENT, "unexpected EOF", 0},
        {"\x40\x7f", 2, 0, "", 2}, // nameless codes of 26
    };
    for (size_t i = 0; i < TP_ARRAY_LEN(rows); i++) {
        struct tp_span bytes = tp_span_of(rows[i].bytes, rows[i].len_bytes);
        struct story s = read_in_pieces(26, bytes, cut_never, NULL);
        assert_int_equal(s.rc, rows[i].rc);
        assert_string_equal(s.error_text, rows[i].text);
        assert_int_equal(s.event_count, rows[i].events);
        assert_any_cut(26, bytes);
    }
}

// A String of `data_bytes`, then one ProcStop.
static struct tp_span long_string(size_t data_bytes)
{
    unsigned char *bytes = malloc(data_bytes + 32);
    assert_non_null(bytes);
    unsigned char *to = bytes;
    *to++ = TP_EV_String;
    *to++ = 1;
    to = tp_varint_put(to, data_bytes);
    memset(to, 'x', data_bytes);
    to += data_bytes;
    *to++ = TP_EV_ProcStop;
    *to++ = 1;
    return tp_span_of(bytes, (size_t)(to - bytes));
}

static size_t cut_by_thousands(void *ctx, size_t left_bytes)
{
    (void)ctx;
    return left_bytes < 1000 ? left_bytes : 1000;
}

static void test_the_longest_event_that_is_carried(void **state)
{
    (void)state;
    size_t head_bytes = 1 + 1 + 3;
    struct tp_span bytes = long_string(TP_FLAT_CARRY_BYTES - head_bytes);
    struct story s = read_in_pieces(26, bytes, cut_by_thousands, NULL);
    assert_int_equal(s.rc, 0);
    assert_int_equal(s.event_count, 2);
    free((void *)(uintptr_t)bytes.ptr);

    bytes = long_string(TP_FLAT_CARRY_BYTES - head_bytes + 1);
    s = read_in_pieces(26, bytes, cut_by_thousands, NULL);
    assert_int_equal(s.rc, TP_E_TOO_LARGE);
    assert_int_equal(s.error_offset, START_OFFSET);
    // In one piece nothing has to be carried.
    s = read_in_pieces(26, bytes, cut_never, NULL);
    assert_int_equal(s.rc, 0);
    // Unless it is whole, Go's verdict is all that counts.
    s = read_in_pieces(26, tp_span_of(bytes.ptr, bytes.len_bytes - 3), cut_by_thousands, NULL);
    assert_int_equal(s.rc, 0);
    assert_int_equal(s.event_count, 0);
    free((void *)(uintptr_t)bytes.ptr);
}

// A Stack of more frames than anything can hold is followed to the end of input,
// and only there it shows whether a number was cut.
static void test_endless_stack_is_swallowed(void **state)
{
    (void)state;
    static unsigned char bytes[TP_FLAT_CARRY_BYTES + 5000];
    unsigned char *to = bytes;
    *to++ = TP_EV_Stack;
    *to++ = 1;
    to = tp_varint_put(to, INT64_MAX); // four numbers each: more than 64 bits count
    memset(to, 0x01, sizeof(bytes) - (size_t)(to - bytes));
    struct story s = read_in_pieces(25, tp_span_of(bytes, sizeof(bytes)), cut_by_thousands, NULL);
    assert_int_equal(s.rc, 0);
    assert_int_equal(s.event_count, 0);

    bytes[sizeof(bytes) - 1] = 0x80;
    s = read_in_pieces(25, tp_span_of(bytes, sizeof(bytes)), cut_by_thousands, NULL);
    assert_int_equal(s.rc, TP_E_EVENT);
    assert_string_equal(s.error_text, "unexpected EOF");
    assert_int_equal(s.error_offset, START_OFFSET);

    memset(bytes + sizeof(bytes) - 100, 0xff, 50);
    s = read_in_pieces(25, tp_span_of(bytes, sizeof(bytes)), cut_by_thousands, NULL);
    assert_string_equal(s.error_text, "binary: varint overflows a 64-bit integer");
}

static int refuse(void *ctx, const struct tp_wire_event *event, struct tp_span wire,
                  struct tp_error *err)
{
    (void)ctx, (void)event, (void)wire;
    return tp_fail(err, TP_E_WRITE, "full");
}

static void test_answer_of_the_callback_stops_reading(void **state)
{
    (void)state;
    for (size_t first_bytes = 1; first_bytes <= 2; first_bytes++) {
        struct tp_error err = {0};
        struct tp_flat f;
        tp_flat_init(&f, tp_arg_table(26, TP_DIALECT_GO_RAW), 0, refuse, NULL);
        int rc = tp_flat_feed(&f, tp_span_of("\x0b\x01", first_bytes), &err);
        if (first_bytes == 1) {
            assert_int_equal(rc, 0);
            rc = tp_flat_feed(&f, tp_span_of("\x01", 1), &err);
        }
        assert_int_equal(rc, TP_E_WRITE);
        tp_flat_fini(&f);
    }
}

static void test_no_memory_for_the_carry(void **state)
{
    (void)state;
    struct tp_error err = {0};
    struct tp_flat f;
    tp_flat_init(&f, tp_arg_table(26, TP_DIALECT_GO_RAW), 0, refuse, NULL);
    tp_alloc_fail_at(1, false);
    assert_int_equal(tp_flat_feed(&f, tp_span_of("\x0b", 1), &err), TP_E_MEMORY);
    tp_alloc_fail_at(0, false);
    tp_flat_fini(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_cut_of_events_reads_the_same),
        cmocka_unit_test(test_any_cut_of_damaged_events_reads_the_same),
        cmocka_unit_test(test_every_end_of_input_is_judged_like_go),
        cmocka_unit_test(test_the_longest_event_that_is_carried),
        cmocka_unit_test(test_endless_stack_is_swallowed),
        cmocka_unit_test(test_answer_of_the_callback_stops_reading),
        cmocka_unit_test(test_no_memory_for_the_carry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
