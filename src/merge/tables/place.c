#include "merge/tables/place.h"

#include <stdio.h>

#include "merge/tables/read.h"

// Bytes of a function and of a file that a place shows.
#define FUNCTION_MAX_BYTES 128
#define FILE_MAX_BYTES 192

static struct tp_span string_of(const struct tp_tables *t, uint64_t id)
{
    return t->strings.items[tp_string_or_empty(tp_tables_string_idx(t, id))];
}

static struct tp_span head_of(struct tp_span s, size_t max_bytes)
{
    return tp_span_of(s.ptr, s.len_bytes < max_bytes ? s.len_bytes : max_bytes);
}

static struct tp_span tail_of(struct tp_span s, size_t max_bytes)
{
    size_t cut = s.len_bytes > max_bytes ? s.len_bytes - max_bytes : 0;
    return tp_span_of(s.ptr + cut, s.len_bytes - cut);
}

struct tp_span tp_stack_place(const struct tp_tables *t, uint64_t stack,
                              char to[static TP_PLACE_BYTES])
{
    uint32_t idx = tp_idmap_get(&t->stack_ids, stack);
    if (stack == 0 || idx == UINT32_MAX || t->stacks.items[idx].frame_count == 0)
        return tp_span_of(NULL, 0);
    const unsigned char *p = t->stacks.items[idx].frames;
    struct tp_wire_frame f = tp_table_take_frame(&p);
    for (unsigned i = 1; i < t->stacks.items[idx].frame_count &&
                         tp_span_begins_with(string_of(t, f.function), "runtime/trace."); i++)
        f = tp_table_take_frame(&p);
    struct tp_span function = head_of(string_of(t, f.function), FUNCTION_MAX_BYTES);
    if (function.len_bytes == 0)
        return tp_span_of(NULL, 0);
    struct tp_span file = tail_of(string_of(t, f.file), FILE_MAX_BYTES);
    int len = snprintf(to, TP_PLACE_BYTES, "%.*s (%.*s:%llu)", (int)function.len_bytes,
                       (const char *)function.ptr, (int)file.len_bytes, (const char *)file.ptr,
                       (unsigned long long)f.line);
    return tp_span_of((const unsigned char *)to, (size_t)len);
}
