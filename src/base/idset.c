#include "base/idset.h"

#include <string.h>

#include "base/alloc.h"

#define FIRST_PAGES 4

static uint64_t hash_of_page(const void *list, uint32_t page)
{
    return ((const struct tp_idset *)list)->pages.items[page].number;
}

static bool is_page(const void *list, uint32_t page, const void *key)
{
    return ((const struct tp_idset *)list)->pages.items[page].number == *(const uint64_t *)key;
}

void tp_idset_init(struct tp_idset *s, size_t max_bytes)
{
    *s = (struct tp_idset){.max_bytes = max_bytes};
}

void tp_idset_fini(struct tp_idset *s)
{
    tp_free(s->pages.items);
    tp_index_fini(&s->index);
    *s = (struct tp_idset){0};
}

static size_t pages_bytes(size_t page_count) { return page_count * sizeof(struct tp_idset_page); }

static int too_large(const struct tp_idset *s, struct tp_error *err)
{
    return tp_fail(err, TP_E_TOO_LARGE, "set of %llu ids does not fit into %zu bytes",
                   (unsigned long long)s->id_count, s->max_bytes);
}

static int no_memory(struct tp_error *err)
{
    return tp_fail(err, TP_E_MEMORY, "out of memory for a set of ids");
}

static int grow_index(struct tp_idset *s, struct tp_error *err)
{
    size_t index_bytes =
        tp_index_bytes(&s->index) + tp_index_growth_bytes(&s->index, s->pages.count);
    if (index_bytes > s->max_bytes || pages_bytes(s->pages.capacity) > s->max_bytes - index_bytes)
        return too_large(s, err);
    return tp_index_make_room(&s->index, s->pages.count, hash_of_page, s) ? 0 : no_memory(err);
}

static int grow_pages(struct tp_idset *s, struct tp_error *err)
{
    // Leave memory for the index of that many pages.
    size_t most = s->max_bytes / (sizeof(struct tp_idset_page) + 4 * sizeof(uint32_t));
    size_t capacity = s->pages.capacity == 0 ? FIRST_PAGES : 2 * (size_t)s->pages.capacity;
    if (capacity > most)
        capacity = most;
    if (capacity <= s->pages.capacity)
        return too_large(s, err);
    return tp_list_resize(&s->pages.as_list, capacity, sizeof *s->pages.items) ? 0 : no_memory(err);
}

// Adds the page `number`, which must be new, and makes it the page used last.
static int add_page(struct tp_idset *s, uint64_t number, struct tp_error *err)
{
    int code = s->pages.count == s->pages.capacity ? grow_pages(s, err) : 0;
    if (code == 0)
        code = grow_index(s, err);
    if (code != 0)
        return code;
    s->last_page = tp_index_put(&s->index, number, s->pages.count);
    s->pages.items[s->pages.count++] = (struct tp_idset_page){.number = number};
    return 0;
}

// Makes the page `number` the page used last; adds the page if it is new.
static int reach_page(struct tp_idset *s, uint64_t number, struct tp_error *err)
{
    // Mostly an id lies on the same page as the id before it.
    if (tp_likely(s->pages.count > 0 && s->pages.items[s->last_page].number == number))
        return 0;
    uint32_t page = tp_index_find(&s->index, number, s, is_page, &number);
    if (page == TP_INDEX_NONE)
        return add_page(s, number, err);
    s->last_page = page;
    return 0;
}

int tp_idset_add(struct tp_idset *s, uint64_t id, struct tp_error *err)
{
    int code = reach_page(s, id / TP_IDSET_PAGE_IDS, err);
    if (code != 0)
        return code;
    uint64_t *word = &s->pages.items[s->last_page].words[id % TP_IDSET_PAGE_IDS / 64];
    uint64_t bit = UINT64_C(1) << id % 64;
    s->id_count += (*word & bit) == 0;
    *word |= bit;
    return 0;
}


bool tp_idset_has(const struct tp_idset *s, uint64_t id)
{
    uint64_t number = id / TP_IDSET_PAGE_IDS;
    uint32_t page = tp_index_find(&s->index, number, s, is_page, &number);
    return page != TP_INDEX_NONE &&
           (s->pages.items[page].words[id % TP_IDSET_PAGE_IDS / 64] >> id % 64 & 1) != 0;
}

bool tp_idset_next(const struct tp_idset *s, struct tp_idset_at *at, uint64_t *ret_id)
{
    while (at->page < s->pages.count) {
        const struct tp_idset_page *page = &s->pages.items[at->page];
        uint64_t word = page->words[at->bit / 64] >> at->bit % 64;
        at->bit += word != 0 ? (uint32_t)__builtin_ctzll(word) : 64 - at->bit % 64;
        if (word != 0) {
            *ret_id = page->number * TP_IDSET_PAGE_IDS + at->bit;
            at->bit++;
        }
        if (at->bit == TP_IDSET_PAGE_IDS) {
            at->bit = 0;
            at->page++;
        }
        if (word != 0)
            return true;
    }
    return false;
}
