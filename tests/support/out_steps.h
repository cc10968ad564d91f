// Steps of tests of output files, with assertions. Only the test's own thread may call them.
#ifndef TP_TESTS_OUT_STEPS_H
#define TP_TESTS_OUT_STEPS_H

#include "io/out.h"

// Opens an output; must_start also writes `text`. The caller commits or abandons the output.
struct tp_outfile *must_open(const char *path, enum tp_out_clash clash);
struct tp_outfile *must_start(const char *path, enum tp_out_clash clash, const char *text);

// Asserts that opening fails with exactly this code and errno.
void expect_refusal(const char *path, enum tp_out_clash clash, int code, int sys_errno);

// Commits and asserts exactly this code and errno; 0, 0 is success.
void expect_commit(struct tp_outfile *out, int code, int sys_errno);

#endif
