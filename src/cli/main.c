// The program: creates a run from the words of the command line, writes the run's messages to
// stderr, and turns its result into an exit status. The library does all the work.
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "cli/checks.h"
#include "cli/complete.h"
#include "cli/explain.h"
#include "cli/help.h"
#include "cli/last_resort.h"
#include "cli/msg.h"
#include "cli/pager.h"
#include "cli/sandbox.h"
#include "cli/spec.h"
#include "cli/verify.h"
#include "tracepipe/tracepipe.h"

// Exit statuses that this file sets itself; the rest come from tp_run_exit_status.
enum { STATUS_INPUT = 1, STATUS_USAGE = 2, STATUS_HOST = 3 };

#define LIST_SINK "list"
#define VERBOSE_LIST_SINK LIST_SINK ":batches=yes"

enum progress_choice { PROGRESS_UNSAID, PROGRESS_ON, PROGRESS_OFF };

struct cli {
    struct tp_run *run;
    struct tp_msg msg;
    struct tp_pager pager;
    bool has_no_pager;       // the user wants none
    enum progress_choice progress;
    enum tp_sandbox_choice sandbox;
    enum tp_checks_format checks_format;
    bool has_checks_format;  // it was given
    const char *sink_spec;   // the sink that waits for its -o; NULL: the default one
    const char *sink_output; // NULL: none given
    size_t input_count;      // of FILEs and of lists of names
    bool has_plain_list;     // sink_spec is that of -l
    bool lists_batches;      // -v asked for the batches of -l, not for messages about the run
    bool has_file;           // a FILE was added
    bool has_baseline;
    bool has_news;           // the report of the default sink is not wanted
    bool wants_json;         // --json was given
    bool has_json;           // a sink makes JSON because of it
    enum tp_flag previous;   // of the first walk: the word before the current one
};

struct signals {
    sigset_t ending;       // signals that end the program
    bool pipe_was_ignored; // SIGPIPE was ignored when the program started
    int fd;                // readable when one of `ending` came; -1: not caught
    int pipe_ended_by;     // the signal that ended inputs which are pipes; 0: none did
};

static int status_of(int code)
{
    static const int statuses[] = {
        [TP_CLASS_INPUT] = STATUS_INPUT,
        [TP_CLASS_USAGE] = STATUS_USAGE,
        [TP_CLASS_BOUND] = STATUS_HOST,
        [TP_CLASS_HOST] = STATUS_HOST,
    };

    return statuses[tp_error_class_of(code)];
}

// A file that the run opens must not get the number of a closed stdin, stdout or stderr. So
// open a placeholder there, which fails as the closed one does, with EBADF.
static void fill_standard_fds(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

static int flush_stdout(struct tp_msg *msg)
{
    struct tp_error err;

    if (!ferror(stdout) && fflush(stdout) == 0)
        return 0;
    tp_error_set(&err, TP_E_WRITE, "standard output: %s", strerror(errno));
    tp_msg_error(msg, &err);
    return STATUS_HOST;
}

// Explains a term and returns the exit status. The error comes after the list of terms.
static int explain(struct tp_msg *msg, const char *term)
{
    struct tp_error err;
    int code = tp_explain(stdout, term, &err);
    int status = flush_stdout(msg);

    if (code)
        tp_msg_error(msg, &err);
    return code ? status_of(code) : status;
}

// Compares a record with the files that it names, and returns the exit status.
static int verify(struct tp_msg *msg, const char *record)
{
    struct tp_error err;
    size_t differing_count;
    int code = tp_verify(record, msg->least <= TP_MSG_DETAIL, &differing_count, &err);
    int status = flush_stdout(msg);

    if (code)
        tp_msg_error(msg, &err);
    if (code || status)
        return code ? status_of(code) : status;
    return differing_count > 0 ? STATUS_INPUT : 0;
}

// Adds format=json to a sink for --json. A sink that prints must have that form; one with an output
// keeps another form that was asked for. Sets *spec to `room` if it writes the new words there.
static int add_json(struct cli *cli, const char **spec, char room[static TP_SPEC_JSON_BYTES],
                    struct tp_error *err)
{
    bool prints = !cli->sink_output || strcmp(cli->sink_output, "-") == 0;

    if (!tp_spec_names_any(*spec))
        return 0; // the run says what is wrong with it
    switch (tp_spec_add_json(*spec, room)) {
    case TP_SPEC_JSON_ADDED: *spec = room; break;
    case TP_SPEC_JSON_GIVEN: break;
    case TP_SPEC_JSON_OTHER:
        return prints ? tp_error_set(err, TP_E_USAGE, "--json, and '%s' has another format", *spec)
                      : 0;
    case TP_SPEC_JSON_MISSING:
        return prints ? tp_error_set(err, TP_E_USAGE, "--json: '%s' makes no JSON", *spec) : 0;
    }
    cli->has_json = true;
    return 0;
}

static int add_sink(struct cli *cli, struct tp_error *err)
{
    char room[TP_SPEC_JSON_BYTES];
    const char *spec = cli->sink_spec ? cli->sink_spec : tp_sink_help(0)->name;
    int code = cli->wants_json ? add_json(cli, &spec, room, err) : 0;

    return code ? code : tp_run_add_sink(cli->run, spec, cli->sink_output, err);
}

static int on_sink(struct cli *cli, const char *spec, struct tp_error *err)
{
    bool replaces = cli->has_plain_list && !cli->sink_output && tp_spec_names(spec, LIST_SINK);

    cli->has_plain_list = false;
    if (replaces) {
        cli->lists_batches = false;
        cli->sink_spec = spec;
        return 0;
    }
    // Add the default sink only if the user named no sink, or gave it an output.
    if (cli->sink_spec || cli->sink_output) {
        int code = add_sink(cli, err);
        if (code)
            return code;
    }
    cli->sink_spec = spec;
    cli->sink_output = NULL;
    return 0;
}

// -l beside a sink `list` that has its own options: both mean one sink, with these options.
static int on_list(struct cli *cli, struct tp_error *err)
{
    bool is_verbose = cli->msg.least == TP_MSG_DETAIL;

    if (cli->sink_spec && tp_spec_names(cli->sink_spec, LIST_SINK) && !cli->sink_output)
        return 0;
    int code = on_sink(cli, is_verbose ? VERBOSE_LIST_SINK : LIST_SINK, err);
    cli->has_plain_list = true;
    cli->lists_batches = is_verbose;
    return code;
}

static int on_output(struct cli *cli, const char *path, struct tp_error *err)
{
    if (cli->sink_output) {
        const char *spec = cli->sink_spec ? cli->sink_spec : tp_sink_help(0)->name;
        return tp_error_set(err, TP_E_USAGE, "two outputs for the sink '%s': '%s' and '%s'", spec,
                            cli->sink_output, path);
    }
    cli->sink_output = path;
    return 0;
}

// Whether a word behind --json is meant as its argument, which was the name of the manifest once:
// the file is not there, or has a name that no trace has.
static bool is_old_manifest(const char *word)
{
    const char *suffix = strrchr(word, '.');

    if (suffix && strcmp(suffix, ".json") == 0)
        return true;
    return strcmp(word, "-") != 0 && access(word, F_OK) != 0 && errno == ENOENT;
}

// Takes what changes the meaning of other options, wherever they stand, in the first of three walks
// over the command line: the level of messages, and --json.
static int take_first(void *ctx, enum tp_flag flag, const char *text, struct tp_error *err)
{
    struct cli *cli = ctx;
    enum tp_flag previous = cli->previous;

    cli->previous = flag;
    if (flag == TP_FLAG_QUIET)
        cli->msg.least = TP_MSG_ERROR;
    if (flag == TP_FLAG_VERBOSE)
        cli->msg.least = TP_MSG_DETAIL;
    if (flag == TP_FLAG_JSON)
        cli->wants_json = true;
    if (flag == TP_FLAG_INPUT && previous == TP_FLAG_JSON && is_old_manifest(text))
        return tp_error_set(err, TP_E_USAGE,
                            "--json takes no file (--manifest %s writes the manifest)", text);
    return 0;
}

// Takes all other options, in the second walk over the command line.
static int take_option(void *ctx, enum tp_flag flag, const char *text, struct tp_error *err)
{
    struct cli *cli = ctx;

    cli->has_news = cli->has_news || flag == TP_FLAG_KNOWN;
    switch (flag) {
    case TP_FLAG_INPUT:
    case TP_FLAG_FILES_FROM: cli->input_count++; return 0;
    case TP_FLAG_SINK: return on_sink(cli, text, err);
    case TP_FLAG_LIST: return on_list(cli, err);
    case TP_FLAG_OUTPUT: return on_output(cli, text, err);
    case TP_FLAG_CHECK: return tp_run_add_check(cli->run, text, err);
    case TP_FLAG_CHECKS: return tp_run_add_checks(cli->run, text, err);
    case TP_FLAG_CHECK_FORMAT:
        cli->has_checks_format = true;
        return tp_checks_format_parse(text, &cli->checks_format, err);
    case TP_FLAG_VERIFY: exit(verify(&cli->msg, text));
    case TP_FLAG_BASELINE: cli->has_baseline = true; return 0;
    case TP_FLAG_QUIET:
    case TP_FLAG_JSON: return 0;
    case TP_FLAG_PROGRESS: cli->progress = PROGRESS_ON; return 0;
    case TP_FLAG_NO_PROGRESS: cli->progress = PROGRESS_OFF; return 0;
    case TP_FLAG_SANDBOX: return tp_sandbox_parse(text, &cli->sandbox, err);
    case TP_FLAG_NO_PAGER: cli->has_no_pager = true; return 0;
    case TP_FLAG_SHORT_HELP: tp_help_show(TP_FLAG_SHORT); exit(flush_stdout(&cli->msg));
    case TP_FLAG_HELP: tp_help_show(TP_FLAG_FULL); exit(flush_stdout(&cli->msg));
    case TP_FLAG_DEV_HELP: tp_help_show(TP_FLAG_DEV); exit(flush_stdout(&cli->msg));
    case TP_FLAG_EXPLAIN: exit(explain(&cli->msg, text));
    case TP_FLAG_COMPLETE: tp_complete(stdout, text); exit(flush_stdout(&cli->msg));
    case TP_FLAG_VERSION: tp_help_version(); exit(flush_stdout(&cli->msg));
    default: break;
    }
    const struct tp_flag_spec *spec = &tp_flag_specs[flag];
    // For the run an empty word is none; on a command line it is a variable that was not set.
    if ((flag == TP_FLAG_FROM || flag == TP_FLAG_TO || flag == TP_FLAG_RESUME ||
         flag == TP_FLAG_MANIFEST || flag == TP_FLAG_JUNIT || flag == TP_FLAG_KNOWN ||
         flag == TP_FLAG_TIMEOUT) &&
        text[0] == '\0')
        return tp_error_set(err, TP_E_USAGE, "option '%s' is empty", spec->option);
    return tp_run_set(cli->run, spec->option, spec->value ? spec->value : text, err);
}

// Adds a FILE. The name of a sink in the place of the first FILE, as in programs with subcommands,
// is a usage error, unless there is such a file.
static int add_file(struct cli *cli, const char *path, struct tp_error *err)
{
    bool is_first = !cli->has_file;

    cli->has_file = true;
    if (is_first && tp_spec_names_any(path) && access(path, F_OK) != 0 && errno == ENOENT)
        return tp_error_set(err, TP_E_USAGE, "there is no file '%s' (did you mean '--sink %s'?)",
                            path, path);
    return tp_run_add_path(cli->run, path, err);
}

// Takes the inputs, in the third walk over the command line, when the options that govern inputs
// are set.
static int take_input(void *ctx, enum tp_flag flag, const char *text, struct tp_error *err)
{
    struct cli *cli = ctx;

    if (flag == TP_FLAG_INPUT)
        return add_file(cli, text, err);
    if (flag == TP_FLAG_BASELINE)
        return tp_run_add_baseline(cli->run, text, err);
    return flag == TP_FLAG_FILES_FROM ? tp_run_add_list(cli->run, text, err) : 0;
}

static int describe_run(struct cli *cli, int argc, char **argv, struct tp_error *err)
{
    struct tp_check_result check;
    int code = tp_flags_walk(argc, argv, take_first, cli, err);

    if (!code)
        code = tp_flags_walk(argc, argv, take_option, cli, err);
    if (cli->lists_batches)
        cli->msg.least = TP_MSG_WARNING;
    if (!code && (!cli->has_news || cli->sink_spec || cli->sink_output))
        code = add_sink(cli, err);
    if (!code && cli->wants_json && !cli->has_json)
        code = tp_error_set(err, TP_E_USAGE, "--json, and no sink makes JSON");
    if (!code && cli->has_checks_format && !tp_run_check(cli->run, 0, &check))
        code = tp_error_set(err, TP_E_USAGE, "--check-format needs --check");
    if (code)
        return code;
    if (cli->input_count > 0 || cli->has_baseline)
        code = tp_flags_walk(argc, argv, take_input, cli, err);
    if (code || cli->input_count > 0)
        return code;
    if (isatty(STDIN_FILENO))
        return tp_error_set(err, TP_E_USAGE, "no FILE, and standard input is a terminal");
    return tp_run_add_path(cli->run, "-", err);
}

static enum tp_progress_style style_of(const struct cli *cli)
{
    bool on_terminal = tp_msg_on_terminal();

    switch (cli->progress) {
    case PROGRESS_ON: return on_terminal ? TP_PROGRESS_LINE : TP_PROGRESS_LOG;
    case PROGRESS_OFF: return TP_PROGRESS_OFF;
    case PROGRESS_UNSAID: break;
    }
    return on_terminal && cli->msg.least < TP_MSG_ERROR ? TP_PROGRESS_LINE : TP_PROGRESS_OFF;
}

// From here on the signals that would end the program only make signals->fd readable. The threads
// of the run inherit the mask, so none of them dies in the middle of an output.
static int catch_signals(struct signals *signals, struct tp_error *err)
{
    static const int candidates[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action;

    sigemptyset(&signals->ending);
    for (size_t i = 0; i < sizeof(candidates) / sizeof(candidates[0]); i++) {
        // nohup, and shells for background jobs, start us with some signals ignored. If we
        // blocked those, signalfd would report them.
        sigaction(candidates[i], NULL, &action);
        if (action.sa_handler != SIG_IGN)
            sigaddset(&signals->ending, candidates[i]);
    }
    sigaction(SIGPIPE, NULL, &action);
    signals->pipe_was_ignored = action.sa_handler == SIG_IGN;
    // With SIGPIPE and SIGXFSZ ignored, a write fails instead of ending the program: its error has
    // a path, and outputs are cleaned up.
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);

    sigprocmask(SIG_BLOCK, &signals->ending, NULL);
    signals->fd = signalfd(-1, &signals->ending, SFD_CLOEXEC);
    if (signals->fd < 0)
        return tp_error_set(err, TP_E_KERNEL, "signalfd: %s", strerror(errno));
    return 0;
}

// Dies of the signal, so that a shell or make sees why we ended.
static _Noreturn void end_by_signal(int number)
{
    sigset_t one;

    signal(number, SIG_DFL);
    sigemptyset(&one);
    sigaddset(&one, number);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
    raise(number);
    _exit(128 + number);
}

// Ends the run, and the program, by the signal that came. But the first SIGINT or SIGTERM ends only
// the inputs that are pipes, if there are any: whoever watches a live program wants to see what came
// so far. And Ctrl-C in the pager is a key of the pager.
static void end_run_by_signal(struct cli *cli, struct signals *signals)
{
    struct signalfd_siginfo info;
    int number = SIGTERM;

    if (read(signals->fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
        number = (int)info.ssi_signo;
    if (number == SIGINT && tp_pager_shows(&cli->pager))
        return;
    if (signals->pipe_ended_by == 0 && number != SIGHUP && tp_run_end_pipes(cli->run)) {
        signals->pipe_ended_by = number;
        return;
    }
    tp_msg_clear(&cli->msg);
    tp_run_remove_temporaries();
    end_by_signal(number);
}

static void watch_run(struct cli *cli, struct signals *signals)
{
    struct pollfd fds[] = {
        {.fd = signals->fd, .events = POLLIN},
        {.fd = tp_run_fd(cli->run), .events = POLLIN},
    };
    int period_ms = tp_msg_period_ms(&cli->msg);

    tp_msg_start(&cli->msg);
    for (;;) {
        int ready = poll(fds, 2, period_ms);
        if (ready > 0 && fds[0].revents)
            end_run_by_signal(cli, signals);
        if (ready > 0 && fds[1].revents)
            break;
        struct tp_progress progress;
        tp_run_progress(cli->run, &progress);
        tp_msg_paint(&cli->msg, &progress);
    }
    tp_msg_clear(&cli->msg);
    tp_run_wait(cli->run, -1);
}

static void stop_messages(void *ctx)
{
    tp_msg_stop(ctx);
}

// Lets reports that are longer than the terminal go to a pager.
static void set_up_pager(struct cli *cli)
{
    const char *command = NULL;

    if (!cli->has_no_pager && isatty(STDOUT_FILENO))
        command = tp_pager_command();
    if (command == NULL)
        return;
    cli->pager = (struct tp_pager){
        .command = command,
        .screen = tp_screen_of_terminal(STDOUT_FILENO),
        .on_start = stop_messages,
        .ctx = &cli->msg,
    };
    if (tp_pager_prepare(&cli->pager) == 0)
        tp_run_on_report(cli->run, tp_pager_take, &cli->pager);
}

// Shows the rest of the report, and waits for the user to leave the pager. Its Ctrl-C is no signal
// for this program.
static int end_pager(struct cli *cli, struct tp_error *err)
{
    bool is_shown = tp_pager_shows(&cli->pager);
    int sys_errno = tp_pager_end(&cli->pager);
    const struct timespec now = {0};
    sigset_t interrupt;

    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    while (is_shown && sigtimedwait(&interrupt, NULL, &now) > 0) {
    }
    return sys_errno == 0 ? 0
                          : tp_error_set(err, TP_E_WRITE, "cannot write 'standard output': %s",
                                         strerror(sys_errno));
}

// By default glibc grows a thread's heap with one system call per piece, and returns freed pieces
// one by one, which stops all threads each time and took a seventh of the CPU time of a trace with
// many tables. Therefore each heap is writable as a whole from the beginning (64 MiB of addresses;
// only touched pages take memory) and keeps freed memory. If the user limits the memory, freed
// memory must go back to the machine instead. Then large tables keep mappings of their own (by
// default glibc would put them into a heap after the first free), and threads share heaps, because
// free memory in one thread's heap is useless to the others.
static void set_up_heaps(const struct cli *cli)
{
    enum { HEAP_BYTES = 64 << 20, OWN_MAPPING_BYTES = 4 << 20, BOUND_MAPPING_BYTES = 256 << 10 };
    enum { BOUND_HEAP_BYTES = 128 << 20, MOST_HEAPS = 1024 };

    uint64_t bound_bytes = tp_run_max_memory(cli->run);
    if (bound_bytes > 0) {
        uint64_t heaps = bound_bytes / BOUND_HEAP_BYTES;
        mallopt(M_ARENA_MAX, heaps < 1 ? 1 : heaps > MOST_HEAPS ? MOST_HEAPS : (int)heaps);
        mallopt(M_MMAP_THRESHOLD, BOUND_MAPPING_BYTES);
        return;
    }
    mallopt(M_TOP_PAD, HEAP_BYTES);
    mallopt(M_TRIM_THRESHOLD, HEAP_BYTES);
    mallopt(M_MMAP_THRESHOLD, OWN_MAPPING_BYTES);
}

// The run's guard.
static int enter_sandbox(void *ctx, struct tp_run *run, struct tp_error *err)
{
    struct cli *cli = ctx;
    char what[TP_SANDBOX_WHAT_BYTES];
    int code = tp_sandbox_enter(cli->sandbox, run, what, err);

    if (code == 0)
        tp_msg_show(&cli->msg, TP_MSG_DETAIL, what);
    return code;
}

static int execute(struct cli *cli, int argc, char **argv, struct signals *signals,
                   struct tp_error *err)
{
    int code = tp_run_create(&cli->run, err);

    if (code)
        return code;
    tp_run_on_message(cli->run, tp_msg_show, &cli->msg);
    code = describe_run(cli, argc, argv, err);
    if (code)
        return code;
    set_up_heaps(cli);
    cli->msg.style = style_of(cli);
    set_up_pager(cli);
    code = catch_signals(signals, err);
    if (code)
        return code;
    tp_run_on_guard(cli->run, enter_sandbox, cli);
    code = tp_run_start(cli->run, err);
    if (code)
        return code;
    watch_run(cli, signals);
    code = end_pager(cli, err);
    tp_checks_show(&cli->msg, cli->run, cli->checks_format);
    return code;
}

int main(int argc, char **argv)
{
    // getopt begins its messages with argv[0]; show a fixed name there, not a path.
    static char program[] = "tracepipe";
    struct cli cli = {.progress = PROGRESS_UNSAID, .previous = TP_FLAG_COUNT};
    struct signals signals = {.fd = -1};
    struct tp_error err;

    fill_standard_fds();
    tp_last_resort(STATUS_HOST);
    tp_msg_init(&cli.msg);
    if (argc > 0)
        argv[0] = program;

    int code = execute(&cli, argc, argv, &signals, &err);
    int status = code ? status_of(code) : tp_run_exit_status(cli.run);
    const struct tp_error *failure = code ? &err : tp_run_error(cli.run);
    bool pipe_closed = failure && failure->code == TP_E_PIPE && !signals.pipe_was_ignored;
    if (failure && !pipe_closed)
        tp_msg_error(&cli.msg, failure);
    tp_run_destroy(cli.run);
    tp_msg_fini(&cli.msg);
    if (pipe_closed)
        end_by_signal(SIGPIPE);
    // Waits for the outputs of what came; the status is that of the signal all the same.
    if (signals.pipe_ended_by != 0)
        end_by_signal(signals.pipe_ended_by);
    // A signal that came after the end of the run finds nothing to clean up.
    if (signals.fd >= 0) {
        close(signals.fd);
        sigprocmask(SIG_UNBLOCK, &signals.ending, NULL);
    }
    return status;
}
