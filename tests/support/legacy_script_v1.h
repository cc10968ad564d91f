// Shows scripts of script_v1.h as legacy events, in the lines of `events:model=v1`.
#ifndef TP_TESTS_LEGACY_SCRIPT_V1_H
#define TP_TESTS_LEGACY_SCRIPT_V1_H

#include "script_v1.h"

// Returns the legacy events of the script as text, in a static buffer that lives until the next
// call. If there is an error, the last line is "! " and the error's text.
const char *script_v1_legacy_events(void);
// Does the same as script_v1_legacy_events, but shows no event if the trace has an error anywhere,
// as Go's parser does. The strict mode stays on until the next script begins.
const char *script_v1_legacy_events_strictly(void);

#endif
