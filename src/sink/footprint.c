// Bytes and counts by type of event, as `go tool trace -d=footprint` prints them:
// all 256 codes, sorted by bytes with Go's unstable sort, in the columns of
// text/tabwriter (two blanks between columns, at least three wide). Bytes are
// those of the shortest encoding; shares are of the whole stream.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/gosort.h"
#include "sink/sink.h"
#include "sink/strict_tally.h"

#define COLUMNS 5
#define CELL_BYTES 32
#define COLUMN_MIN_BYTES 3
#define COLUMN_GAP_BYTES 2
#define HEAD_LINES 2
// The longest table: 258 lines of five full cells.
#define TABLE_MAX_BYTES TP_KIB(64)

struct row {
    unsigned code;
    uint64_t count;
    uint64_t bytes;
};

struct report {
    const struct tp_arg_table *go_table;
    uint64_t stream_bytes;
    uint64_t event_count;
    struct row rows[TP_EVENT_CODES];
};

static int work(const struct tp_sink_call *call, const struct tp_unit *unit, void *unit_state,
                struct tp_buf *buf, struct tp_error *err)
{
    (void)buf;
    return tp_unit_tally_count(unit_state, unit, call->strict, err);
}

static int open_input(const struct tp_sink_call *call, const struct tp_input_info *input,
                      void *state, struct tp_out *out, struct tp_error *err)
{
    (void)call, (void)out, (void)err;
    tp_input_tally_init(state, input->format.minor);
    return 0;
}

static int commit(const struct tp_sink_call *call, void *state, const struct tp_unit *unit,
                  void *unit_state, struct tp_buf *buf, struct tp_out *out, struct tp_error *err)
{
    (void)buf, (void)out;
    const struct tp_unit_tally *u = unit_state;
    tp_sink_notes_add(call->notes, &u->notes);
    return tp_input_tally_add(state, u, unit, err);
}

static int by_bytes_descending(const void *a, const void *b, void *ctx)
{
    (void)ctx;
    const struct row *x = a, *y = b;
    return (y->bytes > x->bytes) - (y->bytes < x->bytes);
}

static void fill_report(struct report *r, const struct tp_tally *tally)
{
    r->event_count = 0;
    for (unsigned code = 0; code < TP_EVENT_CODES; code++) {
        r->rows[code] = (struct row){code, tally->count[code], tally->bytes[code]};
        r->event_count += tally->count[code];
    }
    tp_gosort(r->rows, TP_EVENT_CODES, sizeof(r->rows[0]), by_bytes_descending, NULL);
}

// Code 0 is in Go's table, without a name.
static bool is_in_go_table(const struct tp_arg_table *table, unsigned code)
{
    return code == TP_EV_NONE || table->count[code] != TP_ARGS_INVALID;
}

static void put_name(char *cell, const struct report *r, unsigned code)
{
    const char *name = tp_event_specs[code].name;
    if (is_in_go_table(r->go_table, code))
        snprintf(cell, CELL_BYTES, "%s", name != NULL ? name : "");
    else
        snprintf(cell, CELL_BYTES, "<unknown (%u)>", code);
}

// An input without events has 0 of 0: Go writes NaN as no C library does.
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
    for (unsigned line = 0; line < HEAD_LINES + TP_EVENT_CODES; line++) {
        char cells[COLUMNS][CELL_BYTES];
        make_line(r, line, cells);
        for (unsigned k = 0; k < COLUMNS - 1; k++) {
            int width = (int)strlen(cells[k]) + COLUMN_GAP_BYTES;
            if (width > widths[k])
                widths[k] = width;
        }
    }
}

static bool print_table(const struct report *r, struct tp_buf *buf)
{
    int w[COLUMNS - 1];
    measure(r, w);
    for (unsigned line = 0; line < HEAD_LINES + TP_EVENT_CODES; line++) {
        char cells[COLUMNS][CELL_BYTES];
        make_line(r, line, cells);
        if (!tp_buf_printf(buf, "%-*s%-*s%-*s%-*s%s\n", w[0], cells[0], w[1], cells[1], w[2],
                           cells[2], w[3], cells[3], cells[4]))
            return false;
    }
    return true;
}

static int finish(const struct tp_sink_call *call, void *state, const struct tp_input_info *input,
                  const struct tp_input_report *report, struct tp_out *out, struct tp_error *err)
{
    struct tp_input_tally *in = state;
    int rc = tp_input_tally_end(in, err);
    if (rc != 0)
        return rc;
    // Go prints nothing when reading fails.
    if (in->strict.failed || (call->strict && report->error.code != 0))
        return 0;
    struct report r = {
        .go_table = tp_arg_table(input->format.minor, TP_DIALECT_GO_RAW),
        .stream_bytes = report->stream_bytes,
    };
    struct tp_buf buf;
    if (!tp_buf_init(&buf, TABLE_MAX_BYTES))
        return tp_fail(err, TP_E_MEMORY, "no memory for a table of events");
    fill_report(&r, &in->tally);
    if (print_table(&r, &buf))
        rc = tp_out_put(out, tp_span_of(buf.ptr, buf.len_bytes), err);
    else
        rc = tp_fail(err, TP_E_TOO_LARGE, "table of events does not fit");
    tp_buf_fini(&buf);
    return rc;
}

static void input_fini(void *state)
{
    tp_input_tally_fini(state);
}

const struct tp_sink_def tp_sink_footprint = {
    .name = "footprint",
    .summary = "bytes and counts by type of event, as go tool trace -d=footprint",
    .suffix = ".footprint",
    .unit = TP_UNIT_SEGMENT,
    .has_reference = true,
    .unit_state_bytes = sizeof(struct tp_unit_tally),
    .input_state_bytes = sizeof(struct tp_input_tally),
    .work = work,
    .open = open_input,
    .commit = commit,
    .finish = finish,
    .input_fini = input_fini,
};
