// A pending generation: its batches of events and its tables. The batches stay in a reread file,
// or are copied to pages or to a spill. The ingest strand of the input fills it, any worker
// prepares it (builds its tables), the order strand consumes it.
#ifndef TP_PIPELINE_ORDER_PENDING_H
#define TP_PIPELINE_ORDER_PENDING_H

#include <stdatomic.h>

#include "base/account.h"
#include "base/list.h"
#include "base/pool.h"
#include "base/spill/spill.h"
#include "merge/orderer.h"
#include "pipeline/core/run.h"
#include "pipeline/order/cut.h"

struct tp_speculation;

// Where the batches of a generation are. The bodies of its events: in pages, in a spill, or still
// in the input's file.
struct tp_pending_store {
    struct tp_page_pool *pool;
    struct tp_page *event_pages;
    struct tp_page *table_pages;  // the tables own them once they are built
    size_t table_page_count;
    struct tp_spill spill;
    bool is_in_file;              // events stay in the reread file; stacks, too, until prepared
    uint64_t stored_bytes;        // of all bodies
    TP_LIST(struct tp_table_batch) table_batches;
};

// How the generation came. Ingest strand, until it is put.
struct tp_pending_found {
    bool is_whole;                // nothing of it is missing, as far as the scan can tell
    bool after_loss;              // something before it is missing
    bool is_last;                 // of the input; the scan cannot tell whether its end is missing
    // With strict: the error for which Go's reader drops the generation, unless an error in its
    // tables comes first. Code 0: Go's reader does not drop it.
    struct tp_error drop_error;
    enum tp_clock_source clock_source;
    uint64_t frequency;           // clock units per second, from clock_source
    uint64_t idx;                 // among the input's generations, from 0
    uint64_t put_idx;             // among those handed to the order strand, from 0
};

// What the worker that prepares it makes; settled once is_ready.
struct tp_pending_prepared {
    struct tp_tables *tables;     // NULL: `error` says why
    struct tp_error error;
    bool is_refused;              // `error` is one that Go's reader reports
    bool is_go_end;               // Go's reader takes `error` for the end of the trace
    struct tp_error salvaged;     // error in the tables, which are used all the same; code 0: none
    struct tp_order_prep prep;
    struct tp_decoded_run *decoded; // one for each of lists.ms; NULL: none is decoded ahead
    struct tp_page *decoded_pages;
};

// How far the order strand has come with it.
struct tp_pending_order {
    bool starts_in_middle;        // it is the first of a window
    bool is_begun;                // its first event was handed out
    uint64_t block_count;         // handed out or folded
};

struct tp_pending {
    struct tp_task task;          // first: prepare
    struct tp_input_run *in;
    struct tp_generation lists;
    struct tp_pending_store store;
    struct tp_pending_found found;
    struct tp_batch_loader loader; // reads bodies not in pages; valid after set_windows
    struct tp_pending_prepared prepared;
    struct tp_speculation *speculation; // owned; NULL: there is none (see speculate.h)
    struct tp_pending_order order;
    struct tp_account_share share; // of lists and tables in the run's `grown`; the owner sets it
    _Atomic bool is_ready;
};

// How many of the pool's pages must be left to others when one is taken.
struct tp_hold_limits {
    size_t keep_for_events;
    size_t keep_for_tables;
    bool may_spill;       // no page will be given back: spill events instead of waiting
    // Most table pages of one generation; tables cannot be spilled. The limit does not depend
    // on the pages that other inputs use: so many are always left to the oldest input.
    size_t table_pages_max;
};

// The caller owns it. NULL: out of memory.
struct tp_pending *tp_pending_create(struct tp_input_run *in);
// Gives the pages back. NULL is fine.
void tp_pending_destroy(struct tp_pending *h);

// Adds an extent. Its bytes are copied; with is_in_file they are read again later, and may end
// after the first byte of the body.
enum tp_hold_status tp_pending_add(struct tp_pending *h, const struct tp_cut *cut,
                                   const struct tp_hold_limits *limits, struct tp_error *err);

// Call after the last add and before cursors are opened: sets the size of their windows.
void tp_pending_set_windows(struct tp_pending *h);

// Builds the tables; a failure is in h->prepared.error. The caller sets is_ready.
void tp_pending_prepare(struct tp_pending *h);
// What the orderer needs; the caller sets `tables` before prepare, and `repair` before begin.
struct tp_order_source tp_pending_source(struct tp_pending *h);
// After tp_pending_prepare: decodes events ahead of ordering, into pages of the pool as long as
// `keep_count` are left; the other events stay lazy.
void tp_pending_decode(struct tp_pending *h, size_t keep_count);

#endif
