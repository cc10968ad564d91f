// The parser of checks: what it accepts is within its tables, evaluates without a trace, and is told in
// JUnit XML without bytes that XML does not have; what it refuses adds nothing.
#include <string.h>

#include "fuzz.h"
#include "sink/check/check.h"
#include "sink/print/emit.h"
#include "stats/totals.h"

static int look_at(struct tp_out *out, struct tp_span bytes, struct tp_error *err)
{
    (void)out;
    (void)err;
    for (size_t i = 0; i < bytes.len_bytes; i++)
        CHECK(bytes.ptr[i] >= ' ' || bytes.ptr[i] == '\n');
    return 0;
}

static void evaluate(struct tp_checks *checks)
{
    struct tp_totals none = {0};
    struct tp_out out = {look_at};
    struct tp_error err;
    struct tp_emit e;
    size_t failed_count;
    CHECK(tp_checks_evaluate(checks, &none, &none, &failed_count, &err) == 0);
    const struct tp_check *c = &checks->items[0];
    CHECK(c->verdict == (c->or_none ? TP_CHECK_OK : TP_CHECK_NOT_SEEN));
    CHECK(failed_count == !c->or_none && c->found[0] != '\0');
    tp_emit_init(&e, &out, &err);
    tp_checks_print_junit(&e, checks);
    CHECK(tp_emit_end(&e) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes)
{
    // A block of its own lets the sanitizer see a byte too many.
    char *text = malloc(len_bytes + 1);
    struct tp_checks checks = {0};
    struct tp_error err = {0};
    CHECK(text != NULL);
    if (len_bytes > 0)
        memcpy(text, data, len_bytes);
    text[len_bytes] = '\0';
    if (tp_checks_add(&checks, text, &err) != 0) {
        CHECK(err.code == TP_E_USAGE && err.text[0] != '\0' && checks.count == 0);
    } else {
        const struct tp_check *c = &checks.items[0];
        CHECK(checks.count == 1 && strcmp(c->text, text) == 0);
        CHECK(c->op < TP_CHECK_OPERATOR_COUNT && c->figure < TP_CHECK_FIGURE_COUNT);
        CHECK(c->subject <= TP_CHECK_ALL_GOROUTINES && c->state < TP_CHECK_STATE_COUNT);
        CHECK(c->name == NULL || strlen(c->name) < len_bytes);
        evaluate(&checks);
    }
    tp_checks_fini(&checks);
    free(text);
    return 0;
}
