// Converts times to dates of the Gregorian calendar, for all 64-bit times. Computes in unsigned 64
// bits as Go's time package does, so that absurd times give the same results as in Go. Pure
// functions.
#ifndef TP_BASE_TIME_DATE_H
#define TP_BASE_TIME_DATE_H

#include "base/attr.h"

// Seconds of a day; leap seconds do not count, as in Unix times.
#define TP_DAY_SEC 86400

// A date and the time of day, as integers. A plain value.
struct tp_date {
    int64_t year;
    int month;       // from 1
    int day;         // of the month, from 1
    int year_day;    // from 0
    int second;      // of the day
};

// Returns whether the year has a 29th of February.
TP_INLINE bool tp_year_is_leap(int64_t year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

// Returns the number of days of the year before a month. `month` is from 1 to 12, or 13 for the
// whole year.
TP_INLINE int tp_days_before(int month, bool is_leap)
{
    static const int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
    return before[month - 1] + (is_leap && month > 2);
}

// Returns the number of days from 1970-01-01 to the first of January of a year, which is at least
// 1. Negative before 1970.
TP_INLINE int64_t tp_days_to_year(int64_t year)
{
    int64_t y = year - 1;
    return 365 * (year - 1970) + (y / 4 - y / 100 + y / 400) - (1969 / 4 - 1969 / 100 + 1969 / 400);
}

// Returns the date and time of day, in UTC, of a Unix time. Any value has a date.
struct tp_date tp_date_of(int64_t unix_sec);

#endif
