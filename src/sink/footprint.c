// Bytes and counts by type of event, as `go tool trace -d=footprint` prints them:
// all 256 codes, sorted by bytes with Go's unstable sort, in the columns of
// text/tabwriter (two blanks between columns, at least three wide). Bytes are
// those of the shortest encoding; shares are of the whole stream.
//
// Go has no such table for traces from before Go 1.22; this sink makes one in the same way,
// of their 64 codes.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/sort/gosort.h"
#include "sink/print/emit.h"
#include "sink/run_tally.h"
#include "sink/strict_tally.h"

#define COLUMNS 5
#define CELL_BYTES 32
#define COLUMN_MIN_BYTES 3
#define COLUMN_GAP_BYTES 2
#define HEAD_LINES 2

struct unit_state {
    struct tp_unit_tally found;
    // Used instead for traces from before Go 1.22.
    struct tp_v1_tally old_tally;
};

struct input_state {
    struct tp_input_tally found;
    struct tp_v1_tally old_tally; // used instead for traces from before Go 1.22
};

struct row {
    unsigned code;
    uint64_t count;
    uint64_t bytes;
};

struct report {
    const struct tp_format *format;
    uint64_t stream_bytes;
    uint64_t event_count;
    unsigned row_count;
    struct row rows[TP_EVENT_CODES];
};

static void count_runs(struct unit_state *u, const struct tp_unit *unit)
{
    u->old_tally = (struct tp_v1_tally){0};
    for (size_t i = 0; i < unit->extent_count; i++) {
        if (unit->extents[i].kind == TP_EXTENT_BATCH)
            tp_run_tally(&u->old_tally, unit, &unit->extents[i], NULL, NULL);
    }
}

static int work(const struct tp_sink_call *call, const struct tp_unit *unit, void *unit_state,
                struct tp_buf *buf, struct tp_error *err)
{
    (void)buf;
    struct unit_state *u = unit_state;
    if (!tp_format_is_old(&unit->input->format))
        return tp_unit_tally_count(&u->found, unit, call->strict, err);
    count_runs(u, unit);
    return 0;
}

static int open_input(const struct tp_sink_call *call, const struct tp_input_info *input,
                      void *state, struct tp_out *out, struct tp_error *err)
{
    (void)call, (void)out, (void)err;
    struct input_state *in = state;
    if (!tp_format_is_old(&input->format))
        tp_input_tally_init(&in->found, input->format.minor);
    return 0;
}

static int commit(const struct tp_sink_call *call, void *state, const struct tp_unit *unit,
                  const struct tp_unit_made *made, struct tp_out *out, struct tp_error *err)
{
    (void)out;
    struct input_state *in = state;
    const struct unit_state *u = made->state;
    if (tp_format_is_old(&unit->input->format)) {
        tp_v1_tally_add(&in->old_tally, &u->old_tally);
        return 0;
    }
    tp_sink_notes_add(call->notes, &u->found.notes);
    return tp_input_tally_add(&in->found, &u->found, unit, err);
}

static int by_bytes_descending(const void *a, const void *b, void *ctx)
{
    (void)ctx;
    const struct row *x = a, *y = b;
    return (y->bytes > x->bytes) - (y->bytes < x->bytes);
}

// `count` and `bytes` are arrays by code.
static void fill_report(struct report *r, const uint64_t *count, const uint64_t *bytes)
{
    for (unsigned code = 0; code < r->row_count; code++) {
        r->rows[code] = (struct row){code, count[code], bytes[code]};
        r->event_count += count[code];
    }
    tp_gosort(r->rows, r->row_count, sizeof(r->rows[0]), by_bytes_descending, NULL);
}

// Name of the event with this code; NULL: the version has no such event.
static const char *name_of(const struct tp_format *format, unsigned code)
{
    if (tp_format_is_old(format))
        return tp_v1_table(format->minor)->forms[code].name;
    // Go's table has some codes with an empty name, 0 among them.
    const struct tp_arg_table *go_table = tp_arg_table(format->minor, TP_DIALECT_GO_RAW);
    if (code != TP_EV_NONE && go_table->count[code] == TP_ARGS_INVALID)
        return NULL;
    return tp_event_specs[code].name != NULL ? tp_event_specs[code].name : "";
}

static void put_name(char *cell, const struct report *r, unsigned code)
{
    const char *name = name_of(r->format, code);
    if (name != NULL)
        snprintf(cell, CELL_BYTES, "%s", name);
    else
        snprintf(cell, CELL_BYTES, "<unknown (%u)>", code);
}

// Puts a percentage. For an input without events it is 0 of 0; Go's NaN is spelled as in no C
// library.
static void put_percent(char *cell, uint64_t part, uint64_t whole)
{
    double percent = (double)part / (double)whole * 100;
    if (isnan(percent))
        snprintf(cell, CELL_BYTES, "NaN%%");
    else
        snprintf(cell, CELL_BYTES, "%.2f%%", percent);
}

static void make_line(const struct report *r, unsigned line, char cells[COLUMNS][CELL_BYTES])
{
    static const char *const heads[HEAD_LINES][COLUMNS] = {
        {"Event", "Bytes", "%", "Count", "%"},
        {"-", "-", "-", "-", "-"},
    };
    if (line < HEAD_LINES) {
        for (unsigned k = 0; k < COLUMNS; k++)
            snprintf(cells[k], CELL_BYTES, "%s", heads[line][k]);
        return;
    }
    const struct row *row = &r->rows[line - HEAD_LINES];
    put_name(cells[0], r, row->code);
    snprintf(cells[1], CELL_BYTES, "%" PRIu64, row->bytes);
    put_percent(cells[2], row->bytes, r->stream_bytes);
    snprintf(cells[3], CELL_BYTES, "%" PRIu64, row->count);
    put_percent(cells[4], row->count, r->event_count);
}

static void measure(const struct report *r, int widths[COLUMNS - 1])
{
    for (unsigned k = 0; k < COLUMNS - 1; k++)
        widths[k] = COLUMN_MIN_BYTES;
    for (unsigned line = 0; line < HEAD_LINES + r->row_count; line++) {
        char cells[COLUMNS][CELL_BYTES];
        make_line(r, line, cells);
        for (unsigned k = 0; k < COLUMNS - 1; k++) {
            int width = (int)strlen(cells[k]) + COLUMN_GAP_BYTES;
            if (width > widths[k])
                widths[k] = width;
        }
    }
}

static int put_table(const struct report *r, struct tp_out *out, struct tp_error *err)
{
    int w[COLUMNS - 1];
    struct tp_emit e;
    tp_emit_init(&e, out, err);
    measure(r, w);
    for (unsigned line = 0; line < HEAD_LINES + r->row_count; line++) {
        char cells[COLUMNS][CELL_BYTES];
        make_line(r, line, cells);
        tp_emit_printf(&e, "%-*s%-*s%-*s%-*s%s\n", w[0], cells[0], w[1], cells[1], w[2], cells[2],
                       w[3], cells[3], cells[4]);
    }
    return tp_emit_end(&e);
}

static int finish(const struct tp_sink_call *call, void *state, const struct tp_input_info *input,
                  const struct tp_input_report *report, struct tp_out *out, struct tp_error *err)
{
    struct input_state *in = state;
    struct report r = {.format = &input->format, .stream_bytes = report->stream_bytes};
    if (tp_format_is_old(&input->format)) {
        r.row_count = TP_V1_CODES;
        fill_report(&r, in->old_tally.count, in->old_tally.bytes);
        return put_table(&r, out, err);
    }
    int rc = tp_input_tally_end(&in->found, err);
    if (rc != 0)
        return rc;
    // As Go, print nothing if reading has failed.
    if (in->found.strict.failed || (call->strict && report->error.code != 0))
        return 0;
    r.row_count = TP_EVENT_CODES;
    fill_report(&r, in->found.tally.count, in->found.tally.bytes);
    return put_table(&r, out, err);
}

static void input_fini(void *state)
{
    struct input_state *in = state;
    tp_input_tally_fini(&in->found);
}

static const struct tp_unit_hooks unit_hooks = {.work = work};

static const struct tp_input_hooks input_hooks = {
    .open = open_input, .commit = commit, .finish = finish, .fini = input_fini};

static void make_plan(const void *config, struct tp_sink_plan *plan)
{
    (void)config;
    *plan = (struct tp_sink_plan){
        .suffix = ".footprint",
        .need = TP_NEED_UNITS,
        .unit_kind = TP_UNIT_SEGMENT,
        .accepts = TP_KIND_TRACES,
        .has_reference = true,
        .unit_state_bytes = sizeof(struct unit_state),
        .input_state_bytes = sizeof(struct input_state),
        .unit = &unit_hooks,
        .input = &input_hooks,
    };
}

const struct tp_sink_def tp_sink_footprint = {
    .name = "footprint",
    .summary = "bytes and counts by type of event, as go tool trace -d=footprint",
    .plan = make_plan,
};
