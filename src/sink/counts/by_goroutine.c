// Events and bytes of a trace by the goroutines that filled it.
//
// An event counts for the goroutine in whose context it happened; without one, as where a goroutine
// starts, for the goroutine whose state it changes or tells; and else for none. Bytes are those in the
// trace. The events of a living goroutine are kept by its id, and join those of its start function when
// its life ends, because only then its name is final. Sums of all rows are exactly the bytes of the trace.
#include "sink/counts/by_goroutine.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/intern.h"
#include "base/slab.h"
#include "base/sort/compare.h"
#include "base/text/system_name.h"
#include "merge/tables/event_shape.h"
#include "merge/track/tracker.h"
#include "sink/print/emit.h"
#include "sink/print/human.h"
#include "tracepipe/span.h"

struct tally {
    uint64_t event_count;
    uint64_t bytes;
    uint64_t goroutine_count;
};

// A goroutine that lives and has events.
struct living {
    int64_t id;
    uint64_t event_count;
    uint64_t bytes;
    bool is_live; // false: the slot is free
};

// A row of the list: a start function or a goroutine.
struct row {
    struct tally of;
    int64_t goroutine;
    uint32_t function;
};

// Where bytes of the trace went, after those of single functions or goroutines. TABLES: strings, stacks
// and what frames batches, and in traces from before Go 1.22 the few events that have no form in later
// ones. UNREAD: lost, outside the time window, or not put in order. X(SUM, word, text)
#define SUMS(X)                                              \
    X(PROGRAM, "program", "all goroutines of the program")   \
    X(RUNTIME, "runtime", "all goroutines of the runtime")   \
    X(NONE, "none", "events of no goroutine")                \
    X(TABLES, "tables", "strings, stacks, framing")          \
    X(UNREAD, "unread", "not read")                          \
    X(TOTAL, "total", "total")
enum sum {
#define TP_X(sum, word, text) SUM_##sum,
    SUMS(TP_X)
#undef TP_X
    SUM_COUNT
};
static const struct {
    const char *word, *text;
} sum_names[SUM_COUNT] = {
#define TP_X(sum, word, text) [SUM_##sum] = {word, text},
    SUMS(TP_X)
#undef TP_X
};

struct input_state {
    TP_SLAB(struct living) living;
    struct tp_intern names;   // of start functions
    TP_LIST(struct row) rows; // by=function: by number of the name; else the goroutines that ended
    struct tally sums[SUM_COUNT];
};

// ROWS

static int64_t top_of(const struct tp_footprint_config *c)
{
    return c->top > 0 ? c->top : TP_FOOTPRINT_TOP;
}

// Most bytes first; then by goroutine or, because functions have none, as they are.
static int compare(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    return tp_compare_u64(b->of.bytes, a->of.bytes)
        ?: tp_compare_i64(a->goroutine, b->goroutine)
        ?: tp_compare_u64(a->function, b->function);
}

static void sort_rows(struct input_state *in)
{
    TP_LIST_SORT(&in->rows, compare);
}

// Drops the goroutines that cannot be among the `top` with most bytes, once there are twice as many.
static void drop_least(struct input_state *in, int64_t top)
{
    if (in->rows.count < 2 * top)
        return;
    sort_rows(in);
    in->rows.count = (uint32_t)top;
}

static void add(struct tally *into, const struct living *g)
{
    into->event_count += g->event_count;
    into->bytes += g->bytes;
    into->goroutine_count++;
}

static int no_memory(struct tp_error *err)
{
    return tp_fail(err, TP_E_MEMORY, "out of memory for the events of goroutines");
}

// Counts the events of a goroutine whose life has ended, and removes it.
static int end_life(struct input_state *in, const struct tp_footprint_config *c, struct living *g,
                    struct tp_span function, struct tp_error *err)
{
    bool is_by_function = c->by == TP_FOOTPRINT_BY_FUNCTION;
    bool is_runtime = tp_is_housekeeping(function) && !tp_span_is(function, TP_FROM_C);
    uint32_t name = tp_intern_put(&in->names, function);
    struct row row = {.goroutine = is_by_function ? -1 : g->id, .function = name};
    if (name == TP_INTERN_NONE)
        return no_memory(err);
    add(&row.of, g);
    add(&in->sums[is_runtime ? SUM_RUNTIME : SUM_PROGRAM], g);
    if (is_by_function && name < in->rows.count)
        add(&in->rows.items[name].of, g);
    else if (!TP_LIST_ADD(&in->rows, row))
        return no_memory(err);
    if (!is_by_function)
        drop_least(in, top_of(c));
    g->is_live = false;
    TP_SLAB_REMOVE(&in->living, g->id);
    return 0;
}

// BLOCKS

static int count(struct input_state *in, const struct tp_event *e, struct tp_error *err)
{
    int64_t id = e->g != -1 ? e->g : tp_event_changed_goroutine(e);
    if (e->wire_bytes == 0)
        return 0;
    if (id == -1) {
        in->sums[SUM_NONE].event_count++;
        in->sums[SUM_NONE].bytes += e->wire_bytes;
        return 0;
    }
    struct living *g = TP_SLAB_GET_OR_ADD(&in->living, id);
    if (g == NULL)
        return no_memory(err);
    g->id = id;
    g->is_live = true;
    g->event_count++;
    g->bytes += e->wire_bytes;
    return 0;
}

static size_t grown_bytes(const void *input_state)
{
    const struct input_state *in = input_state;
    return TP_SLAB_BYTES(&in->living) + tp_intern_bytes(&in->names) +
           in->rows.capacity * sizeof *in->rows.items;
}

static int commit(const struct tp_sink_call *call, const struct tp_unit *unit, struct tp_error *err)
{
    struct input_state *in = call->input_state;
    const struct tp_block *b = unit->block;
    int rc = 0;
    for (size_t i = 0; i < b->event_count && rc == 0; i++)
        rc = count(in, &b->events[i], err);
    for (size_t i = 0; i < b->interval_count && rc == 0; i++) {
        const struct tp_interval *life = &b->intervals[i];
        struct living *g =
            life->kind == TP_INTERVAL_LIFE ? TP_SLAB_GET(&in->living, life->goroutine) : NULL;
        if (g != NULL)
            rc = end_life(in, call->config, g, tp_text_span(tp_interval_name(life, b->tables)), err);
    }
    if (rc == 0 && grown_bytes(in) > call->left_bytes)
        rc = tp_fail(err, TP_E_LIMIT, "the goroutines of a trace do not fit into the memory limit");
    return rc;
}

// OUTPUT

// Returns the name by which text has a start function.
static struct tp_span name_of(struct tp_span function)
{
    if (function.len_bytes == 0)
        return tp_span_of_text("(start function unknown)");
    return tp_span_is(function, TP_FROM_C) ? tp_span_of_text("(called from C)") : function;
}

static void put_csv(struct tp_emit *e, const char *kind, const struct tally *of, const char *goroutine,
                    struct tp_span function)
{
    tp_emit_printf(e, "%s,", kind);
    tp_emit_csv_text(e, function);
    tp_emit_printf(e, ",%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", goroutine, of->goroutine_count,
                   of->event_count, of->bytes);
}

static void put_json(struct tp_emit *e, const char *kind, const struct tally *of, const char *goroutine,
                     struct tp_span function)
{
    tp_emit_printf(e, "{\"kind\":\"%s\",\"function\":", kind);
    tp_emit_json_string(e, function);
    tp_emit_printf(e, ",\"goroutine\":%s,\"goroutines\":%" PRIu64 ",\"events\":%" PRIu64
                   ",\"bytes\":%" PRIu64 "}\n", goroutine[0] != '\0' ? goroutine : "null",
                   of->goroutine_count, of->event_count, of->bytes);
}

// Prints the figures; of those who have no goroutines, or of which the events are not known, without.
static void put_text(struct tp_emit *e, const struct input_state *in, const struct tally *of,
                     const char *goroutine)
{
    const struct tally *all = &in->sums[SUM_TOTAL];
    tp_emit_printf(e, "%12" PRIu64 " %6s", of->bytes, tp_human_share(of->bytes, all->bytes).text);
    if (of->event_count > 0)
        tp_emit_printf(e, " %11" PRIu64 " %6s", of->event_count,
                       tp_human_share(of->event_count, all->event_count).text);
    else
        tp_emit_printf(e, " %11s %6s", "-", "-");
    if (of->goroutine_count > 0 && goroutine[0] == '\0')
        tp_emit_printf(e, " %10" PRIu64 "  ", of->goroutine_count);
    else
        tp_emit_printf(e, " %10s  ", goroutine[0] != '\0' ? goroutine : "-");
}

static void put(struct tp_emit *e, const struct tp_footprint_config *c, const struct input_state *in,
                const char *kind, const struct tally *of, const char *goroutine, struct tp_span function)
{
    if (c->format == TP_FOOTPRINT_CSV) {
        put_csv(e, kind, of, goroutine, function);
    } else if (c->format == TP_FOOTPRINT_JSONL) {
        put_json(e, kind, of, goroutine, function);
    } else {
        put_text(e, in, of, goroutine);
        tp_emit_span(e, name_of(function));
        tp_emit_text(e, "\n");
    }
}

static void put_all(struct tp_emit *e, const struct tp_footprint_config *c, const struct input_state *in)
{
    bool is_by_function = c->by == TP_FOOTPRINT_BY_FUNCTION, is_text = c->format == TP_FOOTPRINT_TEXT;
    if (is_text)
        tp_emit_printf(e, "%12s %6s %11s %6s %10s  %s\n", "bytes", "%", "events", "%",
                       is_by_function ? "goroutines" : "goroutine", "start function");
    else if (c->format == TP_FOOTPRINT_CSV)
        tp_emit_text(e, "kind,function,goroutine,goroutines,events,bytes\n");
    for (uint32_t i = 0; i < in->rows.count && i < top_of(c); i++) {
        const struct row *row = &in->rows.items[i];
        char id[24] = "";
        if (!is_by_function)
            snprintf(id, sizeof id, "%" PRId64, row->goroutine);
        put(e, c, in, is_by_function ? "function" : "goroutine", &row->of, id,
            tp_intern_text(&in->names, row->function));
    }
    if (is_text && is_by_function && in->rows.count > top_of(c))
        tp_emit_printf(e, "and %" PRId64 " more\n", (int64_t)in->rows.count - top_of(c));
    if (is_text)
        tp_emit_text(e, "\n");
    for (unsigned i = 0; i < SUM_COUNT; i++)
        put(e, c, in, sum_names[i].word, &in->sums[i], "",
            is_text ? tp_span_of_text(sum_names[i].text) : tp_span_of("", 0));
}

// Sets the sums of the bytes that are in no ordered event, and those of all.
static void complete_sums(struct input_state *in, const struct tp_input_report *report)
{
    struct tally *all = &in->sums[SUM_TOTAL];
    for (unsigned i = 0; i < SUM_TABLES; i++) {
        all->event_count += in->sums[i].event_count;
        all->bytes += in->sums[i].bytes;
        all->goroutine_count += in->sums[i].goroutine_count;
    }
    uint64_t left_bytes = report->stream_bytes - all->bytes;
    uint64_t unread_bytes = report->lost_bytes + report->opaque_bytes + report->passed_bytes +
                            report->unordered_bytes;
    in->sums[SUM_UNREAD].bytes = unread_bytes < left_bytes ? unread_bytes : left_bytes;
    in->sums[SUM_TABLES].bytes = left_bytes - in->sums[SUM_UNREAD].bytes;
    all->bytes = report->stream_bytes;
}

static int finish(const struct tp_sink_call *call, const struct tp_input_info *input,
                  const struct tp_input_report *report, struct tp_error *err)
{
    struct input_state *in = call->input_state;
    struct tp_emit e;
    (void)input;
    // The tracker has no life of a goroutine that only a lost event names.
    for (uint32_t slot = 1; slot <= in->living.count; slot++) {
        struct living *g = &in->living.items[slot];
        if (g->is_live && end_life(in, call->config, g, tp_span_of("", 0), err) != 0)
            return err->code;
    }
    sort_rows(in);
    complete_sums(in, report);
    tp_emit_init(&e, call->out, err);
    put_all(&e, call->config, in);
    return tp_emit_end(&e);
}

static void input_fini(void *input_state)
{
    struct input_state *in = input_state;
    TP_SLAB_FINI(&in->living);
    tp_intern_fini(&in->names);
    tp_free(in->rows.items);
}

// THE SINK

void tp_footprint_plan_by(const struct tp_footprint_config *config, struct tp_sink_plan *plan)
{
    static const char *const suffixes[] = {".footprint", ".footprint.csv", ".footprint.jsonl"};
    *plan = (struct tp_sink_plan){
        .suffix = suffixes[config->format],
        .need = TP_NEED_UNITS,
        .unit_kind = TP_UNIT_BLOCK,
        .accepts = TP_KIND_TRACES,
        .has_texts_as_they_are = true,
        .tracks = TP_TRACK_LASTING,
        .input_state_bytes = sizeof(struct input_state),
        .input = {.commit = commit, .finish = finish, .fini = input_fini, .grown_bytes = grown_bytes},
    };
}
