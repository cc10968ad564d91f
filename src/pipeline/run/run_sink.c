#include "pipeline/run/run_sink.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/text/nearest.h"
#include "pipeline/run/run_life.h"
#include "sink/check/sink.h"
#include "sink/news/sink.h"
#include "sink/stats/level.h"
#include "sink/user.h"

// REGISTERED

static struct tp_user_sink *find_user(const struct tp_run *run, const char *name,
                                      size_t name_bytes)
{
    for (size_t i = 0; i < run->life->user_sink_count; i++) {
        const char *known = run->life->user_sinks[i]->ops.name;
        if (strlen(known) == name_bytes && memcmp(known, name, name_bytes) == 0)
            return run->life->user_sinks[i];
    }
    return NULL;
}

int tp_run_register_sink(struct tp_run *run, const struct tp_sink_ops *ops, void *ctx,
                         struct tp_error *err)
{
    assert(!run->life->started);
    if (run->life->user_sink_count == TP_SINKS_MAX)
        return tp_fail(err, TP_E_USAGE, "at most %d sinks", TP_SINKS_MAX);
    struct tp_user_sink *u;
    int rc = tp_user_sink_create(ops, ctx, &u, err);
    if (rc != 0)
        return rc;
    size_t name_bytes = strlen(u->ops.name);
    if (tp_sink_find(u->ops.name, name_bytes) != NULL ||
        find_user(run, u->ops.name, name_bytes) != NULL) {
        rc = tp_fail(err, TP_E_USAGE, "there is a sink '%s' already", u->ops.name);
        tp_user_sink_destroy(u);
        return rc;
    }
    run->life->user_sinks[run->life->user_sink_count++] = u;
    return 0;
}

// ADDED

static const enum tp_lane_id lanes[] = {
    [TP_UNIT_SEGMENT] = TP_LANE_SEGMENTS,
    [TP_UNIT_FRAME] = TP_LANE_FRAMES,
    [TP_UNIT_BLOCK] = TP_LANE_BLOCKS,
};

static void free_sink(struct tp_run_sink *s)
{
    struct tp_sink_call call = {.config = s->config, .run_state = s->run_state};
    if (s->run_state != NULL && s->plan.run.fini != NULL)
        s->plan.run.fini(&call);
    tp_free(s->config);
    tp_free(s->run_state);
    tp_free(s->spec);
    tp_free(s->output);
    *s = (struct tp_run_sink){0};
}

// Adds the sink to the run, and returns its place there, which remove_last gives back. NULL: out of
// memory; nothing was added.
static struct tp_run_sink *place_sink(struct tp_run *run, const struct tp_sink_def *def,
                                      const char *spec, const char *output, struct tp_error *err)
{
    struct tp_run_sink *s = &run->sinks[run->sink_count];
    s->def = def;
    s->spec = tp_strdup(spec);
    s->output = tp_strdup(output != NULL ? output : "-");
    s->config = tp_alloc_zero(def->config_bytes);
    if (s->config == NULL || s->spec == NULL || s->output == NULL) {
        tp_fail(err, TP_E_MEMORY, "out of memory for sink %s", def->name);
        free_sink(s);
        return NULL;
    }
    run->sink_count++;
    return s;
}

// Removes the sink that was added last, because a later step failed with `rc`. Returns `rc`.
static int remove_last(struct tp_run *run, int rc)
{
    free_sink(&run->sinks[--run->sink_count]);
    return rc;
}

// Checks the sink's options and makes its plan, after the options are parsed.
static int settle_sink(struct tp_run *run, struct tp_run_sink *s, struct tp_error *err)
{
    int rc = s->def->check != NULL ? s->def->check(s->config, err) : 0;
    if (rc != 0)
        return rc;
    s->def->plan(s->config, &s->plan);
    if (s->plan.output == TP_OUTPUT_NONE && strcmp(s->output, "-") != 0)
        return tp_fail(err, TP_E_USAGE, "sink %s has no outputs, so none at '%s'", s->def->name,
                       s->output);
    s->run_state = tp_alloc_zero(s->plan.run_state_bytes);
    if (s->run_state == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for sink %s", s->def->name);
    s->lane = lanes[s->plan.unit_kind];
    run->needs.scan = run->needs.scan || s->plan.need != TP_NEED_READ;
    return 0;
}

static int configure_user(struct tp_user_sink *u, struct tp_run_sink *s, const char *options,
                          struct tp_error *err)
{
    *(struct tp_user_config *)s->config = (struct tp_user_config){u};
    return tp_user_sink_configure(u, options, err);
}

static int configure(struct tp_run_sink *s, const char *options, struct tp_error *err)
{
    struct tp_user_sink *u = tp_user_sink_of(s->def);
    if (u != NULL)
        return configure_user(u, s, options, err);
    if (s->def->defaults != NULL)
        memcpy(s->config, s->def->defaults, s->def->config_bytes);
    struct tp_error why;
    int rc = tp_opts_parse(s->def->options, s->config, options, &why);
    return rc == 0 ? 0 : tp_fail(err, rc, "sink %s: %s", s->def->name, why.text);
}

static int fail_name(const struct tp_run *run, struct tp_span name, struct tp_error *err)
{
    struct tp_nearest nearest = {.word = name};
    for (size_t i = 0; tp_sink_help(i) != NULL; i++)
        tp_nearest_try(&nearest, tp_sink_help(i)->name);
    for (size_t i = 0; i < run->life->user_sink_count; i++)
        tp_nearest_try(&nearest, run->life->user_sinks[i]->ops.name);
    return tp_nearest_fail(&nearest, "unknown sink", err);
}

int tp_run_add_sink(struct tp_run *run, const char *spec, const char *output, struct tp_error *err)
{
    assert(!run->life->started);
    if (run->sink_count == TP_SINKS_MAX)
        return tp_fail(err, TP_E_USAGE, "at most %d sinks", TP_SINKS_MAX);
    size_t name_bytes = strcspn(spec, ":");
    const struct tp_sink_def *def = tp_sink_find(spec, name_bytes);
    struct tp_user_sink *u = def == NULL ? find_user(run, spec, name_bytes) : NULL;
    if (u != NULL)
        def = &u->def;
    if (u != NULL && u->is_added)
        return tp_fail(err, TP_E_USAGE, "sink %s is added twice: register it twice", u->ops.name);
    if (def == NULL)
        return fail_name(run, tp_span_of(spec, name_bytes), err);
    struct tp_run_sink *s = place_sink(run, def, spec, output, err);
    if (s == NULL)
        return err->code;
    int rc = configure(s, spec[name_bytes] == ':' ? spec + name_bytes + 1 : NULL, err);
    if (rc == 0)
        rc = settle_sink(run, s, err);
    if (rc != 0)
        return remove_last(run, rc);
    if (u != NULL)
        u->is_added = true;
    return 0;
}

int tp_run_add_inner_sink(struct tp_run *run, const struct tp_sink_def *def, void *ctx,
                          struct tp_error *err)
{
    assert(!run->life->started && run->sink_count < TP_SINKS_MAX);
    assert(def->config_bytes == sizeof ctx);
    struct tp_run_sink *s = place_sink(run, def, def->name, NULL, err);
    if (s == NULL)
        return err->code;
    *(void **)s->config = ctx;
    int rc = settle_sink(run, s, err);
    return rc == 0 ? 0 : remove_last(run, rc);
}

// Adds an inner sink that gathers what stats:level=full does, or what the first sink gathers that does so,
// too. Its config begins with the options of `stats`, and is the sink's defaults until the sink is settled.
// NULL: it was not added.
static struct tp_run_sink *add_gathering_sink(struct tp_run *run, const struct tp_sink_def *def,
                                              const char *output, struct tp_error *err)
{
    size_t others = run->sink_count;
    if (others == TP_SINKS_MAX) {
        tp_fail(err, TP_E_USAGE, "at most %d sinks, of which --known is one, and checks are one", TP_SINKS_MAX);
        return NULL;
    }
    struct tp_run_sink *s = place_sink(run, def, def->name, output, err);
    if (s == NULL)
        return NULL;
    memcpy(s->config, def->defaults, def->config_bytes);
    for (size_t k = 0; k < others && !tp_stats_gather_as(s->config, &run->sinks[k].plan, run->sinks[k].config);)
        k++;
    return s;
}

static int add_news_sink(struct tp_run *run, struct tp_error *err)
{
    struct tp_run_sink *s = add_gathering_sink(run, &tp_sink_news, NULL, err);
    if (s == NULL)
        return err->code;
    ((struct tp_news_config *)s->config)->files = &run->life->news;
    int rc = settle_sink(run, s, err);
    return rc == 0 ? 0 : remove_last(run, rc);
}

static int add_check_sink(struct tp_run *run, struct tp_error *err)
{
    const char *junit = run->settings.junit;
    struct tp_run_sink *s = add_gathering_sink(run, &tp_sink_check, junit, err);
    if (s == NULL)
        return err->code;
    struct tp_check_config *c = s->config;
    c->checks = &run->life->checks;
    c->has_failed = &run->outcome.check_failed;
    c->has_output = junit != NULL;
    int rc = settle_sink(run, s, err);
    return rc == 0 ? 0 : remove_last(run, rc);
}

int tp_run_add_ending_sinks(struct tp_run *run, struct tp_error *err)
{
    struct tp_run_life *life = run->life;
    bool has_checks = life->checks.count > 0;
    if (!has_checks && run->settings.junit != NULL)
        return tp_fail(err, TP_E_USAGE, "--junit needs --check");
    if (tp_checks_are_relative(&life->checks) && !run->needs.baseline)
        return tp_fail(err, TP_E_USAGE, "--check: a change, such as +20%%, needs --baseline");
    int rc = run->settings.known != NULL && !life->has_news_sink ? add_news_sink(run, err) : 0;
    life->has_news_sink = rc == 0 && run->settings.known != NULL;
    if (rc == 0 && has_checks && !life->has_check_sink)
        rc = add_check_sink(run, err);
    life->has_check_sink = rc == 0 && has_checks;
    return rc;
}

// Returns whether two sinks gather by the same hooks. A binary sink may print a state in a way that depends on what
// a sink of another kind has left of it.
static bool gathers_alike(const struct tp_run_sink *s, const struct tp_run_sink *other)
{
    return s->def == other->def ||
           (!s->plan.is_binary && s->plan.input.finish == other->plan.input.finish);
}

// Makes the sink one that only prints the run state of an earlier one, if there is one with an
// equal state.
static void follow_equal(struct tp_run *run, size_t k)
{
    struct tp_run_sink *s = &run->sinks[k];
    for (size_t i = 0; i < k && s->leader == NULL; i++) {
        const struct tp_run_sink *other = &run->sinks[i];
        if (gathers_alike(s, other) && other->leader == NULL && s->def->has_equal_state != NULL &&
            s->def->has_equal_state(s->config, other->config))
            s->leader = other;
    }
    if (s->leader == NULL)
        return;
    // The leader gathers for both.
    run->sinks[s->leader - run->sinks].plan.compares |= s->plan.compares;
    tp_free(s->run_state);
    s->run_state = NULL;
    s->plan = (struct tp_sink_plan){.suffix = s->plan.suffix,
                                    .need = TP_NEED_READ,
                                    .output = s->plan.output,
                                    .accepts = s->plan.accepts,
                                    .compares = s->plan.compares,
                                    .is_binary = s->plan.is_binary,
                                    .has_texts_as_they_are = s->plan.has_texts_as_they_are,
                                    .has_reference = s->plan.has_reference,
                                    .run.end = s->plan.run.end};
}

// Fails if the run has a baseline, and nothing that compares inputs with it, or the other way round.
static int check_baseline(const struct tp_run *run, struct tp_error *err)
{
    bool compares = false, has_inputs = false;
    for (size_t k = 0; k < run->sink_count; k++) {
        const struct tp_sink_plan *plan = &run->sinks[k].plan;
        compares = compares || plan->compares;
        if (plan->only_compares && (!plan->compares || !run->needs.baseline))
            return tp_fail(err, TP_E_USAGE, "sink %s: '%s' needs --baseline, and neither by= nor filter=",
                           run->sinks[k].def->name, run->sinks[k].spec);
    }
    if (!run->needs.baseline)
        return 0;
    for (uint32_t i = 0; i < run->inputs.count; i++)
        has_inputs = has_inputs || run->inputs.items[i].is_baseline;
    if (!has_inputs)
        return tp_fail(err, TP_E_USAGE, "--baseline: the folders and lists have no files");
    if (run->settings.resume != NULL)
        return tp_fail(err, TP_E_USAGE, "--baseline and --resume exclude each other");
    return compares ? 0 : tp_fail(err, TP_E_USAGE, "--baseline needs a sink that compares: stats "
                                                   "without by=, filter= and format=state");
}

int tp_run_sinks_check(struct tp_run *run, struct tp_error *err)
{
    int rc = check_baseline(run, err);
    if (rc != 0)
        return rc;
    for (size_t k = 0; k < run->sink_count; k++)
        follow_equal(run, k);
    bool has_model[TP_MODELS] = {false};
    for (size_t k = 0; k < run->sink_count; k++) {
        const struct tp_run_sink *s = &run->sinks[k];
        if (s->lane != TP_LANE_BLOCKS || s->plan.need < TP_NEED_UNITS)
            continue;
        run->model = s->plan.model;
        has_model[run->model] = true;
    }
    if (has_model[TP_MODEL_EVENTS] && has_model[TP_MODEL_LEGACY])
        return tp_fail(err, TP_E_USAGE, "events:model=v1 cannot be combined with other sinks of "
                       "ordered events in one run");
    if (tp_window_is_given(&run->settings.window) && !has_model[TP_MODEL_EVENTS] &&
        !has_model[TP_MODEL_LEGACY])
        return tp_fail(err, TP_E_USAGE,
                       "--from and --to need a sink that orders events, such as stats or events");
    return 0;
}

void tp_run_sinks_fini(struct tp_run *run)
{
    for (size_t k = 0; k < run->sink_count; k++)
        free_sink(&run->sinks[k]);
    for (size_t i = 0; i < run->life->user_sink_count; i++)
        tp_user_sink_destroy(run->life->user_sinks[i]);
}
