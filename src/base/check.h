// Checks for bugs of this program, active in all builds. Two kinds:
//
//   TP_CHECK  for a condition that depends on one input, in a function that can return an
//             error: that input fails with TP_E_INTERNAL, and the run goes on
//   assert    for a promise between functions, and for a condition whose failure may mean
//             damaged memory: the process ends by SIGABRT, which the program (src/cli)
//             turns into a clean end
#ifndef TP_BASE_CHECK_H
#define TP_BASE_CHECK_H

#include "base/err.h"

// 0 if `ok`, else TP_E_INTERNAL with the condition, file and line as text.
#define TP_CHECK(ok, err) (tp_likely(ok) ? 0 : tp_check_failed((err), #ok, __FILE__, __LINE__))

// For TP_CHECK only: fills the error and returns TP_E_INTERNAL.
int tp_check_failed(struct tp_error *err, const char *condition, const char *file, int line)
    __attribute__((cold));

#endif
