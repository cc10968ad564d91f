#include "sink/print/layout.h"

static unsigned lines_of(const struct tp_layout_part *p, unsigned rows)
{
    return rows > 0 ? p->head + rows * p->row_lines + (p->has_more && rows < p->count) : 0;
}

// Gives a part that has `rows` rows as many as fit, at most `most`. `left` includes the lines that
// the part has already.
static unsigned grow(const struct tp_layout_part *p, unsigned rows, unsigned most, unsigned left)
{
    unsigned wanted = p->count < most ? p->count : most;
    while (wanted > rows && lines_of(p, wanted) > left)
        wanted--;
    bool is_too_few = wanted < p->fewest && wanted < p->count;
    return wanted > rows && !is_too_few ? wanted : rows;
}

void tp_layout(unsigned lines, const struct tp_layout_part *parts, unsigned count, unsigned *rows)
{
    for (unsigned i = 0; i < count; i++)
        rows[i] = 0;
    for (unsigned turn = 0; turn < 2; turn++) {
        for (unsigned i = 0; i < count; i++) {
            const struct tp_layout_part *p = &parts[i];
            unsigned own = lines_of(p, rows[i]);
            rows[i] = grow(p, rows[i], turn == 0 ? p->least : p->most, lines + own);
            lines = lines + own - lines_of(p, rows[i]);
        }
    }
}
