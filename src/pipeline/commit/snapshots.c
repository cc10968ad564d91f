#include "pipeline/commit/snapshots.h"

void tp_snapshots_fini(struct tp_snapshots *s)
{
    tp_map_fini(&s->inputs);
}

int tp_snapshots_put(struct tp_snapshots *s, uint64_t key, size_t input_index, struct tp_error *err)
{
    if (tp_map_get(&s->inputs, key) != TP_MAP_NONE || s->inputs.count >= TP_SNAPSHOTS_MAX ||
        input_index >= UINT32_MAX || tp_map_put(&s->inputs, key, (uint32_t)input_index + 1))
        return 0;
    return tp_fail(err, TP_E_MEMORY, "out of memory for the generations of inputs");
}

int tp_snapshots_add(struct tp_snapshots *s, size_t input_index, struct tp_order_report *r,
                     struct tp_error *err)
{
    const struct tp_generation_keys *keys = &r->generation_keys;
    int rc = 0;
    for (uint32_t i = 0; i < keys->count && rc == 0; i++) {
        uint32_t first = tp_map_get(&s->inputs, keys->items[i]);
        if (first == TP_MAP_NONE)
            rc = tp_snapshots_put(s, keys->items[i], input_index, err);
        else if (first != input_index + 1 && r->shared.count++ == 0)
            r->shared.input_index = first - 1;
    }
    return rc;
}
