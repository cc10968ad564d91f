// Typed key=value options, such as "header=no" in "text:header=no". One table describes the
// options to the parser and to the help; the parser writes values to the owner's struct. No
// function keeps a pointer or allocates memory. Any thread.
#ifndef TP_BASE_TEXT_OPTS_H
#define TP_BASE_TEXT_OPTS_H

#include <stddef.h>

#include "base/err.h"

// The longest text of an option, without the NUL.
#define TP_OPT_TEXT_MAX_BYTES 255

// Types of options: the type of the owner's field, and the values that users may write.
enum tp_opt_type {
    TP_OPT_BOOL,  // bool: yes no on off true false 1 0
    TP_OPT_INT,   // int64_t within [min, max]
    TP_OPT_BYTES, // uint64_t within [min, max]: 64M, 1GiB, 4096
    TP_OPT_ENUM,  // int: index into `choices`, "a|b|c"
    TP_OPT_TEXT,  // char[TP_OPT_TEXT_MAX_BYTES + 1]: anything without a comma
};

// One option of a table.
struct tp_opt_spec {
    const char *key; // NULL ends the table
    enum tp_opt_type type;
    size_t offset_bytes; // of the field in the owner's struct
    int64_t min, max;
    const char *choices; // TP_OPT_ENUM; TP_OPT_TEXT: the value in the help (NULL: "TEXT")
    const char *help;
};

// Rows of a table for the members of `config`, a struct; the key is the member's name.
#define TP_OPTION(config, member, kind, ...)                                            \
    {.key = #member, .type = (kind), .offset_bytes = offsetof(config, member), __VA_ARGS__}
#define TP_OPTION_BOOL(config, member, text)                                            \
    TP_OPTION(config, member, TP_OPT_BOOL, .help = (text))
#define TP_OPTION_INT(config, member, least, most, text)                                \
    TP_OPTION(config, member, TP_OPT_INT, .min = (least), .max = (most), .help = (text))
#define TP_OPTION_ENUM(config, member, words, text)                                     \
    TP_OPTION(config, member, TP_OPT_ENUM, .choices = (words), .help = (text))
#define TP_OPTION_TEXT(config, member, value, text)                                     \
    TP_OPTION(config, member, TP_OPT_TEXT, .choices = (value), .help = (text))

// Sets one option. A table that is NULL has no options. Fails with TP_E_USAGE, whose text names
// the key, the value and the allowed values; the option is then unchanged.
int tp_opt_set(const struct tp_opt_spec *table, void *owner, const char *key, const char *value,
               struct tp_error *err) TP_MUST_USE;

// Parses "key=value,key=value" and sets each option; NULL and "" set none. Fails as tp_opt_set
// does, and if `text` is no list of options; the options before the faulty one are then set.
int tp_opts_parse(const struct tp_opt_spec *table, void *owner, const char *text,
                  struct tp_error *err) TP_MUST_USE;

// Receives one option from tp_opts_each. The texts are valid during the call. A result other than
// 0 ends the parsing.
typedef int (*tp_opt_set_fn)(void *ctx, const char *key, const char *value, struct tp_error *err);
// Parses `text` as tp_opts_parse does, for an owner without a table: calls `set` for each option
// in turn. Returns the first result of `set` other than 0, if any. Fails with TP_E_USAGE if `text`
// is no list of options.
int tp_opts_each(const char *text, tp_opt_set_fn set, void *ctx, struct tp_error *err) TP_MUST_USE;

// Takes decimal digits from the front of *text and moves *text to the first byte after them. False:
// there are none, or the value exceeds 64 bits; *text is then unchanged.
bool tp_take_digits(const char **text, uint64_t *ret_value) TP_MUST_USE;
// Parses a size: digits and an optional K, M, G or T (powers of 1024; "KiB", "KB" and lower
// case, too). False if `text` is no size or does not fit into 64 bits.
bool tp_parse_bytes(const char *text, uint64_t *ret_bytes) TP_MUST_USE;

#endif
