// The life of a run: described, started, waited for. See tracepipe/tracepipe.h.

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/machine_memory.h"
#include "decode/text/wiretext.h"
#include "pipeline/commit/outputs_plan.h"
#include "pipeline/commit/outputs.h"
#include "pipeline/commit/overlap.h"
#include "pipeline/commit/resume.h"
#include "pipeline/core/unit.h"
#include "pipeline/order/queue.h"
#include "pipeline/read/pipe_end.h"
#include "pipeline/read/source_host.h"
#include "pipeline/run/admission.h"
#include "pipeline/run/input_life.h"
#include "pipeline/run/known_file.h"
#include "pipeline/run/run_life.h"
#include "pipeline/run/run_sink.h"

#define READS_PER_FILE 4

// DESCRIBED

// Whether a file is an input of the run, which a sweep must not remove. Compares with every input:
// a sweep asks about few files.
static bool is_input(const struct stat *st, void *ctx)
{
    const struct tp_run *run = ctx;
    for (size_t i = 0; i < run->inputs.count; i++) {
        const struct tp_input *input = &run->inputs.items[i];
        struct stat its;
        int rc = input->is_stdin ? fstat(STDIN_FILENO, &its) : stat(input->path, &its);
        if (rc == 0 && its.st_dev == st->st_dev && its.st_ino == st->st_ino)
            return true;
    }
    return false;
}

int tp_run_create(struct tp_run **ret_run, struct tp_error *err)
{
    struct parts {
        struct tp_run run; // first member: tp_run_destroy frees its address
        struct tp_run_life life;
        struct tp_run_outputs outputs;
    } *parts = tp_alloc_zero(sizeof *parts);
    if (parts == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory");
    struct tp_run *run = &parts->run;
    run->life = &parts->life;
    run->outputs = &parts->outputs;
    tp_settings_init(&run->settings);
    tp_sweep_init(&run->outputs->sweep);
    run->outputs->sweep.is_read = is_input;
    run->outputs->sweep.ctx = run;
    pthread_mutex_init(&run->outcome.mu, NULL);
    tp_admission_init(run);
    run->life->end_fd = eventfd(0, EFD_CLOEXEC);
    if (run->life->end_fd < 0) {
        int rc = tp_fail_errno(err, TP_E_KERNEL, errno, "cannot create an eventfd");
        tp_run_destroy(run);
        return rc;
    }
    *ret_run = run;
    return 0;
}

void tp_run_on_message(struct tp_run *run, tp_message_fn fn, void *ctx)
{
    run->messages.fn = fn;
    run->messages.ctx = ctx;
}

void tp_run_on_report(struct tp_run *run, tp_report_fn fn, void *ctx)
{
    run->reports.fn = fn;
    run->reports.ctx = ctx;
}

void tp_run_on_guard(struct tp_run *run, tp_guard_fn fn, void *ctx)
{
    run->guard.fn = fn;
    run->guard.ctx = ctx;
}

int tp_run_set(struct tp_run *run, const char *name, const char *value, struct tp_error *err)
{
    assert(!run->life->started);
    return tp_settings_set(&run->settings, name, value, err);
}

int tp_run_add_path(struct tp_run *run, const char *path, struct tp_error *err)
{
    assert(!run->life->started);
    size_t before = run->inputs.count;
    int rc = tp_walk_add(&run->inputs, path, run->settings.recursive, err);
    // A folder stands for many files, even if it holds only one today.
    for (size_t i = before; i < run->inputs.count; i++) {
        if (strcmp(run->inputs.items[i].path, path) != 0)
            run->needs.folders = true;
    }
    return rc;
}

int tp_run_add_list(struct tp_run *run, const char *list_path, struct tp_error *err)
{
    assert(!run->life->started);
    run->needs.folders = true;
    return tp_walk_add_list(&run->inputs, list_path, run->settings.zero_ended,
                            run->settings.recursive, err);
}

int tp_run_add_baseline(struct tp_run *run, const char *word, struct tp_error *err)
{
    assert(!run->life->started);
    const struct tp_settings *s = &run->settings;
    uint32_t before = run->inputs.count;
    int rc = word[0] == '@' ? tp_walk_add_list(&run->inputs, word + 1, s->zero_ended, s->recursive, err)
                            : tp_walk_add(&run->inputs, word, true, err);
    for (uint32_t i = before; i < run->inputs.count; i++)
        run->inputs.items[i].is_baseline = true;
    run->needs.baseline = true;
    return rc;
}

// STARTED

// Returns how many inputs are not of the baseline.
static size_t new_input_count(const struct tp_run *run)
{
    size_t count = 0;
    for (uint32_t i = 0; i < run->inputs.count; i++)
        count += !run->inputs.items[i].is_baseline;
    return count;
}

static uint64_t units_bytes(const struct tp_run *run)
{
    uint64_t total = 0;
    for (enum tp_lane_id lane = 0; lane < TP_LANES; lane++)
        total += tp_lane_slot_bytes(run, lane);
    return total;
}

// Sets up the budget. Its reserve, for decoders, is half of what remains after two units of each
// lane, or more if the decoders' limits are higher.
static void init_budget(struct tp_run *run)
{
    uint64_t units = units_bytes(run);
    uint64_t all = run->memory.plan.budget_bytes;
    uint64_t reserve = all > 2 * units ? (all - 2 * units) / 2 : 0;
    if (reserve < (all - units) / 8)
        reserve = (all - units) / 8;
    uint64_t decoders = tp_inflate_limit(&run->settings) + tp_wiretext_need_bytes();
    if (decoders > all - units)
        decoders = all - units;
    if (reserve < decoders)
        reserve = decoders;
    tp_budget_init(&run->memory.budget, all, reserve);
}

static void on_chunk_free(void *ctx)
{
    tp_wake_for_memory(ctx);
}

// What the engine is made of.
struct source_plan {
    enum tp_io_kind kind;
    struct tp_source_config cfg;
    struct tp_source_host host;
    char why[TP_SOURCE_WHY_BYTES]; // the choice of the engine, for -v
};

static int create_source(struct tp_run *run, struct source_plan *p, struct tp_error *err)
{
    const struct tp_memory_plan *plan = &run->memory.plan;
    *p = (struct source_plan){
        .kind = (enum tp_io_kind)run->settings.io,
        .cfg = {.chunk_bytes = plan->chunk_bytes,
                .reads_per_file = READS_PER_FILE,
                .max_files = TP_ACTIVE_MAX,
                .threads = plan->io_thread_count},
        .host = tp_source_host_of(run),
    };
    tp_source_destroy(run->engine.source); // of an earlier start
    run->engine.source = NULL;
    return tp_source_create(p->kind, &p->cfg, &p->host, &run->engine.source, p->why, err);
}

static int start_source(struct tp_run *run, struct source_plan *p, struct tp_error *err)
{
    int rc = tp_source_start(p->kind, &p->cfg, &p->host, &run->engine.source, p->why, err);
    if (rc == 0)
        tp_run_message(run, TP_MSG_DETAIL, "%s", p->why);
    return rc;
}

// Returns how many inputs may be active with the descriptors of this process. An input has its file
// open, perhaps a further file that is being closed, and its own outputs, each with its folder.
static size_t active_max(const struct tp_run *run)
{
    // Descriptors for stdio, for shared outputs, and those that the completion of an output opens
    // briefly; each thread of an engine has a ring and an eventfd.
    const size_t others = 32 + 2 * (size_t)run->memory.plan.io_thread_count;
    size_t each = 2;
    struct rlimit files;
    for (size_t k = 0; k < run->sink_count; k++)
        each += run->sinks[k].is_shared ? 0 : 2;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur == RLIM_INFINITY)
        return TP_ACTIVE_MAX;
    size_t fit = files.rlim_cur > others ? (size_t)(files.rlim_cur - others) / each : 1;
    fit = fit > 0 ? fit : 1;
    return fit < TP_ACTIVE_MAX ? fit : TP_ACTIVE_MAX;
}

// Returns the number of tasks that may exist: for each slot three strands and its pending
// generations, one for each unit, and one for admission.
static size_t task_max(const struct tp_run *run)
{
    size_t units = TP_LANES * (2 * (size_t)run->memory.plan.worker_count + 3);
    return (3 + TP_PENDING_MAX) * TP_ACTIVE_MAX + units + 1;
}

// Fewer inputs than this complete their outputs on workers.
#define COMPLETED_LEAST 4
// With more threads for each worker a file system spends more time on its locks than it saves.
#define COMPLETERS_PER_WORKER 4

// Starts the threads that complete outputs, if many inputs have some. Without them the run is only slower.
static void start_completers(struct tp_run *run)
{
    struct tp_error unasked;
    unsigned threads = COMPLETERS_PER_WORKER * run->memory.plan.worker_count;
    size_t outputs = 0;
    for (size_t k = 0; k < run->sink_count; k++)
        outputs += run->sinks[k].is_shared ? 0 : TP_ACTIVE_MAX;
    if (outputs > 0 && run->inputs.count >= COMPLETED_LEAST &&
        tp_pool_create(threads < TP_ACTIVE_MAX ? threads : TP_ACTIVE_MAX, outputs, &run->completers,
                       &unasked) != 0)
        run->completers = NULL;
}

static int start_parts(struct tp_run *run, struct source_plan *source, struct tp_error *err)
{
    const struct tp_memory_plan *plan = &run->memory.plan;
    int rc = tp_chunk_pool_init(&run->memory.chunks, plan->chunk_count, plan->chunk_reserved_count,
                                plan->chunk_bytes, on_chunk_free, run, err);
    if (rc == 0)
        rc = tp_lanes_init(run, err);
    tp_page_pool_init(&run->memory.pages, plan->page_max);
    if (rc == 0)
        rc = start_source(run, source, err);
    if (rc == 0)
        rc = tp_pool_create(plan->worker_count, task_max(run), &run->pool, err);
    if (rc == 0)
        start_completers(run);
    if (rc == 0 && run->settings.timeout_ns > 0)
        rc = tp_timeout_start(&run->life->timeout, run, err);
    return rc;
}

static void say_plan(struct tp_run *run)
{
    const struct tp_memory_plan *p = &run->memory.plan;
    tp_run_message(run, TP_MSG_DETAIL, "%u workers, %zu chunks of %zu KiB, at most %llu MiB",
                   p->worker_count, p->chunk_count, p->chunk_bytes >> 10,
                   (unsigned long long)(p->limit_bytes >> 20));
}

// Warns if the machine has less memory than the default limit, which is the same on every machine,
// so that the same inputs are refused everywhere.
static void warn_of_machine(struct tp_run *run, uint64_t machine_bytes)
{
    if (run->settings.max_memory_bytes > 0 || machine_bytes >= run->memory.plan.limit_bytes)
        return;
    tp_run_message(run, TP_MSG_WARNING,
                   "this machine or control group has only %llu MiB of memory, and up to "
                   "%llu MiB may be used (set --max-memory)",
                   (unsigned long long)(machine_bytes >> 20),
                   (unsigned long long)(run->memory.plan.limit_bytes >> 20));
}

static int warn_of_repeats(struct tp_run *run, struct tp_error *err)
{
    struct tp_overlap_repeats r;
    int rc = tp_overlap_find_repeats(&run->inputs, &r, err);
    if (rc != 0 || r.count == 0)
        return rc;
    char all[64] = "";
    if (r.count > 1)
        snprintf(all, sizeof all, " (%zu such inputs)", r.count);
    tp_run_message(run, TP_MSG_WARNING,
                   "'%s' and '%s' are the same file, which is counted once per name%s",
                   tp_overlap_shown(r.first), tp_overlap_shown(r.again), all);
    return 0;
}

// Opens the program of --binary. An earlier start may have opened it and then failed.
static int open_symbols(struct tp_run *run, struct tp_error *err)
{
    tp_symbols_close(run->symbols);
    run->symbols = NULL;
    return run->settings.binary != NULL
               ? tp_symbols_open(run->settings.binary, &run->symbols, err)
               : 0;
}

// Heap memory of a name beside its bytes.
#define NAME_EXTRA_BYTES 24

// Returns the memory of the list of inputs, and as much again: sinks may keep a row for each.
static uint64_t inputs_bytes(const struct tp_run *run)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < run->inputs.count; i++)
        bytes += sizeof run->inputs.items[i] + strlen(run->inputs.items[i].path) + NAME_EXTRA_BYTES;
    return 2 * bytes;
}

// Sets up the account. Its limit leaves out the list of inputs, which must not take more than half.
static int init_account(struct tp_run *run, struct tp_error *err)
{
    uint64_t limit = run->memory.plan.limit_bytes, inputs = inputs_bytes(run);
    if (inputs > limit / 2)
        return tp_fail(err, TP_E_USAGE, "max-memory is too small: the names of %u inputs need at "
                       "least %llu MiB", run->inputs.count,
                       (unsigned long long)((2 * inputs + TP_MIB(1) - 1) >> 20));
    tp_account_init(&run->memory.grown, limit - inputs);
    return 0;
}

// Makes everything that names a path or makes a ring, and reads nothing.
static int plan(struct tp_run *run, struct source_plan *source, struct tp_error *err)
{
    int rc = tp_run_sinks_check(run, err);
    if (rc == 0)
        rc = tp_known_file_plan(run, err);
    if (rc == 0)
        rc = tp_settings_load_zone(&run->settings, err);
    if (rc == 0)
        rc = tp_outputs_plan(run, err);
    if (rc == 0)
        rc = tp_memory_plan_make(&run->settings, units_bytes(run),
                                 tp_lane_slot_bytes(run, TP_LANE_BLOCKS) > 0, &run->memory.plan,
                                 err);
    if (rc == 0)
        rc = init_account(run, err);
    if (rc == 0)
        rc = create_source(run, source, err);
    return rc;
}

// Lets the program restrict the process, and then reads what stands beside the inputs.
static int look_around(struct tp_run *run, struct tp_error *err)
{
    int rc = tp_outputs_make_folders(run, err);
    if (rc == 0 && run->guard.fn != NULL)
        rc = run->guard.fn(run->guard.ctx, run, err);
    if (rc == 0)
        rc = open_symbols(run, err);
    if (rc == 0)
        rc = tp_outputs_check(run, err);
    if (rc == 0)
        rc = tp_known_file_read(run, err);
    return rc == 0 ? warn_of_repeats(run, err) : rc;
}

static int start(struct tp_run *run, struct tp_error *err)
{
    struct source_plan source;
    run->needs.folders = run->needs.folders || new_input_count(run) > 1;
    int rc = tp_run_add_ending_sinks(run, err);
    if (rc != 0)
        return rc;
    if (run->sink_count == 0)
        return tp_fail(err, TP_E_USAGE, "no sink");
    // Without poll nobody can wait for the run, or for a pipe. A filter of system calls may refuse it.
    if (poll(NULL, 0, 0) < 0)
        return tp_fail_errno(err, TP_E_KERNEL, errno, "poll");
    rc = plan(run, &source, err);
    uint64_t machine_bytes = tp_machine_memory_bytes(); // in files that the guard may close off
    if (rc == 0)
        rc = look_around(run, err);
    if (rc != 0)
        return rc;
    init_budget(run);
    run->life->admission.active_max = active_max(run);
    for (size_t k = 0; k < run->sink_count; k++)
        run->meter.wants_cpu_time = run->meter.wants_cpu_time || run->sinks[k].plan.wants_cpu_time;
    run->meter.start_ns = tp_now_ns();
    atomic_store(&run->turns.since_ns, run->meter.start_ns);
    say_plan(run);
    warn_of_machine(run, machine_bytes);
    if (run->outputs->resume != NULL)
        rc = tp_resume_start(run, err);
    if (rc != 0)
        return rc;
    run->life->started = true;
    rc = start_parts(run, &source, err);
    if (rc != 0)
        return rc;
    if (run->outputs->resume != NULL && run->outputs->resume->failed_path != NULL) {
        tp_run_message(run, TP_MSG_ERROR, "%s: the run ends with this input (--fail-fast), by the record",
                       run->outputs->resume->failed_path);
        tp_run_stop(run);
    }
    tp_wake_admission(run);
    return 0;
}

int tp_run_start(struct tp_run *run, struct tp_error *err)
{
    assert(!run->life->started);
    struct tp_error why;
    run->outcome.error = (struct tp_error){0}; // of an earlier start
    int rc = start(run, &why);
    if (rc == 0)
        return 0;
    // The exit status of a run that never began follows from the error, too.
    run->outcome.error = why;
    if (err != NULL)
        *err = why;
    return rc;
}

// RUNNING

bool tp_run_wait(struct tp_run *run, int timeout_ms)
{
    if (run->pool == NULL) // not started, or the start failed
        return true;
    struct pollfd p = {.fd = run->life->end_fd, .events = POLLIN};
    while (poll(&p, 1, timeout_ms) < 0 && errno == EINTR) {
    }
    return atomic_load_explicit(&run->life->over, memory_order_acquire);
}

int tp_run_fd(const struct tp_run *run)
{
    return run->life->end_fd;
}

uint64_t tp_run_max_memory(const struct tp_run *run)
{
    return run->settings.max_memory_bytes;
}

void tp_run_progress(const struct tp_run *run, struct tp_progress *ret_progress)
{
    *ret_progress = (struct tp_progress){
        .file_count = run->inputs.count,
        .file_done_count = atomic_load(&run->turns.oldest),
        .byte_count = atomic_load(&run->meter.stat_bytes),
        .byte_done_count = atomic_load(&run->meter.stored_bytes),
    };
}

bool tp_run_end_pipes(struct tp_run *run)
{
    return tp_pipes_end(run);
}

void tp_run_remove_temporaries(void)
{
    tp_out_unlink_all();
}

// OVER

static void stop(struct tp_run *run)
{
    if (!run->life->started || run->pool == NULL || run->life->over)
        return;
    tp_run_fail_with(run, TP_E_STOPPED, "stopped");
    (void)tp_run_wait(run, -1);
}

void tp_run_destroy(struct tp_run *run)
{
    if (run == NULL)
        return;
    stop(run);
    tp_timeout_end(&run->life->timeout);
    tp_source_destroy(run->engine.source);
    tp_pool_destroy(run->completers); // they wake strands, which run on the pool
    tp_pool_destroy(run->pool);
    tp_input_slots_fini(run);
    if (run->life->started)
        tp_lanes_fini(run);
    tp_page_pool_fini(&run->memory.pages);
    tp_chunk_pool_fini(&run->memory.chunks);
    tp_run_sinks_fini(run);
    tp_checks_fini(&run->life->checks);
    tp_known_file_fini(run);
    tp_input_list_fini(&run->inputs);
    tp_sweep_fini(&run->outputs->sweep);
    tp_snapshots_fini(&run->outputs->snapshots);
    tp_resume_fini(run->outputs->resume);
    tp_outputs_forget_names(run->outputs);
    tp_symbols_close(run->symbols);
    tp_settings_fini(&run->settings);
    pthread_mutex_destroy(&run->outcome.mu);
    if (run->life->end_fd >= 0)
        close(run->life->end_fd);
    tp_free(run);
}
