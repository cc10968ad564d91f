// Checks of our own work, in all builds. Two kinds:
//
//   TP_CHECK  of what depends on one input, where an error can be returned: that input
//             fails with TP_E_INTERNAL, and the run goes on
//   assert    of promises between functions, and of what may have damaged memory already:
//             nothing can go on; the process ends by SIGABRT, which the program (src/cli)
//             turns into a clean end
#ifndef TP_BASE_CHECK_H
#define TP_BASE_CHECK_H

#include "base/err.h"

// 0, or TP_E_INTERNAL with the condition and its place, for a report.
#define TP_CHECK(ok, err) (tp_likely(ok) ? 0 : tp_check_failed((err), #ok, __FILE__, __LINE__))

int tp_check_failed(struct tp_error *err, const char *condition, const char *file, int line)
    __attribute__((cold));

#endif
