// The JSON form of `list`; print.h describes its contents.
#include "sink/list/print.h"
#include "sink/print/json_fields.h"

// Prints the figures that add up over inputs.
static void print_counts(struct tp_emit *e, const struct tp_listing_summary *a)
{
    tp_json_u64(e, "stored_bytes", a->stored_bytes);
    tp_json_u64(e, "stream_bytes", a->stream_bytes);
    tp_json_u64(e, "events", a->event_count);
    tp_json_u64(e, "strings", a->string_count);
    tp_json_u64(e, "stacks", a->stack_count);
    tp_json_u64(e, "batch_count", a->batch_count);
    tp_json_u64(e, "generation_count", a->generation_count);
    tp_json_u64(e, "damage_places", a->damage_count);
    tp_json_u64(e, "lost_bytes", a->lost_bytes);
    tp_json_u64(e, "undecoded_bytes", a->undecoded_bytes);
}

static int print_generations(struct tp_emit *e, const struct tp_list_file *f,
                             struct tp_error *err)
{
    struct tp_listed_generation g;
    tp_json_key(e, "generations", false);
    tp_emit_text(e, "[");
    for (uint64_t i = 0; i < f->all.generation_count; i++) {
        int rc = tp_list_state_generation(f->state, i, &g, err);
        if (rc != 0)
            return rc;
        tp_emit_text(e, i == 0 ? "{" : ",{");
        tp_json_key(e, "number", true);
        tp_emit_u64(e, g.number);
        tp_json_u64(e, "offset", g.offset);
        tp_json_u64(e, "bytes", g.len_bytes);
        tp_json_u64(e, "first_batch", g.first_batch);
        tp_json_u64(e, "batches", g.batch_count);
        tp_json_bool(e, "complete", g.is_complete);
        tp_json_nonzero_u64(e, "ticks_per_second", g.ticks_per_second);
        tp_json_nonzero_u64(e, "first_ticks", g.first_ticks);
        tp_json_nonzero_u64(e, "last_ticks", g.last_ticks);
        tp_json_known_i64(e, "first_ns", g.has_ns, g.first_ns);
        tp_json_known_i64(e, "last_ns", g.has_ns && g.last_ticks != 0, g.last_ns);
        tp_emit_text(e, "}");
    }
    tp_emit_text(e, "]");
    return 0;
}

static int print_batches(struct tp_emit *e, const struct tp_list_file *f, struct tp_error *err)
{
    struct tp_listed_batch b;
    tp_json_key(e, "batches", false);
    tp_emit_text(e, "[");
    for (uint64_t i = 0; i < f->all.batch_count; i++) {
        int rc = tp_list_state_batch(f->state, i, &b, err);
        if (rc != 0)
            return rc;
        tp_emit_text(e, i == 0 ? "{" : ",{");
        tp_json_key(e, "offset", true);
        tp_emit_u64(e, b.offset);
        tp_json_u64(e, "bytes", b.len_bytes);
        tp_json_nonzero_u64(e, "generation", b.generation);
        tp_json_known_i64(e, "owner", b.owner != -1, b.owner);
        tp_json_text(e, "kind", tp_listed_kind_name(b.kind));
        tp_json_u64(e, "ticks", b.ticks);
        tp_json_known_i64(e, "ns", b.has_ns, b.ns);
        tp_emit_text(e, "}");
    }
    tp_emit_text(e, "]");
    return 0;
}

static void begin(struct tp_emit *e, bool has_batches)
{
    (void)has_batches;
    tp_emit_text(e, "{\"schema\":\"tracepipe.list/2\",\"files\":[");
}

static int file(struct tp_emit *e, const struct tp_list_file *f, uint64_t file_idx,
                struct tp_error *err)
{
    const struct tp_listing_summary *a = &f->all;
    tp_json_begin_input(e, f->path, tp_list_status(a), file_idx);
    tp_json_u64(e, "minor", a->go_minor);
    print_counts(e, a);
    tp_json_nonzero_u64(e, "ticks_per_second", a->ticks_per_second);
    tp_json_known_i64(e, "first_ticks", a->has_ticks, (int64_t)a->first_ticks);
    tp_json_known_i64(e, "last_ticks", a->has_ticks, (int64_t)a->last_ticks);
    tp_json_known_i64(e, "duration_ns", a->has_span, a->span_ns);
    tp_json_error(e, &a->error);
    int rc = f->has_batches ? print_generations(e, f, err) : 0;
    if (rc == 0 && f->has_batches)
        rc = print_batches(e, f, err);
    tp_emit_text(e, "}");
    return rc;
}

static void refused(struct tp_emit *e, const char *path, const struct tp_error *why,
                    bool has_batches, uint64_t file_idx)
{
    (void)has_batches;
    tp_json_begin_input(e, path, TP_STATUS_REFUSED, file_idx);
    tp_json_error(e, why);
    tp_emit_text(e, "}");
}

static void end(struct tp_emit *e, const struct tp_list_total *total, bool has_batches)
{
    (void)has_batches;
    tp_emit_text(e, "\n],\"total\":{");
    tp_json_key(e, "files", true);
    tp_emit_u64(e, total->file_count);
    tp_json_u64(e, "complete", total->complete_count);
    tp_json_u64(e, "refused", total->refused_count);
    print_counts(e, &total->all);
    tp_emit_text(e, "}}\n");
}

const struct tp_list_printer tp_list_print_json = {begin, file, refused, end};
