#include "table_build.h"

#include <stdlib.h>
#include <string.h>

#include "decode/varint.h"

void table_put_byte(struct table_body *b, unsigned byte)
{
    if (b->len_bytes == sizeof b->bytes)
        abort();
    b->bytes[b->len_bytes++] = (unsigned char)byte;
}

void table_begin(struct table_body *b, enum tp_batch_kind kind)
{
    static const unsigned markers[] = {[TP_BATCH_STACKS] = TP_EV_Stacks,
                                       [TP_BATCH_STRINGS] = TP_EV_Strings,
                                       [TP_BATCH_SAMPLES] = TP_EV_CPUSamples,
                                       [TP_BATCH_SYNC] = TP_EV_Sync};
    b->len_bytes = 0;
    table_put_byte(b, markers[kind]);
}

void table_put_number(struct table_body *b, uint64_t value)
{
    unsigned char number[TP_VARINT_MAX_BYTES];
    const unsigned char *end = tp_varint_put(number, value);
    for (const unsigned char *p = number; p < end; p++)
        table_put_byte(b, *p);
}

void table_put_event(struct table_body *b, unsigned code, size_t arg_count, const uint64_t *args)
{
    table_put_byte(b, code);
    for (size_t i = 0; i < arg_count; i++)
        table_put_number(b, args[i]);
}

void table_put_string(struct table_body *b, uint64_t id, const char *text)
{
    table_put_event(b, TP_EV_String, 2, (uint64_t[]){id, strlen(text)});
    for (; *text != '\0'; text++)
        table_put_byte(b, (unsigned char)*text);
}

void table_put_stack(struct table_body *b, uint64_t id, const struct table_frame *frames,
                     size_t frame_count)
{
    table_put_event(b, TP_EV_Stack, 2, (uint64_t[]){id, frame_count});
    for (size_t i = 0; i < frame_count; i++) {
        table_put_number(b, frames[i].pc);
        table_put_number(b, frames[i].func);
        table_put_number(b, frames[i].file);
        table_put_number(b, frames[i].line);
    }
}

struct tp_tables *table_create(uint32_t minor)
{
    struct tp_tables *t = tp_tables_create(TABLE_GENERATION, minor, TP_MIB(64));
    if (t == NULL)
        abort();
    return t;
}

int table_add(struct tp_tables *t, enum tp_batch_kind kind, const struct table_body *b,
              struct tp_error *err)
{
    struct tp_extent x = {.kind = TP_EXTENT_BATCH,
                          .batch_kind = (uint8_t)kind,
                          .generation = TABLE_GENERATION,
                          .m = UINT64_MAX,
                          .time_ticks = TABLE_TICKS};
    return tp_tables_add(t, &x, 0, tp_span_of(b->bytes, b->len_bytes), err);
}

void table_add_sync(struct tp_tables *t, uint64_t wall_sec, uint64_t wall_nsec)
{
    struct table_body b; // used during this call only
    table_begin(&b, TP_BATCH_SYNC);
    table_put_event(&b, TP_EV_Frequency, 1, (uint64_t[]){1000000000});
    table_put_event(&b, TP_EV_ClockSnapshot, 4, (uint64_t[]){5, 6, wall_sec, wall_nsec});
    if (table_add(t, TP_BATCH_SYNC, &b, NULL) != 0)
        abort();
}
