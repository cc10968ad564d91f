#include "base/idset.h"

#include <string.h>

#include "base/alloc.h"

#define FIRST_PAGES 4
#define FIRST_SLOTS 16

static size_t slot_of(const struct tp_idset *s, uint64_t number)
{
    // Page numbers are small and close together, or parts of addresses. The multiplication
    // spreads both over the high bits.
    uint64_t mixed = (number ^ number >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(mixed >> 32) & (s->slot_count - 1);
}

void tp_idset_init(struct tp_idset *s, size_t max_bytes)
{
    *s = (struct tp_idset){.max_bytes = max_bytes};
}

void tp_idset_fini(struct tp_idset *s)
{
    tp_free(s->pages);
    tp_free(s->slots);
    *s = (struct tp_idset){0};
}

static size_t pages_bytes(size_t page_count) { return page_count * sizeof(struct tp_idset_page); }

static int too_large(const struct tp_idset *s, struct tp_error *err)
{
    return tp_fail(err, TP_E_TOO_LARGE, "set of %llu ids does not fit into %zu bytes",
                   (unsigned long long)s->id_count, s->max_bytes);
}

static void link_page(struct tp_idset *s, uint32_t page_idx)
{
    size_t slot = slot_of(s, s->pages[page_idx].number);
    while (s->slots[slot] != 0)
        slot = (slot + 1) & (s->slot_count - 1);
    s->slots[slot] = page_idx + 1;
}

static int grow_slots(struct tp_idset *s, struct tp_error *err)
{
    size_t slot_count = s->slot_count == 0 ? FIRST_SLOTS : 2 * s->slot_count;
    size_t slots_bytes = slot_count * sizeof *s->slots;
    if (slots_bytes > s->max_bytes || pages_bytes(s->page_capacity) > s->max_bytes - slots_bytes)
        return too_large(s, err);
    uint32_t *slots = tp_alloc_zero(slots_bytes);
    if (slots == NULL)
        return tp_fail(err, TP_E_MEMORY, "no memory for a set of ids");
    tp_free(s->slots);
    s->slots = slots;
    s->slot_count = slot_count;
    for (uint32_t i = 0; i < s->page_count; i++)
        link_page(s, i);
    return 0;
}

static int grow_pages(struct tp_idset *s, struct tp_error *err)
{
    // Leave memory for the table that finds so many pages.
    size_t most = s->max_bytes / (sizeof(struct tp_idset_page) + 4 * sizeof *s->slots);
    size_t capacity = s->page_capacity == 0 ? FIRST_PAGES : 2 * (size_t)s->page_capacity;
    if (capacity > most)
        capacity = most;
    if (capacity > UINT32_MAX - 1)
        capacity = UINT32_MAX - 1;
    if (capacity <= s->page_capacity)
        return too_large(s, err);
    struct tp_idset_page *pages = tp_realloc(s->pages, pages_bytes(capacity));
    if (pages == NULL)
        return tp_fail(err, TP_E_MEMORY, "no memory for a set of ids");
    s->pages = pages;
    s->page_capacity = (uint32_t)capacity;
    return 0;
}

static struct tp_idset_page *find_page(struct tp_idset *s, uint64_t number)
{
    if (s->page_count == 0)
        return NULL;
    // Ids come in runs of neighbours.
    if (tp_likely(s->pages[s->last_page].number == number))
        return &s->pages[s->last_page];
    size_t slot = slot_of(s, number);
    for (; s->slots[slot] != 0; slot = (slot + 1) & (s->slot_count - 1)) {
        struct tp_idset_page *page = &s->pages[s->slots[slot] - 1];
        if (page->number == number) {
            s->last_page = s->slots[slot] - 1;
            return page;
        }
    }
    return NULL;
}

// Finds or makes the page `number`.
static int need_page(struct tp_idset *s, uint64_t number, struct tp_idset_page **ret_page,
                     struct tp_error *err)
{
    *ret_page = find_page(s, number);
    if (*ret_page != NULL)
        return 0;
    int code = 0;
    if (s->page_count == s->page_capacity)
        code = grow_pages(s, err);
    // Keep the table at most half full: a probe then ends after one or two steps.
    if (code == 0 && 2 * ((size_t)s->page_count + 1) > s->slot_count)
        code = grow_slots(s, err);
    if (code != 0)
        return code;
    uint32_t page_idx = s->page_count++;
    s->pages[page_idx] = (struct tp_idset_page){.number = number};
    link_page(s, page_idx);
    s->last_page = page_idx;
    *ret_page = &s->pages[page_idx];
    return 0;
}

int tp_idset_add(struct tp_idset *s, uint64_t id, struct tp_error *err)
{
    struct tp_idset_page *page;
    int code = need_page(s, id / TP_IDSET_PAGE_IDS, &page, err);
    if (code != 0)
        return code;
    uint64_t *word = &page->words[id % TP_IDSET_PAGE_IDS / 64];
    uint64_t bit = UINT64_C(1) << id % 64;
    s->id_count += (*word & bit) == 0;
    *word |= bit;
    return 0;
}
