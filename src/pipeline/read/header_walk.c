#include "pipeline/read/header_walk.h"

#include "pipeline/order/cut.h"

// Reads bytes of the file. Returns an empty span if not all of them can be read.
static struct tp_span look(struct tp_header_walk *h, uint64_t offset, size_t len_bytes)
{
    struct tp_error ignored;
    if (tp_reread_file_read(h->file, offset, h->bytes, len_bytes, &ignored) != 0)
        return tp_span_of(NULL, 0);
    h->looked_bytes += len_bytes;
    h->read_count += len_bytes > 0;
    return tp_span_of(h->bytes, len_bytes);
}

static struct tp_span look_at_head(struct tp_header_walk *h)
{
    uint64_t left_bytes = h->file->size_bytes - h->scan.offset;
    return look(h, h->scan.offset,
                left_bytes < TP_SCAN_HEAD_BYTES ? (size_t)left_bytes : TP_SCAN_HEAD_BYTES);
}

bool tp_header_walk_begin(struct tp_header_walk *h, const struct tp_reread_file *file)
{
    h->file = file;
    h->looked_bytes = h->read_count = 0;
    h->scan.offset = 0;
    struct tp_span head = look_at_head(h);
    if (tp_format_detect(head, false, &h->format) != TP_FORMAT_KNOWN ||
        h->format.decoder->scan_hop == NULL)
        return false;
    tp_scan_begin(&h->scan, &h->format, NULL);
    return true;
}

// Whether the extent is a batch that does not occur in a sound trace and whose body the ingest
// strand must see: a batch of an experiment whose number is 0, or a batch of events that begins
// with an end of generation (see pending.c, collect.c).
static bool is_odd(const struct tp_extent *x, struct tp_span head)
{
    if (x->kind == TP_EXTENT_BATCH && x->batch_kind == TP_BATCH_EXPERIMENTAL)
        return head.ptr[1] == 0;
    return tp_extent_begins_with_mark(x, head);
}

bool tp_header_walk_next(struct tp_header_walk *h, uint32_t whole_kinds,
                         struct tp_extent *ret_extent, struct tp_span *ret_bytes)
{
    struct tp_scan before = h->scan;
    struct tp_extent *x = ret_extent;
    struct tp_span bytes = look_at_head(h);
    if (!tp_scan_hop(&h->scan, bytes, h->file->size_bytes - before.offset, x))
        return false;
    bool is_sound = !is_odd(x, bytes);
    bool is_whole =
        x->kind == TP_EXTENT_BATCH && (whole_kinds & TP_HEADER_WALK_KIND(x->batch_kind)) != 0;
    if (is_sound && is_whole && bytes.len_bytes < x->len_bytes)
        bytes = look(h, before.offset, x->len_bytes);
    if (!is_sound || bytes.len_bytes == 0) {
        h->scan = before;
        return false;
    }
    *ret_bytes = bytes.len_bytes < x->len_bytes ? bytes : tp_span_of(bytes.ptr, x->len_bytes);
    return true;
}
