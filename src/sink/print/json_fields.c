#include "sink/print/json_fields.h"

void tp_json_key(struct tp_emit *e, const char *key, bool is_first)
{
    tp_emit_text(e, is_first ? "\"" : ",\"");
    tp_emit_text(e, key);
    tp_emit_text(e, "\":");
}

void tp_json_u64(struct tp_emit *e, const char *key, uint64_t value)
{
    tp_json_key(e, key, false);
    tp_emit_u64(e, value);
}

void tp_json_bool(struct tp_emit *e, const char *key, bool value)
{
    tp_json_key(e, key, false);
    tp_emit_text(e, value ? "true" : "false");
}

void tp_json_text(struct tp_emit *e, const char *key, const char *text)
{
    tp_json_key(e, key, false);
    tp_emit_json_string(e, tp_span_of(text, strlen(text)));
}

void tp_json_known_i64(struct tp_emit *e, const char *key, bool is_known, int64_t value)
{
    tp_json_key(e, key, false);
    if (is_known)
        tp_emit_i64(e, value);
    else
        tp_emit_text(e, "null");
}

void tp_json_nonzero_u64(struct tp_emit *e, const char *key, uint64_t value)
{
    tp_json_key(e, key, false);
    if (value != 0)
        tp_emit_u64(e, value);
    else
        tp_emit_text(e, "null");
}

void tp_json_begin_input(struct tp_emit *e, const char *path, const char *status,
                         uint64_t file_idx)
{
    tp_emit_text(e, file_idx == 0 ? "\n{" : ",\n{");
    tp_json_key(e, "file", true);
    tp_emit_json_string(e, tp_span_of(path, strlen(path)));
    tp_json_text(e, "status", status);
    tp_json_bool(e, "complete", strcmp(status, TP_STATUS_COMPLETE) == 0);
}

void tp_json_error(struct tp_emit *e, const struct tp_error *error)
{
    tp_json_key(e, "error", false);
    if (error->code == 0) {
        tp_emit_text(e, "null");
        return;
    }
    tp_emit_printf(e, "{\"code\":%d", error->code);
    tp_json_text(e, "text", tp_error_words(error));
    tp_emit_text(e, "}");
}
