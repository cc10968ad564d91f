#include "base/text/nearest.h"

#include <stdio.h>

#define WORD_MAX_BYTES 32
#define SHOWN_BYTES 48
#define MORE "..."

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

// Appends the name to the list, or MORE, once, if the list has no room for the name.
static void list_name(struct tp_nearest *n, const char *name)
{
    bool is_cut = n->list_bytes > 0 && n->list[n->list_bytes - 1] == MORE[0];
    if (is_cut)
        return;
    size_t room_bytes = sizeof n->list - n->list_bytes;
    bool fits = strlen(name) + strlen(", , " MORE) < room_bytes;
    n->list_bytes += (size_t)snprintf(n->list + n->list_bytes, room_bytes, "%s%s",
                                      n->list_bytes > 0 ? ", " : "", fits ? name : MORE);
}

void tp_nearest_try(struct tp_nearest *n, const char *name)
{
    list_name(n, name);
    struct tp_span other = tp_span_of_text(name);
    size_t most_bytes = n->word.len_bytes > other.len_bytes ? n->word.len_bytes : other.len_bytes;
    if (most_bytes > WORD_MAX_BYTES)
        return;
    unsigned distance = distance_of(n->word, other);
    if (distance * 4 > most_bytes || (n->name != NULL && distance >= n->distance))
        return;
    n->name = name;
    n->distance = distance;
}

int tp_nearest_fail(const struct tp_nearest *n, const char *what, struct tp_error *err)
{
    char question[WORD_MAX_BYTES + sizeof " (did you mean ''?)"] = "";
    if (n->name != NULL)
        snprintf(question, sizeof question, " (did you mean '%s'?)", n->name);
    size_t word_bytes = n->word.len_bytes < SHOWN_BYTES ? n->word.len_bytes : SHOWN_BYTES;
    return tp_fail(err, TP_E_USAGE, "%s '%.*s'%s%s%s", what, (int)word_bytes,
                   (const char *)n->word.ptr, question, n->list_bytes > 0 ? "; known: " : "",
                   n->list);
}
