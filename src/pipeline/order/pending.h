// Defines a pending generation: its batches of events and its tables. The batches stay in a reread
// file, or are copied to pages or to a spill. The ingest strand of the input fills the generation,
// any worker prepares it (builds its tables), the order strand consumes it; never two of them at a
// time.
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

// Where the batches of a generation are stored. Bodies of events are in pages, in a spill, or still
// in the input's file.
struct tp_pending_store {
    struct tp_page_pool *pool;
    struct tp_page *event_pages;
    struct tp_page *table_pages;  // owned by the tables once these are built
    size_t table_page_count;
    struct tp_spill spill;
    bool is_in_file;              // events stay in the reread file; stacks too, until prepared
    uint64_t stored_bytes;        // of all bodies, wherever they are
    TP_LIST(struct tp_table_batch) table_batches;
};

// Facts about the generation that the ingest strand found. Constant once the generation is put into
// the order queue.
struct tp_pending_found {
    bool is_whole;                // no part of it is missing, as far as the scan can tell
    bool after_loss;              // batches before it are missing
    bool is_last;                 // it is the input's last generation; the scan cannot tell whether
                                  // the generation's end is missing
    // With strict: the error for which Go's reader drops the generation, unless an error in its
    // tables comes first. Code 0: Go's reader does not drop it.
    struct tp_error drop_error;
    enum tp_clock_source clock_source;
    uint64_t frequency;           // clock units per second, from clock_source
    uint64_t idx;                 // among the input's generations, from 0
    uint64_t put_idx;             // among those handed to the order strand, from 0
};

// The result of the worker that prepares the generation. Constant once is_ready, and freed with the
// generation.
struct tp_pending_prepared {
    struct tp_tables *tables;     // NULL: `error` says why
    struct tp_error error;
    bool is_refused;              // `error` is one that Go's reader reports
    bool is_go_end;               // Go's reader takes `error` for the end of the trace
    struct tp_error salvaged;     // error in the tables, which are used all the same; code 0: none
    struct tp_v1_trace v1;        // before Go 1.22; else zeroed
    struct tp_decoded_run *decoded; // one for each of lists.ms; NULL: nothing is decoded ahead
    struct tp_page *decoded_pages;
};

// How far the order strand has come with the generation.
struct tp_pending_order {
    bool starts_in_middle;        // the generation is the first of a window
    bool is_begun;                // the orderer has begun with it
    uint64_t block_count;         // blocks folded
};

// A pending generation.
struct tp_pending {
    struct tp_task task;          // first member: cast back to h; prepares
    struct tp_input_run *in;
    struct tp_generation lists;
    struct tp_pending_store store;
    struct tp_pending_found found;
    struct tp_batch_loader loader; // reads bodies not in pages; see tp_pending_set_windows
    struct tp_pending_prepared prepared;
    struct tp_speculation *speculation; // owned; NULL: there is none (see speculate.h)
    struct tp_pending_order order;
    struct tp_account_share share; // of lists and tables in the run's account `grown`
    _Atomic bool is_ready;        // it is prepared: the order strand may take it
};

// Limits on the pages that a generation takes.
struct tp_hold_limits {
    size_t keep_for_events; // pages that must be left in the pool when one is taken for events
    size_t keep_for_tables; // the same when a page is taken for tables
    bool may_spill;         // no page will be given back: spill events instead of waiting
    // Largest number of table pages of one generation: tables cannot be spilled. The limit does not
    // depend on the pages that other inputs use: the oldest input can always get this many.
    size_t table_pages_max;
};

// Creates an empty generation, which the caller frees with tp_pending_destroy. NULL: out of memory.
struct tp_pending *tp_pending_create(struct tp_input_run *in);
// Frees the generation and its speculation, and gives its pages back. NULL is fine.
void tp_pending_destroy(struct tp_pending *h);

// Adds an extent and copies its bytes. If store.is_in_file is set, a body is read again later
// instead, and the caller may pass no more than the first byte of the body. TP_HOLD_WAIT: no page
// is free. TP_HOLD_FAILED: *err gives the reason, and the generation can only be destroyed.
enum tp_hold_status tp_pending_add(struct tp_pending *h, const struct tp_cut *cut,
                                   const struct tp_hold_limits *limits, struct tp_error *err);

// Sets the size of the windows of cursors: how many bytes of its thread a cursor holds in memory at
// a time. Call after the last add and before cursors are opened.
void tp_pending_set_windows(struct tp_pending *h);

// Builds the tables, on any worker; a failure goes to h->prepared.error. The caller sets is_ready.
void tp_pending_prepare(struct tp_pending *h);
// Returns the arguments of the orderer, borrowed from `h`; the caller sets `tables` before it calls
// the orderer's hook `prepare`, and `repair` before the hook `begin`.
struct tp_order_source tp_pending_source(struct tp_pending *h);
// Decodes events ahead of ordering, into pages of the pool, as long as more than `keep_count` pages
// are left; the remaining events are decoded when they are put in order. Call after
// tp_pending_prepare.
void tp_pending_decode(struct tp_pending *h, size_t keep_count);

#endif
