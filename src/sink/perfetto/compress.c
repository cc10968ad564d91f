#include "sink/perfetto/compress.h"

#include "sink/perfetto/wire.h"
#include "sink/proto/deflate.h"

// The most bytes of the heads of the packet and of its field.
#define HEADS_MAX_BYTES 16

size_t tp_perfetto_compressed_max_bytes(size_t len_bytes)
{
    return HEADS_MAX_BYTES + tp_deflate_max_bytes(len_bytes);
}

size_t tp_perfetto_compress(unsigned char *to, struct tp_span packets)
{
    struct tp_message head, packet;
    size_t len_bytes = tp_deflate(to + HEADS_MAX_BYTES, packets);
    if (len_bytes == 0)
        return 0;
    head.len_bytes = packet.len_bytes = 0;
    tp_message_sized(&packet, PACKET_COMPRESSED, len_bytes);
    tp_message_sized(&head, TRACE_PACKET, packet.len_bytes + len_bytes);
    tp_message_append(&head, &packet);
    assert(head.len_bytes <= HEADS_MAX_BYTES);
    memmove(to + head.len_bytes, to + HEADS_MAX_BYTES, len_bytes);
    memcpy(to, head.bytes, head.len_bytes);
    return head.len_bytes + len_bytes;
}
