#include "base/time/time_arg.h"

#include <ctype.h>
#include <string.h>

#include "base/text/opts.h"
#include "base/time/date.h"
#include "base/time/local.h"

#define NSEC_PER_SEC INT64_C(1000000000)

static const struct unit {
    const char *name;
    int64_t ns;
} units[] = {
    // A name that is the beginning of another one ("m" of "ms") stands after it, because the first
    // match counts.
    {"ns", 1},
    {"us", 1000},
    {"\xc2\xb5s", 1000},
    {"ms", 1000000},
    {"s", NSEC_PER_SEC},
    {"m", 60 * NSEC_PER_SEC},
    {"h", 3600 * NSEC_PER_SEC},
};

static const struct unit *unit_at(const char *text)
{
    for (size_t i = 0; i < TP_ARRAY_LEN(units); i++) {
        if (strncmp(text, units[i].name, strlen(units[i].name)) == 0)
            return &units[i];
    }
    return NULL;
}

// Takes the digits after a decimal point. Returns them as a number of units, of which `per_one`
// make 1; ignores the digits that stand for less than a unit.
static int64_t fraction(const char **p, int64_t per_one)
{
    int64_t value = 0;
    for (; isdigit((unsigned char)**p); (*p)++) {
        per_one /= 10;
        value += (**p - '0') * per_one;
    }
    return value;
}

static bool parse_duration(const char *p, int64_t *ret_ns)
{
    int64_t total = 0;
    if (strcmp(p, "0") == 0) {
        *ret_ns = 0;
        return true;
    }
    do {
        uint64_t count;
        int64_t whole, part = 0;
        if (!tp_take_digits(&p, &count))
            return false;
        const char *digits = p + 1;
        bool has_point = *p == '.';
        for (p += has_point; has_point && isdigit((unsigned char)*p); p++) {
        }
        const struct unit *u = unit_at(p);
        if (u == NULL)
            return false;
        if (has_point)
            part = fraction(&digits, u->ns);
        if (__builtin_mul_overflow(count, u->ns, &whole) ||
            __builtin_add_overflow(total, whole, &total) ||
            __builtin_add_overflow(total, part, &total))
            return false;
        p += strlen(u->name);
    } while (*p != '\0');
    *ret_ns = total;
    return true;
}

// Takes exactly `digits` digits and then the character `stop`, unless `stop` is 0. False: they are
// not there, or the value exceeds `max`.
static bool field(const char **p, int digits, char stop, int64_t max, int64_t *ret_value)
{
    int64_t value = 0;
    for (int i = 0; i < digits; i++, (*p)++) {
        if (!isdigit((unsigned char)**p))
            return false;
        value = 10 * value + (**p - '0');
    }
    if (stop != '\0' && *(*p)++ != stop)
        return false;
    *ret_value = value;
    return value <= max;
}

static bool parse_offset(const char **p, int64_t *ret_sec)
{
    int64_t hours, minutes;
    char sign = *(*p)++;
    *ret_sec = 0;
    if (sign == 'Z' || sign == 'z')
        return true;
    if ((sign != '+' && sign != '-') || !field(p, 2, ':', 24, &hours) ||
        !field(p, 2, '\0', 59, &minutes))
        return false;
    *ret_sec = (sign == '-' ? -1 : 1) * (3600 * hours + 60 * minutes);
    return true;
}

// Takes a date. Fills *ret_sec with the Unix time at which it begins in UTC.
static bool take_date(const char **p, int64_t *ret_sec)
{
    int64_t year, month, day;
    if (!field(p, 4, '-', 9999, &year) || !field(p, 2, '-', 12, &month) ||
        !field(p, 2, '\0', 31, &day) || month < 1 || day < 1 || year < 1)
        return false;
    bool is_leap = tp_year_is_leap(year);
    int before = tp_days_before((int)month, is_leap);
    if (day > tp_days_before((int)month + 1, is_leap) - before)
        return false;
    *ret_sec = (tp_days_to_year(year) + before + day - 1) * TP_DAY_SEC;
    return true;
}

// Takes a time of day, of which seconds and their fraction may be missing.
static bool take_clock(const char **p, int64_t *ret_sec, int64_t *ret_nsec)
{
    int64_t hour, minute, second = 0;
    *ret_nsec = 0;
    if (!field(p, 2, ':', 23, &hour) || !field(p, 2, '\0', 59, &minute))
        return false;
    if (**p == ':') {
        (*p)++;
        if (!field(p, 2, '\0', 59, &second))
            return false;
        if (**p == '.') {
            (*p)++;
            if (!isdigit((unsigned char)**p))
                return false;
            *ret_nsec = fraction(p, NSEC_PER_SEC);
        }
    }
    *ret_sec = 3600 * hour + 60 * minute + second;
    return true;
}

static bool parse_clock(const char *p, struct tp_time_arg *ret)
{
    *ret = (struct tp_time_arg){.kind = TP_TIME_ARG_CLOCK};
    return take_clock(&p, &ret->wall_sec, &ret->wall_nsec) && *p == '\0';
}

static bool parse_date(const char *p, struct tp_time_arg *ret)
{
    int64_t date_sec, clock_sec, offset_sec = 0;
    *ret = (struct tp_time_arg){.kind = TP_TIME_ARG_LOCAL};
    if (!take_date(&p, &date_sec) || (*p != 'T' && *p != 't' && *p != ' '))
        return false;
    p++;
    if (!take_clock(&p, &clock_sec, &ret->wall_nsec))
        return false;
    if (*p != '\0') {
        ret->kind = TP_TIME_ARG_WALL;
        if (!parse_offset(&p, &offset_sec) || *p != '\0')
            return false;
    }
    ret->wall_sec = date_sec + clock_sec - offset_sec;
    return true;
}

bool tp_time_arg_parse(const char *text, struct tp_time_arg *ret_time_arg)
{
    struct tp_time_arg a = {.kind = TP_TIME_ARG_SINCE};
    if (!parse_duration(text, &a.since_ns) && !parse_clock(text, &a) && !parse_date(text, &a))
        return false;
    *ret_time_arg = a;
    return true;
}

void tp_time_arg_set_zone(struct tp_time_arg *a, const struct tp_zone *z)
{
    if (a->kind != TP_TIME_ARG_LOCAL)
        return;
    a->kind = TP_TIME_ARG_WALL;
    a->wall_sec = tp_local_to_unix_sec(z, a->wall_sec);
}

// Returns how many whole days there are in the seconds, rounded down.
static int64_t days_of(int64_t sec)
{
    return sec / TP_DAY_SEC - (sec % TP_DAY_SEC < 0);
}

void tp_time_arg_set_day(struct tp_time_arg *a, const struct tp_zone *z, int64_t begin_sec)
{
    if (a->kind != TP_TIME_ARG_CLOCK)
        return;
    int64_t midnight = TP_DAY_SEC * days_of(begin_sec + tp_zone_offset_sec(z, begin_sec));
    int64_t clock_sec = a->wall_sec;
    a->kind = TP_TIME_ARG_WALL;
    a->wall_sec = tp_local_to_unix_sec(z, midnight + clock_sec);
    if (a->wall_sec >= begin_sec)
        return;
    int64_t next_sec = tp_local_to_unix_sec(z, midnight + TP_DAY_SEC + clock_sec);
    if (next_sec - begin_sec <= TP_PAST_MIDNIGHT_SEC)
        a->wall_sec = next_sec;
}
