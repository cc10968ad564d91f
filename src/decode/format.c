#include "decode/format.h"

#include "base/text/quote.h"
#include "decode/decoder.h"
#include "decode/spec.h"

// Go reads the header with fmt.Fscanf("go 1.%d trace\x00\x00\x00"). The code below makes the same
// scan: literals match themselves, a blank matches one or more white-space runes but no newline, %d
// skips blanks and reads a decimal below 2^32.

// Fewer bytes are not taken for a part of a header: "go".
#define HEADER_PART_BYTES 3

enum match { MATCH_YES, MATCH_NO, MATCH_MORE };

struct scanner {
    struct tp_span rest;
    bool at_end;
};

static enum match literal(struct scanner *s, const char *text, size_t len_bytes)
{
    for (size_t i = 0; i < len_bytes; i++) {
        if (s->rest.len_bytes == 0)
            return s->at_end ? MATCH_NO : MATCH_MORE;
        if (s->rest.ptr[0] != (unsigned char)text[i])
            return MATCH_NO;
        s->rest = tp_span_skip(s->rest, 1);
    }
    return MATCH_YES;
}

// Skips white space; *ret_count is the number of runes skipped.
static enum match blanks(struct scanner *s, size_t *ret_count)
{
    *ret_count = 0;
    for (;;) {
        // The present bytes may end inside a rune.
        if (s->rest.len_bytes < 4 && !s->at_end)
            return MATCH_MORE;
        if (s->rest.len_bytes == 0)
            return MATCH_YES;
        size_t rune_bytes;
        uint32_t rune = tp_rune_decode(s->rest, &rune_bytes);
        if (!tp_rune_is_space(rune))
            return MATCH_YES;
        if (rune == '\n')
            return MATCH_NO;
        s->rest = tp_span_skip(s->rest, rune_bytes);
        ++*ret_count;
    }
}

static enum match blank(struct scanner *s)
{
    size_t count;
    enum match m = blanks(s, &count);
    return m == MATCH_YES && count == 0 ? MATCH_NO : m;
}

static enum match number(struct scanner *s, uint32_t *ret_value)
{
    size_t skipped;
    enum match m = blanks(s, &skipped);
    if (m != MATCH_YES)
        return m;
    uint64_t value = 0;
    size_t digits = 0;
    for (;; digits++) {
        if (s->rest.len_bytes == 0) {
            if (!s->at_end)
                return MATCH_MORE;
            break;
        }
        unsigned digit = s->rest.ptr[0] - (unsigned)'0';
        if (digit > 9)
            break;
        value = value * 10 + digit;
        if (value > UINT32_MAX)
            return MATCH_NO;
        s->rest = tp_span_skip(s->rest, 1);
    }
    *ret_value = (uint32_t)value;
    return digits > 0 ? MATCH_YES : MATCH_NO;
}

static const struct tp_decoder *decoder_of(uint32_t minor)
{
    if (tp_version_is_v2(minor))
        return &tp_decoder_v2;
    return minor != 0 && tp_v1_table(minor) != NULL ? &tp_decoder_v1 : &tp_decoder_unknown;
}

static enum match header(struct scanner *s, uint32_t *ret_minor)
{
    enum match m = literal(s, "go", 2);
    if (m == MATCH_YES)
        m = blank(s);
    if (m == MATCH_YES)
        m = literal(s, "1.", 2);
    if (m == MATCH_YES)
        m = number(s, ret_minor);
    if (m == MATCH_YES)
        m = blank(s);
    if (m == MATCH_YES)
        m = literal(s, "trace\0\0\0", 8);
    // The runtimes of these releases also filled the header with zeros to sixteen bytes.
    if (m == MATCH_YES && *ret_minor < 10 && decoder_of(*ret_minor) == &tp_decoder_v1)
        m = literal(s, "", 1);
    return m;
}

// Detects headers that are the same in every file of their kind.
static enum match fixed_header(const struct scanner *from, struct tp_format *ret_format)
{
    static const struct {
        const char *text;
        size_t len_bytes;
        const struct tp_decoder *decoder;
    } headers[] = {
        {TP_FORMAT_V0_MAGIC, TP_FORMAT_V0_MAGIC_BYTES, &tp_decoder_v0},
        {TP_FORMAT_STATE_MAGIC, TP_FORMAT_STATE_MAGIC_BYTES, &tp_decoder_state},
    };
    for (size_t i = 0; i < TP_ARRAY_LEN(headers); i++) {
        struct scanner s = *from;
        enum match m = literal(&s, headers[i].text, headers[i].len_bytes);
        if (m == MATCH_YES)
            *ret_format = (struct tp_format){.decoder = headers[i].decoder,
                                             .header_bytes = headers[i].len_bytes};
        if (m != MATCH_NO)
            return m;
    }
    return MATCH_NO;
}

enum tp_format_verdict tp_format_detect(struct tp_span head, bool at_end,
                                        struct tp_format *ret_format)
{
    *ret_format = (struct tp_format){.decoder = &tp_decoder_none};
    struct scanner s = {head, at_end};
    if (head.len_bytes >= TP_FORMAT_HEADER_MAX_BYTES)
        s = (struct scanner){tp_span_of(head.ptr, TP_FORMAT_HEADER_MAX_BYTES), true};
    enum match m = fixed_header(&s, ret_format);
    if (m != MATCH_NO)
        return m == MATCH_YES ? TP_FORMAT_KNOWN : TP_FORMAT_MORE;

    uint32_t minor = 0;
    m = header(&s, &minor);
    if (m == MATCH_MORE)
        return TP_FORMAT_MORE;
    if (m == MATCH_YES) {
        *ret_format = (struct tp_format){.decoder = decoder_of(minor),
                                         .minor = minor,
                                         .header_bytes = (size_t)(s.rest.ptr - head.ptr)};
        return TP_FORMAT_KNOWN;
    }
    if (head.len_bytes < TP_FOREIGN_HEAD_BYTES && !at_end)
        return TP_FORMAT_MORE;
    struct scanner more = {head, false};
    if (head.len_bytes >= HEADER_PART_BYTES && header(&more, &minor) == MATCH_MORE)
        ret_format->foreign.what = "the beginning of a trace's header";
    else
        ret_format->foreign = tp_foreign_of(head);
    return TP_FORMAT_KNOWN;
}
