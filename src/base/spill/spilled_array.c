#include "base/spill/spilled_array.h"

#include <assert.h>

#include "base/alloc.h"

#define FIRST_RECORDS 16

void tp_spilled_array_init(struct tp_spilled_array *r, size_t each_bytes)
{
    assert(each_bytes > 0 && each_bytes <= TP_SPILLED_ARRAY_BLOCK_BYTES);
    *r = (struct tp_spilled_array){.each_bytes = each_bytes};
}

void tp_spilled_array_fini(struct tp_spilled_array *r)
{
    tp_free(r->newest.items);
    tp_free(r->window);
    tp_spill_fini(&r->spill);
    *r = (struct tp_spilled_array){0};
}

static size_t block_count(const struct tp_spilled_array *r)
{
    return TP_SPILLED_ARRAY_BLOCK_BYTES / r->each_bytes;
}

static int make_room(struct tp_spilled_array *r, struct tp_error *err)
{
    size_t most = block_count(r), doubled = 2 * (size_t)r->newest.capacity;
    size_t capacity = doubled < FIRST_RECORDS ? FIRST_RECORDS : doubled;
    uint64_t offset;
    if (r->newest.capacity < most)
        return tp_list_resize(&r->newest, capacity < most ? capacity : most, r->each_bytes)
                   ? 0
                   : tp_fail(err, TP_E_MEMORY, "out of memory for a list of records");
    int rc =
        tp_spill_append(&r->spill, tp_span_of(r->newest.items, most * r->each_bytes), &offset, err);
    if (rc == 0)
        r->newest.count = 0;
    return rc;
}

int tp_spilled_array_add(struct tp_spilled_array *r, const void *record, struct tp_error *err)
{
    int rc = r->newest.count == r->newest.capacity ? make_room(r, err) : 0;
    if (rc != 0)
        return rc;
    memcpy((unsigned char *)r->newest.items + r->newest.count++ * r->each_bytes, record,
           r->each_bytes);
    r->count++;
    return 0;
}

// Reads a block of the spill into the window, unless the block is there already.
static int load_window(struct tp_spilled_array *r, uint64_t block, struct tp_error *err)
{
    size_t block_bytes = block_count(r) * r->each_bytes;
    if (r->has_window && r->window_block == block)
        return 0;
    if (r->window == NULL)
        r->window = tp_alloc(block_bytes);
    if (r->window == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for a list of records");
    int rc = tp_spill_read(&r->spill, block * block_bytes, r->window, block_bytes, err);
    r->has_window = rc == 0;
    r->window_block = block;
    return rc;
}

int tp_spilled_array_get(struct tp_spilled_array *r, uint64_t idx, void *to, struct tp_error *err)
{
    assert(idx < r->count);
    // Blocks are spilled whole, so the newest block begins with a multiple of block_count, too.
    uint64_t block = idx / block_count(r), at = idx % block_count(r);
    bool is_spilled = idx < r->count - r->newest.count;
    int rc = is_spilled ? load_window(r, block, err) : 0;
    const unsigned char *from = is_spilled ? r->window : r->newest.items;
    if (rc == 0)
        memcpy(to, from + at * r->each_bytes, r->each_bytes);
    return rc;
}
