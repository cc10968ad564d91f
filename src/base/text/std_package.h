// Tells functions of Go's standard library by their names.
#ifndef TP_BASE_TEXT_STD_PACKAGE_H
#define TP_BASE_TEXT_STD_PACKAGE_H

#include "base/span.h"

// Whether a function is of the standard library (std_packages.def), or of golang.org/x. Keeps no state,
// cannot fail, any thread.
bool tp_is_std_function(struct tp_span function);

#endif
