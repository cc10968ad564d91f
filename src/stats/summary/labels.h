// Keys of the JSON objects of times. Each name (a reason of waiting or a range) has two keys:
// the name itself and "Block time (name)". A key has a rank: its place in the order in which Go's
// encoding/json prints keys. The keys are created once, when all names are known.
#ifndef TP_STATS_SUMMARY_LABELS_H
#define TP_STATS_SUMMARY_LABELS_H

#include "base/err.h"
#include "base/intern.h"

// Fixed labels, which are numbered after the names: the keys of times that are not waits.
enum tp_fixed_label {
    TP_LABEL_EXEC,
    TP_LABEL_SCHED,
    TP_LABEL_SYSCALL,
    TP_LABEL_UNKNOWN,
    TP_FIXED_LABELS
};

// Forms of a key: the name as it is, or "Block time (name)".
enum tp_label_form { TP_LABEL_PLAIN, TP_LABEL_BLOCK, TP_LABEL_FORMS };

// The key of one name in one form.
struct tp_summary_label {
    uint32_t rank;
    uint32_t offset;       // of the key's text in `bytes`
    uint32_t len_bytes;
};

// All keys. Owns its memory. Constant after tp_summary_labels_init; any thread may read them.
struct tp_summary_labels {
    struct tp_summary_label *labels[TP_LABEL_FORMS]; // by form; indexed by name or fixed label
    uint32_t name_count;
    uint32_t name_syscall; // the reason under which time in blocked syscalls is printed
    unsigned char *bytes[TP_LABEL_FORMS]; // by form: the texts of all keys
};

// Sets *ret_name to the number of a name; copies the name to `names` if it is new. Fails with
// TP_E_MEMORY, and with TP_E_TOO_LARGE if there are more than TP_SUMMARY_NAMES_MAX names, or more
// than TP_SUMMARY_NAMES_MAX_BYTES of text; *ret_name is then meaningless.
#define TP_SUMMARY_NAMES_MAX (1u << 18)
#define TP_SUMMARY_NAMES_MAX_BYTES TP_MIB(16)
int tp_summary_add_name(struct tp_intern *names, struct tp_span text, uint32_t *ret_name,
                        struct tp_error *err) TP_MUST_USE;

// Builds the keys of all names; the labels keep no reference to `names`. Adds "syscall" to `names`
// if it is missing. Fails as tp_summary_add_name; the caller must call fini even after a failure.
int tp_summary_labels_init(struct tp_summary_labels *l, struct tp_intern *names,
                           struct tp_error *err) TP_MUST_USE;
// Frees the keys; zeroed or half-built labels are fine.
void tp_summary_labels_fini(struct tp_summary_labels *l);

// Returns the number of a fixed label, which the functions below take in place of a name.
TP_INLINE uint32_t tp_label_fixed(const struct tp_summary_labels *l, enum tp_fixed_label which)
{
    return l->name_count + which;
}

// Returns the key as JSON, with quotes and colon. Borrowed until fini.
TP_INLINE struct tp_span tp_label_key(const struct tp_summary_labels *l, enum tp_label_form form,
                                      uint64_t name)
{
    const struct tp_summary_label *label = &l->labels[form][name];
    return tp_span_of(l->bytes[form] + label->offset, label->len_bytes);
}

// Returns the place of the key among all keys, in the order of output.
TP_INLINE uint32_t tp_label_rank(const struct tp_summary_labels *l, enum tp_label_form form,
                                 uint64_t name)
{
    return l->labels[form][name].rank;
}

#endif
