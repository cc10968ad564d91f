#include "merge/v1/front_sort.h"

struct sorter {
    struct tp_v1_front *front;
};

static bool less(const struct sorter *s, size_t i, size_t j)
{
    return s->front[i].key < s->front[j].key;
}

static void swap(const struct sorter *s, size_t i, size_t j)
{
    struct tp_v1_front kept = s->front[i];
    s->front[i] = s->front[j];
    s->front[j] = kept;
}

#include "base/sort/gosort.def"

void tp_v1_front_sort(struct tp_v1_front *front, size_t count)
{
    struct sorter s = {front};
    sort_all(&s, count);
}
