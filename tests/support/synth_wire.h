// Writes batches: one buffer for each thread, filled with timed events and
// given away when full, and the buffers of the tables. Knows the framing and
// the clock of each thread, nothing of what events mean.
//
// Times and a fault of Go's reader. When the thread with the lowest time has to
// wait for another, the reader sorts all threads by time and tries them but for
// the first, assuming that this is still the one that has to wait. Its sort is
// not stable above 12 elements, so of two equal times the wrong one may be
// skipped, and a correct trace is refused. In crowded traces, therefore, an event
// that may have to wait never has the time of another thread's event: see
// next_ticks.
#ifndef TP_SUPPORT_SYNTH_WIRE_H
#define TP_SUPPORT_SYNTH_WIRE_H

#include "decode/spec.h"
#include "synth_damage.h"
#include "synth_rand.h"

#define SYNTH_NO_ID UINT64_MAX // thread or processor "none"
// Header of a batch at its longest: code, experiment, gen, m, time, size.
#define SYNTH_HEADER_BYTES 42
#define SYNTH_BODY_BYTES (65504 - SYNTH_HEADER_BYTES)

// The body of one batch under construction.
struct synth_batch {
    unsigned char *body; // SYNTH_BODY_BYTES
    size_t len_bytes;
    size_t counted_bytes; // of these, what gen_bytes has already
    uint64_t m;          // thread id
    uint64_t skew_ticks; // what this thread's clock is ahead
    uint64_t start_ticks;
    uint64_t last_ticks; // time of the last event, of earlier batches too
    uint64_t reader_ns;  // the same as readers will compute it
    uint64_t residue;    // of its times modulo synth_wire.stride
    bool open;
};

struct synth_wire {
    const struct synth_config *config;
    struct synth_damage damage;
    struct synth_totals *totals;
    struct synth_rand rand; // for the shape of the file only
    uint64_t gen;
    uint64_t now_ticks;     // time of the latest event of all threads
    uint64_t gen_bytes;     // of this generation, events of open batches included
    uint64_t gen_events;
    uint64_t last_m;        // writer of the latest event
    double factor;          // clock units to nanoseconds, as readers round it
    uint64_t reader_ns;     // latest time of an event in a reader's eyes
    bool crowded;           // enough threads for Go's reader to trip over ties
    uint64_t stride;        // distance of the times of a thread; 1: no rule
    unsigned char unit[SYNTH_UNIT_BYTES];
};

int synth_wire_init(struct synth_wire *w, const struct synth_config *config, synth_write_fn write,
                    void *ctx, struct synth_totals *totals, struct tp_error *err) TP_MUST_USE;
void synth_wire_fini(struct synth_wire *w);
int synth_batch_init(struct synth_batch *b, uint64_t m, uint64_t skew_ticks,
                     struct tp_error *err) TP_MUST_USE;
void synth_batch_fini(struct synth_batch *b);

void synth_wire_header(struct synth_wire *w);
// Frequency and, where the version has it, the snapshot of clocks.
void synth_wire_sync(struct synth_wire *w);
void synth_wire_end_mark(struct synth_wire *w);

// Appends a timed event; args[0] is overwritten with the difference of time.
void synth_wire_event(struct synth_wire *w, struct synth_batch *b, enum tp_event_type type,
                      uint64_t *args, size_t arg_count);

// Table batches: begin puts the mark, room makes a new batch when less than
// `len_bytes` is left.
void synth_wire_table_room(struct synth_wire *w, struct synth_batch *b, enum tp_event_type mark,
                           size_t len_bytes);
void synth_wire_code(struct synth_wire *w, struct synth_batch *b, enum tp_event_type type);
void synth_wire_number(struct synth_batch *b, uint64_t value);
void synth_wire_bytes(struct synth_batch *b, const void *bytes, size_t len_bytes);

// Gives the batch away, if it is open.
void synth_wire_flush(struct synth_wire *w, struct synth_batch *b);
// Same, as data of experiment `experiment`.
void synth_wire_flush_experiment(struct synth_wire *w, struct synth_batch *b, unsigned experiment);

#endif
