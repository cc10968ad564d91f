// Prints the inventory of each input when it is complete, and the total after the last input. No
// part of an input but its figures in the total is stored afterwards.
//
// A sink sets the members of its struct tp_inventory_run in its hook `begin`, which ends with
// tp_inventory_begin; the other functions are hooks of sinks (sink/sink.h), or what `finish` ends
// with. They fail as the output does.
#ifndef TP_SINK_INVENTORY_PRINTER_H
#define TP_SINK_INVENTORY_PRINTER_H

#include "sink/inventory/input.h"
#include "sink/print/emit.h"

// The state of a run.
struct tp_inventory_run {
    const struct tp_inventory_printer *printer;
    unsigned columns;   // for tp_emit: for which tables are laid out
    bool guards_csv;    // for tp_emit
    bool lists_batches; // print batches and generations of each input
    struct tp_inventory total; // of the inputs so far
};

// The arguments for printing one input. Borrows everything.
struct tp_inventory_file {
    const struct tp_input_info *input;
    const struct tp_input_report *report;
    const struct tp_zone *zone; // of times of day in text; NULL: UTC
    bool lists_batches;
    struct tp_inventory_input *found;
};

// Returns the status of an input that was read; a constant string.
TP_INLINE const char *tp_inventory_status(const struct tp_inventory_file *f)
{
    return f->found->all.complete_count > 0 ? TP_STATUS_COMPLETE : TP_STATUS_DAMAGED;
}

// A form of output: functions that print the beginning, an input, a refused input, and the end.
// `has_items` of the emitter says whether inputs were printed before. Errors, also of reading the
// inventory, stay in the emitter.
struct tp_inventory_printer {
    const struct tp_csv_form *csv; // of the emitter
    // JSON: the name of the schema; `begin` is NULL, and `end` puts the fields of the total.
    const char *schema;
    void (*begin)(struct tp_emit *e, const struct tp_inventory_run *run); // NULL: prints nothing
    void (*file)(struct tp_emit *e, const struct tp_inventory_file *file);
    // NULL: prints what tp_fields_refused puts.
    void (*refused)(struct tp_emit *e, const struct tp_inventory_run *run, const char *path,
                    const struct tp_error *why);
    void (*end)(struct tp_emit *e, const struct tp_inventory_run *run);
};

int tp_inventory_begin(const struct tp_sink_call *call, struct tp_error *err);
// Prints the input and adds it to the total.
int tp_inventory_print(const struct tp_sink_call *call, const struct tp_input_info *input,
                       const struct tp_input_report *report, struct tp_inventory_input *found,
                       struct tp_error *err);
int tp_inventory_refuse(const struct tp_sink_call *call, const struct tp_input_info *input,
                        const struct tp_error *why, struct tp_error *err);
int tp_inventory_end(const struct tp_sink_call *call, const struct tp_run_figures *figures,
                     struct tp_error *err);

#endif
