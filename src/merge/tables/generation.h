// Collects the batches of one generation: which M wrote which batches, when the
// generation begins, its clock. The caller adds the extents of the scan in stream order;
// a generation is whole when the next one begins, its end mark comes, or the
// input ends. Ordering works on the lists of batches; statistics on the figures.
//
// Belongs to one strand. Memory is bounded by `list_max_bytes` for the lists and a quarter of that
// for marks; a generation whose lists would need more keeps its figures and loses its lists.
#ifndef TP_MERGE_TABLES_GENERATION_H
#define TP_MERGE_TABLES_GENERATION_H

#include "base/err.h"
#include "base/index.h"
#include "base/list.h"
#include "base/span.h"
#include "decode/scan_v2.h"

struct tp_batch_ref {
    const unsigned char *body; // borrowed, held for ordering; NULL: not in memory
    uint64_t load_offset;     // if NULL: of the body, in the owner's store
    uint64_t offset;       // of the batch header in the stream
    uint32_t header_bytes;
    uint32_t body_bytes;
    uint64_t time_ticks;
};

// Begin times of batches, from their headers; batches without a time are left out.
struct tp_batch_times {
    uint64_t batch_count;
    uint64_t latest_ticks;  // latest of all batches, tables too
    uint64_t second_ticks;  // the second latest
    bool latest_is_events;  // the latest one is a batch of events
    uint64_t event_batch_count;
    uint64_t first_events_ticks;
    uint64_t last_events_ticks;
    uint64_t closed_ticks;  // of its last batch of stacks, if behind all events; else 0
    uint64_t back_ticks;    // most by which a batch begins before an earlier one of its thread
};

// The batches of one M, in file order.
struct tp_m_run {
    uint64_t m;            // thread id; 2^64-1 for left-overs and tables
    uint64_t last_ticks;   // of its latest batch
    struct tp_batch_ref *batches;
    size_t batch_count;
    size_t batch_capacity;
};

// Size of the largest batch body, in bytes.
uint32_t tp_m_run_largest_bytes(const struct tp_m_run *run);

struct tp_clock_snapshot {
    uint64_t trace_ticks;  // batch time + dt
    uint64_t mono_ns;      // the system's monotonic clock
    uint64_t wall_sec;     // Unix time
    uint64_t wall_nsec;
};

struct tp_generation {
    uint64_t number;       // 0: none open
    uint64_t begin_offset; // of its first batch
    uint64_t end_offset;   // behind its last byte
    uint64_t batch_count;
    uint64_t batch_bytes;
    uint64_t begin_ticks;  // least batch time; 0 counts as unset (Go does so)
    // When the runtime began to write the stacks, if they follow all events: it does so once every
    // thread has handed over its buffers, so no event is later. 0: unknown.
    uint64_t end_ticks;
    struct tp_batch_times times;
    bool has_lists;        // false: too many batches to list; the Ms are known all the same
    bool complete;         // nothing was lost at its begin or inside it
    bool has_frequency;
    bool has_clock;
    uint64_t frequency;    // clock units per second
    struct tp_clock_snapshot clock;
    struct tp_m_run *ms;   // Ms of event batches, in order of their first batch
    size_t m_count;
    size_t m_capacity;
    size_t list_bytes;     // memory of the lists
    size_t list_max_bytes;
    struct tp_batch_ref *last_batch; // that the last add listed; NULL: it listed none
    // Before Go 1.22: stream offsets of the events that the scan marks (decode/scan_v1.h), rising.
    // Batches from `unmarked_offset` on have no marks, because those would be too many or too far
    // from the beginning (see tp_generation_mark).
    uint64_t unmarked_offset;
    TP_LIST(uint32_t) marks;
    // For generation.c only.
    uint64_t last_ticks;   // greatest batch time so far
    struct tp_index index; // of `ms` by thread id
    bool has_end_mark;
    bool after_loss;       // something was lost since the last batch or end mark
};

void tp_generation_init(struct tp_generation *g, size_t list_max_bytes);
void tp_generation_fini(struct tp_generation *g);

// Whether the extent belongs to a later generation than the open one, so that
// the open one is whole.
bool tp_generation_is_closed_by(const struct tp_generation *g, const struct tp_extent *x);

// Adds an extent of the open generation, opening it with its first batch;
// `bytes` are those of the extent. Sync batches are decoded here: the first
// frequency and snapshot of a generation count. TP_E_TOO_LARGE for more Ms than
// list_max_bytes can name, TP_E_MEMORY.
int tp_generation_add(struct tp_generation *g, const struct tp_extent *x, struct tp_span bytes,
                      uint32_t minor, struct tp_error *err) TP_MUST_USE;

// Call after the add of a batch that begins at `offset`: adds its marks, relative to `offset`. All
// marks together may take a quarter of list_max_bytes, in addition to it, and must lie in the
// first 4 GiB of the stream. TP_E_MEMORY.
int tp_generation_mark(struct tp_generation *g, uint64_t offset, const uint16_t *marks,
                       size_t count, struct tp_error *err) TP_MUST_USE;

// Empties it for the next one; keeps memory.
void tp_generation_reset(struct tp_generation *g);

// Clock units to nanoseconds, as Go converts them: truncation of
// units * (1.0 / (frequency / 1e9)) in doubles. 0 frequency and products outside
// int64 give INT64_MIN as on amd64.
int64_t tp_ticks_to_ns(uint64_t ticks, uint64_t frequency);

#endif
