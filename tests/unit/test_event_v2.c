// One raw event at a time: shapes, ends of the bytes, codes of each format, and
// the length of the shortest form.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "decode/event_v2.h"
#include "decode/varint.h"
#include "wire_build.h"

static struct tp_buf wire;

static int set_up(void **state)
{
    (void)state;
    return tp_buf_init(&wire, TP_KIB(64)) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    tp_buf_fini(&wire);
    return 0;
}

static const struct tp_arg_table *all_codes(void) { return tp_arg_table(26, TP_DIALECT_LENIENT); }

struct reading {
    enum tp_event_status status;
    size_t used_bytes;
    struct tp_wire_event event; // its tail is borrowed from `copy`
    unsigned char *copy;
};

static struct reading read_bytes(const void *bytes, size_t len_bytes,
                                 const struct tp_arg_table *table)
{
    struct reading r = {.copy = wire_copy(tp_span_of(bytes, len_bytes))};
    const unsigned char *p = r.copy;
    r.status = tp_event_read(&p, r.copy + len_bytes, table, &r.event);
    r.used_bytes = (size_t)(p - r.copy);
    if (r.status != TP_EVENT_OK)
        assert_int_equal(r.used_bytes, 0);
    return r;
}

static void assert_status(const void *bytes, size_t len_bytes, enum tp_event_status want)
{
    struct reading r = read_bytes(bytes, len_bytes, all_codes());
    assert_int_equal(r.status, want);
    free(r.copy);
}

#define ASSERT_STATUS(text, want) assert_status(text, sizeof(text) - 1, want)

static void test_arguments_of_every_code_are_read_in_order(void **state)
{
    (void)state;
    for (unsigned code = 0; code < TP_EVENT_CODES; code++) {
        const struct tp_event_spec *spec = &tp_event_specs[code];
        if (spec->name == NULL)
            continue;
        bool has_stack = spec->kind == TP_WIRE_STACK, has_data = spec->kind == TP_WIRE_DATA;
        tp_buf_reset(&wire);
        wire_put_byte(&wire, code);
        for (unsigned i = 0; i < spec->arg_count; i++)
            wire_put_number(&wire, has_stack && i == 1 ? 0 : 1000000 * (i + 1) + code);
        if (has_data)
            wire_put_number(&wire, 0);
        size_t event_bytes = wire.len_bytes;
        wire_put_byte(&wire, 0xff); // not part of it
        struct reading r = read_bytes(wire.ptr, wire.len_bytes, all_codes());
        assert_int_equal(r.status, TP_EVENT_OK);
        assert_int_equal(r.used_bytes, event_bytes);
        assert_int_equal(r.event.type, code);
        assert_int_equal(r.event.arg_count, spec->arg_count);
        for (unsigned i = 0; i < spec->arg_count; i++)
            assert_int_equal(r.event.args[i], has_stack && i == 1 ? 0 : 1000000 * (i + 1) + code);
        assert_int_equal(r.event.tail.len_bytes, 0);
        assert_int_equal(tp_event_canonical_bytes(&r.event), event_bytes);
        free(r.copy);
    }
}

static void test_frames_of_a_stack_are_its_tail(void **state)
{
    (void)state;
    static const uint64_t frames[2][TP_FRAME_ARGS] = {{UINT64_MAX, 1, 2, 300}, {0, 128, 0, 7}};
    tp_buf_reset(&wire);
    wire_put(&wire, "\x03\x05\x02", 3);
    for (size_t i = 0; i < 8; i++)
        wire_put_number(&wire, frames[i / 4][i % 4]);
    struct reading r = read_bytes(wire.ptr, wire.len_bytes, all_codes());
    assert_int_equal(r.status, TP_EVENT_OK);
    assert_int_equal(r.event.frame_count, 2);
    assert_int_equal(r.event.tail.len_bytes, wire.len_bytes - 3);
    struct tp_span tail = r.event.tail;
    for (size_t i = 0; i < 2; i++) {
        uint64_t got[TP_FRAME_ARGS];
        tp_event_next_frame(&tail, got);
        assert_memory_equal(got, frames[i], sizeof got);
    }
    assert_int_equal(tail.len_bytes, 0);
    assert_int_equal(tp_event_canonical_bytes(&r.event), wire.len_bytes);
    free(r.copy);
}

static void test_data_is_the_tail(void **state)
{
    (void)state;
    static const char string[] = "\x05\x07\x83\x00" "abcX";
    struct reading r = read_bytes(string, sizeof string - 1, all_codes());
    assert_int_equal(r.status, TP_EVENT_OK);
    assert_int_equal(r.used_bytes, 7);
    assert_true(tp_span_equals(r.event.tail, "abc", 3));
    // The padded length takes a byte less in its shortest form.
    assert_int_equal(tp_event_canonical_bytes(&r.event), 6);
    free(r.copy);
}

static void test_negative_counts_are_no_count(void **state)
{
    (void)state;
    // 2^63 and more frames or bytes: to Go a loop that does not run.
    static const char stack[] = "\x03\x01\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01";
    static const char string[] = "\x05\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01";
    struct reading r = read_bytes(stack, sizeof stack - 1, all_codes());
    assert_int_equal(r.status, TP_EVENT_OK);
    assert_int_equal(r.event.frame_count, 0);
    assert_int_equal(tp_event_canonical_bytes(&r.event), sizeof stack - 1);
    free(r.copy);
    r = read_bytes(string, sizeof string - 1, all_codes());
    assert_int_equal(r.status, TP_EVENT_OK);
    assert_int_equal(r.event.tail.len_bytes, 0);
    assert_int_equal(tp_event_canonical_bytes(&r.event), 3);
    free(r.copy);
}

static void test_ends_inside_an_event_are_told_apart(void **state)
{
    (void)state;
    ASSERT_STATUS("", TP_EVENT_CUT);
    ASSERT_STATUS("\x10", TP_EVENT_CUT);                 // GoStart without its delta
    ASSERT_STATUS("\x10\x80", TP_EVENT_CUT_NUMBER);
    ASSERT_STATUS("\x10\x80\x01", TP_EVENT_CUT);
    ASSERT_STATUS("\x10\x01\x02\xff", TP_EVENT_CUT_NUMBER);
    ASSERT_STATUS("\x03\x01", TP_EVENT_CUT);
    ASSERT_STATUS("\x03\x01\x01", TP_EVENT_CUT);         // no frame
    ASSERT_STATUS("\x03\x01\x01\x01\x01\x01", TP_EVENT_CUT);
    ASSERT_STATUS("\x03\x01\x01\x01\x01\x01\x80", TP_EVENT_CUT_NUMBER);
    ASSERT_STATUS("\x03\x01\xff\xff\xff\xff\xff\xff\xff\xff\x7f\x01", TP_EVENT_CUT);
    ASSERT_STATUS("\x05\x01", TP_EVENT_CUT);             // no length
    ASSERT_STATUS("\x05\x01\x80", TP_EVENT_CUT_NUMBER);
    ASSERT_STATUS("\x05\x01\x02" "a", TP_EVENT_CUT);
    ASSERT_STATUS("\x05\x01\xff\xff\xff\xff\xff\xff\xff\xff\x7f" "a", TP_EVENT_CUT);
}

static void test_numbers_above_64_bits_are_refused(void **state)
{
    (void)state;
#define TOO_LONG "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"
    ASSERT_STATUS("\x10" TOO_LONG, TP_EVENT_OVERFLOW);
    ASSERT_STATUS("\x10\x01\x01" TOO_LONG, TP_EVENT_OVERFLOW);
    ASSERT_STATUS("\x03\x01" TOO_LONG, TP_EVENT_OVERFLOW);
    ASSERT_STATUS("\x03\x01\x01\x01" TOO_LONG, TP_EVENT_OVERFLOW);
    ASSERT_STATUS("\x05\x01" TOO_LONG, TP_EVENT_OVERFLOW);
#undef TOO_LONG
}

static void test_codes_of_other_formats_are_refused_by_name(void **state)
{
    (void)state;
    static const unsigned char zeros[16];
    for (size_t v = 0; v < TP_ARRAY_LEN(wire_versions); v++) {
        for (int dialect = TP_DIALECT_LENIENT; dialect <= TP_DIALECT_GO_RAW; dialect++) {
            const struct tp_arg_table *t = tp_arg_table(wire_versions[v], (enum tp_dialect)dialect);
            for (unsigned code = 0; code < TP_EVENT_CODES; code++) {
                unsigned char bytes[sizeof zeros];
                memcpy(bytes, zeros, sizeof bytes);
                bytes[0] = (unsigned char)code;
                struct reading r = read_bytes(bytes, sizeof bytes, t);
                bool is_known = t->count[code] != TP_ARGS_INVALID;
                assert_int_equal(r.status, is_known ? TP_EVENT_OK : TP_EVENT_BAD_CODE);
                assert_int_equal(r.event.type, code);
                free(r.copy);
            }
        }
    }
}

static void test_go_has_words_for_what_is_an_error(void **state)
{
    (void)state;
    assert_null(tp_event_status_text(TP_EVENT_OK));
    assert_null(tp_event_status_text(TP_EVENT_CUT));
    assert_string_equal(tp_event_status_text(TP_EVENT_CUT_NUMBER), "unexpected EOF");
    assert_string_equal(tp_event_status_text(TP_EVENT_BAD_CODE), "invalid event type");
    assert_string_equal(tp_event_status_text(TP_EVENT_OVERFLOW),
                        "binary: varint overflows a 64-bit integer");
}

// The event written once more in its shortest form has the length foretold and
// the same content.
static void assert_canonical(const struct tp_wire_event *ev)
{
    static struct tp_buf shortest;
    if (shortest.ptr == NULL)
        assert_true(tp_buf_init(&shortest, TP_KIB(4)));
    tp_buf_reset(&shortest);
    wire_put_event(&shortest, ev);
    assert_int_equal(tp_event_canonical_bytes(ev), shortest.len_bytes);
    struct reading again = read_bytes(shortest.ptr, shortest.len_bytes, all_codes());
    assert_int_equal(again.status, TP_EVENT_OK);
    assert_int_equal(again.used_bytes, shortest.len_bytes);
    assert_memory_equal(again.event.args, ev->args, ev->arg_count * sizeof ev->args[0]);
    assert_int_equal(again.event.frame_count, ev->frame_count);
    free(again.copy);
}

static void test_random_events_and_each_of_their_cuts(void **state)
{
    (void)state;
    uint64_t random = 4242;
    for (unsigned i = 0; i < 4000; i++) {
        tp_buf_reset(&wire);
        wire_put_random_event(&wire, &random, all_codes());
        struct reading r = read_bytes(wire.ptr, wire.len_bytes, all_codes());
        assert_int_equal(r.status, TP_EVENT_OK);
        assert_int_equal(r.used_bytes, wire.len_bytes);
        assert_canonical(&r.event);
        free(r.copy);
        for (size_t cut = 0; cut < wire.len_bytes; cut++) {
            r = read_bytes(wire.ptr, cut, all_codes());
            assert_true(r.status == TP_EVENT_CUT || r.status == TP_EVENT_CUT_NUMBER);
            free(r.copy);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arguments_of_every_code_are_read_in_order),
        cmocka_unit_test(test_frames_of_a_stack_are_its_tail),
        cmocka_unit_test(test_data_is_the_tail),
        cmocka_unit_test(test_negative_counts_are_no_count),
        cmocka_unit_test(test_ends_inside_an_event_are_told_apart),
        cmocka_unit_test(test_numbers_above_64_bits_are_refused),
        cmocka_unit_test(test_codes_of_other_formats_are_refused_by_name),
        cmocka_unit_test(test_go_has_words_for_what_is_an_error),
        cmocka_unit_test(test_random_events_and_each_of_their_cuts),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
