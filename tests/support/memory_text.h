// Writes texts in memory. Functions abort if memory is out.
#ifndef TP_TESTS_MEMORY_TEXT_H
#define TP_TESTS_MEMORY_TEXT_H

#include <stdio.h>

#include "base/span.h"

struct memory_text {
    char *text;
    size_t len_bytes;
    FILE *f;
};

// Returns the file to which the text is written.
FILE *begin_text(struct memory_text *m);
// Ends the text, and returns it; the caller frees it.
char *end_text(struct memory_text *m);
// Writes the bytes of a span.
void put_span(FILE *f, struct tp_span text);
// Writes lines in the order of their bytes, and frees each line and the array.
void put_sorted(FILE *f, char **lines, size_t count);

#endif
