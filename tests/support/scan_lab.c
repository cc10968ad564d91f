#include "scan_lab.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "decode/spec.h"
#include "scan_many.h"
#include "wire_build.h"

#define RUNTIME_SIZE_BYTES 10
#define FIRST_WITH_SYNC 25

void scan_list_fini(struct scan_list *l)
{
    free(l->items);
    *l = (struct scan_list){0};
}

void scan_list_add(struct scan_list *l, const struct tp_extent *x)
{
    struct tp_extent *last = l->count > 0 ? &l->items[l->count - 1] : NULL;
    if (x->kind == TP_EXTENT_LOST && x->loss == TP_LOSS_NONE && last != NULL &&
        last->kind == TP_EXTENT_LOST && x->offset == last->offset + last->len_bytes) {
        last->len_bytes += x->len_bytes;
        if (x->generation != last->generation)
            l->complaint = "the generation changes inside a loss";
        return;
    }
    if (l->count == l->capacity) {
        l->capacity = 2 * l->capacity + 16;
        l->items = realloc(l->items, l->capacity * sizeof *l->items);
        if (l->items == NULL)
            abort();
    }
    l->items[l->count++] = *x;
}

// IN PIECES

// Calls `step` until it no longer fills the room for extents. Returns the bytes covered.
static size_t step_on(scan_step_fn step, void *scan, struct tp_span window, bool at_end,
                      size_t capacity, struct scan_list *l)
{
    struct tp_extent extents[64];
    size_t count, all = 0;
    do {
        size_t used = step(scan, window, at_end, extents, capacity, &count);
        if (count > capacity || used > window.len_bytes)
            l->complaint = "more was covered than there is";
        for (size_t i = 0; i < count; i++)
            scan_list_add(l, &extents[i]);
        window = tp_span_skip(window, used);
        all += used;
    } while (count == capacity && l->complaint == NULL);
    if (at_end && window.len_bytes > 0)
        l->complaint = "bytes are left at the end";
    if (window.len_bytes > TP_SCAN_TAIL_MAX_BYTES)
        l->complaint = "the tail is longer than promised";
    return all;
}

struct scan_list scan_step_in_pieces(scan_step_fn step, void *scan, struct tp_span bytes,
                                     scan_cut_fn cut, void *ctx, size_t capacity)
{
    struct scan_list l = {0};
    size_t tail_bytes = 0;
    do {
        size_t fresh_bytes = bytes.len_bytes - tail_bytes;
        size_t piece_bytes = fresh_bytes > 0 ? cut(ctx, fresh_bytes) : 0;
        if (piece_bytes > fresh_bytes)
            piece_bytes = fresh_bytes;
        struct tp_span window = tp_span_of(bytes.ptr, tail_bytes + piece_bytes);
        window.ptr = wire_copy(window);
        size_t used = step_on(step, scan, window, piece_bytes == fresh_bytes, capacity, &l);
        free((void *)window.ptr);
        bytes = tp_span_skip(bytes, used);
        tail_bytes = tail_bytes + piece_bytes - used;
    } while (bytes.len_bytes > 0 && l.complaint == NULL);
    return l;
}

static size_t step_v2(void *scan, struct tp_span bytes, bool at_end, struct tp_extent *extents,
                      size_t capacity, size_t *ret_count)
{
    return scan_many_v2(scan, bytes, at_end, extents, capacity, ret_count);
}

struct scan_list scan_in_pieces(uint32_t minor, uint64_t offset, struct tp_span bytes,
                                scan_cut_fn cut, void *ctx, size_t capacity)
{
    struct tp_scan_v2 s;
    tp_scan_v2_init(&s, minor, offset);
    return scan_step_in_pieces(step_v2, &s, bytes, cut, ctx, capacity);
}

// THE MODEL

struct model {
    uint32_t minor;
    uint64_t offset;
    struct tp_span bytes;
    uint64_t generation;
    bool in_generation;
    bool resumed;
};

struct model_head {
    bool experimental;
    uint64_t generation, m, time_ticks, body_bytes;
    size_t size_bytes, header_bytes;
};

// Takes a number. False: the bytes end inside it (*ret_is_cut), or it has more than 64 bits.
static bool take_number(struct tp_span *rest, uint64_t *ret_value, bool *ret_is_cut)
{
    *ret_value = 0;
    for (unsigned i = 0; i < 10; i++) {
        *ret_is_cut = i >= rest->len_bytes;
        if (*ret_is_cut)
            return false;
        unsigned byte = rest->ptr[i];
        if (i == 9 && byte > 1)
            return false;
        *ret_value |= (uint64_t)(byte & 0x7f) << (7 * i);
        if (byte < 0x80) {
            *rest = tp_span_skip(*rest, i + 1);
            return true;
        }
    }
    return false;
}

static enum tp_loss_kind model_head(const struct model *m, size_t at, struct model_head *h)
{
    struct tp_span rest = tp_span_skip(m->bytes, at);
    if (rest.len_bytes == 0)
        return TP_LOSS_BATCH_CUT;
    size_t code_bytes = rest.ptr[0] == 49 ? 2 : 1;
    if (code_bytes == 1 && rest.ptr[0] != 1)
        return TP_LOSS_NOT_A_BATCH;
    if (rest.len_bytes < code_bytes)
        return TP_LOSS_BATCH_CUT;
    h->experimental = code_bytes == 2;
    rest = tp_span_skip(rest, code_bytes);
    uint64_t *fields[] = {&h->generation, &h->m, &h->time_ticks, &h->body_bytes};
    for (size_t i = 0; i < TP_ARRAY_LEN(fields); i++) {
        bool is_cut;
        size_t before_bytes = rest.len_bytes;
        if (!take_number(&rest, fields[i], &is_cut))
            return is_cut ? TP_LOSS_BATCH_CUT : TP_LOSS_BATCH_HEADER;
        h->size_bytes = before_bytes - rest.len_bytes;
    }
    h->header_bytes = m->bytes.len_bytes - at - rest.len_bytes;
    return h->body_bytes > 65536 ? TP_LOSS_BATCH_SIZE : TP_LOSS_NONE;
}

static bool has_marks(const struct model *m) { return m->minor >= 26; }

static bool is_mark(const struct model *m, size_t at)
{
    return has_marks(m) && at < m->bytes.len_bytes && m->bytes.ptr[at] == 52;
}

static bool is_runtime_head(const struct model *m, size_t at, uint64_t least_generation,
                            struct model_head *h)
{
    return model_head(m, at, h) == TP_LOSS_NONE && h->size_bytes == RUNTIME_SIZE_BYTES &&
           h->generation >= least_generation;
}

static bool can_resume(const struct model *m, size_t at)
{
    struct model_head first, second;
    if (!is_runtime_head(m, at, m->generation, &first) || first.generation == 0)
        return false;
    size_t left_bytes = m->bytes.len_bytes - at, batch_bytes = first.header_bytes + first.body_bytes;
    if (batch_bytes >= left_bytes)
        return batch_bytes == left_bytes;
    return is_mark(m, at + batch_bytes) ||
           is_runtime_head(m, at + batch_bytes, first.generation, &second);
}

static enum tp_loss_kind batch_fault(const struct model *m, size_t at, struct model_head *h)
{
    enum tp_loss_kind fault = model_head(m, at, h);
    if (fault != TP_LOSS_NONE)
        return fault;
    if (h->body_bytes > m->bytes.len_bytes - at - h->header_bytes)
        return TP_LOSS_BATCH_CUT;
    if (h->generation == 0)
        return TP_LOSS_GENERATION;
    bool is_free = m->generation == 0 || (m->resumed && h->generation >= m->generation);
    bool is_same = h->generation == m->generation;
    if (!has_marks(m) && !is_free && !is_same && h->generation != m->generation + 1)
        return TP_LOSS_GENERATION;
    if (has_marks(m) && !is_free && m->resumed)
        return TP_LOSS_GENERATION;
    if (has_marks(m) && !is_free && m->in_generation && !is_same)
        return TP_LOSS_END_MARK;
    return TP_LOSS_NONE;
}

static enum tp_batch_kind batch_kind(const struct model *m, size_t at, const struct model_head *h)
{
    if (h->experimental)
        return TP_BATCH_EXPERIMENTAL;
    unsigned first = h->body_bytes > 0 ? m->bytes.ptr[at + h->header_bytes] : 0;
    if (first == (m->minor >= FIRST_WITH_SYNC ? 50 : 8))
        return TP_BATCH_SYNC;
    return first == 2   ? TP_BATCH_STACKS
           : first == 4 ? TP_BATCH_STRINGS
           : first == 6 ? TP_BATCH_SAMPLES
                        : TP_BATCH_EVENTS;
}

static struct tp_extent take_batch(struct model *m, size_t at, const struct model_head *h)
{
    struct tp_extent x = {
        .offset = m->offset + at,
        .len_bytes = (uint32_t)(h->header_bytes + h->body_bytes),
        .header_bytes = (uint32_t)h->header_bytes,
        .kind = TP_EXTENT_BATCH,
        .batch_kind = (uint8_t)batch_kind(m, at, h),
        .first_of_generation = !m->in_generation || h->generation != m->generation,
        .generation = h->generation,
        .m = h->m,
        .time_ticks = h->time_ticks,
    };
    m->generation = h->generation;
    m->in_generation = true;
    m->resumed = false;
    return x;
}

struct scan_list scan_by_model(uint32_t minor, uint64_t offset, struct tp_span bytes)
{
    struct scan_list l = {0};
    struct model m = {.minor = minor, .offset = offset, .bytes = bytes};
    size_t at = 0;
    while (at < bytes.len_bytes) {
        struct model_head h;
        struct tp_extent x = {.offset = offset + at, .generation = m.generation};
        enum tp_loss_kind fault = TP_LOSS_NONE;
        if (is_mark(&m, at) && m.in_generation) {
            x.kind = TP_EXTENT_STRUCTURAL;
            x.ends_generation = true;
            x.len_bytes = 1;
            m.in_generation = false;
        } else if (is_mark(&m, at)) {
            fault = TP_LOSS_STRAY_MARK;
        } else if ((fault = batch_fault(&m, at, &h)) == TP_LOSS_NONE) {
            x = take_batch(&m, at, &h);
        }
        if (fault != TP_LOSS_NONE) {
            size_t to = at;
            while (to < bytes.len_bytes && !can_resume(&m, to))
                to++;
            x.kind = TP_EXTENT_LOST;
            x.loss = (uint8_t)fault;
            x.len_bytes = (uint32_t)(to - at);
            m.resumed = to < bytes.len_bytes;
            // If no batch follows the damage, the missing end mark belongs to the damage.
            m.in_generation = m.in_generation && m.resumed;
        }
        scan_list_add(&l, &x);
        at += x.len_bytes;
    }
    if (has_marks(&m) && m.in_generation)
        scan_list_add(&l, &(struct tp_extent){.offset = offset + at,
                                    .kind = TP_EXTENT_LOST,
                                    .loss = TP_LOSS_END_MARK,
                                    .generation = m.generation});
    return l;
}

// COMPARED

static bool is_same(const struct tp_extent *a, const struct tp_extent *b)
{
    return a->offset == b->offset && a->len_bytes == b->len_bytes &&
           a->header_bytes == b->header_bytes && a->kind == b->kind &&
           a->batch_kind == b->batch_kind && a->loss == b->loss &&
           a->first_of_generation == b->first_of_generation &&
           a->ends_generation == b->ends_generation && a->generation == b->generation &&
           a->m == b->m && a->time_ticks == b->time_ticks;
}

const char *scan_difference(const struct scan_list *got, const struct scan_list *want)
{
    static char text[160];
    if (got->complaint != NULL)
        return got->complaint;
    for (size_t i = 0; i < got->count && i < want->count; i++) {
        const struct tp_extent *a = &got->items[i], *b = &want->items[i];
        if (is_same(a, b))
            continue;
        snprintf(text, sizeof text,
                 "extent %zu: kind %d loss %d at %" PRIu64 " + %u, want kind %d loss %d at %" PRIu64
                 " + %u",
                 i, a->kind, a->loss, a->offset, a->len_bytes, b->kind, b->loss, b->offset,
                 b->len_bytes);
        return text;
    }
    if (got->count == want->count)
        return NULL;
    snprintf(text, sizeof text, "%zu extents, want %zu", got->count, want->count);
    return text;
}

const char *scan_gap(const struct scan_list *l, uint64_t offset, size_t len_bytes)
{
    uint64_t at = offset;
    for (size_t i = 0; i < l->count; i++) {
        if (l->items[i].offset != at)
            return "an extent does not begin where the one before ends";
        at += l->items[i].len_bytes;
    }
    return at == offset + len_bytes ? NULL : "the extents do not cover all bytes";
}

size_t scan_cut_never(void *ctx, size_t left_bytes)
{
    (void)ctx;
    return left_bytes;
}

size_t scan_cut_everywhere(void *ctx, size_t left_bytes)
{
    (void)ctx, (void)left_bytes;
    return 1;
}

size_t scan_cut_once(void *ctx, size_t left_bytes)
{
    size_t *first_bytes = ctx, n = *first_bytes;
    *first_bytes = left_bytes;
    return n;
}

size_t scan_cut_randomly(void *ctx, size_t left_bytes)
{
    uint64_t r = wire_random(ctx);
    (void)left_bytes;
    return 1 + (size_t)(r >> 8) % ((r & 1) != 0 ? 9 : 5000);
}
