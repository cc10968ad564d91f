#include <string.h>

#include "base/text/quote.h"
#include "sink/check/check.h"
#include "sink/print/emit.h"

// Appends a text inside an attribute. XML allows no control characters and only UTF-8.
static void put_escaped(struct tp_emit *e, const char *text)
{
    static const char *const entities[256] = {
        ['<'] = "&lt;", ['>'] = "&gt;", ['&'] = "&amp;", ['"'] = "&quot;"};
    struct tp_span rest = tp_span_of_text(text);
    while (rest.len_bytes > 0) {
        unsigned char shown[TP_ESCAPE_BYTES];
        size_t len_bytes;
        size_t shown_bytes = (size_t)(tp_put_shown(shown, rest, &len_bytes) - shown);
        if (entities[rest.ptr[0]] != NULL)
            tp_emit_text(e, entities[rest.ptr[0]]);
        else
            tp_emit_span(e, tp_span_of(shown, shown_bytes));
        rest = tp_span_skip(rest, len_bytes);
    }
}

static void put_case(struct tp_emit *e, const struct tp_check *c)
{
    static const char *const types[] = {[TP_CHECK_FAILED] = "threshold",
                                        [TP_CHECK_NOT_SEEN] = "not seen"};
    tp_emit_text(e, "    <testcase classname=\"tracepipe\" name=\"");
    put_escaped(e, c->text);
    tp_emit_text(e, "\">");
    if (c->verdict == TP_CHECK_OK) {
        tp_emit_text(e, "<system-out>");
        put_escaped(e, c->found);
        tp_emit_text(e, "</system-out>");
    } else {
        tp_emit_printf(e, "<failure type=\"%s\" message=\"", types[c->verdict]);
        put_escaped(e, c->found);
        tp_emit_text(e, "\"/>");
    }
    tp_emit_text(e, "</testcase>\n");
}

void tp_checks_print_junit(struct tp_emit *e, const struct tp_checks *checks)
{
    unsigned failed_count = 0;
    for (uint32_t i = 0; i < checks->count; i++)
        failed_count += checks->items[i].verdict != TP_CHECK_OK;
    tp_emit_text(e, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    tp_emit_printf(e, "  <testsuite name=\"tracepipe\" tests=\"%u\" failures=\"%u\" errors=\"0\">\n",
                   checks->count, failed_count);
    for (uint32_t i = 0; i < checks->count; i++)
        put_case(e, &checks->items[i]);
    tp_emit_text(e, "  </testsuite>\n</testsuites>\n");
}
