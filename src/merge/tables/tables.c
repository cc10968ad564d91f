#include "merge/tables/tables.h"

#include "base/alloc.h"
#include "base/holds.h"
#include "base/check.h"
#include "base/sort/gosort.h"
#include "decode/spec.h"
#include "merge/tables/read.h"

// Number of experiment ids that Go's reader knows: 0, and 1, which is AllocFree.
#define KNOWN_EXPERIMENTS 2
// The first Go version (1.25) with a marker before the frequency and the clock snapshot.
#define FIRST_WITH_CLOCK 25

struct tp_tables *tp_tables_create(uint64_t generation, uint32_t minor, size_t max_bytes)
{
    struct tp_tables *t = tp_alloc_zero(sizeof *t);
    if (t == NULL)
        return NULL;
    t->generation = generation;
    t->minor = minor;
    if (!TP_LIST_ADD(&t->strings, tp_span_of("", 0))) {
        tp_free(t);
        return NULL;
    }
    // Empty tables take this much already, so a lower limit could not be kept.
    size_t empty_bytes = sizeof *t + t->strings.capacity * sizeof *t->strings.items;
    t->max_bytes = max_bytes > empty_bytes ? max_bytes : empty_bytes;
    t->room_bytes = t->max_bytes - empty_bytes;
    pthread_mutex_init(&t->resolve_mu, NULL);
    atomic_init(&t->is_resolved, false);
    atomic_init(&t->holds, 1);
    return t;
}

struct tp_own_bytes {
    struct tp_own_bytes *next;
    unsigned char bytes[];
};

unsigned char *tp_tables_own(struct tp_tables *t, size_t len_bytes, struct tp_error *err)
{
    size_t all_bytes = sizeof(struct tp_own_bytes) + len_bytes;
    if (!tp_tables_charge(t, all_bytes)) {
        (void)tp_tables_refuse(t, TP_E_LIMIT, err);
        return NULL;
    }
    struct tp_own_bytes *own = tp_alloc(all_bytes);
    if (own == NULL) {
        (void)tp_tables_refuse(t, TP_E_MEMORY, err);
        return NULL;
    }
    own->next = t->own;
    t->own = own;
    return own->bytes;
}

void tp_tables_hold(struct tp_tables *t)
{
    tp_hold(&t->holds);
}

void tp_tables_release(struct tp_tables *t)
{
    if (t == NULL || !tp_release_last(&t->holds))
        return;
    if (t->on_free != NULL)
        t->on_free(t, t->ctx);
    tp_idmap_fini(&t->string_ids);
    tp_idmap_fini(&t->stack_ids);
    tp_free(t->strings.items);
    while (t->own != NULL) {
        struct tp_own_bytes *next = t->own->next;
        tp_free(t->own);
        t->own = next;
    }
    tp_free(t->stacks.items);
    tp_free(t->samples.items);
    tp_free(t->experimental.items);
    tp_intern_fini(&t->messages);
    tp_carried_names_release(t->carried);
    tp_carried_states_release(t->carried_states);
    tp_free(t->frame_idx);
    tp_free(t->frames.items);
    tp_free(t->frame_text);
    tp_stack_texts_fini(&t->stack_texts);
    pthread_mutex_destroy(&t->resolve_mu);
    tp_free(t);
}

static int read_frequency(struct tp_table_reader *r)
{
    struct tp_tables *t = r->tables;
    uint64_t frequency = 0;
    if (t->has_frequency && !t->is_partial)
        return tp_fail(r->err, TP_E_EVENT, "found multiple frequency events");
    int rc = tp_table_take(r, &frequency);
    if (rc != 0 || t->has_frequency)
        return rc;
    t->has_frequency = true;
    t->frequency = frequency;
    t->ns_per_tick = 1.0 / ((double)frequency / 1e9);
    return 0;
}

static int read_clock(struct tp_table_reader *r, uint64_t *last_ticks)
{
    struct tp_tables *t = r->tables;
    if (t->has_clock && !t->is_partial)
        return tp_fail(r->err, TP_E_EVENT, "found multiple clock snapshot events");
    struct tp_clock_snapshot clock;
    uint64_t dt = 0;
    uint64_t *const fields[] = {&dt, &clock.mono_ns, &clock.wall_sec, &clock.wall_nsec};
    for (size_t i = 0; i < TP_ARRAY_LEN(fields); i++) {
        int rc = tp_table_take(r, fields[i]);
        if (rc != 0)
            return rc;
    }
    *last_ticks += dt;
    clock.trace_ticks = *last_ticks;
    if (!t->has_clock)
        t->clock = clock;
    t->has_clock = true;
    return 0;
}

static int read_sync(struct tp_table_reader *r, uint64_t batch_ticks)
{
    bool may_have_clock = r->tables->minor >= FIRST_WITH_CLOCK;
    uint64_t last_ticks = batch_ticks;
    if (may_have_clock)
        r->at++; // the marker
    while (r->at < r->end) {
        uint8_t code = *r->at++;
        int rc;
        if (code == TP_EV_Frequency)
            rc = read_frequency(r);
        else if (code == TP_EV_ClockSnapshot && may_have_clock)
            rc = read_clock(r, &last_ticks);
        else
            rc = tp_fail(r->err, TP_E_EVENT,
                         "expected frequency or clock snapshot event, got %u", code);
        if (rc != 0)
            return rc;
    }
    return 0;
}

static int add_experimental(struct tp_tables *t, const struct tp_extent *x, unsigned experiment,
                            struct tp_span body, struct tp_error *err)
{
    int rc = TP_TABLES_ROOM(t, &t->experimental, err);
    if (rc != 0)
        return rc;
    t->experimental.items[t->experimental.count++] = (struct tp_experimental_batch){
        .experiment = (uint8_t)experiment,
        .m = (int64_t)x->m,
        .data = {(const char *)body.ptr, body.len_bytes},
    };
    t->has_unknown_experiment |= experiment >= KNOWN_EXPERIMENTS;
    return 0;
}

static int add_batch(struct tp_tables *t, const struct tp_extent *x, unsigned experiment,
                     struct tp_span body, struct tp_error *err)
{
    if (x->batch_kind == TP_BATCH_EXPERIMENTAL)
        return add_experimental(t, x, experiment, body, err);
    // The scan has recognized the other kinds by the first byte of the body, so the body is not
    // empty.
    int rc = TP_CHECK(body.len_bytes > 0, err);
    if (rc != 0)
        return rc;
    struct tp_table_reader r = {body.ptr, body.ptr + body.len_bytes, t, err};
    if (x->batch_kind == TP_BATCH_SYNC)
        return read_sync(&r, x->time_ticks);
    r.at++;
    switch (x->batch_kind) {
    case TP_BATCH_STRINGS: return tp_tables_read_strings(&r);
    case TP_BATCH_STACKS: return tp_tables_read_stacks(&r);
    case TP_BATCH_SAMPLES: return tp_tables_read_samples(&r);
    default: return TP_CHECK(false, err);
    }
}

int tp_tables_add(struct tp_tables *t, const struct tp_extent *x, unsigned experiment,
                  struct tp_span body, struct tp_error *err)
{
    t->is_go_eof = false;
    if (!t->is_partial)
        return add_batch(t, x, experiment, body, err);
    struct tp_error why;
    int rc = add_batch(t, x, experiment, body, &why);
    if (rc == 0 || rc == TP_E_EVENT)
        return 0;
    if (err != NULL)
        *err = why;
    return rc;
}

static int compare_samples(const void *a, const void *b, void *ctx)
{
    (void)ctx;
    int64_t x = ((const struct tp_sample *)a)->time_ns;
    int64_t y = ((const struct tp_sample *)b)->time_ns;
    return (x > y) - (x < y);
}

static int check(const struct tp_tables *t, struct tp_error *err)
{
    if (!t->has_frequency)
        return tp_fail(err, TP_E_EVENT, "no frequency event found");
    if (t->minor >= FIRST_WITH_CLOCK && !t->has_clock)
        return tp_fail(err, TP_E_EVENT, "no clock snapshot event found");
    return tp_tables_check_frames(t, err);
}

void tp_tables_sort_samples(struct tp_tables *t)
{
    tp_gosort(t->samples.items, t->samples.count, sizeof *t->samples.items, compare_samples, NULL);
}

static uint64_t complete_ids(const struct tp_idmap *ids, uint64_t max_id)
{
    return ids->id_count == max_id ? max_id : 0;
}

void tp_tables_find_complete_ids(struct tp_tables *t)
{
    uint64_t max_stack_id = 0;
    for (size_t i = 0; i < t->stacks.count; i++)
        max_stack_id = t->stacks.items[i].id > max_stack_id ? t->stacks.items[i].id : max_stack_id;
    t->complete_stack_ids = complete_ids(&t->stack_ids, max_stack_id);
    t->complete_string_ids = complete_ids(&t->string_ids, t->max_string_id);
}

int tp_tables_finish(struct tp_tables *t, struct tp_error *err)
{
    tp_tables_find_complete_ids(t);
    int rc = t->is_partial ? 0 : check(t, err);
    if (rc != 0)
        return rc;
    for (size_t i = 0; i < t->samples.count; i++)
        t->samples.items[i].time_ns = tp_tables_ns(t, (uint64_t)t->samples.items[i].time_ns);
    tp_tables_sort_samples(t);
    return 0;
}
