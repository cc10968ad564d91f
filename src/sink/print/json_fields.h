// Fields of JSON objects, one after the other: each but the first of an object is behind a
// comma. The braces are the caller's.
#ifndef TP_SINK_PRINT_JSON_FIELDS_H
#define TP_SINK_PRINT_JSON_FIELDS_H

#include "sink/print/emit.h"

// "key": alone; the value is the caller's.
void tp_json_key(struct tp_emit *e, const char *key, bool is_first);

// The others are never the first.
void tp_json_u64(struct tp_emit *e, const char *key, uint64_t value);
void tp_json_bool(struct tp_emit *e, const char *key, bool value);
void tp_json_text(struct tp_emit *e, const char *key, const char *text);
// null for what is not known, and for 0.
void tp_json_known_i64(struct tp_emit *e, const char *key, bool is_known, int64_t value);
void tp_json_nonzero_u64(struct tp_emit *e, const char *key, uint64_t value);
// The begin of an input's object in an array with a line for each, and its first fields: file,
// status (TP_STATUS_*) and complete. The end is the caller's.
void tp_json_begin_input(struct tp_emit *e, const char *path, const char *status,
                         uint64_t file_idx);
// "error": {code, text}, or null for code 0.
void tp_json_error(struct tp_emit *e, const struct tp_error *error);

#endif
