#include "pipeline/read/ingest_headers.h"

#include <errno.h>

#include "base/alloc.h"
#include "pipeline/core/reread.h"
#include "pipeline/order/collect.h"
#include "pipeline/read/ingest.h"
#include "pipeline/read/source_host.h"

// Distance of the kernel's readahead, large enough for a disk to read at full speed.
#define AHEAD_BYTES TP_MIB(8)

static bool is_of_use(const struct tp_input_run *in)
{
    const struct tp_settings *s = &in->run->settings;
    // An engine that the user names is always used.
    return s->io == TP_IO_AUTO && tp_reread_has_stream(in) && tp_collect_is_alone(in) &&
           !tp_window_is_given(&s->window);
}

bool tp_ingest_headers_begin(struct tp_input_run *in)
{
    struct tp_ingest *g = in->ingest;
    if (!is_of_use(in))
        return false;
    struct tp_ingest_headers *f = tp_alloc_zero(sizeof *f);
    if (f == NULL)
        return false;
    if (!tp_header_walk_begin(&f->walk, &in->reread) ||
        tp_orderer_of(&f->walk.format, in->run->model) == NULL) {
        tp_free(f);
        return false;
    }
    g->headers = f;
    g->file.stat_bytes = in->reread.size_bytes;
    g->stream.inflate.is_known = g->stream.encode.is_known = true;
    return true;
}

static void end(struct tp_input_run *in)
{
    tp_free(in->ingest->headers);
    in->ingest->headers = NULL;
}

static void hand_over(struct tp_input_run *in)
{
    struct tp_ingest *g = in->ingest;
    const struct tp_header_walk *h = &g->headers->walk;
    g->scan = h->scan;
    g->file.read_count = h->read_count;
    if (tp_source_host_begin_at(in, h->scan.offset)) {
        end(in);
        tp_source_add(in->run->engine.source, &g->file);
        return;
    }
    tp_fail_errno(&g->stream.engine_error, TP_E_READ, errno, "cannot read");
    tp_ingest_headers_drop(in);
}

// Asks the kernel to read the next range while the header walk looks at the current one.
static void ask_ahead(struct tp_ingest_headers *f)
{
    uint64_t at = f->walk.scan.offset;
    if (at + AHEAD_BYTES / 2 < f->advised_bytes || f->advised_bytes >= f->walk.file->size_bytes)
        return;
    tp_reread_file_prefetch(f->walk.file, f->advised_bytes, AHEAD_BYTES);
    f->advised_bytes += AHEAD_BYTES;
}

// Kinds of batches whose bodies are long and can be read later. Samples and the clock are needed
// before the tables are built.
#define READ_LATER (TP_HEADER_WALK_KIND(TP_BATCH_EVENTS) | TP_HEADER_WALK_KIND(TP_BATCH_STACKS))

bool tp_ingest_headers_next(struct tp_input_run *in, struct tp_extent *ret_extent,
                            struct tp_span *ret_bytes)
{
    struct tp_ingest *g = in->ingest;
    struct tp_header_walk *h = &g->headers->walk;
    ask_ahead(g->headers);
    if (in->report.stream_bytes == 0) {
        *ret_extent = (struct tp_extent){.len_bytes = (uint32_t)h->format.header_bytes,
                                         .kind = TP_EXTENT_STRUCTURAL};
        *ret_bytes = tp_span_of(NULL, 0);
    } else if (!tp_header_walk_next(h, ~READ_LATER, ret_extent, ret_bytes)) {
        hand_over(in);
        return false;
    }
    g->stream.stored_bytes += ret_extent->len_bytes;
    tp_meter_count(&in->run->meter.stored_bytes, ret_extent->len_bytes);
    return true;
}

void tp_ingest_headers_drop(struct tp_input_run *in)
{
    if (in->ingest->headers == NULL)
        return;
    end(in);
    atomic_store_explicit(&in->ingest->stream.engine_ended, true, memory_order_release);
}
