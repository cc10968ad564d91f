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

static int finish(const struct tp_sink_call *call, const struct tp_input_info *input,
                  const struct tp_input_report *report, struct tp_error *err)
{
    int rc = tp_inventory_input_end(call->input_state, report, err);
    if (rc == 0)
        rc = tp_inventory_print(call, input, report, call->input_state, err);
    // Without times everything else is printed all the same; then say why they are missing.
    return rc == 0 ? tp_inventory_check_times(call->input_state, err) : rc;
}

static int run_begin(const struct tp_sink_call *call, struct tp_error *err)
{
    const struct config *c = call->config;
    struct tp_inventory_run *run = call->run_state;
    run->printer = c->format == FORMAT_JSON ? &tp_list_print_json : &tp_list_print_text;
    run->lists_batches = c->batches;
    // Scripts get all columns; tables are laid out for people only.
    run->columns = call->screen.rows > 0 ? call->screen.columns : 0;
    return tp_inventory_begin(call, err);
}

static void make_plan(const void *config, struct tp_sink_plan *plan)
{
    (void)config;
    *plan = (struct tp_sink_plan){
        TP_INVENTORY_PLAN,
        .suffix = ".list",
        .output = TP_OUTPUT_FOR_ALL,
        .run_state_bytes = sizeof(struct tp_inventory_run),
        .input = {TP_INVENTORY_HOOKS, .finish = finish, .refuse = tp_inventory_refuse},
        .run = {.begin = run_begin, .end = tp_inventory_end},
    };
}

const struct tp_sink_def tp_sink_list = {
    .name = "list",
    .summary = "contents and batch layout of each trace (no event ordering)",
    .options = options,
    .config_bytes = sizeof(struct config),
    .plan = make_plan,
};
