#include "stats/hosts/hosts.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/sort/compare.h"

// NAMES

bool tp_hosts_name(struct tp_totals *s, const struct tp_path_group *group, const char *path)
{
    struct tp_file_row *row = &s->files.items[s->files.count - 1];
    struct tp_span name = tp_path_group_name(group, path);
    row->grouped_by = tp_intern_put(&s->names, tp_span_of_text(group->pattern));
    if (name.len_bytes == 0)
        return row->grouped_by != TP_INTERN_NONE;
    row->host = tp_intern_put(&s->names, name);
    return row->grouped_by != TP_INTERN_NONE && row->host != TP_INTERN_NONE;
}

int tp_hosts_check(const struct tp_totals *s, const struct tp_path_group *group, struct tp_error *err)
{
    struct tp_span wanted = group != NULL ? tp_span_of_text(group->pattern) : tp_span_of("", 0);
    for (uint32_t i = 0; i < s->files.count; i++) {
        struct tp_span by = tp_totals_text(s, s->files.items[i].grouped_by);
        if (tp_span_compare(by, wanted) == 0)
            continue;
        if (by.len_bytes == 0)
            return tp_fail(err, TP_E_STATE, "statistics state made without --group cannot be read with it");
        return tp_fail(err, TP_E_STATE, "statistics state made with --group '%.*s' has to be read with it",
                       (int)(by.len_bytes < 256 ? by.len_bytes : 256), (const char *)by.ptr);
    }
    return s->doubtful != NULL ? tp_hosts_check(s->doubtful, group, err) : 0;
}

// THE LIST

bool tp_host_is_damaged(const struct tp_host *h)
{
    for (uint32_t i = 0; i < h->row_count; i++) {
        if (h->rows[i]->is_damaged)
            return true;
    }
    return false;
}

static uint32_t name_of(const struct tp_file_row *row)
{
    return row->host != TP_INTERN_NONE ? row->host : row->path;
}

// Orders rows by host, path, and figures, because several inputs may have one path.
static int compare_rows(const void *left, const void *right, void *ctx)
{
    const struct tp_totals *s = ctx;
    const struct tp_file_row *a = *(const struct tp_file_row *const *)left;
    const struct tp_file_row *b = *(const struct tp_file_row *const *)right;
    // An input without a group may have the name of one.
    int order = tp_totals_compare_texts(s, name_of(a), name_of(b))
        ?: (a->host != TP_INTERN_NONE) - (b->host != TP_INTERN_NONE)
        ?: tp_totals_compare_texts(s, a->path, b->path);
    for (unsigned i = 0; i < TP_FILE_FIGURE_COUNT && order == 0; i++)
        order = tp_compare_wide(a->figures[i], b->figures[i]);
    for (unsigned i = 0; i < TP_FINDS_COUNT && order == 0; i++)
        order = tp_compare_u64(a->values[i], b->values[i]);
    return order;
}

static bool add_row(struct tp_hosts *hosts, const struct tp_file_row **row)
{
    struct tp_host *last = hosts->count > 0 ? &hosts->items[hosts->count - 1] : NULL;
    if (last != NULL && (*row)->host != TP_INTERN_NONE && last->name == (*row)->host &&
        last->rows[0]->host == (*row)->host) {
        last->row_count++;
        return true;
    }
    return TP_LIST_ADD(hosts, (struct tp_host){name_of(*row), row, 1});
}

int tp_hosts_make(const struct tp_totals *s, uint64_t least_ns, struct tp_hosts *ret_hosts,
                  struct tp_error *err)
{
    struct tp_hosts hosts = {.rows = tp_alloc_array((size_t)s->files.count + 1, sizeof *hosts.rows)};
    uint32_t count = 0;
    bool fits = hosts.rows != NULL;
    for (uint32_t i = 0; i < s->files.count && fits; i++) {
        const struct tp_file_row *row = &s->files.items[i];
        if (row->judgement == TP_JUDGEMENT_JUDGED && row->figures[TP_FILE_DURATION] >= least_ns)
            hosts.rows[count++] = row;
        else
            hosts.not_judged_count++;
    }
    if (fits)
        qsort_r(hosts.rows, count, sizeof *hosts.rows, compare_rows, (void *)s);
    for (uint32_t i = 0; i < count && fits; i++)
        fits = add_row(&hosts, &hosts.rows[i]);
    if (!fits)
        tp_hosts_fini(&hosts);
    *ret_hosts = hosts;
    return fits ? 0 : tp_fail(err, TP_E_MEMORY, "out of memory for hosts");
}

uint32_t tp_hosts_find(const struct tp_hosts *hosts, const struct tp_totals *s, struct tp_span name)
{
    uint32_t low = 0, high = hosts->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (tp_span_compare(tp_totals_text(s, hosts->items[middle].name), name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    bool is_found = low < hosts->count &&
                    tp_span_compare(tp_totals_text(s, hosts->items[low].name), name) == 0;
    return is_found ? low : hosts->count;
}

void tp_hosts_fini(struct tp_hosts *hosts)
{
    tp_free(hosts->items);
    tp_free(hosts->rows);
    *hosts = (struct tp_hosts){0};
}
