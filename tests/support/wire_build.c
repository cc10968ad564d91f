#include "wire_build.h"

#include <stdio.h>
#include <stdlib.h>

#include "decode/varint.h"

#define RANDOM_FRAMES 4
#define RANDOM_DATA_BYTES 40
#define RUNTIME_SIZE_BYTES 10

const uint32_t wire_versions[4] = {22, 23, 25, 26};

uint64_t wire_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

uint64_t wire_random_number(uint64_t *state)
{
    unsigned bits = (unsigned)(wire_random(state) % 65);
    return bits == 0 ? 0 : wire_random(state) >> (64 - bits);
}

void wire_put(struct tp_buf *b, const void *bytes, size_t len_bytes)
{
    if (!tp_buf_put(b, bytes, len_bytes)) {
        fprintf(stderr, "the test's buffer of %zu bytes is too small\n", b->max_bytes);
        abort();
    }
}

void wire_put_byte(struct tp_buf *b, unsigned byte)
{
    unsigned char one = (unsigned char)byte;
    wire_put(b, &one, 1);
}

void wire_put_number(struct tp_buf *b, uint64_t value)
{
    wire_put_padded(b, value, tp_varint_len(value));
}

void wire_put_padded(struct tp_buf *b, uint64_t value, unsigned len_bytes)
{
    for (unsigned i = 1; i < len_bytes; i++, value >>= 7)
        wire_put_byte(b, (unsigned)(value & 0x7f) | 0x80);
    wire_put_byte(b, (unsigned)value);
}

void wire_put_header(struct tp_buf *b, uint32_t minor)
{
    char text[17] = {0};
    snprintf(text, sizeof text, "go 1.%u trace", minor);
    wire_put(b, text, 16);
}

void wire_put_batch(struct tp_buf *b, const struct wire_batch *batch, struct tp_span body)
{
    if (batch->experimental) {
        wire_put_byte(b, TP_EV_ExperimentalBatch);
        wire_put_byte(b, batch->experiment);
    } else {
        wire_put_byte(b, TP_EV_EventBatch);
    }
    wire_put_number(b, batch->generation);
    wire_put_number(b, batch->m);
    wire_put_number(b, batch->time_ticks);
    if (batch->short_size)
        wire_put_number(b, body.len_bytes);
    else
        wire_put_padded(b, body.len_bytes, RUNTIME_SIZE_BYTES);
    wire_put(b, body.ptr, body.len_bytes);
}

void wire_put_event(struct tp_buf *b, const struct tp_wire_event *event)
{
    struct tp_span tail = event->tail;
    wire_put_byte(b, event->type);
    for (unsigned i = 0; i < event->arg_count; i++)
        wire_put_number(b, event->args[i]);
    for (uint64_t i = 0; i < event->frame_count; i++) {
        uint64_t frame[TP_FRAME_ARGS];
        tp_event_next_frame(&tail, frame);
        for (unsigned k = 0; k < TP_FRAME_ARGS; k++)
            wire_put_number(b, frame[k]);
    }
    if (tp_event_specs[event->type].kind == TP_WIRE_DATA) {
        wire_put_number(b, tail.len_bytes);
        wire_put(b, tail.ptr, tail.len_bytes);
    }
}

static void put_odd_number(struct tp_buf *b, uint64_t *state, uint64_t value)
{
    unsigned least = tp_varint_len(value), spare = TP_VARINT_MAX_BYTES - least;
    bool is_padded = wire_random(state) % 8 == 0;
    unsigned extra = is_padded && spare > 0 ? 1 + (unsigned)(wire_random(state) % spare) : 0;
    wire_put_padded(b, value, least + extra);
}

void wire_put_random_args(struct tp_buf *b, uint64_t *state, const struct tp_arg_table *table,
                          uint8_t code)
{
    uint8_t kind = tp_event_specs[code].kind;
    uint64_t frames = 0;
    wire_put_byte(b, code);
    for (unsigned i = 0; i < table->count[code]; i++) {
        uint64_t value = wire_random_number(state);
        if (kind == TP_WIRE_STACK && i == 1) {
            frames = wire_random(state) % RANDOM_FRAMES;
            value = wire_random(state) % 4 == 0 ? UINT64_MAX - frames : frames;
            frames = value == frames ? frames : 0;
        }
        put_odd_number(b, state, value);
    }
    for (uint64_t i = 0; i < frames * TP_FRAME_ARGS; i++)
        put_odd_number(b, state, wire_random_number(state));
    if (kind != TP_WIRE_DATA)
        return;
    uint64_t len_bytes = wire_random(state) % RANDOM_DATA_BYTES;
    put_odd_number(b, state, len_bytes);
    for (uint64_t i = 0; i < len_bytes; i++)
        wire_put_byte(b, (unsigned)(wire_random(state) & 0xff));
}

void wire_put_random_event(struct tp_buf *b, uint64_t *state, const struct tp_arg_table *table)
{
    uint8_t code;
    do
        code = (uint8_t)wire_random(state);
    while (table->count[code] == TP_ARGS_INVALID);
    wire_put_random_args(b, state, table, code);
}

void wire_damage(struct tp_buf *b, uint64_t *state, unsigned count)
{
    for (unsigned i = 0; i < count && b->len_bytes > 0; i++)
        b->ptr[wire_random(state) % b->len_bytes] = (unsigned char)wire_random(state);
}

unsigned char *wire_copy(struct tp_span bytes)
{
    unsigned char *copy = malloc(bytes.len_bytes + (bytes.len_bytes == 0));
    if (copy == NULL)
        abort();
    if (bytes.len_bytes > 0)
        memcpy(copy, bytes.ptr, bytes.len_bytes);
    return copy;
}
