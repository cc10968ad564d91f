// The JSON form of `list`; print.h describes its contents.
#include "sink/list/print.h"
#include "sink/print/fields.h"

// Prints the figures that add up over inputs.
static void print_counts(struct tp_emit *e, const struct tp_inventory *all)
{
    tp_field_wide(e, "stored_bytes", all->stored_bytes);
    tp_field_wide(e, "stream_bytes", all->stream_bytes);
    tp_field_wide(e, "events", tp_inventory_events(all).count);
    tp_field_wide(e, "string_count", tp_tally_strings(&all->tally));
    tp_field_wide(e, "stack_count", tp_tally_stacks(&all->tally));
    tp_field_wide(e, "batch_count", all->batch_count);
    tp_field_wide(e, "generation_count", all->generation_count);
    tp_field_wide(e, "damage_count", all->damage_count);
    tp_field_wide(e, "lost_bytes", all->lost_bytes);
    tp_field_wide(e, "undecoded_bytes", all->undecoded_bytes);
}

static void print_generations(struct tp_emit *e, const struct tp_inventory_file *f)
{
    struct tp_listed_generation g;
    tp_fields_open(e, "generations", '[');
    for (uint64_t i = 0; tp_list_has_generation(e, f, i, &g); i++) {
        tp_fields_open(e, NULL, '{');
        tp_field_wide(e, "number", g.number);
        tp_field_wide(e, "offset", g.offset);
        tp_field_wide(e, "bytes", g.len_bytes);
        tp_field_wide(e, "first_batch", g.first_batch);
        tp_field_wide(e, "batch_count", g.batch_count);
        tp_field_bool(e, "complete", g.is_complete);
        tp_field_known_wide(e, "ticks_per_second", g.ticks_per_second != 0, g.ticks_per_second);
        tp_field_known_wide(e, "first_ticks", g.first_ticks != 0, g.first_ticks);
        tp_field_known_wide(e, "last_ticks", g.last_ticks != 0, g.last_ticks);
        tp_field_known_i64(e, "first_ns", g.has_ns, g.first_ns);
        tp_field_known_i64(e, "last_ns", g.has_ns && g.last_ticks != 0, g.last_ns);
        tp_fields_close(e, '{');
    }
    tp_fields_close(e, '[');
}

static void print_batches(struct tp_emit *e, const struct tp_inventory_file *f)
{
    struct tp_listed_batch b;
    tp_fields_open(e, "batches", '[');
    for (uint64_t i = 0; tp_list_has_batch(e, f, i, &b); i++) {
        tp_fields_open(e, NULL, '{');
        tp_field_wide(e, "offset", b.offset);
        tp_field_wide(e, "bytes", b.len_bytes);
        tp_field_known_wide(e, "generation", b.generation != 0, b.generation);
        tp_field_known_i64(e, "owner", b.owner != -1, b.owner);
        tp_field_text(e, "kind", tp_listed_kind_name(b.kind));
        tp_field_wide(e, "ticks", b.ticks);
        tp_field_known_i64(e, "ns", b.has_ns, b.ns);
        tp_fields_close(e, '{');
    }
    tp_fields_close(e, '[');
}

static void file(struct tp_emit *e, const struct tp_inventory_file *f)
{
    const struct tp_inventory_input *in = f->found;
    tp_fields_open_input(e, f->input->path, tp_inventory_status(f));
    tp_field_wide(e, "go_minor", in->format.minor);
    print_counts(e, &in->all);
    tp_field_known_wide(e, "ticks_per_second", in->first_frequency != 0, in->first_frequency);
    tp_field_known_i64(e, "first_ticks", in->has_ticks, in->first_ticks);
    tp_field_known_i64(e, "last_ticks", in->has_ticks, in->last_ticks);
    tp_field_known_i64(e, "duration_ns", in->has_span, in->span_ns);
    tp_field_known_wall(e, "wall_start", in->has_wall, tp_wall_at(in->wall_start_ns));
    tp_field_known_wall(e, "wall_end", in->has_wall, tp_wall_at(in->wall_end_ns));
    tp_field_error(e, &f->report->error);
    if (f->lists_batches) {
        print_generations(e, f);
        print_batches(e, f);
    }
    tp_fields_close(e, '{');
}

static void end(struct tp_emit *e, const struct tp_inventory_run *run)
{
    tp_field_wide(e, "trace_count", tp_inventory_file_count(&run->total));
    tp_field_wide(e, "complete_count", run->total.complete_count);
    tp_field_wide(e, "refused_count", run->total.refused_count);
    print_counts(e, &run->total);
}

const struct tp_inventory_printer tp_list_print_json = {
    .schema = "tracepipe.list/4", .file = file, .end = end};
