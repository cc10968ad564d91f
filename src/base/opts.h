// Typed key=value options from a table, as in "text:header=no" after the colon.
// One table feeds the parser and the help; values land in a struct of the owner.
#ifndef TP_BASE_OPTS_H
#define TP_BASE_OPTS_H

#include "base/err.h"

#define TP_OPT_TEXT_MAX_BYTES 255

enum tp_opt_type {
    TP_OPT_BOOL,  // bool: yes no on off true false 1 0
    TP_OPT_INT,   // int64_t within [min, max]
    TP_OPT_BYTES, // uint64_t within [min, max]: 64M, 1GiB, 4096
    TP_OPT_ENUM,  // int: index into `choices`, "a|b|c"
    TP_OPT_TEXT,  // char[TP_OPT_TEXT_MAX_BYTES + 1]: anything without a comma
};

struct tp_opt_spec {
    const char *key; // NULL ends the table
    enum tp_opt_type type;
    size_t offset_bytes; // of the field in the owner's struct
    int64_t min, max;
    const char *choices; // TP_OPT_ENUM; TP_OPT_TEXT: what help shows as value (NULL: "TEXT")
    const char *help;
};

// Sets one option. A table of NULL has none. TP_E_USAGE names the key, the value and what is
// allowed.
int tp_opt_set(const struct tp_opt_spec *table, void *owner, const char *key, const char *value,
               struct tp_error *err) TP_MUST_USE;

// Parses "key=value,key=value" (NULL or empty: nothing to do).
int tp_opts_parse(const struct tp_opt_spec *table, void *owner, const char *text,
                  struct tp_error *err) TP_MUST_USE;

// The same for an owner without a table: `set` gets each in turn, and what it answers
// other than 0 is the answer.
typedef int (*tp_opt_set_fn)(void *ctx, const char *key, const char *value, struct tp_error *err);
int tp_opts_each(const char *text, tp_opt_set_fn set, void *ctx, struct tp_error *err) TP_MUST_USE;

// Sizes as people write them: digits and an optional K M G T (powers of 1024,
// "KiB", "KB" and lower case too). False if it is not one or does not fit.
bool tp_parse_bytes(const char *text, uint64_t *ret_bytes) TP_MUST_USE;

#endif
