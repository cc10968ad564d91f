// A fixed text before a number, such as " g=" or "GoStart dt=". A put copies the whole block,
// which takes two vector stores, and advances the end by the length of the text. A block owns no
// other memory. Any thread may put a block while no thread changes it.
#ifndef TP_BASE_TEXT_TEXT_BLOCK_H
#define TP_BASE_TEXT_TEXT_BLOCK_H

#include <assert.h>
#include <string.h>

#include "base/attr.h"

// The longest text of a block; also the number of bytes that each put writes.
#define TP_TEXT_BLOCK_BYTES 32

// A text of up to TP_TEXT_BLOCK_BYTES. A zeroed block is empty.
struct tp_text_block {
    unsigned char text[TP_TEXT_BLOCK_BYTES];
    size_t len_bytes;
};

// Appends to the block; asserts that there is room.
TP_INLINE void tp_text_block_append(struct tp_text_block *b, const char *text)
{
    size_t n = strlen(text);
    assert(b->len_bytes + n <= TP_TEXT_BLOCK_BYTES);
    memcpy(b->text + b->len_bytes, text, n);
    b->len_bytes += n;
}

// Appends the text before argument `i` of an event: "NAME ARG=" for the first one, " ARG=" for
// later ones. Asserts that there is room.
TP_INLINE void tp_text_block_append_arg(struct tp_text_block *b, const char *name, unsigned i,
                                        const char *arg)
{
    tp_text_block_append(b, i == 0 ? name : "");
    tp_text_block_append(b, " ");
    tp_text_block_append(b, arg);
    tp_text_block_append(b, "=");
}

// Writes the block's text to `to` and returns one past its end. Needs room for TP_TEXT_BLOCK_BYTES;
// the bytes after the text have no meaning.
TP_INLINE unsigned char *tp_text_block_put(unsigned char *to, const struct tp_text_block *b)
{
    memcpy(to, b->text, TP_TEXT_BLOCK_BYTES);
    return to + b->len_bytes;
}

#endif
