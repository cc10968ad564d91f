#include "base/sort/gosort.h"

#include <assert.h>
#include <string.h>

#define MAX_EACH_BYTES 256

struct sorter {
    unsigned char *base;
    size_t each_bytes;
    tp_cmp_fn cmp;
    void *ctx;
};

TP_INLINE unsigned char *at(const struct sorter *s, size_t i)
{
    return s->base + i * s->each_bytes;
}

TP_INLINE bool less(const struct sorter *s, size_t i, size_t j)
{
    return s->cmp(at(s, i), at(s, j), s->ctx) < 0;
}

static void swap(const struct sorter *s, size_t i, size_t j)
{
    // memcpy between a record and itself would be undefined.
    if (i == j)
        return;
    unsigned char spare[MAX_EACH_BYTES];
    memcpy(spare, at(s, i), s->each_bytes);
    memcpy(at(s, i), at(s, j), s->each_bytes);
    memcpy(at(s, j), spare, s->each_bytes);
}

#include "base/sort/gosort.def"

void tp_gosort(void *base, size_t count, size_t each_bytes, tp_cmp_fn cmp, void *ctx)
{
    assert(each_bytes <= MAX_EACH_BYTES);
    const struct sorter s = {base, each_bytes, cmp, ctx};
    sort_all(&s, count);
}
