// Prints data for programs from one piece of code in two forms: as a JSON document, of objects and
// arrays that nest; or, if the emitter has a form of CSV, as a row for each value that is not an
// item, with what names it in front:
//
//   JSON   {"file":"a","events":3,"bytes":17}
//   CSV    a,events,,3      a,bytes,,17
//
// Keys are words of this program, written as they are. A key of NULL: an item of a JSON array, or
// the document. Commas and line ends are put here; whoever opens an object or array closes it.
#ifndef TP_SINK_PRINT_FIELDS_H
#define TP_SINK_PRINT_FIELDS_H

#include "sink/print/emit.h"

// JSON only; CSV: nothing. `bracket` is '{' or '['. A line: begins a line before it.
void tp_fields_open(struct tp_emit *e, const char *key, char bracket);
void tp_fields_open_line(struct tp_emit *e, const char *key, char bracket);
void tp_fields_close(struct tp_emit *e, char bracket);
// Closes the object that is the document, and its line; another document may follow.
void tp_fields_end(struct tp_emit *e);
void tp_fields_line(struct tp_emit *e);
// The comma, if one is needed, and the key; the caller prints the value.
void tp_fields_key(struct tp_emit *e, const char *key);

// What the following values are of. JSON: a field. CSV: the name in front of their rows.
void tp_fields_name(struct tp_emit *e, const char *key, struct tp_span name);
// The same of a number, in digits, which are the caller's.
void tp_fields_number(struct tp_emit *e, const char *key, const char *number);
// CSV only: the cells in front of the name and behind it, and no name; a row up to its key.
void tp_fields_set_csv(struct tp_emit *e, const char *space, const char *kind);
void tp_fields_put_csv(struct tp_emit *e, const char *key);

// Values. A text of JSON is as tp_emit_json_string writes it, of CSV as tp_emit_csv_text does.
void tp_field_wide(struct tp_emit *e, const char *key, tp_wide value);
void tp_field_i64(struct tp_emit *e, const char *key, int64_t value);
void tp_field_bool(struct tp_emit *e, const char *key, bool value);
void tp_field_span(struct tp_emit *e, const char *key, struct tp_span text);
void tp_field_text(struct tp_emit *e, const char *key, const char *text);
// If the value is not known: JSON: null. CSV: no row.
void tp_field_known_wide(struct tp_emit *e, const char *key, bool is_known, tp_wide value);
void tp_field_known_i64(struct tp_emit *e, const char *key, bool is_known, int64_t value);
void tp_field_known_text(struct tp_emit *e, const char *key, bool is_known, const char *text);
// "error": {code, text}; for code 0 not known. CSV: the text.
void tp_field_error(struct tp_emit *e, const struct tp_error *error);

// Opens the object of an input, on its own line: file, status (TP_STATUS_*) and complete.
void tp_fields_open_input(struct tp_emit *e, const char *path, const char *status);
// All of an input that was refused: the same, and the error.
void tp_fields_refused(struct tp_emit *e, const char *path, const struct tp_error *why);

#endif
