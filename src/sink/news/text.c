#include <inttypes.h>
#include <string.h>

#include "sink/news/news.h"
#include "sink/print/shorten.h"
#include "sink/stats/hosts/print.h"
#include "sink/stats/hosts/words.h"
#include "sink/stats/findings/words.h"

#define VERDICT_COLUMNS 9
#define LABEL_COLUMNS 10
#define HOST_COLUMNS_MOST 32
// In place of a host's name, for a finding of all inputs together.
#define ALL_HOSTS "fleet"
// News go to mail and files, so lines are as long as they are.
#define ANY_COLUMNS (UINT32_MAX / 2)

static const char *const words[] = {
#define TP_X(verdict, word) word,
    TP_NEWS_VERDICTS(TP_X)
#undef TP_X
};

static void put(struct tp_line *l, const char *text)
{
    tp_line_short(l, tp_shorten_text(tp_span_of_text(text), ANY_COLUMNS));
}

// Puts a text and spaces up to the columns, and one at least.
static void put_column(struct tp_line *l, const char *text, unsigned columns)
{
    unsigned before = l->left;
    put(l, text);
    do
        tp_line_text(l, " ");
    while (before - l->left < columns);
}

static const char *host_of(const struct tp_news_item *item)
{
    bool is_of_all = item->verdict != TP_NEWS_NOT_SEEN && !item->entry->is_of_host;
    return is_of_all ? ALL_HOSTS : item->entry->host;
}

// Puts the value, and what it was or is held against.
static void put_figure(struct tp_line *l, const struct tp_news_item *item)
{
    enum tp_host_measure measure = item->entry->measure;
    const struct tp_human value = tp_measure_human(measure, item->now);
    // Below its threshold the value of a finding has no unit: it says how near its conditions are to holding.
    if (item->verdict == TP_NEWS_GONE && tp_is_of_finding(measure)) {
        tp_line_try(l, "was %s %s", tp_measure_human(measure, item->reported).text, tp_measure_words(measure));
        return;
    }
    (void)tp_hosts_put_figure(l, measure, tp_span_of_text(item->entry->name), value, 0);
    if (item->verdict != TP_NEWS_NEW)
        tp_line_try(l, ", was %s", tp_measure_human(measure, item->reported).text);
    else if (tp_is_of_finding(measure))
        tp_line_try(l, " (threshold %s)",
                    tp_measure_human(measure, tp_finding_kinds[measure].threshold_ppm).text);
    else
        tp_line_try(l, " (fleet %s)", tp_measure_human(measure, item->found->fleet_value).text);
}

static void put_culprit(struct tp_line *l, const struct tp_news_item *item)
{
    const struct tp_news_entry *entry = item->entry;
    const struct tp_fleet_row row = {.kind = (enum tp_finding_kind)entry->measure,
                                     .other = TP_SOURCE_PLACE_NONE};
    const char *label = item->found != NULL                ? item->found->label
                        : tp_is_of_finding(entry->measure) ? tp_finding_culprit_label(&row)
                                                           : "in";
    struct tp_span file = tp_full_file_name(tp_span_of_text(entry->file));
    if (entry->function[0] == '\0')
        return;
    tp_line_try(l, "  %s ", label);
    put(l, entry->function);
    if (file.len_bytes == 0)
        return;
    tp_line_text(l, " (");
    tp_line_short(l, tp_shorten_text(file, ANY_COLUMNS));
    if (item->found != NULL && item->found->line > 0)
        tp_line_try(l, ":%" PRIu64, item->found->line);
    tp_line_text(l, ")");
}

static void put_line(struct tp_emit *e, const struct tp_news_item *item, unsigned host_columns)
{
    struct tp_line l = {e, ANY_COLUMNS};
    put_column(&l, words[item->verdict], VERDICT_COLUMNS);
    if (item->verdict == TP_NEWS_NOT_SEEN) {
        put(&l, host_of(item));
    } else {
        if (host_columns > 0)
            put_column(&l, host_of(item), host_columns);
        put_column(&l, tp_measure_label(item->entry->measure), LABEL_COLUMNS);
        put_figure(&l, item);
        put_culprit(&l, item);
    }
    tp_emit_text(e, "\n");
}

void tp_news_print(struct tp_emit *e, const struct tp_news *news, bool has_groups)
{
    unsigned columns = 0;
    for (uint32_t i = 0; i < news->count && has_groups; i++) {
        unsigned used = 2 + tp_shorten_text(tp_span_of_text(host_of(&news->items[i])), ANY_COLUMNS).columns;
        columns = used > columns ? used : columns;
    }
    columns = columns < HOST_COLUMNS_MOST ? columns : HOST_COLUMNS_MOST;
    for (uint32_t i = 0; i < news->count; i++)
        put_line(e, &news->items[i], columns);
}
