#include "cli/help.h"

#include <string.h>

#include "tracepipe/tracepipe.h"

static void show_options(const char *options)
{
    for (const char *line = options; line && *line;) {
        size_t len_bytes = strcspn(line, "\n");
        printf("  %-11s   %.*s\n", "", (int)len_bytes, line);
        line += len_bytes + (line[len_bytes] == '\n');
    }
}

static void show_sinks(bool with_options)
{
    const struct tp_sink_help *sink;
    for (size_t idx = 0; (sink = tp_sink_help(idx)) != NULL; idx++) {
        printf("  %-11s %s\n", sink->name, sink->summary);
        if (with_options)
            show_options(sink->options);
    }
}

void tp_help_show(enum tp_flag_audience audience)
{
    tp_flags_help(stdout, audience);
    switch (audience) {
    case TP_FLAG_SHORT:
        printf("\nSinks:\n");
        show_sinks(false);
        printf("\n"
               "  tracepipe *.out           findings, and where the time went\n"
               "  tracepipe --help          all flags and sink options\n"
               "  man tracepipe             the manual\n");
        break;
    case TP_FLAG_FULL:
        printf("\nSinks and their options:\n");
        show_sinks(true);
        printf("\n"
               "With several inputs, PATH is a folder for sinks that write one output per input.\n"
               "Exit status: 0 all inputs complete; 1 some damaged, unreadable or not a trace,\n"
               "or none given; 2 usage; 3 output, memory or kernel failed, or --max-memory or\n"
               "--timeout was too small; 4 a check failed. Of several: 2, then 3, 4, 1.\n"
               "See tracepipe(1), tracepipe-sinks(7).\n");
        break;
    default: break;
    }
}

void tp_help_version(void)
{
    struct tp_part part;

    printf("tracepipe %s\n", TP_VERSION);
    for (size_t idx = 0; (part = tp_part(idx)).name != NULL; idx++) {
        if (part.compiled == NULL)
            printf("%c%s\n", part.is_built ? '+' : '-', part.name);
        else if (part.is_built && part.running != NULL && strcmp(part.compiled, part.running) != 0)
            printf("%s %s (compiled with %s)\n", part.name, part.running, part.compiled);
        else if (part.is_built)
            printf("%s %s\n", part.name, part.compiled);
    }
#ifdef TP_WITH_SECCOMP
    printf("+seccomp\n");
#else
    printf("-seccomp\n");
#endif
}
