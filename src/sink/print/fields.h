// Prints data that programs read. The same calls give either of two forms: a JSON document of
// nested objects and arrays; or, if the emitter has a form of CSV, rows, one for each value that is
// not an item of an array. A row has the cells that name the value, then the value:
//
//   JSON   {"trace":"a","events":3,"bytes":17}
//   CSV    a,events,,3      a,bytes,,17
//
// Keys are words of this program, written as they are. A key of NULL: an item of a JSON array, or
// the document. These functions put commas and line ends; the caller closes the objects and arrays
// that it opens. Errors stay in the emitter. One thread at a time uses an emitter.
#ifndef TP_SINK_PRINT_FIELDS_H
#define TP_SINK_PRINT_FIELDS_H

#include "base/time/wall.h"
#include "sink/print/emit.h"

// Open, or close, an object or array of JSON; in CSV they do nothing. `bracket` is '{' or '['.
// tp_fields_open_line begins a new line first.
void tp_fields_open(struct tp_emit *e, const char *key, char bracket);
void tp_fields_open_line(struct tp_emit *e, const char *key, char bracket);
void tp_fields_close(struct tp_emit *e, char bracket);
// Closes the object that is the document, and its line; another document may follow.
void tp_fields_end(struct tp_emit *e);
// Begins a new line of JSON, after a comma if one is needed; in CSV does nothing.
void tp_fields_line(struct tp_emit *e);

// Puts the name to which the following values belong. JSON: a field. CSV: the cell with the name in
// each of their rows; `name` is borrowed until the next name.
void tp_fields_name(struct tp_emit *e, const char *key, struct tp_span name);
// Puts a number in place of such a name, in digits, which are borrowed in the same way.
void tp_fields_number(struct tp_emit *e, const char *key, const char *number);
// Sets the cells before and after the name in rows of CSV, and clears the name. Borrows both texts
// until the next call.
void tp_fields_set_csv(struct tp_emit *e, const char *space, const char *kind);
// Puts a row of CSV up to its key.
void tp_fields_put_csv(struct tp_emit *e, const char *key);

// Put a value: in JSON a field, in CSV a row. Texts are quoted and escaped: in JSON by
// tp_emit_json_string, in CSV by tp_emit_csv_text.
void tp_field_wide(struct tp_emit *e, const char *key, tp_wide value);
// A number in millionths, as a decimal number with six places.
void tp_field_ppm(struct tp_emit *e, const char *key, uint64_t ppm);
void tp_field_i64(struct tp_emit *e, const char *key, int64_t value);
void tp_field_bool(struct tp_emit *e, const char *key, bool value);
void tp_field_span(struct tp_emit *e, const char *key, struct tp_span text);
void tp_field_text(struct tp_emit *e, const char *key, const char *text);
// Put a value that may be unknown; then JSON has null, and CSV no row.
void tp_field_known_wide(struct tp_emit *e, const char *key, bool is_known, tp_wide value);
void tp_field_known_i64(struct tp_emit *e, const char *key, bool is_known, int64_t value);
void tp_field_known_text(struct tp_emit *e, const char *key, bool is_known, const char *text);
void tp_field_known_span(struct tp_emit *e, const char *key, bool is_known, struct tp_span text);
void tp_field_known_ppm(struct tp_emit *e, const char *key, bool is_known, uint64_t ppm);
// Puts the value that is unknown.
void tp_field_unknown(struct tp_emit *e, const char *key);
// Puts a moment as two values that may be unknown: KEY_ns, nanoseconds of Unix time, and KEY, the
// same as RFC 3339 in UTC with nine digits. A moment that 64 bits of nanoseconds cannot hold is
// unknown.
void tp_field_known_wall(struct tp_emit *e, const char *key, bool is_known, struct tp_wall moment);
// Does the same for nanoseconds of Unix time; TP_NO_WALL_NS: unknown.
void tp_field_wall_ns(struct tp_emit *e, const char *key, int64_t wall_ns);
// Puts the field "error": {code, text}; null for code 0. CSV: a row with the text, for code 0 none.
void tp_field_error(struct tp_emit *e, const struct tp_error *error);

// Opens the object of an input, on its own line, and puts its fields "trace", "status"
// (TP_STATUS_*) and "complete". `path`, the name of the file, is the name to which the values belong (see
// tp_fields_name); this function and tp_fields_refused borrow it until the next name.
void tp_fields_open_input(struct tp_emit *e, const char *path, const char *status);
// Puts the whole object of a refused input: the same fields, and the error.
void tp_fields_refused(struct tp_emit *e, const char *path, const struct tp_error *why);

#endif
