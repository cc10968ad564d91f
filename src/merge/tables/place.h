// Says where in the program a stack is. Pure functions; any thread.
#ifndef TP_MERGE_TABLES_PLACE_H
#define TP_MERGE_TABLES_PLACE_H

#include "merge/tables/tables.h"

// Room for the text of a place.
#define TP_PLACE_BYTES 384

// Returns where a stack of the tables is, as "main.work (/src/main.go:12)": its innermost frame
// outside runtime/trace. Writes the text to `to`; cuts long names. Empty if there is no such stack.
// Resolves no frames, unlike tp_tables_stack.
struct tp_span tp_stack_place(const struct tp_tables *t, uint64_t stack,
                              char to[static TP_PLACE_BYTES]);

#endif
