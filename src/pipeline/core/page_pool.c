#include "pipeline/core/page_pool.h"

#include <assert.h>

#include "base/alloc.h"

void tp_page_pool_init(struct tp_page_pool *p, size_t page_max)
{
    *p = (struct tp_page_pool){.page_max = page_max};
    pthread_mutex_init(&p->mu, NULL);
}

static void unmap_all(struct tp_page *list)
{
    while (list != NULL) {
        struct tp_page *page = list;
        list = page->next;
        tp_unmap(page, TP_PAGE_BYTES);
    }
}

void tp_page_pool_fini(struct tp_page_pool *p)
{
    if (p->page_max == 0)
        return;
    assert(p->idle_count == p->made_count);
    unmap_all(p->idle);
    pthread_mutex_destroy(&p->mu);
    *p = (struct tp_page_pool){0};
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
            page = tp_map(TP_PAGE_BYTES);
            p->made_count += page != NULL;
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

void tp_page_pool_trim(struct tp_page_pool *p)
{
    pthread_mutex_lock(&p->mu);
    struct tp_page *idle = p->idle;
    p->made_count -= p->idle_count;
    p->idle = NULL;
    p->idle_count = 0;
    pthread_mutex_unlock(&p->mu);
    unmap_all(idle);
}
