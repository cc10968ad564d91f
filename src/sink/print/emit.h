// Buffers small pieces of text and writes them to a struct tp_out. After the first error all later
// calls do nothing, so the caller checks only tp_emit_end. An emitter uses no heap and lives on the
// caller's stack; one thread at a time.
#ifndef TP_SINK_PRINT_EMIT_H
#define TP_SINK_PRINT_EMIT_H

#include "base/wide.h"
#include "base/writer.h"

// An emitter. Borrows `out` and `err` from tp_emit_init to tp_emit_end.
struct tp_emit {
    struct tp_out *out;
    struct tp_error *err;
    int code;
    bool has_colour;
    bool guards_csv; // see tp_emit_csv_text; tp_emit_init sets it to true
    bool has_items;  // in the current list or level of JSON, items precede the next one
    bool has_spaces; // in JSON: after commas and colons
    // For table.h: the width for which tables are laid out, 0: any; and whether a table was too wide, so
    // that columns of it are left out.
    unsigned columns;
    bool leaves_out;
    // For fields.h: the form of rows of CSV; NULL: values are fields of JSON.
    const struct tp_csv_form {
        const char *after_key; // up to the value
        const char *row_end;
    } *csv;
    // The cells of a row of CSV before its key. First csv_space, if it is set; then csv_number, or
    // csv_name if there is no number; then csv_kind, if csv_space is set.
    const char *csv_space, *csv_number;
    struct tp_span csv_name, csv_kind;
    size_t len_bytes;
    unsigned char bytes[4096];
};

// Styles of text. Without has_colour no escape sequence is written. Colours are bold red and magenta,
// because the others of the eight that all terminals have are hard to read on a black or on a white
// ground: cyan on white, for instance, has a contrast of 2 to 1, these at least 3 on both.
// X(STYLE, escape sequence)
#define TP_STYLES(X)                                                                    \
    X(PLAIN, "\033[0m")                                                                 \
    X(TITLE, "\033[1m")                                                                 \
    X(BAR, "\033[35m")                                                                  \
    X(ALARM, "\033[1;31m")

enum tp_style {
#define TP_X(style, escape) TP_STYLE_##style,
    TP_STYLES(TP_X)
#undef TP_X
};

// Starts an empty emitter without colour. The first error goes to `err`.
void tp_emit_init(struct tp_emit *e, struct tp_out *out, struct tp_error *err);
// Appends bytes of any length.
void tp_emit_span(struct tp_emit *e, struct tp_span bytes);
// Changes the style until the next call.
void tp_emit_style(struct tp_emit *e, enum tp_style style);
// Appends a text, which ends with NUL.
void tp_emit_text(struct tp_emit *e, const char *text);
// Append a number in decimal digits.
void tp_emit_u64(struct tp_emit *e, uint64_t value);
void tp_emit_wide(struct tp_emit *e, tp_wide value);
void tp_emit_i64(struct tp_emit *e, int64_t value);
// Appends formatted text. One call must not produce more than 512 bytes.
void tp_emit_printf(struct tp_emit *e, const char *fmt, ...) TP_PRINTF(2, 3);
// Writes the buffered rest. Returns the code of the first error, or 0.
int tp_emit_end(struct tp_emit *e) TP_MUST_USE;

// Appends a comma, if `has_items`, and a key of JSON, and sets `has_items`; the caller appends the
// value. The key is a word of this program: it is short, and written without escapes. NULL: no key.
void tp_emit_json_key(struct tp_emit *e, const char *key);

// Appends `bytes` as a JSON string with its quotes, as tp_json_put writes it.
void tp_emit_json_string(struct tp_emit *e, struct tp_span bytes);

// Appends UTF-8 as a JSON string, as Go's encoding/json writes it without SetEscapeHTML.
void tp_emit_go_json_string(struct tp_emit *e, struct tp_span utf8);

// Appends `bytes` between double quotes, as Go's %q writes them.
void tp_emit_quoted(struct tp_emit *e, struct tp_span bytes);

// Appends a file name, or words about it: unchanged, or quoted if they would disturb a terminal.
void tp_emit_path(struct tp_emit *e, const char *path);

// Status of an input: read to its end without damage; read with damage or not to its end; or not
// read at all.
#define TP_STATUS_COMPLETE "complete"
#define TP_STATUS_DAMAGED "damaged"
#define TP_STATUS_REFUSED "refused"

// Appends text as a field of RFC 4180, in quotes if it needs them; its bytes are otherwise
// unchanged. Names of files and functions are untrusted: if `guards_csv`, text that a spreadsheet
// would take for a formula (it begins with = + - @, a tab or an end of line) gets an apostrophe in
// front. Not for numbers.
void tp_emit_csv_text(struct tp_emit *e, struct tp_span bytes);

// Appends text inside a field that the caller puts in quotes.
void tp_emit_csv_inside(struct tp_emit *e, struct tp_span bytes);

// Appends an apostrophe if tp_emit_csv_text would put one in front of `bytes`. For callers that
// compose a field that begins with `bytes`.
void tp_emit_csv_guard(struct tp_emit *e, struct tp_span bytes);

#endif
