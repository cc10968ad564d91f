// The header of a file: whatever part of the bytes is there, the verdict is open or
// that of all bytes, and open no more once it was told.
#include <string.h>

#include "decode/decoder.h"
#include "decode/spec.h"
#include "fuzz.h"

static enum tp_format_verdict detect(const uint8_t *data, size_t len_bytes, bool at_end,
                                     struct tp_format *ret_format)
{
    // A block of its own lets the sanitizer see a byte too many.
    uint8_t *copy = malloc(len_bytes + (len_bytes == 0));
    CHECK(copy != NULL);
    if (len_bytes > 0)
        memcpy(copy, data, len_bytes);
    memset(ret_format, 0xa5, sizeof *ret_format);
    enum tp_format_verdict v = tp_format_detect(tp_span_of(copy, len_bytes), at_end, ret_format);
    free(copy);
    return v;
}

static bool is_same(const struct tp_format *a, const struct tp_format *b)
{
    return a->decoder == b->decoder && a->minor == b->minor && a->header_bytes == b->header_bytes &&
           a->foreign.what == b->foreign.what && strcmp(a->foreign.words, b->foreign.words) == 0;
}

static void check_format(const struct tp_format *f, const uint8_t *data, size_t len_bytes)
{
    CHECK((f->decoder == &tp_decoder_v2) == tp_version_is_v2(f->minor));
    CHECK((f->decoder != &tp_decoder_none && f->decoder != &tp_decoder_v0) || f->minor == 0);
    if (f->decoder != &tp_decoder_v2)
        return;
    CHECK(f->header_bytes >= 16 && f->header_bytes <= TP_FORMAT_HEADER_MAX_BYTES);
    CHECK(f->header_bytes <= len_bytes);
    CHECK(memcmp(data, "go", 2) == 0);
    CHECK(memcmp(data + f->header_bytes - 8, "trace\0\0\0", 8) == 0);
    // What comes before the body decides alone.
    struct tp_format alone;
    CHECK(detect(data, f->header_bytes, false, &alone) == TP_FORMAT_KNOWN);
    CHECK(is_same(f, &alone));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes)
{
    struct tp_format whole, part;
    CHECK(detect(data, len_bytes, true, &whole) == TP_FORMAT_KNOWN);
    check_format(&whole, data, len_bytes);
    CHECK(whole.decoder == &tp_decoder_none || whole.foreign.what == NULL);
    // The detector names a file that is no trace once it has the bytes that show its kind.
    size_t head_bytes = whole.decoder == &tp_decoder_none ? TP_FOREIGN_HEAD_BYTES
                                                          : TP_FORMAT_HEADER_MAX_BYTES;
    bool was_told = false;
    for (size_t n = 0; n <= len_bytes && n <= head_bytes + 8; n++) {
        bool is_told = detect(data, n, false, &part) == TP_FORMAT_KNOWN;
        CHECK(is_told || !was_told);
        CHECK(!is_told || is_same(&part, &whole));
        CHECK(is_told || n < head_bytes);
        was_told = is_told;
        CHECK(detect(data, n, true, &part) == TP_FORMAT_KNOWN);
        CHECK(!is_told || is_same(&part, &whole));
    }
    return 0;
}
