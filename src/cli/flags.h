// The words of the command line in the order given, read by glibc's argp from
// flags.def. Keeps nothing: a program that needs all options before the first
// input walks the words twice. Single-threaded.
#ifndef TP_CLI_FLAGS_H
#define TP_CLI_FLAGS_H

#include <stdio.h>

#include "tracepipe/error.h"

enum tp_flag {
#define TP_FLAG_SECTION(title)
#define TP_FLAG(name, ...) TP_FLAG_##name,
#include "cli/flags.def"
#undef TP_FLAG
#undef TP_FLAG_SECTION
    TP_FLAG_COUNT,
    TP_FLAG_INPUT = TP_FLAG_COUNT, // a word that is no flag: FILE
};

struct tp_flag_spec {
    char letter;        // 0: long form only
    const char *name;   // long form, without the dashes
    const char *arg;    // NULL: takes no argument
    const char *option; // of TP_RUN_OPTIONS; NULL: the program's own business
    const char *value;  // what the option becomes; NULL: the argument
    const char *help;
};

// Indexed by enum tp_flag.
extern const struct tp_flag_spec tp_flag_specs[TP_FLAG_COUNT];

// `text` is the flag's argument or the FILE, borrowed from argv; NULL if there is
// none. A result other than 0 stops the walk.
typedef int (*tp_flag_fn)(void *ctx, enum tp_flag flag, const char *text, struct tp_error *err);

// Calls `fn` for every word. The order of argv stays as it is. Returns what `fn`
// returned, or TP_E_USAGE for a word that is not in the table, with getopt's words for it.
// Takes `stderr` away from the process meanwhile, so no other thread may use that.
int tp_flags_walk(int argc, char **argv, tp_flag_fn fn, void *ctx, struct tp_error *err);

// The usage text, without the list of sinks.
void tp_flags_help(FILE *to);

#endif
