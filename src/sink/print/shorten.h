// Shortens names of functions and files to a number of columns, and prints lines that must not
// become too wide. Each rune counts as one column.
#ifndef TP_SINK_PRINT_SHORTEN_H
#define TP_SINK_PRINT_SHORTEN_H

#include "base/span.h"
#include "sink/print/emit.h"

// A shortened text: `head`, then "...", then `tail`. If nothing is left out, `tail` is empty and
// there are no dots. Borrows the text.
struct tp_short {
    struct tp_span head, tail;
    unsigned columns; // of all of it
    bool is_cut;      // something is left out
};

// The shortest results that the functions make of a longer text.
#define TP_SHORT_COLUMNS_LEAST 8

// Shortens the name of a function: leaves out the path of its module first, then more of its
// beginning, which is less specific than its end.
struct tp_short tp_shorten_function(struct tp_span name, unsigned columns);
// Shortens a path in the middle: its beginning and its last components stay.
struct tp_short tp_shorten_path(struct tp_span path, unsigned columns);

// Shortens a text at its end.
struct tp_short tp_shorten_text(struct tp_span text, unsigned columns);

// A line that is being printed. Begin with {emitter, width of the screen}.
struct tp_line {
    struct tp_emit *e;
    unsigned left; // columns
};

// Prints a text of ASCII, whether there is room or not.
void tp_line_text(struct tp_line *l, const char *text);
// Prints the formatted text, at most 127 bytes of UTF-8, if it fits. Returns whether it did.
bool tp_line_try(struct tp_line *l, const char *format, ...) TP_PRINTF(2, 3);
// Prints a shortened text. Each character that a terminal cannot show becomes '?'.
void tp_line_short(struct tp_line *l, struct tp_short s);

#endif
