// Shows the results of the checks of a run on stderr.
#ifndef TP_CLI_CHECKS_H
#define TP_CLI_CHECKS_H

#include "cli/msg.h"

enum tp_checks_format {
    TP_CHECKS_TEXT,
    TP_CHECKS_GITHUB, // failed ones as workflow commands of GitHub Actions
};

// Sets *ret_format to the format that the argument of --check-format names; TP_E_USAGE: it names none.
int tp_checks_format_parse(const char *text, enum tp_checks_format *ret_format, struct tp_error *err);

// Shows a line for each check, in the order in which they were given; nothing if the run failed before
// they were evaluated. Where messages below errors are not shown, checks that hold are not, either.
// Main thread, after the end of the run.
void tp_checks_show(struct tp_msg *msg, const struct tp_run *run, enum tp_checks_format format);

#endif
