#include "cli/last_resort.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "tracepipe/tracepipe.h"

static int g_status;
static atomic_flag g_ending = ATOMIC_FLAG_INIT;

static void say(const char *text)
{
    (void)!write(STDERR_FILENO, text, strlen(text));
}

// Runs on the thread that called abort, inside the function whose check failed. Takes only
// one lock, that of the list of outputs; no code asserts while it holds that lock, so the
// handler cannot deadlock with its own thread.
static void on_abort(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (info->si_code != SI_TKILL || info->si_pid != getpid()) {
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    if (atomic_flag_test_and_set(&g_ending))
        for (;;)
            pause(); // another thread is ending the process
    tp_run_remove_temporaries();
    say("tracepipe: internal error: the run ends here, and unfinished outputs are removed; "
        "please report it with the lines above\n");
    _exit(g_status);
}

void tp_last_resort(int status)
{
    struct sigaction action = {.sa_sigaction = on_abort, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    g_status = status;
    sigaction(SIGABRT, &action, NULL);
}
