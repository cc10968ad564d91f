// Decimal digits equal those of printf, and nothing is stored beyond what is
// promised.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/text/decimal.h"

#define ROOM_BYTES (TP_DECIMAL_MAX_BYTES + TP_DECIMAL_SLACK)
#define CANARY 0xc5

static int set_up(void **state)
{
    (void)state;
    tp_small_decimals_make();
    return 0;
}

static bool is_written(const unsigned char *bytes, const unsigned char *end, const char *want,
                       size_t want_bytes)
{
    if ((size_t)(end - bytes) != want_bytes || memcmp(bytes, want, want_bytes) != 0)
        return false;
    for (size_t i = want_bytes + TP_DECIMAL_SLACK; i < ROOM_BYTES; i++) {
        if (bytes[i] != CANARY)
            return false;
    }
    return true;
}

// By every function that takes the value.
static void assert_digits(uint64_t value)
{
    char want[TP_DECIMAL_MAX_BYTES + 1];
    size_t n = (size_t)snprintf(want, sizeof want, "%" PRIu64, value);
    unsigned char bytes[3][ROOM_BYTES];
    memset(bytes, CANARY, sizeof bytes);
    bool ok = is_written(bytes[0], tp_put_decimal(bytes[0], value), want, n) &&
              is_written(bytes[1], tp_put_decimal_tabled(bytes[1], value), want, n) &&
              is_written(bytes[2], tp_put_decimal_wide(bytes[2], value), want, n);
    if (!ok)
        fail_msg("%s", want);
}

static void assert_signed(int64_t value)
{
    char want[TP_DECIMAL_MAX_BYTES + 1];
    size_t n = (size_t)snprintf(want, sizeof want, "%" PRId64, value);
    unsigned char bytes[2][ROOM_BYTES];
    memset(bytes, CANARY, sizeof bytes);
    bool ok = is_written(bytes[0], tp_put_signed_tabled(bytes[0], value), want, n) &&
              is_written(bytes[1], tp_put_signed_wide(bytes[1], value), want, n);
    if (!ok)
        fail_msg("%s", want);
}

static void test_signed_values(void **state)
{
    (void)state;
    for (int64_t value = -2000; value < 2000; value++)
        assert_signed(value);
    for (unsigned bit = 0; bit < 64; bit++) {
        for (uint64_t off = 0; off < 3; off++)
            assert_signed((int64_t)((UINT64_C(1) << bit) + off - 1));
    }
}

static void test_all_values_below_a_million(void **state)
{
    (void)state;
    for (uint64_t value = 0; value < UINT64_C(1) << 20; value++)
        assert_digits(value);
}

static void test_boundaries_of_powers(void **state)
{
    (void)state;
    uint64_t power = 1;
    for (unsigned digits = 1; digits <= TP_DECIMAL_MAX_BYTES; digits++) {
        for (uint64_t around = 0; around <= 4; around++)
            assert_digits(power + around - 2); // wraps for 1: the largest values
        power = digits < TP_DECIMAL_MAX_BYTES ? power * 10 : power;
    }
    for (unsigned bit = 0; bit < 64; bit++) {
        for (uint64_t around = 0; around <= 2; around++)
            assert_digits((UINT64_C(1) << bit) + around - 1);
    }
    // Where the wide form changes its number of parts.
    static const uint64_t parts[] = {99999999, 100000000, 9999999999999999, 10000000000000000,
                                     UINT64_MAX - 1, UINT64_MAX};
    for (size_t i = 0; i < TP_ARRAY_LEN(parts); i++)
        assert_digits(parts[i]);
}

static void test_same_digit_all_over(void **state)
{
    (void)state;
    for (uint64_t digit = 1; digit <= 9; digit++) {
        uint64_t value = 0;
        for (unsigned n = 1; n <= (digit == 1 ? 20 : 19); n++) {
            value = value * 10 + digit;
            assert_digits(value);
        }
    }
}

static void test_random_values_of_every_length(void **state)
{
    (void)state;
    uint64_t random = 88172645463325252;
    for (unsigned i = 0; i < 2000000; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        assert_digits(random >> (i % 64));
    }
}

static void test_eight_digits_with_leading_zeros(void **state)
{
    (void)state;
    for (uint32_t value = 0; value < 100000000; value += value < 100000 ? 1 : 997) {
        char want[9];
        snprintf(want, sizeof want, "%08" PRIu32, value);
        unsigned char digits[8];
        tp_store_le64(digits, tp_eight_digits(value) | 0x3030303030303030ULL);
        assert_memory_equal(digits, want, 8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signed_values),
        cmocka_unit_test(test_all_values_below_a_million),
        cmocka_unit_test(test_boundaries_of_powers),
        cmocka_unit_test(test_same_digit_all_over),
        cmocka_unit_test(test_random_values_of_every_length),
        cmocka_unit_test(test_eight_digits_with_leading_zeros),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
