// Finds out what a file is that is no Go trace, for the message that refuses it. Pure; any thread
// may call it; cannot fail.
#ifndef TP_DECODE_FOREIGN_H
#define TP_DECODE_FOREIGN_H

#include "base/span.h"

// The number of bytes of the head that suffice.
#define TP_FOREIGN_HEAD_BYTES 512
#define TP_FOREIGN_WORDS_BYTES 96

// A plain value.
struct tp_foreign {
    const char *what; // "an ELF file"; a static text; NULL: not known
    // The first line of a text that is not blank, or the title of an HTML page, cut, and ending
    // with NUL: shows an error that a server sent instead of a trace. Empty for other kinds.
    char words[TP_FOREIGN_WORDS_BYTES];
};

// `head` is the first TP_FOREIGN_HEAD_BYTES bytes of the file, or all of them if it has fewer.
struct tp_foreign tp_foreign_of(struct tp_span head);

#endif
