#include "cli/checks.h"

#include <stdio.h>
#include <string.h>

#include "base/text/quote.h"

// The widest column of checks; longer ones push their figures to the right.
#define CHECK_COLUMNS_MAX 60
// Room for the longest check with every byte escaped.
#define CHECK_BYTES (4 * 4096 + 1)
#define LINE_BYTES (CHECK_BYTES + 256)

static const char *const formats[] = {[TP_CHECKS_TEXT] = "text", [TP_CHECKS_GITHUB] = "github"};

static const char *const words[] = {
    [TP_CHECK_OK] = "ok", [TP_CHECK_FAILED] = "FAILED", [TP_CHECK_NOT_SEEN] = "not seen"};

int tp_checks_format_parse(const char *text, enum tp_checks_format *ret_format, struct tp_error *err)
{
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        if (strcmp(text, formats[i]) == 0) {
            *ret_format = (enum tp_checks_format)i;
            return 0;
        }
    }
    return tp_error_set(err, TP_E_USAGE, "option 'check-format' must be text or github, not '%s'",
                        text);
}

// Returns the columns that the check takes. Writes it to `to` as it is shown.
static unsigned put_check(char to[static CHECK_BYTES], const char *check)
{
    tp_printable(to, CHECK_BYTES, check);
    return tp_rune_count(tp_span_of_text(to));
}

static void show_row(struct tp_msg *msg, const struct tp_check_result *r, unsigned columns)
{
    char check[CHECK_BYTES];
    char line[LINE_BYTES];
    unsigned used = put_check(check, r->check);

    snprintf(line, sizeof(line), "  %-8s  %s%*s  %s", words[r->verdict], check,
             used < columns ? (int)(columns - used) : 0, "", r->found);
    tp_msg_line(msg, line);
}

// Shows a failed check as a workflow command, which has one line. The percent sign begins an escape.
static void show_command(struct tp_msg *msg, const struct tp_check_result *r)
{
    char check[CHECK_BYTES];
    char words_of[LINE_BYTES];
    char line[3 * LINE_BYTES];
    char *to = stpcpy(line, "::error title=tracepipe check::");

    put_check(check, r->check);
    snprintf(words_of, sizeof(words_of), "%s: %s%s", check,
             r->verdict == TP_CHECK_NOT_SEEN ? "not seen, " : "", r->found);
    for (const char *at = words_of; *at; at++) {
        if (*at == '%')
            to = stpcpy(to, "%25");
        else
            *to++ = *at;
    }
    *to = '\0';
    tp_msg_line(msg, line);
}

void tp_checks_show(struct tp_msg *msg, const struct tp_run *run, enum tp_checks_format format)
{
    struct tp_check_result r;
    bool is_quiet = msg->least >= TP_MSG_ERROR;
    size_t count = 0, failed_count = 0;
    unsigned columns = 0;
    char check[CHECK_BYTES];

    for (; tp_run_check(run, count, &r) && r.verdict != TP_CHECK_NONE; count++) {
        unsigned used = put_check(check, r.check);
        bool is_shown = r.verdict != TP_CHECK_OK || !is_quiet;
        failed_count += r.verdict != TP_CHECK_OK;
        if (is_shown && used > columns && used <= CHECK_COLUMNS_MAX)
            columns = used;
    }
    if (count == 0 || (is_quiet && failed_count == 0))
        return;
    char head[80];
    if (failed_count > 0)
        snprintf(head, sizeof(head), "checks: %zu of %zu failed", failed_count, count);
    else
        snprintf(head, sizeof(head), "checks: %zu ok", count);
    tp_msg_line(msg, head);
    for (size_t i = 0; i < count && tp_run_check(run, i, &r); i++) {
        if (r.verdict != TP_CHECK_OK && format == TP_CHECKS_GITHUB)
            show_command(msg, &r);
        else if (r.verdict != TP_CHECK_OK || !is_quiet)
            show_row(msg, &r, columns);
    }
}
