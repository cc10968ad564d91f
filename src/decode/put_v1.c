#include "decode/put_v1.h"

#include <string.h>

#include "decode/varint.h"

// Returns the number of arguments that the first byte states; TP_V1_SIZED: a length follows
// instead.
static unsigned counted_args(const struct tp_v1_table *table, unsigned type)
{
    const struct tp_v1_form *form = &table->forms[type];
    if (form->kind == TP_V1_KIND_STACK)
        return TP_V1_SIZED;
    if (form->kind == TP_V1_KIND_STRING)
        return 0;
    unsigned n = (unsigned)form->arg_count - table->prefix_count;
    return n < TP_V1_SIZED ? n : TP_V1_SIZED;
}

size_t tp_put_v1_begin(unsigned char *event, const struct tp_v1_table *table, unsigned type)
{
    unsigned n = counted_args(table, type);
    event[0] = (unsigned char)(n * TP_V1_CODES + type);
    return n == TP_V1_SIZED ? TP_PUT_V1_FRONT_BYTES : 1;
}

size_t tp_put_v1_end(unsigned char *event, size_t end_bytes, uint64_t pad_bytes)
{
    if (event[0] / TP_V1_CODES < TP_V1_SIZED)
        return end_bytes;
    size_t numbers_bytes = end_bytes - TP_PUT_V1_FRONT_BYTES;
    if (pad_bytes > TP_VARINT_MAX_BYTES - tp_varint_len(numbers_bytes))
        return 0;
    unsigned char *to = tp_varint_put(event + 1, numbers_bytes);
    for (; pad_bytes > 0; pad_bytes--) {
        to[-1] |= 0x80;
        *to++ = 0;
    }
    memmove(to, event + TP_PUT_V1_FRONT_BYTES, numbers_bytes);
    return (size_t)(to - event) + numbers_bytes;
}
