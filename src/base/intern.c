#include "base/intern.h"

#include <string.h>

#include "base/alloc.h"
#include "base/digest.h"

#define BLOCK_BYTES TP_KIB(16)

struct tp_intern_block {
    struct tp_intern_block *next;
    size_t used_bytes;
    size_t max_bytes;
    unsigned char bytes[];
};

void tp_intern_fini(struct tp_intern *in)
{
    while (in->blocks != NULL) {
        struct tp_intern_block *next = in->blocks->next;
        tp_free(in->blocks);
        in->blocks = next;
    }
    tp_index_fini(&in->index);
    tp_free(in->items);
    *in = (struct tp_intern){0};
}

// Makes room for the bytes of a text in the first block.
static bool reserve_bytes(struct tp_intern *in, size_t wanted_bytes)
{
    if (in->blocks != NULL && in->blocks->max_bytes - in->blocks->used_bytes >= wanted_bytes)
        return true;
    size_t max_bytes = wanted_bytes > BLOCK_BYTES ? wanted_bytes : BLOCK_BYTES;
    struct tp_intern_block *b = tp_alloc(sizeof *b + max_bytes);
    if (b == NULL)
        return false;
    *b = (struct tp_intern_block){.next = in->blocks, .max_bytes = max_bytes};
    in->blocks = b;
    in->block_bytes += sizeof *b + max_bytes;
    return true;
}

static uint64_t hash_by_number(const void *list, uint32_t number)
{
    return ((const struct tp_intern *)list)->items[number].hash;
}

struct wanted {
    struct tp_span text;
    uint32_t hash;
};

static bool is_text(const void *list, uint32_t number, const void *key)
{
    const struct tp_intern_text *known = &((const struct tp_intern *)list)->items[number];
    const struct wanted *w = key;
    size_t len_bytes = w->text.len_bytes;
    return known->hash == w->hash && known->len_bytes == len_bytes &&
           (len_bytes == 0 || memcmp(known->bytes, w->text.ptr, len_bytes) == 0);
}

static struct wanted want(struct tp_span text)
{
    return (struct wanted){text, (uint32_t)tp_digest_seeded(text, tp_hash_key)};
}

uint32_t tp_intern_find(const struct tp_intern *in, struct tp_span text)
{
    const struct wanted wanted = want(text);
    return tp_index_find(&in->index, wanted.hash, in, is_text, &wanted);
}

// Copies the bytes of a text to the first block, which has room for them.
static struct tp_intern_text copy(struct tp_intern *in, struct tp_span text, uint32_t hash)
{
    struct tp_intern_block *b = in->blocks;
    unsigned char *to = b->bytes + b->used_bytes;
    if (text.len_bytes > 0)
        memcpy(to, text.ptr, text.len_bytes);
    b->used_bytes += text.len_bytes;
    in->text_bytes += text.len_bytes;
    return (struct tp_intern_text){to, (uint32_t)text.len_bytes, hash};
}

uint32_t tp_intern_put(struct tp_intern *in, struct tp_span text)
{
    const struct wanted wanted = want(text);
    uint32_t known = tp_index_find(&in->index, wanted.hash, in, is_text, &wanted);
    if (known != TP_INTERN_NONE)
        return known;
    if (text.len_bytes > UINT32_MAX || !reserve_bytes(in, text.len_bytes) || !TP_LIST_ROOM(in) ||
        !tp_index_make_room(&in->index, in->count, hash_by_number, in))
        return TP_INTERN_NONE;
    in->items[in->count] = copy(in, text, wanted.hash);
    return tp_index_put(&in->index, wanted.hash, in->count++);
}

// PACKING

static struct tp_intern_block *take_blocks_oldest_first(struct tp_intern *in)
{
    struct tp_intern_block *oldest = NULL;
    while (in->blocks != NULL) {
        struct tp_intern_block *b = in->blocks;
        in->blocks = b->next;
        b->next = oldest;
        oldest = b;
    }
    in->text_bytes = 0;
    return oldest;
}

static bool holds(const struct tp_intern_block *b, struct tp_span text)
{
    return text.ptr >= b->bytes && text.ptr + text.len_bytes <= b->bytes + b->used_bytes;
}

static struct tp_intern_block *drop_block(struct tp_intern *in, struct tp_intern_block *b)
{
    struct tp_intern_block *next = b->next;
    in->block_bytes -= sizeof *b + b->max_bytes;
    tp_free(b);
    return next;
}

// Texts lie in the blocks in the order of their numbers, so a block can be freed when the
// first text of a later block is reached.
static bool pack_texts(struct tp_intern *in, uint32_t *numbers)
{
    struct tp_intern_block *from = take_blocks_oldest_first(in);
    uint32_t count = 0;
    bool fits = true;
    for (uint32_t i = 0; i < in->count && fits; i++) {
        if (numbers[i] == TP_INTERN_NONE)
            continue;
        struct tp_span text = tp_intern_text(in, i);
        while (!holds(from, text))
            from = drop_block(in, from);
        fits = reserve_bytes(in, text.len_bytes);
        if (fits)
            in->items[count] = copy(in, text, in->items[i].hash);
        numbers[i] = count++;
    }
    while (from != NULL)
        from = drop_block(in, from);
    in->count = count;
    return fits;
}

bool tp_intern_pack(struct tp_intern *in, uint32_t *numbers)
{
    if (!pack_texts(in, numbers))
        return false;
    tp_index_refill(&in->index, in->count, hash_by_number, in);
    return true;
}

size_t tp_intern_bytes(const struct tp_intern *in)
{
    return in->block_bytes + in->capacity * sizeof *in->items + tp_index_bytes(&in->index);
}
