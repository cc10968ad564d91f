// Reads JSON that tp_json_put and its callers have written: one value in memory, whose parts are spans
// of it. Libraries do not accept the lone surrogates in which such JSON keeps names that are not
// UTF-8. No function reads beyond the span, whatever the bytes are; the cost is linear in them. Any
// thread; these functions allocate nothing unless they say so.
#ifndef TP_BASE_TEXT_JSON_READ_H
#define TP_BASE_TEXT_JSON_READ_H

#include <stdbool.h>

#include "base/attr.h"
#include "base/span.h"

// Returns whether the bytes are one object whose strings and brackets end, with nothing behind it.
bool tp_json_is_object(struct tp_span bytes);
// Returns the value of a key of the object, not of objects in it; empty: there is no such key.
struct tp_span tp_json_member(struct tp_span object, const char *key);
// Returns the items of an array, for tp_json_next; empty: the value is none.
struct tp_span tp_json_items(struct tp_span array);
// Takes the next of *rest: sets *ret_item and shortens *rest. False: there is none.
bool tp_json_next(struct tp_span *rest, struct tp_span *ret_item);

// Returns whether the value is the string `text`, which needs no escapes.
bool tp_json_equals(struct tp_span value, const char *text);
// Sets *ret_number to a value of up to 19 digits. False: it is none, and nothing is set.
bool tp_json_u64(struct tp_span value, uint64_t *ret_number);
// Returns whether the value is a string whose escapes are right, and without a NUL.
bool tp_json_is_text(struct tp_span value);
// Returns a string without quotes and escapes, which the caller frees with tp_free. NULL: the value is
// not such a string, or there is no memory.
char *tp_json_strdup(struct tp_span value);

#endif
