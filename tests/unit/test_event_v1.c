// One raw event of any version from before Go 1.22 at a time: what the builder writes, in the
// runtime's form or an odd one, is read back; each way to be wrong has its name.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "decode/varint.h"
#include "wire_build_v1.h"

#define TRIES 40

static struct tp_buf wire;

static int set_up(void **state)
{
    (void)state;
    return tp_buf_init(&wire, TP_MIB(4)) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    tp_buf_fini(&wire);
    return 0;
}

// READ

// Reads the first `len_bytes` bytes of the event in `wire`, from a block of just that size.
// The tail is moved to `wire`, where it outlives the block.
static enum tp_v1_status read_part(uint32_t minor, size_t len_bytes, size_t *ret_used_bytes,
                                   struct tp_wire_event *ret_event)
{
    unsigned char *copy = wire_copy(tp_span_of(wire.ptr, len_bytes));
    const unsigned char *p = copy;
    enum tp_v1_status st = tp_v1_event_read(&p, copy + len_bytes, tp_v1_table(minor), ret_event);
    *ret_used_bytes = (size_t)(p - copy);
    if (ret_event->tail.ptr != NULL)
        ret_event->tail.ptr = wire.ptr + (ret_event->tail.ptr - copy);
    free(copy);
    return st;
}

static enum tp_v1_status status(uint32_t minor)
{
    struct tp_wire_event ev;
    size_t used_bytes;
    enum tp_v1_status st = read_part(minor, wire.len_bytes, &used_bytes, &ev);
    assert_int_equal(used_bytes, st == TP_V1_OK ? wire.len_bytes : 0);
    return st;
}

static enum tp_v1_status status_of_bytes(uint32_t minor, const char *hex)
{
    unsigned byte;
    tp_buf_reset(&wire);
    for (; sscanf(hex, "%2x", &byte) == 1; hex += 2)
        wire_put_byte(&wire, byte);
    return status(minor);
}

static void assert_same_numbers(struct tp_span got, struct tp_span want)
{
    const unsigned char *p = got.ptr, *end = p + got.len_bytes;
    const unsigned char *q = want.ptr, *want_end = q + want.len_bytes;
    while (p < end && q < want_end) {
        uint64_t a, b;
        assert_int_equal(tp_v1_number(&p, end, &a), TP_V1_OK);
        assert_int_equal(tp_v1_number(&q, want_end, &b), TP_V1_OK);
        assert_true(a == b);
    }
    assert_true(p == end && q == want_end);
}

static void assert_same(const struct tp_wire_event *got, const struct tp_wire_event *want)
{
    assert_int_equal(got->type, want->type);
    assert_int_equal(got->arg_count, want->arg_count);
    for (unsigned i = 0; i < want->arg_count; i++)
        assert_true(got->args[i] == want->args[i]);
    assert_int_equal(got->frame_count, want->frame_count);
    if (want->type == TP_V1_Stack)
        assert_same_numbers(got->tail, want->tail);
    else
        assert_int_equal(tp_span_compare(got->tail, want->tail), 0);
}

// The event in `wire` is `want`, and wants more bytes wherever it is cut.
static void assert_reads(uint32_t minor, const struct tp_wire_event *want)
{
    struct tp_wire_event got;
    size_t used_bytes;
    assert_int_equal(read_part(minor, wire.len_bytes, &used_bytes, &got), TP_V1_OK);
    assert_int_equal(used_bytes, wire.len_bytes);
    assert_same(&got, want);
    for (size_t cut = 0; cut < wire.len_bytes; cut++) {
        if (read_part(minor, cut, &used_bytes, &got) != TP_V1_CUT || used_bytes != 0)
            fail_msg("Go 1.%u, code %u: %zu of %zu bytes", minor, want->type, cut, wire.len_bytes);
    }
}

typedef void (*check_fn)(const struct tp_v1_table *table, const struct tp_wire_event *ev,
                         uint64_t *random);

// Random events of every type of every version.
static void for_each_form(check_fn check)
{
    uint64_t random = 7;
    for (size_t v = 0; v < TP_V1_VERSIONS; v++) {
        const struct tp_v1_table *table = tp_v1_table(tp_versions[v].minor);
        for (uint8_t type = 0; type < TP_V1_CODES; type++) {
            for (int i = 0; table->forms[type].name != NULL && i < TRIES; i++) {
                unsigned char tail[WIRE_V1_TAIL_BYTES];
                struct tp_wire_event ev;
                wire_v1_random_event(&ev, tail, &random, table, type);
                tp_buf_reset(&wire);
                check(table, &ev, &random);
            }
        }
    }
}

// EVENTS THAT ARE FINE

static void check_runtime_form(const struct tp_v1_table *table, const struct tp_wire_event *ev,
                               uint64_t *random)
{
    (void)random;
    wire_v1_put_event(&wire, table->minor, ev);
    assert_reads(table->minor, ev);
}

static void test_what_the_runtime_writes_is_read(void **state)
{
    (void)state;
    for_each_form(check_runtime_form);
}

static void check_odd_form(const struct tp_v1_table *table, const struct tp_wire_event *ev,
                           uint64_t *random)
{
    wire_v1_put_odd(&wire, table->minor, ev, random);
    assert_reads(table->minor, ev);
}

static void test_padded_numbers_and_needless_lengths_are_read(void **state)
{
    (void)state;
    for_each_form(check_odd_form);
}

static void test_an_event_ends_where_the_next_begins(void **state)
{
    (void)state;
    tp_buf_reset(&wire);
    WIRE_V1_PUT(&wire, 11, TP_V1_GoEnd, 300);
    size_t first_bytes = wire.len_bytes, used_bytes;
    WIRE_V1_PUT(&wire, 11, TP_V1_GoSched, 1, 2);
    struct tp_wire_event ev;
    assert_int_equal(read_part(11, wire.len_bytes, &used_bytes, &ev), TP_V1_OK);
    assert_int_equal(used_bytes, first_bytes);
    assert_int_equal(ev.args[0], 300);
}

static void test_padding_of_a_length_is_told(void **state)
{
    (void)state;
    static const unsigned pads[] = {0, 1, 8, 9};
    for (size_t i = 0; i < TP_ARRAY_LEN(pads); i++) {
        struct tp_wire_event ev;
        size_t used_bytes;
        tp_buf_reset(&wire);
        wire_v1_put_stack(&wire, 21, 7, 2, 1000, pads[i]);
        assert_int_equal(read_part(21, wire.len_bytes, &used_bytes, &ev), TP_V1_OK);
        assert_int_equal(ev.pad_bytes, pads[i]);
    }
}

static void test_frames_are_bare_pcs_up_to_go_1_6(void **state)
{
    (void)state;
    for (size_t v = 0; v < TP_V1_VERSIONS; v++) {
        struct tp_wire_event ev;
        size_t used_bytes;
        tp_buf_reset(&wire);
        wire_v1_put_stack(&wire, tp_versions[v].minor, 7, 3, 100, 0);
        assert_int_equal(read_part(tp_versions[v].minor, wire.len_bytes, &used_bytes, &ev),
                         TP_V1_OK);
        assert_int_equal(ev.frame_count, 3);
        assert_int_equal(ev.tail.len_bytes, tp_versions[v].minor < 7 ? 3 : 12);
    }
}

// Go's readers of the time shift them out, and so do we.
static void test_bits_beyond_the_64th_are_dropped(void **state)
{
    (void)state;
    struct tp_wire_event ev;
    size_t used_bytes;
    assert_int_equal(status_of_bytes(11, "0f8180808080808080807e"), TP_V1_OK);
    read_part(11, wire.len_bytes, &used_bytes, &ev);
    assert_true(ev.args[0] == 1);
    assert_int_equal(status_of_bytes(11, "0fffffffffffffffffff7f"), TP_V1_OK);
    read_part(11, wire.len_bytes, &used_bytes, &ev);
    assert_true(ev.args[0] == UINT64_MAX);
}

// AND THAT ARE NOT

static void test_codes_that_a_version_lacks(void **state)
{
    (void)state;
    for (size_t v = 0; v < TP_V1_VERSIONS; v++) {
        const struct tp_v1_table *table = tp_v1_table(tp_versions[v].minor);
        for (unsigned first = 0; first < 256; first++) {
            tp_buf_reset(&wire);
            wire_put_byte(&wire, first);
            wire_put(&wire, "\x04\x01\x01\x01\x01\x01\x01\x01", 8);
            struct tp_wire_event ev;
            size_t used_bytes;
            bool is_bad = read_part(table->minor, wire.len_bytes, &used_bytes, &ev) ==
                          TP_V1_BAD_CODE;
            assert_int_equal(is_bad, table->forms[first % TP_V1_CODES].name == NULL);
        }
    }
}

static void test_numbers_of_eleven_bytes(void **state)
{
    (void)state;
    assert_int_equal(status_of_bytes(11, "0f8080808080808080808000"), TP_V1_BAD_NUMBER);
    assert_int_equal(status_of_bytes(11, "0f80808080808080808080"), TP_V1_BAD_NUMBER);
    assert_int_equal(status_of_bytes(11, "0f808080808080808080"), TP_V1_CUT);
    // A length, and a number behind one.
    assert_int_equal(status_of_bytes(11, "c3808080808080808080800102"), TP_V1_BAD_NUMBER);
    assert_int_equal(status_of_bytes(11, "cd0e8080808080808080808000010101"), TP_V1_BAD_NUMBER);
    // The numbers of a String, a frame's, and the length of a message.
    assert_int_equal(status_of_bytes(11, "258080808080808080808001"), TP_V1_BAD_NUMBER);
    assert_int_equal(status_of_bytes(11, "25018080808080808080808001"), TP_V1_BAD_NUMBER);
    assert_int_equal(status_of_bytes(11, "c30d01018080808080808080808001"), TP_V1_BAD_NUMBER);
    assert_int_equal(status_of_bytes(11, "f004010101018080808080808080808001"), TP_V1_BAD_NUMBER);
}

static void test_lengths_that_end_inside_a_number(void **state)
{
    (void)state;
    assert_int_equal(status_of_bytes(11, "cf018001"), TP_V1_BAD_LENGTH);
    assert_int_equal(status_of_bytes(11, "cd0301018001"), TP_V1_BAD_LENGTH);
    assert_int_equal(status_of_bytes(11, "c3018001"), TP_V1_BAD_LENGTH);
}

static void check_wrong_count(const struct tp_v1_table *table, const struct tp_wire_event *ev,
                              uint64_t *random)
{
    (void)random;
    unsigned right = table->forms[ev->type].arg_count;
    if (ev->type == TP_V1_Stack || ev->type == TP_V1_String)
        return;
    for (unsigned count = 0; count <= TP_V1_MAX_ARGS; count++) {
        struct tp_wire_event wrong = *ev;
        wrong.arg_count = (uint8_t)count;
        tp_buf_reset(&wire);
        wire_v1_put_sized(&wire, &wrong);
        assert_int_equal(status(table->minor), count == right ? TP_V1_OK : TP_V1_BAD_COUNT);
        // Without a length there is no way to tell of no argument, or of too many.
        unsigned n = count - table->prefix_count;
        if (count < table->prefix_count || n >= TP_V1_SIZED || count == right)
            continue;
        tp_buf_reset(&wire);
        wire_v1_put_event(&wire, table->minor, &wrong);
        assert_int_equal(status(table->minor), TP_V1_BAD_COUNT);
    }
}

static void test_wrong_numbers_of_arguments(void **state)
{
    (void)state;
    for_each_form(check_wrong_count);
    // A stack needs a length, since only that says how many numbers it has.
    for (unsigned n = 0; n < TP_V1_SIZED; n++) {
        tp_buf_reset(&wire);
        wire_put_byte(&wire, n << 6 | TP_V1_Stack);
        wire_put(&wire, "\x01\x01\x01\x01", 4);
        assert_int_equal(status(11), TP_V1_BAD_COUNT);
    }
    assert_int_equal(status_of_bytes(11, "c30101"), TP_V1_BAD_COUNT);
    assert_int_equal(status_of_bytes(11, "c300"), TP_V1_BAD_COUNT);
}

static void test_frames_that_are_not_as_many_as_they_say(void **state)
{
    (void)state;
    assert_int_equal(status_of_bytes(11, "c3020700"), TP_V1_OK);
    assert_int_equal(status_of_bytes(11, "c306070101010101"), TP_V1_OK);
    assert_int_equal(status_of_bytes(11, "c3050701010101"), TP_V1_BAD_FRAMES);
    assert_int_equal(status_of_bytes(11, "c30707010101010101"), TP_V1_BAD_FRAMES);
    assert_int_equal(status_of_bytes(11, "c306070101010180"), TP_V1_BAD_FRAMES); // cut
    assert_int_equal(status_of_bytes(5, "c303070101"), TP_V1_OK);
    assert_int_equal(status_of_bytes(5, "c306070101010101"), TP_V1_BAD_FRAMES);
    // A count that would overflow when multiplied.
    assert_int_equal(status_of_bytes(11, "c30b0780808080808080808001"), TP_V1_BAD_FRAMES);
    for (unsigned frames = TP_V1_MAX_STACK_FRAMES; frames <= TP_V1_MAX_STACK_FRAMES + 1; frames++) {
        tp_buf_reset(&wire);
        wire_v1_put_stack(&wire, 21, 1, frames, 1, 0);
        assert_int_equal(status(21),
                         frames > TP_V1_MAX_STACK_FRAMES ? TP_V1_BAD_FRAMES : TP_V1_OK);
    }
}

static void test_strings_go_refuses(void **state)
{
    (void)state;
    assert_int_equal(status_of_bytes(11, "25010161"), TP_V1_OK);
    assert_int_equal(status_of_bytes(11, "25000161"), TP_V1_BAD_STRING); // id 0
    assert_int_equal(status_of_bytes(11, "250100"), TP_V1_BAD_STRING);   // no bytes
    assert_int_equal(status_of_bytes(11, "2501c1843d"), TP_V1_BAD_STRING); // 1000001
    assert_int_equal(status_of_bytes(11, "f00401010101c1843d"), TP_V1_BAD_STRING);
    assert_int_equal(status_of_bytes(11, "f0040101010100"), TP_V1_OK); // an empty message
}

// The runtime cannot write these: its buffers have 64 KiB.
static void test_events_above_the_limit(void **state)
{
    (void)state;
    assert_int_equal(status_of_bytes(11, "2501c0843d"), TP_V1_TOO_LONG); // 1000000
    assert_int_equal(status_of_bytes(11, "2501818004"), TP_V1_TOO_LONG); // 65537
    assert_int_equal(status_of_bytes(11, "2501808004"), TP_V1_CUT);
    assert_int_equal(status_of_bytes(11, "c3818004"), TP_V1_TOO_LONG);
    assert_int_equal(status_of_bytes(11, "c3808004"), TP_V1_CUT);
    assert_int_equal(status_of_bytes(11, "c3ffffffffffffffffff01"), TP_V1_TOO_LONG);
    assert_int_equal(status_of_bytes(11, "f00401010101818004"), TP_V1_TOO_LONG);
    static unsigned char data[TP_V1_MAX_EVENT_BYTES];
    struct tp_wire_event ev = {
        .type = TP_V1_String, .arg_count = 1, .args = {1}, .tail = tp_span_of(data, sizeof data)};
    tp_buf_reset(&wire);
    wire_v1_put_event(&wire, 11, &ev);
    assert_int_equal(status(11), TP_V1_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_the_runtime_writes_is_read),
        cmocka_unit_test(test_padded_numbers_and_needless_lengths_are_read),
        cmocka_unit_test(test_an_event_ends_where_the_next_begins),
        cmocka_unit_test(test_padding_of_a_length_is_told),
        cmocka_unit_test(test_frames_are_bare_pcs_up_to_go_1_6),
        cmocka_unit_test(test_bits_beyond_the_64th_are_dropped),
        cmocka_unit_test(test_codes_that_a_version_lacks),
        cmocka_unit_test(test_numbers_of_eleven_bytes),
        cmocka_unit_test(test_lengths_that_end_inside_a_number),
        cmocka_unit_test(test_wrong_numbers_of_arguments),
        cmocka_unit_test(test_frames_that_are_not_as_many_as_they_say),
        cmocka_unit_test(test_strings_go_refuses),
        cmocka_unit_test(test_events_above_the_limit),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
