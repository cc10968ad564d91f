// The outputs of `list`.
//
// TEXT is a table with a header line and a line for each input; blanks separate the columns, and
// the name of the file comes last. "-" stands for what a trace does not record. With batches
// each input has its own tables. If there are several inputs, the totals end the table: one line,
// wrapped on a screen. Columns may be added before the last; on a screen that is too narrow for all
// of them the less important ones are left out, and the last line says so. The line of a refused
// input says only that it was refused: messages say why.
//
// JSON is one document,
//   {"schema":"tracepipe.list/4","traces":[TRACE,...],"total":TOTAL}
// with one line per input. Numbers are integers, exact to 64 bits; null stands for what a
// trace does not record. A TRACE has
//   trace               the input as it was named; see sink/counts/print.h
//   go_minor            of the format: 26 is Go 1.26 and 1.27; 0: before Go 1.5
//   status              "complete": read to its end without damage; "damaged"
//   complete            whether it is
//   stored_bytes stream_bytes   as read; as wire form, after decompression
//   events string_count stack_count   as `stats` counts them: with framing and tables
//   batch_count generation_count
//   damage_count lost_bytes undecoded_bytes
//   ticks_per_second first_ticks last_ticks duration_ns
//   wall_start_ns wall_end_ns   times of day of the first and the last event, in Unix time; since
//                       Go 1.25
//   wall_start wall_end the same as text, RFC 3339 in UTC
//   error               why reading ended early: {code, text}, else null
// and with batches
//   generations         [{number, offset, bytes, first_batch, batch_count, complete,
//                       ticks_per_second, first_ticks, last_ticks, first_ns, last_ns}]
//   batches             [{offset, bytes, generation, owner, kind, ticks, ns}]
// A refused input has only trace, status ("refused"), complete (false) and error.
// TOTAL has trace_count, complete_count and refused_count, which are numbers of inputs (trace_count
// leaves out refused ones), and the totals of the figures that need no clock, from stored_bytes to
// undecoded_bytes.
// Names and meanings are those of tracepipe/listing.h.
#ifndef TP_SINK_LIST_PRINT_H
#define TP_SINK_LIST_PRINT_H

#include "sink/inventory/printer.h"

// The forms. Constant.
extern const struct tp_inventory_printer tp_list_print_text;
extern const struct tp_inventory_printer tp_list_print_json;

// Read the generation, or batch, number `idx` of an input for printing. False: there is none, or
// there was an error, which stays in the emitter.
TP_INLINE bool tp_list_has_generation(struct tp_emit *e, const struct tp_inventory_file *f,
                                      uint64_t idx, struct tp_listed_generation *ret_generation)
{
    if (idx < f->found->all.generation_count && e->code == 0)
        e->code = tp_inventory_listed_generation(f->found, idx, ret_generation, e->err);
    return idx < f->found->all.generation_count && e->code == 0;
}
TP_INLINE bool tp_list_has_batch(struct tp_emit *e, const struct tp_inventory_file *f, uint64_t idx,
                                 struct tp_listed_batch *ret_batch)
{
    if (idx < f->found->all.batch_count && e->code == 0)
        e->code = tp_inventory_listed_batch(f->found, idx, ret_batch, e->err);
    return idx < f->found->all.batch_count && e->code == 0;
}

#endif
