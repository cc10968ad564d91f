// The sink `stats`: its options, and the choice of one of its levels by them.
#include <stddef.h>

#include "sink/stats/level.h"
#include "stats/hosts/measures.h"

#define KEEP_DEFAULT 100

static const struct tp_opt_spec options[] = {
#define CONFIG struct tp_stats_config
    TP_OPTION_ENUM(CONFIG, level, "counts|summary|full",
                   "how much to analyse (default full; summary with format=go-summary)"),
    TP_OPTION_ENUM(CONFIG, format, "auto|text|json|csv|go-summary|folded|flamegraph|markdown|state",
                   "output format; folded: stacks for flame graphs; flamegraph: SVG; "
                   "markdown: the comparison with --baseline; "
                   "state: an input of later runs"),
    TP_OPTION_BOOL(CONFIG, fix,
                   "with level=summary: correct the figures that Go gets wrong (default no)"),
    TP_OPTION_BOOL(CONFIG, guard, "with format=csv: put an apostrophe before texts that look like "
                                  "formulas (default yes)"),
    TP_OPTION_INT(CONFIG, top, 0, INT32_MAX,
                  "with level=full: rows of each table in text (default 10; 0: all)"),
    TP_OPTION_ENUM(CONFIG, sort, "total|count|mean|max|p99|blamed",
                   "with level=full: sort key of rows (default total); blamed needs by=waker"),
    TP_OPTION_ENUM(CONFIG, by, "all|finding|trace|function|goroutine|task|region|stack|waker",
                   "with level=full: the table to show (default all)"),
    TP_OPTION_INT(CONFIG, keep, 1, 1000000, "with level=full: goroutines, slowest tasks and slowest "
                                            "regions that are listed individually (default 100)"),
    TP_OPTION_BOOL(CONFIG, pc, "with level=full: distinguish stacks by program counter "
                               "(default no)"),
    TP_OPTION_INT(CONFIG, depth, 1, 8, "with level=full: functions that name goroutines of tests, "
                                       "handlers and pools (default 1)"),
    TP_OPTION_BOOL(CONFIG, histograms, "with format=json: add the buckets of all duration "
                                       "histograms (default no)"),
    TP_OPTION_BOOL(CONFIG, detail, TP_STATS_DETAIL_HELP),
    TP_OPTION_BOOL(CONFIG, idle, "with level=full: list stacks of idle waits individually "
                                 "(default no)"),
    TP_OPTION_ENUM(CONFIG, clocks, "consistent|all",
                   "with level=full: all includes traces with an inconsistent clock "
                   "(default consistent)"),
    TP_OPTION_TEXT(CONFIG, measure, NULL, "with by=trace: show this measure, the greatest first: a kind of "
                                          "finding, blocked, task_p50:NAME, ..."),
    TP_OPTION_TEXT(CONFIG, filter, NULL, "with level=full: show only rows whose name contains TEXT"),
#undef CONFIG
    {.key = NULL},
};

static const struct tp_stats_config defaults = {
    .level = -1, .guard = true, .keep = KEEP_DEFAULT, .top = -1, .sort = -1};

static const struct tp_sink_plan *const levels[] = {
#define TP_X(level, name) &tp_stats_##name##_plan,
    TP_STATS_LEVELS(TP_X)
#undef TP_X
};

// The output formats of each level, and their names for a message.
static const struct {
    unsigned formats; // 1 << enum tp_stats_format
    const char *text;
} forms[] = {
    [TP_STATS_LEVEL_COUNTS] = {1 << TP_STATS_FORMAT_TEXT | 1 << TP_STATS_FORMAT_JSON |
                                   1 << TP_STATS_FORMAT_CSV,
                               "the formats of stats:level=counts are text, json and csv"},
    [TP_STATS_LEVEL_SUMMARY] = {1 << TP_STATS_FORMAT_GO_SUMMARY,
                                "the only format of stats:level=summary is go-summary"},
    [TP_STATS_LEVEL_FULL] = {1 << TP_STATS_FORMAT_TEXT | 1 << TP_STATS_FORMAT_JSON |
                                 1 << TP_STATS_FORMAT_CSV | 1 << TP_STATS_FORMAT_FOLDED |
                                 1 << TP_STATS_FORMAT_FLAMEGRAPH | 1 << TP_STATS_FORMAT_MARKDOWN |
                                 1 << TP_STATS_FORMAT_STATE,
                             "the formats of stats:level=full are text, json, csv, folded, "
                             "flamegraph, markdown and state"},
};

// Returns the level: as given, or the one that has the format.
static enum tp_stats_level level_of(const struct tp_stats_config *c)
{
    if (c->level >= 0)
        return (enum tp_stats_level)c->level;
    return c->format == TP_STATS_FORMAT_GO_SUMMARY ? TP_STATS_LEVEL_SUMMARY : TP_STATS_LEVEL_FULL;
}

// The formats that have all rows; those from FOLDED on, in a fixed order.
static const char *const formats_of_all_rows[] = {[TP_STATS_FORMAT_JSON] = "json",
                                                  [TP_STATS_FORMAT_CSV] = "csv",
                                                  [TP_STATS_FORMAT_FOLDED] = "folded",
                                                  [TP_STATS_FORMAT_FLAMEGRAPH] = "flamegraph",
                                                  [TP_STATS_FORMAT_MARKDOWN] = "markdown",
                                                  [TP_STATS_FORMAT_STATE] = "state"};

// Fails if `sort` is given for an output whose order is fixed.
static int check_sort(const struct tp_stats_config *c, struct tp_error *err)
{
    static const char *const fixed_by[TP_STATS_BY_COUNT] = {[TP_STATS_BY_FINDING] = "by=finding",
                                           [TP_STATS_BY_FILE] = "by=trace",
                                           [TP_STATS_BY_GOROUTINE] = "by=goroutine",
                                           [TP_STATS_BY_STACK] = "by=stack"};
    const char *by = fixed_by[c->by];
    if (c->sort == TP_STATS_SORT_BLAMED && c->by != TP_STATS_BY_WAKER)
        return tp_fail(err, TP_E_USAGE, "stats:sort=blamed needs by=waker");
    if (c->sort < 0 || (by == NULL && c->format < TP_STATS_FORMAT_FOLDED))
        return 0;
    return tp_fail(err, TP_E_USAGE, "stats:sort=FIELD has no effect with %s%s",
                   by != NULL ? by : "format=", by != NULL ? "" : formats_of_all_rows[c->format]);
}

// Fails if rows are chosen that the format cannot show, or that it shows anyhow.
static int check_rows(const struct tp_stats_config *c, struct tp_error *err)
{
    const char *format = formats_of_all_rows[c->format];
    bool shows_stacks =
        c->format == TP_STATS_FORMAT_FOLDED || c->format == TP_STATS_FORMAT_FLAMEGRAPH;
    if (shows_stacks && c->by != TP_STATS_BY_ALL && c->by != TP_STATS_BY_STACK &&
        c->by != TP_STATS_BY_WAKER)
        return tp_fail(err, TP_E_USAGE, "stats:format=%s needs by=stack or by=waker", format);
    if (c->top > 0 && format != NULL)
        return tp_fail(err, TP_E_USAGE, "stats:top=N needs format=text: format=%s has all rows", format);
    return 0;
}

static int check(const void *config, struct tp_error *err)
{
    const struct tp_stats_config *c = config;
    const enum tp_stats_level level = level_of(c);
    if (((1u << c->format) & (forms[level].formats | 1 << TP_STATS_FORMAT_AUTO)) == 0)
        return tp_fail(err, TP_E_USAGE, "%s", forms[level].text);
    if (c->fix && level != TP_STATS_LEVEL_SUMMARY)
        return tp_fail(err, TP_E_USAGE, "stats:fix=yes needs level=summary");
    if (!c->guard && c->format != TP_STATS_FORMAT_CSV)
        return tp_fail(err, TP_E_USAGE, "stats:guard=no needs format=csv");
    const struct {
        bool is_given;
        bool changes_state;
        const char *option;
    } of_full[] = {
        {c->top >= 0, false, "top=N"},
        {c->sort >= 0, false, "sort=FIELD"},
        {c->keep != KEEP_DEFAULT, false, "keep=N"},
        {c->pc, false, "pc=yes"},
        {c->depth != 0, false, "depth=N"},
        {c->histograms, false, "histograms=yes"},
        {c->detail, true, "detail=yes"},
        {c->idle, true, "idle=yes"},
        {c->by != TP_STATS_BY_ALL, true, "by=WHAT"},
        {c->clocks != TP_STATS_CLOCKS_CONSISTENT, true, "clocks=all"},
        {c->filter[0] != '\0', true, "filter=TEXT"},
        {c->measure[0] != '\0', true, "measure=KEY"},
    };
    for (size_t i = 0; i < TP_ARRAY_LEN(of_full); i++) {
        if (of_full[i].is_given && level != TP_STATS_LEVEL_FULL)
            return tp_fail(err, TP_E_USAGE, "stats:%s needs level=full", of_full[i].option);
        if (of_full[i].is_given && of_full[i].changes_state && c->format == TP_STATS_FORMAT_STATE)
            return tp_fail(err, TP_E_USAGE, "stats:format=state does not take %s",
                           of_full[i].option);
    }
    if ((c->histograms || c->detail) && c->format != TP_STATS_FORMAT_JSON)
        return tp_fail(err, TP_E_USAGE, "stats:%s=yes needs format=json",
                       c->histograms ? "histograms" : "detail");
    if (c->by == TP_STATS_BY_FINDING && c->filter[0] != '\0')
        return tp_fail(err, TP_E_USAGE, "stats:filter=TEXT has no effect with by=finding");
    struct tp_named_measure measure;
    if (c->measure[0] != '\0' && (c->by != TP_STATS_BY_FILE || c->format > TP_STATS_FORMAT_TEXT))
        return tp_fail(err, TP_E_USAGE, "stats:measure=KEY needs by=trace and format=text");
    if (c->measure[0] != '\0' && tp_measure_parse(c->measure, &measure, err) != 0)
        return err->code;
    int rc = check_rows(c, err);
    return rc != 0 ? rc : check_sort(c, err);
}

static bool has_equal_state(const void *config, const void *other_config)
{
    const struct tp_stats_config *a = config, *b = other_config;
    return level_of(a) == TP_STATS_LEVEL_FULL && level_of(b) == TP_STATS_LEVEL_FULL &&
           tp_stats_full_has_equal_state(a, b);
}

// Whether the report has a comparison with a baseline: if it is about everything, or of stacks in a form
// that has them of both sides.
static bool compares(const struct tp_stats_config *c)
{
    if (level_of(c) != TP_STATS_LEVEL_FULL || c->format == TP_STATS_FORMAT_STATE)
        return false;
    return c->format == TP_STATS_FORMAT_FOLDED || c->format == TP_STATS_FORMAT_FLAMEGRAPH ||
           (c->by == TP_STATS_BY_ALL && c->filter[0] == '\0');
}

static void make_plan(const void *config, struct tp_sink_plan *plan)
{
    const struct tp_stats_config *c = config;
    *plan = *levels[level_of(c)];
    if (level_of(c) == TP_STATS_LEVEL_FULL)
        tp_stats_full_make_plan(c, plan);
    plan->is_binary = c->format == TP_STATS_FORMAT_STATE;
    plan->compares = compares(c);
    plan->only_compares = c->format == TP_STATS_FORMAT_MARKDOWN;
    plan->has_texts_as_they_are = level_of(c) == TP_STATS_LEVEL_SUMMARY ||
                                  c->format == TP_STATS_FORMAT_CSV ||
                                  c->format == TP_STATS_FORMAT_FOLDED ||
                                  c->format == TP_STATS_FORMAT_FLAMEGRAPH;
}

const struct tp_sink_def tp_sink_stats = {
    .name = "stats",
    .summary = "findings, and where goroutines spent their time; or counts of events",
    .options = options,
    .config_bytes = sizeof(struct tp_stats_config),
    .defaults = &defaults,
    .check = check,
    .plan = make_plan,
    .has_equal_state = has_equal_state,
};
