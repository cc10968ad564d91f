// The packets of a block, which any worker makes, and what must be written before them.
#ifndef TP_SINK_PERFETTO_UNIT_H
#define TP_SINK_PERFETTO_UNIT_H

#include "base/buf.h"
#include "merge/tables/block.h"
#include "merge/track/facts.h"
#include "sink/perfetto/track.h"
#include "sink/span_filter.h"

// Values of the option `tracks`.
enum tp_perfetto_tracks { TP_PERFETTO_ALL, TP_PERFETTO_ONLY_PROCS, TP_PERFETTO_ONLY_GOROUTINES };

struct tp_perfetto_config {
    struct tp_span_filter filter; // first
    int tracks; // enum tp_perfetto_tracks
    bool args;
    bool callstacks;
    bool compress;
};
// Whether goroutines are selected; then there are no flows, and of Ps only the runs of these goroutines.
TP_INLINE bool tp_perfetto_selects(const struct tp_perfetto_config *c)
{
    return c->filter.goroutine != -1 || c->filter.task != 0 || c->filter.function[0] != '\0';
}
TP_INLINE bool tp_perfetto_shows_goroutines(const struct tp_perfetto_config *c)
{
    return c->tracks != TP_PERFETTO_ONLY_PROCS;
}
TP_INLINE bool tp_perfetto_shows_procs(const struct tp_perfetto_config *c)
{
    return c->tracks != TP_PERFETTO_ONLY_GOROUTINES;
}

// What must be written before the packets that refer to it, or needs texts, which workers do not write.
// X(NEED)      id                   other      ref
//   NAME       iid                             text of the trace (merge/track/facts.h)
//   STACK      reference of the stack          the same
//   STACK_TEXT the same, for an argument       the same
//   TRACK      uuid of a track      the id in its name
//   USED       a goroutine whose track has something, and is described when the goroutine ends
//   REGIONS    uuid of a track      goroutine or task to which it belongs. It may be described again in
//              each unit: to know which are would take memory for each region
//   LIFE                                       index of the interval of a goroutine
//   EVENT      stack of a sample               index of an event: a log message or CPU sample
#define TP_PERFETTO_NEEDS(X)                                                             \
    X(NAME) X(STACK) X(STACK_TEXT) X(TRACK) X(USED) X(REGIONS) X(LIFE) X(EVENT)
enum tp_perfetto_need_kind {
#define TP_X(need) TP_PERFETTO_NEEDS_##need,
    TP_PERFETTO_NEEDS(TP_X)
#undef TP_X
    TP_PERFETTO_NEED_KINDS
};
struct tp_perfetto_need {
    uint64_t id;
    int64_t other;
    uint32_t ref;
    uint8_t kind; // enum tp_perfetto_need_kind
};

#define TP_PERFETTO_NEEDS_MAX 1024
#define TP_PERFETTO_RECENT 512

// The state of a unit. Zeroed is the beginning of a block.
struct tp_perfetto_unit {
    size_t next;         // item of the block that comes next: first spans, then intervals, then others
    bool is_done;        // all items are done
    uint64_t all_bytes;  // of the packets of the block so far, before compression
    uint64_t proc_bytes; // of these, those that tracks=ps has, too
    uint64_t omitted_count; // items before the time 0, which the format cannot have
    uint32_t need_count;
    struct tp_perfetto_need needs[TP_PERFETTO_NEEDS_MAX];
    // Cache: numbers in `needs`. A number may be out of date, so what it finds is compared.
    uint16_t recent[TP_PERFETTO_RECENT + TP_PERFETTO_NEED_KINDS];
};

// Puts the packets of the next items of a block into `buf`, which is empty, as many as fit, and their needs
// into the unit. At least one item fits: `buf` has TP_PERFETTO_ITEM_MAX_BYTES or more. Any thread.
void tp_perfetto_encode(const struct tp_perfetto_config *c, const struct tp_block *b,
                        struct tp_perfetto_unit *u, struct tp_buf *buf);
#define TP_PERFETTO_ITEM_MAX_BYTES 4096

#endif
