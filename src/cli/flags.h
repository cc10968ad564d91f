// Reads the words of the command line in their order: glibc's argp parses them by the rows
// of flags.def. Keeps no state: a program that needs all options before the first input
// walks the words twice. Single-threaded.
#ifndef TP_CLI_FLAGS_H
#define TP_CLI_FLAGS_H

#include <stdio.h>

#include "tracepipe/error.h"

// Flags, in the order of flags.def.
enum tp_flag {
#define TP_FLAG_SECTION(title)
#define TP_FLAG(name, ...) TP_FLAG_##name,
#include "cli/flags.def"
#undef TP_FLAG
#undef TP_FLAG_SECTION
    TP_FLAG_COUNT,
    TP_FLAG_INPUT = TP_FLAG_COUNT, // a word that is no flag: FILE
};

// The help texts of -h, --help and --help-dev; a flag is in one of them, and those of -h also in
// that of --help.
enum tp_flag_audience { TP_FLAG_SHORT, TP_FLAG_FULL, TP_FLAG_DEV, TP_FLAG_AUDIENCES };

// The part of a row of flags.def that the program reads; flags.c gives the rest to argp.
struct tp_flag_spec {
    char letter;        // 0: long form only
    const char *option; // the one of TP_RUN_OPTIONS that the flag sets; NULL: none
    const char *value;  // the option's new value; NULL: the flag's argument
};

// Indexed by enum tp_flag.
extern const struct tp_flag_spec tp_flag_specs[TP_FLAG_COUNT];

// Receives one word of the command line. `text` is the flag's argument or the FILE, borrowed from
// argv; NULL if the flag has no argument. A result other than 0 stops the walk.
typedef int (*tp_flag_fn)(void *ctx, enum tp_flag flag, const char *text, struct tp_error *err);

// Calls `fn` for every word and leaves the order of argv unchanged. Returns 0, the result of
// `fn` that stopped the walk, TP_E_USAGE with getopt's message for a word that is not in the
// table, or TP_E_MEMORY. Redirects the variable `stderr` during the call, so no other thread
// may use it.
int tp_flags_walk(int argc, char **argv, tp_flag_fn fn, void *ctx, struct tp_error *err);

// Writes the usage text with the flags of one help text, without the list of sinks. Ignores errors
// of `to`.
void tp_flags_help(FILE *to, enum tp_flag_audience audience);

#endif
