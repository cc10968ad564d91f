// A pointer and a length. A span never owns its bytes; the function that hands out a span
// says how long they live.
#ifndef TP_BASE_SPAN_H
#define TP_BASE_SPAN_H

#include <assert.h>
#include <string.h>

#include "base/attr.h"

// Bytes that the span borrows. Passed by value.
struct tp_span {
    const unsigned char *ptr; // may be NULL if len_bytes is 0
    size_t len_bytes;
};

// Makes a span of a pointer to any type and a length in bytes.
TP_INLINE struct tp_span tp_span_of(const void *ptr, size_t len_bytes)
{
    return (struct tp_span){ptr, len_bytes};
}

// Makes a span of the bytes of a string, without the NUL.
TP_INLINE struct tp_span tp_span_of_text(const char *text)
{
    return tp_span_of(text, strlen(text));
}

// Returns the part of `s` from `skip_bytes` on; `skip_bytes` must not exceed the length of `s`.
TP_INLINE struct tp_span tp_span_skip(struct tp_span s, size_t skip_bytes)
{
    assert(skip_bytes <= s.len_bytes);
    return (struct tp_span){s.ptr + skip_bytes, s.len_bytes - skip_bytes};
}

// Whether the span has exactly these bytes.
TP_INLINE bool tp_span_equals(struct tp_span s, const void *bytes, size_t len_bytes)
{
    return s.len_bytes == len_bytes && memcmp(s.ptr, bytes, len_bytes) == 0;
}

// Whether the span has exactly the bytes of a string.
TP_INLINE bool tp_span_is(struct tp_span s, const char *text)
{
    return tp_span_equals(s, text, strlen(text));
}

// Whether the span begins with the bytes of a string.
TP_INLINE bool tp_span_begins_with(struct tp_span s, const char *prefix)
{
    size_t prefix_bytes = strlen(prefix);
    return s.len_bytes >= prefix_bytes && memcmp(s.ptr, prefix, prefix_bytes) == 0;
}

// Whether the span ends with the bytes of a string.
TP_INLINE bool tp_span_ends_with(struct tp_span s, const char *suffix)
{
    size_t suffix_bytes = strlen(suffix);
    return s.len_bytes >= suffix_bytes &&
           memcmp(s.ptr + s.len_bytes - suffix_bytes, suffix, suffix_bytes) == 0;
}

// Whether the span begins with one of the prefixes, whose list ends with NULL.
TP_INLINE bool tp_span_begins_with_any(struct tp_span s, const char *const *prefixes)
{
    while (*prefixes != NULL && !tp_span_begins_with(s, *prefixes))
        prefixes++;
    return *prefixes != NULL;
}

// Compares by bytes; if one span is the beginning of the other, the shorter one is less. Returns a
// value below, at or above 0, as memcmp does.
TP_INLINE int tp_span_compare(struct tp_span a, struct tp_span b)
{
    size_t common_bytes = a.len_bytes < b.len_bytes ? a.len_bytes : b.len_bytes;
    int order = common_bytes > 0 ? memcmp(a.ptr, b.ptr, common_bytes) : 0;
    if (order != 0)
        return order;
    return a.len_bytes < b.len_bytes ? -1 : a.len_bytes > b.len_bytes;
}

#endif
