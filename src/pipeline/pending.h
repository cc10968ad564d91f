// A generation on its way to be ordered: its batches of events, which stay in the file they
// come from if that can be read again, or are held in pages or spilled; and its tables. Filled
// by the ingest strand of an input, prepared (tables built) by any worker, used up by the order
// strand.
#ifndef TP_PIPELINE_PENDING_H
#define TP_PIPELINE_PENDING_H

#include <stdatomic.h>

#include "base/account.h"
#include "base/pool.h"
#include "base/spill/spill.h"
#include "merge/order/cursor.h"
#include "merge/tables/tables.h"
#include "merge/v1/trace.h"
#include "pipeline/budget.h"
#include "pipeline/page_pool.h"

struct tp_input_run;
struct tp_speculation;

// A batch that is not of events.
struct tp_table_batch {
    struct tp_extent extent;
    uint8_t experiment;
    bool is_unread;      // it is still in the origin, which only stacks are
    unsigned char *body; // in a page; or room for it there
};

static inline struct tp_span tp_table_batch_body(const struct tp_table_batch *b)
{
    return tp_span_of(b->body, b->extent.len_bytes - b->extent.header_bytes);
}

// Where the clock units per second of a generation come from.
enum tp_clock_source {
    TP_CLOCK_OWN,
    TP_CLOCK_BEFORE, // the generation before it
    TP_CLOCK_GIVEN,  // the user
    TP_CLOCK_USUAL,  // nobody: what most Go programs have
};

struct tp_pending {
    struct tp_task task;          // first: prepare
    struct tp_input_run *in;
    struct tp_page_pool *pool;
    struct tp_generation lists;
    struct tp_page *event_pages;
    size_t table_page_count;
    struct tp_page *table_pages;  // go on to `tables` when these are made
    struct tp_table_batch *table_batches;
    size_t table_batch_count;
    size_t table_batch_capacity;
    struct tp_spill spill;
    bool is_in_origin;            // events stay in the file (reread_file.h), and stacks for a while
    struct tp_batch_loader loader; // of what is not in pages; once set_windows was called
    uint64_t stored_bytes;        // of all bodies

    bool is_strict;               // what Go refuses is an error
    // With is_strict: Go's reader gives the generation up for this, unless its
    // tables give it a reason before. Code 0: it does not.
    struct tp_error doom;
    bool is_whole;                // nothing of it is missing, as far as the scan can tell
    bool after_loss;              // something before it is
    bool is_last;                 // of the input; the scan cannot tell if it was cut
    uint64_t idx;                 // of the input's generations, from 0
    uint64_t put_idx;             // of those handed to the order strand, from 0
    bool starts_in_middle;        // order strand: the first of a window
    bool is_begun;                // order strand: its first event was handed out
    enum tp_clock_source clock_source;
    uint64_t frequency;           // to be used if its own is missing

    struct tp_decoded_run *decoded; // one for each of lists.ms; NULL: all lazy
    struct tp_page *decoded_pages;
    struct tp_speculation *speculation; // owned; NULL: there is none (see speculate.h)
    uint64_t block_count;         // order strand: handed out or folded

    bool is_old;                  // a whole trace from before Go 1.22
    struct tp_v1_trace old;       // what is known of it; once ready

    struct tp_tables *tables;     // valid once ready; NULL: `error`
    struct tp_account_share share; // of the run's `grown`: lists and tables; of whoever has them
    struct tp_error error;
    bool is_refused;              // `error` is Go's
    bool is_go_end;               // but Go takes it for the end of the trace
    struct tp_error salvaged;     // what Go says of tables that are used all the same
    _Atomic bool is_ready;
};

enum tp_hold_status {
    TP_HOLD_OK,
    TP_HOLD_WAIT,   // for pages; try again with the same extent
    TP_HOLD_FAILED, // the error says why
};

// Who may take how many of the pool's pages: the least that must be left.
struct tp_hold_limits {
    size_t keep_for_events;
    size_t keep_for_tables;
    bool may_spill;       // no page will come back to write events to, so do not wait
    // Tables cannot be spilled. What one generation may have of them does not depend on
    // who else holds pages: so much is always left to the oldest input.
    size_t table_pages_max;
};

struct tp_pending *tp_pending_create(struct tp_input_run *in, struct tp_page_pool *pool,
                                     size_t list_max_bytes);
// Gives the pages back. NULL is fine.
void tp_pending_destroy(struct tp_pending *h);

// Takes an extent; `bytes` are copied, or read again later. Of what is in its origin they may end
// behind the first of the body. Of an older trace it is the extent that its scan gave last, whose
// marks are taken, too.
enum tp_hold_status tp_pending_add(struct tp_pending *h, const struct tp_extent *x,
                                   struct tp_span bytes, uint32_t minor,
                                   const struct tp_hold_limits *limits, struct tp_error *err);

// Once nothing is added, before cursors are opened: sizes their windows.
void tp_pending_set_windows(struct tp_pending *h);

// Builds the tables; sets everything but is_ready. `max_bytes` bounds them.
void tp_pending_prepare(struct tp_pending *h, uint32_t minor, size_t max_bytes);
// Then: decodes events before they are ordered, as far as pages beyond `keep_count`
// reach.
void tp_pending_decode(struct tp_pending *h, size_t keep_count);

#endif
