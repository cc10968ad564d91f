#include "pipeline/commit/sink_call.h"

#include "io/out.h"

static int write_through(struct tp_out *out, struct tp_span bytes, struct tp_error *err)
{
    struct tp_out_writer *w = (struct tp_out_writer *)out;
    if (w->file == NULL)
        return tp_fail(err, TP_E_USAGE, "a sink without outputs cannot write");
    int rc = tp_out_write(w->file, bytes.ptr, bytes.len_bytes, err);
    if (rc == 0 && w->written_bytes != NULL)
        *w->written_bytes += bytes.len_bytes;
    return rc;
}

struct tp_out_writer tp_out_writer_of(struct tp_outfile *file, uint64_t *written_bytes)
{
    return (struct tp_out_writer){{write_through}, file, written_bytes};
}

struct tp_sink_call tp_sink_call_of(const struct tp_run *run, size_t k)
{
    const struct tp_run_sink *leader = run->sinks[k].leader;
    return (struct tp_sink_call){.config = run->sinks[k].config,
                                 .strict = run->settings.strict,
                                 .has_colour = run->sinks[k].has_colour,
                                 .screen = run->sinks[k].screen,
                                 .wants_all = run->settings.wants_all,
                                 .limit_bytes = run->memory.plan.limit_bytes,
                                 .frequency = run->settings.frequency,
                                 .zone = &run->settings.zone,
                                 .group = run->settings.path_group.pattern != NULL
                                              ? &run->settings.path_group
                                              : NULL,
                                 .reading = (const char *const *)run->settings.reading,
                                 .run_state = leader != NULL ? leader->run_state
                                                             : run->sinks[k].run_state};
}
