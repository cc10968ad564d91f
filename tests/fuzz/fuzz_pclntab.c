// The table of Go programs: whatever it holds, answers lie in it, are the same each time, and
// where functions stand in order they are of the last one that does not begin behind the PC,
// found here one by one. The first byte of the input chooses where the text starts.
#include <string.h>

#include "fuzz.h"
#include "symbols/pclntab.h"

// Functions whose first PCs are asked for; tables of more are asked here and there.
#define ASKED_MAX 32

static bool is_in(struct tp_span part, struct tp_span whole)
{
    return part.len_bytes == 0 ||
           (part.ptr >= whole.ptr && part.ptr < whole.ptr + whole.len_bytes &&
            part.len_bytes <= (size_t)(whole.ptr + whole.len_bytes - part.ptr));
}

static bool are_same(struct tp_span a, struct tp_span b)
{
    return a.ptr == b.ptr && a.len_bytes == b.len_bytes;
}

static uint64_t field(const struct tp_pclntab *t, size_t idx)
{
    const unsigned char *p = t->entries.ptr + idx * t->field_bytes;
    uint64_t value = 0;
    for (unsigned i = 0; i < t->field_bytes; i++)
        value = value << 8 | p[t->is_big_endian ? i : t->field_bytes - 1 - i];
    return value;
}

static uint64_t begin_of(const struct tp_pclntab *t, size_t function)
{
    return field(t, 2 * function) + (t->has_offsets ? t->text_start : 0);
}

// Ends included: the last entry is where the text ends.
static bool are_in_order(const struct tp_pclntab *t)
{
    for (size_t i = 0; i < t->function_count; i++) {
        if (begin_of(t, i) > begin_of(t, i + 1))
            return false;
    }
    return true;
}

// Its number; the count if there is none.
static size_t function_by_steps(const struct tp_pclntab *t, uint64_t pc)
{
    size_t count = t->function_count;
    if (count == 0 || pc < begin_of(t, 0) || pc >= begin_of(t, count))
        return count;
    size_t at = 0;
    while (at + 1 < count && begin_of(t, at + 1) <= pc)
        at++;
    return at;
}

static void ask(const struct tp_pclntab *t, struct tp_span bytes, bool in_order, uint64_t pc)
{
    struct tp_symbol s, again;
    bool is_found = tp_pclntab_find(t, pc, &s);
    CHECK(tp_pclntab_find(t, pc, &again) == is_found);
    if (!is_found)
        return;
    CHECK(is_in(s.function, bytes) && is_in(s.file, bytes));
    CHECK(memchr(s.function.ptr, 0, s.function.len_bytes) == NULL);
    CHECK(s.line <= INT32_MAX);
    CHECK(are_same(s.function, again.function) && are_same(s.file, again.file) &&
          s.line == again.line);
    if (!in_order)
        return;
    size_t function = function_by_steps(t, pc);
    CHECK(function < t->function_count);
    // A second function with the same entry has the same name.
    struct tp_symbol first;
    if (tp_pclntab_find(t, begin_of(t, function), &first))
        CHECK(are_same(first.function, s.function));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes)
{
    struct tp_pclntab t;
    if (len_bytes < 1)
        return 0;
    uint64_t text_start = data[0] == 0 ? 0x401000 : seed_of(data[0]);
    struct tp_span bytes = tp_span_of(data + 1, len_bytes - 1);
    if (!tp_pclntab_init(&t, bytes, text_start))
        return 0;
    bool in_order = are_in_order(&t);
    size_t stride = t.function_count / ASKED_MAX + 1;
    for (size_t i = 0; i <= t.function_count; i += stride) {
        uint64_t begin = begin_of(&t, i);
        for (uint64_t more = 0; more < 64; more = more * 2 + t.quantum)
            ask(&t, bytes, in_order, begin + more);
        ask(&t, bytes, in_order, begin - 1);
    }
    ask(&t, bytes, in_order, 0);
    ask(&t, bytes, in_order, UINT64_MAX);
    return 0;
}
