#include "decode/put_v2.h"

#include <stdio.h>
#include <string.h>

unsigned char *tp_put_v2_header(unsigned char to[static TP_PUT_V2_HEADER_BYTES], uint32_t minor)
{
    char text[TP_PUT_V2_HEADER_BYTES + 1] = "";
    snprintf(text, sizeof text, "go 1.%u trace", minor);
    memcpy(to, text, TP_PUT_V2_HEADER_BYTES);
    return to + TP_PUT_V2_HEADER_BYTES;
}

unsigned char *tp_put_v2_batch(unsigned char *to, uint64_t generation, int64_t m,
                               uint64_t time_ticks, size_t body_bytes)
{
    uint64_t args[] = {generation, (uint64_t)m, time_ticks, body_bytes};
    return tp_put_v2_event(to, TP_EV_EventBatch, args);
}

unsigned char *tp_put_v2_event(unsigned char *to, uint8_t type, const uint64_t *args)
{
    *to++ = type;
    for (unsigned i = 0; i < tp_event_specs[type].arg_count; i++)
        to = tp_varint_put(to, args[i]);
    return to;
}
