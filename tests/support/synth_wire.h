// Writes batches. Each thread has a buffer that is filled with timed events and written when
// full; the tables have buffers, too. Knows the framing and the clock of each thread, but not
// the meaning of events.
//
// Times avoid a fault of Go's reader. If the event with the lowest time must wait for another
// thread, the reader sorts all threads by time and tries all but the first, assuming that the
// first is still the one that must wait. Its sort is not stable above 12 elements, so with two
// equal times it may skip the wrong thread and refuse a correct trace. Therefore, in crowded
// traces, an event that may have to wait never has the time of another thread's event: see
// next_ticks.
#ifndef TP_SUPPORT_SYNTH_WIRE_H
#define TP_SUPPORT_SYNTH_WIRE_H

#include "decode/spec.h"
#include "synth_damage.h"
#include "synth_rand.h"

#define SYNTH_NO_ID UINT64_MAX // id of thread or processor "none"
// Longest header of a batch: code, experiment, gen, m, time, size.
#define SYNTH_HEADER_BYTES 42
#define SYNTH_BODY_BYTES (65504 - SYNTH_HEADER_BYTES)

// The body of one batch under construction.
struct synth_batch {
    unsigned char *body; // SYNTH_BODY_BYTES long
    size_t len_bytes;
    size_t counted_bytes; // bytes of the body that gen_bytes includes
    uint64_t m;          // thread id
    uint64_t skew_ticks; // how far this thread's clock is ahead
    uint64_t start_ticks;
    uint64_t last_ticks; // time of the thread's last event, in this or an earlier batch
    uint64_t reader_ns;  // last_ticks as readers will convert it
    uint64_t residue;    // of the thread's times modulo synth_wire.stride
    bool open;
};

struct synth_wire {
    const struct synth_config *config;
    struct synth_damage damage;
    struct synth_totals *totals;
    struct synth_rand rand; // only for the shape of the file
    uint64_t gen;
    uint64_t now_ticks;     // time of the latest event of all threads
    uint64_t gen_bytes;     // of this generation, including events of open batches
    uint64_t gen_events;
    uint64_t last_m;        // thread that wrote the latest event
    double factor;          // clock units to nanoseconds, as readers round it
    uint64_t reader_ns;     // latest time of an event as readers compute it
    bool crowded;           // there are enough threads for the fault of Go's reader
    uint64_t stride;        // times of a thread are equal modulo this; 1: no such rule
    unsigned char unit[SYNTH_UNIT_BYTES];
};

int synth_wire_init(struct synth_wire *w, const struct synth_config *config, synth_write_fn write,
                    void *ctx, struct synth_totals *totals, struct tp_error *err) TP_MUST_USE;
void synth_wire_fini(struct synth_wire *w);
int synth_batch_init(struct synth_batch *b, uint64_t m, uint64_t skew_ticks,
                     struct tp_error *err) TP_MUST_USE;
void synth_batch_fini(struct synth_batch *b);

void synth_wire_header(struct synth_wire *w);
// Writes the frequency and, if the version has it, the snapshot of clocks.
void synth_wire_sync(struct synth_wire *w);
void synth_wire_end_mark(struct synth_wire *w);

// Appends a timed event; overwrites args[0] with the time delta.
void synth_wire_event(struct synth_wire *w, struct synth_batch *b, enum tp_event_type type,
                      uint64_t *args, size_t arg_count);

// Table batches: a batch begins with its mark. synth_wire_table_room starts a new batch if
// less than `len_bytes` are left.
void synth_wire_table_room(struct synth_wire *w, struct synth_batch *b, enum tp_event_type mark,
                           size_t len_bytes);
void synth_wire_code(struct synth_wire *w, struct synth_batch *b, enum tp_event_type type);
void synth_wire_number(struct synth_batch *b, uint64_t value);
void synth_wire_bytes(struct synth_batch *b, const void *bytes, size_t len_bytes);

// Writes the batch, if it is open.
void synth_wire_flush(struct synth_wire *w, struct synth_batch *b);
// Writes the batch as synth_wire_flush does, but as data of experiment `experiment`.
void synth_wire_flush_experiment(struct synth_wire *w, struct synth_batch *b, unsigned experiment);

#endif
