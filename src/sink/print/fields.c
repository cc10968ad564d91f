#include "sink/print/fields.h"

#include <inttypes.h>

#include <stdio.h>

// STRUCTURE

void tp_fields_open(struct tp_emit *e, const char *key, char bracket)
{
    if (e->csv != NULL)
        return;
    tp_emit_json_key(e, key);
    tp_emit_span(e, tp_span_of(&bracket, 1));
    e->has_items = false;
}

void tp_fields_line(struct tp_emit *e)
{
    if (e->csv != NULL)
        return;
    tp_emit_text(e, e->has_items ? ",\n" : "\n");
    e->has_items = false;
}

void tp_fields_open_line(struct tp_emit *e, const char *key, char bracket)
{
    tp_fields_line(e);
    tp_fields_open(e, key, bracket);
}

void tp_fields_close(struct tp_emit *e, char bracket)
{
    if (e->csv != NULL)
        return;
    tp_emit_text(e, bracket == '{' ? "}" : "]");
    e->has_items = true;
}

void tp_fields_end(struct tp_emit *e)
{
    tp_fields_close(e, '{');
    tp_emit_text(e, "\n");
    e->has_items = false;
}

// NAMES

void tp_fields_name(struct tp_emit *e, const char *key, struct tp_span name)
{
    e->csv_name = name;
    if (e->csv == NULL)
        tp_field_span(e, key, name);
}

// Puts a field of JSON whose value is `value` as it is; in CSV does nothing.
static void put_json(struct tp_emit *e, const char *key, const char *value)
{
    if (e->csv != NULL)
        return;
    tp_emit_json_key(e, key);
    tp_emit_text(e, value);
}

void tp_fields_number(struct tp_emit *e, const char *key, const char *number)
{
    e->csv_number = number;
    put_json(e, key, number);
}

void tp_fields_set_csv(struct tp_emit *e, const char *space, const char *kind)
{
    e->csv_space = space;
    e->csv_name = tp_span_of("", 0);
    e->csv_number = NULL;
    e->csv_kind = tp_span_of_text(kind);
}

void tp_fields_put_csv(struct tp_emit *e, const char *key)
{
    if (e->csv_space != NULL) {
        tp_emit_text(e, e->csv_space);
        tp_emit_text(e, ",");
    }
    if (e->csv_number != NULL)
        tp_emit_text(e, e->csv_number);
    else
        tp_emit_csv_text(e, e->csv_name);
    tp_emit_text(e, ",");
    if (e->csv_space != NULL) {
        tp_emit_csv_text(e, e->csv_kind);
        tp_emit_text(e, ",");
    }
    tp_emit_text(e, key);
}

// VALUES

static void begin(struct tp_emit *e, const char *key)
{
    if (e->csv == NULL) {
        tp_emit_json_key(e, key);
        return;
    }
    tp_fields_put_csv(e, key);
    tp_emit_text(e, e->csv->after_key);
}

static void put_bool(struct tp_emit *e, bool value)
{
    if (e->csv != NULL)
        tp_emit_text(e, value ? "yes" : "no");
    else
        tp_emit_text(e, value ? "true" : "false");
}

static void put_span(struct tp_emit *e, struct tp_span text)
{
    if (e->csv != NULL)
        tp_emit_csv_text(e, text);
    else
        tp_emit_json_string(e, text);
}

static void put_ppm(struct tp_emit *e, uint64_t ppm)
{
    tp_emit_printf(e, "%" PRIu64 ".%06" PRIu64, ppm / 1000000, ppm % 1000000);
}

#define FIELD(name, type, put)                                                          \
    void tp_field_##name(struct tp_emit *e, const char *key, type value)                \
    {                                                                                   \
        begin(e, key);                                                                  \
        put(e, value);                                                                  \
        if (e->csv != NULL)                                                             \
            tp_emit_text(e, e->csv->row_end);                                           \
    }
FIELD(wide, tp_wide, tp_emit_wide)
FIELD(ppm, uint64_t, put_ppm)
FIELD(i64, int64_t, tp_emit_i64)
FIELD(bool, bool, put_bool)
FIELD(span, struct tp_span, put_span)

void tp_field_text(struct tp_emit *e, const char *key, const char *text)
{
    tp_field_span(e, key, tp_span_of_text(text));
}

void tp_field_unknown(struct tp_emit *e, const char *key)
{
    put_json(e, key, "null");
}

#define KNOWN_FIELD(name, type)                                                                    \
    void tp_field_known_##name(struct tp_emit *e, const char *key, bool is_known, type value)      \
    {                                                                                              \
        if (is_known)                                                                              \
            tp_field_##name(e, key, value);                                                        \
        else                                                                                       \
            tp_field_unknown(e, key);                                                              \
    }
KNOWN_FIELD(wide, tp_wide)
KNOWN_FIELD(i64, int64_t)
KNOWN_FIELD(text, const char *)
KNOWN_FIELD(span, struct tp_span)
KNOWN_FIELD(ppm, uint64_t)

void tp_field_known_wall(struct tp_emit *e, const char *key, bool is_known, struct tp_wall moment)
{
    char name[48];
    int64_t ns = 0;
    is_known = is_known && tp_wall_ns(moment, &ns);
    snprintf(name, sizeof name, "%s_ns", key);
    tp_field_known_i64(e, name, is_known, ns);
    tp_field_known_text(e, key, is_known, tp_wall_text(moment, 9, NULL).text);
}

void tp_field_wall_ns(struct tp_emit *e, const char *key, int64_t wall_ns)
{
    bool is_known = wall_ns != TP_NO_WALL_NS;
    tp_field_known_wall(e, key, is_known, tp_wall_at(is_known ? wall_ns : 0));
}

void tp_field_error(struct tp_emit *e, const struct tp_error *error)
{
    if (e->csv != NULL || error->code == 0) {
        tp_field_known_text(e, "error", error->code != 0, tp_error_words(error));
        return;
    }
    tp_fields_open(e, "error", '{');
    tp_field_i64(e, "code", error->code);
    tp_field_text(e, "text", tp_error_words(error));
    tp_fields_close(e, '{');
}

void tp_fields_open_input(struct tp_emit *e, const char *path, const char *status)
{
    tp_fields_open_line(e, NULL, '{');
    tp_fields_name(e, "trace", tp_span_of_text(path));
    tp_field_text(e, "status", status);
    tp_field_bool(e, "complete", strcmp(status, TP_STATUS_COMPLETE) == 0);
}

void tp_fields_refused(struct tp_emit *e, const char *path, const struct tp_error *why)
{
    tp_fields_open_input(e, path, TP_STATUS_REFUSED);
    tp_field_error(e, why);
    tp_fields_close(e, '{');
}
