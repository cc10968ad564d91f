// A sink of one's own: counts events by kind, over any number of traces, on all cores.
//
//   my_sink FILE...
//
// Workers count each block apart; what they found is added up where blocks come in
// order, then over the inputs, and printed once.
#include <inttypes.h>
#include <stdio.h>

#include <tracepipe/sink.h>

struct counts {
    uint64_t by_kind[TP_KINDS];
};

static void add(struct counts *into, const struct counts *from)
{
    for (unsigned k = 0; k < TP_KINDS; k++)
        into->by_kind[k] += from->by_kind[k];
}

// On any worker, for many blocks at a time: nothing but the block and its own state.
static int work(void *ctx, const struct tp_event_block *block, void *unit_state,
                struct tp_output *out, struct tp_error *err)
{
    (void)ctx, (void)out, (void)err;
    struct counts *here = unit_state; // all zero
    for (size_t i = 0; i < block->event_count; i++)
        here->by_kind[tp_event_kind(&block->events[i])]++;
    return 0;
}

// One block of the input after the other.
static int commit(void *ctx, const struct tp_event_block *block, void *unit_state,
                  void *input_state, struct tp_output *out, struct tp_error *err)
{
    (void)ctx, (void)block, (void)out, (void)err;
    add(input_state, unit_state);
    return 0;
}

// One input after the other.
static int finish(void *ctx, const struct tp_sink_report *report, void *input_state,
                  void *run_state, struct tp_output *out, struct tp_error *err)
{
    (void)ctx, (void)report, (void)out, (void)err;
    add(run_state, input_state);
    return 0;
}

static int run_end(void *ctx, void *run_state, struct tp_output *out, struct tp_error *err)
{
    (void)ctx;
    const struct counts *all = run_state;
    for (unsigned k = 0; k < TP_KINDS; k++) {
        if (all->by_kind[k] == 0)
            continue;
        int rc = tp_output_printf(out, err, "%10" PRIu64 "  %s\n", all->by_kind[k],
                                  tp_kind_name((enum tp_kind)k));
        if (rc != 0)
            return rc;
    }
    return 0;
}

static const struct tp_sink_ops kinds = {
    .name = "kinds",
    .suffix = ".kinds",
    .one_for_all = true,
    .unit_state_bytes = sizeof(struct counts),
    .input_state_bytes = sizeof(struct counts),
    .run_state_bytes = sizeof(struct counts),
    .work = work,
    .commit = commit,
    .finish = finish,
    .run_end = run_end,
};

// Comes on threads of the run, one call at a time.
static void print_message(void *ctx, enum tp_message_level level, const char *text)
{
    (void)ctx;
    if (level != TP_MSG_DETAIL)
        fprintf(stderr, "%s\n", text);
}

static int describe(struct tp_run *run, char **paths, struct tp_error *err)
{
    tp_run_on_message(run, print_message, NULL);
    int rc = tp_run_register_sink(run, &kinds, NULL, err);
    if (rc == 0)
        rc = tp_run_add_sink(run, "kinds", "-", err);
    for (; *paths != NULL && rc == 0; paths++)
        rc = tp_run_add_path(run, *paths, err);
    return rc;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: my_sink FILE...\n");
        return 2;
    }
    struct tp_run *run = NULL;
    struct tp_error err;
    int status = 3;
    int rc = tp_run_create(&run, &err);
    if (rc == 0)
        rc = describe(run, argv + 1, &err);
    if (rc == 0)
        rc = tp_run_start(run, &err);
    if (rc == 0) {
        tp_run_wait(run, -1);
        status = tp_run_exit_status(run);
        if (tp_run_error(run) != NULL)
            err = *tp_run_error(run);
    }
    if (rc != 0 || status == 3)
        fprintf(stderr, "%s\n", err.text);
    tp_run_destroy(run);
    return status;
}
