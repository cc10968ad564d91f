// Prints where goroutines spent their time, by state and reason, in the text of `stats:level=full`. All
// that the runtime's own goroutines did is one row, because it is not what the program did.
#include <stdio.h>

#include "sink/stats/report/parts.h"

#define SPENT_MAX 32
// The table without its bars.
#define TABLE_COLUMNS 70
#define BAR_COLUMNS_MOST 30

// The time that all goroutines together spent in a state, or blocked for a reason.
struct spent {
    struct tp_span name;
    tp_wide ns;
};

struct all_spent {
    struct spent items[SPENT_MAX]; // the longest first; then that of the runtime, if there is any
    size_t count;
    bool has_runtime;
    tp_wide ns;                    // of all
};

static const char runtime_name[] = "runtime goroutines";

static void add(struct all_spent *s, struct tp_span name, tp_wide ns)
{
    size_t k = 0;
    while (k < s->count && !tp_intern_is_same(s->items[k].name, name))
        k++;
    // One place is left for the runtime.
    if (k == s->count && k < SPENT_MAX - 1)
        s->items[s->count++] = (struct spent){name, 0};
    if (k < s->count)
        s->items[k].ns = tp_wide_add(s->items[k].ns, ns);
    s->ns = tp_wide_add(s->ns, ns);
}

static void sort(struct all_spent *s)
{
    for (size_t i = 1; i < s->count; i++) {
        struct spent moved = s->items[i];
        size_t k = i;
        for (; k > 0 && s->items[k - 1].ns < moved.ns; k--)
            s->items[k] = s->items[k - 1];
        s->items[k] = moved;
    }
}

// Makes the time in C code, which Go counts as system calls, a row of its own.
static void divide_calls(struct all_spent *s, tp_wide in_c_ns)
{
    size_t i = 0;
    while (i < s->count && !tp_span_is(s->items[i].name, "syscall"))
        i++;
    if (i == s->count || in_c_ns == 0 || s->items[i].ns < in_c_ns)
        return;
    s->ns -= in_c_ns;
    s->items[i].ns -= in_c_ns;
    if (s->items[i].ns == 0)
        s->items[i] = s->items[--s->count];
    add(s, tp_span_of_text("in C"), in_c_ns);
}

static void add_up(const struct tp_full_report *r, struct all_spent *s)
{
    tp_wide runtime_ns = 0;
    *s = (struct all_spent){.count = 0};
    for (size_t i = 0; i < r->goroutine_row_count; i++) {
        const struct tp_full_row *row = &r->rows[i];
        if (row->measure == TP_MEASURE_LIFE)
            continue;
        tp_wide ns = tp_dist_all_ns(row->dist);
        if (tp_full_is_housekeeping(row->group))
            runtime_ns = tp_wide_add(runtime_ns, ns);
        else
            add(s, row->measure_name, ns);
    }
    // A filter selects stacks by all their functions, but the rows by the start function.
    if (r->filter[0] == '\0')
        divide_calls(s, tp_full_in_c_ns(r));
    sort(s);
    s->has_runtime = runtime_ns > 0;
    if (s->has_runtime) {
        s->items[s->count++] = (struct spent){tp_span_of_text(runtime_name), runtime_ns};
        s->ns = tp_wide_add(s->ns, runtime_ns);
    }
}

size_t tp_full_spent_count(const struct tp_full_report *r)
{
    struct all_spent all;
    add_up(r, &all);
    return all.count;
}

static const char title[] = "goroutine time by state";
static const char longest_title[] = "goroutine time by state (32 rows more)";
_Static_assert(SPENT_MAX <= 99, "two digits");
static const struct tp_column columns[] = {TP_FIGURES("time"), TP_FIGURES("share")};
static const struct tp_table table = TP_TABLE_OF_NAMES(columns, NULL, 0);

unsigned tp_full_spent_head(const struct tp_full_report *r)
{
    return tp_table_begin_lines(&table, longest_title, r->screen.columns);
}

void tp_full_print_spent(struct tp_emit *e, const struct tp_full_report *r, size_t most)
{
    unsigned room = r->screen.columns > TABLE_COLUMNS ? r->screen.columns - TABLE_COLUMNS : 0;
    struct all_spent all;
    add_up(r, &all);
    if (all.count == 0 || most == 0)
        return;
    // The row of the runtime stays beside at least one other, whatever is left out.
    bool keeps_last = all.has_runtime && all.count > most && most > 1;
    size_t first_count = keeps_last ? most - 1 : most;
    // A damaged trace may have lost the strings that name its reasons.
    const char *nameless = r->totals->damaged_count > 0 ? "blocked, reason unknown"
                                                        : "blocked since before the trace";
    char cut_title[sizeof title + 48];
    snprintf(cut_title, sizeof cut_title, "%s (%zu row%s more)", title,
             all.count > most ? all.count - most : 0, all.count == most + 1 ? "" : "s");
    tp_table_begin(e, &table, all.count > most ? cut_title : title);
    for (size_t i = 0; i < all.count; i++) {
        bool is_kept = keeps_last && i + 1 == all.count;
        if (i >= first_count && !is_kept)
            continue;
        const struct tp_human cells[] = {tp_human_ns(all.items[i].ns),
                                         tp_human_share(all.items[i].ns, all.ns)};
        tp_table_row(e, &table, all.items[i].name, nameless, cells);
        tp_cell_spaces(e, room > 0 ? 2 : 0);
        tp_cell_bar(e, all.items[i].ns, all.ns,
                    room < BAR_COLUMNS_MOST ? room : BAR_COLUMNS_MOST);
        tp_emit_text(e, "\n");
    }
}
