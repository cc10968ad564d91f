#include "pipeline/read/ingest.h"

#include <assert.h>
#include <unistd.h>

#include "base/check.h"
#include "pipeline/core/unit.h"
#include "pipeline/order/collect.h"
#include "pipeline/read/ingest_headers.h"
#include "pipeline/read/pipe_end.h"
#include "pipeline/read/state_input.h"

// Streams that no sink wants scanned are cut into opaque extents of at most this size.
#define OPAQUE_BYTES TP_SCAN_OPAQUE_BYTES
_Static_assert(OPAQUE_BYTES == TP_SEGMENT_BYTES, "an opaque extent fills a segment");

int tp_ingest_init(struct tp_input_run *in, struct tp_error *err)
{
    struct tp_ingest *g = in->ingest;
    g->file = (struct tp_source_file){.path = in->input->path,
                                      .given_fd = in->input->is_stdin ? STDIN_FILENO : -1,
                                      .rank = in->index};
    g->engine_begin = 0;
    g->wire = (struct tp_piece){0};
    g->wire_ended = g->is_cut = g->ends_early = false;
    g->current.is_there = false;
    return tp_stream_init(in, err);
}

// DAMAGE

static void add_damage(struct tp_input_report *r, const struct tp_extent *x)
{
    r->lost_bytes += x->len_bytes;
    if (x->loss != TP_LOSS_NONE) {
        if (r->damage_count < TP_DAMAGE_KEPT)
            r->damage[r->damage_count] = (struct tp_damage){.kind = x->loss, .offset = x->offset,
                                                            .generation = x->generation};
        r->damage_count++;
    }
    // A LOST extent without a reason continues the previous place of damage.
    if (r->damage_count > 0 && r->damage_count <= TP_DAMAGE_KEPT)
        r->damage[r->damage_count - 1].len_bytes += x->len_bytes;
}

static void book(struct tp_input_report *r, const struct tp_extent *x)
{
    r->stream_bytes += x->len_bytes;
    switch (x->kind) {
    case TP_EXTENT_STRUCTURAL: r->structural_bytes += x->len_bytes; break;
    case TP_EXTENT_BATCH: r->batch_bytes += x->len_bytes; break;
    case TP_EXTENT_OPAQUE: r->opaque_bytes += x->len_bytes; break;
    default: add_damage(r, x); break;
    }
}

// Adds the place at which a pipe was ended, although nothing is known to be lost there.
static void add_early_end(struct tp_input_run *in)
{
    const struct tp_ingest *g = in->ingest;
    if (!g->ends_early || !in->info_known || !tp_format_is_trace(&in->info.format))
        return;
    bool has_generations = in->run->needs.scan && in->info.format.decoder->has_generations;
    const struct tp_extent end = tp_lost_extent(in->report.stream_bytes, 0, TP_LOSS_INPUT,
                                                has_generations ? g->scan.v2.generation : 1);
    add_damage(&in->report, &end);
}

// EXTENTS TO UNITS

static bool may_be_split(const struct tp_extent *x)
{
    return x->kind == TP_EXTENT_LOST || x->kind == TP_EXTENT_OPAQUE;
}

// Appends the current extent, or the next part of a large LOST or OPAQUE one, to the open segment.
static enum tp_stage_status to_segment(struct tp_input_run *in)
{
    struct tp_ingest *g = in->ingest;
    struct tp_extent part = g->current.extent;
    uint32_t done = g->current.done_bytes[TP_LANE_SEGMENTS];
    struct tp_slot *slot = tp_unit_open(in, TP_LANE_SEGMENTS);
    if (slot == NULL)
        return tp_starve(in);
    if (slot->unit.extent_count == 0) {
        slot->chunk = g->wire.chunk;
        tp_chunk_hold(slot->chunk);
        slot->unit.offset = part.offset + done;
        slot->unit.bytes = tp_span_of(g->current.bytes.ptr + done, 0);
    }
    if (done > 0) {
        part.offset += done;
        part.len_bytes -= done;
        part.loss = TP_LOSS_NONE;
    }
    if (may_be_split(&part) && part.len_bytes > OPAQUE_BYTES)
        part.len_bytes = OPAQUE_BYTES;
    slot->extents[slot->unit.extent_count++] = part;
    slot->unit.bytes.len_bytes += part.len_bytes;
    g->current.done_bytes[TP_LANE_SEGMENTS] = done + part.len_bytes;
    if (slot->unit.bytes.len_bytes >= TP_SEGMENT_BYTES ||
        slot->unit.extent_count == TP_UNIT_EXTENTS)
        tp_unit_submit(in, TP_LANE_SEGMENTS);
    return TP_STAGE_OK;
}

// Copies bytes of the current extent to the open frame. Frames are copies, because compressors need
// contiguous input, and a partly filled frame must not pin chunks. Copying costs a hundredth of
// compressing.
static enum tp_stage_status to_frame(struct tp_input_run *in)
{
    struct tp_ingest *g = in->ingest;
    const struct tp_extent *x = &g->current.extent;
    uint32_t done = g->current.done_bytes[TP_LANE_FRAMES];
    struct tp_lane_queue *q = &in->lanes[TP_LANE_FRAMES];
    if (done == 0 && x->first_of_generation && q->open != NULL &&
        q->open->frame.len_bytes >= TP_FRAME_MIN_BYTES)
        tp_unit_submit(in, TP_LANE_FRAMES);
    struct tp_slot *slot = tp_unit_open(in, TP_LANE_FRAMES);
    if (slot == NULL)
        return tp_starve(in);
    size_t n = x->len_bytes - done, room = tp_buf_room(&slot->frame);
    n = n < room ? n : room;
    if (slot->frame.len_bytes == 0)
        slot->unit.offset = x->offset + done;
    bool fits = tp_buf_put(&slot->frame, g->current.bytes.ptr + done, n);
    assert(fits);
    (void)fits;
    g->current.done_bytes[TP_LANE_FRAMES] = done + (uint32_t)n;
    if (tp_buf_room(&slot->frame) == 0)
        tp_unit_submit(in, TP_LANE_FRAMES);
    return TP_STAGE_OK;
}

// Adds the current extent to the generation that is collected. Adds nothing for inputs that the run
// does not put in order: those that are no traces, and traces whose events cannot be had in the
// event model of the run.
static enum tp_stage_status to_blocks(struct tp_input_run *in)
{
    struct tp_ingest *g = in->ingest;
    struct tp_cut cut = {&g->current.extent, g->current.bytes, g->wire.bytes, &g->marks};
    if (in->orderer != NULL && tp_collect_extent(in, &cut) == TP_HOLD_WAIT)
        return TP_STAGE_WAIT;
    g->current.done_bytes[TP_LANE_BLOCKS] = g->current.extent.len_bytes;
    return TP_STAGE_OK;
}

typedef enum tp_stage_status (*hand_on_fn)(struct tp_input_run *in);

// Whether the lane lacks a part of the current extent. The segment and block lanes also get an
// extent without bytes, once: it marks a damaged place, which their sinks report.
static bool lane_wants_more(const struct tp_input_run *in, enum tp_lane_id lane, bool visited)
{
    const struct tp_ingest *g = in->ingest;
    return g->current.done_bytes[lane] < g->current.extent.len_bytes ||
           (g->current.extent.len_bytes == 0 && lane != TP_LANE_FRAMES && !visited);
}

static enum tp_stage_status hand_on(struct tp_input_run *in)
{
    static const hand_on_fn lanes[TP_LANES] = {
        [TP_LANE_SEGMENTS] = to_segment,
        [TP_LANE_FRAMES] = to_frame,
        [TP_LANE_BLOCKS] = to_blocks,
    };
    for (enum tp_lane_id lane = 0; lane < TP_LANES; lane++) {
        if (!in->run->lanes[lane].is_used)
            continue;
        for (bool visited = false; lane_wants_more(in, lane, visited); visited = true) {
            if (lanes[lane](in) == TP_STAGE_WAIT)
                return TP_STAGE_WAIT;
        }
    }
    if (tp_state_input_add(in) == TP_STAGE_WAIT)
        return TP_STAGE_WAIT;
    book(&in->report, &in->ingest->current.extent);
    in->ingest->current.is_there = false;
    return TP_STAGE_OK;
}

// WIRE TO EXTENTS

// Cuts the next extent off the wire bytes, or takes it from the header walk. False: more bytes are
// needed, or none are left.
static bool cut_extent(struct tp_input_run *in)
{
    struct tp_ingest *g = in->ingest;
    struct tp_extent x;
    struct tp_span bytes;
    if (g->headers != NULL) {
        if (!tp_ingest_headers_next(in, &x, &bytes))
            return false;
    } else {
        if (in->report.stream_bytes < g->scan.offset)
            x = (struct tp_extent){.len_bytes = (uint32_t)g->scan.offset,
                                   .kind = TP_EXTENT_STRUCTURAL};
        else if (!tp_scan_next(&g->scan, g->wire.bytes, g->wire_ended, &x))
            return false;
        bytes = tp_span_of(g->wire.bytes.ptr, x.len_bytes);
        g->wire.bytes = tp_span_skip(g->wire.bytes, x.len_bytes);
    }
    g->current = (struct tp_ingest_current){.is_there = true, .extent = x, .bytes = bytes};
    return true;
}

static enum tp_stage_status refill_wire(struct tp_input_run *in)
{
    struct tp_ingest *g = in->ingest;
    struct tp_piece more = {0};
    // A segment refers to one chunk only, and the rest of the wire bytes moves to the next chunk.
    // Submit even if no bytes come now: workers can already process the open segment.
    tp_unit_submit(in, TP_LANE_SEGMENTS);
    enum tp_stage_status st = tp_stream_next(in, &more);
    if (st == TP_STAGE_END) {
        g->wire_ended = true;
    } else if (st == TP_STAGE_OK) {
        tp_piece_prepend(&more, &g->wire);
        g->wire = more;
    }
    return st;
}

// WHAT THE INPUT IS

static bool is_wanted(const struct tp_input_run *in)
{
    for (size_t k = 0; k < in->run->sink_count; k++) {
        if (tp_sink_accepts(&in->run->sinks[k].plan, &in->info.format))
            return true;
    }
    return false;
}

static enum tp_stage_status detect_format(struct tp_input_run *in, struct tp_format *ret_format)
{
    struct tp_ingest *g = in->ingest;
    if (g->headers != NULL) {
        *ret_format = g->headers->walk.format;
        return TP_STAGE_OK;
    }
    while (tp_format_detect(g->wire.bytes, g->wire_ended, ret_format) == TP_FORMAT_MORE) {
        if (refill_wire(in) == TP_STAGE_WAIT)
            return TP_STAGE_WAIT;
    }
    return TP_STAGE_OK;
}

static enum tp_stage_status learn_format(struct tp_input_run *in)
{
    struct tp_ingest *g = in->ingest;
    struct tp_format format;
    if (detect_format(in, &format) == TP_STAGE_WAIT)
        return TP_STAGE_WAIT;
    // No byte could be read: the format stays unknown, and no sink opens the input.
    if (g->wire.bytes.len_bytes == 0 && g->stream.error.code != 0)
        return TP_STAGE_OK;
    in->info = (struct tp_input_info){
        .path = in->input->path,
        .is_baseline = in->input->is_baseline,
        .format = format,
        .is_text_form = g->stream.encode.step != NULL,
    };
    in->orderer = tp_orderer_of(&format, in->run->model);
    const struct tp_format unscanned = {.decoder = &tp_decoder_none};
    g->marks.count = 0;
    tp_scan_begin(&g->scan, in->run->needs.scan ? &format : &unscanned, &g->marks);
    tp_meter_count(&in->run->meter.stat_bytes, g->file.stat_bytes);
    atomic_store_explicit(&in->info_known, true, memory_order_release);
    return TP_STAGE_OK;
}

// THE STRAND

// Sets the sizes of an input of which a time window left bytes unread: how many were read depends on
// chunks, engine and the other sinks, the size of the file does not. The size of a pipe is not known.
static void set_sizes_of_windowed(struct tp_input_run *in)
{
    struct tp_input_report *r = &in->report;
    bool is_plain = in->stored.codec == TP_CODEC_PLAIN && !in->info.is_text_form;
    uint64_t size_bytes = in->ingest->file.stat_bytes;
    if (!in->stored.is_past_window && r->passed_bytes == 0)
        return;
    r->stored_bytes = size_bytes > 0 ? size_bytes : is_plain ? r->stream_bytes : 0;
    if (is_plain && r->stored_bytes > r->stream_bytes) {
        r->passed_bytes += r->stored_bytes - r->stream_bytes;
        r->stream_bytes = r->stored_bytes;
    }
}

static void end_ingest(struct tp_input_run *in)
{
    struct tp_ingest *g = in->ingest;
    struct tp_input_report *r = &in->report;
    assert(atomic_load(&g->stream.engine_ended));
    tp_unit_submit(in, TP_LANE_SEGMENTS);
    tp_unit_submit(in, TP_LANE_FRAMES);
    if (in->order != NULL)
        tp_collect_end(in, g->stream.error.code != 0);
    add_early_end(in);
    tp_piece_release(&g->wire);
    in->stored.is_past_window = tp_collect_is_all_read(in);
    r->stored_bytes = g->stream.stored_bytes;
    r->read_count = g->file.read_count;
    set_sizes_of_windowed(in);
    r->error = g->stream.error;
    // An input that no sink takes is not decompressed further. Damage behind the bytes that show its
    // format must not be the reason of the refusal, as a larger chunk would include it.
    if (in->info_known && !g->wire_ended && !is_wanted(in) &&
        tp_error_class_of(r->error.code) != TP_CLASS_HOST)
        r->error = (struct tp_error){0};
    if (r->error.code == 0)
        (void)TP_CHECK(r->stream_bytes == r->batch_bytes + r->structural_bytes + r->lost_bytes +
                                              r->opaque_bytes + r->passed_bytes,
                       &r->error);
    tp_stream_reset(in);
    // A lack of memory is no fault of the input.
    if (tp_error_class_of(r->error.code) == TP_CLASS_HOST)
        tp_run_fail(in->run, &r->error);
    atomic_store_explicit(&in->ingest_ended, true, memory_order_release);
    tp_wake_commit(in);
}

// Discards the stored chunks of an input that needs no more processing. True once the engine is
// done with the file; only then may the slot go to another input. If the input's content made its
// processing end early, the input is still read to its end, so that the counted and digested bytes
// do not depend on the progress of the engine.
static bool drain(struct tp_input_run *in)
{
    struct tp_ingest *g = in->ingest;
    tp_ingest_headers_drop(in);
    tp_piece_release(&g->wire);
    struct tp_piece piece = {0};
    enum tp_stage_status st;
    while ((st = tp_stream_next_stored(in, &piece)) == TP_STAGE_OK)
        tp_piece_release(&piece);
    if (st == TP_STAGE_END)
        return true;
    bool may_stop = tp_run_is_stopping(in->run) || tp_collect_is_all_read(in) ||
                    (!g->is_cut && in->stored.digest == NULL);
    if (may_stop && !atomic_exchange(&g->file.cancelled, true))
        tp_source_kick(in->run->engine.source);
    return false;
}

static bool must_drain(const struct tp_input_run *in)
{
    return in->ingest->is_cut || tp_run_is_stopping(in->run) ||
           (in->info_known && !is_wanted(in)) ||
           (!in->ingest->current.is_there && tp_collect_is_all_read(in));
}

// Processes the input until it ends or must wait. True: the input is at its end.
static bool advance(struct tp_input_run *in)
{
    struct tp_ingest *g = in->ingest;
    for (;;) {
        if (must_drain(in))
            return drain(in);
        if (!in->info_known) {
            if (learn_format(in) == TP_STAGE_WAIT)
                return false;
            g->is_cut = !in->info_known;
        } else if (g->current.is_there) {
            if (hand_on(in) == TP_STAGE_WAIT)
                return false;
        } else if (!cut_extent(in)) {
            g->is_cut = g->wire_ended;
            if (!g->is_cut && refill_wire(in) == TP_STAGE_WAIT)
                return false;
        }
    }
}

// If the strand was refused memory or pages, raises both flags, TP_STARVED_OF_MEMORY and
// TP_STARVED_OF_PAGES: at the next try it may get the one and be refused the other. False: neither
// was refused.
static bool raise_flags(struct tp_input_run *in)
{
    struct tp_input_wake *w = &in->wake;
    if (!tp_starved_is_raised(w, TP_STARVED_OF_MEMORY) &&
        !tp_starved_is_raised(w, TP_STARVED_OF_PAGES))
        return false;
    (void)tp_starve(in);
    if (in->order != NULL)
        tp_starved_raise(w, TP_STARVED_OF_PAGES);
    return true;
}

// Refuses an input that is late, and reads no more of it.
static void refuse_late(struct tp_input_run *in)
{
    struct tp_ingest *g = in->ingest;
    if (!tp_input_is_late(in))
        return;
    if (g->stream.error.code != TP_E_TIMEOUT)
        tp_fail(&g->stream.error, TP_E_TIMEOUT, "takes longer than --timeout");
    g->is_cut = true;
    if (!atomic_load(&g->stream.engine_ended) && !atomic_exchange(&g->file.cancelled, true))
        tp_source_kick(in->run->engine.source);
}

void tp_ingest_step(struct tp_input_run *in)
{
    if (in->ingest_ended)
        return;
    struct tp_meter *meter = &in->run->meter;
    uint64_t mark_ns = tp_meter_mark(meter);
    tp_starved_lower(&in->wake, TP_STARVED_OF_MEMORY);
    tp_starved_lower(&in->wake, TP_STARVED_OF_PAGES);
    tp_pipe_end_step(in);
    refuse_late(in);
    bool ended = advance(in);
    // Memory may have come back between the refusal and the flag, so try again. A strand that
    // gives memory back from now on sees the flag and posts this one.
    if (!ended && raise_flags(in))
        ended = advance(in);
    if (ended)
        end_ingest(in);
    tp_meter_add(meter, &meter->scan_cpu_ns, mark_ns);
}
