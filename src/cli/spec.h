// The argument of --sink: NAME, or NAME:KEY=VALUE,... Pure; borrows its arguments for the call.
#ifndef TP_CLI_SPEC_H
#define TP_CLI_SPEC_H

#include "tracepipe/tracepipe.h"

// The longest argument to which --json adds an option, with the option and a NUL.
#define TP_SPEC_JSON_BYTES 4096

// Whether a word names the sink, with options behind the name or without.
bool tp_spec_names(const char *word, const char *name);
// Whether a word names any sink of tracepipe.
bool tp_spec_names_any(const char *word);

// The effect of --json on a sink.
enum tp_spec_json {
    TP_SPEC_JSON_ADDED,   // the sink gets the option format=json
    TP_SPEC_JSON_GIVEN,   // it has this option already
    TP_SPEC_JSON_OTHER,   // it has another format
    TP_SPEC_JSON_MISSING, // no format of it is JSON
};

// Returns the effect of --json on a sink, and for TP_SPEC_JSON_ADDED writes its argument with the
// option to `to`. An argument that is too long is TP_SPEC_JSON_MISSING.
enum tp_spec_json tp_spec_add_json(const char *spec, char to[static TP_SPEC_JSON_BYTES]);

#endif
