#include "sink/stats/report/command.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    bool is_of_window;
} options[TP_READING_OPTION_COUNT] = {
#define TP_X(option, name, is_of_window) {"--" name " ", is_of_window},
    TP_READING_OPTIONS(TP_X)
#undef TP_X
};

// Returns a time since the beginning of the trace in microseconds, rounded down.
static uint64_t us_of(int64_t ns)
{
    return ns > 0 ? (uint64_t)ns / 1000 : 0;
}

struct tp_full_window tp_full_window_of(int64_t begin_ns, uint64_t ns)
{
    struct tp_full_window w;
    uint64_t from = us_of(begin_ns);
    // The event that ends the interval is before the end of the window.
    uint64_t to = us_of((int64_t)((uint64_t)begin_ns + ns)) + 1;
    snprintf(w.text, sizeof w.text,
             "--from %" PRIu64 ".%06" PRIu64 "s --to %" PRIu64 ".%06" PRIu64 "s ", from / 1000000,
             from % 1000000, to / 1000000, to % 1000000);
    return w;
}

// Whether a command has the option: it was given, and not as a flag that is off.
static bool has(const struct tp_full_report *r, unsigned option)
{
    return r->reading[option] != NULL && strcmp(r->reading[option], "no") != 0;
}

static bool is_flag(const struct tp_full_report *r, unsigned option)
{
    return strcmp(r->reading[option], "yes") == 0;
}

// Puts the options that were given; those of the time window only if `has_window`.
static void put_reading(struct tp_emit *e, const struct tp_full_report *r, bool has_window,
                        tp_shell_put_fn *put)
{
    for (unsigned i = 0; i < TP_READING_OPTION_COUNT && r->reading != NULL; i++) {
        if (!has(r, i) || (options[i].is_of_window && !has_window))
            continue;
        tp_emit_text(e, options[i].name);
        if (is_flag(r, i))
            continue;
        tp_shell_put(e, tp_span_of_text(r->reading[i]), put);
        tp_emit_text(e, " ");
    }
}

static void put_sink(struct tp_emit *e, const struct tp_full_command *command,
                     tp_shell_put_fn *put)
{
    tp_emit_text(e, command->window != NULL ? command->window : "");
    tp_emit_text(e, "--sink ");
    tp_shell_put(e, command->sink, put);
}

static void put_command(struct tp_emit *e, const struct tp_full_report *r,
                        const struct tp_full_command *command, tp_shell_put_fn *put)
{
    tp_emit_text(e, "tracepipe ");
    put_reading(e, r, command->window == NULL, put);
    put_sink(e, command, put);
    tp_emit_text(e, " ");
    tp_shell_put_path(e, command->path, put);
}

void tp_full_print_command(struct tp_emit *e, const struct tp_full_report *r, const char *mark,
                           const struct tp_full_command *command)
{
    if (tp_shell_can_read(command->path)) {
        tp_emit_text(e, mark);
        put_command(e, r, command, tp_emit_span);
        return;
    }
    tp_emit_text(e, "add ");
    put_sink(e, command, tp_emit_span);
}

void tp_full_put_command(struct tp_emit *e, const struct tp_full_report *r,
                         const struct tp_full_command *command)
{
    if (!tp_shell_can_read(command->path)) {
        tp_field_unknown(e, "command");
        return;
    }
    tp_emit_json_key(e, "command");
    tp_emit_text(e, "\"");
    put_command(e, r, command, tp_shell_put_in_json);
    tp_emit_text(e, "\"");
}

void tp_full_print_reading(struct tp_emit *e, const struct tp_full_report *r)
{
    put_reading(e, r, true, tp_emit_span);
}

unsigned tp_full_reading_columns(const struct tp_full_report *r)
{
    unsigned columns = 0;
    for (unsigned i = 0; i < TP_READING_OPTION_COUNT && r->reading != NULL; i++) {
        if (!has(r, i))
            continue;
        columns += (unsigned)strlen(options[i].name);
        if (!is_flag(r, i))
            columns += 1 + tp_shell_path_columns(tp_span_of_text(r->reading[i]));
    }
    return columns;
}
