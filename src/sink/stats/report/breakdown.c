// Where the time of tasks and regions went, in the report of `stats:level=full`.
#include <stdio.h>
#include <string.h>

#include "sink/print/shorten.h"
#include "sink/stats/report/parts.h"

#define LABEL_COLUMNS 12

// The names of a class, a delay, or a part: the key for programs, and the words of text.
struct names {
    const char *key, *words;
};
#define TP_X(name, key, words) {key, words},
static const struct names class_names[] = {TP_CLASSES(TP_X)};
static const struct names delay_names[] = {TP_DELAYS(TP_X)};
static const struct names part_names[] = {TP_BREAKDOWN_PARTS(TP_X)};
#undef TP_X

// TEXT

// A class with time in it.
struct share {
    const char *word;
    tp_wide ns;
};

// Sets the classes that have at least half a hundredth of all, the largest first. Returns how many.
static unsigned shares_of(const struct tp_breakdown_sum *sum, tp_wide all_ns,
                          struct share shares[TP_CLASS_COUNT])
{
    unsigned count = 0;
    for (unsigned i = 0; i < TP_CLASS_COUNT; i++) {
        if (sum->ns[i] == 0 || sum->ns[i] < all_ns / 200)
            continue;
        unsigned at = count++;
        for (; at > 0 && shares[at - 1].ns < sum->ns[i]; at--)
            shares[at] = shares[at - 1];
        shares[at] = (struct share){class_names[i].words, sum->ns[i]};
    }
    return count;
}

// Does the same for delays, of which there are few: in the order of their table.
static unsigned delays_of(const struct tp_breakdown_sum *sum, tp_wide all_ns,
                          struct share shares[TP_DELAY_COUNT])
{
    unsigned count = 0;
    for (unsigned i = 0; i < TP_DELAY_COUNT; i++) {
        if (sum->delay_ns[i] > 0 && sum->delay_ns[i] >= all_ns / 200)
            shares[count++] = (struct share){delay_names[i].words, sum->delay_ns[i]};
    }
    return count;
}

// Stand for shares that a line has no room for.
#define DOTS ", ..."
#define DOTS_COLUMNS ((unsigned)sizeof DOTS - 1)

// The shares of a sum: classes, the largest first, and delays.
struct line_shares {
    struct share classes[TP_CLASS_COUNT], delays[TP_DELAY_COUNT];
    unsigned class_count, delay_count;
    tp_wide all_ns;
};

// Returns the columns of the first shares, each with two before it.
static unsigned columns_of(const struct line_shares *s, unsigned class_count, unsigned delay_count)
{
    unsigned columns = 0;
    for (unsigned i = 0; i < class_count + delay_count; i++) {
        const struct share *share = i < class_count ? &s->classes[i] : &s->delays[i - class_count];
        columns += (unsigned)strlen(share->word) + tp_human_share(share->ns, s->all_ns).columns + 3;
    }
    return columns;
}

// Whether the first shares, and dots if there are others, fit in the columns.
static bool fits(const struct line_shares *s, unsigned class_count, unsigned delay_count, unsigned room)
{
    bool is_all = class_count == s->class_count && delay_count == s->delay_count;
    return columns_of(s, class_count, delay_count) + (is_all ? 0 : DOTS_COLUMNS) <= room;
}

static void put_shares(struct tp_emit *e, const char *first, const struct share *shares, unsigned count,
                       tp_wide all_ns)
{
    for (unsigned i = 0; i < count; i++)
        tp_emit_printf(e, "%s%s %s", i > 0 ? ", " : first, shares[i].word,
                       tp_human_share(shares[i].ns, all_ns).text);
}

void tp_full_print_shares(struct tp_emit *e, const struct tp_full_report *r,
                          const struct tp_breakdown_sum *sum, unsigned used_columns,
                          const char *note)
{
    struct line_shares s = {.all_ns = tp_breakdown_sum_ns(sum)};
    unsigned room = r->screen.columns > used_columns ? r->screen.columns - used_columns : 0;
    unsigned classes = 0, delays = 0;
    s.class_count = shares_of(sum, s.all_ns, s.classes);
    s.delay_count = delays_of(sum, s.all_ns, s.delays);
    // Delays come last, but other classes than the first give way to them, and dots for these: shares of classes
    // are parts of one sum, so that one sees that there are others.
    if (s.class_count > 0 && columns_of(&s, 1, 0) <= room)
        classes = 1;
    if (classes > 0 && columns_of(&s, 1, s.delay_count) <= room)
        delays = s.delay_count;
    while (classes > 0 && delays < s.delay_count && fits(&s, classes, delays + 1, room))
        delays++;
    while (classes > 0 && classes < s.class_count && fits(&s, classes + 1, delays, room))
        classes++;
    bool has_dots = fits(&s, classes, delays, room);
    put_shares(e, "  ", s.classes, classes, s.all_ns);
    if (has_dots && classes < s.class_count)
        tp_emit_text(e, classes > 0 ? DOTS : "  ...");
    put_shares(e, "; ", s.delays, delays, s.all_ns);
    if (has_dots && classes == s.class_count && delays < s.delay_count)
        tp_emit_text(e, DOTS);
    if (note != NULL && room > strlen(note) && fits(&s, classes, delays, room - (unsigned)strlen(note)))
        tp_emit_text(e, note);
    tp_emit_text(e, "\n");
}

const char *tp_full_elsewhere_note(enum tp_durations_space space, const struct tp_breakdown_sum *sum)
{
    bool is_elsewhere = sum->ns[TP_CLASS_ELSEWHERE] > tp_breakdown_sum_ns(sum) / 2;
    return space == TP_SPACE_TASK && is_elsewhere ? " (events:task=NAME)" : NULL;
}

static void print_part(struct tp_emit *e, const struct tp_full_report *r, enum tp_durations_space space,
                       const char *words, const struct tp_breakdown_sum *sum)
{
    tp_wide all_ns = tp_breakdown_sum_ns(sum);
    tp_emit_printf(e, "    %-*s ", LABEL_COLUMNS, words);
    tp_cell_figure(e, tp_human_ns(sum->count > 0 ? all_ns / sum->count : 0), TP_FIGURE_COLUMNS);
    tp_full_print_shares(e, r, sum, 4 + LABEL_COLUMNS + 1 + TP_FIGURE_COLUMNS, tp_full_elsewhere_note(space, sum));
}

// Prints the time of all, and if they differ in length that of the median and of the slowest ones.
static void print_row(struct tp_emit *e, const struct tp_full_report *r,
                      const struct tp_full_row *row)
{
    struct tp_breakdown_sum all = tp_breakdown_part_of(row->breakdown, TP_BREAKDOWN_ALL);
    struct tp_span name = row->group.len_bytes > 0 ? row->group : tp_span_of_text("all");
    struct tp_line l = {e, r->screen.columns};
    tp_line_text(&l, "  ");
    tp_line_short(&l, tp_shorten_function(name, l.left));
    tp_emit_text(e, "\n");
    print_part(e, r, row->space, part_names[TP_BREAKDOWN_ALL].words, &all);
    for (unsigned part = TP_BREAKDOWN_MEDIAN; part < TP_BREAKDOWN_PART_COUNT; part++) {
        struct tp_breakdown_sum sum =
            tp_breakdown_part_of(row->breakdown, (enum tp_breakdown_part)part);
        if (sum.count < all.count)
            print_part(e, r, row->space, part_names[part].words, &sum);
    }
}

void tp_full_print_breakdown(struct tp_emit *e, const struct tp_full_report *r,
                             enum tp_durations_space space, const char *title)
{
    size_t count = 0;
    for (size_t i = 0; i < r->row_count; i++) {
        const struct tp_full_row *row = &r->rows[i];
        if (row->space != space || row->breakdown == NULL)
            continue;
        if (count == 0) {
            tp_cell_title(e, title, 0);
            tp_emit_text(e, "\n");
        }
        if (count++ < r->top)
            print_row(e, r, row);
    }
    tp_table_more(e, count, r->top);
}

// FOR PROGRAMS

const char *tp_full_class_key(enum tp_class class)
{
    return class_names[class].key;
}

void tp_full_put_classes(struct tp_emit *e, const struct tp_breakdown_sum *sum)
{
    for (unsigned i = 0; i < TP_CLASS_COUNT; i++)
        tp_field_wide(e, class_names[i].key, sum->ns[i]);
    for (unsigned i = 0; i < TP_DELAY_COUNT; i++)
        tp_field_wide(e, delay_names[i].key, sum->delay_ns[i]);
}

static void put_part_json(struct tp_emit *e, const char *key, const struct tp_breakdown_sum *sum)
{
    tp_fields_open(e, key, '{');
    tp_field_wide(e, "count", sum->count);
    tp_field_wide(e, "total_ns", tp_breakdown_sum_ns(sum));
    tp_full_put_classes(e, sum);
    tp_fields_close(e, '{');
}

void tp_full_put_breakdown(struct tp_emit *e, const struct tp_full_row *row)
{
    static const struct tp_breakdown nothing;
    const struct tp_breakdown *b = row->breakdown != NULL ? row->breakdown : &nothing;
    tp_fields_open(e, "breakdown", '{');
    for (unsigned part = 0; part < TP_BREAKDOWN_PART_COUNT; part++) {
        struct tp_breakdown_sum sum = tp_breakdown_part_of(b, (enum tp_breakdown_part)part);
        put_part_json(e, part_names[part].key, &sum);
    }
    tp_fields_close(e, '{');
}

static void put_csv(struct tp_emit *e, const struct tp_full_row *row, unsigned part,
                    const char *key, uint64_t count, tp_wide ns)
{
    tp_emit_text(e, tp_space_names[row->space]);
    tp_emit_text(e, ",");
    tp_emit_csv_text(e, row->group);
    // The column of measures has the key without "_ns".
    tp_emit_printf(e, ",%s,%.*s,%llu,%s,,,,,,,\n", part_names[part].key, (int)strlen(key) - 3, key,
                   (unsigned long long)count, tp_wide_text(ns).text);
}

void tp_full_put_breakdown_csv(struct tp_emit *e, const struct tp_full_row *row)
{
    for (unsigned part = 0; row->breakdown != NULL && part < TP_BREAKDOWN_PART_COUNT; part++) {
        struct tp_breakdown_sum sum =
            tp_breakdown_part_of(row->breakdown, (enum tp_breakdown_part)part);
        for (unsigned i = 0; i < TP_CLASS_COUNT; i++) {
            if (sum.ns[i] > 0)
                put_csv(e, row, part, class_names[i].key, sum.count, sum.ns[i]);
        }
        for (unsigned i = 0; i < TP_DELAY_COUNT; i++) {
            if (sum.delay_ns[i] > 0)
                put_csv(e, row, part, delay_names[i].key, sum.count, sum.delay_ns[i]);
        }
    }
}
