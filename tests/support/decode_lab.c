#include "decode_lab.h"

#include <stdlib.h>

void decode_lab_run(struct tp_decoded_run *run, const struct tp_m_run *m,
                    const struct tp_tables *t, struct tp_batch_loader *loader, size_t each,
                    size_t part_max)
{
    struct tp_decoded_part *first = NULL, *last = NULL;
    struct tp_cursor c;
    size_t count = each;
    tp_cursor_init(&c, m);
    for (size_t i = 0; i < part_max && count == each; i++) {
        struct tp_decoded_part *part = malloc(sizeof *part + each * sizeof part->events[0]);
        if (part == NULL)
            abort();
        count = tp_cursor_decode(&c, t, loader, part->events, each);
        part->event_count = count;
        part->next = NULL;
        if (count == 0) {
            free(part);
            break;
        }
        if (last == NULL)
            first = part;
        else
            last->next = part;
        last = part;
    }
    *run = tp_cursor_decoded(&c, first);
    tp_cursor_fini(&c);
}

void decode_lab_fini(struct tp_decoded_run *run)
{
    struct tp_decoded_part *part = (struct tp_decoded_part *)run->parts;
    while (part != NULL) {
        struct tp_decoded_part *next = (struct tp_decoded_part *)part->next;
        free(part);
        part = next;
    }
    run->parts = NULL;
}
