#include "decode/tally_v2.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "decode/varint.h"

// THE FAST PATH
//
// An event is a code byte and n <= 5 varints. Sixteen bytes behind the code are
// loaded at once; the bytes without their high bit end a varint, so the n-th such
// byte ends the event. That takes the same time for numbers of any length, where
// reading byte by byte mispredicts a branch on every second time delta. Events
// that do not fit into sixteen bytes, carry a tail, hold a number in more bytes
// than it needs, or one that might not fit into 64 bits go through tp_event_read.

#define WINDOW_BYTES 16

// Which events name a goroutine (the first id argument) or a P.
static const uint8_t ident_arg[TP_EVENT_CODES] = {
    [TP_EV_ProcStart] = 1,      [TP_EV_ProcStatus] = 1,      [TP_EV_GoCreate] = 1,
    [TP_EV_GoCreateSyscall] = 1, [TP_EV_GoCreateBlocked] = 1, [TP_EV_GoStatus] = 1,
    [TP_EV_GoStatusStack] = 1,
};

struct window {
    uint32_t ends;  // bit i: byte i ends a varint
    uint32_t zeros; // bit i: byte i is 0
};

#ifdef __SSE2__
TP_INLINE struct window look(const unsigned char *p)
{
    __m128i x = _mm_loadu_si128((const __m128i *)(const void *)p);
    uint32_t more = (uint32_t)_mm_movemask_epi8(x);
    uint32_t zeros = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(x, _mm_setzero_si128()));
    return (struct window){~more & 0xffff, zeros};
}
#else
TP_INLINE struct window look(const unsigned char *p)
{
    struct window w = {0, 0};
    for (unsigned i = 0; i < WINDOW_BYTES; i++) {
        w.ends |= (uint32_t)(p[i] < 0x80) << i;
        w.zeros |= (uint32_t)(p[i] == 0) << i;
    }
    return w;
}
#endif

// `ends` without its lowest n - 1 bits; n = 0 and 1 change nothing.
TP_INLINE uint32_t drop_ends(uint32_t ends, unsigned n)
{
    switch (n) {
    case 5: ends &= ends - 1; // fall through
    case 4: ends &= ends - 1; // fall through
    case 3: ends &= ends - 1; // fall through
    case 2: ends &= ends - 1; // fall through
    default: return ends;
    }
}

// Whether a number inside has ten bytes or more: it may exceed 64 bits.
TP_INLINE bool has_long_number(uint32_t ends, uint32_t inside)
{
    uint32_t run = ~ends & inside; // of 1 continuation byte, then of 2, 4, 8, 9
    run &= run >> 1;
    run &= run >> 2;
    run &= run >> 4;
    return (run & (~ends & inside) >> 8) != 0;
}

// The varint of at most 8 bytes at p, which must be readable for 8.
TP_INLINE uint64_t short_varint(const unsigned char *p, uint32_t ends)
{
    uint64_t x;
    memcpy(&x, p, 8);
    unsigned len_bytes = (unsigned)__builtin_ctz(ends) + 1;
    if (tp_likely(len_bytes <= 2))
        return (x & 0x7f) | (len_bytes == 2 ? (x >> 1) & 0x3f80 : 0);
    uint64_t value = 0;
    const unsigned char *at = p;
    tp_varint_get(&at, p + WINDOW_BYTES, &value);
    return value;
}

static bool tally_slowly(struct tp_tally *t, const unsigned char **p, const unsigned char *end,
                         const struct tp_arg_table *table, tp_ident_fn on_ident, void *ctx,
                         struct tp_tally_result *r)
{
    struct tp_event ev;
    r->status = tp_event_read(p, end, table, &ev);
    if (r->status != TP_EVENT_OK)
        return false;
    t->count[ev.type]++;
    t->bytes[ev.type] += tp_event_canonical_bytes(&ev);
    uint8_t kind = tp_event_specs[ev.type].kind;
    if (kind == TP_KIND_TIMED || kind == TP_KIND_EXP)
        r->dt_ticks += ev.args[0];
    if (ident_arg[ev.type] && on_ident != NULL)
        on_ident(ctx, ev.type, ev.args[1]);
    return true;
}

// Whether the window shows everything about an event of this kind.
static bool is_plain(uint8_t kind)
{
    return kind == TP_KIND_TIMED || kind == TP_KIND_EXP;
}

struct tp_tally_result tp_tally_events(struct tp_tally *t, struct tp_span bytes,
                                       size_t readable_bytes, const struct tp_arg_table *table,
                                       tp_ident_fn on_ident, void *ctx)
{
    struct tp_tally_result r = {.status = TP_EVENT_OK};
    const unsigned char *p = bytes.ptr, *const end = p + bytes.len_bytes;
    const unsigned char *const readable = p + readable_bytes;
    while (p < end) {
        uint8_t type = *p;
        unsigned n = table->count[type];
        if (tp_likely((size_t)(readable - p) > WINDOW_BYTES && is_plain(tp_event_specs[type].kind) &&
                      n != TP_ARGS_INVALID)) {
            struct window w = look(p + 1);
            uint32_t last = drop_ends(w.ends, n);
            // Ends and padding count only inside the event's own bytes.
            uint32_t inside = last ^ (last - 1);
            uint32_t padded = w.zeros & (~w.ends << 1) & inside;
            unsigned len_bytes = (unsigned)__builtin_ctz(last | 1u << WINDOW_BYTES) + 2;
            if (tp_likely(last != 0 && padded == 0 && (size_t)(end - p) >= len_bytes &&
                          (w.ends & 0xff) != 0 &&
                          (len_bytes <= TP_VARINT_MAX_BYTES ||
                           !has_long_number(w.ends, inside)))) {
                t->count[type]++;
                t->bytes[type] += len_bytes;
                r.dt_ticks += short_varint(p + 1, w.ends);
                if (tp_unlikely(ident_arg[type]) && on_ident != NULL) {
                    uint64_t id = 0;
                    const unsigned char *at = p + 2 + __builtin_ctz(w.ends);
                    tp_varint_get(&at, end, &id);
                    on_ident(ctx, type, id);
                }
                p += len_bytes;
                continue;
            }
        }
        if (!tally_slowly(t, &p, end, table, on_ident, ctx, &r))
            break;
    }
    r.used_bytes = (size_t)(p - bytes.ptr);
    return r;
}

void tp_tally_add(struct tp_tally *into, const struct tp_tally *from)
{
    for (size_t i = 0; i < TP_EVENT_CODES; i++) {
        into->count[i] += from->count[i];
        into->bytes[i] += from->bytes[i];
    }
}
