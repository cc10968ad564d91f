// Makes text of a trace safe for a terminal: what tp_rune_shows rejects, except newline and tab, is
// escaped as in names (\xNN, \uNNNN). A name in a trace must not move the cursor, change colours, or
// turn the direction of a line.
#ifndef TP_BASE_TEXT_TERMINAL_TEXT_H
#define TP_BASE_TEXT_TERMINAL_TEXT_H

#include "base/span.h"

// The beginning of a rune whose other bytes come with the next call. Zeroed: none.
struct tp_terminal_text {
    unsigned char begun[4];
    size_t begun_bytes;
};

// A piece of the output has at most this many bytes.
#define TP_TERMINAL_PIECE_BYTES 1024

// Takes bytes from the front of *bytes, and writes their safe form to `to`, which has room for a
// piece, until the bytes or the room end. Returns the number of bytes written.
size_t tp_terminal_text_piece(struct tp_terminal_text *t, struct tp_span *bytes, unsigned char *to);
// Writes the safe form of what is left at the end of the text. Returns the number of bytes written.
size_t tp_terminal_text_end(struct tp_terminal_text *t, unsigned char *to);

#endif
