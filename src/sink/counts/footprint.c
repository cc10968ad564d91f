// Bytes and counts by type of event, as `go tool trace -d=footprint` prints them:
// all 256 codes, sorted by bytes with Go's unstable sort, in the columns of
// text/tabwriter (two blanks between columns, at least three wide). Bytes are
// those of the shortest encoding; shares are of the whole stream.
//
// Go has no such table for traces from before Go 1.22; this sink makes one in the same way,
// of their codes. With the option by= it is another table (by_goroutine.h).
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/sort/gosort.h"
#include "sink/counts/by_goroutine.h"
#include "sink/counts/strict_tally.h"
#include "sink/print/emit.h"

#define COLUMNS 5
#define CELL_BYTES 32
#define COLUMN_MIN_BYTES 3
#define COLUMN_GAP_BYTES 2
#define HEAD_LINES 2

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
    struct row rows[TP_TALLY_CODES];
};

static int work(const struct tp_sink_call *call, const struct tp_unit *unit, struct tp_error *err)
{
    return tp_unit_tally_count(call->unit_state, unit, call->strict, err);
}

static int open_input(const struct tp_sink_call *call, const struct tp_input_info *input,
                      struct tp_error *err)
{
    (void)err;
    tp_input_tally_init(call->input_state, &input->format);
    return 0;
}

static int commit(const struct tp_sink_call *call, const struct tp_unit *unit, struct tp_error *err)
{
    const struct tp_unit_tally *u = call->unit_state;
    tp_sink_notes_add(call->notes, &u->found.notes);
    return tp_input_tally_add(call->input_state, u, unit, err);
}

static int by_bytes_descending(const void *a, const void *b, void *ctx)
{
    (void)ctx;
    const struct row *x = a, *y = b;
    return (y->bytes > x->bytes) - (y->bytes < x->bytes);
}

static void fill_report(struct report *r, const struct tp_tally *tally)
{
    const struct tp_decoder *decoder = r->format->decoder;
    for (unsigned i = 0; i < decoder->code_count; i++) {
        unsigned code = decoder->first_code + i;
        r->rows[i] = (struct row){code, tally->count[code], tally->bytes[code]};
        r->event_count += tally->count[code];
    }
    r->row_count = decoder->code_count;
    tp_gosort(r->rows, r->row_count, sizeof(r->rows[0]), by_bytes_descending, NULL);
}

static void put_name(char *cell, const struct report *r, unsigned code)
{
    const struct tp_decoder *decoder = r->format->decoder;
    const char *name = decoder->code_name(r->format->minor, code);
    if (name != NULL)
        snprintf(cell, CELL_BYTES, "%s", name);
    else
        snprintf(cell, CELL_BYTES, "<unknown (%u)>", code - decoder->first_code);
}

// Puts a percentage. For an input without events it is 0 of 0, which Go spells "NaN", unlike C
// libraries.
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

static int finish(const struct tp_sink_call *call, const struct tp_input_info *input,
                  const struct tp_input_report *report, struct tp_error *err)
{
    struct tp_input_tally *in = call->input_state;
    struct report r = {.format = &input->format, .stream_bytes = report->stream_bytes};
    int rc = tp_strict_end(&in->strict, err);
    if (rc != 0)
        return rc;
    // Go prints nothing when reading fails.
    bool follows_go = call->strict && input->format.decoder->has_raw_reader;
    if (in->strict.failed || (follows_go && report->error.code != 0))
        return 0;
    fill_report(&r, &in->tally);
    return put_table(&r, call->out, err);
}

static void input_fini(void *state)
{
    tp_strict_fini(&((struct tp_input_tally *)state)->strict);
}

static const struct tp_opt_spec options[] = {
    TP_OPTION_ENUM(struct tp_footprint_config, by, "event|function|goroutine",
                   "event (default), or which goroutines filled the trace"),
    TP_OPTION_ENUM(struct tp_footprint_config, format, "text|csv|jsonl",
                   "with by=function|goroutine: text (default), CSV or lines of JSON"),
    TP_OPTION_INT(struct tp_footprint_config, top, 1, 1000000,
                  "with by=function|goroutine: number of rows (default 20)"),
    {.key = NULL},
};

static int check(const void *config, struct tp_error *err)
{
    const struct tp_footprint_config *c = config;
    if (c->by == TP_FOOTPRINT_BY_EVENT && (c->format != TP_FOOTPRINT_TEXT || c->top != 0))
        return tp_fail(err, TP_E_USAGE, "sink footprint: options 'format' and 'top' need "
                                        "by=function or by=goroutine");
    return 0;
}

static void make_plan(const void *config, struct tp_sink_plan *plan)
{
    const struct tp_footprint_config *c = config;
    if (c->by != TP_FOOTPRINT_BY_EVENT) {
        tp_footprint_plan_by(c, plan);
        return;
    }
    *plan = (struct tp_sink_plan){
        .suffix = ".footprint",
        .need = TP_NEED_UNITS,
        .unit_kind = TP_UNIT_SEGMENT,
        .accepts = TP_KIND_TRACES,
        .has_reference = true,
        .unit_state_bytes = sizeof(struct tp_unit_tally),
        .input_state_bytes = sizeof(struct tp_input_tally),
        .unit = {.work = work},
        .input = {.open = open_input, .commit = commit, .finish = finish, .fini = input_fini},
    };
}

const struct tp_sink_def tp_sink_footprint = {
    .name = "footprint",
    .summary = "bytes and counts by event type, like go tool trace -d=footprint",
    .options = options,
    .config_bytes = sizeof(struct tp_footprint_config),
    .check = check,
    .plan = make_plan,
};
