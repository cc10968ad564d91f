// Prints the fields of JSON objects, with a comma before each but the first of an object. The
// caller prints the braces.
#ifndef TP_SINK_PRINT_JSON_FIELDS_H
#define TP_SINK_PRINT_JSON_FIELDS_H

#include "sink/print/emit.h"

// "key": alone; the caller prints the value.
void tp_json_key(struct tp_emit *e, const char *key, bool is_first);

// These must not be the first field of an object.
void tp_json_u64(struct tp_emit *e, const char *key, uint64_t value);
void tp_json_bool(struct tp_emit *e, const char *key, bool value);
void tp_json_text(struct tp_emit *e, const char *key, const char *text);
// null if the value is not known, or, in the second, if it is 0.
void tp_json_known_i64(struct tp_emit *e, const char *key, bool is_known, int64_t value);
void tp_json_nonzero_u64(struct tp_emit *e, const char *key, uint64_t value);
// Begins the object of an input, on its own line of an array, and prints its first fields: file,
// status (TP_STATUS_*) and complete. The caller ends the object.
void tp_json_begin_input(struct tp_emit *e, const char *path, const char *status,
                         uint64_t file_idx);
// "error": {code, text}, or null for code 0.
void tp_json_error(struct tp_emit *e, const struct tp_error *error);

#endif
