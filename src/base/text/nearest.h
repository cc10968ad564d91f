// Finds the name that a mistyped word was probably meant to be, for messages ("did you mean ...?").
// The functions write to their arguments only, so any thread may call them; none needs memory.
#ifndef TP_BASE_TEXT_NEAREST_H
#define TP_BASE_TEXT_NEAREST_H

#include "base/err.h"
#include "base/span.h"

#define TP_NEAREST_LIST_BYTES 128

// A search. Begin with {.word = ...} and offer each known name to tp_nearest_try; `name` is then
// the nearest one, or NULL if none is near enough. Borrows the word and the names.
struct tp_nearest {
    struct tp_span word;
    const char *name;
    unsigned distance; // of `name` from the word; valid if `name` is not NULL
    char list[TP_NEAREST_LIST_BYTES]; // all names offered: "a, b, c"; ends with "..." if it is cut
    size_t list_bytes;
};

// Keeps the name if it is nearer than those before it. The distance is the number of bytes that
// must be inserted, deleted, replaced, or swapped with their neighbour. A name is near enough if
// the distance is at most a quarter of the longer one's length. Names and words above 32 bytes
// never are.
void tp_nearest_try(struct tp_nearest *n, const char *name);

// Fails with TP_E_USAGE and "`what` 'WORD' (did you mean 'NAME'?); known: LIST". Without a near
// name, or without any name, leaves out the part about it. Repeats at most 48 bytes of the word.
int tp_nearest_fail(const struct tp_nearest *n, const char *what, struct tp_error *err);

#endif
