#include "decode/foreign.h"

#include <strings.h>

#include "base/text/quote.h"

// Bytes that files of a kind have at an offset. Compression that the program takes off (gzip, zstd)
// is not among them.
static const struct {
    size_t offset;
    const char *bytes;
    size_t len_bytes;
    const char *what;
} magics[] = {
#define MAGIC(offset, bytes, what)                                                                 \
    {                                                                                              \
        offset, bytes, sizeof(bytes) - 1, what                                                     \
    }
    MAGIC(0, "\177ELF", "an ELF file (program, library or core)"),
    MAGIC(257, "ustar", "a tar archive"),
    MAGIC(0, "PK\3\4", "a zip archive"),
    MAGIC(0, "PK\5\6", "a zip archive"),
    MAGIC(0,
          "\xfd"
          "7zXZ",
          "xz-compressed data"),
    MAGIC(4, "1AY&SY", "bzip2-compressed data"),
    MAGIC(0, "7z\xbc\xaf\x27\x1c", "a 7z archive"),
    MAGIC(0, "\x04\x22\x4d\x18", "lz4-compressed data"),
    MAGIC(0, "go1.7 heap dump", "a Go heap dump"),
    MAGIC(0, "!<arch>\n", "an ar archive"),
    MAGIC(0, "PERFILE2", "a file of perf record"),
    MAGIC(0, "SQLite format 3", "an SQLite database"),
    MAGIC(0, "%PDF-", "a PDF document"),
    MAGIC(0, "\x89PNG", "a PNG picture"),
    MAGIC(0, "\xff\xd8\xff", "a JPEG picture"),
    MAGIC(78, "This program cannot be run in DOS mode", "a Windows program"),
    MAGIC(0, "\xcf\xfa\xed\xfe", "a Mach-O file"),
    MAGIC(0, "\xca\xfe\xba\xbe", "a Mach-O or Java class file"),
    MAGIC(0, "\0asm", "a WebAssembly module"),
#undef MAGIC
};

static const char *kind_of_magic(struct tp_span head)
{
    for (size_t i = 0; i < TP_ARRAY_LEN(magics); i++) {
        size_t end = magics[i].offset + magics[i].len_bytes;
        if (end <= head.len_bytes &&
            memcmp(head.ptr + magics[i].offset, magics[i].bytes, magics[i].len_bytes) == 0)
            return magics[i].what;
    }
    return NULL;
}

static const char pprof[] = "a pprof profile";

// Skips a field of a protocol buffer that is a varint. Returns false if the text begins otherwise.
static bool skip_number(struct tp_span *rest, unsigned char tag)
{
    size_t len_bytes = 1;
    if (rest->len_bytes == 0 || rest->ptr[0] != tag)
        return false;
    while (len_bytes < rest->len_bytes && rest->ptr[len_bytes] >= 0x80)
        len_bytes++;
    *rest = tp_span_skip(*rest, len_bytes < rest->len_bytes ? len_bytes + 1 : len_bytes);
    return true;
}

// Skips a field of the type ValueType, whose own fields are the numbers of two strings, small ones
// because the strings are the first of the profile. Returns false if the text begins otherwise.
static bool skip_value_type(struct tp_span *rest, unsigned char tag)
{
    const unsigned char *p = rest->ptr;
    if (rest->len_bytes < 6 || p[0] != tag || p[1] != 4 || p[2] != 0x08 || p[4] != 0x10)
        return false;
    *rest = tp_span_skip(*rest, 6);
    return true;
}

// Whether it is a profile of pprof, which is an encoded protocol buffer without a magic number.
// Go's runtime begins with the time, or with type and length of the period, the library of pprof
// with the types of values. Another field follows these in both: a number or bytes.
static bool is_pprof(struct tp_span head)
{
    enum { SAMPLE_TYPE = 0x0a, TIME = 0x48, PERIOD_TYPE = 0x5a, PERIOD = 0x60, LAST = 0x7a };
    skip_number(&head, TIME);
    skip_value_type(&head, PERIOD_TYPE);
    skip_number(&head, PERIOD);
    bool has_type = false;
    while (skip_value_type(&head, SAMPLE_TYPE))
        has_type = true;
    unsigned char next = head.len_bytes > 0 ? head.ptr[0] : 0;
    return has_type && next > SAMPLE_TYPE && next <= LAST && (next % 8 == 0 || next % 8 == 2);
}

// Whether it is a CPU profile in the form that Go up to 1.8 and gperftools write: words of the
// machine, the numbers 0, 3 and 0, then the period.
static bool is_old_cpu_profile(struct tp_span head)
{
    static const unsigned char words64[24] = {[8] = 3}, words32[12] = {[4] = 3};
    return (head.len_bytes > sizeof words64 && memcmp(head.ptr, words64, sizeof words64) == 0) ||
           (head.len_bytes > sizeof words32 && memcmp(head.ptr, words32, sizeof words32) == 0);
}

static struct tp_span without_blanks(struct tp_span text)
{
    size_t len_bytes;
    while (text.len_bytes > 0 && tp_rune_is_space(tp_rune_decode(text, &len_bytes)))
        text = tp_span_skip(text, len_bytes);
    return text;
}

// Whether the first line with anything in it can be shown, and no byte is zero.
static bool is_text(struct tp_span head)
{
    struct tp_span rest = without_blanks(head);
    if (rest.len_bytes == 0)
        return head.len_bytes > 0;
    bool shows = memchr(head.ptr, '\0', head.len_bytes) == NULL;
    while (shows && rest.len_bytes > 0 && rest.ptr[0] != '\n') {
        size_t len_bytes;
        uint32_t rune = tp_rune_decode(rest, &len_bytes);
        // The head may end inside a rune, which begins with a byte from 0xc2 on.
        bool is_cut = head.len_bytes >= TP_FOREIGN_HEAD_BYTES - 3 && rest.len_bytes < 4 &&
                      rest.ptr[0] >= 0xc2;
        shows = tp_rune_is_space(rune) || tp_rune_shows(rest, &len_bytes) || is_cut;
        rest = tp_span_skip(rest, len_bytes);
    }
    return shows;
}

static bool begins_with(struct tp_span text, const char *word)
{
    size_t word_bytes = strlen(word);
    return text.len_bytes >= word_bytes &&
           strncasecmp((const char *)text.ptr, word, word_bytes) == 0;
}

// Returns the rest of the text after the first occurrence of `word`; empty: there is none.
static struct tp_span after(struct tp_span text, const char *word)
{
    while (text.len_bytes > 0 && !begins_with(text, word))
        text = tp_span_skip(text, 1);
    return text.len_bytes > 0 ? tp_span_skip(text, strlen(word)) : text;
}

// Copies the text up to a line's end or `stop`, with blanks for all white space. If it is too long
// for `to`, cuts it between two runes and adds "...".
static void copy_words(char to[static TP_FOREIGN_WORDS_BYTES], struct tp_span text, char stop)
{
    static const char more[] = "...";
    size_t used_bytes = 0, len_bytes;
    while (text.len_bytes > 0 && text.ptr[0] != '\n' && text.ptr[0] != '\r' &&
           text.ptr[0] != (unsigned char)stop) {
        uint32_t rune = tp_rune_decode(text, &len_bytes);
        if (!tp_rune_is_space(rune) && !tp_rune_shows(text, &len_bytes))
            break;
        if (used_bytes + len_bytes + sizeof more > TP_FOREIGN_WORDS_BYTES) {
            memcpy(to + used_bytes, more, sizeof more);
            return;
        }
        struct tp_span piece =
            tp_rune_is_space(rune) ? tp_span_of_text(" ") : tp_span_of(text.ptr, len_bytes);
        memcpy(to + used_bytes, piece.ptr, piece.len_bytes);
        used_bytes += piece.len_bytes;
        text = tp_span_skip(text, len_bytes);
    }
    to[used_bytes] = '\0';
}

static bool is_html(struct tp_span text)
{
    static const char *const tags[] = {"<html", "<head", "<title", "<body"};
    bool found = begins_with(text, "<!doctype html");
    for (size_t i = 0; i < TP_ARRAY_LEN(tags) && begins_with(text, "<") && !found; i++)
        found = after(text, tags[i]).len_bytes > 0;
    return found;
}

// Whether the text begins as a JSON object, or as an array of objects, arrays or strings does.
static bool is_json(struct tp_span text)
{
    bool is_array = begins_with(text, "[");
    if (!is_array && !begins_with(text, "{"))
        return false;
    struct tp_span inner = without_blanks(tp_span_skip(text, 1));
    return begins_with(inner, "\"") || begins_with(inner, is_array ? "{" : "}") ||
           (is_array && (begins_with(inner, "[") || begins_with(inner, "]")));
}

// Whether it is a profile as Go's runtime writes it for people.
static bool is_text_pprof(struct tp_span text)
{
    static const char *const heads[] = {"heap profile: ", "goroutine profile: total ",
                                        "threadcreate profile: total ", "--- contention:",
                                        "--- mutex:"};
    bool found = false;
    for (size_t i = 0; i < TP_ARRAY_LEN(heads) && !found; i++)
        found = begins_with(text, heads[i]);
    return found;
}

static struct tp_foreign text_of(struct tp_span head)
{
    struct tp_foreign f = {.what = "text"};
    struct tp_span text = without_blanks(head);
    if (is_html(text)) {
        f.what = "an HTML page";
        copy_words(f.words, without_blanks(after(text, "<title>")), '<');
        return f;
    }
    if (is_json(text))
        f.what = "JSON";
    else if (begins_with(text, "<?xml") || begins_with(text, "<svg"))
        f.what = "XML";
    else if (is_text_pprof(text))
        f.what = pprof;
    copy_words(f.words, text, '\0');
    return f;
}

struct tp_foreign tp_foreign_of(struct tp_span head)
{
    if (head.len_bytes > TP_FOREIGN_HEAD_BYTES)
        head.len_bytes = TP_FOREIGN_HEAD_BYTES;
    static const char mark[] = "\xef\xbb\xbf"; // of UTF-8, which some programs put before text
    if (begins_with(head, mark))
        head = tp_span_skip(head, strlen(mark));
    struct tp_foreign f = {.what = kind_of_magic(head)};
    if (f.what == NULL && (is_pprof(head) || is_old_cpu_profile(head)))
        f.what = pprof;
    return f.what == NULL && is_text(head) ? text_of(head) : f;
}
