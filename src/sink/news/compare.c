// The rule that makes news.
#include <string.h>

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "sink/news/news.h"

// A value is worse from this percentage of the reported one on.
#define WORSE_PERCENT 150
// A fault is gone below this part of the distance from which on it is found.
#define GONE_NUMERATOR 2
#define GONE_DENOMINATOR 3

bool tp_news_is_worse(enum tp_host_measure measure, bool is_below, uint64_t value, uint64_t reported)
{
    uint64_t more = is_below ? reported : value, less = is_below ? value : reported;
    return more > less && more - less >= tp_measure_info(measure).least &&
           (tp_wide)more * 100 >= (tp_wide)less * WORSE_PERCENT;
}

bool tp_news_is_gone(uint64_t far, uint64_t least)
{
    return (tp_wide)far * GONE_DENOMINATOR < (tp_wide)least * GONE_NUMERATOR;
}

// The state of an entry that the run has not found.
struct standing {
    bool is_unseen; // its host was not analysed
    bool is_judged; // and the rest is set
    uint64_t value, far, least;
};

// Returns the greatest value of a finding's kind where no finding of the kind is: that of an input with
// one belongs to it. If the host where it was worst is known, that is to be judged.
static struct standing of_finding(const struct tp_news_entry *entry, const struct tp_host_watch *watch,
                                  const struct tp_news_run *run)
{
    const struct tp_totals *s = run->totals;
    struct standing standing = {.least = tp_finding_kinds[entry->measure].threshold_ppm};
    bool has_host = run->has_groups && entry->host[0] != '\0';
    standing.is_unseen = has_host && watch->host == run->differs.hosts.count;
    bool may_be_judged = !has_host;
    if (has_host && !standing.is_unseen)
        may_be_judged = tp_host_has_value(&run->differs.hosts.items[watch->host], entry->measure);
    for (uint32_t i = 0; i < s->files.count && may_be_judged; i++) {
        const struct tp_file_row *row = &s->files.items[i];
        uint64_t value = row->values[entry->measure];
        if (row->judgement != TP_JUDGEMENT_JUDGED || value == TP_VALUE_NONE)
            continue;
        standing.is_judged = true;
        // Slow tails of few hosts are not listed, so they are not those of other functions.
        bool is_other = entry->measure != (enum tp_host_measure)TP_FINDS_SLOW_TASK &&
                        (run->kinds_of[row->path] & 1u << entry->measure) != 0;
        if (!is_other && value > standing.value)
            standing.value = value;
    }
    standing.far = standing.value;
    return standing;
}

static struct standing of_host(const struct tp_news_entry *entry, const struct tp_host_watch *watch,
                               const struct tp_news_run *run)
{
    struct standing standing = {.is_unseen = watch->host == run->differs.hosts.count,
                                .is_judged = watch->is_compared,
                                .value = watch->value,
                                .least = watch->least_distance};
    if (entry->is_below && watch->value < watch->fleet_value)
        standing.far = watch->fleet_value - watch->value;
    if (!entry->is_below && watch->value > watch->fleet_value)
        standing.far = watch->value - watch->fleet_value;
    return standing;
}

static bool take_found(struct tp_news *news, const struct tp_news_entry *known,
                       const struct tp_news_found *found)
{
    struct tp_news_item item = {.verdict = TP_NEWS_NEW, .entry = &found->entry, .found = found,
                                .now = found->entry.value};
    struct tp_news_entry next = found->entry;
    bool is_news = true;
    if (known != NULL) {
        item.verdict = TP_NEWS_WORSE;
        item.reported = known->value;
        is_news = tp_news_is_worse(known->measure, known->is_below, item.now, known->value);
        next.value = is_news ? item.now : known->value;
    }
    return TP_LIST_ADD(&news->next, next) && (!is_news || TP_LIST_ADD(news, item));
}

static bool take_missing(struct tp_news *news, const struct tp_news_entry *known,
                         const struct standing *standing)
{
    struct tp_news_item item = {
        .verdict = TP_NEWS_GONE, .entry = known, .now = standing->value, .reported = known->value};
    struct tp_news_entry next = *known;
    bool is_gone = !standing->is_unseen && standing->is_judged &&
                   tp_news_is_gone(standing->far, standing->least);
    if (is_gone)
        return TP_LIST_ADD(news, item);
    item.verdict = TP_NEWS_NOT_SEEN;
    next.is_unseen = standing->is_unseen;
    return TP_LIST_ADD(&news->next, next) &&
           (!standing->is_unseen || known->is_unseen || TP_LIST_ADD(news, item));
}

static int compare_items(const void *left, const void *right)
{
    const struct tp_news_item *a = left, *b = right;
    return tp_compare_u64(a->verdict, b->verdict)
        ?: (a->verdict == TP_NEWS_NOT_SEEN ? strcmp(a->entry->host, b->entry->host) : 0)
        ?: tp_news_compare_keys(a->entry, b->entry);
}

// Whether the line of a host has the news of a finding, too.
static bool is_on_line_of_host(const struct tp_news *news, const struct tp_news_item *item)
{
    const struct tp_news_entry *entry = item->entry;
    for (uint32_t i = 0; i < news->count && !entry->is_of_host; i++) {
        const struct tp_news_entry *other = news->items[i].entry;
        if (news->items[i].verdict == item->verdict && other->is_of_host &&
            other->measure == entry->measure && strcmp(other->function, entry->function) == 0 &&
            strcmp(other->file, entry->file) == 0)
            return true;
    }
    return false;
}

// Sorts the news, and drops those that another line has: a host is "not seen" once.
static void settle(struct tp_news *news)
{
    uint32_t kept = 0;
    TP_LIST_SORT(news, compare_items);
    for (uint32_t i = 0; i < news->count; i++) {
        const struct tp_news_item item = news->items[i];
        bool is_unseen = item.verdict == TP_NEWS_NOT_SEEN;
        bool repeats = is_unseen ? kept > 0 && news->items[kept - 1].verdict == TP_NEWS_NOT_SEEN &&
                                       strcmp(news->items[kept - 1].entry->host, item.entry->host) == 0
                                 : is_on_line_of_host(news, &item);
        if (!repeats)
            news->items[kept++] = item;
    }
    news->count = kept;
}

int tp_news_make(struct tp_news *ret_news, const struct tp_news_entries *entries,
                 const struct tp_news_run *run, struct tp_error *err)
{
    struct tp_news news = {0};
    uint32_t i = 0, k = 0;
    bool fits = true;
    while (fits && (i < entries->count || k < run->count)) {
        const struct tp_news_entry *known = i < entries->count ? &entries->items[i] : NULL;
        const struct tp_news_found *found = k < run->count ? &run->items[k] : NULL;
        int order = known == NULL ? 1 : found == NULL ? -1 : tp_news_compare_keys(known, &found->entry);
        if (order < 0) {
            const struct standing standing = known->is_of_host ? of_host(known, &run->watches[i], run)
                                                               : of_finding(known, &run->watches[i], run);
            fits = take_missing(&news, known, &standing);
        } else
            fits = take_found(&news, order == 0 ? known : NULL, found);
        i += order <= 0;
        k += order >= 0;
    }
    if (fits)
        settle(&news);
    else
        tp_news_fini(&news);
    *ret_news = news;
    return fits ? 0 : tp_fail(err, TP_E_MEMORY, "out of memory for known findings");
}

void tp_news_fini(struct tp_news *news)
{
    tp_free(news->items);
    tp_free(news->next.items);
    *news = (struct tp_news){0};
}
