// The comparison with a baseline, as text and as a table of Markdown: a line for each change, with the figure,
// that of before, and who is to blame or where the time went.
#include <inttypes.h>
#include <string.h>

#include "base/text/quote.h"
#include "sink/print/shorten.h"
#include "sink/print/wrap.h"
#include "sink/stats/findings/words.h"
#include "sink/stats/hosts/print.h"
#include "sink/stats/hosts/words.h"

#define VERDICT_COLUMNS 8
#define LABEL_COLUMNS 10

static bool is_bad(const struct tp_change *change)
{
    return change->verdict == TP_VERSUS_NEW || change->verdict == TP_VERSUS_WORSE;
}

static bool is_good(const struct tp_change *change)
{
    return change->verdict == TP_VERSUS_BETTER || change->verdict == TP_VERSUS_GONE;
}

// FIGURES

static struct tp_human value_of(const struct tp_change *change, unsigned side)
{
    uint64_t value = change->values[side];
    return value > 0 ? tp_measure_human(change->measure, value) : tp_human_printf("0");
}

// Returns by how much the value has changed, or the factor if that is 10 and more; empty: it was or is 0.
static struct tp_human human_change(const struct tp_change *change)
{
    uint64_t before = change->values[TP_VERSUS_BEFORE], after = change->values[TP_VERSUS_AFTER];
    if (before == 0 || after == 0)
        return tp_human_printf("%s", "");
    if (after / 10 >= before)
        return tp_human_printf("x %s", tp_human_count((after + (tp_wide)before / 2) / before).text);
    if (after > before)
        return tp_human_printf("+%" PRIu64 "%%", tp_wide_ratio(after - before, 100, before));
    return tp_human_printf("-%" PRIu64 "%%", (uint64_t)((tp_wide)(before - after) * 100 / before));
}

static struct tp_span name_of(const struct tp_change *change)
{
    return change->name.len_bytes > 0 ? change->name : tp_span_of_text(tp_full_name_if_empty(TP_SPACE_TASK));
}

// PLACES

// Where a change is, or what it comes from.
struct where {
    const char *label;
    struct tp_source_place place; // in the totals `s`; no function: `region` is used
    const struct tp_totals *s;
    struct tp_span region;        // empty: none
};

static void set_wait(struct where *w, const struct tp_versus *v, const char *label, const struct tp_change *wait)
{
    w->label = label;
    w->s = v->sides[wait->of].totals;
    w->place = tp_top_place(wait->top);
}

static struct where where_of(const struct tp_versus *v, const struct tp_change *change)
{
    struct where w = {.label = "", .place = TP_SOURCE_PLACE_NONE};
    const struct tp_change *beside = tp_versus_beside(v, change);
    if (change->found != NULL) {
        w.label = tp_found_culprit_label(change->found);
        w.s = v->sides[change->of].totals;
        w.place = change->found->culprit;
    } else if (change->measure == TP_HOST_WAIT) {
        set_wait(&w, v, "in", change);
    } else if (beside != NULL && beside->measure == TP_HOST_WAIT) {
        set_wait(&w, v, "also waits in", beside);
    } else if (beside != NULL) {
        w.label = "also region";
        w.region = beside->name;
    }
    return w;
}

static const char *more_or_less(const struct tp_change *change)
{
    return change->of == TP_VERSUS_AFTER ? "more" : "less";
}

// TEXT

static void put_where(struct tp_line *l, const struct where *w)
{
    const struct tp_human label = tp_human_printf("  %s ", w->label);
    if (w->place.function != TP_INTERN_NONE)
        tp_hosts_put_place(l, w->s, label.text, &w->place);
    else if (w->region.len_bytes > 0)
        tp_hosts_put_region(l, w->region);
}

static void put_figure(struct tp_line *l, const struct tp_change *change)
{
    const struct tp_human by = human_change(change);
    const struct tp_human from = tp_human_printf(" (%s%sfrom %s)", by.text, by.columns > 0 ? " " : "",
                                                 value_of(change, TP_VERSUS_BEFORE).text);
    if (tp_hosts_put_figure(l, change->measure, change->name, value_of(change, TP_VERSUS_AFTER), from.columns))
        tp_line_try(l, "%s", from.text);
}

static void put_padded(struct tp_line *l, const char *text, size_t columns)
{
    tp_line_text(l, text);
    for (size_t i = strlen(text); i < columns; i++)
        tp_line_text(l, " ");
}

static void put_change(struct tp_emit *e, const struct tp_full_report *r, const struct tp_change *change)
{
    struct tp_line l = {e, r->screen.columns};
    const struct where where = where_of(&r->versus, change);
    tp_line_text(&l, "  ");
    if (is_bad(change))
        tp_emit_style(e, TP_STYLE_ALARM);
    put_padded(&l, tp_versus_words[change->verdict], VERDICT_COLUMNS);
    tp_emit_style(e, TP_STYLE_PLAIN);
    put_padded(&l, tp_measure_label(change->measure), LABEL_COLUMNS);
    put_figure(&l, change);
    if (where.label[0] == '\0' || change->class != TP_CLASS_ELSEWHERE)
        tp_hosts_put_class(&l, change->class, change->class_ns, more_or_less(change));
    put_where(&l, &where);
    tp_emit_text(e, "\n");
}

// THE VERDICT

struct counts {
    uint32_t bad, good;
};

static struct counts counts_of(const struct tp_versus *v)
{
    struct counts counts = {0};
    for (uint32_t i = 0; i < v->count; i++) {
        counts.bad += is_bad(&v->items[i]);
        counts.good += is_good(&v->items[i]);
    }
    return counts;
}

static uint64_t trace_count(const struct tp_versus *v, unsigned side)
{
    return v->sides[side].totals->file_count;
}

// Returns the sentence about all changes.
static void put_verdict(struct tp_wrap *w, const struct tp_versus *v)
{
    const struct counts counts = counts_of(v);
    uint64_t after = trace_count(v, TP_VERSUS_AFTER);
    tp_wrap_printf(w, "%s trace%s against %s of the baseline:", tp_human_count(after).text, tp_plural(after),
                   tp_human_count(trace_count(v, TP_VERSUS_BEFORE)).text);
    if (!v->is_compared)
        tp_wrap_printf(w, " no trace of one of the sides was analysed");
    else if (counts.bad + counts.good == 0)
        tp_wrap_printf(w, " no change for better or worse");
    else
        tp_wrap_printf(w, " %" PRIu32 " change%s for the worse, %" PRIu32 " for the better", counts.bad,
                       tp_plural(counts.bad), counts.good);
}

// Returns what the reader has to know of the sides; NULL: nothing.
static const char *note_of(const struct tp_versus *v)
{
    if (trace_count(v, TP_VERSUS_BEFORE) == 1 && trace_count(v, TP_VERSUS_AFTER) > 1)
        return "The baseline is a single trace. For several give a folder, a list as @FILE, or --baseline "
               "again: it takes one word of those that a shell makes of a pattern.";
    if (v->are_few)
        return "Too few traces were analysed to measure noise: only changes by a factor of 2 are listed, or of 3 if a side "
               "has one trace.";
    return NULL;
}

void tp_full_print_versus_head(struct tp_emit *e, const struct tp_full_report *r)
{
    const struct tp_versus *v = &r->versus;
    const char *note = note_of(v);
    tp_emit_text(e, "\n");
    tp_emit_style(e, counts_of(v).bad > 0 ? TP_STYLE_ALARM : TP_STYLE_PLAIN);
    struct tp_wrap w = tp_wrap_begin(e, r->screen.columns, 0, "", 0);
    put_verdict(&w, v);
    tp_wrap_end(&w);
    tp_emit_style(e, TP_STYLE_PLAIN);
    if (note == NULL)
        return;
    w = tp_wrap_begin(e, r->screen.columns, 2, "", 2);
    tp_wrap_printf(&w, "%s", note);
    tp_wrap_end(&w);
}

void tp_full_print_versus(struct tp_emit *e, const struct tp_full_report *r, size_t most)
{
    const struct tp_versus *v = &r->versus;
    tp_full_print_versus_head(e, r);
    for (uint32_t i = 0; i < v->count && i < most; i++)
        put_change(e, r, &v->items[i]);
    tp_table_more(e, v->count, most);
}

// MARKDOWN

// Puts a name as code, in which nothing ends the cell.
static void put_code(struct tp_emit *e, struct tp_span text)
{
    size_t len_bytes;
    tp_emit_text(e, "`");
    for (; text.len_bytes > 0; text = tp_span_skip(text, len_bytes)) {
        bool shows = tp_rune_shows(text, &len_bytes);
        if (!shows || text.ptr[0] == '`')
            tp_emit_text(e, "?");
        else if (text.ptr[0] == '|')
            tp_emit_text(e, "\\|");
        else
            tp_emit_span(e, tp_span_of(text.ptr, len_bytes));
    }
    tp_emit_text(e, "`");
}

static void put_where_code(struct tp_emit *e, const struct where *w, const struct tp_change *change)
{
    struct tp_span function = w->place.function != TP_INTERN_NONE ? tp_totals_text(w->s, w->place.function)
                                                                  : w->region;
    if (change->class_ns > 0)
        tp_emit_printf(e, "%s %s %s%s", tp_human_ns(change->class_ns).text, more_or_less(change),
                       tp_class_words(change->class), function.len_bytes > 0 ? ", " : "");
    if (function.len_bytes == 0)
        return;
    tp_emit_text(e, w->label);
    tp_emit_text(e, " ");
    put_code(e, function);
    if (w->place.function == TP_INTERN_NONE || w->place.file == TP_INTERN_NONE)
        return;
    tp_emit_text(e, " ");
    put_code(e, tp_full_file_name(tp_totals_text(w->s, w->place.file)));
    tp_emit_printf(e, ":%" PRIu64, w->place.line);
}

static void put_row(struct tp_emit *e, const struct tp_versus *v, const struct tp_change *change)
{
    const struct where where = where_of(v, change);
    tp_emit_printf(e, "| %s | %s ", tp_versus_words[change->verdict], tp_measure_label(change->measure));
    if (tp_measure_begins_with_name(change->measure)) {
        tp_emit_text(e, tp_measure_name_words(change->measure));
        put_code(e, name_of(change));
        tp_emit_text(e, " ");
    }
    tp_emit_printf(e, "%s | %s | %s | %s | ", tp_measure_words(change->measure),
                   value_of(change, TP_VERSUS_BEFORE).text, value_of(change, TP_VERSUS_AFTER).text,
                   human_change(change).text);
    put_where_code(e, &where, change);
    tp_emit_text(e, " |\n");
}

void tp_full_print_markdown(struct tp_emit *e, const struct tp_full_report *r)
{
    const struct tp_versus *v = &r->versus;
    const char *note = note_of(v);
    struct tp_wrap w = tp_wrap_begin(e, UINT32_MAX, 0, "", 0);
    put_verdict(&w, v);
    tp_wrap_end(&w);
    if (note != NULL)
        tp_emit_printf(e, "\n%s\n", note);
    if (v->count > 0)
        tp_emit_text(e, "\n|  | What | Before | After | Change | Where |\n"
                        "| --- | --- | ---: | ---: | ---: | --- |\n");
    for (uint32_t i = 0; i < v->count; i++)
        put_row(e, v, &v->items[i]);
}
