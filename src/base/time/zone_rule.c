#include "base/time/zone_rule.h"

#include <string.h>

#include "base/text/opts.h"
#include "base/time/date.h"

#define HOUR_SEC 3600

enum day_kind { DAY_WITHOUT_LEAP, DAY_OF_YEAR, DAY_OF_WEEK };

// A moment that recurs every year.
struct moment {
    enum day_kind kind;
    int month;          // DAY_OF_WEEK
    int week;           // 5: the last
    int day;
    int32_t second;     // from the beginning of that day; may be negative
};

static bool take_number(const char **p, int min, int max, int *ret_value)
{
    uint64_t value;
    if (!tp_take_digits(p, &value) || value > (uint64_t)max)
        return false;
    *ret_value = (int)value;
    return *ret_value >= min;
}

static bool take_char(const char **p, char c)
{
    if (**p != c)
        return false;
    (*p)++;
    return true;
}

// Skips the name of a zone.
static bool take_name(const char **p)
{
    if (take_char(p, '<')) {
        *p = strchr(*p, '>');
        return *p != NULL && take_char(p, '>');
    }
    size_t len_bytes = strcspn(*p, "0123456789,-+");
    *p += len_bytes;
    return len_bytes >= 3;
}

// Takes a time hh[:mm[:ss]]. It may have a sign and be as long as a week, as in the time zone
// database.
static bool take_time(const char **p, int32_t *ret_sec)
{
    int hours, minutes = 0, seconds = 0;
    bool is_negative = take_char(p, '-');
    if (!is_negative)
        (void)take_char(p, '+');
    if (!take_number(p, 0, 24 * 7, &hours))
        return false;
    if (take_char(p, ':')) {
        if (!take_number(p, 0, 59, &minutes))
            return false;
        if (take_char(p, ':') && !take_number(p, 0, 59, &seconds))
            return false;
    }
    int32_t sec = hours * HOUR_SEC + minutes * 60 + seconds;
    *ret_sec = is_negative ? -sec : sec;
    return true;
}

static bool take_moment(const char **p, struct moment *ret_time_arg)
{
    struct moment m = {.second = 2 * HOUR_SEC};
    if (take_char(p, 'J')) {
        m.kind = DAY_WITHOUT_LEAP;
        if (!take_number(p, 1, 365, &m.day))
            return false;
    } else if (take_char(p, 'M')) {
        m.kind = DAY_OF_WEEK;
        if (!take_number(p, 1, 12, &m.month) || !take_char(p, '.') ||
            !take_number(p, 1, 5, &m.week) || !take_char(p, '.') ||
            !take_number(p, 0, 6, &m.day))
            return false;
    } else {
        m.kind = DAY_OF_YEAR;
        if (!take_number(p, 0, 365, &m.day))
            return false;
    }
    *ret_time_arg = m;
    return !take_char(p, '/') || take_time(p, &ret_time_arg->second);
}

// Returns the day of the year, from 0, of a moment such as "the second Sunday in March".
static int day_of_week(int64_t year, const struct moment *m)
{
    bool is_leap = tp_year_is_leap(year);
    int begin = tp_days_before(m->month, is_leap);
    int end = tp_days_before(m->month + 1, is_leap);
    // Weekdays repeat every 400 years; the year 1970 began with a Thursday, day 4.
    int64_t like = 2000 + year % 400 + (year < 0 ? 400 : 0);
    int first = (int)((4 + tp_days_to_year(like) + begin) % 7);
    int day = begin + (m->day - first + 7) % 7;
    for (int week = 1; week < m->week && day + 7 < end; week++)
        day += 7;
    return day;
}

// Returns the seconds from the beginning of the year in UTC to the moment, which is given in local
// time at the offset `offset_sec`.
static int32_t second_of_year(int64_t year, const struct moment *m, int32_t offset_sec)
{
    int day = m->day;
    if (m->kind == DAY_WITHOUT_LEAP)
        day += -1 + (tp_year_is_leap(year) && m->day >= 60);
    else if (m->kind == DAY_OF_WEEK)
        day = day_of_week(year, m);
    return day * TP_DAY_SEC + m->second - offset_sec;
}

bool tp_zone_rule_offset(const char *rule, int64_t unix_sec, int32_t *ret_offset_sec)
{
    const char *p = rule;
    int32_t standard_sec, summer_sec;
    struct moment begin, end;
    // The number in the rule is added to local time to get UTC; an offset is added to UTC.
    if (!take_name(&p) || !take_time(&p, &standard_sec))
        return false;
    standard_sec = -standard_sec;
    *ret_offset_sec = standard_sec;
    if (*p == '\0' || *p == ',')
        return true;
    if (!take_name(&p))
        return false;
    if (*p == '\0' || *p == ',') {
        summer_sec = standard_sec + HOUR_SEC;
    } else {
        if (!take_time(&p, &summer_sec))
            return false;
        summer_sec = -summer_sec;
    }
    if (*p == '\0')
        p = ",M3.2.0,M11.1.0";
    if (!take_char(&p, ',') && !take_char(&p, ';'))
        return false;
    if (!take_moment(&p, &begin) || !take_char(&p, ',') || !take_moment(&p, &end) || *p != '\0')
        return false;

    // Go takes the year in UTC, and a negative time of day before 1970; so does this code.
    struct tp_date d = tp_date_of(unix_sec);
    int64_t now = (int64_t)d.year_day * TP_DAY_SEC + unix_sec % TP_DAY_SEC;
    int32_t begin_sec = second_of_year(d.year, &begin, standard_sec);
    int32_t end_sec = second_of_year(d.year, &end, summer_sec);
    bool is_summer = begin_sec <= end_sec ? now >= begin_sec && now < end_sec
                                          : now < end_sec || now >= begin_sec;
    if (is_summer)
        *ret_offset_sec = summer_sec;
    return true;
}
