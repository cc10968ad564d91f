#include "sink/stats/report/command.h"

#include <string.h>

static const char *const names[TP_READING_OPTION_COUNT] = {
#define TP_X(option, name) "--" name " ",
    TP_READING_OPTIONS(TP_X)
#undef TP_X
};

static bool is_of_window(enum tp_reading_option option)
{
    return option == TP_READING_FROM || option == TP_READING_TO || option == TP_READING_TZ;
}

static void put_option(struct tp_emit *e, const struct tp_full_report *r,
                       enum tp_reading_option option, tp_shell_put_fn *put)
{
    if (r->reading == NULL || r->reading[option] == NULL)
        return;
    tp_emit_text(e, names[option]);
    tp_shell_put(e, tp_span_of_text(r->reading[option]), put);
    tp_emit_text(e, " ");
}

void tp_full_put_reading(struct tp_emit *e, const struct tp_full_report *r, tp_shell_put_fn *put)
{
    for (unsigned i = 0; i < TP_READING_OPTION_COUNT; i++)
        put_option(e, r, (enum tp_reading_option)i, put);
}

void tp_full_put_reading_except_window(struct tp_emit *e, const struct tp_full_report *r,
                                       tp_shell_put_fn *put)
{
    for (unsigned i = 0; i < TP_READING_OPTION_COUNT; i++) {
        if (!is_of_window((enum tp_reading_option)i))
            put_option(e, r, (enum tp_reading_option)i, put);
    }
}

unsigned tp_full_reading_columns(const struct tp_full_report *r)
{
    unsigned columns = 0;
    for (unsigned i = 0; i < TP_READING_OPTION_COUNT && r->reading != NULL; i++) {
        if (r->reading[i] != NULL)
            columns += (unsigned)strlen(names[i]) + 1 +
                       tp_shell_path_columns(tp_span_of_text(r->reading[i]));
    }
    return columns;
}
