// Moments in Unix time, and their texts: dates with times of day as Go writes them.
#ifndef TP_BASE_TIME_WALL_H
#define TP_BASE_TIME_WALL_H

#include "base/time/zone.h"

// A moment. A plain value.
struct tp_wall {
    int64_t sec;  // Unix time
    int64_t nsec; // 0 to 999999999
};

TP_INLINE bool tp_wall_is_before(struct tp_wall a, struct tp_wall b)
{
    return a.sec != b.sec ? a.sec < b.sec : a.nsec < b.nsec;
}

// Returns the moment `ns` after `w`; a negative `ns` is before it. The sum must not overflow, which
// it does not if `w` is of the years 1 to 9999.
TP_INLINE struct tp_wall tp_wall_after(struct tp_wall w, int64_t ns)
{
    const int64_t per_sec = 1000000000;
    int64_t nsec = w.nsec + ns % per_sec;
    int64_t carry_sec = nsec < 0 ? -1 : nsec / per_sec;
    return (struct tp_wall){w.sec + ns / per_sec + carry_sec, nsec - carry_sec * per_sec};
}

// Stands in place of nanoseconds of Unix time that are not known.
#define TP_NO_WALL_NS INT64_MIN

// Returns the moment at `ns` nanoseconds of Unix time.
TP_INLINE struct tp_wall tp_wall_at(int64_t ns)
{
    return tp_wall_after((struct tp_wall){0}, ns);
}

// Sets *ret_ns to the moment in nanoseconds of Unix time. False: it is outside of 1677 to 2262, and
// 64 bits do not hold the number.
TP_INLINE bool tp_wall_ns(struct tp_wall w, int64_t *ret_ns)
{
    // A negative moment has whole seconds before it and a positive rest, which must not overflow
    // on the way to a sum that fits.
    bool is_early = w.sec < 0 && w.nsec > 0;
    int64_t sec = w.sec + is_early, nsec = w.nsec - (is_early ? 1000000000 : 0);
    return !__builtin_mul_overflow(sec, (int64_t)1000000000, ret_ns) &&
           !__builtin_add_overflow(*ret_ns, nsec, ret_ns);
}

// The longest text of a time of day, also of absurd times.
#define TP_WALL_MAX_BYTES 64

// Writes a moment as RFC 3339 in a zone (NULL: UTC), with `digits` digits after the second, further
// ones cut off; with 0 digits what Go's time.Unix(sec, nsec).Format(time.RFC3339Nano) returns. Also
// for absurd times. Returns one past the last byte. `to` needs room for TP_WALL_MAX_BYTES. Any
// thread; cannot fail.
unsigned char *tp_put_wall(unsigned char *to, struct tp_wall w, int digits,
                           const struct tp_zone *z);

// A moment as text, by value.
struct tp_wall_text {
    char text[TP_WALL_MAX_BYTES + 1];
};

// Returns what tp_put_wall writes.
struct tp_wall_text tp_wall_text(struct tp_wall w, int digits, const struct tp_zone *z);

#endif
