#include "sink/text/legacy_event_text.h"

#include "base/text/decimal.h"
#include "base/text/quote.h"

#define FIRST_WITH_MANY_STW_KINDS 21
#define STW_ALL_STACKS (TP_V1_WORD_STW_ALL_STACKS - TP_V1_WORD_STW_UNKNOWN)

// Names of events that differ before Go 1.5; all other names are those of Go 1.21.
static const char *const names_before_1_5[TP_V1_CODES] = {
    [TP_V1_STWStart] = "GCScanStart",
    [TP_V1_STWDone] = "GCScanDone",
    [TP_V1_HeapGoal] = "NextGC",
};
static const char *const names_before_1_21[TP_V1_CODES] = {
    [TP_V1_STWStart] = "GCSTWStart",
    [TP_V1_STWDone] = "GCSTWDone",
};

struct line {
    unsigned char *to;
    uint32_t minor;
    const struct tp_tables *tables;
};

static void put_text(struct line *l, const char *text)
{
    l->to = mempcpy(l->to, text, strlen(text));
}

static void put_number(struct line *l, uint64_t value, char end)
{
    l->to = tp_put_decimal(l->to, value);
    *l->to++ = (unsigned char)end;
}

static void put_signed(struct line *l, int64_t value, char end)
{
    l->to = tp_put_signed_wide(l->to, value);
    *l->to++ = (unsigned char)end;
}

static const char *name_of(uint32_t minor, uint8_t type)
{
    const char *older = NULL;
    if (minor == 0)
        older = names_before_1_5[type];
    else if (minor < FIRST_WITH_MANY_STW_KINDS)
        older = names_before_1_21[type];
    return older != NULL ? older : tp_v1_type_names[type];
}

// Puts the reason for a stop of the world.
static void put_stw(struct line *l, uint64_t kind)
{
    static const char *const words[TP_V1_WORD_COUNT] = {
#define TP_X(name, text) text,
        TP_V1_WORDS(TP_X)
#undef TP_X
    };
    const char *text;
    if (l->minor < FIRST_WITH_MANY_STW_KINDS)
        text = kind == 0 ? "mark termination" : "sweep termination";
    else if (kind == 0 || kind >= TP_V1_STW_KINDS)
        text = "unknown";
    else if (kind == STW_ALL_STACKS) // later parsers have another text
        text = "all goroutines stack trace";
    else
        text = words[TP_V1_WORD_STW_UNKNOWN + kind];
    l->to = tp_quote(l->to, tp_span_of_text(text));
}

static void put_strings(struct line *l, const struct tp_legacy_event *e)
{
    unsigned count = tp_legacy_event_strings(e->type);
    // Before Go 1.5 the event is the start of a scan, which has no reason.
    if (e->type == TP_V1_STWStart && l->minor != 0)
        put_stw(l, tp_v1_arg(e, STWStart, kindid));
    else if (count == 0)
        *l->to++ = '-';
    for (unsigned i = 0; i < count; i++) {
        if (i > 0)
            *l->to++ = ',';
        l->to = tp_quote(l->to, l->tables->strings.items[e->strings[i]]);
    }
    *l->to++ = '\t';
}

static void put_event(struct line *l, const struct tp_legacy_event *e)
{
    put_number(l, e->offset, '\t');
    put_signed(l, e->time_ns, '\t');
    put_text(l, name_of(l->minor, e->type));
    *l->to++ = '\t';
    put_signed(l, e->p, '\t');
    put_number(l, e->g, '\t');
    put_number(l, e->stack, '\t');
    for (size_t i = 0; i < TP_ARRAY_LEN(e->args); i++)
        put_number(l, e->args[i], i + 1 < TP_ARRAY_LEN(e->args) ? ',' : '\t');
    put_strings(l, e);
    if (!e->has_link) {
        put_text(l, "-\t-\n");
        return;
    }
    put_number(l, e->link_offset, '\t');
    put_signed(l, e->link_ns, '\n');
}

size_t tp_legacy_event_text_fill(uint32_t minor, const struct tp_tables *tables,
                                 const struct tp_legacy_event *events, size_t count,
                                 struct tp_buf *buf)
{
    struct line l = {.to = buf->ptr + buf->len_bytes, .minor = minor, .tables = tables};
    size_t done = 0;
    while (done < count && tp_buf_room(buf) >= TP_LEGACY_EVENT_TEXT_MAX_BYTES) {
        put_event(&l, &events[done++]);
        buf->len_bytes = (size_t)(l.to - buf->ptr);
    }
    return done;
}
