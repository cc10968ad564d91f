#include "cli/explain.h"

#include <ctype.h>
#include <string.h>

#include "base/text/nearest.h"

#define LINE_COLUMNS 78
// A shortened name keeps at least this many of its bytes.
#define SHORTENED_BYTES_LEAST 8

// The groups of terms. X(GROUP, title)
#define GROUPS(X)                                                                       \
    X(FINDING, "findings")                                                              \
    X(STATE, "goroutine states")                                                      \
    X(HOST, "hosts and baselines")                                                      \
    X(TABLE, "tables")                                                                  \
    X(COLUMN, "columns")                                                                \
    X(WORD, "words")

enum group {
#define TP_X(group, title) GROUP_##group,
    GROUPS(TP_X)
#undef TP_X
    GROUP_COUNT
};

static const char *const titles[GROUP_COUNT] = {
#define TP_X(group, title) title,
    GROUPS(TP_X)
#undef TP_X
};

static const struct term {
    enum group group;
    const char *name;
    const char *also;
    const char *text;
} terms[] = {
#define TP_TERM(group, name, also, text) {GROUP_##group, name, also, text},
#include "cli/terms.def"
#undef TP_TERM
};

// A text fits on a screen of 24 rows.
#define TP_TERM(group, name, also, text)                                                \
    _Static_assert(sizeof(text) <= TP_EXPLAIN_TEXT_BYTES, "a text of one screen");           \
    _Static_assert(sizeof(name) <= TP_EXPLAIN_WORD_BYTES, "a word");
#include "cli/terms.def"
#undef TP_TERM

#define TERM_COUNT (sizeof terms / sizeof *terms)

// Whether bytes of a name are those of a word, with '-' and '_' for spaces.
static bool is_same(const char *name, const char *word, size_t len_bytes)
{
    for (size_t i = 0; i < len_bytes; i++) {
        char c = name[i] == '-' || name[i] == '_' ? ' ' : name[i];
        if (c != word[i])
            return false;
    }
    return true;
}

// Whether the first `len_bytes` of `name` are the word. In narrow columns names lose their middle,
// or their beginning: three dots are there instead, which stand for anything.
static bool is_word(const char *name, size_t len_bytes, const char *word)
{
    const char *gap = strstr(word, "...");
    size_t word_bytes = strlen(word);
    if (gap == NULL)
        return len_bytes == word_bytes && is_same(name, word, len_bytes);
    size_t before_bytes = (size_t)(gap - word), after_bytes = word_bytes - before_bytes - 3;
    return before_bytes + after_bytes >= SHORTENED_BYTES_LEAST &&
           before_bytes + after_bytes < len_bytes && is_same(name, word, before_bytes) &&
           is_same(name + len_bytes - after_bytes, gap + 3, after_bytes);
}

static bool has_other_name(const struct term *t, const char *word)
{
    for (const char *also = t->also; *also != '\0';) {
        size_t len_bytes = strcspn(also, " ");
        if (is_word(also, len_bytes, word))
            return true;
        also += len_bytes + (also[len_bytes] == ' ');
    }
    return false;
}

// Finds a term. Titles may say what their figures are: "over time: ..."; without a term of the
// whole title that is cut off from the word, and so is the mark of an inferred reason.
static const struct term *find(char *word)
{
    for (;;) {
        for (size_t i = 0; i < TERM_COUNT; i++) {
            if (is_word(terms[i].name, strlen(terms[i].name), word))
                return &terms[i];
        }
        for (size_t i = 0; i < TERM_COUNT; i++) {
            if (has_other_name(&terms[i], word))
                return &terms[i];
        }
        char *end = strrchr(word, ':');
        if (end == NULL)
            end = strstr(word, " (inferred)");
        if (end == NULL)
            return NULL;
        *end = '\0';
    }
}

static void list_group(FILE *to, enum group group)
{
    size_t columns = 0;

    fprintf(to, "\n%s:\n", titles[group]);
    for (size_t i = 0; i < TERM_COUNT; i++) {
        if (terms[i].group != group)
            continue;
        size_t name_columns = strlen(terms[i].name) + 2;
        bool is_first = columns == 0 || columns + name_columns > LINE_COLUMNS;
        if (is_first && columns > 0)
            fputs(",\n", to);
        fprintf(to, "%s%s", is_first ? "  " : ", ", terms[i].name);
        columns = is_first ? name_columns : columns + name_columns;
    }
    fputc('\n', to);
}

static void list(FILE *to)
{
    fputs("tracepipe --explain TERM explains:\n", to);
    for (int group = 0; group < GROUP_COUNT; group++)
        list_group(to, (enum group)group);
}

// Writes a paragraph, indented, in lines of at most LINE_COLUMNS.
static void write_wrapped(FILE *to, const char *text)
{
    size_t columns = 0;

    while (*text != '\0') {
        size_t word_bytes = strcspn(text, " ");
        bool is_first = columns == 0 || columns + 1 + word_bytes > LINE_COLUMNS;
        fprintf(to, "%s%.*s", !is_first ? " " : columns > 0 ? "\n  " : "  ", (int)word_bytes, text);
        columns = is_first ? 2 + word_bytes : columns + 1 + word_bytes;
        text += word_bytes + (text[word_bytes] == ' ');
    }
    fputc('\n', to);
}

static int fail_unknown(const char *word, const char *term, struct tp_error *err)
{
    struct tp_nearest nearest = {.word = tp_span_of_text(word)};

    for (size_t i = 0; i < TERM_COUNT; i++)
        tp_nearest_try(&nearest, terms[i].name);
    if (nearest.name != NULL)
        return tp_error_set(err, TP_E_USAGE, "unknown term '%.48s' (did you mean '%s'?)", term,
                            nearest.name);
    return tp_error_set(err, TP_E_USAGE, "unknown term '%.48s'", term);
}

const char *tp_explain_term(size_t idx)
{
    return idx < TERM_COUNT ? terms[idx].name : NULL;
}

int tp_explain(FILE *to, const char *term, struct tp_error *err)
{
    char word[TP_EXPLAIN_WORD_BYTES] = "";
    size_t len_bytes = strlen(term);

    // Names that the program made up are in parentheses: "(no stack seen)".
    if (len_bytes > 2 && term[0] == '(' && term[len_bytes - 1] == ')') {
        term++;
        len_bytes -= 2;
    }
    for (size_t i = 0; len_bytes < sizeof word && i < len_bytes; i++)
        word[i] = term[i] == '-' || term[i] == '_' ? ' ' : (char)tolower((unsigned char)term[i]);
    const struct term *t = find(word);
    if (t != NULL) {
        fprintf(to, "%s\n", t->name);
        write_wrapped(to, t->text);
        return 0;
    }
    list(to);
    return strcmp(word, TP_EXPLAIN_LIST) == 0 ? 0 : fail_unknown(word, term, err);
}
