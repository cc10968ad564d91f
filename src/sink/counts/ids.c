#include "sink/counts/ids.h"

#include <string.h>

#include "base/alloc.h"

void tp_counts_ids_reset(struct tp_counts_ids *ids)
{
    for (size_t i = 0; i < TP_COUNTS_IDS; i++) {
        ids->of[i].count = 0;
        memset(ids->of[i].recent, 0xff, sizeof ids->of[i].recent);
    }
    ids->out_of_memory = false;
}

void tp_counts_ids_fini(struct tp_counts_ids *ids)
{
    for (size_t i = 0; i < TP_COUNTS_IDS; i++)
        tp_free(ids->of[i].items);
    *ids = (struct tp_counts_ids){0};
}

static bool grow(struct tp_counts_id_list *list)
{
    size_t wanted = list->capacity == 0 ? TP_LIST_FIRST : 2 * (size_t)list->capacity;
    size_t most = TP_COUNTS_IDS_MAX;
    return list->count < most &&
           tp_list_resize(&list->as_list, wanted < most ? wanted : most, sizeof *list->items);
}

void tp_counts_ids_put(void *ctx, enum tp_ident ident, uint64_t id)
{
    static const uint8_t kinds[] = {[TP_IDENT_GOROUTINE] = TP_COUNTS_GOROUTINE,
                                    [TP_IDENT_PROC] = TP_COUNTS_PROC,
                                    [TP_IDENT_THREAD] = TP_COUNTS_THREAD};
    struct tp_counts_ids *ids = ctx;
    struct tp_counts_id_list *list = &ids->of[kinds[ident]];
    uint64_t *recent = &list->recent[id % TP_COUNTS_RECENT];
    if (*recent == id && id != UINT64_MAX)
        return;
    *recent = id;
    if (tp_unlikely(list->count == list->capacity) && !grow(list))
        ids->out_of_memory = true;
    else
        list->items[list->count++] = id;
}

// Limits of the sets. Ids of goroutines are consecutive: this is room for 500 million of them. Ids
// of threads may be addresses, each of which takes a page of the set.
static const size_t most_bytes[TP_COUNTS_IDS] = {[TP_COUNTS_GOROUTINE] = TP_MIB(64),
                                                 [TP_COUNTS_PROC] = TP_MIB(16),
                                                 [TP_COUNTS_THREAD] = TP_MIB(16)};

void tp_counts_sets_init(struct tp_counts_sets *sets)
{
    for (size_t i = 0; i < TP_COUNTS_IDS; i++)
        tp_idset_init(&sets->of[i], most_bytes[i]);
}

void tp_counts_sets_fini(struct tp_counts_sets *sets)
{
    for (size_t i = 0; i < TP_COUNTS_IDS; i++)
        tp_idset_fini(&sets->of[i]);
}

int tp_counts_sets_add(struct tp_counts_sets *sets, const struct tp_counts_ids *ids,
                       struct tp_error *err)
{
    int code = 0;
    for (size_t i = 0; i < TP_COUNTS_IDS; i++) {
        for (size_t k = 0; k < ids->of[i].count && code == 0; k++)
            code = tp_idset_add(&sets->of[i], ids->of[i].items[k], err);
    }
    return code;
}
