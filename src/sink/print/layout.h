// Divides the lines of a screen among the parts of a report. A pure function: tests need no
// terminal.
#ifndef TP_SINK_PRINT_LAYOUT_H
#define TP_SINK_PRINT_LAYOUT_H

#include <stdbool.h>

// A part of a report: some lines of its own, then rows.
struct tp_layout_part {
    unsigned head;     // lines before the rows; no row, no head
    unsigned row_lines; // of each row; at least 1
    unsigned count;    // rows that there are
    unsigned fewest;   // if fewer rows fit, though there are more, it gets none
    unsigned least;    // rows that it gets before later parts get any
    unsigned most;     // rows that it gets at all; at least `least`
    bool has_more;     // if it gets fewer than `count` rows, one more line says so
};

// Sets rows[i] to the number of rows that part i gets, so that all parts together take at most
// `lines` lines. Earlier parts go first: each gets its least number of rows, or as many as fit;
// what is then left goes to the parts in the same order, up to the most they may have.
void tp_layout(unsigned lines, const struct tp_layout_part *parts, unsigned count, unsigned *rows);

#endif
