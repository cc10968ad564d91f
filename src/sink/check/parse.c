#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text/nearest.h"
#include "base/text/opts.h"
#include "sink/check/check.h"
#include "stats/names/kinds.h"

// The most bytes of a check that a message repeats.
#define SHOWN_BYTES 60
#define BLANKS " \t"

// The words with which a check begins: subjects, then the states of all goroutines.
static const char *const heads[] = {
#define TP_X(subject, word, is_named) word,
    TP_CHECK_SUBJECTS(TP_X)
#undef TP_X
#define TP_X(state, word) word,
    TP_CHECK_STATES(TP_X)
#undef TP_X
};
static const char *const *const states = heads + TP_CHECK_SUBJECT_COUNT;

#define TP_X(subject, word, is_named) is_named,
static const bool are_named[] = {TP_CHECK_SUBJECTS(TP_X)};
#undef TP_X

#define TP_X(figure, word, dimension, thousandths) word,
static const char *const figures[] = {TP_CHECK_FIGURES(TP_X)};
#undef TP_X

#define TP_X(figure, word, dimension, thousandths) TP_CHECK_##dimension,
static const enum tp_check_dimension dimension_of[] = {TP_CHECK_FIGURES(TP_X)};
#undef TP_X

#define TP_X(name, text, op) text,
static const char *const operators[] = {TP_CHECK_OPERATORS(TP_X)};
#undef TP_X

#define TP_X(dimension, what) what,
static const char *const dimensions[] = {TP_CHECK_DIMENSIONS(TP_X)};
#undef TP_X

#define TP_X(text, dimension, power) {text, TP_CHECK_##dimension, power},
static const struct tp_check_unit units[] = {TP_CHECK_UNITS(TP_X)};
#undef TP_X

// A check that is being read: `at` is the place in its text.
struct reader {
    struct tp_check *check;
    const char *at;
    struct tp_error *err;
};

static int fail(const struct reader *r, const char *why)
{
    return tp_fail(r->err, TP_E_USAGE, "check '%.*s': %s", SHOWN_BYTES, r->check->text, why);
}

static void skip_blanks(struct reader *r)
{
    r->at += strspn(r->at, BLANKS);
}

static bool take(struct reader *r, const char *text)
{
    bool is_there = strncmp(r->at, text, strlen(text)) == 0;
    r->at += is_there ? strlen(text) : 0;
    return is_there;
}

// Takes the bytes before the first of `ends`.
static struct tp_span take_until(struct reader *r, const char *ends)
{
    struct tp_span word = tp_span_of(r->at, strcspn(r->at, ends));
    r->at += word.len_bytes;
    return word;
}

static int fail_word(const struct reader *r, const char *what, const struct tp_nearest *nearest)
{
    char head[SHOWN_BYTES + 64];
    snprintf(head, sizeof head, "check '%.*s': there is no %s", SHOWN_BYTES / 2, r->check->text, what);
    return tp_nearest_fail(nearest, head, r->err);
}

// NAME

// Takes a word that ends before one of `ends`, and sets *ret_idx to its index in `words`.
static int take_word(struct reader *r, const char *ends, const char *what, const char *const *words,
                     size_t count, unsigned *ret_idx)
{
    struct tp_nearest nearest = {.word = take_until(r, ends)};
    for (unsigned i = 0; i < count; i++) {
        if (tp_span_is(nearest.word, words[i])) {
            *ret_idx = i;
            return 0;
        }
        tp_nearest_try(&nearest, words[i]);
    }
    return fail_word(r, what, &nearest);
}

static int take_subject(struct reader *r)
{
    unsigned idx = 0;
    int rc = take_word(r, ".(<>=" BLANKS, "figure of", heads, TP_ARRAY_LEN(heads), &idx);
    bool is_state = idx >= TP_CHECK_SUBJECT_COUNT;
    r->check->subject = is_state ? TP_CHECK_ALL_GOROUTINES : (enum tp_check_subject)idx;
    r->check->state = is_state ? (enum tp_check_state)(idx - TP_CHECK_SUBJECT_COUNT) : 0;
    return rc;
}

// Takes a name in double quotes, and writes it to `to`, which has room for the rest of the text.
static int take_quoted(struct reader *r, char *to)
{
    r->at++;
    for (; *r->at != '"'; r->at++) {
        if (*r->at == '\\' && (r->at[1] == '"' || r->at[1] == '\\'))
            r->at++;
        if (*r->at == '\0')
            return fail(r, "a quote is not closed");
        *to++ = *r->at;
    }
    r->at++;
    *to = '\0';
    return 0;
}

// Takes a name up to the bracket that closes it, which stays.
static int take_bracketed(struct reader *r, char *to)
{
    for (size_t depth = 0; *r->at != ')' || depth > 0; r->at++) {
        if (*r->at == '\0')
            return fail(r, "a bracket is not closed");
        depth += *r->at == '(';
        depth -= *r->at == ')';
        *to++ = *r->at;
    }
    *to = '\0';
    return 0;
}

static int take_name(struct reader *r)
{
    struct tp_check *c = r->check;
    if (!take(r, "("))
        return fail(r, "a name in brackets is missing, as in task(NAME)");
    if (*r->at == ')')
        return fail(r, "the name is empty (\"\" is the name of those without one)");
    c->name = tp_alloc(strlen(r->at) + 1);
    if (c->name == NULL)
        return tp_fail(r->err, TP_E_MEMORY, "out of memory for checks");
    int rc = *r->at == '"' ? take_quoted(r, c->name) : take_bracketed(r, c->name);
    if (rc == 0 && !take(r, ")"))
        rc = fail(r, "a bracket is not closed");
    return rc;
}

static int take_dot(struct reader *r, const char *what)
{
    char why[64];
    snprintf(why, sizeof why, "%s is missing", what);
    return take(r, ".") && *r->at != '\0' ? 0 : fail(r, why);
}

static int take_state(struct reader *r)
{
    unsigned idx = 0;
    int rc = take_dot(r, "a state")
        ?: take_word(r, ".<>=" BLANKS, "state", states, TP_CHECK_STATE_COUNT, &idx);
    r->check->state = (enum tp_check_state)idx;
    return rc;
}

static int take_figure(struct reader *r)
{
    unsigned first = r->check->subject == TP_CHECK_GC ? TP_CHECK_SHARE : 0, idx = 0;
    unsigned count = r->check->subject == TP_CHECK_GC ? 1 : TP_CHECK_FIGURE_COUNT;
    int rc = take_dot(r, "a figure")
        ?: take_word(r, "<>=" BLANKS, "figure", figures + first, count, &idx);
    r->check->figure = (enum tp_check_figure_kind)(first + idx);
    return rc;
}

static int take_finding(struct reader *r)
{
    const char *keys[TP_FINDS_COUNT];
    for (unsigned i = 0; i < TP_FINDS_COUNT; i++)
        keys[i] = tp_finding_kinds[i].key;
    return take_dot(r, "a kind of findings")
        ?: take_word(r, "<>=" BLANKS, "finding", keys, TP_FINDS_COUNT, &r->check->finding);
}

static int take_what(struct reader *r)
{
    int rc = take_subject(r);
    enum tp_check_subject subject = r->check->subject;
    if (rc == 0 && subject < TP_CHECK_SUBJECT_COUNT && are_named[subject])
        rc = take_name(r);
    if (rc == 0 && subject == TP_CHECK_FUNCTION)
        rc = take_state(r);
    r->check->figure = TP_CHECK_COUNT;
    if (rc != 0 || subject == TP_CHECK_DIFFERS)
        return rc;
    return subject == TP_CHECK_FINDINGS ? take_finding(r) : take_figure(r);
}

// VALUE

static int take_operator(struct reader *r)
{
    skip_blanks(r);
    for (unsigned i = 0; i < TP_ARRAY_LEN(operators); i++) {
        if (take(r, operators[i])) {
            r->check->op = (enum tp_check_operator)i;
            return 0;
        }
    }
    return fail(r, *r->at == '=' ? "the operator of equality is '=='"
                                 : "one of <=, <, >=, > and == is missing");
}

// Takes the unit of a value of this dimension.
static int take_unit(struct reader *r, enum tp_check_dimension dimension, bool is_zero)
{
    struct tp_span word = tp_span_of(r->at, strcspn(r->at, BLANKS));
    if (tp_span_is(word, "or"))
        word.len_bytes = 0;
    for (unsigned i = 0; i < TP_ARRAY_LEN(units); i++) {
        if (units[i].dimension == dimension &&
            (tp_span_is(word, units[i].text) || (is_zero && word.len_bytes == 0))) {
            r->check->unit = &units[i];
            r->at += word.len_bytes;
            return 0;
        }
    }
    if (r->check->is_relative)
        return fail(r, "a value is not negative; only a change in per cent, such as -20%, has a sign");
    return tp_fail(r->err, TP_E_USAGE, "check '%.*s': the value must be %s", SHOWN_BYTES, r->check->text,
                   dimensions[dimension]);
}

// Adds the places after a decimal point to a value of a unit.
static int add_places(struct reader *r, struct tp_span places)
{
    struct tp_check *c = r->check;
    for (unsigned i = 0; i < places.len_bytes || i < c->unit->power; i++) {
        unsigned digit = i < places.len_bytes ? (unsigned)(places.ptr[i] - '0') : 0;
        if (i < c->unit->power)
            c->value = 10 * c->value + digit;
        else if (digit != 0)
            return fail(r, "the value has more places than the figure");
    }
    return 0;
}

static int take_value(struct reader *r)
{
    struct tp_check *c = r->check;
    uint64_t whole;
    struct tp_span places = {0};
    skip_blanks(r);
    c->is_relative = *r->at == '+' || *r->at == '-';
    c->is_decrease = *r->at == '-';
    r->at += c->is_relative;
    if (!tp_take_digits(&r->at, &whole))
        return fail(r, isdigit((unsigned char)*r->at) ? "the value is too large"
                                                      : "a value is missing after the operator");
    if (*r->at == '.' && isdigit((unsigned char)r->at[1])) {
        places = tp_span_of(r->at + 1, strspn(r->at + 1, "0123456789"));
        r->at += 1 + places.len_bytes;
    }
    skip_blanks(r);
    c->value = whole;
    int rc = take_unit(r, c->is_relative ? TP_CHECK_PART : dimension_of[c->figure],
                       whole == 0 && places.len_bytes == 0 && !c->is_relative);
    return rc == 0 ? add_places(r, places) : rc;
}

static int take_end(struct reader *r)
{
    skip_blanks(r);
    if (take(r, "or")) {
        skip_blanks(r);
        r->check->or_none = take(r, "none");
        skip_blanks(r);
        if (!r->check->or_none)
            return fail(r, "only 'or none' may follow the value");
    }
    return *r->at == '\0' ? 0 : fail(r, "only 'or none' may follow the value");
}

static int parse(struct tp_check *c, struct tp_error *err)
{
    struct reader r = {c, c->text, err};
    skip_blanks(&r);
    return take_what(&r) ?: take_operator(&r) ?: take_value(&r) ?: take_end(&r);
}

static void fini(struct tp_check *c)
{
    tp_free(c->text);
    tp_free(c->name);
}

int tp_checks_add(struct tp_checks *checks, const char *text, struct tp_error *err)
{
    if (strlen(text) > TP_CHECK_MAX_BYTES)
        return tp_fail(err, TP_E_USAGE, "check '%.*s...': longer than %d bytes", SHOWN_BYTES, text,
                       TP_CHECK_MAX_BYTES);
    struct tp_check c = {.text = tp_strdup(text)};
    int rc = c.text != NULL ? parse(&c, err) : tp_fail(err, TP_E_MEMORY, "out of memory for checks");
    if (rc == 0 && !TP_LIST_ADD(checks, c))
        rc = tp_fail(err, TP_E_MEMORY, "out of memory for checks");
    if (rc != 0)
        fini(&c);
    return rc;
}

void tp_checks_fini(struct tp_checks *checks)
{
    for (uint32_t i = 0; i < checks->count; i++)
        fini(&checks->items[i]);
    tp_free(checks->items);
    *checks = (struct tp_checks){0};
}
