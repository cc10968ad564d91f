#include "sink/stats/report/reading.h"

#include <string.h>

static const struct {
    const char *name;
    bool is_of_window;
} options[TP_READING_OPTION_COUNT] = {
#define TP_X(option, name, is_of_window) {"--" name " ", is_of_window},
    TP_READING_OPTIONS(TP_X)
#undef TP_X
};

static void put_option(struct tp_emit *e, const struct tp_full_report *r, unsigned option,
                       tp_shell_put_fn *put)
{
    if (r->reading == NULL || r->reading[option] == NULL)
        return;
    tp_emit_text(e, options[option].name);
    tp_shell_put(e, tp_span_of_text(r->reading[option]), put);
    tp_emit_text(e, " ");
}

void tp_full_put_reading(struct tp_emit *e, const struct tp_full_report *r, tp_shell_put_fn *put)
{
    for (unsigned i = 0; i < TP_READING_OPTION_COUNT; i++)
        put_option(e, r, i, put);
}

void tp_full_put_reading_except_window(struct tp_emit *e, const struct tp_full_report *r,
                                       tp_shell_put_fn *put)
{
    for (unsigned i = 0; i < TP_READING_OPTION_COUNT; i++) {
        if (!options[i].is_of_window)
            put_option(e, r, i, put);
    }
}

unsigned tp_full_reading_columns(const struct tp_full_report *r)
{
    unsigned columns = 0;
    for (unsigned i = 0; i < TP_READING_OPTION_COUNT && r->reading != NULL; i++) {
        if (r->reading[i] != NULL)
            columns += (unsigned)strlen(options[i].name) + 1 +
                       tp_shell_path_columns(tp_span_of_text(r->reading[i]));
    }
    return columns;
}
