#include "sink/user.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "merge/track/tracker.h"

#define PRINTF_MAX_BYTES 4096

// WHERE HOOKS WRITE

// At most one of the two members is not NULL.
struct tp_output {
    struct tp_buf *buf; // in `work`
    struct tp_out *out;
};

int tp_output_write(struct tp_output *out, const void *bytes, size_t len_bytes,
                    struct tp_error *err)
{
    if (out->out != NULL)
        return tp_out_put(out->out, tp_span_of(bytes, len_bytes), err);
    if (out->buf == NULL)
        return tp_fail(err, TP_E_USAGE, "a one_for_all sink without max_output_bytes writes "
                       "before finish");
    if (tp_buf_put(out->buf, bytes, len_bytes))
        return 0;
    return tp_fail(err, TP_E_TOO_LARGE, "the output of one block is more than the %zu bytes "
                   "asked for", out->buf->max_bytes);
}

int tp_output_printf(struct tp_output *out, struct tp_error *err, const char *fmt, ...)
{
    char text[PRINTF_MAX_BYTES];
    va_list ap;
    va_start(ap, fmt);
    int len_bytes = vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (len_bytes < 0 || (size_t)len_bytes >= sizeof text)
        return tp_fail(err, TP_E_TOO_LARGE, "more than %zu bytes printed at once",
                       sizeof text - 1);
    return tp_output_write(out, text, (size_t)len_bytes, err);
}

// HOOKS

// Precedes the program's input state in memory, because the hook `fini` gets only the state. Its
// size is 16 bytes, so that the state after it has the alignment of heap memory.
struct input_head {
    _Alignas(16) const struct tp_user_sink *sink; // NULL until `open`
};

static void *state_behind(void *head)
{
    return (struct input_head *)head + 1;
}

// Returns the sink of which a hook is called, and clears *err for the program's hook.
static const struct tp_user_sink *user_of(const struct tp_sink_call *call, struct tp_error *err)
{
    *err = (struct tp_error){.offset = TP_NO_OFFSET};
    return ((const struct tp_user_config *)call->config)->sink;
}

// Makes the error agree with the result of the program's hook, whatever the hook wrote to `err`.
static int settle(const struct tp_user_sink *u, int rc, struct tp_error *err)
{
    if (rc == 0) {
        err->code = 0;
        return 0;
    }
    if (err->code == rc && err->text[0] != '\0')
        return rc;
    return tp_fail(err, rc, "%s (%s answered %d)", tp_error_sentence(rc), u->ops.name, rc);
}

// Returns the output for hooks before `finish`. A sink with one output for all inputs gets none
// unless it declares that inputs write before `finish`: only then does the pipeline make inputs
// wait for each other.
static struct tp_output early_output(const struct tp_user_sink *u, struct tp_out *to)
{
    bool may_write = !u->ops.one_for_all || u->ops.max_output_bytes > 0;
    return (struct tp_output){.out = may_write ? to : NULL};
}

// Returns the block as the sink has asked for it; another sink may have asked for more.
static struct tp_event_block public_block(const struct tp_user_sink *u, const struct tp_block *b)
{
    struct tp_event_block block = tp_event_block_of(b);
    if (!u->ops.wants_spans) {
        block.spans = NULL;
        block.span_count = 0;
    }
    if (!u->ops.wants_intervals) {
        block.intervals = NULL;
        block.interval_count = 0;
    }
    return block;
}

static int work(const struct tp_sink_call *call, const struct tp_unit *unit, struct tp_error *err)
{
    const struct tp_user_sink *u = user_of(call, err);
    memset(call->unit_state, 0, u->ops.unit_state_bytes);
    struct tp_event_block block = public_block(u, unit->block);
    if (u->ops.work == NULL || tp_event_block_is_empty(&block))
        return 0;
    struct tp_output out = {.buf = call->buf};
    return settle(u, u->ops.work(u->ctx, &block, call->unit_state, &out, err), err);
}

static int open(const struct tp_sink_call *call, const struct tp_input_info *input,
                struct tp_error *err)
{
    const struct tp_user_sink *u = user_of(call, err);
    ((struct input_head *)call->input_state)->sink = u;
    if (u->ops.open == NULL)
        return 0;
    struct tp_sink_input what = {input->path, input->format.minor};
    struct tp_output out = early_output(u, call->out);
    return settle(u, u->ops.open(u->ctx, &what, state_behind(call->input_state), &out, err), err);
}

static int commit(const struct tp_sink_call *call, const struct tp_unit *unit, struct tp_error *err)
{
    const struct tp_user_sink *u = user_of(call, err);
    struct tp_event_block block = public_block(u, unit->block);
    if (tp_event_block_is_empty(&block))
        return 0;
    int rc = tp_sink_put_buf(call, err);
    if (rc != 0 || u->ops.commit == NULL)
        return rc;
    struct tp_output out = early_output(u, call->out);
    void *mine = state_behind(call->input_state);
    return settle(u, u->ops.commit(u->ctx, &block, call->unit_state, mine, &out, err), err);
}

static int finish(const struct tp_sink_call *call, const struct tp_input_info *input,
                  const struct tp_input_report *report, struct tp_error *err)
{
    (void)input;
    const struct tp_user_sink *u = user_of(call, err);
    if (u->ops.finish == NULL)
        return 0;
    struct tp_sink_report what = {
        .stored_bytes = report->stored_bytes,
        .stream_bytes = report->stream_bytes,
        .damage_count = report->damage_count,
        .lost_bytes = report->lost_bytes,
        .is_cut = report->error.code != 0,
    };
    void *mine = state_behind(call->input_state);
    void *run_state = u->ops.one_for_all ? call->run_state : NULL;
    struct tp_output out = {.out = call->out};
    return settle(u, u->ops.finish(u->ctx, &what, mine, run_state, &out, err), err);
}

static void input_fini(void *state)
{
    const struct tp_user_sink *u = ((struct input_head *)state)->sink;
    if (u != NULL && u->ops.input_fini != NULL)
        u->ops.input_fini(u->ctx, state_behind(state));
}

static int run_end(const struct tp_sink_call *call, const struct tp_run_figures *figures,
                   struct tp_error *err)
{
    (void)figures;
    const struct tp_user_sink *u = user_of(call, err);
    if (u->ops.run_end == NULL || !u->ops.one_for_all)
        return 0;
    struct tp_output out = {.out = call->out};
    return settle(u, u->ops.run_end(u->ctx, call->run_state, &out, err), err);
}

static enum tp_output_kind output_kind(const struct tp_sink_ops *ops)
{
    if (ops->suffix == NULL)
        return TP_OUTPUT_NONE;
    if (!ops->one_for_all)
        return TP_OUTPUT_PER_INPUT;
    return ops->max_output_bytes > 0 ? TP_OUTPUT_IN_TURN : TP_OUTPUT_FOR_ALL;
}

static void make_plan(const void *config, struct tp_sink_plan *plan)
{
    const struct tp_sink_ops *ops = &((const struct tp_user_config *)config)->sink->ops;
    *plan = (struct tp_sink_plan){
        .suffix = ops->suffix,
        .need = TP_NEED_UNITS,
        .unit_kind = TP_UNIT_BLOCK,
        .output = output_kind(ops),
        .accepts = TP_KIND_TRACES,
        .is_binary = ops->is_binary,
        .replaces_traces = ops->is_binary,
        .tracks = tp_track_for_program(ops->wants_spans, ops->wants_intervals),
        .unit_state_bytes = ops->unit_state_bytes,
        .input_state_bytes = sizeof(struct input_head) + ops->input_state_bytes,
        .run_state_bytes = ops->run_state_bytes,
        .unit_output_bytes = ops->max_output_bytes,
        .unit = {.work = work},
        .input = {.open = open, .commit = commit, .finish = finish, .fini = input_fini},
        .run = {.end = run_end},
    };
}

// REGISTRATION

static bool is_name(const char *name)
{
    return name != NULL && name[0] != '\0' && strpbrk(name, ":,=") == NULL;
}

static int copy_texts(struct tp_user_sink *u, const struct tp_sink_ops *ops, struct tp_error *err)
{
    u->ops.name = tp_strdup(ops->name);
    u->ops.suffix = ops->suffix != NULL ? tp_strdup(ops->suffix) : NULL;
    if (u->ops.name == NULL || (ops->suffix != NULL && u->ops.suffix == NULL))
        return tp_fail(err, TP_E_MEMORY, "out of memory for a sink");
    return 0;
}

int tp_user_sink_create(const struct tp_sink_ops *ops, void *ctx, struct tp_user_sink **ret_sink,
                        struct tp_error *err)
{
    if (!is_name(ops->name))
        return tp_fail(err, TP_E_USAGE, "a sink needs a name without ':', ',' and '='");
    if (ops->suffix == NULL && ops->max_output_bytes > 0)
        return tp_fail(err, TP_E_USAGE, "sink %s has no outputs, but max_output_bytes", ops->name);
    struct tp_user_sink *u = tp_alloc_zero(sizeof *u);
    if (u == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for a sink");
    u->ops = *ops;
    u->ctx = ctx;
    int rc = copy_texts(u, ops, err);
    if (rc != 0) {
        tp_user_sink_destroy(u);
        return rc;
    }
    u->def = (struct tp_sink_def){
        .name = u->ops.name, .config_bytes = sizeof(struct tp_user_config), .plan = make_plan};
    *ret_sink = u;
    return 0;
}

void tp_user_sink_destroy(struct tp_user_sink *u)
{
    if (u == NULL)
        return;
    tp_free((char *)u->ops.name);
    tp_free((char *)u->ops.suffix);
    tp_free(u);
}

struct tp_user_sink *tp_user_sink_of(const struct tp_sink_def *def)
{
    if (def->plan != make_plan)
        return NULL;
    return (struct tp_user_sink *)((char *)def - offsetof(struct tp_user_sink, def));
}

static int set_option(void *ctx, const char *key, const char *value, struct tp_error *err)
{
    const struct tp_user_sink *u = ctx;
    struct tp_error unasked;
    err = err != NULL ? err : &unasked;
    if (u->ops.configure == NULL)
        return tp_fail(err, TP_E_USAGE, "%s takes no options, not '%s'", u->ops.name, key);
    *err = (struct tp_error){.offset = TP_NO_OFFSET};
    return settle(u, u->ops.configure(u->ctx, key, value, err), err);
}

int tp_user_sink_configure(struct tp_user_sink *u, const char *text, struct tp_error *err)
{
    return tp_opts_each(text, set_option, u, err);
}
