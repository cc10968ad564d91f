#include "cli/complete.h"

#include <string.h>

#include "base/text/nearest.h" // spans
#include "cli/explain.h"
#include "cli/flags.h"
#include "tracepipe/tracepipe.h"

static const struct row {
    enum tp_flag_audience audience;
    char letter;
    const char *name, *arg, *help;
} rows[TP_FLAG_COUNT] = {
#define TP_FLAG_SECTION(title)
#define TP_FLAG(id, audience, letter, name, arg, option, value, help)                              \
    {TP_FLAG_##audience, letter, name, arg, help},
#include "cli/flags.def"
#undef TP_FLAG
#undef TP_FLAG_SECTION
};

// The word that is completed: what stays as it is, and what a candidate must begin with.
struct word {
    FILE *to;
    struct tp_span kept, typed;
};

// Moves the first `len_bytes` of what was typed to what is kept.
static void keep(struct word *w, size_t len_bytes)
{
    w->kept.len_bytes += len_bytes;
    w->typed = tp_span_skip(w->typed, len_bytes);
}

static void offer(const struct word *w, struct tp_span name, const char *end, struct tp_span help)
{
    if (name.len_bytes < w->typed.len_bytes ||
        memcmp(name.ptr, w->typed.ptr, w->typed.len_bytes) != 0)
        return;
    fprintf(w->to, "%.*s%.*s%s\t%.*s\n", (int)w->kept.len_bytes, (const char *)w->kept.ptr,
            (int)name.len_bytes, (const char *)name.ptr, end, (int)help.len_bytes,
            (const char *)help.ptr);
}

// Offers each of "a|b|c", if there is more than one.
static void offer_choices(const struct word *w, struct tp_span choices, struct tp_span help)
{
    if (memchr(choices.ptr, '|', choices.len_bytes) == NULL)
        return;
    while (choices.len_bytes > 0) {
        const unsigned char *bar = memchr(choices.ptr, '|', choices.len_bytes);
        size_t len_bytes = bar != NULL ? (size_t)(bar - choices.ptr) : choices.len_bytes;
        offer(w, tp_span_of(choices.ptr, len_bytes), "", help);
        choices = tp_span_skip(choices, len_bytes + (bar != NULL));
    }
}

// Offers the option of this line of struct tp_sink_help, or its values if its key is complete.
static void offer_option(const struct word *w, struct tp_span line)
{
    const char *text = (const char *)line.ptr;
    size_t key_bytes = strcspn(text, "="), values_bytes = strcspn(text + key_bytes, " ") - 1;
    struct tp_span help = tp_span_skip(line, key_bytes + 1 + values_bytes + strlen("  "));
    if (memchr(w->typed.ptr, '=', w->typed.len_bytes) == NULL) {
        offer(w, tp_span_of(text, key_bytes), "=", help);
    } else if (w->typed.len_bytes > key_bytes && memcmp(w->typed.ptr, text, key_bytes + 1) == 0) {
        struct word value = *w;
        keep(&value, key_bytes + 1);
        offer_choices(&value, tp_span_of(text + key_bytes + 1, values_bytes), help);
    }
}

static void offer_sinks(struct word *w)
{
    const struct tp_sink_help *sink;
    const unsigned char *colon = memchr(w->typed.ptr, ':', w->typed.len_bytes);
    struct tp_span name = tp_span_of(w->typed.ptr, colon ? (size_t)(colon - w->typed.ptr) : 0);
    if (colon != NULL) {
        const unsigned char *comma = memrchr(colon, ',', w->typed.len_bytes - name.len_bytes);
        keep(w, (size_t)((comma != NULL ? comma : colon) + 1 - w->typed.ptr));
    }
    for (size_t idx = 0; (sink = tp_sink_help(idx)) != NULL; idx++) {
        if (colon == NULL)
            offer(w, tp_span_of_text(sink->name), "", tp_span_of_text(sink->summary));
        if (colon == NULL || !tp_span_is(name, sink->name))
            continue;
        for (const char *line = sink->options; *line != '\0'; line += strcspn(line, "\n") + 1)
            offer_option(w, tp_span_of(line, strcspn(line, "\n")));
    }
}

static void offer_terms(const struct word *w)
{
    const char *name;
    for (size_t idx = 0; (name = tp_explain_term(idx)) != NULL; idx++) {
        char term[TP_EXPLAIN_WORD_BYTES];
        size_t len_bytes = 0;
        for (; name[len_bytes] != '\0'; len_bytes++)
            term[len_bytes] = name[len_bytes] == ' ' ? '-' : name[len_bytes];
        offer(w, tp_span_of(term, len_bytes), "", tp_span_of_text(""));
    }
}

static void offer_argument(struct word *w, const struct row *row)
{
    if (row == &rows[TP_FLAG_SINK])
        offer_sinks(w);
    else if (row == &rows[TP_FLAG_EXPLAIN])
        offer_terms(w);
    else
        offer_choices(w, tp_span_of_text(row->arg), tp_span_of_text(row->help));
}

static void offer_flags(const struct word *w)
{
    char name[64];
    for (const struct row *row = rows; row < rows + TP_FLAG_COUNT; row++) {
        struct tp_span help = tp_span_of_text(row->help);
        if (row->audience == TP_FLAG_DEV)
            continue;
        if (row->letter != 0)
            offer(w, tp_span_of(name, (size_t)snprintf(name, sizeof name, "-%c", row->letter)), "",
                  help);
        if (row->name != NULL)
            offer(w, tp_span_of(name, (size_t)snprintf(name, sizeof name, "--%s", row->name)),
                  row->arg != NULL ? "=" : "", help);
    }
}

// Returns the flag that takes an argument and has this form on the command line; NULL: none.
static const struct row *flag_with_argument(struct tp_span form)
{
    for (const struct row *row = rows; row < rows + TP_FLAG_COUNT; row++) {
        const char letter[] = {'-', row->letter, '\0'};
        if (row->arg == NULL)
            continue;
        if ((row->letter != 0 && tp_span_is(form, letter)) ||
            (row->name != NULL && tp_span_begins_with(form, "--") &&
             tp_span_is(tp_span_skip(form, strlen("--")), row->name)))
            return row;
    }
    return NULL;
}

// Returns the last word of `text`, which a space ends or begins; it may be empty.
static struct tp_span last_word(struct tp_span text)
{
    const unsigned char *space = memrchr(text.ptr, ' ', text.len_bytes);
    return space != NULL ? tp_span_skip(text, (size_t)(space + 1 - text.ptr)) : text;
}

void tp_complete(FILE *to, const char *line)
{
    struct tp_span before = tp_span_of_text(line), last = last_word(before);
    struct word w = {to, tp_span_of(last.ptr, 0), last};
    const unsigned char *equals = memchr(last.ptr, '=', last.len_bytes);
    const struct row *row;

    before.len_bytes -= last.len_bytes;
    while (tp_span_ends_with(before, " "))
        before.len_bytes--;
    if ((row = flag_with_argument(last_word(before))) != NULL) {
        offer_argument(&w, row);
    } else if (equals == NULL) {
        if (tp_span_begins_with(last, "-"))
            offer_flags(&w);
    } else if ((row = flag_with_argument(tp_span_of(last.ptr, (size_t)(equals - last.ptr)))) != NULL) {
        keep(&w, (size_t)(equals + 1 - last.ptr));
        offer_argument(&w, row);
    }
}
