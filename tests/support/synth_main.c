// synth: writes a generated trace to a file or to standard output.
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/spec.h"
#include "synth.h"

enum { EXIT_OK, EXIT_USAGE = 2, EXIT_HOST };

// Results of getopt_long. All numeric settings share one result; the index tells the setting,
// because numeric settings come first in the table.
enum { OPTION_NUMBER = 1000, OPTION_WEIGHT, OPTION_STATS, OPTION_HELP };

static const struct option long_options[] = {
#define SYNTH_OPT(field, flag, def, min, max, help) {flag, required_argument, NULL, OPTION_NUMBER},
#include "synth_options.def"
    {"weight", required_argument, NULL, OPTION_WEIGHT},
    {"stats", no_argument, NULL, OPTION_STATS},
    {"help", no_argument, NULL, OPTION_HELP},
    {NULL, 0, NULL, 0},
};

static const struct {
    const char *flag;
    uint32_t weight;
    uint32_t since;
    const char *help;
} action_flags[SYNTH_ACTION_COUNT] = {
#define SYNTH_ACTION(name, flag, weight, since, help) {flag, weight, since, help},
#include "synth_actions.def"
};

static const char *const event_names[256] = {
#define TP_EV(code, name, since, kind, ...) [code] = #name,
#include "decode/events_v2.def"
};

static void print_help(void)
{
    puts("usage: synth [options] [-o FILE]\n"
         "Writes a generated Go execution trace.\n\n"
         "Numbers may end in k, m, g (times 1024). --stats prints counts to standard error.\n");
#define SYNTH_OPT(field, flag, def, min, max, help)                                             \
    if ((uint64_t)(def) == SYNTH_OFF)                                                           \
        printf("  --%-18s %s\n", flag " N", help);                                              \
    else                                                                                        \
        printf("  --%-18s %s (%llu)\n", flag " N", help, (unsigned long long)(def));
#include "synth_options.def"
    puts("\n  --weight ACTION=N    how often goroutines do something, relative to others;\n"
         "                       \"all=0\" first, to choose a few:");
    for (size_t i = 0; i < TP_ARRAY_LEN(action_flags); i++)
        printf("    %-16s %s (%u%s)\n", action_flags[i].flag, action_flags[i].help,
               action_flags[i].weight, action_flags[i].since > 22 ? "; 23 and later" : "");
}

static bool parse_number(const char *text, uint64_t *ret_value)
{
    static const char units[] = "kmg";
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 0);
    if (end == text || *text == '-' || errno)
        return false;
    unsigned shift = 0;
    if (*end) {
        const char *unit = strchr(units, *end | 0x20);
        if (!unit || end[1])
            return false;
        shift = 10 * (unsigned)(unit - units + 1);
    }
    *ret_value = value << shift;
    return *ret_value >> shift == value;
}

static bool parse_weight(struct synth_config *config, const char *text)
{
    const char *equals = strchr(text, '=');
    uint64_t value;
    if (!equals || !parse_number(equals + 1, &value) || value > UINT32_MAX)
        return false;
    size_t len_bytes = (size_t)(equals - text);
    bool all = len_bytes == 3 && memcmp(text, "all", 3) == 0;
    bool found = false;
    for (size_t i = 0; i < TP_ARRAY_LEN(action_flags); i++) {
        const char *flag = action_flags[i].flag;
        if (all || (strlen(flag) == len_bytes && memcmp(flag, text, len_bytes) == 0)) {
            config->weights[i] = (uint32_t)value;
            found = true;
        }
    }
    return found;
}

static uint64_t *option_field(struct synth_config *config, int index)
{
    uint64_t *const fields[] = {
#define SYNTH_OPT(field, flag, def, min, max, help) &config->field,
#include "synth_options.def"
    };
    return fields[index];
}

static int write_file(void *ctx, const unsigned char *bytes, size_t len_bytes)
{
    return fwrite(bytes, 1, len_bytes, ctx) == len_bytes ? 0 : TP_E_WRITE;
}

static void print_stats(const struct synth_totals *totals)
{
    fprintf(stderr, "bytes\t%llu\nwritten\t%llu\nbatches\t%llu\nevents\t%llu\n",
            (unsigned long long)totals->trace_bytes, (unsigned long long)totals->written_bytes,
            (unsigned long long)totals->batch_count, (unsigned long long)totals->event_count);
    for (size_t i = 0; i < TP_ARRAY_LEN(totals->code_counts); i++)
        if (totals->code_counts[i])
            fprintf(stderr, "%s\t%llu\n", event_names[i],
                    (unsigned long long)totals->code_counts[i]);
}

static int run(const struct synth_config *config, const char *path, bool stats)
{
    FILE *file = path ? fopen(path, "wb") : stdout;
    if (!file) {
        fprintf(stderr, "synth: %s: %s\n", path, strerror(errno));
        return EXIT_HOST;
    }
    struct synth_totals totals;
    struct tp_error err = {0};
    int rc = synth_generate(config, write_file, file, &totals, &err);
    if (fclose(file) && !rc)
        rc = TP_E_WRITE;
    if (rc) {
        fprintf(stderr, "synth: %s\n", rc == TP_E_WRITE ? "output cannot be written" : err.text);
        return rc == TP_E_USAGE ? EXIT_USAGE : EXIT_HOST;
    }
    if (stats)
        print_stats(&totals);
    return EXIT_OK;
}

int main(int argc, char **argv)
{
    struct synth_config config;
    const char *path = NULL;
    bool stats = false;
    int index = 0;
    synth_config_init(&config);
    for (int opt; (opt = getopt_long(argc, argv, "o:", long_options, &index)) != -1;) {
        bool valid = true;
        switch (opt) {
        case 'o':
            path = optarg;
            break;
        case OPTION_NUMBER:
            valid = parse_number(optarg, option_field(&config, index));
            break;
        case OPTION_WEIGHT:
            valid = parse_weight(&config, optarg);
            break;
        case OPTION_STATS:
            stats = true;
            break;
        case OPTION_HELP:
            print_help();
            return EXIT_OK;
        default:
            return EXIT_USAGE;
        }
        if (!valid) {
            fprintf(stderr, "synth: %s: bad value for --%s\n", optarg, long_options[index].name);
            return EXIT_USAGE;
        }
    }
    if (optind < argc) {
        fprintf(stderr, "synth: %s: no argument expected\n", argv[optind]);
        return EXIT_USAGE;
    }
    return run(&config, path, stats);
}
