#include "synth.h"

#include "base/alloc.h"
#include "base/err.h"
#include "synth_play.h"

void synth_config_init(struct synth_config *config)
{
    *config = (struct synth_config){
#define SYNTH_OPT(field, flag, def, min, max, help) .field = (def),
#include "synth_options.def"
        .weights = {
#define SYNTH_ACTION(name, flag, weight, since, help) [SYNTH_ACTION_##name] = (weight),
#include "synth_actions.def"
        },
    };
}

static int check_range(const char *flag, uint64_t value, uint64_t min, uint64_t max,
                       struct tp_error *err)
{
    // Unsigned, so one comparison would do; two comparisons would cause a warning for a min of 0.
    if (value - min > max - min)
        return tp_fail(err, TP_E_USAGE, "%s: %llu is outside %llu to %llu", flag,
                       (unsigned long long)value, (unsigned long long)min,
                       (unsigned long long)max);
    return 0;
}

static int check_config(const struct synth_config *config, struct tp_error *err)
{
    int rc = 0;
#define SYNTH_OPT(field, flag, def, min, max, help)                                             \
    if (!rc)                                                                                    \
        rc = check_range(flag, config->field, min, max, err);
#include "synth_options.def"
    if (rc)
        return rc;
    if (config->version == 24)
        return tp_fail(err, TP_E_USAGE, "there is no format %u", (unsigned)config->version);
    if (config->gen_events == 0 && config->gen_bytes == 0)
        return tp_fail(err, TP_E_USAGE, "generations need a number of events or bytes");
    if (config->alloc_free && config->version < 23)
        return tp_fail(err, TP_E_USAGE, "format 22 has no experiments");
    for (int i = 0; i < SYNTH_ACTION_COUNT; i++)
        if (config->weights[i] > 1000000)
            return tp_fail(err, TP_E_USAGE, "the weight of an action exceeds 1000000");
    return 0;
}

static bool generation_is_full(const struct synth *s)
{
    const struct synth_config *c = s->config;
    return (c->gen_events && s->wire.gen_events >= c->gen_events) ||
           (c->gen_bytes && s->wire.gen_bytes >= c->gen_bytes);
}

// Writes a generation in the order of the runtime's tracer.
static void generation(struct synth *s)
{
    const uint64_t first_with_sync = 25;
    s->wire.gen_events = s->wire.gen_bytes = 0;
    synth_tables_begin(&s->tables);
    if (s->config->version >= first_with_sync)
        synth_wire_sync(&s->wire);
    if (s->config->alloc_free && s->wire.gen == s->config->first_gen)
        synth_alloc_info(s);

    synth_play_begin(s);
    while (!generation_is_full(s) && s->wire.damage.rc == 0)
        synth_play(s);
    synth_play_end(s);

    if (s->config->version < first_with_sync)
        synth_wire_sync(&s->wire);
    for (uint32_t m = 0; m < s->m_count; m++)
        synth_wire_flush(&s->wire, &s->ms[m].batch);
    synth_wire_flush(&s->wire, &s->orphans);
    synth_tables_end_stacks(&s->tables);
    if (s->config->alloc_free)
        synth_alloc_types(s);
    synth_tables_end_strings(&s->tables);
    if (s->config->version >= TP_FIRST_WITH_END_MARK)
        synth_wire_end_mark(&s->wire);
}

int synth_generate(const struct synth_config *config, synth_write_fn write, void *ctx,
                   struct synth_totals *ret_totals, struct tp_error *err)
{
    int rc = check_config(config, err);
    if (rc)
        return rc;
    struct synth *s = tp_alloc_zero(sizeof(*s));
    if (!s)
        return tp_fail(err, TP_E_MEMORY, "no memory for the scheduler");
    struct synth_totals totals = {0};
    rc = synth_wire_init(&s->wire, config, write, ctx, &totals, err);
    if (!rc)
        rc = synth_tables_init(&s->tables, config, &s->wire, err);
    if (!rc)
        rc = synth_model_init(s, config, err);
    if (rc)
        goto out;
    synth_play_init(s);

    synth_wire_header(&s->wire);
    for (uint64_t i = 0; i < config->generations && s->wire.damage.rc == 0; i++) {
        s->wire.gen = config->first_gen + i;
        generation(s);
    }
    synth_damage_flush(&s->wire.damage);
    rc = s->wire.damage.rc;
    if (!rc) {
        totals.trace_bytes = s->wire.damage.trace_bytes;
        totals.written_bytes = s->wire.damage.written_bytes;
        *ret_totals = totals;
    }
out:
    synth_model_fini(s);
    synth_tables_fini(&s->tables);
    synth_wire_fini(&s->wire);
    tp_free(s);
    return rc;
}
