#include "wire_build_v1.h"

#include <stdio.h>
#include <stdlib.h>

#include "decode/varint.h"

#define CODE_STACK 3
#define CODE_STRING 37
#define CODE_USER_LOG 48
#define RANDOM_FRAMES 5
#define RANDOM_DATA_BYTES 40
#define EVENT_MAX_BYTES TP_KIB(128)

// How many arguments the count in the first byte leaves out: one more than events have prefixes.
static unsigned uncounted(uint32_t minor) { return minor == 5 ? 2 : 1; }

static unsigned frame_args(uint32_t minor) { return minor < 7 ? 1 : 4; }

static bool has_data(uint8_t type) { return type == CODE_STRING || type == CODE_USER_LOG; }

void wire_v1_put_header(struct tp_buf *b, uint32_t minor)
{
    if (minor == 0)
        wire_put(b, "gotrace", 8);
    else
        wire_put_header(b, minor);
}

// Writes a number; with `state`, sometimes in a longer form.
static void put_number(struct tp_buf *b, uint64_t value, uint64_t *state)
{
    unsigned least = tp_varint_len(value), spare = TP_VARINT_MAX_BYTES - least;
    bool is_padded = state != NULL && spare > 0 && wire_random(state) % 4 == 0;
    unsigned extra = is_padded ? 1 + (unsigned)(wire_random(state) % spare) : 0;
    wire_put_padded(b, value, least + extra);
}

static void put_frames(struct tp_buf *b, struct tp_span tail, uint64_t *state)
{
    const unsigned char *p = tail.ptr, *end = p + tail.len_bytes;
    uint64_t value;
    while (p < end && tp_v1_number(&p, end, &value) == TP_V1_OK)
        put_number(b, value, state);
}

static void put_data(struct tp_buf *b, const struct tp_wire_event *ev, uint64_t *state)
{
    put_number(b, ev->tail.len_bytes, state);
    wire_put(b, ev->tail.ptr, ev->tail.len_bytes);
}

static void put_sized(struct tp_buf *b, const struct tp_wire_event *ev, unsigned pad_bytes,
                      uint64_t *state)
{
    struct tp_buf body;
    if (!tp_buf_init(&body, EVENT_MAX_BYTES))
        abort();
    for (unsigned i = 0; i < ev->arg_count; i++)
        put_number(&body, ev->args[i], state);
    if (ev->type == CODE_STACK)
        put_frames(&body, ev->tail, state);
    wire_put_byte(b, 3u << 6 | ev->type);
    wire_put_padded(b, body.len_bytes, tp_varint_len(body.len_bytes) + pad_bytes);
    wire_put(b, body.ptr, body.len_bytes);
    tp_buf_fini(&body);
    if (has_data(ev->type))
        put_data(b, ev, state);
}

static void put_event(struct tp_buf *b, uint32_t minor, const struct tp_wire_event *ev,
                      uint64_t *state)
{
    unsigned n = ev->arg_count < uncounted(minor) ? 0 : ev->arg_count - uncounted(minor);
    if (ev->type != CODE_STRING && (n >= 3 || ev->type == CODE_STACK)) {
        put_sized(b, ev, ev->pad_bytes, state);
        return;
    }
    if (ev->type == CODE_STRING)
        n = state != NULL ? (unsigned)(wire_random(state) % 4) : 0;
    wire_put_byte(b, n << 6 | ev->type);
    for (unsigned i = 0; i < ev->arg_count; i++)
        put_number(b, ev->args[i], state);
    if (has_data(ev->type))
        put_data(b, ev, state);
}

void wire_v1_put_event(struct tp_buf *b, uint32_t minor, const struct tp_wire_event *ev)
{
    put_event(b, minor, ev, NULL);
}

void wire_v1_put_sized(struct tp_buf *b, const struct tp_wire_event *ev)
{
    put_sized(b, ev, ev->pad_bytes, NULL);
}

void wire_v1_put_odd(struct tp_buf *b, uint32_t minor, const struct tp_wire_event *ev,
                     uint64_t *state)
{
    if (ev->type != CODE_STRING && wire_random(state) % 2 == 0)
        put_sized(b, ev, ev->pad_bytes, state);
    else
        put_event(b, minor, ev, state);
}

void wire_v1_put_args(struct tp_buf *b, uint32_t minor, uint8_t type, const uint64_t *args,
                      size_t count)
{
    struct tp_wire_event ev = {.type = type, .arg_count = (uint8_t)count};
    memcpy(ev.args, args, count * sizeof *args);
    wire_v1_put_event(b, minor, &ev);
}

void wire_v1_put_batch(struct tp_buf *b, uint32_t minor, uint64_t p, uint64_t ticks)
{
    if (minor == 5)
        WIRE_V1_PUT(b, minor, 1, p, 0, ticks);
    else
        WIRE_V1_PUT(b, minor, 1, p, ticks);
}

// Writes an event of one number and, for Go 1.5 and 1.6, a second one that readers ignore.
static void put_plain(struct tp_buf *b, uint32_t minor, uint8_t type, uint64_t value)
{
    if (minor == 5)
        WIRE_V1_PUT(b, minor, type, value, 0);
    else
        WIRE_V1_PUT(b, minor, type, value);
}

void wire_v1_put_frequency(struct tp_buf *b, uint32_t minor, uint64_t freq)
{
    put_plain(b, minor, 2, freq);
}

void wire_v1_put_timer_goroutine(struct tp_buf *b, uint32_t minor, uint64_t g)
{
    put_plain(b, minor, 35, g);
}

void wire_v1_put_string(struct tp_buf *b, uint64_t id, const char *text)
{
    struct tp_wire_event ev = {
        .type = CODE_STRING, .arg_count = 1, .args = {id}, .tail = tp_span_of(text, strlen(text))};
    put_event(b, 7, &ev, NULL);
}

void wire_v1_put_log(struct tp_buf *b, uint64_t dt, uint64_t task, uint64_t key_string,
                     uint64_t stack, const char *message)
{
    struct tp_wire_event ev = {.type = CODE_USER_LOG,
                               .arg_count = 4,
                               .args = {dt, task, key_string, stack},
                               .tail = tp_span_of(message, strlen(message))};
    put_event(b, 11, &ev, NULL);
}

void wire_v1_put_stack(struct tp_buf *b, uint32_t minor, uint64_t id, unsigned frame_count,
                       uint64_t pc, unsigned pad_bytes)
{
    struct tp_buf frames;
    if (!tp_buf_init(&frames, EVENT_MAX_BYTES))
        abort();
    for (unsigned i = 0; i < frame_count; i++) {
        wire_put_number(&frames, pc + i);
        for (unsigned k = 1; k < frame_args(minor); k++)
            wire_put_number(&frames, i);
    }
    struct tp_wire_event ev = {.type = CODE_STACK,
                               .arg_count = 2,
                               .pad_bytes = (uint8_t)pad_bytes,
                               .args = {id, frame_count},
                               .frame_count = frame_count,
                               .tail = tp_span_of(frames.ptr, frames.len_bytes)};
    wire_v1_put_event(b, minor, &ev);
    tp_buf_fini(&frames);
}

uint8_t wire_v1_random_type(uint64_t *state, const struct tp_v1_table *table)
{
    uint8_t type;
    do
        type = wire_random(state) % TP_V1_CODES;
    while (table->forms[type].name == NULL);
    return type;
}

static size_t random_frames(unsigned char *to, uint64_t *state, uint64_t number_count)
{
    unsigned char *from = to;
    for (uint64_t i = 0; i < number_count; i++)
        to = tp_varint_put(to, wire_random_number(state));
    return (size_t)(to - from);
}

void wire_v1_random_event(struct tp_wire_event *ev, unsigned char tail[WIRE_V1_TAIL_BYTES],
                          uint64_t *state, const struct tp_v1_table *table, uint8_t type)
{
    *ev = (struct tp_wire_event){.type = type, .arg_count = table->forms[type].arg_count};
    for (unsigned i = 0; i < ev->arg_count; i++)
        ev->args[i] = wire_random_number(state);
    size_t tail_bytes = 0;
    if (type == CODE_STACK) {
        ev->frame_count = ev->args[1] = wire_random(state) % RANDOM_FRAMES;
        tail_bytes = random_frames(tail, state, ev->frame_count * frame_args(table->minor));
        ev->pad_bytes = wire_random(state) % (TP_VARINT_MAX_BYTES - 2);
    }
    if (type == CODE_STRING)
        ev->args[0] |= 1;
    if (has_data(type)) {
        tail_bytes = wire_random(state) % RANDOM_DATA_BYTES + (type == CODE_STRING);
        for (size_t i = 0; i < tail_bytes; i++)
            tail[i] = (unsigned char)wire_random(state);
    }
    ev->tail = tp_span_of(tail, tail_bytes);
}

void wire_v1_put_beginning(struct tp_buf *b, uint32_t minor)
{
    wire_v1_put_batch(b, minor, 0, 100);
    WIRE_V1_PUT(b, minor, TP_V1_Gomaxprocs, 0, 2, 1);
    WIRE_V1_PUT(b, minor, TP_V1_ProcStart, 0, 5);
    WIRE_V1_PUT(b, minor, TP_V1_GoCreate, 0, 1, 2, 3);
    WIRE_V1_PUT(b, minor, TP_V1_GoStartLocal, 0, 1);
}

void wire_v1_put_stacks(struct tp_buf *b, uint32_t minor, uint64_t count)
{
    for (uint64_t id = 1; id <= count; id++)
        wire_v1_put_stack(b, minor, id, 1, 0x1000 * id, 0);
}
