// The two parts of the sandbox. Each applies to the calling thread and all that it starts.
#ifndef TP_CLI_CONFINE_H
#define TP_CLI_CONFINE_H

#include "tracepipe/tracepipe.h"

// The result of putting a part in force.
enum tp_confined {
    TP_CONFINED,         // it is in force
    TP_CONFINE_MISSING,  // this kernel or this build lacks it: the error says why; nothing was changed
    TP_CONFINE_FAILED,   // the error says why
};

// Lets the thread use files only as `run` does. *ret_abi becomes the version of the kernel's
// Landlock. The process has set no_new_privs.
enum tp_confined tp_landlock_enter(struct tp_run *run, int *ret_abi, struct tp_error *err);

// Refuses the system calls that the program does not make. All threads that exist are included.
enum tp_confined tp_call_filter_load(struct tp_error *err);

#endif
