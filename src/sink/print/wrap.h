// Prints paragraphs in lines of at most so many columns. A word that is longer than a line is
// continued on the next one; nothing is cut. Each rune counts as one column, and a character that a terminal
// cannot show becomes '?'.
#ifndef TP_SINK_PRINT_WRAP_H
#define TP_SINK_PRINT_WRAP_H

#include "base/span.h"
#include "sink/print/emit.h"

// A paragraph that is being printed. Borrows the emitter until tp_wrap_end.
struct tp_wrap {
    struct tp_emit *e;
    unsigned columns;
    unsigned indent_columns; // of all lines but the first
    unsigned at;             // columns of the line that are used
    bool has_word;           // since the last indent or label
};

// Begins a paragraph at the beginning of a line: `before` columns of space, then the label, which is
// ASCII; its text begins in column `indent`, or one column behind a longer label.
struct tp_wrap tp_wrap_begin(struct tp_emit *e, unsigned columns, unsigned before,
                             const char *label, unsigned indent);
// Prints a word behind a space, or on a new line if there is no room. The word may have spaces in
// it.
void tp_wrap_word(struct tp_wrap *w, struct tp_span word);
// Prints a word that consists of two parts.
void tp_wrap_joined(struct tp_wrap *w, struct tp_span head, struct tp_span tail);
// Prints the words of a text, between which there are spaces.
void tp_wrap_text(struct tp_wrap *w, struct tp_span text);
// Does the same for a formatted text of at most 255 bytes.
void tp_wrap_printf(struct tp_wrap *w, const char *format, ...) TP_PRINTF(2, 3);
// Begins a new line with the indent, unless the line has no word yet.
void tp_wrap_line(struct tp_wrap *w);
// Ends the line.
void tp_wrap_end(struct tp_wrap *w);

#endif
