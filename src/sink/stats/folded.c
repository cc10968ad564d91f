// The form FOLDED of `stats:level=full`: a line for each stack. With a baseline a line has two numbers, as
// difffolded.pl makes of two such files: that of the baseline and the new one.
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "sink/stats/forms.h"
#include "sink/stats/report/parts.h"
#include "sink/stats/report/record_fields.h"

static void put_stack_folded(struct tp_emit *e, const struct tp_full_report *r, unsigned type,
                             const struct tp_full_stack *s)
{
    tp_emit_text(e, tp_stack_type_names[type]);
    if (s->is_idle && r->joins_idle)
        tp_emit_text(e, ";" TP_FULL_IDLE);
    tp_full_put_functions_folded(e, r->totals, s);
    tp_emit_printf(e, " %s\n",
                   tp_wide_text(type == TP_STACK_CPU ? s->count : s->total_ns).text);
}

static void put_report(struct tp_emit *e, const struct tp_full_report *r)
{
    for (unsigned type = 0; type < TP_STACK_TYPE_COUNT; type++) {
        for (size_t i = 0; i < r->stacks[type].count; i++)
            put_stack_folded(e, r, type, &r->stacks[type].items[i]);
    }
    for (unsigned type = 0; type < TP_STACK_TYPE_COUNT; type++) {
        if (r->stacks[type].idle.count > 0)
            put_stack_folded(e, r, type, &r->stacks[type].idle);
    }
    tp_full_print_coarse_folded(e, r);
    tp_full_print_wakers_folded(e, r);
}

// TWO NUMBERS

// The lines of a report in memory.
struct text {
    struct tp_out out;
    TP_LIST(unsigned char);
};

struct line {
    struct tp_span stack, number;
    unsigned side; // 0: of the baseline
};

struct lines {
    TP_LIST(struct line);
};

static int keep_bytes(struct tp_out *out, struct tp_span bytes, struct tp_error *err)
{
    struct text *t = (struct text *)out;
    if (bytes.len_bytes > UINT32_MAX || !TP_LIST_ROOM_FOR(t, (uint32_t)bytes.len_bytes))
        return tp_fail(err, TP_E_MEMORY, "out of memory for stacks");
    memcpy(t->items + t->count, bytes.ptr, bytes.len_bytes);
    t->count += (uint32_t)bytes.len_bytes;
    return 0;
}

static int render(struct text *t, const struct tp_full_report *r, struct tp_error *err)
{
    struct tp_emit e;
    tp_emit_init(&e, &t->out, err);
    put_report(&e, r);
    return tp_emit_end(&e);
}

// Adds the lines of a text. The number stands behind the last space.
static bool add_lines(struct lines *lines, const struct text *t, unsigned side)
{
    const unsigned char *at = t->items, *end = at + t->count;
    bool fits = true;
    while (at < end && fits) {
        const unsigned char *newline = memchr(at, '\n', (size_t)(end - at));
        const unsigned char *space = memrchr(at, ' ', (size_t)(newline - at));
        fits = TP_LIST_ADD(lines, (struct line){tp_span_of(at, (size_t)(space - at)),
                                                tp_span_of(space + 1, (size_t)(newline - space - 1)), side});
        at = newline + 1;
    }
    return fits;
}

static int compare_lines(const void *left, const void *right)
{
    const struct line *a = left, *b = right;
    return tp_span_compare(a->stack, b->stack) ?: tp_compare_u64(a->side, b->side);
}

static void put_lines(struct tp_emit *e, const struct lines *lines)
{
    for (uint32_t i = 0; i < lines->count; i++) {
        struct tp_span numbers[2] = {tp_span_of("0", 1), tp_span_of("0", 1)};
        const struct line *l = &lines->items[i];
        numbers[l->side] = l->number;
        if (i + 1 < lines->count && tp_span_compare(l->stack, l[1].stack) == 0)
            numbers[lines->items[++i].side] = l[1].number;
        tp_emit_span(e, l->stack);
        tp_emit_text(e, " ");
        tp_emit_span(e, numbers[0]);
        tp_emit_text(e, " ");
        tp_emit_span(e, numbers[1]);
        tp_emit_text(e, "\n");
    }
}

static void put_both(struct tp_emit *e, const struct tp_full_report *r)
{
    struct text texts[2] = {{.out = {keep_bytes}}, {.out = {keep_bytes}}};
    struct lines lines = {0};
    struct tp_error err;
    int rc = render(&texts[0], r->baseline, &err);
    if (rc == 0)
        rc = render(&texts[1], r, &err);
    if (rc == 0 && (!add_lines(&lines, &texts[0], 0) || !add_lines(&lines, &texts[1], 1)))
        rc = tp_fail(&err, TP_E_MEMORY, "out of memory for stacks");
    if (rc == 0)
        TP_LIST_SORT(&lines, compare_lines);
    if (rc == 0)
        put_lines(e, &lines);
    else
        e->code = tp_fail(e->err, rc, "%s", err.text);
    tp_free(texts[0].items);
    tp_free(texts[1].items);
    tp_free(lines.items);
}

void tp_full_print_folded(struct tp_emit *e, const struct tp_full_report *r)
{
    if (r->baseline != NULL)
        put_both(e, r);
    else
        put_report(e, r);
}
