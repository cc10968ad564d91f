// Scripts of script_v1.h shown as the parser of that time gave their events: the lines of
// `events:model=v1`.
#ifndef TP_TESTS_LEGACY_SCRIPT_V1_H
#define TP_TESTS_LEGACY_SCRIPT_V1_H

#include "script_v1.h"

// In a static buffer until the next call. An error is the last line: "! text".
const char *script_v1_legacy_events(void);
// As Go, which shows nothing of a trace that it refuses anywhere. Stays so until the next begin.
const char *script_v1_legacy_events_strictly(void);

#endif
