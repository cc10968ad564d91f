#include "stats/hosts/host_tops.h"

#include "base/sort/compare.h"

static int compare_tops(const void *left, const void *right)
{
    const struct tp_host_top *a = left, *b = right;
    return tp_compare_u64(a->kind, b->kind)
        ?: tp_compare_u64(a->name, b->name)
        ?: tp_compare_u64(a->host, b->host)
        ?: tp_compare_u64(b->longest->total_ns, a->longest->total_ns)
        ?: tp_compare_u64(b->longest->count, a->longest->count)
        ?: tp_compare_u64(a->longest->line, b->longest->line);
}

static bool list_row(struct tp_host_tops *tops, uint32_t host, const struct tp_file_row *row)
{
    bool fits = true;
    for (unsigned kind = 0; kind < TP_TOP_KINDS; kind++) {
        for (uint32_t k = 0; k < row->top_counts[kind] && fits; k++) {
            const struct tp_file_top *top = &row->tops[kind][k];
            fits = TP_LIST_ADD(tops, (struct tp_host_top){(enum tp_top_kind)kind, top->name, host, top});
        }
    }
    return fits;
}

bool tp_host_tops_make(const struct tp_hosts *hosts, struct tp_host_tops *ret_tops)
{
    struct tp_host_tops *tops = ret_tops;
    uint32_t count = 0;
    *tops = (struct tp_host_tops){0};
    for (uint32_t i = 0; i < hosts->count; i++) {
        for (uint32_t k = 0; k < hosts->items[i].row_count; k++) {
            if (!list_row(tops, i, hosts->items[i].rows[k]))
                return false;
        }
    }
    TP_LIST_SORT(tops, compare_tops);
    for (uint32_t i = 0; i < tops->count; i++) {
        const struct tp_host_top *from = &tops->items[i], *last = &tops->items[count > 0 ? count - 1 : 0];
        if (count == 0 || last->host != from->host || !tp_host_tops_are_one_name(last, from))
            tops->items[count++] = *from;
    }
    tops->count = count;
    return true;
}
