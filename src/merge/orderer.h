// Rows of functions that put the events of an input in order. There is a row for each format and
// each model of events in which a run can show that format; the row is chosen once for each input.
// The caller collects batches into generations and calls the row; the caller never tests the format
// itself.
//
//   any worker     prepare(source) ─▶ tables, v1
//   order strand   begin(state, source) ─ fill(state) until END ─ begin(...) ...
//
// `fill` is called once for each block, never for single events.
#ifndef TP_MERGE_ORDERER_H
#define TP_MERGE_ORDERER_H

#include "decode/decoder.h"
#include "merge/order/sequence.h"
#include "merge/v1/legacy_events.h"

// A batch of a generation's tables.
struct tp_table_batch {
    struct tp_extent extent;
    uint8_t experiment;  // id, of an experimental batch
    bool is_unread;      // `body` must still be filled, by tp_order_source.read_body
    unsigned char *body; // memory of the caller; must outlive the tables
};

// Returns the body's bytes, borrowed from the batch.
TP_INLINE struct tp_span tp_table_batch_body(const struct tp_table_batch *b)
{
    return tp_span_of(b->body, b->extent.len_bytes - b->extent.header_bytes);
}

// A collected generation, and the options with which it is put in order. The struct is needed only
// during a call. Everything to which it points must last until the generation is done.
struct tp_order_source {
    const struct tp_generation *lists;
    struct tp_batch_loader *loader;
    struct tp_table_batch *table_batches; // in file order
    size_t table_batch_count;
    // Reads the body of a batch that is_unread; runs on the thread that parses the body next.
    // Returns 0, or an error code after filling *err.
    int (*read_body)(void *ctx, struct tp_table_batch *b, struct tp_error *err);
    void *ctx;
    uint64_t frequency; // clock units per second, for tables that lack it; 0: not known
    // The error for which Go's reader drops the generation, unless an error in its tables comes
    // first; code 0: there is no such error.
    const struct tp_error *drop_error;
    struct tp_tables *tables; // created by the caller; `prepare` fills them
    // Results of `prepare` that `begin` uses, for traces from before Go 1.22. The caller zeroes the
    // struct before `prepare`, and calls tp_v1_trace_fini when the generation is done, also after a
    // failure.
    struct tp_v1_trace *v1;
    struct tp_error *salvaged;  // error in tables that are used in spite of it; code 0: none
    uint64_t max_bytes;         // limit of the memory of each walk over the generation
    bool is_strict;             // anything that Go refuses is an error
    bool must_be_sound;         // no event is handed out unless all can be put in order
    struct tp_symbols *symbols; // of the program; NULL: none
    // The members from here on are for `begin` only.
    enum tp_repair repair;
    const struct tp_decoded_run *decoded; // see tp_sequencer_begin
};

// The state of the order of one input. Belongs to one thread at a time. The caller zeroes the
// struct and calls tp_sequencer_init for `sequencer`; tp_order_state_end_walk and tp_sequencer_fini
// free the memory.
struct tp_order_state {
    struct tp_sequencer sequencer; // in all formats: it makes the last Sync
    struct tp_v1_sequence v1;
    struct tp_legacy_events legacy;
};

// The row of a format and a model of events. Constant; any thread.
struct tp_orderer {
    // The input is one generation, and Go shows no event of a trace with an error. So an error
    // before the first event ends the input, and the tables are either complete or unusable.
    bool is_all_or_nothing;
    bool runs_ahead; // generations can be put in order by speculation (speculation.h)
    bool has_sync;   // a Sync event follows the last generation

    // Fills the tables and `v1`. Runs on any worker, once for each generation. After a failure
    // the tables may be filled in part. Fails with TP_E_EVENT, TP_E_ORDER, TP_E_LIMIT,
    // TP_E_TOO_LARGE, TP_E_MEMORY; as read_body or the loader does; or with TP_E_WRITE or
    // TP_E_KERNEL if a spill cannot be written or read.
    int (*prepare)(const struct tp_order_source *source, struct tp_error *err);
    // Opens a generation whose `prepare` succeeded. Fails with the codes of `prepare`; `fill` must
    // not be called then.
    int (*begin)(struct tp_order_state *s, const struct tp_order_source *source,
                 struct tp_error *err);
    // Writes the next events, as tp_sequencer_fill does; `events` has room for TP_BLOCK_EVENTS
    // events of the run's model. The events are plain values, which refer to the tables by ids and
    // indices. Sets sequencer.unknown_id_count.
    enum tp_fill_status (*fill)(struct tp_order_state *s, void *events, size_t *ret_count,
                                struct tp_error *err);
};

// Returns the row of a format and an event model; rows are constants. NULL: events of this format
// are not put in order in a run with this model.
const struct tp_orderer *tp_orderer_of(const struct tp_format *f, enum tp_event_model model);

// Layout of the struct of a model's events, for code that only moves events and reads their times.
struct tp_event_layout {
    size_t event_bytes;
    size_t time_offset_bytes; // of time_ns, an int64_t
};

// Layouts by enum tp_event_model.
extern const struct tp_event_layout tp_event_layouts[TP_MODELS];

// Frees the memory that the fills of an open generation keep, except the memory of the sequencer.
// Call after END or BROKEN, and before the state is given up. Does nothing if no generation is
// open.
void tp_order_state_end_walk(struct tp_order_state *s);

// Returns by how many nanoseconds the order contradicts the times of the events that were not handed
// out (tp_v1_sequence_late_ns). 0: not at all, or no trace from before Go 1.22 is open.
double tp_order_state_late_ns(const struct tp_order_state *s);

// Returns the wire bytes of the open generation's events that were not handed out; 0 if no
// generation is open.
uint64_t tp_order_state_left_bytes(const struct tp_order_state *s);

#endif
