#include "merge/v1/syscall_exits.h"

#define BUFFER_MOST_BYTES TP_MIB(4)

int tp_v1_exits_add(struct tp_v1_exits *x, const struct tp_v1_exit *e, uint64_t most_bytes,
                    struct tp_error *err)
{
    const struct tp_sorter_memory memory = tp_sorter_memory_of(most_bytes, BUFFER_MOST_BYTES);
    int rc = x->sorter.buf.ptr == NULL ? tp_sorter_init(&x->sorter, &memory, err) : 0;
    struct tp_sorter_key key = {{tp_sorter_word_of(e->key), e->order}};
    struct tp_span bytes = tp_span_of((const unsigned char *)e, sizeof *e);
    return rc == 0 ? tp_sorter_put(&x->sorter, &key, &bytes, 1, err) : rc;
}

static int take_sorted(struct tp_v1_exits *x, const struct tp_sorter_item *item, uint64_t *last_key,
                       struct tp_error *err)
{
    x->has_ties = x->has_ties || (x->list.count > 0 && item->key.words[0] == *last_key);
    *last_key = item->key.words[0];
    return tp_spilled_array_add(&x->list, item->bytes.ptr, err);
}

int tp_v1_exits_sort(struct tp_v1_exits *x, struct tp_error *err)
{
    uint64_t last_key = 0;
    struct tp_sorter_item item;
    bool has = x->sorter.buf.ptr != NULL;
    tp_spilled_array_init(&x->list, sizeof(struct tp_v1_exit));
    int rc = has ? tp_sorter_sort(&x->sorter, err) : 0;
    while (rc == 0 && has) {
        rc = tp_sorter_next(&x->sorter, &item, &has, err);
        if (rc == 0 && has)
            rc = take_sorted(x, &item, &last_key, err);
    }
    tp_sorter_fini(&x->sorter);
    return rc;
}

void tp_v1_exits_fini(struct tp_v1_exits *x)
{
    tp_sorter_fini(&x->sorter);
    tp_spilled_array_fini(&x->list);
}

TP_NOINLINE int tp_v1_exits_get(struct tp_v1_exits *x, uint64_t idx, struct tp_v1_exit *ret_exit,
                    bool *ret_has, struct tp_error *err)
{
    *ret_has = idx < x->list.count;
    return *ret_has ? tp_spilled_array_get(&x->list, idx, ret_exit, err) : 0;
}
