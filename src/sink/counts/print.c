#include "sink/counts/print.h"

#include <stdio.h>

static struct tp_counts_type *find_type(struct tp_counts_type *types, size_t type_count,
                                       const char *name)
{
    struct tp_counts_type *t = types;
    while (t < types + type_count && strcmp(t->name, name) != 0)
        t++;
    return t;
}

// Types of different formats with one name share an entry.
size_t tp_counts_types(const struct tp_inventory *s,
                       struct tp_counts_type ret_types[TP_COUNTS_TYPE_MAX])
{
    size_t type_count = 0;
    for (unsigned code = 0; code < TP_TALLY_CODES; code++) {
        if (s->tally.count[code] == 0)
            continue;
        struct tp_counts_type found = {0};
        const char *name = tp_tally_code(code).name;
        if (name != NULL)
            snprintf(found.name, sizeof found.name, "%s", name);
        else
            snprintf(found.name, sizeof found.name, "Invalid(%u)", code);
        struct tp_counts_type *t = find_type(ret_types, type_count, found.name);
        if (t == ret_types + type_count)
            ret_types[type_count++] = found;
        t->count += s->tally.count[code];
        t->bytes += s->tally.bytes[code];
    }
    return type_count;
}
