#include "base/sort/sorter.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/check.h"
#include "base/sort/gosort.h"

#define ROOM_STEP_BYTES TP_MIB(1)
#define WINDOW_BYTES TP_KIB(32)
#define WRITE_BYTES TP_KIB(128)

// Stands before each item's bytes, in the buffer and in files. The bytes are padded to a multiple
// of 8.
struct head {
    struct tp_sorter_key key;
    uint64_t len_bytes;
};

// Place of an item in the buffer, with the first word of its key, which mostly decides a
// comparison.
struct place {
    uint64_t first_word;
    uint64_t offset;
};

// A source of a merge: a run, or the buffer.
struct tp_sorter_source {
    struct head head;            // of the current item
    const unsigned char *bytes;  // of the current item
    // If the source is the buffer: its sorted places that the merge has not taken yet.
    const struct place *place, *places_end;
    // If the source is a run: its part in memory, and its part that is still in the file.
    const struct tp_spill *file;
    unsigned char *window;
    size_t window_bytes;
    size_t at, filled;
    uint64_t offset, left_bytes;
};

static size_t padded(uint64_t len_bytes)
{
    return ((size_t)len_bytes + 7) & ~(size_t)7;
}

static size_t item_bytes(const struct head *h)
{
    return sizeof *h + padded(h->len_bytes);
}

static struct place *places_of(const struct tp_sorter *s)
{
    return (struct place *)(void *)(s->buf.ptr + s->buf.max_bytes) - s->place_count;
}

static int compare_keys(const struct tp_sorter_key *a, const struct tp_sorter_key *b)
{
    for (size_t i = 0; i < TP_SORTER_KEY_WORDS; i++) {
        if (a->words[i] != b->words[i])
            return a->words[i] < b->words[i] ? -1 : 1;
    }
    return 0;
}

static const struct head *head_at(const struct tp_sorter *s, uint64_t offset)
{
    return (const struct head *)(const void *)(s->buf.ptr + offset);
}

static int compare_places(const void *a, const void *b, void *ctx)
{
    const struct place *x = a, *y = b;
    const struct tp_sorter *s = ctx;
    if (x->first_word != y->first_word)
        return x->first_word < y->first_word ? -1 : 1;
    return compare_keys(&head_at(s, x->offset)->key, &head_at(s, y->offset)->key);
}

int tp_sorter_init(struct tp_sorter *s, const struct tp_sorter_memory *memory,
                   struct tp_error *err)
{
    size_t most_bytes = memory->most_bytes;
    assert(most_bytes >= TP_SORTER_LEAST_BYTES && most_bytes % sizeof(struct place) == 0);
    *s = (struct tp_sorter){.memory = *memory};
    if (!tp_buf_init(&s->buf, most_bytes))
        return tp_fail(err, TP_E_MEMORY, "out of memory for sorting");
    s->allowed_bytes = memory->room_used_bytes == NULL ? most_bytes : TP_SORTER_LEAST_BYTES;
    return 0;
}

static void free_sources(struct tp_sorter *s)
{
    for (size_t i = 0; i < s->source_count; i++)
        tp_free(s->sources[i].window);
    tp_free(s->sources);
    s->sources = NULL;
    s->source_count = 0;
}

void tp_sorter_fini(struct tp_sorter *s)
{
    free_sources(s);
    for (size_t i = 0; i < TP_SORTER_LEVELS; i++)
        tp_spill_fini(&s->levels[i].file);
    if (s->taken_bytes > 0)
        atomic_fetch_sub_explicit(s->memory.room_used_bytes, s->taken_bytes,
                                  memory_order_relaxed);
    tp_buf_fini(&s->buf);
    *s = (struct tp_sorter){0};
}

// RUNS

// Gathers the bytes of a run and writes them in large pieces.
struct run_writer {
    struct tp_spill *file;
    struct tp_sorter_run run;
    unsigned char *bytes;
    size_t len_bytes;
};

static int flush(struct run_writer *w, struct tp_error *err)
{
    uint64_t offset;
    if (w->len_bytes == 0)
        return 0;
    int rc = tp_spill_append(w->file, tp_span_of(w->bytes, w->len_bytes), &offset, err);
    w->run.len_bytes += w->len_bytes;
    w->len_bytes = 0;
    return rc;
}

static int write_bytes(struct run_writer *w, const void *bytes, size_t len_bytes,
                       struct tp_error *err)
{
    const unsigned char *from = bytes;
    while (len_bytes > 0) {
        size_t room_bytes = WRITE_BYTES - w->len_bytes;
        size_t part_bytes = len_bytes < room_bytes ? len_bytes : room_bytes;
        memcpy(w->bytes + w->len_bytes, from, part_bytes);
        w->len_bytes += part_bytes;
        from += part_bytes;
        len_bytes -= part_bytes;
        int rc = w->len_bytes == WRITE_BYTES ? flush(w, err) : 0;
        if (rc != 0)
            return rc;
    }
    return 0;
}

// Begins a run at the end of the level's file.
static int begin_run(struct run_writer *w, struct tp_sorter_level *level, struct tp_error *err)
{
    *w = (struct run_writer){.file = &level->file, .run.offset = level->file.len_bytes};
    w->bytes = tp_alloc(WRITE_BYTES);
    return w->bytes != NULL ? 0 : tp_fail(err, TP_E_MEMORY, "out of memory for writing sorted records");
}

// Completes the run. `rc` is the result of the writes so far; returned if not 0.
static int end_run(struct run_writer *w, struct tp_sorter_level *level, int rc,
                   struct tp_error *err)
{
    if (rc == 0)
        rc = flush(w, err);
    if (rc == 0)
        level->runs[level->run_count++] = w->run;
    tp_free(w->bytes);
    return rc;
}

static void sort_places(struct tp_sorter *s)
{
    tp_gosort(places_of(s), s->place_count, sizeof(struct place), compare_places, s);
}

static int write_buffer(struct tp_sorter *s, struct tp_error *err)
{
    struct run_writer w;
    int rc = begin_run(&w, &s->levels[0], err);
    if (rc != 0)
        return rc;
    sort_places(s);
    const struct place *places = places_of(s);
    for (size_t i = 0; i < s->place_count && rc == 0; i++) {
        const struct head *h = head_at(s, places[i].offset);
        rc = write_bytes(&w, h, item_bytes(h), err);
    }
    tp_buf_reset(&s->buf);
    s->place_count = 0;
    return end_run(&w, &s->levels[0], rc, err);
}

// SOURCES

// Reads more of the run, until src->window holds `wanted_bytes` bytes from src->at on.
static int fill_window(struct tp_sorter_source *src, size_t wanted_bytes, struct tp_error *err)
{
    size_t have_bytes = src->filled - src->at;
    if (have_bytes >= wanted_bytes)
        return 0;
    if (wanted_bytes > src->window_bytes) {
        size_t grown_bytes = wanted_bytes > WINDOW_BYTES ? wanted_bytes : WINDOW_BYTES;
        unsigned char *grown = tp_realloc(src->window, grown_bytes);
        if (grown == NULL)
            return tp_fail(err, TP_E_MEMORY, "out of memory for merging sorted records");
        src->window = grown;
        src->window_bytes = grown_bytes;
    }
    memmove(src->window, src->window + src->at, have_bytes);
    size_t room_bytes = src->window_bytes - have_bytes;
    size_t read_bytes = src->left_bytes < room_bytes ? (size_t)src->left_bytes : room_bytes;
    int rc = tp_spill_read(src->file, src->offset, src->window + have_bytes, read_bytes, err);
    src->at = 0;
    src->filled = have_bytes + read_bytes;
    src->offset += read_bytes;
    src->left_bytes -= read_bytes;
    return rc;
}

// Moves a source to its next item. *ret_has is false if there is none.
static int advance(const struct tp_sorter *s, struct tp_sorter_source *src, bool *ret_has,
                   struct tp_error *err)
{
    if (src->file == NULL) {
        *ret_has = src->place != src->places_end;
        if (*ret_has) {
            const struct head *h = head_at(s, src->place++->offset);
            src->head = *h;
            src->bytes = (const unsigned char *)(h + 1);
        }
        return 0;
    }
    *ret_has = src->filled > src->at || src->left_bytes > 0;
    if (!*ret_has)
        return 0;
    int rc = fill_window(src, sizeof src->head, err);
    if (rc != 0)
        return rc;
    memcpy(&src->head, src->window + src->at, sizeof src->head);
    rc = fill_window(src, item_bytes(&src->head), err);
    src->bytes = src->window + src->at + sizeof src->head;
    src->at += item_bytes(&src->head);
    return rc;
}

static bool goes_first(const void *ctx, const struct tp_sorter_source *a,
                       const struct tp_sorter_source *b)
{
    (void)ctx;
    return compare_keys(&a->head.key, &b->head.key) < 0;
}

// The sources of a merge are a heap: the first one has the next item.
#define HEAP_ITEM struct tp_sorter_source
#define HEAP_CTX const void
#include "base/sort/heap.def"

static int add_source(struct tp_sorter *s, struct tp_sorter_source src, struct tp_error *err)
{
    bool has;
    int rc = advance(s, &src, &has, err);
    if (rc != 0 || !has) {
        tp_free(src.window);
        return rc;
    }
    heap_push(NULL, s->sources, s->source_count++, &src);
    return 0;
}

static int open_sources(struct tp_sorter *s, size_t first_level, size_t end_level, bool with_buffer,
                        struct tp_error *err)
{
    size_t count = with_buffer ? 1 : 0;
    for (size_t l = first_level; l < end_level; l++)
        count += s->levels[l].run_count;
    s->has_item = false;
    s->sources = tp_alloc_array(count, sizeof *s->sources);
    if (s->sources == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for merging sorted records");
    int rc = 0;
    for (size_t l = first_level; l < end_level && rc == 0; l++) {
        const struct tp_sorter_level *level = &s->levels[l];
        for (size_t i = 0; i < level->run_count && rc == 0; i++)
            rc = add_source(s, (struct tp_sorter_source){.file = &level->file,
                                                         .offset = level->runs[i].offset,
                                                         .left_bytes = level->runs[i].len_bytes},
                            err);
    }
    if (rc == 0 && with_buffer)
        rc = add_source(s, (struct tp_sorter_source){.place = places_of(s),
                                                     .places_end = places_of(s) + s->place_count},
                        err);
    return rc;
}

int tp_sorter_next(struct tp_sorter *s, struct tp_sorter_item *ret_item, bool *ret_has,
                   struct tp_error *err)
{
    if (s->has_item) {
        bool has;
        int rc = advance(s, &s->sources[0], &has, err);
        if (rc != 0)
            return rc;
        if (!has) {
            tp_free(s->sources[0].window);
            s->sources[0] = s->sources[--s->source_count];
        }
        struct tp_sorter_source moved = s->sources[0];
        heap_replace_first(NULL, s->sources, s->source_count, &moved);
    }
    s->has_item = *ret_has = s->source_count > 0;
    if (*ret_has) {
        const struct tp_sorter_source *src = &s->sources[0];
        *ret_item = (struct tp_sorter_item){src->head.key,
                                            tp_span_of(src->bytes, (size_t)src->head.len_bytes)};
    }
    return 0;
}

// Merges all runs of a level to one run of the next level, and drops the level's file.
static int merge_level(struct tp_sorter *s, size_t l, struct tp_error *err)
{
    struct tp_sorter_level *next = &s->levels[l + 1];
    struct tp_sorter_item item;
    struct run_writer w;
    bool has = true;
    int rc = begin_run(&w, next, err);
    if (rc != 0)
        return rc;
    rc = open_sources(s, l, l + 1, false, err);
    // In the window of a run an item's head precedes its bytes, and its padding follows them.
    while (rc == 0 && (rc = tp_sorter_next(s, &item, &has, err)) == 0 && has)
        rc = write_bytes(&w, item.bytes.ptr - sizeof(struct head),
                         sizeof(struct head) + padded(item.bytes.len_bytes), err);
    free_sources(s);
    rc = end_run(&w, next, rc, err);
    if (rc == 0) {
        tp_spill_fini(&s->levels[l].file);
        s->levels[l].run_count = 0;
    }
    return rc;
}

static int spill(struct tp_sorter *s, struct tp_error *err)
{
    int rc = write_buffer(s, err);
    for (size_t l = 0; l + 1 < TP_SORTER_LEVELS && rc == 0; l++) {
        if (s->levels[l].run_count < TP_SORTER_RUNS)
            break;
        rc = merge_level(s, l, err);
    }
    if (rc == 0 && s->levels[TP_SORTER_LEVELS - 1].run_count == TP_SORTER_RUNS)
        rc = tp_fail(err, TP_E_TOO_LARGE, "too much to sort");
    return rc;
}

// ITEMS

// Returns whether `len_bytes` more fit into the buffer, taking memory from the budget if needed.
static bool has_room(struct tp_sorter *s, size_t len_bytes)
{
    size_t wanted = s->buf.len_bytes + s->place_count * sizeof(struct place) + len_bytes;
    while (wanted > s->allowed_bytes) {
        size_t step = s->buf.max_bytes - s->allowed_bytes;
        step = step < ROOM_STEP_BYTES ? step : ROOM_STEP_BYTES;
        if (step == 0)
            return false;
        _Atomic size_t *used = s->memory.room_used_bytes;
        size_t before = atomic_fetch_add_explicit(used, step, memory_order_relaxed);
        if (before + step > s->memory.room_bytes) {
            atomic_fetch_sub_explicit(used, step, memory_order_relaxed);
            return false;
        }
        s->taken_bytes += step;
        s->allowed_bytes += step;
    }
    return true;
}

int tp_sorter_put(struct tp_sorter *s, const struct tp_sorter_key *key,
                  const struct tp_span *parts, size_t part_count, struct tp_error *err)
{
    struct head h = {.key = *key};
    for (size_t i = 0; i < part_count; i++)
        h.len_bytes += parts[i].len_bytes;
    int rc = TP_CHECK(h.len_bytes <= TP_SORTER_ITEM_MAX_BYTES, err);
    if (rc == 0 && !has_room(s, item_bytes(&h) + sizeof(struct place)))
        rc = spill(s, err);
    if (rc != 0)
        return rc;
    struct place p = {key->words[0], s->buf.len_bytes};
    unsigned char *to = s->buf.ptr + s->buf.len_bytes;
    s->buf.len_bytes += item_bytes(&h);
    memset(s->buf.ptr + s->buf.len_bytes - 8, 0, 8);
    memcpy(to, &h, sizeof h);
    to += sizeof h;
    for (size_t i = 0; i < part_count; i++) {
        if (parts[i].len_bytes > 0)
            memcpy(to, parts[i].ptr, parts[i].len_bytes);
        to += parts[i].len_bytes;
    }
    s->place_count++;
    *places_of(s) = p;
    return 0;
}

int tp_sorter_sort(struct tp_sorter *s, struct tp_error *err)
{
    sort_places(s);
    return open_sources(s, 0, TP_SORTER_LEVELS, true, err);
}
