#include "decode/spec_v1.h"

#include <pthread.h>
#include <string.h>

// The minor release of the format, that of Go 1.5 and 1.6, whose events have a sequence number.
#define SEQUENCED_MINOR 5

const char *const tp_v1_type_names[TP_V1_CODES] = {
#define TP_V1_TYPE(code, name, kind) [code] = #name,
#include "decode/events_v1.def"
};

const uint8_t tp_v1_type_kinds[TP_V1_CODES] = {
#define TP_V1_TYPE(code, name, kind) [code] = TP_V1_KIND_##kind,
#include "decode/events_v1.def"
};

static const struct form_row {
    uint8_t code;
    uint8_t first, last;
    uint8_t arg_count;
    const char *args[TP_V1_MAX_ARGS];
} rows[] = {
#define TP_X(event, arg) #arg,
#define TP_V1_FORM(name, from, to, ...)      \
    {.code = TP_V1_##name,                   \
     .first = (from),                        \
     .last = (to),                           \
     .arg_count = TP_COUNT(__VA_ARGS__),     \
     .args = {TP_EACH(TP_X, name, __VA_ARGS__)}},
#include "decode/events_v1.def"
#undef TP_X
};

// The tables of all versions, computed once from the rows, then constant.
static struct tp_v1_table tables[TP_V1_VERSIONS];
static pthread_once_t tables_once = PTHREAD_ONCE_INIT;

static struct tp_v1_form form_of(const struct tp_v1_table *t, const struct form_row *row)
{
    static const char *const prefix[] = {"dseq", "dt"};
    struct tp_v1_form f = {.name = tp_v1_type_names[row->code],
                           .kind = tp_v1_type_kinds[row->code]};
    if (tp_v1_type_is_timed(row->code)) {
        for (; f.arg_count < t->prefix_count; f.arg_count++)
            f.args[f.arg_count] = prefix[TP_ARRAY_LEN(prefix) - t->prefix_count + f.arg_count];
    }
    for (unsigned i = 0; i < row->arg_count; i++)
        f.args[f.arg_count++] = row->args[i];
    f.has_stack = row->arg_count > 0 && strcmp(row->args[row->arg_count - 1], "stack") == 0;
    f.text_arg_count = (uint8_t)(row->arg_count - f.has_stack);
    return f;
}

static void make_tables(void)
{
    for (size_t v = 0; v < TP_V1_VERSIONS; v++) {
        struct tp_v1_table *t = &tables[v];
        t->minor = tp_versions[v].minor;
        t->prefix_count = t->minor == SEQUENCED_MINOR ? 2 : 1;
        t->frame_args = t->minor < TP_V1_FIRST_WITH_NAMES ? 1 : 4;
        for (size_t i = 0; i < TP_ARRAY_LEN(rows); i++) {
            if (t->minor >= rows[i].first && t->minor <= rows[i].last)
                t->forms[rows[i].code] = form_of(t, &rows[i]);
        }
    }
}

const struct tp_v1_table *tp_v1_table(uint32_t minor)
{
    pthread_once(&tables_once, make_tables);
    enum tp_version version = tp_version_of(minor);
    return version < TP_V1_VERSIONS ? &tables[version] : NULL;
}
