// The text form of `list`, for people and for scripts that split lines at blanks.
#include <inttypes.h>
#include <limits.h>

#include "base/time/wall.h"
#include "sink/list/print.h"
#include "sink/print/table.h"
#include "sink/print/wrap.h"

#define NS_PER_SEC 1000000000u

#define TABLE(columns, text, text_columns) \
    {columns, TP_ARRAY_LEN(columns), .gap_columns = 2, .last = text, .last_columns = text_columns}

// The columns that are kept for the names of files; longer ones are not cut.
#define PATH_COLUMNS 20
// Indent of the further lines of the total, which has one line except on a terminal.
#define TOTAL_INDENT 2

static struct tp_human number(bool is_known, uint64_t value)
{
    return is_known ? tp_human_printf("%" PRIu64, value) : tp_human_unknown();
}

static struct tp_human signed_number(bool is_known, int64_t value)
{
    return is_known ? tp_human_printf("%" PRId64, value) : tp_human_unknown();
}

static struct tp_human word(const char *text)
{
    return tp_human_printf("%s", text);
}

static struct tp_human seconds(bool is_known, int64_t ns)
{
    uint64_t value = (uint64_t)ns;
    return is_known ? tp_human_printf("%" PRIu64 ".%09" PRIu64, value / NS_PER_SEC, value % NS_PER_SEC)
                    : tp_human_unknown();
}

// Returns a time of day, in a zone, to the millisecond: nobody reads more, and JSON has it.
static struct tp_human wall(bool is_known, int64_t unix_ns, const struct tp_zone *zone)
{
    return is_known ? word(tp_wall_text(tp_wall_at(unix_ns), 3, zone).text) : tp_human_unknown();
}

static struct tp_human version(uint32_t minor)
{
    return minor != 0 ? tp_human_printf("1.%" PRIu32, minor) : word("<1.5");
}

// FILES

// X(head, width, rank, cell computed from the file `f`, its inventory `in` and the figures `all`)
#define FILE_COLUMNS(X)                                                                 \
    X("version", 7, 3, version(in->format.minor))                                       \
    X("bytes", 11, 2, number(true, all->stored_bytes))                                  \
    X("events", 10, 4, number(true, tp_inventory_events(all).count))                    \
    X("batches", 8, 8, number(true, all->batch_count))                                  \
    X("strings", 8, 9, number(true, tp_tally_strings(&all->tally)))                     \
    X("stacks", 7, 9, number(true, tp_tally_stacks(&all->tally)))                       \
    X("gens", 4, 7, number(all->generation_count > 0, all->generation_count))           \
    X("ticks/s", 10, 10, number(in->first_frequency != 0, in->first_frequency))         \
    X("first-tick", 16, 10, signed_number(in->has_ticks, in->first_ticks))              \
    X("last-tick", 16, 10, signed_number(in->has_ticks, in->last_ticks))                \
    X("seconds", 13, 1, seconds(in->has_span, in->span_ns))                             \
    X("begin", 29, 0, wall(in->has_wall, in->wall_start_ns, f->zone))                   \
    X("end", 29, 6, wall(in->has_wall, in->wall_end_ns, f->zone))                       \
    X("status", 8, 0, word(tp_inventory_status(f)))                                          \
    X("lost", 8, 5, number(true, all->lost_bytes))

static const struct tp_column file_columns[] = {
#define TP_X(head, width, rank, cell) {head, width, rank, false},
    FILE_COLUMNS(TP_X)
#undef TP_X
};

static const struct tp_table file_table = TABLE(file_columns, "trace", PATH_COLUMNS);

static void print_path(struct tp_emit *e, const char *path)
{
    tp_emit_text(e, "  ");
    tp_emit_path(e, path);
    tp_emit_text(e, "\n");
}

static void print_file(struct tp_emit *e, const struct tp_inventory_file *f)
{
    const struct tp_inventory_input *in = f->found;
    const struct tp_inventory *all = &in->all;
    const struct tp_human cells[] = {
#define TP_X(head, width, rank, cell) cell,
        FILE_COLUMNS(TP_X)
#undef TP_X
    };
    tp_table_cells(e, &file_table, cells, TP_ARRAY_LEN(cells));
    print_path(e, f->input->path);
}

// Prints the line of a refused input, which shows only its status and path.
static void print_refused(struct tp_emit *e, const char *path)
{
    struct tp_human cells[TP_ARRAY_LEN(file_columns)];
    for (size_t i = 0; i < TP_ARRAY_LEN(cells); i++)
        cells[i] = strcmp(file_columns[i].head, "status") == 0 ? word(TP_STATUS_REFUSED)
                                                              : tp_human_unknown();
    tp_table_cells(e, &file_table, cells, TP_ARRAY_LEN(cells));
    print_path(e, path);
}

// GENERATIONS

// X(head, width, rank, cell computed from the generation `g`)
#define GENERATION_COLUMNS(X)                                                           \
    X("generation", 10, 0, number(true, g->number))                                     \
    X("offset", 11, 0, number(true, g->offset))                                         \
    X("bytes", 10, 0, number(true, g->len_bytes))                                       \
    X("batches", 8, 2, number(true, g->batch_count))                                    \
    X("ticks/s", 10, 3, number(g->ticks_per_second != 0, g->ticks_per_second))          \
    X("first-tick", 16, 3, number(g->first_ticks != 0, g->first_ticks))                 \
    X("last-tick", 16, 3, number(g->last_ticks != 0, g->last_ticks))                    \
    X("first-ns", 13, 0, signed_number(g->has_ns, g->first_ns))                         \
    X("last-ns", 13, 1, signed_number(g->has_ns && g->last_ticks != 0, g->last_ns))     \
    X("status", 8, 0, word(g->is_complete ? "complete" : "damaged"))

static const struct tp_column generation_columns[] = {
#define TP_X(head, width, rank, cell) {head, width, rank, false},
    GENERATION_COLUMNS(TP_X)
#undef TP_X
};

static const struct tp_table generation_table = TABLE(generation_columns, NULL, 0);

static void print_generations(struct tp_emit *e, const struct tp_inventory_file *f)
{
    struct tp_listed_generation found;
    const struct tp_listed_generation *g = &found;
    if (f->found->all.generation_count == 0)
        return;
    tp_emit_text(e, "\n");
    tp_table_heads(e, &generation_table);
    for (uint64_t i = 0; tp_list_has_generation(e, f, i, &found); i++) {
        const struct tp_human cells[] = {
#define TP_X(head, width, rank, cell) cell,
            GENERATION_COLUMNS(TP_X)
#undef TP_X
        };
        tp_table_cells(e, &generation_table, cells, TP_ARRAY_LEN(cells));
        tp_emit_text(e, "\n");
    }
}

// BATCHES

// X(head, width, rank, cell computed from the batch `b`). `owner_head` is "m" since Go 1.22 and "p"
// before: the writer of a batch.
#define BATCH_COLUMNS(X, owner_head)                                                    \
    X("offset", 11, 0, number(true, b->offset))                                         \
    X("bytes", 8, 0, number(true, b->len_bytes))                                        \
    X("generation", 10, 1, number(b->generation != 0, b->generation))                   \
    X("kind", 12, 0, word(tp_listed_kind_name(b->kind)))                                \
    X(owner_head, 16, 0, signed_number(b->owner != -1, b->owner))                       \
    X("ticks", 16, 2, number(true, b->ticks))                                           \
    X("ns", 13, 0, signed_number(b->has_ns, b->ns))

static void print_batches(struct tp_emit *e, const struct tp_inventory_file *f)
{
    const struct tp_column columns[] = {
#define TP_X(head, width, rank, cell) {head, width, rank, false},
        BATCH_COLUMNS(TP_X, f->found->format.decoder->batch_owner)
#undef TP_X
    };
    const struct tp_table table = TABLE(columns, NULL, 0);
    struct tp_listed_batch found;
    const struct tp_listed_batch *b = &found;
    tp_emit_text(e, "\n");
    tp_table_heads(e, &table);
    for (uint64_t i = 0; tp_list_has_batch(e, f, i, &found); i++) {
        const struct tp_human cells[] = {
#define TP_X(head, width, rank, cell) cell,
            BATCH_COLUMNS(TP_X, "")
#undef TP_X
        };
        tp_table_cells(e, &table, cells, TP_ARRAY_LEN(cells));
        tp_emit_text(e, "\n");
    }
}

// THE PRINTER

static void begin(struct tp_emit *e, const struct tp_inventory_run *run)
{
    if (!run->lists_batches)
        tp_table_heads(e, &file_table);
}

static void begin_file(struct tp_emit *e, bool has_batches)
{
    if (has_batches && e->has_items)
        tp_emit_text(e, "\n");
    if (has_batches)
        tp_table_heads(e, &file_table);
}

static void file(struct tp_emit *e, const struct tp_inventory_file *f)
{
    begin_file(e, f->lists_batches);
    print_file(e, f);
    if (f->lists_batches) {
        print_generations(e, f);
        print_batches(e, f);
    }
}

static void refused(struct tp_emit *e, const struct tp_inventory_run *run, const char *path,
                    const struct tp_error *why)
{
    (void)why;
    begin_file(e, run->lists_batches);
    print_refused(e, path);
}

// Puts a number with its word and a mark behind it; no line breaks between them.
static void put_count(struct tp_wrap *w, uint64_t count, const char *word, const char *mark)
{
    const struct tp_human text = tp_human_printf("%" PRIu64 " %s%s", count, word, mark);
    tp_wrap_word(w, tp_span_of_text(text.text));
}

static void print_total(struct tp_emit *e, const struct tp_inventory_run *run)
{
    const struct tp_inventory *total = &run->total;
    uint64_t input_count = tp_inventory_file_count(total) + total->refused_count;
    uint64_t event_count = tp_inventory_events(total).count;
    uint64_t string_count = tp_tally_strings(&total->tally);
    uint64_t stack_count = tp_tally_stacks(&total->tally);
    if (run->lists_batches)
        tp_emit_text(e, "\n");
    struct tp_wrap w = tp_wrap_begin(e, e->columns > 0 ? e->columns : UINT_MAX, 0, "", 0);
    w.indent_columns = TOTAL_INDENT;
    tp_wrap_printf(&w, "total of %" PRIu64 " inputs:", input_count);
    put_count(&w, total->complete_count, "complete", ",");
    put_count(&w, total->damaged_count, "damaged", ",");
    put_count(&w, total->refused_count, "refused", ";");
    put_count(&w, total->stored_bytes, total->stored_bytes == 1 ? "byte" : "bytes", ",");
    put_count(&w, event_count, event_count == 1 ? "event" : "events", ",");
    put_count(&w, total->batch_count, total->batch_count == 1 ? "batch" : "batches", ",");
    put_count(&w, string_count, string_count == 1 ? "string" : "strings", ",");
    put_count(&w, stack_count, stack_count == 1 ? "stack" : "stacks", ",");
    put_count(&w, total->lost_bytes, "lost", "");
    tp_wrap_end(&w);
}

static void end(struct tp_emit *e, const struct tp_inventory_run *run)
{
    if (tp_inventory_file_count(&run->total) + run->total.refused_count > 1)
        print_total(e, run);
    for (unsigned i = 0; i < file_table.count; i++)
        e->leaves_out = e->leaves_out || !tp_table_shows(e, &file_table, i);
    if (e->leaves_out)
        tp_emit_printf(e, "\nsome columns need more than %u characters; format=json has all\n",
                       e->columns);
}

const struct tp_inventory_printer tp_list_print_text = {
    .begin = begin, .file = file, .refused = refused, .end = end};
