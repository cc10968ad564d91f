#include "base/time/wall.h"

#include "base/text/decimal.h"
#include "base/time/date.h"

#define BILLION 1000000000

// Writes at least `width` digits.
static unsigned char *put_padded(unsigned char *to, int64_t value, int width)
{
    unsigned char digits[TP_DECIMAL_MAX_BYTES + TP_DECIMAL_SLACK];
    uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    int count = (int)(tp_put_decimal(digits, magnitude) - digits);
    if (value < 0)
        *to++ = '-';
    for (int i = count; i < width; i++)
        *to++ = '0';
    memcpy(to, digits, (size_t)count);
    return to + count;
}

static unsigned char *put_after(unsigned char *to, unsigned char separator, int64_t value,
                                int width)
{
    *to++ = separator;
    return put_padded(to, value, width);
}

static unsigned char *put_offset(unsigned char *to, int32_t offset_sec)
{
    int32_t minutes = offset_sec / 60;
    if (offset_sec == 0) {
        *to++ = 'Z';
        return to;
    }
    *to++ = minutes < 0 ? '-' : '+';
    minutes = minutes < 0 ? -minutes : minutes;
    return put_after(put_padded(to, minutes / 60, 2), ':', minutes % 60, 2);
}

// Writes the digits after the second, all nine without the zeros at their end.
static unsigned char *put_nsec(unsigned char *to, int64_t nsec)
{
    if (nsec == 0)
        return to;
    to = put_after(to, '.', nsec, 9);
    while (to[-1] == '0')
        to--;
    return to;
}

unsigned char *tp_put_wall(unsigned char *to, struct tp_wall w, int digits, const struct tp_zone *z)
{
    int64_t carry_sec = w.nsec / BILLION, nsec = w.nsec % BILLION;
    if (nsec < 0) {
        nsec += BILLION;
        carry_sec--;
    }
    int64_t unix_sec = (int64_t)((uint64_t)w.sec + (uint64_t)carry_sec);
    int32_t offset_sec = tp_zone_offset_sec(z, unix_sec);
    struct tp_date d = tp_date_of((int64_t)((uint64_t)unix_sec + (uint64_t)(int64_t)offset_sec));

    to = put_padded(to, d.year, 4);
    to = put_after(put_after(to, '-', d.month, 2), '-', d.day, 2);
    to = put_after(to, 'T', d.second / 3600, 2);
    to = put_after(put_after(to, ':', d.second / 60 % 60, 2), ':', d.second % 60, 2);
    to = digits > 0 ? put_after(to, '.', nsec, 9) - (9 - digits) : put_nsec(to, nsec);
    return put_offset(to, offset_sec);
}

struct tp_wall_text tp_wall_text(struct tp_wall w, int digits, const struct tp_zone *z)
{
    struct tp_wall_text t;
    *tp_put_wall((unsigned char *)t.text, w, digits, z) = '\0';
    return t;
}
