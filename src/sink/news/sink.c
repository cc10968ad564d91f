#include "sink/news/sink.h"

#include "sink/buf_out.h"
#include "sink/print/emit.h"
#include "sink/stats/level.h"

static const struct tp_news_config defaults = {.stats = TP_STATS_GATHERING};

static int print(const struct tp_sink_call *call, const struct tp_news *news, struct tp_error *err)
{
    struct tp_emit e;
    tp_emit_init(&e, call->out, err);
    tp_news_print(&e, news, call->group != NULL);
    return tp_emit_end(&e);
}

static int write_next(struct tp_buf *next, const struct tp_news *news, const char *group,
                      struct tp_error *err)
{
    if (!tp_buf_init(next, TP_NEWS_FILE_MAX_BYTES))
        return tp_fail(err, TP_E_MEMORY, "out of memory for known findings");
    struct tp_buf_out out = {{tp_buf_out_put}, next};
    return tp_news_write(&news->next, group, &out.out, err);
}

static int end(const struct tp_sink_call *call, const struct tp_run_figures *figures,
               struct tp_error *err)
{
    (void)figures;
    const struct tp_news_config *c = call->config;
    const struct tp_totals *totals;
    struct tp_news_run run = {.has_groups = false};
    struct tp_news news = {0};
    int rc = tp_stats_full_totals(call, &c->stats, TP_STATS_NEW, &totals, err);
    if (rc == 0)
        rc = tp_news_find(&run, &c->files->entries, totals, call->group != NULL, err);
    if (rc == 0)
        rc = tp_news_make(&news, &c->files->entries, &run, err);
    if (rc == 0)
        rc = write_next(&c->files->next, &news, call->group != NULL ? call->group->pattern : "", err);
    if (rc == 0)
        rc = print(call, &news, err);
    c->files->host_count = run.differs.hosts.count;
    c->files->are_compared = run.differs.is_compared;
    tp_news_fini(&news);
    tp_news_run_fini(&run);
    return rc;
}

static void make_plan(const void *config, struct tp_sink_plan *plan)
{
    const struct tp_news_config *c = config;
    tp_stats_full_make_plan(&c->stats, plan);
    plan->suffix = ".txt";
    plan->run.end = end;
}

const struct tp_sink_def tp_sink_news = {
    .name = "known",
    .summary = "",
    .config_bytes = sizeof(struct tp_news_config),
    .defaults = &defaults,
    .plan = make_plan,
    .has_equal_state = tp_stats_full_has_equal_state,
};
