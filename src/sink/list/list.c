// The sink `list`: what the scan finds in each input, without order, and where its batches are.
#include <stddef.h>

#include "sink/list/print.h"

// Numbered as in `choices`.
enum format { FORMAT_TEXT, FORMAT_JSON };

struct config {
    int format; // enum format
    bool batches;
};

static const struct tp_opt_spec options[] = {
    TP_OPTION_ENUM(struct config, format, "text|json", "output format (default text)"),
    TP_OPTION_BOOL(struct config, batches,
                   "list each generation and batch (default no; --list -v: yes)"),
    {.key = NULL},
};

static const struct tp_list_printer *printer(const struct tp_sink_call *call)
{
    const struct config *c = call->config;
    return c->format == FORMAT_JSON ? &tp_list_print_json : &tp_list_print_text;
}

static void begin_print(struct tp_emit *e, const struct tp_sink_call *call, struct tp_error *err)
{
    const struct tp_list_total *total = call->run_state;
    tp_emit_init(e, call->out, err);
    // Scripts get all columns; tables are laid out for people only.
    e->columns = call->screen.rows > 0 ? call->screen.columns : 0;
    e->has_items = total->file_count + total->refused_count > 0;
}

static void add_up(struct tp_list_total *total, const struct tp_listing_summary *a)
{
    total->file_count++;
    total->complete_count += tp_list_is_complete(a);
#define TP_X(field, key) total->all.field += a->field;
    TP_LIST_SUMS(TP_X)
#undef TP_X
}

static int finish(const struct tp_sink_call *call, const struct tp_input_info *input,
                  const struct tp_input_report *report, struct tp_error *err)
{
    struct tp_list_total *total = call->run_state;
    struct tp_list_file file = {.path = input->path,
                                .has_batches = total->has_batches,
                                .zone = call->zone,
                                .state = call->input_state};
    int rc = tp_list_state_end(call->input_state, err);
    if (rc != 0)
        return rc;
    tp_list_state_summary(call->input_state, input, report, &file.all);
    struct tp_emit e;
    begin_print(&e, call, err);
    printer(call)->file(&e, &file);
    add_up(total, &file.all);
    rc = tp_emit_end(&e);
    // Without times everything else is printed all the same; then say why they are missing.
    return rc == 0 ? tp_list_state_check_times(call->input_state, err) : rc;
}

static int refuse(const struct tp_sink_call *call, const struct tp_input_info *input,
                  const struct tp_error *why, struct tp_error *err)
{
    struct tp_list_total *total = call->run_state;
    struct tp_emit e;
    begin_print(&e, call, err);
    printer(call)->refused(&e, total, input->path, why);
    total->refused_count++;
    return tp_emit_end(&e);
}

static int run_begin(const struct tp_sink_call *call, struct tp_error *err)
{
    struct tp_list_total *total = call->run_state;
    struct tp_emit e;
    total->has_batches = ((const struct config *)call->config)->batches;
    begin_print(&e, call, err);
    printer(call)->begin(&e, total);
    return tp_emit_end(&e);
}

static int run_end(const struct tp_sink_call *call, const struct tp_run_figures *figures,
                   struct tp_error *err)
{
    (void)figures;
    struct tp_emit e;
    begin_print(&e, call, err);
    printer(call)->end(&e, call->run_state);
    return tp_emit_end(&e);
}

static void make_plan(const void *config, struct tp_sink_plan *plan)
{
    (void)config;
    *plan = (struct tp_sink_plan){
        TP_LIST_PLAN,
        .suffix = ".list",
        .output = TP_OUTPUT_FOR_ALL,
        .run_state_bytes = sizeof(struct tp_list_total),
        .input = {TP_LIST_INPUT_HOOKS, .finish = finish, .refuse = refuse},
        .run = {.begin = run_begin, .end = run_end},
    };
}

const struct tp_sink_def tp_sink_list = {
    .name = "list",
    .summary = "contents and batch layout of each trace (no event ordering)",
    .options = options,
    .config_bytes = sizeof(struct config),
    .plan = make_plan,
};
