#include "base/time/local.h"

#include "base/time/date.h"

// Returns the first time in (low, high] at which the zone has another offset than at `low`, if it
// changes once in between.
static int64_t change_sec(const struct tp_zone *z, int64_t low, int64_t high)
{
    int32_t offset_sec = tp_zone_offset_sec(z, low);
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (tp_zone_offset_sec(z, middle) == offset_sec)
            low = middle;
        else
            high = middle;
    }
    return high;
}

int64_t tp_local_to_unix_sec(const struct tp_zone *z, int64_t local_sec)
{
    // No offset is longer than a day, and no zone changes twice within two days.
    int32_t early_sec = tp_zone_offset_sec(z, local_sec - TP_DAY_SEC);
    int32_t late_sec = tp_zone_offset_sec(z, local_sec + TP_DAY_SEC);
    int64_t first = local_sec - early_sec, second = local_sec - late_sec;
    bool is_first = tp_zone_offset_sec(z, first) == early_sec;
    bool is_second = tp_zone_offset_sec(z, second) == late_sec;
    if (!is_first && !is_second)
        return change_sec(z, local_sec - TP_DAY_SEC, local_sec + TP_DAY_SEC);
    return is_first ? first : second;
}
