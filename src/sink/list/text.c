// The text form of `list`, for people and for scripts that split lines at blanks.
#include <inttypes.h>
#include <stdio.h>

#include "sink/list/print.h"
#include "sink/print/human.h"

#define NS_PER_SEC 1000000000u
#define CELL_BYTES 32

// The text of one cell of a table.
struct cell {
    char text[CELL_BYTES];
};

static struct cell number(bool is_known, uint64_t value)
{
    struct cell c = {"-"};
    if (is_known)
        snprintf(c.text, sizeof c.text, "%" PRIu64, value);
    return c;
}

static struct cell signed_number(bool is_known, int64_t value)
{
    struct cell c = {"-"};
    if (is_known)
        snprintf(c.text, sizeof c.text, "%" PRId64, value);
    return c;
}

static struct cell word(const char *text)
{
    struct cell c;
    snprintf(c.text, sizeof c.text, "%s", text);
    return c;
}

static struct cell seconds(bool is_known, int64_t ns)
{
    struct cell c = {"-"};
    uint64_t value = (uint64_t)ns;
    if (is_known)
        snprintf(c.text, sizeof c.text, "%" PRIu64 ".%09" PRIu64, value / NS_PER_SEC,
                 value % NS_PER_SEC);
    return c;
}

static struct cell version(uint32_t minor)
{
    struct cell c = {"<1.5"};
    if (minor != 0)
        snprintf(c.text, sizeof c.text, "1.%" PRIu32, minor);
    return c;
}

struct column {
    const char *head;
    int width;
};

static void print_heads(struct tp_emit *e, const struct column *columns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        tp_emit_printf(e, "%s%*s", i > 0 ? "  " : "", columns[i].width, columns[i].head);
}

static void print_cells(struct tp_emit *e, const struct column *columns, const struct cell *cells,
                        size_t count)
{
    for (size_t i = 0; i < count; i++)
        tp_emit_printf(e, "%s%*s", i > 0 ? "  " : "", columns[i].width, cells[i].text);
}

// FILES

// X(head, width, cell computed from the summary `a`)
#define FILE_COLUMNS(X)                                                                 \
    X("version", 7, version(a->go_minor))                                               \
    X("bytes", 11, number(true, a->stored_bytes))                                       \
    X("events", 10, number(true, a->event_count))                                       \
    X("batches", 8, number(true, a->batch_count))                                       \
    X("strings", 8, number(true, a->string_count))                                      \
    X("stacks", 7, number(true, a->stack_count))                                        \
    X("gens", 4, number(a->generation_count > 0, a->generation_count))                  \
    X("ticks/s", 10, number(a->ticks_per_second != 0, a->ticks_per_second))             \
    X("first-tick", 16, signed_number(a->has_ticks, (int64_t)a->first_ticks))           \
    X("last-tick", 16, signed_number(a->has_ticks, (int64_t)a->last_ticks))             \
    X("seconds", 13, seconds(a->has_span, a->span_ns))                                  \
    X("state", 8, word(tp_list_status(a)))                                              \
    X("lost", 8, number(true, a->lost_bytes))

static const struct column file_columns[] = {
#define TP_X(head, width, cell) {head, width},
    FILE_COLUMNS(TP_X)
#undef TP_X
};

static void print_file_heads(struct tp_emit *e)
{
    print_heads(e, file_columns, TP_ARRAY_LEN(file_columns));
    tp_emit_text(e, "  file\n");
}

static void print_file(struct tp_emit *e, const struct tp_listing_summary *a)
{
    const struct cell cells[] = {
#define TP_X(head, width, cell) cell,
        FILE_COLUMNS(TP_X)
#undef TP_X
    };
    print_cells(e, file_columns, cells, TP_ARRAY_LEN(cells));
    tp_emit_text(e, "  ");
}

// Prints the line of a refused input, of which only the state is known.
static void print_refused(struct tp_emit *e)
{
    struct cell cells[TP_ARRAY_LEN(file_columns)];
    for (size_t i = 0; i < TP_ARRAY_LEN(cells); i++)
        cells[i] = word(strcmp(file_columns[i].head, "state") == 0 ? TP_STATUS_REFUSED : "-");
    print_cells(e, file_columns, cells, TP_ARRAY_LEN(cells));
    tp_emit_text(e, "  ");
}

// GENERATIONS

#define GENERATION_COLUMNS(X)                                                           \
    X("generation", 10, number(true, g->number))                                        \
    X("offset", 11, number(true, g->offset))                                            \
    X("bytes", 10, number(true, g->len_bytes))                                          \
    X("batches", 8, number(true, g->batch_count))                                       \
    X("ticks/s", 10, number(g->ticks_per_second != 0, g->ticks_per_second))             \
    X("first-tick", 16, number(g->first_ticks != 0, g->first_ticks))                    \
    X("last-tick", 16, number(g->last_ticks != 0, g->last_ticks))                       \
    X("first-ns", 13, signed_number(g->has_ns, g->first_ns))                            \
    X("last-ns", 13, signed_number(g->has_ns && g->last_ticks != 0, g->last_ns))        \
    X("state", 8, word(g->is_complete ? "complete" : "damaged"))

static const struct column generation_columns[] = {
#define TP_X(head, width, cell) {head, width},
    GENERATION_COLUMNS(TP_X)
#undef TP_X
};

static int print_generations(struct tp_emit *e, const struct tp_list_file *f,
                             struct tp_error *err)
{
    struct tp_listed_generation found;
    const struct tp_listed_generation *g = &found;
    int rc = 0;
    if (f->all.generation_count == 0)
        return 0;
    tp_emit_text(e, "\n");
    print_heads(e, generation_columns, TP_ARRAY_LEN(generation_columns));
    tp_emit_text(e, "\n");
    for (uint64_t i = 0; i < f->all.generation_count && rc == 0; i++) {
        rc = tp_list_state_generation(f->state, i, &found, err);
        if (rc != 0)
            return rc;
        const struct cell cells[] = {
#define TP_X(head, width, cell) cell,
            GENERATION_COLUMNS(TP_X)
#undef TP_X
        };
        print_cells(e, generation_columns, cells, TP_ARRAY_LEN(cells));
        tp_emit_text(e, "\n");
    }
    return rc;
}

// BATCHES

// `owner_head` is "m" since Go 1.22 and "p" before: the writer of a batch.
#define BATCH_COLUMNS(X, owner_head)                                                    \
    X("offset", 11, number(true, b->offset))                                            \
    X("bytes", 8, number(true, b->len_bytes))                                           \
    X("generation", 10, number(b->generation != 0, b->generation))                      \
    X("kind", 12, word(tp_listed_kind_name(b->kind)))                                   \
    X(owner_head, 16, signed_number(b->owner != -1, b->owner))                           \
    X("ticks", 16, number(true, b->ticks))                                              \
    X("ns", 13, signed_number(b->has_ns, b->ns))

static const struct column batch_columns[] = {
#define TP_X(head, width, cell) {head, width},
    BATCH_COLUMNS(TP_X, "m")
};
static const struct column old_batch_columns[] = {
    BATCH_COLUMNS(TP_X, "p")
#undef TP_X
};

static int print_batches(struct tp_emit *e, const struct tp_list_file *f, struct tp_error *err)
{
    const struct column *columns =
        tp_format_is_old(&f->state->format) ? old_batch_columns : batch_columns;
    struct tp_listed_batch found;
    const struct tp_listed_batch *b = &found;
    int rc = 0;
    tp_emit_text(e, "\n");
    print_heads(e, columns, TP_ARRAY_LEN(batch_columns));
    tp_emit_text(e, "\n");
    for (uint64_t i = 0; i < f->all.batch_count && rc == 0; i++) {
        rc = tp_list_state_batch(f->state, i, &found, err);
        if (rc != 0)
            return rc;
        const struct cell cells[] = {
#define TP_X(head, width, cell) cell,
            BATCH_COLUMNS(TP_X, "")
#undef TP_X
        };
        print_cells(e, columns, cells, TP_ARRAY_LEN(cells));
        tp_emit_text(e, "\n");
    }
    return rc;
}

// THE PRINTER

static void begin(struct tp_emit *e, bool has_batches)
{
    if (!has_batches)
        print_file_heads(e);
}

static void begin_file(struct tp_emit *e, bool has_batches, uint64_t file_idx)
{
    if (has_batches && file_idx > 0)
        tp_emit_text(e, "\n");
    if (has_batches)
        print_file_heads(e);
}

static int file(struct tp_emit *e, const struct tp_list_file *f, uint64_t file_idx,
                struct tp_error *err)
{
    begin_file(e, f->has_batches, file_idx);
    print_file(e, &f->all);
    tp_emit_path(e, f->path);
    tp_emit_text(e, "\n");
    if (!f->has_batches)
        return 0;
    int rc = print_generations(e, f, err);
    return rc == 0 ? print_batches(e, f, err) : rc;
}

static void refused(struct tp_emit *e, const char *path, const struct tp_error *why,
                    bool has_batches, uint64_t file_idx)
{
    (void)why;
    begin_file(e, has_batches, file_idx);
    print_refused(e);
    tp_emit_path(e, path);
    tp_emit_text(e, "\n");
}

static void end(struct tp_emit *e, const struct tp_list_total *total, bool has_batches)
{
    const struct tp_listing_summary *a = &total->all;
    uint64_t input_count = total->file_count + total->refused_count;
    if (input_count < 2)
        return;
    if (has_batches)
        tp_emit_text(e, "\n");
    tp_emit_printf(e, "total of %" PRIu64 " inputs: %" PRIu64 " complete, %" PRIu64 " damaged, %"
                   PRIu64 " refused; ", input_count, total->complete_count,
                   total->file_count - total->complete_count, total->refused_count);
    tp_emit_printf(e, "%" PRIu64 " byte%s, %" PRIu64 " event%s, %" PRIu64 " batch%s, %" PRIu64
                   " string%s, %" PRIu64 " stack%s, %" PRIu64 " lost\n", a->stored_bytes,
                   tp_plural(a->stored_bytes), a->event_count, tp_plural(a->event_count),
                   a->batch_count, a->batch_count == 1 ? "" : "es", a->string_count,
                   tp_plural(a->string_count), a->stack_count, tp_plural(a->stack_count),
                   a->lost_bytes);
}

const struct tp_list_printer tp_list_print_text = {begin, file, refused, end};
