// In this file years begin in March, so that the leap day is the last day of the year.
#include "base/time/date.h"

// Years are counted from this many years before year 0, so that every 64-bit time is positive. A
// multiple of 400.
#define FIRST_YEAR 292277022400
#define DAYS_OF_400_YEARS 146097
#define MARCH_TO_DECEMBER 306
// Number of days from 1 March of year -FIRST_YEAR to 1 January 1970: the days to 1 March of year 0,
// from there to 1 January of year 1, and from there to 1970.
#define UNIX_DAYS                                                                          \
    ((uint64_t)FIRST_YEAR / 400 * DAYS_OF_400_YEARS + MARCH_TO_DECEMBER + 719162)

struct tp_date tp_date_of(int64_t unix_sec)
{
    uint64_t sec = (uint64_t)unix_sec + UNIX_DAYS * TP_DAY_SEC;
    uint64_t quarters = 4 * (sec / TP_DAY_SEC) + 3;
    uint64_t century = quarters / DAYS_OF_400_YEARS;
    unsigned in_century = (unsigned)(quarters % DAYS_OF_400_YEARS) | 3;
    unsigned year = in_century / 1461;
    unsigned day = in_century % 1461 / 4; // days since 1 March
    unsigned fifths = 5 * day + 461;
    bool is_next_year = day >= MARCH_TO_DECEMBER;
    struct tp_date d = {
        .year = (int64_t)(century * 100 - FIRST_YEAR) + year + is_next_year,
        .month = (int)(fifths / 153) - (is_next_year ? 12 : 0),
        .day = 1 + (int)(fifths % 153 / 5),
        .second = (int)(sec % TP_DAY_SEC),
    };
    d.year_day = tp_days_before(d.month, tp_year_is_leap(d.year)) + d.day - 1;
    return d;
}
