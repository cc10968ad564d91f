// Takes from the process the rights that reading traces does not need, before it reads the first
// one: a trace from a stranger might take over the program by an error that nobody has found yet.
//
//   Landlock       opens inputs to read, and creates files in folders of outputs and the temporary
//                  folder; executes nothing, connects to nothing, signals nobody outside
//   system calls   a filter by libseccomp lets those through that the program uses (calls.def)
//
// Neither can be undone. Rings of io_uring are restricted by the library that makes them.
#ifndef TP_CLI_SANDBOX_H
#define TP_CLI_SANDBOX_H

#include <stdbool.h>

#include "tracepipe/tracepipe.h"

// The words of --sandbox. X(NAME, word)
#define TP_SANDBOX_MAP(X)                                                     \
    X(AUTO, "auto")       /* as much as the kernel has */                     \
    X(REQUIRE, "require") /* all of it, else no run */                        \
    X(OFF, "off")

enum tp_sandbox_choice {
#define TP_X(name, word) TP_SANDBOX_##name,
    TP_SANDBOX_MAP(TP_X)
#undef TP_X
    TP_SANDBOX_CHOICES
};

// Sets *ret_choice to the choice that the word names. Fails with TP_E_USAGE.
int tp_sandbox_parse(const char *word, enum tp_sandbox_choice *ret_choice, struct tp_error *err);

// Room for a line about a sandbox.
#define TP_SANDBOX_WHAT_BYTES 192

// Puts the process into the sandbox, with the paths of `run`, whose guard calls this. `ret_what`
// gets a line for -v. Fails with TP_E_KERNEL if the choice requires what the kernel lacks, and with
// the codes of tp_run_visit_paths; the process may then have lost rights and must end.
int tp_sandbox_enter(enum tp_sandbox_choice choice, struct tp_run *run,
                     char ret_what[TP_SANDBOX_WHAT_BYTES], struct tp_error *err);

#endif
