// Steps that tests of outputs take, each with its assertions.
#ifndef TP_TESTS_OUT_STEPS_H
#define TP_TESTS_OUT_STEPS_H

#include "io/out.h"

// Opens; opens and writes `text`.
struct tp_outfile *must_open(const char *path, enum tp_out_clash clash);
struct tp_outfile *must_start(const char *path, enum tp_out_clash clash, const char *text);

// Opening fails with just this.
void expect_refusal(const char *path, enum tp_out_clash clash, int code, int sys_errno);

// Committing gives just this; 0, 0 is success.
void expect_commit(struct tp_outfile *out, int code, int sys_errno);

#endif
