#include "stats/file_tasks.h"

#include <string.h>

#include "base/alloc.h"
#include "stats/totals.h"

bool tp_file_task_split(struct tp_span text, struct tp_file_task *ret)
{
    const unsigned char *zero =
        text.len_bytes > 0 ? memchr(text.ptr, '\0', text.len_bytes) : NULL;
    if (zero == NULL)
        return false;
    size_t path_bytes = (size_t)(zero - text.ptr);
    ret->path = tp_span_of(text.ptr, path_bytes);
    ret->name = tp_span_skip(text, path_bytes + 1);
    return true;
}

// Sets *ret_name to the name under which to record the tasks of this name.
static bool name_of(struct tp_totals *s, uint32_t path, uint32_t name, uint32_t *ret_name)
{
    *ret_name = TP_TOTALS_OTHERS;
    if (name == TP_TOTALS_OTHERS)
        return true;
    struct tp_span of_path = tp_intern_text(&s->names, path);
    struct tp_span of_name = tp_intern_text(&s->names, name);
    size_t len_bytes = of_path.len_bytes + 1 + of_name.len_bytes;
    unsigned char *text = tp_alloc(len_bytes);
    if (text == NULL)
        return false;
    memcpy(text, of_path.ptr, of_path.len_bytes);
    text[of_path.len_bytes] = '\0';
    if (of_name.len_bytes > 0)
        memcpy(text + of_path.len_bytes + 1, of_name.ptr, of_name.len_bytes);
    bool fits = tp_totals_name(s, TP_SPACE_FILE_TASK, tp_span_of(text, len_bytes), ret_name);
    tp_free(text);
    return fits;
}

static bool add_group(struct tp_totals *s, uint32_t path, uint32_t group)
{
    struct tp_durations *l = &s->durations;
    const struct tp_dist *from = l->groups.items[group].dists[0];
    uint32_t name;
    if (!name_of(s, path, l->groups.items[group].name, &name))
        return false;
    uint32_t into = tp_durations_group_of(l, TP_SPACE_FILE_TASK, name);
    struct tp_dist *dist = into != TP_DURATIONS_NONE ? tp_durations_make_dist(l, into, 0) : NULL;
    return dist != NULL && tp_durations_add_dist(l, dist, from);
}

bool tp_totals_add_file_tasks(struct tp_totals *s, uint32_t path)
{
    uint32_t count = s->durations.groups.count;
    bool fits = true;
    for (uint32_t i = 0; i < count && fits; i++) {
        const struct tp_durations_group *g = &s->durations.groups.items[i];
        if (g->space == TP_SPACE_TASK && g->dist_count > 0)
            fits = add_group(s, path, i);
    }
    return fits;
}
