#include "decode/raw_text.h"

#include <assert.h>
#include <pthread.h>

#include "base/text/decimal.h"
#include "base/text/quote.h"
#include "base/text/text_block.h"
#include "decode/event_v1.h"

#define FRAME_ARGS_MAX 4

// The texts before each number of an event, in one version.
struct words {
    struct tp_text_block before_arg[TP_V1_CODES][TP_V1_MAX_ARGS]; // "Name a=" or " b="
    struct tp_text_block bare_name[TP_V1_CODES];
};

static struct words words[TP_V1_VERSIONS];
static struct tp_text_block before_pad, before_frame_arg[FRAME_ARGS_MAX], before_data;
static pthread_once_t words_once = PTHREAD_ONCE_INIT;

static void make_form(struct words *w, unsigned code, const struct tp_v1_form *form)
{
    if (form->name == NULL)
        return;
    tp_text_block_append(&w->bare_name[code], form->name);
    for (unsigned i = 0; i < form->arg_count; i++)
        tp_text_block_append_arg(&w->before_arg[code][i], form->name, i, form->args[i]);
}

static void make_words(void)
{
    static const char *const frame_args[FRAME_ARGS_MAX] = {"\n\tpc=", " func=", " file=", " line="};
    tp_small_decimals_make();
    for (unsigned v = 0; v < TP_V1_VERSIONS; v++) {
        const struct tp_v1_table *table = tp_v1_table(tp_versions[v].minor);
        for (unsigned code = 0; code < TP_V1_CODES; code++)
            make_form(&words[v], code, &table->forms[code]);
    }
    for (unsigned k = 0; k < FRAME_ARGS_MAX; k++)
        tp_text_block_append(&before_frame_arg[k], frame_args[k]);
    tp_text_block_append(&before_pad, " pad=");
    tp_text_block_append(&before_data, "\n\tdata=");
}

static const struct words *words_of(uint32_t minor)
{
    pthread_once(&words_once, make_words);
    return &words[tp_version_of(minor)];
}

static unsigned char *put_frames(unsigned char *to, const struct tp_wire_event *ev,
                                 unsigned frame_args)
{
    const unsigned char *p = ev->tail.ptr, *end = p + ev->tail.len_bytes;
    assert(frame_args <= FRAME_ARGS_MAX);
    to = tp_put_decimal_tabled(tp_text_block_put(to, &before_pad), ev->pad_bytes);
    while (p < end) {
        for (unsigned k = 0; k < frame_args; k++) {
            uint64_t value = 0;
            (void)tp_v1_number(&p, end, &value); // cannot fail: tp_v1_event_read has read it
            to = tp_put_decimal_tabled(tp_text_block_put(to, &before_frame_arg[k]), value);
        }
    }
    return to;
}

static unsigned char *put_event(unsigned char *to, const struct words *w,
                                const struct tp_v1_table *table, const struct tp_wire_event *ev)
{
    if (ev->arg_count == 0)
        to = tp_text_block_put(to, &w->bare_name[ev->type]);
    const struct tp_text_block *before = w->before_arg[ev->type];
    for (unsigned i = 0; i < ev->arg_count; i++)
        to = tp_put_decimal_tabled(tp_text_block_put(to, before++), ev->args[i]);
    switch (table->forms[ev->type].kind) {
    case TP_V1_KIND_STACK: to = put_frames(to, ev, table->frame_args); break;
    case TP_V1_KIND_STRING:
    case TP_V1_KIND_LOG: to = tp_quote(tp_text_block_put(to, &before_data), ev->tail); break;
    default: break;
    }
    *to++ = '\n';
    return to;
}

void tp_raw_text_v1_begin(struct tp_raw_text *t, uint32_t minor, enum tp_dialect dialect)
{
    (void)dialect;
    t->minor = minor;
}

unsigned char *tp_raw_text_v1_put(struct tp_raw_text *t, const unsigned char **p,
                                  const unsigned char *end, unsigned char *to)
{
    const struct tp_v1_table *table = tp_v1_table(t->minor);
    const struct words *w = words_of(t->minor);
    struct tp_wire_event ev;
    while (*p < end && tp_v1_event_read(p, end, table, &ev) == TP_V1_OK)
        to = put_event(to, w, table, &ev);
    return to;
}
