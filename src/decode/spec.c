#include "decode/spec.h"

#include <assert.h>
#include <pthread.h>

#include "decode/versions.h"

const struct tp_event_spec tp_event_specs[TP_EVENT_CODES] = {
#define TP_X(event, arg) #arg,
#define TP_EV(code, ev_name, first, ev_kind, ...)     \
    [code] = {.name = #ev_name,                       \
              .kind = TP_WIRE_##ev_kind,              \
              .arg_count = TP_WIRE_ARGS_##ev_name,    \
              .since = (first),                       \
              .args = {TP_EACH(TP_X, ev_name, __VA_ARGS__)}},
#include "decode/events_v2.def"
#undef TP_X
};

const char *const tp_frame_arg_names[TP_FRAME_ARGS] = {"pc", "func", "file", "line"};

bool tp_version_is_v2(uint32_t minor)
{
    enum tp_version version = tp_version_of(minor);
    return version >= TP_V1_VERSIONS && version < TP_VERSIONS;
}

// The argument tables of all versions, computed once, then constant.
static struct tp_arg_table tables[TP_VERSIONS - TP_V1_VERSIONS][TP_DIALECT_GO_RAW + 1];
static pthread_once_t tables_once = PTHREAD_ONCE_INIT;

static uint8_t lenient_count(const struct tp_version_row *f, unsigned code)
{
    const struct tp_event_spec *spec = &tp_event_specs[code];
    return spec->name != NULL && spec->since <= f->minor ? spec->arg_count : TP_ARGS_INVALID;
}

static uint8_t raw_count(const struct tp_version_row *f, unsigned code)
{
    if (code == TP_EV_NONE || code >= f->raw_end)
        return TP_ARGS_INVALID;
    // Go reads codes inside its table without an entry as events without arguments.
    return tp_event_specs[code].arg_count;
}

static void set_count(struct tp_arg_table *t, unsigned code, uint8_t count)
{
    uint8_t kind = tp_event_specs[code].kind;
    bool has_tail = kind == TP_WIRE_STACK || kind == TP_WIRE_DATA;
    t->count[code] = count;
    t->plain[code] = has_tail ? TP_ARGS_INVALID : count;
    t->timed[code] = tp_event_is_timed(&tp_event_specs[code]) ? count : TP_ARGS_INVALID;
}

static void make_tables(void)
{
    for (size_t i = 0; i < TP_ARRAY_LEN(tables); i++) {
        const struct tp_version_row *f = &tp_versions[TP_V1_VERSIONS + i];
        for (unsigned code = 0; code < TP_EVENT_CODES; code++) {
            set_count(&tables[i][TP_DIALECT_LENIENT], code, lenient_count(f, code));
            set_count(&tables[i][TP_DIALECT_GO_RAW], code, raw_count(f, code));
        }
    }
}

const struct tp_arg_table *tp_arg_table(uint32_t minor, enum tp_dialect dialect)
{
    enum tp_version version = tp_version_of(minor);
    assert(version >= TP_V1_VERSIONS && version < TP_VERSIONS);
    pthread_once(&tables_once, make_tables);
    return &tables[version - TP_V1_VERSIONS][dialect];
}
