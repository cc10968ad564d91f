// Checked numbers of the wire: every length, every cut, every way to be too long.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "decode/varint.h"
#include "wire_build.h"

static const uint64_t untouched = 0x5555aaaa5555aaaa;

struct outcome {
    enum tp_varint_status status;
    size_t used_bytes;
    uint64_t value;
};

// With room behind it, a number that is whole is the same without an end to be compared with.
static void check_with_room(const unsigned char *bytes, size_t len_bytes, struct outcome want)
{
    unsigned char roomy[2 * TP_VARINT_MAX_BYTES];
    if (want.status == TP_VARINT_CUT)
        return;
    memset(roomy, 0xff, sizeof roomy);
    memcpy(roomy, bytes, len_bytes);
    const unsigned char *p = roomy;
    uint64_t value = untouched;
    assert_int_equal(tp_varint_get_roomy_unchecked(&p, &value), want.status == TP_VARINT_OK);
    assert_int_equal(p - roomy, want.used_bytes);
    assert_true(value == want.value);
}

static struct outcome get(const unsigned char *bytes, size_t len_bytes)
{
    struct outcome o = {.value = untouched};
    unsigned char *copy = wire_copy(tp_span_of(bytes, len_bytes));
    const unsigned char *p = copy;
    o.status = tp_varint_get(&p, copy + len_bytes, &o.value);
    o.used_bytes = (size_t)(p - copy);
    free(copy);
    check_with_room(bytes, len_bytes, o);
    return o;
}

static void assert_refused(const unsigned char *bytes, size_t len_bytes,
                           enum tp_varint_status want)
{
    struct outcome o = get(bytes, len_bytes);
    assert_int_equal(o.status, want);
    assert_int_equal(o.used_bytes, 0);
    assert_true(o.value == untouched);
}

// The value in its shortest form and in every longer one, and each of them cut.
static void assert_value(uint64_t value)
{
    unsigned char bytes[TP_VARINT_MAX_BYTES + 1];
    size_t least_bytes = (size_t)(tp_varint_put(bytes, value) - bytes);
    assert_int_equal(least_bytes, tp_varint_len(value));
    for (size_t n = least_bytes; n <= TP_VARINT_MAX_BYTES; n++) {
        if (n > least_bytes) {
            bytes[n - 2] |= 0x80;
            bytes[n - 1] = 0;
        }
        bytes[n] = 0xff; // not part of it
        for (size_t more = 0; more < 2; more++) {
            struct outcome o = get(bytes, n + more);
            assert_int_equal(o.status, TP_VARINT_OK);
            assert_int_equal(o.used_bytes, n);
            assert_true(o.value == value);
        }
        for (size_t cut = 0; cut < n; cut++)
            assert_refused(bytes, cut, TP_VARINT_CUT);
    }
}

static void test_numbers_around_every_power_of_two_come_back(void **state)
{
    (void)state;
    for (unsigned bit = 0; bit < 64; bit++) {
        for (uint64_t around = 0; around < 3; around++)
            assert_value((UINT64_C(1) << bit) + around - 1);
    }
    assert_value(UINT64_MAX);
    assert_value(UINT64_MAX - 1);
}

static void test_random_numbers_come_back(void **state)
{
    (void)state;
    uint64_t random = 20240101;
    for (unsigned i = 0; i < 20000; i++)
        assert_value(wire_random_number(&random));
}

static void test_every_number_of_two_bytes_is_read(void **state)
{
    (void)state;
    for (unsigned first = 0; first < 256; first++) {
        for (unsigned second = 0; second < 128; second++) {
            unsigned char bytes[2] = {(unsigned char)first, (unsigned char)second};
            struct outcome o = get(bytes, sizeof bytes);
            assert_int_equal(o.status, TP_VARINT_OK);
            assert_int_equal(o.used_bytes, first < 128 ? 1 : 2);
            assert_int_equal(o.value, first < 128 ? first : (first & 127) | second << 7);
        }
    }
}

static void test_length_of_the_shortest_form(void **state)
{
    (void)state;
    static const struct {
        uint64_t value;
        unsigned len_bytes;
    } rows[] = {
        {0, 1},          {127, 1},         {128, 2},        {16383, 2},
        {16384, 3},      {2097151, 3},     {2097152, 4},    {268435455, 4},
        {268435456, 5},  {UINT32_MAX, 5},  {INT64_MAX, 9},  {(uint64_t)INT64_MAX + 1, 10},
        {UINT64_MAX, 10},
    };
    for (size_t i = 0; i < TP_ARRAY_LEN(rows); i++)
        assert_int_equal(tp_varint_len(rows[i].value), rows[i].len_bytes);
}

static void test_tenth_byte_may_only_hold_one_bit(void **state)
{
    (void)state;
    unsigned char bytes[12] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80};
    for (unsigned tenth = 0; tenth < 256; tenth++) {
        bytes[9] = (unsigned char)tenth;
        struct outcome o = get(bytes, sizeof bytes);
        if (tenth <= 1) {
            assert_int_equal(o.status, TP_VARINT_OK);
            assert_true(o.value == (uint64_t)tenth << 63);
        } else {
            assert_refused(bytes, sizeof bytes, TP_VARINT_OVERFLOW);
            // Ten bytes are enough to tell.
            assert_refused(bytes, TP_VARINT_MAX_BYTES, TP_VARINT_OVERFLOW);
        }
        assert_refused(bytes, TP_VARINT_MAX_BYTES - 1, TP_VARINT_CUT);
    }
}

static void test_eleventh_byte_is_rejected(void **state)
{
    (void)state;
    // Eleven bytes for the number 0.
    static const unsigned char bytes[11] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
                                            0x80, 0x80, 0x80, 0x80, 0};
    assert_refused(bytes, sizeof bytes, TP_VARINT_OVERFLOW);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_around_every_power_of_two_come_back),
        cmocka_unit_test(test_random_numbers_come_back),
        cmocka_unit_test(test_every_number_of_two_bytes_is_read),
        cmocka_unit_test(test_length_of_the_shortest_form),
        cmocka_unit_test(test_tenth_byte_may_only_hold_one_bit),
        cmocka_unit_test(test_eleventh_byte_is_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
