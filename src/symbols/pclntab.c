#include "symbols/pclntab.h"

#define HEAD_BYTES 8
// Positions of fields in the record of a function: the n-th four-byte word after the PC, from 1 on.
enum { FIELD_NAME = 1, FIELD_FILES = 5, FIELD_LINES = 6, FIELD_UNIT = 8 };

// Offset that means no file.
#define NO_FILE UINT32_MAX

static uint64_t load(const struct tp_pclntab *t, const unsigned char *p, unsigned len_bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < len_bytes; i++)
        value |= (uint64_t)p[i] << 8 * (t->is_big_endian ? len_bytes - 1 - i : i);
    return value;
}

// Loads a number of `len_bytes` bytes from `part`. False: the number does not lie inside `part`.
static bool load_at(const struct tp_pclntab *t, struct tp_span part, uint64_t offset,
                    unsigned len_bytes, uint64_t *ret_value)
{
    if (offset > part.len_bytes || len_bytes > part.len_bytes - offset)
        return false;
    *ret_value = load(t, part.ptr + offset, len_bytes);
    return true;
}

// Sets *ret_text to the text at an offset of `part`, without the NUL that ends it. False: the text
// does not lie inside `part`.
static bool text_at(struct tp_span part, uint64_t offset, struct tp_span *ret_text)
{
    if (offset >= part.len_bytes)
        return false;
    struct tp_span rest = tp_span_skip(part, (size_t)offset);
    const unsigned char *end = memchr(rest.ptr, 0, rest.len_bytes);
    if (end == NULL)
        return false;
    *ret_text = tp_span_of(rest.ptr, (size_t)(end - rest.ptr));
    return true;
}

// HEAD

// Sets *ret_part to the part of the table (names, files, ...) whose offset is word number `word` of
// the head (Go 1.16 and later). The part reaches to the end of `bytes`. False: the head is too
// short, or the offset is behind that end.
static bool part_at(const struct tp_pclntab *t, struct tp_span bytes, unsigned word,
                    struct tp_span *ret_part)
{
    uint64_t offset = 0;
    if (!load_at(t, bytes, HEAD_BYTES + word * t->word_bytes, t->word_bytes, &offset) ||
        offset > bytes.len_bytes)
        return false;
    *ret_part = tp_span_skip(bytes, (size_t)offset);
    return true;
}

// Cuts t->entries, which reaches to the end of the table, to the length that function_count gives.
// False: the table ends before that length.
static bool cut_entries(struct tp_pclntab *t)
{
    uint64_t entries_bytes = (2 * (uint64_t)t->function_count + 1) * t->field_bytes;
    if (entries_bytes > t->entries.len_bytes)
        return false;
    t->entries.len_bytes = (size_t)entries_bytes;
    return true;
}

// Sets the parts of a table of Go 1.16 and later.
static bool take_parts(struct tp_pclntab *t, struct tp_span bytes)
{
    // Since Go 1.18 the address of the text precedes the offsets.
    unsigned first = t->has_offsets ? 3 : 2;
    if (!part_at(t, bytes, first, &t->names) || !part_at(t, bytes, first + 1, &t->units) ||
        !part_at(t, bytes, first + 2, &t->files) || !part_at(t, bytes, first + 3, &t->values) ||
        !part_at(t, bytes, first + 4, &t->functions))
        return false;
    t->entries = t->functions;
    return cut_entries(t);
}

// Sets the parts of a table from before Go 1.16, where all offsets count from the beginning of the
// table.
static bool take_whole(struct tp_pclntab *t, struct tp_span bytes)
{
    uint64_t offset = 0, count = 0;
    t->names = t->files = t->values = t->functions = bytes;
    t->entries = tp_span_skip(bytes, HEAD_BYTES + t->word_bytes);
    size_t behind_head_bytes = t->entries.len_bytes;
    if (!cut_entries(t))
        return false;
    struct tp_span rest = tp_span_of(t->entries.ptr, behind_head_bytes);
    if (!load_at(t, rest, t->entries.len_bytes, 4, &offset) ||
        !load_at(t, bytes, offset, 4, &count) || count > (bytes.len_bytes - offset) / 4)
        return false;
    t->file_offsets = tp_span_of(bytes.ptr + offset, (size_t)count * 4);
    return true;
}

bool tp_pclntab_init(struct tp_pclntab *t, struct tp_span bytes, uint64_t text_start)
{
    static const struct {
        uint32_t magic;
        bool has_units, has_offsets;
    } forms[] = {
        {0xfffffffb, false, false},
        {0xfffffffa, true, false},
        {0xfffffff0, true, true},
        {0xfffffff1, true, true},
    };
    *t = (struct tp_pclntab){0};
    const unsigned char *p = bytes.ptr;
    if (bytes.len_bytes < 2 * HEAD_BYTES || p[4] != 0 || p[5] != 0 ||
        (p[6] != 1 && p[6] != 2 && p[6] != 4) || (p[7] != 4 && p[7] != 8))
        return false;
    t->is_big_endian = p[0] == 0xff;
    t->quantum = p[6];
    t->word_bytes = p[7];
    uint64_t magic = load(t, p, 4);
    t->function_count = (uint32_t)load(t, p + HEAD_BYTES, t->word_bytes);
    for (size_t i = 0; i < TP_ARRAY_LEN(forms); i++) {
        if (forms[i].magic != magic)
            continue;
        t->has_units = forms[i].has_units;
        t->has_offsets = forms[i].has_offsets;
        t->field_bytes = t->has_offsets ? 4 : t->word_bytes;
        t->text_start = t->has_offsets ? text_start : 0;
        return t->has_units ? take_parts(t, bytes) : take_whole(t, bytes);
    }
    return false;
}

// VALUES BY PC

static bool take_varint(const unsigned char **p, const unsigned char *end, uint32_t *ret_value)
{
    uint32_t value = 0;
    for (unsigned shift = 0; *p < end; shift += 7) {
        unsigned char byte = *(*p)++;
        if (shift < 32)
            value |= (uint32_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *ret_value = value;
            return true;
        }
    }
    return false;
}

// Returns the value (a file number or a line) at the PC; -1: none is known. A function's steps
// begin at `offset` in t->values. The first step begins at `entry`, the function's first PC; each
// step changes the value, and gives the distance to the PC at which the next step begins.
static int64_t value_at(const struct tp_pclntab *t, uint64_t offset, uint64_t entry, uint64_t pc)
{
    if (offset > t->values.len_bytes)
        return -1;
    const unsigned char *p = t->values.ptr + offset;
    const unsigned char *end = t->values.ptr + t->values.len_bytes;
    uint32_t value = UINT32_MAX, step, distance;
    for (uint64_t at = entry; take_varint(&p, end, &step);) {
        if ((step == 0 && at != entry) || !take_varint(&p, end, &distance))
            break;
        value += (step & 1) != 0 ? ~(step >> 1) : step >> 1;
        at += distance * t->quantum;
        if (pc < at)
            return (int32_t)value;
    }
    return -1;
}

// FUNCTIONS

static uint64_t entry_of(const struct tp_pclntab *t, uint32_t i)
{
    const unsigned char *p = t->entries.ptr + 2 * (size_t)i * t->field_bytes;
    return load(t, p, t->field_bytes) + t->text_start;
}

// Returns the index of the last function that begins at or before the PC. There must be one.
static uint32_t function_at(const struct tp_pclntab *t, uint64_t pc)
{
    uint32_t low = 0, high = t->function_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (entry_of(t, middle) <= pc)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// Returns a field of a function; 0 if the table ends before the field.
static uint32_t field_of(const struct tp_pclntab *t, struct tp_span function, unsigned field)
{
    uint64_t value = 0;
    (void)load_at(t, function, t->field_bytes + (field - 1) * 4, 4, &value);
    return (uint32_t)value;
}

// Returns the name of the file with this number in the function's unit; empty: not known.
static struct tp_span file_of(const struct tp_pclntab *t, struct tp_span function,
                              int64_t number)
{
    struct tp_span file = tp_span_of("", 0);
    uint64_t offset = NO_FILE;
    bool is_known;
    if (t->has_units) {
        // The sum wraps modulo 2^32, as in Go.
        uint32_t at = (field_of(t, function, FIELD_UNIT) + (uint32_t)number) * 4;
        is_known = number >= 0 && load_at(t, t->units, at, 4, &offset) && offset != NO_FILE;
    } else {
        is_known = number > 0 && load_at(t, t->file_offsets, (uint64_t)number * 4, 4, &offset);
    }
    if (is_known)
        (void)text_at(t->files, offset, &file);
    return file;
}

bool tp_pclntab_find(const struct tp_pclntab *t, uint64_t pc, struct tp_symbol *ret_symbol)
{
    if (t->function_count == 0 || pc < entry_of(t, 0) || pc >= entry_of(t, t->function_count))
        return false;
    const unsigned char *entry = t->entries.ptr + 2 * (size_t)function_at(t, pc) * t->field_bytes;
    uint64_t offset = load(t, entry + t->field_bytes, t->field_bytes), begin = 0;
    if (!load_at(t, t->functions, offset, t->field_bytes, &begin))
        return false;
    struct tp_span function = tp_span_skip(t->functions, (size_t)offset);
    begin += t->text_start;
    struct tp_symbol found = {.line = 0};
    if (!text_at(t->names, field_of(t, function, FIELD_NAME), &found.function))
        return false;
    int64_t line = value_at(t, field_of(t, function, FIELD_LINES), begin, pc);
    found.line = line > 0 ? (uint64_t)line : 0;
    found.file = file_of(t, function,
                         value_at(t, field_of(t, function, FIELD_FILES), begin, pc));
    *ret_symbol = found;
    return true;
}
