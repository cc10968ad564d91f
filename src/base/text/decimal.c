#include "base/text/decimal.h"

#include <pthread.h>

struct tp_small_decimal tp_small_decimals[1 + TP_SMALL_DECIMALS];
static pthread_once_t small_decimals_once = PTHREAD_ONCE_INIT;

static void make_small_decimals(void)
{
    tp_small_decimals[0] = (struct tp_small_decimal){"-1", 2};
    for (uint32_t value = 0; value < TP_SMALL_DECIMALS; value++) {
        unsigned char digits[TP_DECIMAL_MAX_BYTES];
        struct tp_small_decimal *d = &tp_small_decimals[value + 1];
        d->len_bytes = (uint8_t)(tp_put_decimal_short(digits, value) - digits);
        memcpy(d->digits, digits, sizeof d->digits);
    }
}

void tp_small_decimals_make(void)
{
    pthread_once(&small_decimals_once, make_small_decimals);
}

#define EIGHT_DIGITS 100000000

static unsigned char *put_eight(unsigned char *to, uint32_t value)
{
    tp_store_le64(to, tp_eight_digits(value) | 0x3030303030303030ULL);
    return to + 8;
}

unsigned char *tp_put_decimal_wide(unsigned char *to, uint64_t value)
{
    uint64_t high = value / EIGHT_DIGITS;
    if (high >= EIGHT_DIGITS) {
        to = tp_put_decimal_short(to, (uint32_t)(high / EIGHT_DIGITS)); // at most 1844
        to = put_eight(to, (uint32_t)(high % EIGHT_DIGITS));
    } else if (high > 0) {
        to = tp_put_decimal_short(to, (uint32_t)high);
    } else {
        return tp_put_decimal_short(to, (uint32_t)value);
    }
    return put_eight(to, (uint32_t)(value % EIGHT_DIGITS));
}

unsigned char *tp_put_signed_wide(unsigned char *to, int64_t value)
{
    uint64_t is_negative = (uint64_t)value >> 63;
    *to = '-';
    return tp_put_decimal(to + is_negative, ((uint64_t)value ^ (0 - is_negative)) + is_negative);
}
