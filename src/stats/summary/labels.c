#include "stats/summary/labels.h"

#include <string.h>

#include "base/alloc.h"
#include "base/sort/gosort.h"
#include "base/text/json.h"
#include "base/text/quote.h"

static const char hex_prefix[] = "hex:", block_prefix[] = "Block time (", block_suffix[] = ")";

static const char *const fixed_texts[TP_FIXED_LABELS] = {
    [TP_LABEL_EXEC] = "Execution time",
    [TP_LABEL_SCHED] = "Sched wait time",
    [TP_LABEL_SYSCALL] = "Syscall execution time",
    [TP_LABEL_UNKNOWN] = "Unknown time",
};

// Keys in the form in which they are sorted, before they are escaped.
struct keys {
    const struct tp_intern *names;
    uint32_t count;
    struct tp_span *keys;     // indexed by label
    unsigned char *bytes;
    size_t bytes_count;
};

static unsigned char *put(unsigned char *to, struct tp_span bytes)
{
    if (bytes.len_bytes > 0)
        memcpy(to, bytes.ptr, bytes.len_bytes);
    return to + bytes.len_bytes;
}

static unsigned char *put_hex(unsigned char *to, struct tp_span bytes)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < bytes.len_bytes; i++) {
        *to++ = (unsigned char)digits[bytes.ptr[i] >> 4];
        *to++ = (unsigned char)digits[bytes.ptr[i] & 15];
    }
    return to;
}

// Writes the key of a label; a key that is not UTF-8 is written in hexadecimal digits.
static unsigned char *put_key(unsigned char *to, const struct tp_intern *names, uint32_t label,
                              enum tp_label_form form)
{
    if (label >= names->count)
        return put(to, tp_span_of_text(fixed_texts[label - names->count]));
    struct tp_span name = tp_intern_text(names, label);
    bool is_utf8 = tp_utf8_is_valid(name);
    unsigned char *(*put_part)(unsigned char *to, struct tp_span bytes) = is_utf8 ? put : put_hex;
    if (!is_utf8)
        to = put(to, tp_span_of_text(hex_prefix));
    if (form == TP_LABEL_PLAIN)
        return put_part(to, name);
    to = put_part(to, tp_span_of_text(block_prefix));
    to = put_part(to, name);
    return put_part(to, tp_span_of_text(block_suffix));
}

static int compare_keys(const void *a, const void *b, void *ctx)
{
    const struct keys *k = ctx;
    return tp_span_compare(k->keys[*(const uint32_t *)a], k->keys[*(const uint32_t *)b]);
}

static void make_keys(struct keys *k, enum tp_label_form form)
{
    unsigned char *to = k->bytes;
    for (uint32_t i = 0; i < k->count; i++) {
        unsigned char *end = put_key(to, k->names, i, form);
        k->keys[i] = tp_span_of(to, (size_t)(end - to));
        to = end;
    }
    k->bytes_count = (size_t)(to - k->bytes);
}

static void rank(struct tp_summary_label *labels, struct keys *k, uint32_t *order)
{
    for (uint32_t i = 0; i < k->count; i++)
        order[i] = i;
    tp_gosort(order, k->count, sizeof *order, compare_keys, k);
    for (uint32_t i = 0; i < k->count; i++)
        labels[order[i]].rank = i;
}

// Two quotes and a colon.
#define AROUND_KEY_BYTES 3

static bool escape(struct tp_summary_labels *l, enum tp_label_form form, const struct keys *k)
{
    size_t most_bytes = tp_json_max_bytes(k->bytes_count) + k->count * AROUND_KEY_BYTES;
    unsigned char *to = l->bytes[form] = tp_alloc(most_bytes);
    if (to == NULL)
        return false;
    for (uint32_t i = 0; i < k->count; i++) {
        unsigned char *begin = to;
        *to++ = '"';
        to = tp_json_put_go(to, k->keys[i]);
        *to++ = '"';
        *to++ = ':';
        l->labels[form][i].offset = (uint32_t)(begin - l->bytes[form]);
        l->labels[form][i].len_bytes = (uint32_t)(to - begin);
    }
    return true;
}

// Returns an upper bound on the bytes that the keys of all names take in any one form: their size
// if every key is written in hexadecimal digits, with prefixes and suffix.
static size_t keys_max_bytes(const struct tp_intern *names, uint32_t count)
{
    size_t each_bytes = 2 * (sizeof hex_prefix + sizeof block_prefix + sizeof block_suffix);
    return 2 * names->text_bytes + count * each_bytes;
}

static bool make(struct tp_summary_labels *l, struct keys *k, uint32_t *order)
{
    if (k->keys == NULL || k->bytes == NULL || order == NULL)
        return false;
    for (enum tp_label_form form = 0; form < TP_LABEL_FORMS; form++) {
        l->labels[form] = tp_alloc_array(k->count, sizeof *l->labels[form]);
        if (l->labels[form] == NULL)
            return false;
        make_keys(k, form);
        rank(l->labels[form], k, order);
        if (!escape(l, form, k))
            return false;
    }
    return true;
}

int tp_summary_add_name(struct tp_intern *names, struct tp_span text, uint32_t *ret_name,
                        struct tp_error *err)
{
    *ret_name = tp_intern_put(names, text);
    if (*ret_name == TP_INTERN_NONE)
        return tp_fail(err, TP_E_MEMORY, "out of memory for names");
    if (names->count > TP_SUMMARY_NAMES_MAX || names->text_bytes > TP_SUMMARY_NAMES_MAX_BYTES)
        return tp_fail(err, TP_E_TOO_LARGE, "more than %u names, or %zu bytes of them",
                       TP_SUMMARY_NAMES_MAX, (size_t)TP_SUMMARY_NAMES_MAX_BYTES);
    return 0;
}

int tp_summary_labels_init(struct tp_summary_labels *l, struct tp_intern *names,
                           struct tp_error *err)
{
    *l = (struct tp_summary_labels){0};
    int rc = tp_summary_add_name(names, tp_span_of_text("syscall"), &l->name_syscall, err);
    if (rc != 0)
        return rc;
    l->name_count = names->count;
    struct keys k = {.names = names, .count = names->count + TP_FIXED_LABELS};
    k.keys = tp_alloc_array(k.count, sizeof *k.keys);
    k.bytes = tp_alloc(keys_max_bytes(names, k.count));
    uint32_t *order = tp_alloc_array(k.count, sizeof *order);
    if (!make(l, &k, order))
        rc = tp_fail(err, TP_E_MEMORY, "out of memory for names");
    tp_free(order);
    tp_free(k.bytes);
    tp_free(k.keys);
    return rc;
}

void tp_summary_labels_fini(struct tp_summary_labels *l)
{
    for (size_t form = 0; form < TP_LABEL_FORMS; form++) {
        tp_free(l->bytes[form]);
        tp_free(l->labels[form]);
    }
    *l = (struct tp_summary_labels){0};
}
