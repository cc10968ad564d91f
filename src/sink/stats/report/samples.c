// CPU samples by function in the report of `stats:level=full`, computed from samples by stack.
#include <stdlib.h>

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "sink/stats/report/parts.h"

// Types of counts of samples by function; the "stack" of a count is the number of a name.
// CUMULATIVE: samples whose stack contains the function. FLAT: samples in which it is innermost.
enum { CUMULATIVE, FLAT };

static bool is_further_in(const struct tp_totals *s, const struct tp_full_stack *stack, size_t at)
{
    uint32_t function = tp_full_frame(s, stack, at).function;
    for (size_t i = 0; i < at; i++) {
        if (tp_full_frame(s, stack, i).function == function)
            return true;
    }
    return false;
}

static bool add_stack(struct tp_stack_counts *by_function, const struct tp_totals *s,
                      const struct tp_full_stack *stack)
{
    bool fits = true;
    for (size_t i = 0; i < stack->frame_count && fits; i++) {
        uint32_t function = tp_full_frame(s, stack, i).function;
        // Count a recursive function once per sample.
        if (!is_further_in(s, stack, i))
            fits = tp_stack_counts_add(by_function, function, CUMULATIVE, stack->count, 0);
        if (i == 0)
            fits = fits && tp_stack_counts_add(by_function, function, FLAT, stack->count, 0);
    }
    return fits;
}

static int compare(const void *left, const void *right)
{
    const struct tp_full_sample *a = left, *b = right;
    return tp_compare_u64(b->flat_count, a->flat_count)
        ?: tp_compare_u64(b->count, a->count)
        ?: tp_span_compare(a->function, b->function);
}

static uint64_t flat_count(const struct tp_stack_counts *by_function, uint32_t function)
{
    const struct tp_stack_count *flat = tp_stack_counts_find(by_function, function, FLAT);
    return flat != NULL ? flat->count : 0;
}

static bool fill(struct tp_full_report *r, const struct tp_stack_counts *by_function)
{
    r->samples = tp_alloc_array(by_function->count + (size_t)1, sizeof *r->samples);
    if (r->samples == NULL)
        return false;
    for (uint32_t i = 0; i < by_function->count; i++) {
        const struct tp_stack_count *c = &by_function->items[i];
        uint32_t name = tp_stack_count_stack(c);
        struct tp_span function = tp_full_text(r, name);
        if (tp_stack_count_type(c) == CUMULATIVE && tp_full_matches(r, function))
            r->samples[r->sample_count++] =
                (struct tp_full_sample){function, flat_count(by_function, name), c->count};
    }
    qsort(r->samples, r->sample_count, sizeof *r->samples, compare);
    return true;
}

int tp_full_make_samples(struct tp_full_report *r, struct tp_error *err)
{
    const struct tp_stack_counts *by_stack = &r->totals->by_stack;
    struct tp_stack_counts by_function = {0};
    bool fits = true;
    for (uint32_t i = 0; i < by_stack->count && fits; i++) {
        const struct tp_stack_count *c = &by_stack->items[i];
        struct tp_full_stack stack = {.count = c->count};
        if (tp_stack_count_type(c) != TP_STACK_CPU)
            continue;
        stack.frame_count =
            tp_totals_stack_frames(&r->totals->stacks, tp_stack_count_stack(c), &stack.frames);
        fits = add_stack(&by_function, r->totals, &stack);
    }
    fits = fits && fill(r, &by_function);
    tp_stack_counts_fini(&by_function);
    return fits ? 0 : tp_fail(err, TP_E_MEMORY, "out of memory for a table of CPU samples");
}

// CPU time of which Go's profiler takes a sample, unless the program sets another rate, which traces do
// not record.
#define SAMPLED_NS 10000000

// Returns the running time of all goroutines.
static tp_wide running_ns(const struct tp_full_report *r)
{
    tp_wide ns = 0;
    for (size_t i = 0; i < r->goroutine_row_count; i++) {
        if (r->rows[i].measure == TP_MEASURE_RUN)
            ns = tp_wide_add(ns, tp_dist_all_ns(r->rows[i].dist));
    }
    return ns;
}

// Prints the counts; the expected one for a single trace only, because totals do not record which traces
// of several were sampled.
static void print_counts(struct tp_emit *e, const struct tp_full_report *r)
{
    const struct tp_totals *s = r->totals;
    tp_wide ns = running_ns(r);
    tp_emit_printf(e, "  %s in all, over %s of %s\n", tp_human_count(s->sample_count).text,
                   tp_human_ns(s->sample_span_ns).text, tp_human_ns(s->duration_ns).text);
    if (s->file_count == 1)
        tp_emit_printf(e, "  goroutines ran %s, in which 100 a second make %s\n", tp_human_ns(ns).text,
                       tp_human_count(ns / SAMPLED_NS).text);
}

void tp_full_print_samples(struct tp_emit *e, const struct tp_full_report *r)
{
    static const struct tp_column columns[] = {TP_COUNTS("innermost"),
                                               TP_COUNTS("anywhere")};
    static const struct tp_table table = TP_TABLE_OF_NAMES(columns, NULL, 0);
    if (r->sample_count == 0)
        return;
    tp_table_begin(e, &table, "CPU samples, by function");
    for (size_t i = 0; i < r->sample_count && i < r->top; i++) {
        const struct tp_human cells[] = {tp_human_count(r->samples[i].flat_count),
                                         tp_human_count(r->samples[i].count)};
        tp_table_row(e, &table, r->samples[i].function, "(unknown)", cells);
        tp_emit_text(e, "\n");
    }
    tp_table_more(e, r->sample_count, r->top);
    if (r->filter[0] == '\0') // else the rows lack goroutines
        print_counts(e, r);
}

void tp_full_put_samples(struct tp_emit *e, const struct tp_full_report *r)
{
    tp_fields_set_csv(e, "total", "");
    tp_field_wide(e, "sample_count", r->totals->sample_count);
    tp_field_wide(e, "sample_span_ns", r->totals->sample_span_ns);
    tp_fields_set_csv(e, "sample", "");
    tp_fields_open_line(e, "samples", '[');
    for (size_t i = 0; i < r->sample_count; i++) {
        tp_fields_open_line(e, NULL, '{');
        tp_fields_name(e, "function", r->samples[i].function);
        tp_field_wide(e, "flat", r->samples[i].flat_count);
        tp_field_wide(e, "cumulative", r->samples[i].count);
        tp_fields_close(e, '{');
    }
    tp_fields_close(e, '[');
}
