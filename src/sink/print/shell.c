#include "sink/print/shell.h"

#include <stdio.h>
#include <string.h>

#include "base/text/quote.h"

// How a word is written.
enum form { FORM_PLAIN, FORM_QUOTED, FORM_ESCAPED };

static bool is_plain(unsigned char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || (byte != '\0' && strchr("_./:=,+@%-", byte) != NULL);
}

static enum form form_of(struct tp_span word)
{
    enum form form = word.len_bytes > 0 ? FORM_PLAIN : FORM_QUOTED;
    while (word.len_bytes > 0) {
        size_t len_bytes;
        if (!tp_rune_shows(word, &len_bytes))
            return FORM_ESCAPED;
        if (len_bytes > 1 || !is_plain(word.ptr[0]))
            form = FORM_QUOTED;
        word = tp_span_skip(word, len_bytes);
    }
    return form;
}

// Puts one rune, or byte that is none, in the form. Returns its columns.
static unsigned put_rune(struct tp_emit *e, struct tp_span rune, enum form form,
                         tp_shell_put_fn *put)
{
    char text[32] = "";
    size_t len_bytes;
    bool shows = tp_rune_shows(rune, &len_bytes), is_quote = rune.ptr[0] == '\'';
    if (form == FORM_ESCAPED && (is_quote || rune.ptr[0] == '\\'))
        snprintf(text, sizeof text, "\\%c", rune.ptr[0]);
    else if (form == FORM_QUOTED && is_quote)
        snprintf(text, sizeof text, "'\\''");
    for (size_t i = 0; i < rune.len_bytes && !shows; i++)
        snprintf(text + 4 * i, sizeof text - 4 * i, "\\%03o", rune.ptr[i]);
    put(e, text[0] != '\0' ? tp_span_of_text(text) : rune);
    return text[0] != '\0' ? (unsigned)strlen(text) : 1;
}

static unsigned put_word(struct tp_emit *e, struct tp_span word, tp_shell_put_fn *put)
{
    static const char *const begins[] = {"", "'", "$'"}, *const ends[] = {"", "'", "'"};
    enum form form = form_of(word);
    unsigned columns = (unsigned)(strlen(begins[form]) + strlen(ends[form]));
    put(e, tp_span_of_text(begins[form]));
    while (word.len_bytes > 0) {
        size_t len_bytes;
        tp_rune_decode(word, &len_bytes);
        columns += put_rune(e, tp_span_of(word.ptr, len_bytes), form, put);
        word = tp_span_skip(word, len_bytes);
    }
    put(e, tp_span_of_text(ends[form]));
    return columns;
}

void tp_shell_put(struct tp_emit *e, struct tp_span word, tp_shell_put_fn *put)
{
    (void)put_word(e, word, put);
}

static bool needs_dot(struct tp_span path)
{
    return path.len_bytes > 1 && path.ptr[0] == '-'; // "-" is the standard input
}

void tp_shell_put_path(struct tp_emit *e, struct tp_span path, tp_shell_put_fn *put)
{
    if (needs_dot(path))
        put(e, tp_span_of_text("./"));
    tp_shell_put(e, path, put);
}

bool tp_shell_can_read(struct tp_span path)
{
    return !tp_span_is(path, "-") && !tp_span_is(path, "/dev/stdin") &&
           !tp_span_begins_with(path, "/dev/fd/") && !tp_span_begins_with(path, "/proc/self/fd/");
}

static void put_nothing(struct tp_emit *e, struct tp_span bytes)
{
    (void)e, (void)bytes;
}

unsigned tp_shell_path_columns(struct tp_span path)
{
    return put_word(NULL, path, put_nothing) + (needs_dot(path) ? 2 : 0);
}

void tp_shell_put_in_json(struct tp_emit *e, struct tp_span bytes)
{
    for (size_t i = 0; i < bytes.len_bytes; i++) {
        if (bytes.ptr[i] == '"' || bytes.ptr[i] == '\\')
            tp_emit_text(e, "\\");
        tp_emit_span(e, tp_span_of(&bytes.ptr[i], 1));
    }
}
