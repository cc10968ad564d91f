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
    tp_free(r->newest);
    tp_free(r->window);
    tp_spill_fini(&r->spill);
    *r = (struct tp_spilled_array){0};
}

static size_t block_count(const struct tp_spilled_array *r)
{
    return TP_SPILLED_ARRAY_BLOCK_BYTES / r->each_bytes;
}

static int grow(struct tp_spilled_array *r, struct tp_error *err)
{
    size_t most = block_count(r);
    size_t capacity = r->newest_capacity == 0 ? FIRST_RECORDS : 2 * r->newest_capacity;
    capacity = capacity < most ? capacity : most;
    void *moved = tp_realloc(r->newest, capacity * r->each_bytes);
    if (moved == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for a list of records");
    r->newest = moved;
    r->newest_capacity = capacity;
    return 0;
}

static int make_room(struct tp_spilled_array *r, struct tp_error *err)
{
    uint64_t offset;
    if (r->newest_capacity < block_count(r))
        return grow(r, err);
    int rc = tp_spill_append(&r->spill, tp_span_of(r->newest, block_count(r) * r->each_bytes),
                             &offset, err);
    if (rc == 0)
        r->newest_first = r->count;
    return rc;
}

int tp_spilled_array_add(struct tp_spilled_array *r, const void *record, struct tp_error *err)
{
    size_t used = (size_t)(r->count - r->newest_first);
    if (used == r->newest_capacity) {
        int rc = make_room(r, err);
        if (rc != 0)
            return rc;
        used = (size_t)(r->count - r->newest_first);
    }
    memcpy(r->newest + used * r->each_bytes, record, r->each_bytes);
    r->count++;
    return 0;
}

static bool is_in_window(const struct tp_spilled_array *r, uint64_t idx)
{
    return r->has_window && idx >= r->window_first && idx - r->window_first < block_count(r);
}

// Reads the block of record `idx` into the window. Blocks are spilled whole, so the window is
// exactly one of them.
static int load_window(struct tp_spilled_array *r, uint64_t idx, struct tp_error *err)
{
    size_t block_bytes = block_count(r) * r->each_bytes;
    if (r->window == NULL)
        r->window = tp_alloc(block_bytes);
    if (r->window == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for a list of records");
    uint64_t block = idx / block_count(r);
    r->has_window = false;
    int rc = tp_spill_read(&r->spill, block * block_bytes, r->window, block_bytes, err);
    if (rc != 0)
        return rc;
    r->window_first = block * block_count(r);
    r->has_window = true;
    return 0;
}

int tp_spilled_array_get(struct tp_spilled_array *r, uint64_t idx, void *to, struct tp_error *err)
{
    assert(idx < r->count);
    if (idx >= r->newest_first) {
        memcpy(to, r->newest + (idx - r->newest_first) * r->each_bytes, r->each_bytes);
        return 0;
    }
    int rc = is_in_window(r, idx) ? 0 : load_window(r, idx, err);
    if (rc == 0)
        memcpy(to, r->window + (idx - r->window_first) * r->each_bytes, r->each_bytes);
    return rc;
}
