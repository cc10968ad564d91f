// Converts between the two forms of a text: bytes, and what the functions of tracepipe/event.h return.
#ifndef TP_MERGE_TABLES_TEXT_H
#define TP_MERGE_TABLES_TEXT_H

#include "base/attr.h"
#include "base/span.h"
#include "tracepipe/event.h"

// Each returns what it is given in the other form, valid as long as that.
TP_INLINE struct tp_text tp_text_of(struct tp_span bytes)
{
    return (struct tp_text){(const char *)bytes.ptr, bytes.len_bytes};
}

TP_INLINE struct tp_span tp_text_span(struct tp_text text)
{
    return tp_span_of(text.ptr, text.len_bytes);
}

#endif
