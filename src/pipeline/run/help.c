// Writes the help text of the sinks and their options, as the command line shows it.

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "sink/sink.h"
#include "tracepipe/tracepipe.h"

#define OPTIONS_BYTES TP_KIB(4)

static void add_option(char *to, size_t to_bytes, const struct tp_opt_spec *o)
{
    size_t used = strlen(to);
    char range[64];
    const char *values = o->type == TP_OPT_BOOL ? "yes|no" : "TEXT";
    if (o->choices != NULL) {
        values = o->choices;
    } else if (o->type == TP_OPT_INT || o->type == TP_OPT_BYTES) {
        snprintf(range, sizeof range, "%lld..%lld", (long long)o->min, (long long)o->max);
        values = range;
    }
    int len_bytes = snprintf(to + used, to_bytes - used, "%s=%s  %s\n", o->key, values, o->help);
    assert(used + (size_t)len_bytes < to_bytes);
    (void)len_bytes;
}

const struct tp_sink_help *tp_sink_help(size_t idx)
{
    static _Thread_local struct tp_sink_help help;
    static _Thread_local char options[OPTIONS_BYTES];
    for (size_t i = 0; i <= idx; i++) {
        if (tp_sinks[i] == NULL)
            return NULL;
    }
    const struct tp_sink_def *def = tp_sinks[idx];
    options[0] = '\0';
    for (const struct tp_opt_spec *o = def->options; o != NULL && o->key != NULL; o++)
        add_option(options, sizeof options, o);
    help = (struct tp_sink_help){def->name, def->summary, options};
    return &help;
}
