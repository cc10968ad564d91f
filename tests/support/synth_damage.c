#include "synth_damage.h"

#include <string.h>

#include "base/alloc.h"
#include "base/err.h"
#include "synth_rand.h"

int synth_damage_init(struct synth_damage *d, const struct synth_config *config,
                      synth_write_fn write, void *ctx, struct tp_error *err)
{
    *d = (struct synth_damage){.config = config, .write = write, .ctx = ctx};
    d->held = tp_alloc(SYNTH_UNIT_BYTES);
    d->scratch = tp_alloc(SYNTH_UNIT_BYTES);
    if (!d->held || !d->scratch)
        return tp_fail(err, TP_E_MEMORY, "no memory for the buffers of a trace");
    return 0;
}

void synth_damage_fini(struct synth_damage *d)
{
    tp_free(d->held);
    tp_free(d->scratch);
    d->held = d->scratch = NULL;
}

static void write_out(struct synth_damage *d, const unsigned char *bytes, size_t len_bytes)
{
    if (d->rc || len_bytes == 0)
        return;
    d->rc = d->write(d->ctx, bytes, len_bytes);
    if (d->rc == 0)
        d->written_bytes += len_bytes;
}

static void insert_garbage(struct synth_damage *d)
{
    struct synth_rand rand = {.state = ~d->config->seed};
    uint64_t left = d->config->insert_len;
    unsigned char garbage[4096];
    while (left > 0 && !d->rc) {
        size_t n = left < sizeof(garbage) ? (size_t)left : sizeof(garbage);
        for (size_t i = 0; i < n; i++)
            garbage[i] = (unsigned char)synth_next(&rand);
        write_out(d, garbage, n);
        left -= n;
    }
}

// Returns whether [at, at + len) overlaps the next `len_bytes` bytes of the trace. If so, sets
// [*ret_begin, *ret_end) to the common part, relative to the first of those bytes.
static bool overlap(const struct synth_damage *d, uint64_t at, uint64_t len, size_t len_bytes,
                    size_t *ret_begin, size_t *ret_end)
{
    uint64_t end = at > UINT64_MAX - len ? UINT64_MAX : at + len;
    if (at == SYNTH_OFF || end <= d->offset || at >= d->offset + len_bytes)
        return false;
    *ret_begin = at > d->offset ? (size_t)(at - d->offset) : 0;
    *ret_end = end < d->offset + len_bytes ? (size_t)(end - d->offset) : len_bytes;
    return true;
}

static void put_bytes(struct synth_damage *d, const unsigned char *bytes, size_t len_bytes)
{
    const struct synth_config *c = d->config;
    size_t begin;
    size_t end;
    if (c->overwrite_len > 0 &&
        overlap(d, c->overwrite_at, c->overwrite_len, len_bytes, &begin, &end)) {
        if (bytes != d->scratch)
            memcpy(d->scratch, bytes, len_bytes);
        memset(d->scratch + begin, (int)c->overwrite_byte, end - begin);
        bytes = d->scratch;
    }
    uint64_t flip_byte = c->flip_bit_at == SYNTH_OFF ? SYNTH_OFF : c->flip_bit_at / 8;
    if (overlap(d, flip_byte, 1, len_bytes, &begin, &end)) {
        if (bytes != d->scratch)
            memcpy(d->scratch, bytes, len_bytes);
        d->scratch[begin] ^= (unsigned char)(1u << (c->flip_bit_at % 8));
        bytes = d->scratch;
    }
    d->offset += len_bytes;
    write_out(d, bytes, len_bytes);
}

// Writes a unit: cuts it at the place of truncation, splits it at the place of insertion.
static void put_unit(struct synth_damage *d, const unsigned char *bytes, size_t len_bytes)
{
    const struct synth_config *c = d->config;
    if (d->offset >= c->truncate_at)
        return;
    if (len_bytes > c->truncate_at - d->offset)
        len_bytes = (size_t)(c->truncate_at - d->offset);
    if (c->insert_at != SYNTH_OFF && c->insert_at >= d->offset &&
        c->insert_at < d->offset + len_bytes) {
        size_t before = (size_t)(c->insert_at - d->offset);
        put_bytes(d, bytes, before);
        insert_garbage(d);
        bytes += before;
        len_bytes -= before;
    }
    put_bytes(d, bytes, len_bytes);
}

static void put_batch(struct synth_damage *d, const unsigned char *bytes, size_t len_bytes)
{
    const struct synth_config *c = d->config;
    uint64_t k = d->batch_count++;
    if (k == c->drop_batch)
        return;
    if (k == c->swap_batch) {
        memcpy(d->held, bytes, len_bytes);
        d->held_bytes = len_bytes;
        return;
    }
    put_unit(d, bytes, len_bytes);
    if (k == c->dup_batch)
        put_unit(d, bytes, len_bytes);
    if (d->held_bytes > 0) {
        put_unit(d, d->held, d->held_bytes);
        d->held_bytes = 0;
    }
}

void synth_damage_put(struct synth_damage *d, enum synth_unit unit, const unsigned char *bytes,
                      size_t len_bytes)
{
    if (d->rc)
        return;
    d->trace_bytes += len_bytes;
    switch (unit) {
    case SYNTH_UNIT_HEADER:
        put_unit(d, bytes, len_bytes);
        break;
    case SYNTH_UNIT_BATCH:
        put_batch(d, bytes, len_bytes);
        break;
    case SYNTH_UNIT_END_MARK:
        if (!d->config->omit_end_marks)
            put_unit(d, bytes, len_bytes);
        break;
    }
}

void synth_damage_flush(struct synth_damage *d)
{
    if (d->held_bytes > 0) {
        put_unit(d, d->held, d->held_bytes);
        d->held_bytes = 0;
    }
    // Garbage may also be inserted after the last byte.
    if (d->config->insert_at == d->offset && d->offset <= d->config->truncate_at)
        insert_garbage(d);
}
