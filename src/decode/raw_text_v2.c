#include "decode/raw_text.h"

#include <pthread.h>

#include "base/text/decimal.h"
#include "base/text/quote.h"
#include "base/text/text_block.h"
#include "decode/event_v2.h"
#include "decode/varint.h"

static struct tp_text_block before_arg[TP_EVENT_CODES][TP_MAX_EVENT_ARGS]; // "Name a=" or " b="
static struct tp_text_block bare_name[TP_EVENT_CODES];                     // without arguments
static struct tp_text_block before_frame_arg[TP_FRAME_ARGS];
static pthread_once_t blocks_once = PTHREAD_ONCE_INIT;

static void make_blocks(void)
{
    tp_small_decimals_make();
    for (unsigned code = 0; code < TP_EVENT_CODES; code++) {
        const struct tp_event_spec *spec = &tp_event_specs[code];
        tp_text_block_append(&bare_name[code], spec->name != NULL ? spec->name : "");
        for (unsigned i = 0; i < spec->arg_count; i++)
            tp_text_block_append_arg(&before_arg[code][i], spec->name, i, spec->args[i]);
    }
    for (unsigned k = 0; k < TP_FRAME_ARGS; k++) {
        tp_text_block_append(&before_frame_arg[k], k == 0 ? "\n\t" : " ");
        tp_text_block_append(&before_frame_arg[k], tp_frame_arg_names[k]);
        tp_text_block_append(&before_frame_arg[k], "=");
    }
}

// Maximum bytes that reading a frame may touch. If this many are left, nothing is compared with the
// end.
#define FRAME_ROOM_BYTES (TP_FRAME_ARGS * TP_VARINT_MAX_BYTES)
_Static_assert(TP_FRAME_TEXT_MAX_BYTES <= TP_RAW_TEXT_OVERRUN_BYTES, "a text is copied as a whole");

// Prints the frame at *p_io. False: the frame is cut or has an invalid number.
TP_INLINE bool put_frame(const unsigned char **p_io, const unsigned char *end,
                         unsigned char **to_io)
{
    bool is_roomy = end - *p_io >= FRAME_ROOM_BYTES;
    for (unsigned k = 0; k < TP_FRAME_ARGS; k++) {
        uint64_t value = 0;
        if (tp_unlikely(is_roomy ? !tp_varint_get_roomy_unchecked(p_io, &value)
                                 : tp_varint_get(p_io, end, &value) != TP_VARINT_OK))
            return false;
        *to_io = tp_put_decimal_tabled(tp_text_block_put(*to_io, &before_frame_arg[k]), value);
    }
    return true;
}

// Prints `frame_count` frames. False: one of them is cut or has an invalid number.
static bool put_frames(struct tp_frame_cache *cache, const unsigned char **p_io,
                       const unsigned char *end, uint64_t frame_count, unsigned char **to_io)
{
    const unsigned char *p = *p_io;
    unsigned char *to = *to_io;
    for (uint64_t i = 0; i < frame_count; i++) {
        const unsigned char *wire = p;
        unsigned char *text = to;
        bool is_roomy = end - p >= FRAME_ROOM_BYTES;
        const struct tp_frame_text *known = is_roomy ? tp_frame_cache_find(cache, p) : NULL;
        if (tp_likely(known != NULL)) {
            memcpy(to, known->text, sizeof known->text);
            p += known->key.wire_bytes;
            to += known->text_bytes;
            continue;
        }
        if (!put_frame(&p, end, &to))
            return false;
        if (is_roomy)
            tp_frame_cache_put(cache, wire, (size_t)(p - wire), text, (size_t)(to - text));
    }
    *p_io = p;
    *to_io = to;
    return true;
}

static unsigned char *put_data(unsigned char *to, struct tp_span data)
{
    static const char key[] = "\n\tdata=";
    if (data.len_bytes == 0)
        return to; // Go prints no line either
    memcpy(to, key, sizeof key - 1);
    return tp_quote(to + sizeof key - 1, data);
}

// Prints any event, with its tail.
unsigned char *tp_raw_text_v2_put_event(unsigned char *to, const struct tp_wire_event *ev)
{
    if (ev->arg_count == 0)
        to = tp_text_block_put(to, &bare_name[ev->type]);
    for (unsigned i = 0; i < ev->arg_count; i++)
        to = tp_put_decimal_tabled(tp_text_block_put(to, &before_arg[ev->type][i]), ev->args[i]);
    switch (tp_event_specs[ev->type].kind) {
    case TP_WIRE_STACK: {
        const unsigned char *p = ev->tail.ptr;
        for (uint64_t i = 0; i < ev->frame_count; i++)
            (void)put_frame(&p, ev->tail.ptr + ev->tail.len_bytes, &to); // cannot fail: was read
        break;
    }
    case TP_WIRE_DATA: to = put_data(to, ev->tail); break;
    default: break;
    }
    *to++ = '\n';
    return to;
}

// Prints events without a tail, of which every trace mostly consists. Stops at the end, or at an
// event that needs the general way, and returns this place.
static const unsigned char *put_plain_events(const unsigned char *p, const unsigned char *end,
                                             const struct tp_arg_table *table,
                                             unsigned char **to_io)
{
    unsigned char *to = *to_io;
    while (p < end) {
        uint8_t type = *p;
        unsigned n = table->plain[type];
        if (tp_unlikely(n == TP_ARGS_INVALID))
            break;
        const unsigned char *at = p + 1;
        unsigned char *line = to;
        if (tp_unlikely(n == 0))
            line = tp_text_block_put(line, &bare_name[type]);
        for (unsigned i = 0; i < n; i++) {
            uint64_t value = 0;
            if (tp_unlikely(tp_varint_get(&at, end, &value) != TP_VARINT_OK))
                goto out;
            line = tp_put_decimal_tabled(tp_text_block_put(line, &before_arg[type][i]), value);
        }
        *line++ = '\n';
        to = line;
        p = at;
    }
out:
    *to_io = to;
    return p;
}

// Reads and prints a stack in one pass, because half of a trace can be stacks. Returns false and
// prints nothing if the stack has a fault, which the general way then finds.
static bool put_stack(struct tp_frame_cache *cache, const unsigned char **p_io,
                      const unsigned char *end, const struct tp_arg_table *table,
                      unsigned char **to_io)
{
    const unsigned char *p = *p_io;
    uint64_t id = 0, frame_count = 0;
    if (*p++ != TP_EV_Stack || table->count[TP_EV_Stack] == TP_ARGS_INVALID ||
        tp_varint_get(&p, end, &id) != TP_VARINT_OK ||
        tp_varint_get(&p, end, &frame_count) != TP_VARINT_OK || frame_count > INT64_MAX)
        return false;
    unsigned char *to = *to_io;
    to = tp_put_decimal_tabled(tp_text_block_put(to, &before_arg[TP_EV_Stack][0]), id);
    to = tp_put_decimal_tabled(tp_text_block_put(to, &before_arg[TP_EV_Stack][1]), frame_count);
    if (!put_frames(cache, &p, end, frame_count, &to))
        return false;
    *to++ = '\n';
    *p_io = p;
    *to_io = to;
    return true;
}

void tp_raw_text_v2_begin(struct tp_raw_text *t, uint32_t minor, enum tp_dialect dialect)
{
    pthread_once(&blocks_once, make_blocks);
    t->minor = minor;
    t->table = tp_arg_table(minor, dialect);
}

unsigned char *tp_raw_text_v2_put(struct tp_raw_text *t, const unsigned char **p_io,
                                  const unsigned char *end, unsigned char *to)
{
    const struct tp_arg_table *table = t->table;
    const unsigned char *p = *p_io;
    while (p < end) {
        struct tp_wire_event ev;
        p = put_plain_events(p, end, table, &to);
        if (p < end && put_stack(&t->frames, &p, end, table, &to))
            continue;
        if (p == end || tp_event_read(&p, end, table, &ev) != TP_EVENT_OK)
            break;
        to = tp_raw_text_v2_put_event(to, &ev);
    }
    *p_io = p;
    return to;
}
