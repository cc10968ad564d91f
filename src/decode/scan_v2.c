#include "decode/scan_v2.h"

#include <assert.h>

#include "decode/spec.h"
#include "decode/varint.h"

// Length of the size field as every runtime writes it.
#define RUNTIME_SIZE_BYTES 10

enum head_status { HEAD_OK, HEAD_MORE, HEAD_BAD };

struct head {
    bool experimental;
    uint8_t size_bytes;   // length of the size field
    uint32_t header_bytes;
    uint32_t body_bytes;
    uint64_t generation;
    uint64_t m;
    uint64_t time_ticks;
    enum tp_loss_kind fault; // after HEAD_BAD
};

static enum head_status bad(struct head *h, enum tp_loss_kind fault)
{
    h->fault = fault;
    return HEAD_BAD;
}

static enum head_status cut(struct head *h, bool at_end)
{
    return at_end ? bad(h, TP_LOSS_BATCH_CUT) : HEAD_MORE;
}

// Reads a batch header, without the body after it.
static enum head_status read_head(struct tp_span bytes, bool at_end, struct head *h)
{
    const unsigned char *p = bytes.ptr, *end = p + bytes.len_bytes;
    if (p == end)
        return cut(h, at_end);
    // Does not check whether the release had experiments, because Go does not either.
    h->experimental = *p == TP_EV_ExperimentalBatch;
    if (!h->experimental && *p != TP_EV_EventBatch)
        return bad(h, TP_LOSS_NOT_A_BATCH);
    p += h->experimental ? 2 : 1; // the number of the experiment is a plain byte
    if (p > end)
        return cut(h, at_end);

    uint64_t size = 0;
    uint64_t *const fields[] = {&h->generation, &h->m, &h->time_ticks, &size};
    const unsigned char *field = p;
    for (size_t i = 0; i < TP_ARRAY_LEN(fields); i++) {
        field = p;
        switch (tp_varint_get(&p, end, fields[i])) {
        case TP_VARINT_OK: break;
        case TP_VARINT_CUT: return cut(h, at_end);
        case TP_VARINT_OVERFLOW: return bad(h, TP_LOSS_BATCH_HEADER);
        }
    }
    if (size > TP_MAX_BATCH_BYTES)
        return bad(h, TP_LOSS_BATCH_SIZE);
    h->size_bytes = (uint8_t)(p - field);
    h->header_bytes = (uint32_t)(p - bytes.ptr);
    h->body_bytes = (uint32_t)size;
    return HEAD_OK;
}

static bool has_end_marks(const struct tp_scan_v2 *s)
{
    return s->minor >= TP_FIRST_WITH_END_MARK;
}

// Returns the loss if a batch of generation `g` may not come next, else TP_LOSS_NONE.
static enum tp_loss_kind generation_fault(const struct tp_scan_v2 *s, uint64_t g)
{
    if (g == 0)
        return TP_LOSS_GENERATION;
    if (s->generation == 0)
        return TP_LOSS_NONE;
    if (s->resumed)
        return g >= s->generation ? TP_LOSS_NONE : TP_LOSS_GENERATION;
    if (!has_end_marks(s))
        return g == s->generation || g == s->generation + 1 ? TP_LOSS_NONE : TP_LOSS_GENERATION;
    return !s->in_generation || g == s->generation ? TP_LOSS_NONE : TP_LOSS_END_MARK;
}

enum tp_batch_kind tp_batch_kind_of(uint32_t minor, struct tp_span body)
{
    if (body.len_bytes == 0)
        return TP_BATCH_EVENTS;
    bool sync_batches = minor >= tp_event_specs[TP_EV_Sync].since;
    switch (body.ptr[0]) {
    case TP_EV_Stacks: return TP_BATCH_STACKS;
    case TP_EV_Strings: return TP_BATCH_STRINGS;
    case TP_EV_CPUSamples: return TP_BATCH_SAMPLES;
    case TP_EV_Frequency: return sync_batches ? TP_BATCH_EVENTS : TP_BATCH_SYNC;
    case TP_EV_Sync: return sync_batches ? TP_BATCH_SYNC : TP_BATCH_EVENTS;
    default: return TP_BATCH_EVENTS;
    }
}

static enum tp_batch_kind batch_kind(const struct tp_scan_v2 *s, const struct head *h,
                                     const unsigned char *body)
{
    return h->experimental ? TP_BATCH_EXPERIMENTAL
                           : tp_batch_kind_of(s->minor, tp_span_of(body, h->body_bytes));
}

static struct tp_extent batch_extent(struct tp_scan_v2 *s, const struct head *h,
                                     const unsigned char *bytes)
{
    struct tp_extent x = {
        .offset = s->offset,
        .len_bytes = h->header_bytes + h->body_bytes,
        .header_bytes = h->header_bytes,
        .kind = TP_EXTENT_BATCH,
        .batch_kind = (uint8_t)batch_kind(s, h, bytes + h->header_bytes),
        .first_of_generation = !s->in_generation || h->generation != s->generation,
        .generation = h->generation,
        .m = h->m,
        .time_ticks = h->time_ticks,
    };
    s->generation = h->generation;
    s->in_generation = true;
    s->resumed = false;
    return x;
}

static struct tp_extent mark_extent(struct tp_scan_v2 *s)
{
    s->in_generation = false;
    return (struct tp_extent){.offset = s->offset,
                              .len_bytes = 1,
                              .kind = TP_EXTENT_STRUCTURAL,
                              .ends_generation = true,
                              .generation = s->generation};
}

// Returns HEAD_OK if the scan may resume at the start of `bytes`.
static enum head_status can_resume(const struct tp_scan_v2 *s, struct tp_span bytes, bool at_end)
{
    struct head first, second;
    enum head_status st = read_head(bytes, at_end, &first);
    if (st != HEAD_OK)
        return st;
    if (first.size_bytes != RUNTIME_SIZE_BYTES || first.generation < s->generation ||
        first.generation == 0)
        return HEAD_BAD;
    size_t batch_bytes = first.header_bytes + first.body_bytes;
    if (batch_bytes >= bytes.len_bytes) {
        if (!at_end)
            return HEAD_MORE;
        return batch_bytes == bytes.len_bytes ? HEAD_OK : HEAD_BAD;
    }
    struct tp_span rest = tp_span_skip(bytes, batch_bytes);
    if (has_end_marks(s) && rest.ptr[0] == TP_EV_EndOfGeneration)
        return HEAD_OK;
    st = read_head(rest, at_end, &second);
    if (st != HEAD_OK)
        return st;
    // Check the second header, too: a single wrong generation number in `first` must not make all
    // later batches look old.
    return second.size_bytes == RUNTIME_SIZE_BYTES && second.generation >= first.generation
               ? HEAD_OK
               : HEAD_BAD;
}

// Returns the number of bytes to skip up to a place to resume, or up to a place that needs more
// bytes to decide.
static size_t skip_bytes(const struct tp_scan_v2 *s, struct tp_span bytes, bool at_end,
                         enum head_status *ret_status)
{
    struct tp_span rest = bytes;
    *ret_status = HEAD_BAD;
    while (rest.len_bytes > 0) {
        *ret_status = can_resume(s, rest, at_end);
        if (*ret_status != HEAD_BAD)
            break;
        rest = tp_span_skip(rest, 1);
    }
    return bytes.len_bytes - rest.len_bytes;
}

// Makes one step of the scan while it is not skipping damage: sets *ret_extent to the extent with
// which `bytes` begins. `bytes` are the first of the `there_bytes` bytes present. HEAD_BAD: sets no
// extent but *ret_fault.
static enum head_status next_extent(struct tp_scan_v2 *s, struct tp_span bytes,
                                    uint64_t there_bytes, bool at_end, struct tp_extent *ret_extent,
                                    enum tp_loss_kind *ret_fault)
{
    if (has_end_marks(s) && bytes.ptr[0] == TP_EV_EndOfGeneration) {
        if (!s->in_generation) {
            *ret_fault = TP_LOSS_STRAY_MARK;
            return HEAD_BAD;
        }
        *ret_extent = mark_extent(s);
        return HEAD_OK;
    }
    struct head h;
    enum head_status st = read_head(bytes, at_end, &h);
    if (st != HEAD_OK) {
        *ret_fault = h.fault;
        return st;
    }
    // An unreadable header is reported before a body that does not fit, as by Go's reader.
    if (h.body_bytes > there_bytes - h.header_bytes) {
        *ret_fault = TP_LOSS_BATCH_CUT;
        return at_end ? HEAD_BAD : HEAD_MORE;
    }
    *ret_fault = generation_fault(s, h.generation);
    if (*ret_fault != TP_LOSS_NONE)
        return HEAD_BAD;
    *ret_extent = batch_extent(s, &h, bytes.ptr);
    return HEAD_OK;
}

void tp_scan_v2_init(struct tp_scan_v2 *s, uint32_t minor, uint64_t offset)
{
    *s = (struct tp_scan_v2){.minor = minor, .offset = offset};
}

// Returns whether the end of the input is damage: a generation without its end mark. The scan has
// reported all other damage before.
static bool ends_unmarked(struct tp_scan_v2 *s, struct tp_extent *ret_extent)
{
    if (!has_end_marks(s) || !s->in_generation)
        return false;
    s->in_generation = false;
    *ret_extent = tp_lost_extent(s->offset, 0, TP_LOSS_END_MARK, s->generation);
    return !s->resuming;
}

bool tp_scan_v2_next(struct tp_scan_v2 *s, struct tp_span bytes, bool at_end,
                     struct tp_extent *ret_extent)
{
    struct tp_extent x = {0};
    if (bytes.len_bytes == 0)
        return at_end && ends_unmarked(s, ret_extent);
    if (s->resuming) {
        enum head_status st;
        size_t lost_bytes = skip_bytes(s, bytes, at_end, &st);
        x = tp_lost_extent(s->offset, lost_bytes, TP_LOSS_NONE, s->generation);
        s->resuming = st != HEAD_OK;
        s->resumed = st == HEAD_OK;
        if (x.len_bytes == 0 && st != HEAD_OK)
            return false;
    }
    if (x.len_bytes == 0) {
        enum tp_loss_kind fault = TP_LOSS_NONE;
        enum head_status st = next_extent(s, bytes, bytes.len_bytes, at_end, &x, &fault);
        if (st == HEAD_MORE)
            return false;
        if (st == HEAD_BAD) {
            s->resuming = true;
            x = tp_lost_extent(s->offset, 0, fault, s->generation);
        }
    }
    s->offset += x.len_bytes;
    *ret_extent = x;
    return true;
}

bool tp_scan_v2_hop(struct tp_scan_v2 *s, struct tp_span head, uint64_t left_bytes,
                    struct tp_extent *ret_extent)
{
    enum tp_loss_kind fault;
    if (head.len_bytes == 0 || s->resuming ||
        next_extent(s, head, left_bytes, true, ret_extent, &fault) != HEAD_OK)
        return false;
    s->offset += ret_extent->len_bytes;
    return true;
}
