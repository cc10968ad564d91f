#include "legacy_script_v1.h"

#include <stdio.h>
#include <stdlib.h>

#include "sink/text/legacy_event_text.h"

#define LINES_BYTES TP_MIB(1)

// Converts in other ways, too; ends the program if a result differs.
static void compare_ways(const struct order_v1_result *want)
{
    struct order_v1_way ways[] = {script_v1_way, script_v1_way, script_v1_way};
    ways[0].fill_capacity = 1;
    ways[1].fill_capacity = 3;
    ways[1].piece_bytes = 7;
    ways[2].is_spilled = true;
    for (size_t i = 0; i < TP_ARRAY_LEN(ways); i++) {
        struct order_v1_result got =
            order_v1_legacy_events(script_v1.minor, script_v1_bytes(), &ways[i]);
        const char *difference = order_v1_difference(&got, want);
        if (difference != NULL) {
            fprintf(stderr, "way %zu: %s\n", i, difference);
            abort();
        }
        order_v1_result_fini(&got);
    }
}

const char *script_v1_legacy_events(void)
{
    static char text[LINES_BYTES + TP_ERROR_TEXT_BYTES + 4];
    struct tp_buf buf;
    struct order_v1_result r =
        order_v1_legacy_events(script_v1.minor, script_v1_bytes(), &script_v1_way);
    compare_ways(&r);
    if (!tp_buf_init(&buf, LINES_BYTES) ||
        tp_legacy_event_text_fill(script_v1.minor, r.tables, r.legacy_events, r.count, &buf) !=
            r.count)
        abort();
    snprintf(text, sizeof text, "%.*s%s%s%s", (int)buf.len_bytes, (const char *)buf.ptr,
             r.err.code != 0 ? "! " : "", r.err.code != 0 ? r.err.text : "",
             r.err.code != 0 ? "\n" : "");
    tp_buf_fini(&buf);
    order_v1_result_fini(&r);
    return text;
}

const char *script_v1_legacy_events_strictly(void)
{
    script_v1_way.is_strict = true;
    return script_v1_legacy_events();
}
