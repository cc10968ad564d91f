// The JSON form of `list`; its contents: list_print.h.
#include "sink/list_print.h"

// "key":  behind a comma unless the object just began.
static void print_key(struct tp_emit *e, const char *key, bool is_first)
{
    tp_emit_text(e, is_first ? "\"" : ",\"");
    tp_emit_text(e, key);
    tp_emit_text(e, "\":");
}

static void print_u64(struct tp_emit *e, const char *key, uint64_t value)
{
    print_key(e, key, false);
    tp_emit_u64(e, value);
}

static void print_known(struct tp_emit *e, const char *key, bool is_known, int64_t value)
{
    print_key(e, key, false);
    if (is_known)
        tp_emit_i64(e, value);
    else
        tp_emit_text(e, "null");
}

static void print_nonzero(struct tp_emit *e, const char *key, uint64_t value)
{
    print_key(e, key, false);
    if (value != 0)
        tp_emit_u64(e, value);
    else
        tp_emit_text(e, "null");
}

static void print_bool(struct tp_emit *e, const char *key, bool value)
{
    print_key(e, key, false);
    tp_emit_text(e, value ? "true" : "false");
}

static void print_error(struct tp_emit *e, const struct tp_error *error)
{
    print_key(e, "error", false);
    if (error->code == 0) {
        tp_emit_text(e, "null");
        return;
    }
    const char *text =
        error->text[0] != '\0' ? error->text : tp_error_sentence(error->code);
    tp_emit_printf(e, "{\"code\":%d,\"text\":", error->code);
    tp_emit_json_string(e, tp_span_of(text, strlen(text)));
    tp_emit_text(e, "}");
}

// What adds up.
static void print_counts(struct tp_emit *e, const struct tp_listing_summary *a)
{
    print_u64(e, "stored_bytes", a->stored_bytes);
    print_u64(e, "stream_bytes", a->stream_bytes);
    print_u64(e, "events", a->event_count);
    print_u64(e, "strings", a->string_count);
    print_u64(e, "stacks", a->stack_count);
    print_u64(e, "batch_count", a->batch_count);
    print_u64(e, "generation_count", a->generation_count);
    print_u64(e, "damage_places", a->damage_count);
    print_u64(e, "lost_bytes", a->lost_bytes);
    print_u64(e, "undecoded_bytes", a->undecoded_bytes);
}

static int print_generations(struct tp_emit *e, const struct tp_list_file *f,
                             struct tp_error *err)
{
    struct tp_listed_generation g;
    print_key(e, "generations", false);
    tp_emit_text(e, "[");
    for (uint64_t i = 0; i < f->all.generation_count; i++) {
        int rc = tp_list_state_generation(f->state, i, &g, err);
        if (rc != 0)
            return rc;
        tp_emit_text(e, i == 0 ? "{" : ",{");
        print_key(e, "number", true);
        tp_emit_u64(e, g.number);
        print_u64(e, "offset", g.offset);
        print_u64(e, "bytes", g.len_bytes);
        print_u64(e, "first_batch", g.first_batch);
        print_u64(e, "batches", g.batch_count);
        print_bool(e, "complete", g.is_complete);
        print_nonzero(e, "ticks_per_second", g.ticks_per_second);
        print_nonzero(e, "first_ticks", g.first_ticks);
        print_nonzero(e, "last_ticks", g.last_ticks);
        print_known(e, "first_ns", g.has_ns, g.first_ns);
        print_known(e, "last_ns", g.has_ns && g.last_ticks != 0, g.last_ns);
        tp_emit_text(e, "}");
    }
    tp_emit_text(e, "]");
    return 0;
}

static int print_batches(struct tp_emit *e, const struct tp_list_file *f, struct tp_error *err)
{
    struct tp_listed_batch b;
    print_key(e, "batches", false);
    tp_emit_text(e, "[");
    for (uint64_t i = 0; i < f->all.batch_count; i++) {
        int rc = tp_list_state_batch(f->state, i, &b, err);
        if (rc != 0)
            return rc;
        tp_emit_text(e, i == 0 ? "{" : ",{");
        print_key(e, "offset", true);
        tp_emit_u64(e, b.offset);
        print_u64(e, "bytes", b.len_bytes);
        print_nonzero(e, "generation", b.generation);
        print_known(e, "owner", b.owner != -1, b.owner);
        tp_emit_printf(e, ",\"kind\":\"%s\"", tp_listed_kind_name(b.kind));
        print_u64(e, "ticks", b.ticks);
        print_known(e, "ns", b.has_ns, b.ns);
        tp_emit_text(e, "}");
    }
    tp_emit_text(e, "]");
    return 0;
}

static void begin(struct tp_emit *e, bool has_batches)
{
    (void)has_batches;
    tp_emit_text(e, "{\"schema\":\"tracepipe.list/1\",\"files\":[");
}

static int file(struct tp_emit *e, const struct tp_list_file *f, uint64_t file_idx,
                struct tp_error *err)
{
    const struct tp_listing_summary *a = &f->all;
    tp_emit_text(e, file_idx == 0 ? "\n{" : ",\n{");
    print_key(e, "file", true);
    tp_emit_json_string(e, tp_span_of(f->path, strlen(f->path)));
    print_u64(e, "minor", a->go_minor);
    print_bool(e, "complete", tp_list_is_complete(a));
    print_counts(e, a);
    print_nonzero(e, "ticks_per_second", a->ticks_per_second);
    print_known(e, "first_ticks", a->has_ticks, (int64_t)a->first_ticks);
    print_known(e, "last_ticks", a->has_ticks, (int64_t)a->last_ticks);
    print_known(e, "duration_ns", a->has_span, a->span_ns);
    print_error(e, &a->error);
    int rc = f->has_batches ? print_generations(e, f, err) : 0;
    if (rc == 0 && f->has_batches)
        rc = print_batches(e, f, err);
    tp_emit_text(e, "}");
    return rc;
}

static void end(struct tp_emit *e, const struct tp_list_total *total, bool has_batches)
{
    (void)has_batches;
    tp_emit_text(e, "\n],\"total\":{");
    print_key(e, "files", true);
    tp_emit_u64(e, total->file_count);
    print_u64(e, "complete", total->complete_count);
    print_u64(e, "refused", total->refused_count);
    print_counts(e, &total->all);
    tp_emit_text(e, "}}\n");
}

const struct tp_list_printer tp_list_print_json = {begin, file, end};
