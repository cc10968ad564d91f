#include "sink/perfetto/output.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/alloc.h"
#include "sink/perfetto/compress.h"
#include "sink/perfetto/wire.h"
#include "sink/proto/utf8.h"

// Bytes of whole packets that are compressed together; at most one packet more.
#define PENDING_MAX_BYTES TP_KIB(64)

static int put_bytes(struct tp_perfetto_output *o, struct tp_span bytes, struct tp_error *err)
{
    o->written_bytes += bytes.len_bytes;
    if (!o->compresses)
        return tp_out_put(o->out, bytes, err);
    if (!TP_LIST_ROOM_FOR(&o->pending, bytes.len_bytes))
        return tp_fail(err, TP_E_MEMORY, "out of memory for names of a trace");
    memcpy(o->pending.items + o->pending.count, bytes.ptr, bytes.len_bytes);
    o->pending.count += (uint32_t)bytes.len_bytes;
    return 0;
}

int tp_perfetto_flush(struct tp_perfetto_output *o, struct tp_error *err)
{
    if (o->pending.count == 0)
        return 0;
    struct tp_span raw = tp_span_of(o->pending.items, o->pending.count);
    unsigned char *to = tp_alloc(tp_perfetto_compressed_max_bytes(raw.len_bytes));
    size_t len_bytes = to != NULL ? tp_perfetto_compress(to, raw) : 0;
    int rc = len_bytes != 0 ? tp_out_put(o->out, tp_span_of(to, len_bytes), err)
                            : tp_fail(err, TP_E_MEMORY, "out of memory for compression");
    o->pending.count = 0;
    tp_free(to);
    return rc;
}

int tp_perfetto_put_with_text(struct tp_perfetto_output *o, const struct tp_message *packet,
                              struct tp_error *err)
{
    struct tp_message head;
    head.len_bytes = 0;
    tp_message_sized(&head, TRACE_PACKET, packet->len_bytes + o->text_bytes);
    int rc = o->pending.count > PENDING_MAX_BYTES ? tp_perfetto_flush(o, err) : 0;
    if (rc == 0)
        rc = put_bytes(o, tp_span_of(head.bytes, head.len_bytes), err);
    if (rc == 0)
        rc = put_bytes(o, tp_span_of(packet->bytes, packet->len_bytes), err);
    return rc == 0 ? put_bytes(o, tp_span_of(o->text, o->text_bytes), err) : rc;
}

int tp_perfetto_put(struct tp_perfetto_output *o, const struct tp_message *packet,
                    struct tp_error *err)
{
    o->text_bytes = 0;
    return tp_perfetto_put_with_text(o, packet, err);
}

// TEXTS

void tp_perfetto_add_text(struct tp_perfetto_output *o, struct tp_text text)
{
    struct tp_span left = tp_text_span(text);
    while (left.len_bytes > 0) {
        struct tp_span piece = tp_utf8_take(&left);
        if (o->text_bytes + piece.len_bytes > sizeof o->text) {
            o->cut_texts++;
            return;
        }
        memcpy(o->text + o->text_bytes, piece.ptr, piece.len_bytes);
        o->text_bytes += piece.len_bytes;
    }
}

void tp_perfetto_add_printf(struct tp_perfetto_output *o, const char *fmt, ...)
{
    char text[64];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    tp_perfetto_add_text(o, (struct tp_text){text, strlen(text)});
}
