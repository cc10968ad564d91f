#include "pipeline/page_pool.h"

#include <assert.h>

#include "base/alloc.h"

void tp_page_pool_init(struct tp_page_pool *p, size_t page_max)
{
    *p = (struct tp_page_pool){.page_max = page_max};
    pthread_mutex_init(&p->mu, NULL);
}

void tp_page_pool_fini(struct tp_page_pool *p)
{
    if (p->page_max == 0)
        return;
    assert(p->idle_count == p->made_count);
    // A mapping goes with all pages in it, so those that it begins with are looked for before.
    struct tp_page *first = NULL;
    for (struct tp_page *page = p->idle, *next; page != NULL; page = next) {
        next = page->next;
        if (page->mapped_bytes == 0)
            continue;
        page->next = first;
        first = page;
    }
    for (struct tp_page *next; first != NULL; first = next) {
        next = first->next;
        tp_unmap(first, first->mapped_bytes);
    }
    pthread_mutex_destroy(&p->mu);
    *p = (struct tp_page_pool){0};
}

// The first ones are small pages of the machine: that is all that small traces need, and a huge
// one is cleared as a whole.
static unsigned char *map_group(const struct tp_page_pool *p, size_t *ret_bytes)
{
    size_t left_bytes = (p->page_max - p->made_count) * TP_PAGE_BYTES;
    *ret_bytes = left_bytes < TP_HUGE_BYTES ? left_bytes : TP_HUGE_BYTES;
    return p->made_count == 0 || *ret_bytes < TP_HUGE_BYTES ? tp_map(*ret_bytes)
                                                            : tp_map_huge(*ret_bytes);
}

static struct tp_page *make(struct tp_page_pool *p)
{
    size_t mapped_bytes = 0;
    if (p->fresh_bytes == 0) {
        p->fresh = map_group(p, &mapped_bytes);
        if (p->fresh == NULL)
            return NULL;
        p->fresh_bytes = mapped_bytes;
    }
    struct tp_page *page = (struct tp_page *)(void *)p->fresh;
    page->mapped_bytes = mapped_bytes;
    p->fresh += TP_PAGE_BYTES;
    p->fresh_bytes -= TP_PAGE_BYTES;
    p->made_count++;
    return page;
}

struct tp_page *tp_page_pool_try_take(struct tp_page_pool *p, size_t keep_count)
{
    struct tp_page *page = NULL;
    pthread_mutex_lock(&p->mu);
    if (p->idle_count + (p->page_max - p->made_count) > keep_count) {
        page = p->idle;
        if (page != NULL) {
            p->idle = page->next;
            p->idle_count--;
        } else {
            page = make(p);
        }
    }
    pthread_mutex_unlock(&p->mu);
    if (page != NULL) {
        page->next = NULL;
        page->used_bytes = 0;
    }
    return page;
}

bool tp_page_pool_is_spent(struct tp_page_pool *p)
{
    pthread_mutex_lock(&p->mu);
    bool is_spent = p->idle_count == 0 && p->made_count == p->page_max;
    pthread_mutex_unlock(&p->mu);
    return is_spent;
}

void tp_page_pool_give(struct tp_page_pool *p, struct tp_page *list)
{
    pthread_mutex_lock(&p->mu);
    while (list != NULL) {
        struct tp_page *page = list;
        list = page->next;
        page->next = p->idle;
        p->idle = page;
        p->idle_count++;
    }
    pthread_mutex_unlock(&p->mu);
}
