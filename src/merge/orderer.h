// How the events of an input are put in order, as rows of functions: one row for each model of
// events that a run can show of a format, chosen once per input. The caller collects batches to
// generations and asks the row; it never asks which format it has.
//
//   any worker     prepare(source) ─▶ tables, prep
//   order strand   begin(state, source) ─ fill(state) until END ─ begin(...) ...
//
// Inside a block nothing goes through the row.
#ifndef TP_MERGE_ORDERER_H
#define TP_MERGE_ORDERER_H

#include "decode/decoder.h"
#include "merge/order/sequence.h"
#include "merge/v1/legacy_events.h"

// A batch that is not of events.
struct tp_table_batch {
    struct tp_extent extent;
    uint8_t experiment;
    bool is_unread;      // the body is still to be read, by tp_order_source.read_body
    unsigned char *body; // not filled yet if is_unread
};

TP_INLINE struct tp_span tp_table_batch_body(const struct tp_table_batch *b)
{
    return tp_span_of(b->body, b->extent.len_bytes - b->extent.header_bytes);
}

// What `prepare` finds and `begin` uses; zeroed at first. It lasts as long as the generation.
struct tp_order_prep {
    // With `symbols`, where frames are only PCs: the number of PCs, and of those that `symbols`
    // has.
    uint64_t pc_count;
    uint64_t known_pc_count;
    struct tp_v1_trace v1; // of the orderers of v1
};

void tp_order_prep_fini(struct tp_order_prep *p); // zeroed is fine

// A collected generation and how it is to be put in order. All is borrowed.
struct tp_order_source {
    const struct tp_generation *lists;
    struct tp_batch_loader *loader;
    struct tp_table_batch *table_batches; // in file order
    size_t table_batch_count;
    // Reads the body of a batch that is_unread, on the thread that parses it next.
    int (*read_body)(void *ctx, struct tp_table_batch *b, struct tp_error *err);
    void *ctx;
    uint64_t frequency; // clock units per second, for tables that lack it; 0: not known
    // For which Go's reader drops the generation, unless an error in its tables comes first;
    // code 0: none.
    const struct tp_error *doom;
    struct tp_tables *tables; // made by the caller; `prepare` fills them
    struct tp_order_prep *prep;
    struct tp_error *salvaged;  // errors in tables that are used all the same
    uint64_t max_bytes;         // of what each walk over the generation keeps
    bool is_strict;             // what Go refuses is an error
    bool must_be_sound;         // no event is handed out unless all can be put in order
    struct tp_symbols *symbols; // of the program; NULL: none
    // For begin only:
    enum tp_repair repair;
    const struct tp_decoded_run *decoded;
};

// The order of one input. Belongs to one thread at a time.
struct tp_order_state {
    struct tp_sequencer sequencer; // also of older traces: it makes the last Sync
    struct tp_v1_sequence v1;
    struct tp_legacy_events legacy;
};

struct tp_orderer {
    // The input is one generation, and Go shows nothing of a trace with an error: an error before
    // the first event ends the input, and the tables are whole or useless.
    bool is_all_or_nothing;
    bool runs_ahead; // a generation can be decoded and ordered before its turn (speculation.h)
    bool has_sync;   // a Sync event follows the last generation

    // Fills the tables. Any worker. Fails with TP_E_EVENT, TP_E_ORDER, TP_E_LIMIT,
    // TP_E_TOO_LARGE, TP_E_MEMORY, or as read_body does.
    int (*prepare)(const struct tp_order_source *source, struct tp_error *err);
    // Opens a generation whose `prepare` succeeded. Fails as `prepare` does.
    int (*begin)(struct tp_order_state *s, const struct tp_order_source *source,
                 struct tp_error *err);
    // As tp_sequencer_fill; `events` has room for `capacity` events of the run's model. Sets
    // sequencer.unknown_id_count.
    enum tp_fill_status (*fill)(struct tp_order_state *s, void *events, size_t capacity,
                                size_t *ret_count, struct tp_error *err);
    // Bytes of the open generation whose events were not handed out.
    uint64_t (*left_bytes)(const struct tp_order_state *s);
};

// NULL: a run with this model does not put events of this format in order.
const struct tp_orderer *tp_orderer_of(const struct tp_format *f, enum tp_event_model model);

// The struct of a model's events, for code that only moves them and looks at their times.
struct tp_event_layout {
    size_t event_bytes;
    size_t time_offset_bytes; // of time_ns, an int64_t
};

extern const struct tp_event_layout tp_event_layouts[TP_MODELS];

// Frees what fills of an open generation keep, but not the sequencer; fine if none is open.
void tp_order_state_end_walk(struct tp_order_state *s);

#endif
