#include "memory_text.h"

#include <stdlib.h>
#include <string.h>

FILE *begin_text(struct memory_text *m)
{
    *m = (struct memory_text){0};
    m->f = open_memstream(&m->text, &m->len_bytes);
    if (m->f == NULL)
        abort();
    return m->f;
}

char *end_text(struct memory_text *m)
{
    if (fclose(m->f) != 0)
        abort();
    return m->text;
}

void put_span(FILE *f, struct tp_span text)
{
    fwrite(text.len_bytes > 0 ? (const void *)text.ptr : "", 1, text.len_bytes, f);
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void put_sorted(FILE *f, char **lines, size_t count)
{
    qsort(lines, count, sizeof *lines, compare_lines);
    for (size_t i = 0; i < count; i++) {
        fputs(lines[i], f);
        free(lines[i]);
    }
    free(lines);
}
