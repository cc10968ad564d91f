// All that is known of each finding, for `stats:by=finding`: names and paths are wrapped, never cut.
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sink/print/wrap.h"
#include "sink/stats/findings/print.h"
#include "sink/stats/findings/words.h"
#include "sink/stats/report/command.h"

// Columns before labels, and before the texts behind them.
#define LABEL_INDENT 3
#define TEXT_INDENT 15
#define PPM UINT64_C(1000000)
#define EVENTS "events"

static const struct {
    const char *against, *meaning;
} meanings[TP_FINDS_COUNT] = {
#define TP_MEANING(kind, against, meaning) [TP_FINDS_##kind] = {against, meaning},
#include "sink/stats/findings/meanings.def"
#undef TP_MEANING
};

// The meaning of few_ps if the Ps are idle for most of the time.
static const char of_bursts[] = "Many goroutines become runnable at once and wait for a P then, although the Ps are idle "
                                "for most of the time: create or wake fewer at once. More Ps make the bursts shorter.";

// The view prints a row of the fleet and its details, which the report has.
struct view {
    struct tp_emit *e;
    const struct tp_full_report *r;
    const struct tp_fleet_row *row;
    const struct tp_detail *detail;
};

static struct tp_wrap begin(const struct view *v, const char *label)
{
    return tp_wrap_begin(v->e, v->r->screen.columns, LABEL_INDENT, label, TEXT_INDENT);
}

static void put_line(const struct view *v, const char *label, const char *text)
{
    struct tp_wrap w = begin(v, label);
    tp_wrap_text(&w, tp_span_of_text(text));
    tp_wrap_end(&w);
}

// FIGURES

static void put_title(const struct view *v, uint32_t idx)
{
    const struct tp_finding_kind_info *kind = &tp_finding_kinds[v->row->kind];
    char number[16];
    snprintf(number, sizeof number, "%" PRIu32 ".", idx + 1);
    struct tp_wrap w = tp_wrap_begin(v->e, v->r->screen.columns, 0, number, LABEL_INDENT);
    tp_emit_style(v->e, TP_STYLE_ALARM);
    tp_wrap_printf(&w, "%s:", kind->title);
    tp_emit_style(v->e, TP_STYLE_PLAIN);
    tp_wrap_printf(&w, "%s; threshold %s %s", tp_finding_headline(v->row).text,
                   tp_finding_human(v->row->kind, kind->threshold_ppm).text,
                   tp_finding_sentences[v->row->kind].unit);
    tp_wrap_end(&w);
}

// Appends to a text of the given size, and cuts what does not fit. All texts of callers fit.
static void append(char *text, size_t bytes, const char *format, ...) TP_PRINTF(3, 4);
static void append(char *text, size_t bytes, const char *format, ...)
{
    size_t len_bytes = strlen(text);
    va_list ap;
    va_start(ap, format);
    vsnprintf(text + len_bytes, bytes - len_bytes, format, ap);
    va_end(ap);
}

static void put_figures(const struct view *v)
{
    const struct tp_fleet_row *row = v->row;
    const char *count = tp_finding_sentences[row->kind].count, *comma = "";
    char text[256] = "";
    if (count != NULL) {
        append(text, sizeof text, "%s %.*s", tp_human_count(row->count).text,
               tp_finding_word_bytes(count, row->count), count);
        comma = ", ";
    }
    if (row->kind == TP_FINDS_LEAK)
        append(text, sizeof text, "%s still blocked", tp_human_count(row->count).text);
    else
        append(text, sizeof text, "%s%s in all", comma, tp_human_ns(row->lost).text);
    if (row->kind == TP_FINDS_FEW_PS)
        append(text, sizeof text, ", %s", tp_finding_ps(row).text);
    if (row->kind == TP_FINDS_SYSCALL && row->count > 0)
        append(text, sizeof text, ", mean %s", tp_human_ns(row->lost / row->count).text);
    if (row->max_ns > 0)
        append(text, sizeof text, ", longest %s", tp_human_ns(row->max_ns).text);
    if (row->p99_ns > 0)
        append(text, sizeof text, ", p99 %s", tp_human_ns(row->p99_ns).text);
    put_line(v, "figures", text);
}

static void put_when(const struct view *v)
{
    const struct tp_when when = tp_finding_when(v->row);
    if (!tp_when_is_known(when))
        return;
    struct tp_wrap w = begin(v, "when");
    tp_wrap_printf(&w, "%s, at %s", tp_finding_worst(v->row, UINT32_MAX).text,
                   tp_full_when_text(v->r, when).text);
    tp_wrap_end(&w);
}

static void put_importance(const struct view *v)
{
    uint64_t judged = v->r->fleet.judgements[TP_JUDGEMENT_JUDGED];
    struct tp_wrap w = begin(v, "importance");
    tp_wrap_printf(&w, "%s of %s", tp_human_share(v->row->importance_ppm, PPM).text,
                   meanings[v->row->kind].against);
    if (tp_finding_is_of_fleet(v->r))
        tp_wrap_printf(&w, "in all %s traces analysed", tp_human_count(judged).text);
    tp_wrap_end(&w);
}

// PLACES

static void put_frame(const struct view *v, struct tp_wrap *w, const struct tp_source_place *at)
{
    char line[32];
    tp_wrap_word(w, tp_full_text(v->r, at->function));
    if (tp_full_text(v->r, at->file).len_bytes == 0)
        return;
    snprintf(line, sizeof line, ":%" PRIu64, at->line);
    tp_wrap_joined(w, tp_full_text(v->r, at->file), tp_span_of_text(line));
}

static void put_place(const struct view *v, const char *label, const struct tp_source_place *place)
{
    if (label == NULL || place->function == TP_INTERN_NONE)
        return;
    struct tp_wrap w = begin(v, label);
    put_frame(v, &w, place);
    tp_wrap_end(&w);
}

static void put_culprit(const struct view *v)
{
    const char *label = tp_finding_culprit_label(v->row);
    if (v->row->culprit.function == TP_INTERN_NONE)
        put_line(v, label, "not known: no stack of it is in the trace");
    put_place(v, label, &v->row->culprit);
    put_place(v, tp_finding_other_label(v->r, v->row), &v->row->other);
}

static void put_also(const struct view *v)
{
    if (v->row->also == 0)
        return;
    struct tp_wrap w = begin(v, "also causes");
    for (unsigned k = 0; k < TP_FINDS_COUNT; k++) {
        if ((v->row->also >> k & 1) != 0)
            tp_wrap_printf(&w, "%s (%s)", tp_finding_kinds[k].title, tp_finding_kinds[k].key);
    }
    tp_wrap_end(&w);
}

static void put_stack(const struct view *v)
{
    static const char *const events[] = {
        [TP_STACK_NET] = "where it began to wait for the network",
        [TP_STACK_SYNC] = "where it began to wait",
        [TP_STACK_SYSCALL] = "where it entered the system",
        [TP_STACK_SCHED] = "where it woke or made others, or was preempted",
        [TP_STACK_CPU] = "where the CPU was sampled",
        [TP_STACK_NET_OPEN] = "where it waits for the network at the end of the trace",
        [TP_STACK_SYNC_OPEN] = "where it waits at the end of the trace",
        [TP_STACK_SYSCALL_OPEN] = "where it is in the system at the end of the trace",
        [TP_DETAIL_WAKER] = "where it ended waits",
    };
    const struct tp_totals *s = v->r->totals;
    const uint32_t *frames;
    if (v->detail->stack == TP_INTERN_NONE)
        return;
    size_t count = tp_totals_stack_frames(&s->stacks, v->detail->stack, &frames);
    char text[96] = "";
    append(text, sizeof text, "%s%s",
           v->detail->is_other_stack ? "of this function, not of the finding: " : "",
           events[v->detail->stack_type]);
    put_line(v, "stack", text);
    for (size_t i = 0; i < count; i++) {
        struct tp_totals_frame f = tp_totals_frames_get(&s->frames, frames[i]);
        const struct tp_source_place at = {f.function, f.file, f.line};
        struct tp_wrap w = begin(v, "");
        w.indent_columns += 2;
        put_frame(v, &w, &at);
        tp_wrap_end(&w);
    }
}

// WHO SUFFERS

// Puts the figures of waits, or of others, behind a name.
static void put_dist(struct tp_wrap *w, const char *word, const struct tp_dist *d)
{
    uint64_t count = tp_wide_limited(tp_dist_all_count(d));
    tp_wrap_printf(w, "%s in %s %.*s%s", tp_human_ns(tp_dist_all_ns(d)).text,
                   tp_human_count(count).text, tp_finding_word_bytes(word, count), word,
                   d->count > 0 ? "," : "");
    if (d->count > 0)
        tp_wrap_printf(w, "p99 %s, longest %s", tp_human_ns(tp_dist_quantile_ns(d, 990)).text,
                       tp_human_ns(d->max_ns).text);
}

static void put_more(const struct view *v, uint64_t count)
{
    if (count == 0)
        return;
    struct tp_wrap w = begin(v, "");
    tp_wrap_printf(&w, "and %s more", tp_human_count(count).text);
    tp_wrap_end(&w);
}

static void put_waiters(const struct view *v)
{
    uint32_t count = v->detail->waiters.count;
    for (uint32_t i = 0; i < count && i < v->r->top; i++) {
        const struct tp_detail_waiter *waiter = &v->detail->waiters.items[i];
        struct tp_wrap w = begin(v, i == 0 ? "waiting" : "");
        put_frame(v, &w, &waiter->place);
        tp_wrap_line(&w);
        put_dist(&w, "waits", &waiter->waits);
        tp_wrap_end(&w);
    }
    if (count > v->r->top)
        put_more(v, count - v->r->top);
}

// Returns the figures of a function or type of tasks that suffers; NULL: there are none.
static const struct tp_dist *victim_figures(const struct view *v, uint32_t name)
{
    const struct tp_durations *l = &v->r->totals->durations;
    switch (v->row->kind) {
    case TP_FINDS_FEW_PS: return tp_durations_find(l, TP_SPACE_GOROUTINE, name, TP_MEASURE_SCHED);
    case TP_FINDS_SLOW_TASK: return tp_durations_find(l, TP_SPACE_TASK, name, 0);
    default: return NULL;
    }
}

static void put_victims(const struct view *v)
{
    static const char *const labels[TP_FINDS_COUNT] = {[TP_FINDS_GC] = "assisting",
                                                       [TP_FINDS_FEW_PS] = "waiting",
                                                       [TP_FINDS_SLOW_TASK] = "tasks"};
    bool is_task = v->row->kind == TP_FINDS_SLOW_TASK;
    if (labels[v->row->kind] == NULL)
        return;
    for (uint32_t i = 0; i < v->row->victim_count; i++) {
        const struct tp_source_place *place = &v->row->victims[i].place;
        const struct tp_dist *d = victim_figures(v, place->function);
        struct tp_wrap w = begin(v, i == 0 ? labels[v->row->kind] : "");
        put_frame(v, &w, place);
        if (d != NULL) {
            tp_wrap_line(&w);
            put_dist(&w, is_task ? "tasks" : "waits", d);
        }
        tp_wrap_end(&w);
    }
    put_more(v, v->row->more_victims);
}

// WHERE IT IS, AND HOW TO GO ON

static void put_file(const struct view *v, const char *label, const struct tp_found *found)
{
    struct tp_wrap w = begin(v, label);
    tp_wrap_word(&w, tp_full_text(v->r, found->path));
    if (tp_finding_is_of_fleet(v->r))
        tp_wrap_printf(&w, "(%s%s)", tp_finding_human(v->row->kind, found->value_ppm).text,
                       found->is_damaged ? ", damaged" : "");
    tp_wrap_end(&w);
}

// Puts each input once, with the greatest of its values.
static void put_files(const struct view *v)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < v->row->found_count; i++) {
        if (v->row->found[i]->is_first && count++ < v->r->top)
            put_file(v, count == 1 ? "found in" : "", v->row->found[i]);
    }
    if (count > v->r->top)
        put_more(v, count - v->r->top);
}

static void put_meaning(const struct view *v)
{
    struct tp_wrap w = begin(v, "meaning");
    tp_wrap_printf(&w, "%s", tp_finding_is_of_bursts(v->row) ? of_bursts : meanings[v->row->kind].meaning);
    tp_wrap_printf(&w, "(--explain %s)", tp_finding_kinds[v->row->kind].key);
    tp_wrap_end(&w);
}

// Returns the name by which to filter the table that shows more of the finding in the worst input,
// the first one of the row; empty: none.
static struct tp_span filter_of(const struct view *v)
{
    const struct tp_fleet_row *row = v->row;
    uint32_t name = TP_INTERN_NONE;
    switch (tp_finding_sentences[row->kind].filter) {
    case TP_FINDING_FILTER_NOBODY: break;
    case TP_FINDING_FILTER_CULPRIT: name = row->culprit.function; break;
    case TP_FINDING_FILTER_VICTIM: name = row->found[0]->victim.function; break;
    }
    struct tp_span text = tp_full_text(v->r, name);
    bool can_filter = text.len_bytes > 0 && text.len_bytes <= TP_OPT_TEXT_MAX_BYTES &&
                      memchr(text.ptr, ',', text.len_bytes) == NULL;
    return can_filter ? text : tp_span_of("", 0);
}

// Puts a command that reads the worst input. A shell reads all of it as one line.
static void put_command(const struct view *v, const char *label, const char *sink,
                        const struct tp_full_window *window)
{
    const struct tp_full_command command = {.window = window != NULL ? window->text : NULL,
                                            .sink = tp_span_of_text(sink),
                                            .path = tp_full_text(v->r, v->row->worst_path)};
    struct tp_wrap w = begin(v, label);
    tp_full_print_command(v->e, v->r, "", &command);
    tp_wrap_end(&w);
}

// Puts the command that shows the finding in its table, unless that would not have the culprit, and
// the one that shows the events at the worst instance; if that is not known, all events in place of a
// table.
static void put_next(const struct view *v)
{
    bool has_window = tp_finding_when(v->row).since_ns != TP_NO_MOMENT;
    const struct tp_finding_sentence *s = &tp_finding_sentences[v->row->kind];
    // Tables of stacks and wakers have no row for a culprit without a kept stack.
    bool has_table = s->filter != TP_FINDING_FILTER_CULPRIT || v->detail->stack != TP_INTERN_NONE;
    struct tp_span filter = has_table ? filter_of(v) : tp_span_of("", 0);
    char sink[sizeof ",filter=" + TP_OPT_TEXT_MAX_BYTES + 64];
    snprintf(sink, sizeof sink, "%s%s%.*s", s->sink, filter.len_bytes > 0 ? ",filter=" : "",
             (int)filter.len_bytes, (const char *)filter.ptr);
    has_table = has_table && strcmp(s->sink, EVENTS) != 0;
    if (has_table)
        put_command(v, "next", sink, NULL);
    if (has_window) {
        const struct tp_full_window window = tp_finding_window(v->row);
        put_command(v, has_table ? "events" : "next", TP_FULL_EVENTS_SINK, &window);
    } else if (!has_table) {
        put_command(v, "next", TP_FULL_EVENTS_SINK, NULL);
    }
}

static void put_damage(const struct view *v)
{
    uint32_t count = v->row->damaged_count;
    bool is_one = v->row->file_count == 1;
    if (count == 0)
        return;
    struct tp_wrap w = begin(v, "damage");
    if (is_one)
        tp_wrap_printf(&w, "the trace is damaged: this holds");
    else
        tp_wrap_printf(&w, "%s of these traces %s damaged: this holds", tp_human_count(count).text,
                       count == 1 ? "is" : "are");
    tp_wrap_printf(&w, "as far as %s could be read", count == 1 ? "it" : "they");
    tp_wrap_end(&w);
}

static void put_row(const struct view *v, uint32_t idx)
{
    put_title(v, idx);
    put_figures(v);
    put_when(v);
    put_importance(v);
    if (tp_finding_is_of_fleet(v->r)) {
        struct tp_wrap w = begin(v, "traces");
        tp_wrap_printf(&w, "%s of %s analysed", tp_human_count(v->row->file_count).text,
                       tp_human_count(v->r->fleet.judgements[TP_JUDGEMENT_JUDGED]).text);
        tp_wrap_end(&w);
    }
    put_damage(v);
    put_culprit(v);
    put_also(v);
    put_stack(v);
    put_waiters(v);
    put_victims(v);
    put_files(v);
    put_meaning(v);
    put_next(v);
}

void tp_full_print_view(struct tp_emit *e, const struct tp_full_report *r)
{
    for (uint32_t i = 0; i < r->fleet.count && i < r->top; i++) {
        const struct view v = {e, r, &r->fleet.items[i], &r->details.items[i]};
        tp_emit_text(e, "\n");
        put_row(&v, i);
    }
    if (tp_full_findings_head(r) > 0)
        tp_emit_text(e, "\n");
    tp_table_more(e, r->fleet.count, r->top);
    tp_full_print_verdict(e, r);
}
