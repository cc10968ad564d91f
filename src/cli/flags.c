#include "cli/flags.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/nearest.h"
#include "tracepipe/tracepipe.h"

// argp's key of the first flag without a letter; above every character.
#define KEY_BASE 0x100

const struct tp_flag_spec tp_flag_specs[TP_FLAG_COUNT] = {
#define TP_FLAG_SECTION(title)
#define TP_FLAG(id, audience, letter, name, arg, option, value, help) {letter, option, value},
#include "cli/flags.def"
#undef TP_FLAG
#undef TP_FLAG_SECTION
};

static const struct argp_option argp_options[] = {
#define TP_FLAG_SECTION(title) {.doc = (title)},
#define TP_FLAG(id, audience_, letter_, name_, arg_, option_, value_, help_)                       \
    {.name = (name_),                                                                              \
     .key = (letter_) ? (letter_) : KEY_BASE + TP_FLAG_##id,                                       \
     .arg = (arg_),                                                                                \
     .doc = (help_)},
#include "cli/flags.def"
#undef TP_FLAG
#undef TP_FLAG_SECTION
    {0},
};

#define SECTION TP_FLAG_AUDIENCES
// By index of argp_options: enum tp_flag_audience, or SECTION.
static const unsigned char audiences[] = {
#define TP_FLAG_SECTION(title) SECTION,
#define TP_FLAG(id, audience_, ...) TP_FLAG_##audience_,
#include "cli/flags.def"
#undef TP_FLAG
#undef TP_FLAG_SECTION
};

struct walk {
    tp_flag_fn fn;
    void *ctx;
    struct tp_error *err;
    int stopped_by; // what fn returned, when not 0
};

static enum tp_flag flag_of_key(int key)
{
    if (key >= KEY_BASE && key < KEY_BASE + TP_FLAG_COUNT)
        return (enum tp_flag)(key - KEY_BASE);
    for (int flag = 0; flag < TP_FLAG_COUNT; flag++) {
        if (tp_flag_specs[flag].letter && tp_flag_specs[flag].letter == key)
            return (enum tp_flag)flag;
    }
    return TP_FLAG_COUNT;
}

static error_t on_key(int key, char *arg, struct argp_state *state)
{
    struct walk *walk = state->input;
    enum tp_flag flag;

    switch (key) {
    case ARGP_KEY_INIT:
        // Silences argp, which would print a second text of its own after
        // getopt's line and end the program.
        state->err_stream = NULL;
        return 0;
    case ARGP_KEY_ARG: flag = TP_FLAG_INPUT; break;
    default:
        flag = flag_of_key(key);
        if (flag == TP_FLAG_COUNT)
            return ARGP_ERR_UNKNOWN;
    }
    walk->stopped_by = walk->fn(walk->ctx, flag, arg, walk->err);
    return walk->stopped_by ? ECANCELED : 0;
}

static const struct argp argp = {
    .options = argp_options,
    .parser = on_key,
    .args_doc = "[FILE...]",
    .doc = "Analyses Go execution traces in bulk: findings and statistics, text, or archives.\n"
           "With no FILE, or when FILE is -, reads standard input."
           "\v"
           "SIZE is a number of bytes and may end in K, M, G or T: 64M, 1GiB, 4096.",
};

// Parses in order and without permuting argv, so that a second walk sees the same words, and
// so that POSIXLY_CORRECT changes nothing. getopt can only print its error messages, and
// these quote words of the command line, which may hold any bytes: so stderr is redirected
// into `said`.
static error_t parse(int argc, char **argv, struct walk *walk, char *said, size_t said_bytes)
{
    FILE *own = stderr;
    FILE *heard = fmemopen(said, said_bytes, "w");
    if (heard == NULL)
        return ENOMEM;
    stderr = heard;
    error_t failed =
        argp_parse(&argp, argc, argv, ARGP_IN_ORDER | ARGP_NO_HELP | ARGP_NO_EXIT, NULL, walk);
    stderr = own;
    fclose(heard);
    return failed;
}

// Returns the name of the first sink that has the option; NULL: none has.
static const char *sink_with_option(struct tp_span key)
{
    const struct tp_sink_help *sink;
    for (size_t idx = 0; (sink = tp_sink_help(idx)) != NULL; idx++) {
        for (const char *line = sink->options; line && *line;) {
            if (tp_span_equals(key, line, strcspn(line, "=")))
                return sink->name;
            line += strcspn(line, "\n");
            line += *line == '\n';
        }
    }
    return NULL;
}

// Adds to getopt's message about an unknown long option the sink that has such an option, or the
// name of a flag that is near it; and about --json=FILE the flag that takes the file.
static void add_nearest(char *said, size_t said_bytes)
{
    static const char head[] = "unrecognized option '--", json[] = "option '--json' ";
    if (strncmp(said, json, strlen(json)) == 0)
        strncat(said, " (--manifest FILE writes the manifest)", said_bytes - strlen(said) - 1);
    if (strncmp(said, head, strlen(head)) != 0)
        return;
    const char *word = said + strlen(head);
    struct tp_nearest nearest = {.word = tp_span_of(word, strcspn(word, "='"))};
    for (size_t i = 0; i < sizeof audiences; i++) {
        if (argp_options[i].name != NULL)
            tp_nearest_try(&nearest, argp_options[i].name);
    }
    const char *sink = sink_with_option(nearest.word);
    char *end = said + strlen(said);
    size_t end_bytes = said_bytes - strlen(said);
    if (sink != NULL)
        snprintf(end, end_bytes, " (did you mean '--sink %s:%.*s=...'?)", sink,
                 (int)nearest.word.len_bytes, (const char *)nearest.word.ptr);
    else if (nearest.name != NULL)
        snprintf(end, end_bytes, " (did you mean '--%s'?)", nearest.name);
}

int tp_flags_walk(int argc, char **argv, tp_flag_fn fn, void *ctx, struct tp_error *err)
{
    struct walk walk = {.fn = fn, .ctx = ctx, .err = err};
    char said[2 * TP_ERROR_TEXT_BYTES] = "";

    error_t failed = parse(argc, argv, &walk, said, sizeof said);
    if (walk.stopped_by)
        return walk.stopped_by;
    if (!failed)
        return 0;
    if (failed == ENOMEM)
        return tp_error_set(err, TP_E_MEMORY, "%s", tp_error_sentence(TP_E_MEMORY));
    // "PROGRAM: WORDS\n"
    size_t before_bytes = strlen(argv[0]) + strlen(": "), said_bytes = strlen(said);
    if (said_bytes <= before_bytes)
        return tp_error_set(err, TP_E_USAGE, "%s", tp_error_sentence(TP_E_USAGE));
    if (said[said_bytes - 1] == '\n')
        said[said_bytes - 1] = '\0';
    add_nearest(said + before_bytes, sizeof said - before_bytes);
    return tp_error_set(err, TP_E_USAGE, "%s", said + before_bytes);
}

// Copies the options that the help text shows to `to`, with the titles of the sections that have
// some; the short text has no titles.
static void choose_options(struct argp_option to[static sizeof audiences + 1],
                           enum tp_flag_audience audience)
{
    const struct argp_option *title = NULL;
    for (size_t i = 0; i < sizeof audiences; i++) {
        if (audiences[i] == SECTION) {
            title = audience != TP_FLAG_SHORT ? &argp_options[i] : NULL;
            continue;
        }
        bool is_shown = audiences[i] == audience ||
                        (audience == TP_FLAG_FULL && audiences[i] == TP_FLAG_SHORT);
        if (is_shown && title != NULL)
            *to++ = *title;
        if (is_shown)
            *to++ = argp_options[i];
        title = is_shown ? NULL : title;
    }
    *to = (struct argp_option){0};
}

void tp_flags_help(FILE *to, enum tp_flag_audience audience)
{
    char program[] = "tracepipe";
    struct argp_option options[sizeof audiences + 1];
    struct argp shown = argp;
    choose_options(options, audience);
    shown.options = options;
    if (audience != TP_FLAG_FULL)
        shown.doc = NULL;
    // Leaves out a note on arguments of long and short forms, which each line shows anyway.
    setenv("ARGP_HELP_FMT", "no-dup-args-note", 0);
    argp_help(&shown, to, ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC, program);
}
