// Shows how the files that a record names differ from what it says of them.
#ifndef TP_CLI_VERIFY_H
#define TP_CLI_VERIFY_H

#include <stdbool.h>
#include <stddef.h>

#include "tracepipe/error.h"

// Prints a sign and a path for each file that differs, and with `shows_same` for the others, to stdout.
// Sets *ret_differing_count. Fails as tp_record_verify does, and prints nothing then.
int tp_verify(const char *record, bool shows_same, size_t *ret_differing_count, struct tp_error *err);

#endif
