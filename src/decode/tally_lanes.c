// FOUR PLACES AT ONCE
//
// The place of an event is known only after the length of the previous event has been found. This
// chain of loads costs more than any work on the events. So the code reads four bodies in turn,
// each in a chain of its own: a lane. A lane whose body has ended takes the next body. The function
// tp_tally_events counts everything else, one body at a time, "in the general way": bodies that
// lanes cannot count, the last bytes of each body in a lane, and, when no body waits, the rests of
// the bodies in all lanes.
//
// The code finds the length of an event without a branch on its numbers: the high bits of the bytes
// after the type, and the number of arguments, select the length in a table. Long or padded events
// and events with a tail are "odd": no lane can count them, so tp_event_read reads each of them
// while all lanes wait.
#include "decode/tally_lanes.h"

#include <pthread.h>
#include <string.h>

#include "decode/varint.h"

#define LANES 4
// Bytes of numbers that the table covers; longer events are odd.
#define NUMBERS_BYTES 10
#define EVENT_MAX_BYTES (1 + NUMBERS_BYTES)
#define LOAD_BYTES 16
// Number of bytes that are read to find the length of an event.
#define EVENT_READ_BYTES (1 + LOAD_BYTES)
// Rows of the table by number of arguments + 1: row 0 is for codes that are odd.
#define ROWS (TP_MAX_EVENT_ARGS + 2)
#define ODD 0x80

// Minimum length of a body for a lane: a shorter body has too few bytes that lanes can read
// safely.
#define BODY_MIN_BYTES 256
// Maximum number of odd events, those that a lane cannot count itself. Each of them stops all
// lanes, so with more of them it is faster to count one event after the other.
#define ODD_EVENTS_MAX 256

struct lane {
    const unsigned char *at, *end;
    uint64_t tally[TP_EVENT_CODES]; // count << 32 | bytes: one addition an event
};
#define PACKED_COUNT (UINT64_C(1) << 32)

struct lanes {
    struct tp_tally *total;
    const struct tp_arg_table *table;
    const struct tp_span *next, *last; // bodies not yet begun
    unsigned odd_left;
    uint16_t row[TP_EVENT_CODES];      // index in `lengths` of the row of a code
    struct lane lane[LANES];
};

// Length of the event in bytes, its type included, or ODD; by row and high bits.
static uint8_t lengths[ROWS << NUMBERS_BYTES];
static pthread_once_t lengths_once = PTHREAD_ONCE_INIT;

static uint8_t length_of(unsigned arg_count, unsigned high_bits)
{
    unsigned at = 0;
    for (unsigned i = 0; i < arg_count; i++) {
        unsigned from = at;
        while (at < NUMBERS_BYTES && (high_bits >> at & 1) != 0)
            at++;
        // A number with a tenth byte may exceed 64 bits.
        if (at == NUMBERS_BYTES || at - from == TP_VARINT_MAX_BYTES - 1)
            return ODD;
        at++;
    }
    return (uint8_t)(1 + at);
}

static void make_lengths(void)
{
    memset(lengths, ODD, sizeof lengths);
    for (unsigned n = 0; n <= TP_MAX_EVENT_ARGS; n++) {
        for (unsigned bits = 0; bits < 1u << NUMBERS_BYTES; bits++)
            lengths[(n + 1) << NUMBERS_BYTES | bits] = length_of(n, bits);
    }
}

// Returns the high bits of the NUMBERS_BYTES at `p`; the lowest bit is that of the first byte.
// Reads LOAD_BYTES.
TP_INLINE unsigned high_bits_at(const unsigned char *p)
{
    return tp_varint_high_bits(p) & ((1u << NUMBERS_BYTES) - 1);
}

TP_INLINE unsigned measure(const struct lanes *ls, const unsigned char *event)
{
    return lengths[ls->row[*event] | high_bits_at(event + 1)];
}

// Returns whether some number may be padded: its last byte is zero and not its only byte. (An
// experimental event with a delta of zero, and some data, look the same.)
static bool may_be_padded(struct tp_span bytes)
{
    typedef unsigned char vector __attribute__((vector_size(16)));
    vector found = {0};
    size_t i = 1;
    for (; i + sizeof found <= bytes.len_bytes; i += sizeof found) {
        vector before, here;
        memcpy(&before, bytes.ptr + i - 1, sizeof before);
        memcpy(&here, bytes.ptr + i, sizeof here);
        found |= (vector)(here == 0) & before;
    }
    unsigned char high = 0;
    for (size_t k = 0; k < sizeof found; k++)
        high |= found[k];
    for (; i < bytes.len_bytes; i++)
        high |= bytes.ptr[i] == 0 ? bytes.ptr[i - 1] : 0;
    return high >= 0x80;
}

// Returns whether lanes can count the body. They cannot count the bodies of tables: their events
// have no time, and nearly all of them are odd.
static bool suits_lanes(const struct lanes *ls, struct tp_span body)
{
    return ls->odd_left > 0 && body.len_bytes >= BODY_MIN_BYTES &&
           ls->table->timed[*body.ptr] != TP_ARGS_INVALID && !may_be_padded(body);
}

// Counts the rest of a body in the general way, with tp_tally_events. False: the body is not sound.
static bool count_rest(const struct lanes *ls, const unsigned char *at, const unsigned char *end)
{
    struct tp_span rest = tp_span_of(at, (size_t)(end - at));
    return tp_tally_events(ls->total, rest, ls->table, NULL, NULL).used_bytes == rest.len_bytes;
}

// Gives the lane the next body that lanes can count. Counts the bodies before that one with
// tp_tally_events. False: a body is not sound. If no body is left, the lane is
// empty, at == end.
static bool fill(struct lanes *ls, struct lane *l)
{
    l->at = l->end = NULL;
    while (ls->next < ls->last) {
        struct tp_span body = *ls->next++;
        if (suits_lanes(ls, body)) {
            l->at = body.ptr;
            l->end = body.ptr + body.len_bytes;
            return true;
        }
        if (!count_rest(ls, body.ptr, body.ptr + body.len_bytes))
            return false;
    }
    return true;
}

// Returns the number of events by which every lane can advance without a check for its end.
static size_t safe_steps(const struct lanes *ls)
{
    size_t least_bytes = SIZE_MAX;
    for (unsigned k = 0; k < LANES; k++) {
        size_t left_bytes = (size_t)(ls->lane[k].end - ls->lane[k].at);
        least_bytes = left_bytes < least_bytes ? left_bytes : least_bytes;
    }
    return least_bytes > EVENT_READ_BYTES ? (least_bytes - EVENT_READ_BYTES) / EVENT_MAX_BYTES : 0;
}

TP_INLINE const unsigned char *take_event(struct lane *l, const unsigned char *event, unsigned n)
{
    l->tally[*event] += PACKED_COUNT + n;
    return event + n;
}

// Advances all lanes by `steps` events. Stops earlier if the next event of a lane is odd: one that
// lanes cannot count.
static void move_on(struct lanes *ls, size_t steps)
{
    struct lane *l = ls->lane;
    const unsigned char *p0 = l[0].at, *p1 = l[1].at, *p2 = l[2].at, *p3 = l[3].at;
    for (; steps > 0; steps--) {
        unsigned n0 = measure(ls, p0), n1 = measure(ls, p1);
        unsigned n2 = measure(ls, p2), n3 = measure(ls, p3);
        if (tp_unlikely((n0 | n1 | n2 | n3) & ODD))
            break;
        p0 = take_event(&l[0], p0, n0);
        p1 = take_event(&l[1], p1, n1);
        p2 = take_event(&l[2], p2, n2);
        p3 = take_event(&l[3], p3, n3);
    }
    l[0].at = p0, l[1].at = p1, l[2].at = p2, l[3].at = p3;
}

// If the lane's next event is odd (lanes cannot count it), reads it with tp_event_read and counts
// it. False: the bytes are not an event.
static bool step_over_odd(struct lanes *ls, struct lane *l)
{
    struct tp_wire_event ev;
    if (measure(ls, l->at) != ODD)
        return true;
    if (tp_event_read(&l->at, l->end, ls->table, &ev) != TP_EVENT_OK)
        return false;
    ls->odd_left -= ls->odd_left > 0;
    tp_tally_count(ls->total, ev.type, tp_event_canonical_bytes(&ev));
    return true;
}

// Advances all lanes until one is near its end, or until the lanes have met ODD_EVENTS_MAX events
// that they cannot count. False: a body is not sound.
static bool run_lanes(struct lanes *ls)
{
    for (size_t steps; ls->odd_left > 0 && (steps = safe_steps(ls)) > 0;) {
        move_on(ls, steps);
        for (unsigned k = 0; k < LANES; k++) {
            if (!step_over_odd(ls, &ls->lane[k]))
                return false;
        }
    }
    return true;
}

// Finishes each body of which few bytes are left, and gives its lane the next waiting body. If no
// body waits, finishes the bodies of all lanes. If the lanes have met ODD_EVENTS_MAX events that
// they cannot count, finishes all bodies, the waiting ones included. False: a body is not sound.
static bool change_bodies(struct lanes *ls)
{
    bool is_last = ls->next == ls->last || ls->odd_left == 0;
    for (unsigned k = 0; k < LANES; k++) {
        struct lane *l = &ls->lane[k];
        if (!is_last && l->end - l->at > BODY_MIN_BYTES)
            continue;
        if (!count_rest(ls, l->at, l->end) || !fill(ls, l))
            return false;
    }
    return true;
}

static void add_lane(struct tp_tally *t, const struct lane *l)
{
    for (size_t i = 0; i < TP_EVENT_CODES; i++) {
        t->count[i] += l->tally[i] / PACKED_COUNT;
        t->bytes[i] += l->tally[i] % PACKED_COUNT;
    }
}

static bool all_empty(const struct lanes *ls)
{
    bool is_empty = true;
    for (unsigned k = 0; k < LANES; k++)
        is_empty = is_empty && ls->lane[k].at == ls->lane[k].end;
    return is_empty;
}

static void init_lanes(struct lanes *ls)
{
    for (unsigned code = 0; code < TP_EVENT_CODES; code++) {
        unsigned n = ls->table->plain[code];
        ls->row[code] = (uint16_t)(n != TP_ARGS_INVALID ? (n + 1) << NUMBERS_BYTES : 0);
    }
    for (unsigned k = 0; k < LANES; k++)
        ls->lane[k] = (struct lane){0};
}

bool tp_tally_bodies(struct tp_tally *t, const struct tp_span *bodies, size_t body_count,
                     const struct tp_arg_table *table)
{
    struct lanes ls = {.total = t,
                       .table = table,
                       .next = bodies,
                       .last = bodies + body_count,
                       .odd_left = ODD_EVENTS_MAX};
    pthread_once(&lengths_once, make_lengths);
    init_lanes(&ls);
    do {
        if (!run_lanes(&ls) || !change_bodies(&ls))
            return false;
    } while (!all_empty(&ls));
    for (unsigned k = 0; k < LANES; k++)
        add_lane(t, &ls.lane[k]);
    return true;
}
