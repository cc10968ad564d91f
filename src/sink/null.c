// Accepts everything and keeps nothing: measures the cost of the stages in front of a sink.
//
// The option `until` names the last stage that the pipeline runs. The hook `end` prints a table
// with a row for each stage, which has the CPU time of that stage, so its rates do not depend on
// the number of workers. The row `cpu` is the sum of the stages, the row `wall` the elapsed time.
// Inflating and encoding count as scan; time that is neither scan, decoding nor ordering counts as
// read.
#include <assert.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "base/digest.h"
#include "merge/tables/event_args.h"
#include "sink/print/table.h"
#include "sink/sink.h"
#include "sink/strict.h"

// Decoded events are kept in blocks, as another sink would keep them.
#define BLOCK_EVENTS 512

#define COLUMNS 8
#define COLUMN_GAP 2
#define ROWS_MAX 5

// In the order of `choices`.
enum until { UNTIL_READ, UNTIL_SCAN, UNTIL_DECODE, UNTIL_ORDER };

struct config {
    int until; // enum until
    bool rules;
    bool sum;
};

static const struct tp_opt_spec options[] = {
    TP_OPTION_ENUM(struct config, until, "read|scan|decode|order",
                   "the last stage to run (default decode)"),
    TP_OPTION_BOOL(struct config, rules,
                   "with until=order: count applications of each ordering rule (default no)"),
    TP_OPTION_BOOL(struct config, sum, "with until=order: a checksum of all events (default no)"),
    {.key = NULL},
};

struct count {
    uint64_t events;
    uint64_t checksum; // of all decoded numbers, independent of their order
};

struct unit_state {
    const struct tp_format *format; // of the unit, while `work` runs
    struct count count;
    size_t block_count;
    struct tp_wire_event block[BLOCK_EVENTS];
    struct tp_sink_notes notes;
};

static const struct config defaults = {.until = UNTIL_DECODE};

static int check(const void *config, struct tp_error *err)
{
    const struct config *c = config;
    if (c->until == UNTIL_ORDER || (!c->rules && !c->sum))
        return 0;
    return tp_fail(err, TP_E_USAGE, "null:%s=yes needs until=order", c->rules ? "rules" : "sum");
}

static const enum tp_need needs[] = {
    [UNTIL_READ] = TP_NEED_READ,
    [UNTIL_SCAN] = TP_NEED_SCAN,
    [UNTIL_DECODE] = TP_NEED_UNITS,
    [UNTIL_ORDER] = TP_NEED_FOLD,
};

static void add(struct count *into, const struct count *from)
{
    into->events += from->events;
    into->checksum += from->checksum;
}

static void flush_block(struct unit_state *u)
{
    for (size_t i = 0; i < u->block_count; i++) {
        const struct tp_wire_event *ev = &u->block[i];
        uint64_t sum = ev->type + ev->frame_count + ev->tail.len_bytes;
        for (unsigned k = 0; k < ev->arg_count; k++)
            sum += ev->args[k];
        u->count.checksum += sum;
    }
    u->count.events += u->block_count;
    u->block_count = 0;
}

static int take_event(void *ctx, const struct tp_wire_event *event, struct tp_span wire,
                      struct tp_error *err)
{
    (void)wire, (void)err;
    struct unit_state *u = ctx;
    if (u->block_count == BLOCK_EVENTS)
        flush_block(u);
    u->block[u->block_count++] = *event;
    return 0;
}

static int take_body(void *ctx, struct tp_span bytes, size_t *ret_used_bytes,
                     struct tp_error *err)
{
    (void)err;
    struct unit_state *u = ctx;
    const unsigned char *p = bytes.ptr, *const end = p + bytes.len_bytes;
    size_t room, count;
    do {
        if (u->block_count == BLOCK_EVENTS)
            flush_block(u);
        room = BLOCK_EVENTS - u->block_count;
        count =
            u->format->decoder->read(&p, end, u->format->minor, u->block + u->block_count, room);
        u->block_count += count;
    } while (count == room);
    *ret_used_bytes = (size_t)(p - bytes.ptr);
    return 0;
}

static int work(const struct tp_sink_call *call, const struct tp_unit *unit, struct tp_error *err)
{
    struct unit_state *u = call->unit_state;
    const struct tp_event_visitor visitor = {take_event, take_body, .ctx = u, .notes = &u->notes};
    u->count = (struct count){0};
    u->notes = (struct tp_sink_notes){0};
    u->format = &unit->input->format;
    size_t flat_from;
    int rc = tp_walk_events(unit, &visitor, &flat_from, err);
    flush_block(u);
    return rc;
}

static void fold_begin(const struct tp_sink_call *call)
{
    struct unit_state *u = call->unit_state;
    u->count = (struct count){0};
    u->notes = (struct tp_sink_notes){0};
}

// Returns the summand of an event for the checksum. A sum ignores the order of events, but each
// summand contains the event's time. Leaves out the arguments of a task's end that ordering takes
// from the task's beginning, because a fold may not know them (see tp_fold_hooks).
static uint64_t sum_of(const struct tp_event *e)
{
    struct tp_event known = *e;
    if (e->type == TP_EV_UserTaskEnd)
        tp_arg(&known, UserTaskEnd, parent_task) = tp_arg(&known, UserTaskEnd, name) = 0;
    // All fields before the type are words.
    uint64_t words[offsetof(struct tp_event, type) / sizeof(uint64_t) + 1];
    memcpy(words, &known, sizeof words - sizeof *words);
    words[TP_ARRAY_LEN(words) - 1] = known.type;
    return tp_digest_words(words, TP_ARRAY_LEN(words));
}

static int fold(const struct tp_sink_call *call, const struct tp_block *block, struct tp_error *err)
{
    (void)err;
    const struct config *c = call->config;
    struct unit_state *u = call->unit_state;
    u->count.events += block->event_count;
    for (size_t i = 0; i < block->event_count && c->sum; i++)
        u->count.checksum += sum_of(&block->events[i]);
    return 0;
}

static int commit(const struct tp_sink_call *call, const struct tp_unit *unit, struct tp_error *err)
{
    (void)unit, (void)err;
    const struct unit_state *u = call->unit_state;
    tp_sink_notes_add(call->notes, &u->notes);
    add(call->input_state, &u->count);
    return 0;
}

static int finish(const struct tp_sink_call *call, const struct tp_input_info *input,
                  const struct tp_input_report *report, struct tp_error *err)
{
    (void)input, (void)report, (void)err;
    add(call->run_state, call->input_state);
    return 0;
}

// A row of the table. A count of 0 is unknown and prints as "-".
struct price {
    const char *stage;
    uint64_t bytes;
    uint64_t events;
    uint64_t ns;
    uint64_t rss_bytes;
};

struct table {
    unsigned row_count;
    struct tp_human cells[ROWS_MAX][COLUMNS];
};

static struct tp_human number(uint64_t value)
{
    return value != 0 ? tp_human_printf("%" PRIu64, value) : tp_human_unknown();
}

// Returns a quotient of up to 19 digits, enough for any rate of a machine. Larger quotients come
// from clocks that did not advance, and print as "-".
static struct tp_human quotient(double part, double whole, int digits)
{
    bool is_unknown = part == 0 || whole == 0 || part / whole >= 1e19;
    return is_unknown ? tp_human_unknown() : tp_human_printf("%.*f", digits, part / whole);
}

static void put_price(struct table *t, struct price p)
{
    double seconds = (double)p.ns / 1e9;
    const struct tp_human cells[COLUMNS] = {
        tp_human_printf("%s", p.stage),
        number(p.bytes),
        number(p.events),
        tp_human_printf("%.3f", seconds),
        quotient((double)p.bytes, seconds, 0),
        quotient((double)p.events, seconds, 0),
        quotient((double)p.ns, (double)p.events, 2),
        number(p.rss_bytes),
    };
    assert(t->row_count < ROWS_MAX);
    memcpy(t->cells[t->row_count++], cells, sizeof cells);
}

// Aligns the first column to the left, numbers to the right; each is as wide as its widest cell.
static void print_table(struct tp_emit *e, const struct table *t)
{
    static const char *const heads[COLUMNS] = {"stage",   "bytes",    "events",   "seconds",
                                               "bytes/s", "events/s", "ns/event", "peak RSS"};
    struct tp_column columns[COLUMNS];
    for (unsigned k = 0; k < COLUMNS; k++) {
        columns[k] = (struct tp_column)TP_COLUMN(heads[k], (unsigned)strlen(heads[k]));
        for (unsigned i = 0; i < t->row_count; i++) {
            if (t->cells[i][k].columns > columns[k].columns)
                columns[k].columns = t->cells[i][k].columns;
        }
    }
    const struct tp_table numbers = {.columns = columns + 1,
                                     .count = COLUMNS - 1,
                                     .indent_columns = COLUMN_GAP,
                                     .gap_columns = COLUMN_GAP};
    int stage_columns = (int)columns[0].columns;
    tp_emit_printf(e, "%-*s", stage_columns, heads[0]);
    tp_table_heads(e, &numbers);
    for (unsigned i = 0; i < t->row_count; i++) {
        tp_emit_printf(e, "%-*s", stage_columns, t->cells[i][0].text);
        tp_table_cells(e, &numbers, t->cells[i] + 1, numbers.count);
        tp_emit_text(e, "\n");
    }
}

static uint64_t less_by(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

static void price_run(struct table *t, enum until until, const struct tp_run_figures *f,
                      uint64_t events)
{
    // The size of the wire form is known only after the scan.
    uint64_t bytes = until == UNTIL_READ ? f->stored_bytes : f->stream_bytes;
    uint64_t read_ns = less_by(f->cpu_ns, f->scan_cpu_ns + f->work_cpu_ns + f->order_cpu_ns);
    put_price(t, (struct price){"read", f->stored_bytes, events, read_ns, 0});
    if (until >= UNTIL_SCAN)
        put_price(t, (struct price){"scan", bytes, events, f->scan_cpu_ns, 0});
    if (until == UNTIL_ORDER)
        put_price(t, (struct price){"order", bytes, events, f->order_cpu_ns, 0});
    if (until == UNTIL_DECODE)
        put_price(t, (struct price){"decode", bytes, events, f->work_cpu_ns, 0});
    put_price(t, (struct price){"cpu", bytes, events, f->cpu_ns, 0});
    put_price(t, (struct price){"wall", bytes, events, f->wall_ns, f->peak_rss_bytes});
}

static void print_rules(struct tp_emit *e, const struct tp_run_figures *f)
{
    tp_emit_text(e, "\n");
    for (size_t i = 0; i < TP_RULES; i++)
        tp_emit_printf(e, "%-30s %14" PRIu64 "\n", tp_rule_names[i], f->rule_counts[i]);
}

static int run_end(const struct tp_sink_call *call, const struct tp_run_figures *figures,
                   struct tp_error *err)
{
    const struct config *c = call->config;
    const struct count *total = call->run_state;
    struct table t = {.row_count = 0};
    struct tp_emit e;
    tp_emit_init(&e, call->out, err);
    price_run(&t, (enum until)c->until, figures, total->events);
    print_table(&e, &t);
    if (c->until == UNTIL_DECODE)
        tp_emit_printf(&e, "sum of all numbers decoded: %016" PRIx64 "\n", total->checksum);
    if (c->sum)
        tp_emit_printf(&e, "sum of all events: %016" PRIx64 "\n", total->checksum);
    if (c->rules)
        print_rules(&e, figures);
    return tp_emit_end(&e);
}

static void make_plan(const void *config, struct tp_sink_plan *plan)
{
    const struct config *c = config;
    *plan = (struct tp_sink_plan){
        .suffix = ".null",
        .need = needs[c->until],
        .unit_kind = c->until == UNTIL_ORDER ? TP_UNIT_BLOCK : TP_UNIT_SEGMENT,
        .output = TP_OUTPUT_FOR_ALL,
        .accepts = TP_KIND_TRACES,
        .wants_cpu_time = true,
        .fold_is_cheap = true,
        .unit_state_bytes = sizeof(struct unit_state),
        .input_state_bytes = sizeof(struct count),
        .run_state_bytes = sizeof(struct count),
        .unit = {.work = work},
        .fold = {.begin = fold_begin, .fold = fold},
        .input = {.commit = commit, .finish = finish},
        .run = {.end = run_end},
    };
}

const struct tp_sink_def tp_sink_null = {
    .name = "null",
    .summary = "discards output; benchmarks each stage",
    .options = options,
    .config_bytes = sizeof(struct config),
    .defaults = &defaults,
    .check = check,
    .plan = make_plan,
};
