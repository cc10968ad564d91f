#include "base/text/opts.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/text/nearest.h"

// No key or value of any type is longer.
#define WORD_MAX_BYTES TP_OPT_TEXT_MAX_BYTES

// The most bytes of a user's word that a message repeats.
#define SHOWN_BYTES 48

static const struct tp_opt_spec *find(const struct tp_opt_spec *table, const char *key)
{
    for (const struct tp_opt_spec *spec = table; spec->key != NULL; spec++) {
        if (strcmp(spec->key, key) == 0)
            return spec;
    }
    return NULL;
}

static bool parse_bool(const char *text, bool *ret_value)
{
    // Words for false and true in turn.
    static const char *const words[] = {"no", "yes", "off", "on", "false", "true", "0", "1"};
    for (size_t i = 0; i < TP_ARRAY_LEN(words); i++) {
        if (strcmp(text, words[i]) == 0) {
            *ret_value = i % 2 != 0;
            return true;
        }
    }
    return false;
}

bool tp_take_digits(const char **text, uint64_t *ret_value)
{
    const char *p = *text;
    uint64_t value = 0;
    for (; *p >= '0' && *p <= '9'; p++) {
        if (__builtin_mul_overflow(value, 10u, &value) ||
            __builtin_add_overflow(value, (uint64_t)(*p - '0'), &value))
            return false;
    }
    if (p == *text)
        return false;
    *text = p;
    *ret_value = value;
    return true;
}

static bool parse_int(const char *text, int64_t *ret_value)
{
    bool is_negative = *text == '-';
    text += is_negative;
    uint64_t magnitude;
    if (!tp_take_digits(&text, &magnitude) || *text != '\0')
        return false;
    if (magnitude > (uint64_t)INT64_MAX + is_negative)
        return false;
    *ret_value = is_negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    return true;
}

bool tp_parse_bytes(const char *text, uint64_t *ret_bytes)
{
    static const char units[] = "KMGT";
    uint64_t value;
    if (!tp_take_digits(&text, &value))
        return false;
    if (*text != '\0') {
        char upper = (char)(*text >= 'a' && *text <= 'z' ? *text - 'a' + 'A' : *text);
        const char *unit = strchr(units, upper);
        if (unit == NULL)
            return false;
        text++;
        if (*text != '\0' && strcasecmp(text, "B") != 0 && strcasecmp(text, "iB") != 0)
            return false;
        if (__builtin_mul_overflow(value, UINT64_C(1) << 10 * (unit - units + 1), &value))
            return false;
    }
    *ret_bytes = value;
    return true;
}

// Returns the index of the word `text` in `choices`, such as "a|b|c". -1: it is none of them.
static int parse_choice(const char *choices, const char *text)
{
    size_t text_bytes = strlen(text);
    int idx = 0;
    for (const char *at = choices;; idx++) {
        size_t word_bytes = strcspn(at, "|");
        if (word_bytes == text_bytes && memcmp(at, text, text_bytes) == 0)
            return idx;
        if (at[word_bytes] == '\0')
            return -1;
        at += word_bytes + 1;
    }
}

static int fail_value(struct tp_error *err, const struct tp_opt_spec *spec, const char *value)
{
    switch (spec->type) {
    case TP_OPT_BOOL:
        return tp_fail(err, TP_E_USAGE, "option '%s' must be yes or no, not '%.*s'", spec->key,
                       SHOWN_BYTES, value);
    case TP_OPT_INT:
        return tp_fail(err, TP_E_USAGE,
                       "option '%s' must be a number from %" PRId64 " to %" PRId64 ", not '%.*s'",
                       spec->key, spec->min, spec->max, SHOWN_BYTES, value);
    case TP_OPT_BYTES:
        return tp_fail(err, TP_E_USAGE,
                       "option '%s' must be a size from %" PRId64 " to %" PRId64
                       " bytes, not '%.*s'",
                       spec->key, spec->min, spec->max, SHOWN_BYTES, value);
    case TP_OPT_TEXT:
        return tp_fail(err, TP_E_USAGE,
                       "option '%s' must be a text of at most %d bytes, not '%.*s...'",
                       spec->key, TP_OPT_TEXT_MAX_BYTES, SHOWN_BYTES, value);
    case TP_OPT_ENUM: break;
    }
    return tp_fail(err, TP_E_USAGE, "option '%s' must be one of %s, not '%.*s'", spec->key,
                   spec->choices, SHOWN_BYTES, value);
}

// Copies a word and ends it with NUL; false if the word is longer than any option may be.
static bool copy_word(char to[static WORD_MAX_BYTES + 1], const char *from, size_t len_bytes)
{
    if (len_bytes > WORD_MAX_BYTES)
        return false;
    memcpy(to, from, len_bytes);
    to[len_bytes] = '\0';
    return true;
}

// Writes the value to `field`; false if the option does not allow it.
static bool set_field(const struct tp_opt_spec *spec, void *field, const char *value)
{
    switch (spec->type) {
    case TP_OPT_BOOL: return parse_bool(value, field);
    case TP_OPT_INT: {
        int64_t number;
        if (!parse_int(value, &number) || number < spec->min || number > spec->max)
            return false;
        *(int64_t *)field = number;
        return true;
    }
    case TP_OPT_BYTES: {
        uint64_t bytes;
        if (!tp_parse_bytes(value, &bytes) || bytes > INT64_MAX ||
            (int64_t)bytes < spec->min || (int64_t)bytes > spec->max)
            return false;
        *(uint64_t *)field = bytes;
        return true;
    }
    case TP_OPT_TEXT: return copy_word(field, value, strlen(value));
    case TP_OPT_ENUM: break;
    }
    int choice = parse_choice(spec->choices, value);
    if (choice < 0)
        return false;
    *(int *)field = choice;
    return true;
}

static int fail_key(const struct tp_opt_spec *table, struct tp_error *err, const char *key)
{
    if (table == NULL)
        return tp_fail(err, TP_E_USAGE, "takes no options, not '%.*s'", SHOWN_BYTES, key);
    struct tp_nearest nearest = {.word = tp_span_of_text(key)};
    for (const struct tp_opt_spec *spec = table; spec->key != NULL; spec++)
        tp_nearest_try(&nearest, spec->key);
    return tp_nearest_fail(&nearest, "there is no option", err);
}

int tp_opt_set(const struct tp_opt_spec *table, void *owner, const char *key, const char *value,
               struct tp_error *err)
{
    const struct tp_opt_spec *spec = table != NULL ? find(table, key) : NULL;
    if (spec == NULL)
        return fail_key(table, err, key);
    if (set_field(spec, (char *)owner + spec->offset_bytes, value))
        return 0;
    return fail_value(err, spec, value);
}

int tp_opts_each(const char *text, tp_opt_set_fn set, void *ctx, struct tp_error *err)
{
    if (text == NULL || *text == '\0')
        return 0;
    for (;;) {
        char key[WORD_MAX_BYTES + 1], value[WORD_MAX_BYTES + 1];
        size_t item_bytes = strcspn(text, ",");
        const char *equals = memchr(text, '=', item_bytes);
        if (equals == NULL)
            return tp_fail(err, TP_E_USAGE, "expected key=value, found '%.*s'",
                           (int)(item_bytes < SHOWN_BYTES ? item_bytes : SHOWN_BYTES), text);
        size_t key_bytes = (size_t)(equals - text);
        if (!copy_word(key, text, key_bytes) ||
            !copy_word(value, equals + 1, item_bytes - key_bytes - 1))
            return tp_fail(err, TP_E_USAGE, "option is too long: '%.*s...'", SHOWN_BYTES, text);
        int code = set(ctx, key, value, err);
        if (code != 0)
            return code;
        if (text[item_bytes] == '\0')
            return 0;
        text += item_bytes + 1;
    }
}

struct table_owner {
    const struct tp_opt_spec *table;
    void *owner;
};

static int set_by_table(void *ctx, const char *key, const char *value, struct tp_error *err)
{
    const struct table_owner *t = ctx;
    return tp_opt_set(t->table, t->owner, key, value, err);
}

int tp_opts_parse(const struct tp_opt_spec *table, void *owner, const char *text,
                  struct tp_error *err)
{
    struct table_owner t = {table, owner};
    return tp_opts_each(text, set_by_table, &t, err);
}
