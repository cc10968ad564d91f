// Evaluates the rule that holds after the last transition of a zone. The rule has the form of the
// POSIX variable TZ ("CET-1CEST,M3.5.0,M10.5.0/3"), with the extensions of RFC 8536. Pure.
#ifndef TP_BASE_TIME_ZONE_RULE_H
#define TP_BASE_TIME_ZONE_RULE_H

#include "base/attr.h"

// Finds the offset, in seconds east of UTC, that `rule` gives a zone at a Unix time. False: the
// rule is malformed.
bool tp_zone_rule_offset(const char *rule, int64_t unix_sec, int32_t *ret_offset_sec);

#endif
