#include "pipeline/order/pending.h"

#include "base/alloc.h"
#include "base/check.h"
#include "pipeline/core/reread.h"
#include "pipeline/core/run.h"
#include "pipeline/order/speculate.h"

#define TABLE_BATCHES_MAX (1 << 20)
// Limits of the windows of cursors over a generation that is not in memory. All windows together
// take at most WINDOWS_BYTES and at most 1/WINDOWS_SHARE of all memory, because several generations
// have windows at once; but no window is below TP_CURSOR_WINDOW_MIN_BYTES, so very many cursors
// take more. One window takes at most WINDOW_MAX_BYTES.
#define WINDOWS_BYTES TP_MIB(4)
#define WINDOWS_SHARE 64
#define WINDOW_MAX_BYTES TP_KIB(64)

struct tp_pending *tp_pending_create(struct tp_input_run *in)
{
    struct tp_pending *h = tp_alloc_zero(sizeof *h);
    if (h == NULL)
        return NULL;
    h->in = in;
    h->store.pool = &in->run->memory.pages;
    h->store.is_in_file = tp_reread_has_stream(in);
    if (h->store.is_in_file)
        atomic_fetch_add_explicit(&in->run->order_load.in_file_count, 1, memory_order_seq_cst);
    tp_generation_init(&h->lists, TP_BATCH_LISTS_MAX_BYTES);
    return h;
}

// Idle pages are given back to the machine while the `grown` account exceeds 1/IDLE_PAGES_SHARE of
// all memory; otherwise they are kept for the next generation.
#define IDLE_PAGES_SHARE 4

static void give_pages(struct tp_run *run, struct tp_page *list)
{
    tp_page_pool_give(&run->memory.pages, list);
    if (tp_account_passes(&run->memory.grown, IDLE_PAGES_SHARE))
        tp_page_pool_trim(&run->memory.pages);
}

void tp_pending_destroy(struct tp_pending *h)
{
    if (h == NULL)
        return;
    tp_speculation_destroy(h->speculation);
    tp_v1_trace_fini(&h->prepared.v1);
    tp_account_set(&h->in->run->memory.grown, &h->share, 0);
    tp_tables_release(h->prepared.tables);
    give_pages(h->in->run, h->store.event_pages);
    give_pages(h->in->run, h->store.table_pages);
    give_pages(h->in->run, h->prepared.decoded_pages);
    tp_free(h->prepared.decoded);
    tp_generation_fini(&h->lists);
    tp_free(h->store.table_batches.items);
    tp_spill_fini(&h->store.spill);
    if (h->store.is_in_file)
        atomic_fetch_sub_explicit(&h->in->run->order_load.in_file_count, 1, memory_order_seq_cst);
    tp_free(h);
}

static uint32_t minor_of(const struct tp_pending *h)
{
    return h->in->info.format.minor;
}

// HOLDING

static bool needs_page(const struct tp_page *newest, size_t len_bytes)
{
    return newest == NULL || TP_PAGE_ROOM - newest->used_bytes < len_bytes;
}

// Returns the newest page of the list, or a new page if the newest one lacks the room. NULL: no
// page may be taken.
static struct tp_page *page_for(struct tp_pending *h, struct tp_page **list, size_t len_bytes,
                                size_t keep_count)
{
    struct tp_page *page = *list;
    if (!needs_page(page, len_bytes))
        return page;
    page = tp_page_pool_try_take(h->store.pool, keep_count);
    if (page != NULL) {
        page->next = *list;
        *list = page;
    }
    return page;
}

// Takes room in a page of page_for. NULL: no page may be taken.
static unsigned char *make_room(struct tp_pending *h, struct tp_page **list, size_t len_bytes,
                                size_t keep_count)
{
    struct tp_page *page = page_for(h, list, len_bytes, keep_count);
    if (page == NULL)
        return NULL;
    unsigned char *room = page->bytes + page->used_bytes;
    page->used_bytes += len_bytes;
    return room;
}

static unsigned char *store(struct tp_pending *h, struct tp_page **list, struct tp_span bytes,
                            size_t keep_count)
{
    unsigned char *to = make_room(h, list, bytes.len_bytes, keep_count);
    if (to != NULL && bytes.len_bytes > 0)
        memcpy(to, bytes.ptr, bytes.len_bytes);
    return to;
}

// Returns the status after a step that returned `rc`.
static enum tp_hold_status status_of(int rc)
{
    return rc == 0 ? TP_HOLD_OK : TP_HOLD_FAILED;
}

static enum tp_hold_status hold_events(struct tp_pending *h, const struct tp_extent *x,
                                       const struct tp_cut *cut,
                                       const struct tp_hold_limits *limits, struct tp_error *err)
{
    struct tp_span body = tp_span_skip(cut->bytes, x->header_bytes);
    unsigned char *held = NULL;
    uint64_t load_offset = x->offset + x->header_bytes;
    if (!h->store.is_in_file) {
        held = store(h, &h->store.event_pages, body, limits->keep_for_events);
        if (held == NULL && !limits->may_spill)
            return TP_HOLD_WAIT;
        if (held == NULL && tp_spill_append(&h->store.spill, body, &load_offset, err) != 0)
            return TP_HOLD_FAILED;
    }
    if (tp_generation_add(&h->lists, x, cut->bytes, minor_of(h), err) != 0)
        return TP_HOLD_FAILED;
    if (h->lists.last_batch != NULL) {
        h->lists.last_batch->body = held;
        h->lists.last_batch->load_offset = load_offset;
    }
    return status_of(
        tp_generation_mark(&h->lists, x->offset, cut->marks->offsets, cut->marks->count, err));
}

static enum tp_hold_status hold_table(struct tp_pending *h, const struct tp_extent *x,
                                      const struct tp_cut *cut, const struct tp_hold_limits *limits,
                                      struct tp_error *err)
{
    struct tp_span bytes = cut->bytes;
    size_t body_bytes = x->len_bytes - x->header_bytes;
    bool is_unread = bytes.len_bytes < x->len_bytes;
    if (TP_CHECK(!is_unread || h->store.is_in_file, err) != 0)
        return TP_HOLD_FAILED;
    if (h->store.table_batches.count == TABLE_BATCHES_MAX)
        return status_of(tp_fail(err, TP_E_TOO_LARGE, "generation %llu has too many tables",
                                 (unsigned long long)h->lists.number));
    if (!TP_LIST_ROOM(&h->store.table_batches))
        return status_of(tp_fail(err, TP_E_MEMORY, "out of memory for the tables of a generation"));
    if (needs_page(h->store.table_pages, body_bytes) &&
        h->store.table_page_count == limits->table_pages_max)
        return status_of(
            tp_fail(err, TP_E_LIMIT, "the tables of generation %llu do not fit into %llu KiB",
                    (unsigned long long)x->generation,
                    (unsigned long long)(limits->table_pages_max * TP_PAGE_BYTES >> 10)));
    const struct tp_page *before = h->store.table_pages;
    unsigned char *body =
        is_unread ? make_room(h, &h->store.table_pages, body_bytes, limits->keep_for_tables)
                  : store(h, &h->store.table_pages, tp_span_skip(bytes, x->header_bytes),
                          limits->keep_for_tables);
    // If the limit on pages is not reached, the machine had no memory for the page.
    if (body == NULL && limits->may_spill && !tp_page_pool_is_spent(h->store.pool))
        return status_of(tp_fail(err, TP_E_MEMORY, "out of memory for the tables of a generation"));
    if (body == NULL)
        return TP_HOLD_WAIT;
    h->store.table_page_count += h->store.table_pages != before;
    if (tp_generation_add(&h->lists, x, cut->bytes, minor_of(h), err) != 0)
        return TP_HOLD_FAILED;
    h->store.table_batches.items[h->store.table_batches.count++] = (struct tp_table_batch){
        .extent = *x,
        .experiment = x->batch_kind == TP_BATCH_EXPERIMENTAL ? bytes.ptr[1] : 0,
        .is_unread = is_unread,
        .body = body,
    };
    return TP_HOLD_OK;
}

enum tp_hold_status tp_pending_add(struct tp_pending *h, const struct tp_cut *cut,
                                   const struct tp_hold_limits *limits, struct tp_error *err)
{
    const struct tp_extent *x = cut->extent;
    struct tp_span bytes = cut->bytes;
    if (x->kind != TP_EXTENT_BATCH)
        return status_of(tp_generation_add(&h->lists, x, cut->bytes, minor_of(h), err));
    struct tp_extent batch = *x;
    // A header that is an event is stored too: later events are relative to its values.
    if (h->in->info.format.decoder->header_is_event)
        batch.header_bytes = 0;
    // Go's full reader takes a batch of experiment 0 for an ordinary batch, whose kind its body
    // shows.
    else if (batch.batch_kind == TP_BATCH_EXPERIMENTAL && bytes.ptr[1] == 0)
        batch.batch_kind =
            (uint8_t)tp_batch_kind_of(minor_of(h), tp_span_skip(bytes, x->header_bytes));
    enum tp_hold_status st = batch.batch_kind == TP_BATCH_EVENTS
                                 ? hold_events(h, &batch, cut, limits, err)
                                 : hold_table(h, &batch, cut, limits, err);
    if (st == TP_HOLD_OK)
        h->store.stored_bytes += x->len_bytes - x->header_bytes;
    return st;
}

// PREPARING

// The pages that a generation's tables refer to; given back when the tables are freed.
struct table_pages {
    struct tp_run *run;
    struct tp_page *list;
};

static void give_table_pages(struct tp_tables *t, void *ctx)
{
    struct table_pages *p = ctx;
    (void)t;
    struct tp_run *run = p->run;
    give_pages(run, p->list);
    tp_free(p);
    tp_wake_for_pages(run);
}

// Reads a body into memory. Runs on the worker that parses the body next and not on the ingest
// strand, which may run on another core.
static int read_body(void *ctx, struct tp_table_batch *b, struct tp_error *err)
{
    const struct tp_pending *h = ctx;
    struct tp_span body = tp_table_batch_body(b);
    int rc = tp_reread_file_read(&h->in->reread, b->extent.offset + b->extent.header_bytes, b->body,
                                 body.len_bytes, err);
    b->is_unread = rc != 0;
    return rc;
}

struct tp_order_source tp_pending_source(struct tp_pending *h)
{
    const struct tp_run *run = h->in->run;
    return (struct tp_order_source){
        .lists = &h->lists,
        .loader = &h->loader,
        .table_batches = h->store.table_batches.items,
        .table_batch_count = h->store.table_batches.count,
        .read_body = read_body,
        .ctx = h,
        .frequency = h->found.frequency,
        .drop_error = &h->found.drop_error,
        .tables = h->prepared.tables,
        .v1 = &h->prepared.v1,
        .salvaged = &h->prepared.salvaged,
        .max_bytes = run->memory.plan.order_state_bytes,
        .is_strict = h->in->run->settings.strict,
        .must_be_sound =
            h->in->run->settings.strict || run->settings.salvage == TP_SALVAGE_GENERATION,
        .symbols = run->symbols,
        .decoded = h->prepared.decoded,
    };
}

static int try_build(struct tp_pending *h, bool is_partial, struct tp_error *err)
{
    struct tp_tables *t =
        tp_tables_create(h->lists.number, minor_of(h), h->in->run->memory.plan.order_state_bytes);
    if (t == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for tables");
    t->is_partial = is_partial;
    struct tp_order_source source = tp_pending_source(h);
    source.tables = t;
    int rc = h->in->orderer->prepare(&source, err);
    if (rc != 0) {
        h->prepared.is_go_end = t->is_go_eof;
        tp_tables_release(t);
        return rc;
    }
    h->prepared.tables = t;
    return 0;
}

static int load(struct tp_batch_loader *loader, const struct tp_batch_ref *ref,
                uint32_t skip_bytes, unsigned char *to, uint32_t len_bytes, struct tp_error *err)
{
    struct tp_pending *h =
        (struct tp_pending *)((char *)loader - offsetof(struct tp_pending, loader));
    uint64_t offset = ref->load_offset + skip_bytes;
    return h->store.is_in_file ? tp_reread_file_read(&h->in->reread, offset, to, len_bytes, err)
                               : tp_spill_read(&h->store.spill, offset, to, len_bytes, err);
}

void tp_pending_set_windows(struct tp_pending *h)
{
    size_t ms = h->lists.ms.count > 0 ? h->lists.ms.count : 1;
    uint64_t share_bytes = h->in->run->memory.plan.limit_bytes / WINDOWS_SHARE;
    size_t each_bytes = (size_t)(share_bytes < WINDOWS_BYTES ? share_bytes : WINDOWS_BYTES) / ms;
    if (each_bytes > WINDOW_MAX_BYTES)
        each_bytes = WINDOW_MAX_BYTES;
    if (each_bytes < TP_CURSOR_WINDOW_MIN_BYTES)
        each_bytes = TP_CURSOR_WINDOW_MIN_BYTES;
    h->loader.window_bytes = (uint32_t)each_bytes;
    h->loader.load = load;
}

void tp_pending_prepare(struct tp_pending *h)
{
    struct tp_error err;
    bool is_all_or_nothing = h->in->orderer->is_all_or_nothing;
    bool may_be_partial = !h->in->run->settings.strict && !is_all_or_nothing;
    int rc = try_build(h, may_be_partial && !h->found.is_whole, &err);
    if (tp_error_may_be_salvaged(rc) && may_be_partial) {
        h->prepared.salvaged = err;
        rc = try_build(h, true, &err);
    }
    struct table_pages *pages = rc == 0 ? tp_alloc(sizeof *pages) : NULL;
    if (rc == 0 && pages == NULL) {
        rc = tp_fail(&err, TP_E_MEMORY, "out of memory for tables");
        tp_tables_release(h->prepared.tables);
        h->prepared.tables = NULL;
    }
    if (rc != 0) {
        h->prepared.error = err;
        h->prepared.is_refused = h->in->run->settings.strict && !is_all_or_nothing &&
                                 (rc == TP_E_EVENT || rc == TP_E_ORDER);
        return;
    }
    *pages = (struct table_pages){h->in->run, h->store.table_pages};
    h->store.table_pages = NULL;
    h->prepared.tables->on_free = give_table_pages;
    h->prepared.tables->ctx = pages;
}

// DECODING AHEAD

// Smallest number of events of a part: the end of a page stays unused if it has room for fewer.
#define PART_EVENTS_LEAST 64

// Returns room for a part at the end of the newest page, or in a new page, and how many events fit.
// NULL: no page may be taken.
static struct tp_decoded_part *open_part(struct tp_pending *h, size_t keep_count,
                                         size_t *ret_capacity)
{
    const size_t head_bytes = sizeof(struct tp_decoded_part);
    const size_t each_bytes = sizeof(struct tp_run_event);
    struct tp_page *page = page_for(h, &h->prepared.decoded_pages,
                                    head_bytes + PART_EVENTS_LEAST * each_bytes, keep_count);
    if (page == NULL)
        return NULL;
    *ret_capacity = (TP_PAGE_ROOM - page->used_bytes - head_bytes) / each_bytes;
    return (struct tp_decoded_part *)(void *)(page->bytes + page->used_bytes);
}

static void close_part(struct tp_pending *h, struct tp_decoded_part *part, size_t count)
{
    part->next = NULL;
    part->event_count = count;
    h->prepared.decoded_pages->used_bytes += sizeof *part + count * sizeof part->events[0];
}

// Decodes the events of one thread ahead. False: no page is left, and the remaining events are
// decoded when they are put in order.
static bool decode_run(struct tp_pending *h, const struct tp_m_run *run, size_t keep_count,
                       struct tp_decoded_run *ret_decoded)
{
    struct tp_decoded_part *first = NULL, *last = NULL, *part = NULL;
    struct tp_cursor c;
    size_t capacity = 0, count = 0;
    tp_cursor_init(&c, run);
    do {
        part = open_part(h, keep_count, &capacity);
        if (part == NULL)
            break;
        count = tp_cursor_decode(&c, h->prepared.tables, &h->loader, part->events, capacity);
        if (count == 0)
            break;
        close_part(h, part, count);
        if (first == NULL)
            first = part;
        else
            last->next = part;
        last = part;
    } while (count == capacity);
    *ret_decoded = tp_cursor_decoded(&c, first);
    tp_cursor_fini(&c);
    return part != NULL;
}

void tp_pending_decode(struct tp_pending *h, size_t keep_count)
{
    const struct tp_generation *g = &h->lists;
    // Spilled events are decoded only when they are put in order, so that the spill is read once.
    if (h->prepared.tables == NULL || !g->has_lists || h->store.spill.len_bytes > 0)
        return;
    h->prepared.decoded = tp_alloc_array(g->ms.count, sizeof *h->prepared.decoded);
    if (h->prepared.decoded == NULL)
        return;
    bool has_pages = true;
    for (size_t i = 0; i < g->ms.count; i++) {
        struct tp_cursor fresh;
        if (has_pages) {
            has_pages = decode_run(h, &g->ms.items[i], keep_count, &h->prepared.decoded[i]);
        } else {
            tp_cursor_init(&fresh, &g->ms.items[i]);
            h->prepared.decoded[i] = tp_cursor_decoded(&fresh, NULL);
        }
    }
}
