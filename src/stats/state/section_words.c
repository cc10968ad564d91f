// Sections of a state: the texts to which other sections refer, and the keys of kinds of findings.
#include <string.h>

#include "base/text/quote.h"
#include "stats/state/section.h"

static void visit_text(struct tp_state_visit *v, void *row)
{
    tp_visit_text(v, row);
}

static struct tp_span span_of(const void *row)
{
    const struct tp_intern_text *text = row;
    return tp_span_of(text->bytes, text->len_bytes);
}

// NAMES AND REASONS

static uint32_t put_name(struct tp_totals *s, const void *row)
{
    return tp_intern_put(&s->names, span_of(row));
}

static uint32_t put_reason(struct tp_totals *s, const void *row)
{
    return tp_intern_put(&s->reasons, span_of(row));
}

const struct tp_section tp_section_names = {.visit = visit_text,
                                            TP_STATE_ROWS(struct tp_intern_text, names),
                                            .item = "name",
                                            .intern = put_name};
const struct tp_section tp_section_reasons = {.visit = visit_text,
                                              TP_STATE_ROWS(struct tp_intern_text, reasons),
                                              .item = "reason of blocking",
                                              .intern = put_reason,
                                              .most = TP_TOTALS_REASONS_MAX};

// KINDS OF FINDINGS

static void load_kind(const struct tp_totals *s, uint64_t ref, void *row)
{
    const char *key = tp_finding_kinds[ref].key;
    (void)s;
    *(struct tp_intern_text *)row = (struct tp_intern_text){
        .bytes = (const unsigned char *)key, .len_bytes = (uint32_t)strlen(key)};
}

// Returns TP_FINDS_NONE if no kind has this key.
static uint32_t find_kind(struct tp_span key)
{
    uint32_t kind = 0;
    while (kind < TP_FINDS_COUNT &&
           tp_span_compare(key, tp_span_of_text(tp_finding_kinds[kind].key)) != 0)
        kind++;
    return kind;
}

static void add_kind(struct tp_state_reader *r, const void *row)
{
    enum { SHOWN_BYTES = 32 };
    struct tp_span key = span_of(row);
    unsigned char quoted[4 * SHOWN_BYTES + 3];
    uint32_t count = r->row_counts[TP_SECTION_kinds], kind = find_kind(key);
    if (kind == TP_FINDS_NONE) {
        key.len_bytes = key.len_bytes < SHOWN_BYTES ? key.len_bytes : SHOWN_BYTES;
        *tp_quote(quoted, key) = '\0';
        tp_state_refuse(r, "unknown kind of finding %s", (const char *)quoted);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (r->kind_of[i] == kind)
            tp_state_refuse(r, "duplicate kind of finding");
    }
    if (r->code == 0)
        r->kind_of[count] = kind;
}

const struct tp_section tp_section_kinds = {.visit = visit_text,
                                            .row_bytes = sizeof(struct tp_intern_text),
                                            .item = "kind of finding",
                                            .row_count = TP_FINDS_COUNT,
                                            .load = load_kind,
                                            .add = add_kind};
