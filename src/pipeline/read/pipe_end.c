#include "pipeline/read/pipe_end.h"

#include <sys/stat.h>
#include <unistd.h>

#include "pipeline/read/ingest.h"

static bool is_pipe(const struct tp_input *input)
{
    struct stat st;
    int rc = input->is_stdin ? fstat(STDIN_FILENO, &st) : stat(input->path, &st);
    return rc == 0 && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode) || S_ISCHR(st.st_mode));
}

static bool has_pipe(const struct tp_run *run)
{
    size_t oldest = atomic_load(&run->turns.oldest);
    for (size_t i = oldest; i < run->inputs.count && i - oldest < TP_ACTIVE_MAX; i++) {
        if (is_pipe(&run->inputs.items[i]))
            return true;
    }
    return false;
}

bool tp_pipes_end(struct tp_run *run)
{
    if (!has_pipe(run))
        return false;
    atomic_store_explicit(&run->outcome.ends_pipes, true, memory_order_seq_cst);
    for (size_t i = 0; i < TP_ACTIVE_MAX; i++) {
        struct tp_input_run *in = atomic_load(&run->turns.active[i]);
        if (in != NULL)
            tp_wake_ingest(in);
    }
    return true;
}

void tp_pipe_end_step(struct tp_input_run *in)
{
    struct tp_ingest *g = in->ingest;
    if (!atomic_load_explicit(&in->run->outcome.ends_pipes, memory_order_seq_cst) ||
        g->ends_early || atomic_load(&g->stream.engine_ended) || !is_pipe(in->input))
        return;
    g->ends_early = true;
    if (!atomic_exchange(&g->file.cancelled, true))
        tp_source_kick(in->run->engine.source);
}
