#include "decode/tally_v1.h"

#include <assert.h>
#include <pthread.h>

#include "decode/varint.h"

// THE FAST PATH
//
// Nearly all events have one to five numbers, after a length of one byte if there are enough
// numbers to need one. The high bits of sixteen bytes, taken at once, show the ends of the numbers,
// and whether one of the numbers is padded. tp_v1_event_read reads unusual events: those with
// padded or long numbers, a tail or an unnecessary length, and an event that the bytes cut off.

#define LOAD_BYTES 16
_Static_assert(TP_V1_MAX_ARGS == 5, "last_of counts to five");
// Number of bytes that the fast path reads: the first byte, the length, and LOAD_BYTES after them.
#define EVENT_READ_BYTES (2 + LOAD_BYTES)

// How the fast path reads an event with a given first byte.
struct way {
    uint8_t number_count; // 0: not for the fast path
    uint8_t sized;        // 1: a length comes first
    uint8_t ident;        // enum tp_ident
    uint8_t ident_arg;    // the argument for on_ident
};

struct ways {
    uint8_t prefix_count;
    struct way of[256]; // by first byte
};

static struct ways all_ways[TP_V1_VERSIONS];
static pthread_once_t ways_once = PTHREAD_ONCE_INIT;

// Returns which fact an event of this type contains, in its argument *ret_arg.
static enum tp_ident ident_of(const struct tp_v1_table *t, unsigned type, unsigned *ret_arg)
{
    static const uint8_t idents[TP_V1_CODES] = {
        [TP_V1_Frequency] = TP_IDENT_FREQUENCY,
        [TP_V1_GoCreate] = TP_IDENT_GOROUTINE,
        [TP_V1_ProcStart] = TP_IDENT_THREAD,
    };
    *ret_arg = type == TP_V1_Frequency ? 0 : t->prefix_count;
    // Before Go 1.5 a ProcStart does not name its thread.
    return *ret_arg < t->forms[type].arg_count ? idents[type] : TP_IDENT_NONE;
}

static struct way way_of(const struct tp_v1_table *t, unsigned first)
{
    unsigned type = first % TP_V1_CODES, n = first / TP_V1_CODES;
    const struct tp_v1_form *form = &t->forms[type];
    bool is_sized = form->arg_count >= t->prefix_count + TP_V1_SIZED;
    unsigned usual_n = is_sized ? TP_V1_SIZED : (unsigned)form->arg_count - t->prefix_count;
    // The fast path counts only events that have the time at which they happened; a sample has not.
    if (form->kind != TP_V1_KIND_EVENT || n != usual_n || type == TP_V1_CPUSample)
        return (struct way){0};
    unsigned arg;
    enum tp_ident ident = ident_of(t, type, &arg);
    return (struct way){.number_count = form->arg_count,
                        .sized = is_sized,
                        .ident = (uint8_t)ident,
                        .ident_arg = (uint8_t)arg};
}

static void make_ways(void)
{
    for (unsigned v = 0; v < TP_V1_VERSIONS; v++) {
        const struct tp_v1_table *t = tp_v1_table(tp_versions[v].minor);
        all_ways[v].prefix_count = t->prefix_count;
        for (unsigned first = 0; first < TP_ARRAY_LEN(all_ways[v].of); first++)
            all_ways[v].of[first] = way_of(t, first);
    }
}

static const struct ways *ways_of(const struct tp_v1_table *table)
{
    pthread_once(&ways_once, make_ways);
    return &all_ways[tp_version_of(table->minor)];
}

// Returns the bit of the last byte of the first `count` numbers; 0: they do not end within the
// loaded bytes. `ends` has a bit for the last byte of each number. Has no branches, because
// consecutive events differ.
TP_INLINE unsigned last_of(unsigned ends, unsigned count)
{
    unsigned fewer = ends & (ends - 1);
    ends = count > 1 ? fewer : ends;
    fewer = ends & (ends - 1);
    ends = count > 2 ? fewer : ends;
    fewer = ends & (ends - 1);
    ends = count > 3 ? fewer : ends;
    fewer = ends & (ends - 1);
    ends = count > 4 ? fewer : ends;
    return ends & -ends;
}

// Returns the length in bytes of the `count` numbers at `numbers`; 0: the fast path cannot measure
// them.
TP_INLINE unsigned measure(const unsigned char *numbers, unsigned high, unsigned count)
{
    unsigned last = last_of(~high & 0xffff, count);
    unsigned inside = last | (last - 1);
    bool is_padded = (tp_varint_zero_bytes(numbers) & high << 1 & inside) != 0;
    if (tp_unlikely(count == 0 || last == 0 || is_padded))
        return 0;
    unsigned len_bytes = (unsigned)__builtin_ctz(last) + 1;
    // A number of TP_VARINT_MAX_BYTES may exceed 64 bits.
    return tp_likely(len_bytes < count + TP_VARINT_MAX_BYTES - 1) ? len_bytes : 0;
}

static void pass_ident(const unsigned char *numbers, const struct way *way, tp_ident_fn on_ident,
                       void *ctx)
{
    uint64_t value = 0;
    for (unsigned i = 0; i <= way->ident_arg; i++)
        (void)tp_varint_get_roomy_unchecked(&numbers, &value); // were measured
    on_ident(ctx, way->ident, value);
}

// Parameters and results of counting the events of one run.
struct counting {
    struct tp_tally *tally;
    const struct tp_v1_table *table;
    const struct ways *ways;
    tp_ident_fn on_ident;
    void *ctx;
    struct tp_tally_result result;
};

// Counts events up to the first one that is not for the fast path, and returns the place of that
// event.
static const unsigned char *tally_fast(struct counting *c, const unsigned char *p,
                                       const unsigned char *end)
{
    struct tp_tally *t = c->tally;
    const struct ways *ways = c->ways;
    tp_ident_fn on_ident = c->on_ident;
    const unsigned char *from = p;
    uint64_t ticks = 0;
    while (end - p >= EVENT_READ_BYTES) {
        unsigned first = *p, type = first % TP_V1_CODES;
        const struct way *way = &ways->of[first];
        const unsigned char *numbers = p + 1 + way->sized;
        unsigned high = tp_varint_high_bits(numbers);
        unsigned len_bytes = measure(numbers, high, way->number_count);
        if (tp_unlikely(len_bytes == 0 || (way->sized && p[1] != len_bytes)))
            break;
        const unsigned char *dt_at = numbers;
        uint64_t dt = 0;
        if (tp_unlikely(ways->prefix_count > 1))
            dt_at += __builtin_ctz(~high) + 1;
        (void)tp_varint_get_roomy_unchecked(&dt_at, &dt); // was measured
        ticks += dt;
        if (tp_unlikely(way->ident != TP_IDENT_NONE) && on_ident != NULL)
            pass_ident(numbers, way, on_ident, c->ctx);
        p = numbers + len_bytes;
        tp_tally_count(t, TP_TALLY_V1 + type, 1u + way->sized + len_bytes);
    }
    c->result.dt_ticks += ticks;
    c->result.has_times = c->result.has_times || p > from;
    return p;
}

static bool tally_slowly(struct counting *c, const unsigned char **p, const unsigned char *end)
{
    const struct tp_v1_table *table = c->table;
    struct tp_tally_result *r = &c->result;
    struct tp_wire_event ev;
    if (tp_v1_event_read(p, end, table, &ev) != TP_V1_OK)
        return false;
    tp_tally_count(c->tally, TP_TALLY_V1 + ev.type, tp_v1_event_canonical_bytes(&ev, table));
    if (tp_v1_type_is_timed(ev.type)) {
        r->dt_ticks += ev.args[table->prefix_count - 1];
        r->has_times = r->has_times || ev.type != TP_V1_CPUSample;
    }
    unsigned arg;
    enum tp_ident ident = ident_of(table, ev.type, &arg);
    if (ident != TP_IDENT_NONE && c->on_ident != NULL)
        c->on_ident(c->ctx, ident, ev.args[arg]);
    return true;
}

struct tp_tally_result tp_v1_tally_events(struct tp_tally *t, struct tp_span bytes,
                                          const struct tp_v1_table *table, tp_ident_fn on_ident,
                                          void *ctx)
{
    struct counting c = {t, table, ways_of(table), on_ident, ctx, {0}};
    const unsigned char *p = bytes.ptr, *const end = p + bytes.len_bytes;
    while (p < end) {
        p = tally_fast(&c, p, end);
        if (p < end && !tally_slowly(&c, &p, end))
            break;
    }
    c.result.used_bytes = (size_t)(p - bytes.ptr);
    return c.result;
}

// EXTENTS

// The P of a batch that belongs to no P.
#define NO_P UINT64_MAX

// Returns the time delta of the first event after the Batch event of a run.
static uint64_t first_dt_ticks(const struct tp_extent *run, const unsigned char *bytes,
                               const struct tp_v1_table *table)
{
    const unsigned char *p = bytes + run->header_bytes;
    struct tp_wire_event ev;
    bool is_event = tp_v1_event_read(&p, bytes + run->len_bytes, table, &ev) == TP_V1_OK;
    return is_event ? ev.args[table->prefix_count - 1] : 0;
}

struct tp_tally_result tp_v1_tally_extent(struct tp_tally *t, const struct tp_extent *x,
                                          const unsigned char *bytes, uint32_t minor,
                                          tp_ident_fn on_ident, void *ctx)
{
    const struct tp_v1_table *table = tp_v1_table(minor);
    if (x->kind != TP_EXTENT_BATCH)
        return (struct tp_tally_result){.used_bytes = x->len_bytes};
    struct tp_tally_result r =
        tp_v1_tally_events(t, tp_span_of(bytes, x->len_bytes), table, on_ident, ctx);
    assert(r.used_bytes == x->len_bytes);
    if (r.has_times)
        r.first_dt_ticks = first_dt_ticks(x, bytes, table);
    if (r.has_times && x->m != NO_P && on_ident != NULL)
        on_ident(ctx, TP_IDENT_PROC, x->m);
    return r;
}
