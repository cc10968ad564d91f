// The filter of system calls: a program for the kernel, made by libseccomp from calls.def.
#include <errno.h>
#include <string.h>

#include "cli/confine.h"

#ifdef TP_WITH_SECCOMP
#include <sched.h>
#include <seccomp.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#endif
// TCGETS2, which newer C libraries use to see whether a descriptor is a terminal; <asm/termbits.h>
// clashes with <termios.h>.
#define MODES_2 _IOC(_IOC_READ, 'T', 0x2A, 44)

// s390 has the arguments of clone in another order.
#ifdef __s390__
#define CLONE_FLAGS_ARG 1
#else
#define CLONE_FLAGS_ARG 0
#endif

enum rule { ANY, SELF, THREAD, DATA, NAME, TERMINAL, TESTS, NO };

struct call {
    const char *name;
    enum rule rule;
};

static const struct call calls[] = {
#define TP_CALL(name, rule) {#name, rule},
#include "cli/calls.def"
#undef TP_CALL
};

#ifdef TP_SANITIZED
static const bool is_for_tests = true;
#else
static const bool is_for_tests = false;
#endif

static int allow_if(scmp_filter_ctx filter, int number, struct scmp_arg_cmp condition)
{
    return seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, number, 1, &condition);
}

static int allow_each(scmp_filter_ctx filter, int number, unsigned arg, const scmp_datum_t *values,
                      size_t count)
{
    int rc = 0;

    for (size_t i = 0; i < count && rc == 0; i++)
        rc = allow_if(filter, number,
                      (struct scmp_arg_cmp){.arg = arg, .op = SCMP_CMP_EQ, .datum_a = values[i]});
    return rc;
}

// Adds the rule of a call. Returns 0 or a negative errno.
static int add(scmp_filter_ctx filter, int number, enum rule rule)
{
    const scmp_datum_t processes[] = {0, (scmp_datum_t)getpid()};
    static const scmp_datum_t names[] = {PR_SET_NAME, PR_SET_VMA};
    static const scmp_datum_t terminal[] = {TIOCGWINSZ, TIOCGPGRP, TCGETS, MODES_2};

    if (is_for_tests && rule != NO) // sanitizers do more with the calls that are conditional
        rule = ANY;
    switch (rule) {
    case ANY: return seccomp_rule_add(filter, SCMP_ACT_ALLOW, number, 0);
    case SELF: return allow_each(filter, number, 0, processes, 2);
    case THREAD:
        return allow_if(filter, number,
                        (struct scmp_arg_cmp){.arg = CLONE_FLAGS_ARG, .op = SCMP_CMP_MASKED_EQ,
                                              .datum_a = CLONE_THREAD, .datum_b = CLONE_THREAD});
    case DATA: return allow_if(filter, number,
                        (struct scmp_arg_cmp){.arg = 2, .op = SCMP_CMP_MASKED_EQ, .datum_a = PROT_EXEC});
    case NAME: return allow_each(filter, number, 0, names, 2);
    case TERMINAL: return allow_each(filter, number, 1, terminal, 4);
    case TESTS:
    case NO: return seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), number, 0);
    }
    return -EINVAL;
}

static int build(scmp_filter_ctx filter)
{
    // Threads that a preloaded library has started are included.
    int rc = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
    // The kernel's own errno from seccomp_load.
    if (rc == 0)
        rc = seccomp_attr_set(filter, SCMP_FLTATR_API_SYSRAWRC, 1);
    // Calls by the numbers of another architecture are refused and do not kill, as all others.
    if (rc == 0)
        rc = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(EPERM));
    // A search tree: the kernel runs the filter at every call whose arguments matter.
    if (rc == 0)
        rc = seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0] && rc == 0; i++) {
        int number = seccomp_syscall_resolve_name(calls[i].name);
        if (number >= 0) // a negative one is not of this architecture, or not known
            rc = add(filter, number, calls[i].rule);
    }
    return rc;
}

enum tp_confined tp_call_filter_load(struct tp_error *err)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(ENOSYS));
    int rc = filter != NULL ? build(filter) : -ENOMEM;

    if (rc == 0)
        rc = seccomp_load(filter);
    seccomp_release(filter);
    if (rc == 0)
        return TP_CONFINED;
    tp_error_set(err, TP_E_KERNEL, "no seccomp: %s", strerror(-rc));
    return rc == -ENOMEM ? TP_CONFINE_FAILED : TP_CONFINE_MISSING;
}
#else
enum tp_confined tp_call_filter_load(struct tp_error *err)
{
    tp_error_set(err, TP_E_KERNEL, "no seccomp: this program was built without libseccomp");
    return TP_CONFINE_MISSING;
}
#endif
