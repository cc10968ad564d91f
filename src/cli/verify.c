#include "cli/verify.h"

#include <stdio.h>
#include <unistd.h>

#include "tracepipe/record.h"

struct shown {
    bool shows_same;
    bool on_terminal; // names are made safe for it
    size_t differing_count;
};

static void show(void *ctx, char sign, const char *path)
{
    struct shown *shown = ctx;
    char printable[4 * 4096];

    shown->differing_count += sign != TP_VERIFY_SAME;
    if (sign == TP_VERIFY_SAME && !shown->shows_same)
        return;
    if (shown->on_terminal) {
        tp_printable(printable, sizeof(printable), path);
        path = printable;
    }
    printf("%c %s\n", sign, path);
}

int tp_verify(const char *record, bool shows_same, size_t *ret_differing_count, struct tp_error *err)
{
    struct shown shown = {.shows_same = shows_same, .on_terminal = isatty(STDOUT_FILENO)};
    int code = tp_record_verify(record, show, &shown, err);

    *ret_differing_count = shown.differing_count;
    return code;
}
