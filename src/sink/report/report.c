// The sink `report`: one HTML file of all inputs. It gathers what `stats:level=full` does, and writes the page
// (page.h) around the JSON, which the page's scripts show; without scripts the text form and the flame graph
// are there to be seen.
#include "sink/proto/base64.h"
#include "sink/proto/deflate.h"
#include "sink/report/page.h"
#include "sink/stats/forms.h"
#include "sink/stats/level.h"

static const struct tp_opt_spec options[] = {
    TP_OPTION_INT(struct tp_stats_config, keep, 1, 1000000,
                  "goroutines, slowest tasks and slowest regions that are listed individually (default 100)"),
    TP_OPTION_BOOL(struct tp_stats_config, detail, TP_STATS_DETAIL_HELP),
    TP_OPTION_ENUM(struct tp_stats_config, clocks, "consistent|all",
                   "all includes traces with an inconsistent clock (default consistent)"),
    {.key = NULL},
};

static const struct tp_stats_config defaults = {
    .level = TP_STATS_LEVEL_FULL, .format = TP_STATS_FORMAT_JSON, .histograms = true, .sort = -1, .keep = 100, .top = -1};

// FORMS

// Replaces bytes that would end the element of the page in which the form stands.
struct escaping {
    struct tp_out out;
    struct tp_out *to;
    const char *const *escapes; // by byte; NULL: the byte is written as it is
};

static int put_escaped(struct tp_out *out, struct tp_span bytes, struct tp_error *err)
{
    struct escaping *e = (struct escaping *)out;
    size_t begin = 0;
    for (size_t i = 0; i <= bytes.len_bytes; i++) {
        const char *escape = i < bytes.len_bytes ? e->escapes[bytes.ptr[i]] : "";
        if (escape == NULL)
            continue;
        int rc = tp_out_put(e->to, tp_span_of(bytes.ptr + begin, i - begin), err);
        if (rc == 0)
            rc = tp_out_put(e->to, tp_span_of_text(escape), err);
        if (rc != 0)
            return rc;
        begin = i + 1;
    }
    return 0;
}

static const char *const escapes_of_text[256] = {['<'] = "&lt;", ['>'] = "&gt;", ['&'] = "&amp;"};
static const char *const escapes_of_svg[256] = {0};

// JSON is compressed, because the frames of its stacks are most of a page.
struct packing {
    struct tp_out out;
    struct tp_base64 text;
    struct tp_gzip *gzip;
};

static int put_packed(struct tp_out *out, struct tp_span bytes, struct tp_error *err)
{
    (void)err; // tp_gzip_end tells a failure
    tp_gzip_put(((struct packing *)out)->gzip, bytes.ptr, bytes.len_bytes);
    return 0;
}

// The forms of the report, each with what stands before and after it. X(format, printer, escapes, before, after)
//   escapes NULL: the form is compressed
#define FORMS(X)                                                                                       \
    X(JSON, tp_full_print_json, NULL,                                                                  \
      "<script type=\"application/gzip\" id=\"tracepipe\">\n", "</script>\n")                          \
    X(TEXT, tp_full_print_text, escapes_of_text,                                                       \
      "<details id=\"text-report\" open>\n<summary>Text report</summary>\n<pre>\n", "</pre>\n</details>\n")           \
    X(FLAMEGRAPH, tp_full_print_flamegraph, escapes_of_svg, "<noscript>\n", "</noscript>\n")
static const struct form {
    enum tp_stats_format format;
    void (*print)(struct tp_emit *, const struct tp_full_report *);
    const char *const *escapes;
    const char *before, *after;
} forms[] = {
#define TP_X(format, print, escapes, before, after) \
    {TP_STATS_FORMAT_##format, print, escapes, before, after},
    FORMS(TP_X)
#undef TP_X
};

static int print_form(const struct tp_sink_call *call, const struct form *form, struct tp_out *out,
                      struct tp_error *err)
{
    struct tp_stats_config config = *(const struct tp_stats_config *)call->config;
    struct tp_full_report report;
    struct tp_emit e;
    config.format = (int)form->format;
    int rc = tp_stats_full_report(call, &config, &report, err);
    if (rc != 0)
        return rc;
    report.screen = (struct tp_screen){.columns = TP_SCREEN_COLUMNS};
    tp_emit_init(&e, out, err);
    form->print(&e, &report);
    tp_full_report_fini(&report);
    return tp_emit_end(&e);
}

static int print_packed(const struct tp_sink_call *call, const struct form *form, struct tp_error *err)
{
    struct packing packing = {.out = {put_packed}};
    struct tp_error later;
    tp_base64_init(&packing.text, call->out);
    packing.gzip = tp_gzip_begin(&packing.text.out, TP_GZIP_FAST);
    if (packing.gzip == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for a report");
    int rc = print_form(call, form, &packing.out, err);
    int end_rc = tp_gzip_end(packing.gzip, rc == 0 ? err : &later);
    rc = rc == 0 ? end_rc : rc;
    return rc == 0 ? tp_base64_end(&packing.text, err) : rc;
}

static int put_form(const struct tp_sink_call *call, const struct form *form, struct tp_error *err)
{
    struct escaping escaping = {{put_escaped}, call->out, form->escapes};
    int rc = tp_out_put(call->out, tp_span_of_text(form->before), err);
    if (rc == 0)
        rc = form->escapes == NULL ? print_packed(call, form, err)
                                   : print_form(call, form, &escaping.out, err);
    return rc == 0 ? tp_out_put(call->out, tp_span_of_text(form->after), err) : rc;
}

// THE SINK

static int end(const struct tp_sink_call *call, const struct tp_run_figures *figures,
               struct tp_error *err)
{
    (void)figures;
    int rc = tp_out_put(call->out,
                        tp_span_of(tp_report_head, (size_t)(tp_report_head_end - tp_report_head)), err);
    for (size_t i = 0; i < TP_ARRAY_LEN(forms) && rc == 0; i++)
        rc = put_form(call, &forms[i], err);
    return rc == 0 ? tp_out_put(call->out,
                                tp_span_of(tp_report_tail,
                                           (size_t)(tp_report_tail_end - tp_report_tail)),
                                err)
                   : rc;
}

static void make_plan(const void *config, struct tp_sink_plan *plan)
{
    tp_stats_full_make_plan(config, plan);
    plan->suffix = ".html";
    plan->is_binary = true;
    plan->run.end = end;
}

const struct tp_sink_def tp_sink_report = {
    .name = "report",
    .summary = "one HTML page of all inputs, with findings, charts and flame graphs",
    .options = options,
    .config_bytes = sizeof(struct tp_stats_config),
    .defaults = &defaults,
    .plan = make_plan,
    .has_equal_state = tp_stats_full_has_equal_state,
};
