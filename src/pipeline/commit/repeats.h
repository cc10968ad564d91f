// Messages of one kind about many inputs: the first few are sent, and one line at the end of the
// run counts the inputs of the others. Used in input order, as the outputs of the run are.
#ifndef TP_PIPELINE_COMMIT_REPEATS_H
#define TP_PIPELINE_COMMIT_REPEATS_H

#include "pipeline/core/input.h"

// Largest number of inputs of which each message of one kind is sent, and of kinds that are
// counted; messages of further kinds are all sent.
#define TP_REPEATS_SENT 10
#define TP_REPEATS_KINDS 64

// The messages so far. Owns nothing; zeroed at first.
struct tp_repeats {
    struct tp_repeat {
        enum tp_message_level level;
        // Constants. `kind` NULL: the message counts others of the input, so no line counts it.
        const char *list, *kind;
        size_t input_count;
        size_t last; // index + 1 of the last of these inputs
    } kinds[TP_REPEATS_KINDS];
    unsigned kind_count;
};

// Counts a message about an input. Returns whether it is to be sent.
bool tp_repeats_take(struct tp_repeats *r, size_t input_index, enum tp_message_level level,
                     const char *list, const char *kind);
// Sends the counts of what was not sent.
void tp_repeats_say(const struct tp_repeats *r, struct tp_run *run);

#endif
