// Collects the batches of one generation: which M wrote which batches, when the generation begins,
// and its clock. The caller adds the extents of the scan in stream order. A generation is whole as
// soon as the next generation begins, its end mark is found, or the input ends. Ordering uses the
// lists of batches; statistics use the other members, the figures.
//
// Belongs to one strand. The lists take at most `list_max_bytes`, and the marks (see the member
// `marks`) at most a quarter of that in addition. If the lists of a generation would need more, the
// generation keeps its figures and loses its lists.
#ifndef TP_MERGE_TABLES_GENERATION_H
#define TP_MERGE_TABLES_GENERATION_H

#include "base/err.h"
#include "base/index.h"
#include "base/list.h"
#include "base/span.h"
#include "base/time/wall.h"
#include "decode/scan_v2.h"

// A batch of events. Its body is in memory, or must be loaded (see struct tp_batch_loader).
struct tp_batch_ref {
    const unsigned char *body; // borrowed until the order is done; NULL: not in memory
    uint64_t load_offset;     // of the body in the loader's store, if `body` is NULL
    uint64_t offset;       // of the batch header in the stream
    uint32_t header_bytes;
    uint32_t body_bytes;
    // The batch time from the header, in clock units; the events' times are deltas to it.
    uint64_t time_ticks;
};

// Begin times of a generation's batches, from their headers; batches without a time do not count.
struct tp_batch_times {
    uint64_t batch_count;
    uint64_t latest_ticks;  // latest of all batches, those of tables included
    uint64_t second_ticks;  // the second latest
    bool latest_is_events;  // the latest batch is one of events
    uint64_t event_batch_count;
    uint64_t first_events_ticks;
    uint64_t last_events_ticks;
    uint64_t closed_ticks;  // of the last batch of stacks, if it comes after all events; else 0
    uint64_t back_ticks;    // maximum by which a batch begins before an earlier one of its thread
};

// The batches of events of one M, in file order. Owned by the generation.
struct tp_m_run {
    uint64_t m;            // thread id; 2^64-1 for left-over events and for tables
    uint64_t last_ticks;   // batch time of its latest batch
    TP_LIST(struct tp_batch_ref) batches;
};

// Returns the size of the run's largest batch body in bytes.
uint32_t tp_m_run_largest_bytes(const struct tp_m_run *run);

// One moment on three clocks. A snapshot and the frequency together convert clock units to times of
// day.
struct tp_clock_snapshot {
    uint64_t trace_ticks;  // batch time + dt
    uint64_t mono_ns;      // the system's monotonic clock
    uint64_t wall_sec;     // Unix time
    uint64_t wall_nsec;
};

// The open generation. Owns its lists, runs and marks, which reset keeps for the next generation
// and fini frees.
struct tp_generation {
    uint64_t number;       // 0: none open
    uint64_t begin_offset; // of its first batch
    uint64_t end_offset;   // after its last byte
    uint64_t batch_count;
    uint64_t batch_bytes;
    uint64_t begin_ticks;  // least batch time; 0 counts as unset (Go does so)
    // Time at which the runtime began to write the stacks, if they follow all events. The runtime
    // writes them after every thread has handed over its buffers, so no event is later. 0: unknown.
    uint64_t end_ticks;
    struct tp_batch_times times;
    bool has_lists;        // false: too many batches to list; the Ms are still known
    bool complete;         // nothing was lost at its beginning or inside it
    bool has_frequency;
    bool has_clock;
    uint64_t frequency;    // clock units per second
    struct tp_clock_snapshot clock;
    TP_LIST(struct tp_m_run) ms;     // Ms of event batches, in order of their first batch
    size_t list_max_bytes;           // limit of the memory of the lists
    size_t list_room_bytes;          // of list_max_bytes: not taken yet
    struct tp_batch_ref *last_batch; // batch that the last add listed; NULL: it listed none
    // Batches at or after this stream offset have no marks, because there would be too many marks,
    // or the marks would be too far from the beginning of the stream (see tp_generation_mark).
    uint64_t unmarked_offset;
    // Before Go 1.22: stream offsets of the events that the scan marks (decode/scan_v1.h), rising.
    TP_LIST(uint32_t) marks;
    // The members from here on are for generation.c only.
    uint64_t last_ticks;   // greatest batch time so far
    struct tp_index index; // of `ms` by thread id
    bool has_end_mark;
    bool after_loss;       // bytes were lost since the last batch or end mark
};

// Finds the time of day when the trace's clock is at `ns`. False: the snapshot is not one of the
// years 1970 to 9999.
bool tp_clock_wall_at(const struct tp_clock_snapshot *c, uint64_t frequency, int64_t ns,
                      struct tp_wall *ret_wall);

// The beginning of a trace on its two clocks. A plain value.
struct tp_beginning {
    int64_t ns;    // time of its first event, in ns of the trace
    bool has_wall; // the trace knows the time of day, and the next member is set
    struct tp_wall wall;
};

// Returns the beginning of a trace, from its first generation; `frequency` is in clock units per
// second. NULL: a trace from before Go 1.22, which begins at 0.
struct tp_beginning tp_beginning_of(const struct tp_generation *first, uint64_t frequency);

// Fills the error for a generation whose list of batches would exceed list_max_bytes. Returns
// TP_E_TOO_LARGE.
int tp_generation_refuse_batches(const struct tp_generation *g, struct tp_error *err);

// Initializes the struct without an open generation; allocates nothing.
void tp_generation_init(struct tp_generation *g, size_t list_max_bytes);
// Frees everything.
void tp_generation_fini(struct tp_generation *g);

// Returns the memory of the lists in bytes.
TP_INLINE size_t tp_generation_list_bytes(const struct tp_generation *g)
{
    return g->list_max_bytes - g->list_room_bytes;
}

// Returns whether the extent belongs to a later generation than the open one, which means that the
// open generation is whole.
bool tp_generation_is_closed_by(const struct tp_generation *g, const struct tp_extent *x);

// Adds an extent to the open generation; the first batch opens it. `bytes` are the extent's bytes,
// used only during the call. If the call has set last_batch, `body` of that batch is NULL
// afterwards, and the caller sets `body` or load_offset. Sync batches are decoded here: the first
// frequency and the first snapshot of a generation count. Fails with TP_E_TOO_LARGE if
// list_max_bytes do not suffice to list the Ms, or with TP_E_MEMORY; then the batch counts in the
// figures, but is not listed.
int tp_generation_add(struct tp_generation *g, const struct tp_extent *x, struct tp_span bytes,
                      uint32_t minor, struct tp_error *err) TP_MUST_USE;

// Adds the marks of a batch (offsets of some of its events, see struct tp_scan_marks), relative
// to `offset`, at which the batch begins. Call after the batch was added. All marks together
// may take a quarter of list_max_bytes, in addition to the lists of batches, and must lie in
// the first 4 GiB of the stream; if they do not, sets unmarked_offset, which is no error. Fails
// with TP_E_MEMORY, and sets unmarked_offset then, too.
int tp_generation_mark(struct tp_generation *g, uint64_t offset, const uint16_t *marks,
                       size_t count, struct tp_error *err) TP_MUST_USE;

// Empties the struct for the next generation. Keeps the memory.
void tp_generation_reset(struct tp_generation *g);

// Converts clock units to nanoseconds as Go does: truncates units * (1.0 / (frequency / 1e9)),
// computed in doubles. Frequency 0, and products outside of int64, give INT64_MIN as on amd64.
int64_t tp_ticks_to_ns(uint64_t ticks, uint64_t frequency);

#endif
