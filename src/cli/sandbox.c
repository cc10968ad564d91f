#include "cli/sandbox.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

#include "cli/confine.h"

int tp_sandbox_parse(const char *word, enum tp_sandbox_choice *ret_choice, struct tp_error *err)
{
    static const char *const words[] = {
#define TP_X(name, text) text,
        TP_SANDBOX_MAP(TP_X)
#undef TP_X
    };

    for (unsigned i = 0; i < TP_SANDBOX_CHOICES; i++) {
        if (strcmp(word, words[i]) == 0) {
            *ret_choice = (enum tp_sandbox_choice)i;
            return 0;
        }
    }
    return tp_error_set(err, TP_E_USAGE, "--sandbox must be auto, require or off, not '%s'", word);
}

// Adds a part to the line about the sandbox. A part that is missing is an error if it is required.
static int tell(enum tp_confined outcome, const char *name, bool is_required, struct tp_error *why,
                char what[TP_SANDBOX_WHAT_BYTES], struct tp_error *err)
{
    size_t n = strlen(what);

    if (outcome == TP_CONFINE_FAILED) {
        *err = *why;
        return err->code;
    }
    if (outcome == TP_CONFINE_MISSING && is_required)
        return tp_error_set(err, TP_E_KERNEL, "--sandbox=require: %s (--sandbox=off does without)",
                            why->text);
    snprintf(what + n, TP_SANDBOX_WHAT_BYTES - n, "%s%s", n > 0 ? ", " : "sandbox: ",
             outcome == TP_CONFINED ? name : why->text);
    return 0;
}

int tp_sandbox_enter(enum tp_sandbox_choice choice, struct tp_run *run,
                     char ret_what[TP_SANDBOX_WHAT_BYTES], struct tp_error *err)
{
    bool is_required = choice == TP_SANDBOX_REQUIRE;
    struct tp_error why;
    char name[32];
    int abi = 0;

    snprintf(ret_what, TP_SANDBOX_WHAT_BYTES, "%s", choice == TP_SANDBOX_OFF ? "sandbox: off" : "");
    if (choice == TP_SANDBOX_OFF)
        return 0;
    // Both parts need it: no program started later could gain rights. It cannot fail since Linux 3.5.
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return tp_error_set(err, TP_E_KERNEL, "no_new_privs: %s", strerror(errno));
    // The filter comes second: it refuses the system calls of Landlock.
    enum tp_confined outcome = tp_landlock_enter(run, &abi, &why);
    snprintf(name, sizeof name, "landlock %d", abi);
    int code = tell(outcome, name, is_required, &why, ret_what, err);
    if (code == 0)
        code = tell(tp_call_filter_load(&why), "seccomp", is_required, &why, ret_what, err);
    return code;
}
