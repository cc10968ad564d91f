#include "base/text/nearest.h"

#define WORD_MAX_BYTES 32

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

// Returns the distance by the method of optimal string alignment. Row i of the table has the
// distances of the first i bytes of `a` from all beginnings of `b`; only three rows are kept.
static unsigned distance_of(struct tp_span a, struct tp_span b)
{
    unsigned rows[3][WORD_MAX_BYTES + 1];
    for (unsigned k = 0; k <= b.len_bytes; k++)
        rows[0][k] = k;
    for (unsigned i = 1; i <= a.len_bytes; i++) {
        unsigned *row = rows[i % 3];
        const unsigned *above = rows[(i - 1) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (unsigned k = 1; k <= b.len_bytes; k++) {
            unsigned replaced = above[k - 1] + (a.ptr[i - 1] != b.ptr[k - 1]);
            row[k] = least(replaced, least(above[k], row[k - 1]) + 1);
            if (i > 1 && k > 1 && a.ptr[i - 1] == b.ptr[k - 2] && a.ptr[i - 2] == b.ptr[k - 1])
                row[k] = least(row[k], two_above[k - 2] + 1);
        }
    }
    return rows[a.len_bytes % 3][b.len_bytes];
}

void tp_nearest_try(struct tp_nearest *n, const char *name)
{
    struct tp_span other = tp_span_of_text(name);
    size_t most_bytes = n->word.len_bytes > other.len_bytes ? n->word.len_bytes : other.len_bytes;
    if (most_bytes > WORD_MAX_BYTES)
        return;
    unsigned distance = distance_of(n->word, other);
    if (distance * 3 > most_bytes || (n->name != NULL && distance >= n->distance))
        return;
    n->name = name;
    n->distance = distance;
}
