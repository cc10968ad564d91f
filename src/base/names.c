#include "base/names.h"

#include "base/alloc.h"
#include "base/digest.h"

#define FIRST_COUNT 64
#define FIRST_BYTES 1024

void tp_names_fini(struct tp_names *n)
{
    tp_free(n->bytes);
    tp_free(n->places);
    tp_free(n->slots);
    *n = (struct tp_names){0};
}

// Where the string is, or the free slot where it would be.
static size_t find(const struct tp_names *n, struct tp_span text)
{
    size_t at = (size_t)tp_digest_short(text) & (n->slot_count - 1);
    while (n->slots[at] != 0) {
        struct tp_span known = tp_names_text(n, n->slots[at] - 1);
        if (tp_span_equals(known, text.ptr, text.len_bytes))
            break;
        at = (at + 1) & (n->slot_count - 1);
    }
    return at;
}

static int grow_slots(struct tp_names *n, struct tp_error *err)
{
    size_t slot_count = n->slot_count == 0 ? 2 * FIRST_COUNT : 2 * n->slot_count;
    uint32_t *slots = tp_alloc_zero(slot_count * sizeof *slots);
    if (slots == NULL)
        return tp_fail(err, TP_E_MEMORY, "no memory for names");
    tp_free(n->slots);
    n->slots = slots;
    n->slot_count = slot_count;
    for (uint32_t i = 0; i < n->count; i++)
        slots[find(n, tp_names_text(n, i))] = i + 1;
    return 0;
}

static int grow_places(struct tp_names *n, struct tp_error *err)
{
    uint32_t capacity = n->capacity == 0 ? FIRST_COUNT : 2 * n->capacity;
    struct tp_name_place *places = tp_realloc(n->places, capacity * sizeof *places);
    if (places == NULL)
        return tp_fail(err, TP_E_MEMORY, "no memory for names");
    n->places = places;
    n->capacity = capacity;
    return 0;
}

static int grow_bytes(struct tp_names *n, size_t wanted_bytes, struct tp_error *err)
{
    size_t capacity = n->bytes_capacity == 0 ? FIRST_BYTES : n->bytes_capacity;
    while (capacity < wanted_bytes)
        capacity *= 2;
    unsigned char *bytes = tp_realloc(n->bytes, capacity);
    if (bytes == NULL)
        return tp_fail(err, TP_E_MEMORY, "no memory for names");
    n->bytes = bytes;
    n->bytes_capacity = capacity;
    return 0;
}

// Makes room for one string more.
static int reserve(struct tp_names *n, size_t len_bytes, struct tp_error *err)
{
    if (n->count == TP_NAMES_MAX || len_bytes > TP_NAMES_MAX_BYTES - n->bytes_count)
        return tp_fail(err, TP_E_TOO_LARGE, "more than %u names, or %zu bytes of them",
                       TP_NAMES_MAX, (size_t)TP_NAMES_MAX_BYTES);
    int rc = 0;
    if (2 * ((size_t)n->count + 1) > n->slot_count)
        rc = grow_slots(n, err);
    if (rc == 0 && n->count == n->capacity)
        rc = grow_places(n, err);
    if (rc == 0 && n->bytes_count + len_bytes > n->bytes_capacity)
        rc = grow_bytes(n, n->bytes_count + len_bytes, err);
    return rc;
}

int tp_names_add(struct tp_names *n, struct tp_span text, uint32_t *ret_name,
                 struct tp_error *err)
{
    if (n->slot_count > 0) {
        uint32_t number_plus_1 = n->slots[find(n, text)];
        if (number_plus_1 != 0) {
            *ret_name = number_plus_1 - 1;
            return 0;
        }
    }
    int rc = reserve(n, text.len_bytes, err);
    if (rc != 0)
        return rc;
    n->slots[find(n, text)] = n->count + 1;
    n->places[n->count] = (struct tp_name_place){(uint32_t)n->bytes_count,
                                                 (uint32_t)text.len_bytes};
    if (text.len_bytes > 0)
        memcpy(n->bytes + n->bytes_count, text.ptr, text.len_bytes);
    n->bytes_count += text.len_bytes;
    *ret_name = n->count++;
    return 0;
}
