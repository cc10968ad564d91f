#include "sink/inventory/printer.h"

#include "sink/print/fields.h"

static void start(struct tp_emit *e, const struct tp_sink_call *call, struct tp_error *err)
{
    const struct tp_inventory_run *run = call->run_state;
    tp_emit_init(e, call->out, err);
    e->columns = run->columns;
    e->guards_csv = run->guards_csv;
    e->csv = run->printer->csv;
    e->has_items = tp_inventory_file_count(&run->total) + run->total.refused_count > 0;
}

int tp_inventory_begin(const struct tp_sink_call *call, struct tp_error *err)
{
    const struct tp_inventory_run *run = call->run_state;
    struct tp_emit e;
    start(&e, call, err);
    if (run->printer->schema != NULL) {
        tp_fields_open(&e, NULL, '{');
        tp_field_text(&e, "schema", run->printer->schema);
        tp_fields_open(&e, "traces", '[');
    } else if (run->printer->begin != NULL) {
        run->printer->begin(&e, run);
    }
    return tp_emit_end(&e);
}

int tp_inventory_print(const struct tp_sink_call *call, const struct tp_input_info *input,
                       const struct tp_input_report *report, struct tp_inventory_input *found,
                       struct tp_error *err)
{
    struct tp_inventory_run *run = call->run_state;
    const struct tp_inventory_file file = {input, report, call->zone, run->lists_batches, found};
    struct tp_emit e;
    start(&e, call, err);
    run->printer->file(&e, &file);
    tp_inventory_merge(&run->total, &found->all);
    return tp_emit_end(&e);
}

int tp_inventory_refuse(const struct tp_sink_call *call, const struct tp_input_info *input,
                        const struct tp_error *why, struct tp_error *err)
{
    struct tp_inventory_run *run = call->run_state;
    struct tp_emit e;
    start(&e, call, err);
    if (run->printer->refused != NULL)
        run->printer->refused(&e, run, input->path, why);
    else
        tp_fields_refused(&e, input->path, why);
    run->total.refused_count++;
    return tp_emit_end(&e);
}

int tp_inventory_end(const struct tp_sink_call *call, const struct tp_run_figures *figures,
                     struct tp_error *err)
{
    const struct tp_inventory_run *run = call->run_state;
    struct tp_emit e;
    (void)figures;
    start(&e, call, err);
    if (run->printer->schema != NULL) {
        tp_emit_text(&e, "\n");
        tp_fields_close(&e, '[');
        tp_fields_open(&e, "total", '{');
    }
    run->printer->end(&e, run);
    if (run->printer->schema != NULL) {
        tp_fields_close(&e, '{');
        tp_fields_end(&e);
    }
    return tp_emit_end(&e);
}
