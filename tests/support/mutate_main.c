// mutate: writes a damaged copy of a trace, or one with skewed clocks; see mutate.h.
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "mutate.h"

enum { EXIT_OK, EXIT_INPUT, EXIT_USAGE, EXIT_HOST };
enum { OPTION_SEED = 1000, OPTION_SKEW, OPTION_EXPLAIN, OPTION_HELP };

// Larger traces are refused, because mutating makes several copies.
#define MOST_INPUT_BYTES TP_MIB(16)

static const struct option long_options[] = {
    {"seed", required_argument, NULL, OPTION_SEED},
    {"skew", required_argument, NULL, OPTION_SKEW},
    {"explain", no_argument, NULL, OPTION_EXPLAIN},
    {"help", no_argument, NULL, OPTION_HELP},
    {NULL, 0, NULL, 0},
};

static void print_help(FILE *to)
{
    fputs("usage: mutate [--seed N] [--skew TICKS] [--explain] IN OUT\n"
          "Writes a copy of a trace of Go 1.22 or later, damaged in 1 to 4 places.\n\n"
          "  --seed N     which damage (1); the same for the same trace everywhere\n"
          "  --skew TICKS no damage, but clocks of threads that differ by up to so much\n"
          "  --explain    prints what was done: a line per step with its name and the\n"
          "               place in the trace as the step before it left it\n",
          to);
}

static bool parse_number(const char *text, uint64_t *ret_value)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 0);
    *ret_value = value;
    return end != text && *end == '\0' && *text != '-' && errno == 0;
}

static int read_file(const char *path, struct tp_buf *to, struct tp_error *err)
{
    unsigned char piece[65536];
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return tp_fail_errno(err, TP_E_OPEN, errno, "%s", path);
    int rc = 0;
    for (size_t n; rc == 0 && (n = fread(piece, 1, sizeof(piece), file)) > 0;)
        if (!tp_buf_put(to, piece, n))
            rc = tp_fail(err, TP_E_TOO_LARGE, "%s: larger than 16 MiB", path);
    if (rc == 0 && ferror(file))
        rc = tp_fail_errno(err, TP_E_READ, errno, "%s", path);
    fclose(file);
    return rc;
}

static int write_file(const char *path, struct tp_span bytes, struct tp_error *err)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return tp_fail_errno(err, TP_E_WRITE, errno, "%s", path);
    bool ok = fwrite(bytes.ptr, 1, bytes.len_bytes, file) == bytes.len_bytes;
    ok = fclose(file) == 0 && ok;
    return ok ? 0 : tp_fail_errno(err, TP_E_WRITE, errno, "%s", path);
}

static int run(const char *in_path, const char *out_path, uint64_t seed, uint64_t skew_ticks,
               struct mutate_report *report, struct tp_error *err)
{
    struct tp_buf in = {0}, out = {0};
    int rc;
    if (!tp_buf_init(&in, MOST_INPUT_BYTES)) {
        rc = tp_fail(err, TP_E_MEMORY, "no memory for the trace");
        goto out;
    }
    rc = read_file(in_path, &in, err);
    if (rc)
        goto out;
    if (!tp_buf_init(&out, mutate_max_bytes(in.len_bytes))) {
        rc = tp_fail(err, TP_E_MEMORY, "no memory for the trace");
        goto out;
    }
    struct tp_span trace = tp_span_of(in.ptr, in.len_bytes);
    rc = skew_ticks > 0 ? mutate_skew_clocks(trace, seed, skew_ticks, &out, err)
                        : mutate_trace(trace, seed, &out, report, err);
    if (rc == 0)
        rc = write_file(out_path, tp_span_of(out.ptr, out.len_bytes), err);
out:
    tp_buf_fini(&out);
    tp_buf_fini(&in);
    return rc;
}

static int exit_of(int rc)
{
    switch (rc) {
    case 0: return EXIT_OK;
    case TP_E_MEMORY:
    case TP_E_WRITE: return EXIT_HOST;
    default: return EXIT_INPUT;
    }
}

int main(int argc, char **argv)
{
    uint64_t seed = 1, skew_ticks = 0;
    bool explain = false;
    for (int opt; (opt = getopt_long(argc, argv, "", long_options, NULL)) != -1;) {
        switch (opt) {
        case OPTION_SEED:
        case OPTION_SKEW:
            if (parse_number(optarg, opt == OPTION_SEED ? &seed : &skew_ticks))
                break;
            fprintf(stderr, "mutate: %s: not a number\n", optarg);
            return EXIT_USAGE;
        case OPTION_EXPLAIN: explain = true; break;
        case OPTION_HELP: print_help(stdout); return EXIT_OK;
        default: return EXIT_USAGE;
        }
    }
    if (argc - optind != 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    struct mutate_report report = {0};
    struct tp_error err = {0};
    int rc = run(argv[optind], argv[optind + 1], seed, skew_ticks, &report, &err);
    if (rc)
        fprintf(stderr, "mutate: %s\n", err.text);
    for (unsigned i = 0; explain && i < report.step_count; i++)
        printf("%s\t%llu\n", report.steps[i].name, (unsigned long long)report.steps[i].at_bytes);
    return exit_of(rc);
}
