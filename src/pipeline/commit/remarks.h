// Makes the remarks about a finished input, one after the other, for both messages and manifest, so
// that both report the same. The error of a failed input or output is not a remark: messages and
// manifest read it from the input or the sink. Commit strand of the input that has the turn.
#ifndef TP_PIPELINE_COMMIT_REMARKS_H
#define TP_PIPELINE_COMMIT_REMARKS_H

#include "pipeline/core/run.h"

// Lists of remarks, and their keys in the manifest. X(NAME, key)
#define TP_REMARK_MAP(X)                                                                \
    X(DAMAGE, "damage") /* places that the scan found */                                \
    X(LOSS, "losses")   /* generations with missing events, or events against the rules */ \
    X(DOUBT, "doubts")  /* believed events that contradict others; nothing is lost */   \
    X(NOTE, "notes")    /* anything else */

enum tp_remark_list {
#define TP_X(name, key) TP_REMARK_##name,
    TP_REMARK_MAP(TP_X)
#undef TP_X
    TP_REMARK_LISTS
};

// Largest number of figures of a remark.
#define TP_REMARK_FIGURES_MAX 5
#define TP_REMARK_TEXT_BYTES 4608 // a text may hold the path of a program

// A number of a remark with its key in the manifest.
struct tp_remark_figure {
    const char *key; // NULL: there is no such figure
    uint64_t value;
    bool is_signed;
};

// A remark. The figures are for the manifest; the text contains them, too.
struct tp_remark {
    enum tp_remark_list list;
    enum tp_message_level level;
    const char *kind; // NULL: the remark only gives the number of those left out of the list
    struct tp_remark_figure figures[TP_REMARK_FIGURES_MAX];
    char text[TP_REMARK_TEXT_BYTES]; // the message without the path
};

// Kinds of doubts in the manifest.
extern const char *const tp_doubt_keys[TP_DOUBT_KINDS];

// Takes a remark, which is valid during the call.
typedef void tp_remark_fn(void *ctx, const struct tp_remark *remark);

// Calls `fn` with `ctx` for each remark on the stream and on the sinks' work.
void tp_remarks_of_stream(const struct tp_input_run *in, tp_remark_fn *fn, void *ctx);
// Calls `fn` with `ctx` for each remark on the order of events.
void tp_remarks_of_order(const struct tp_input_run *in, tp_remark_fn *fn, void *ctx);

// Returns the number of findings of a list; 0 for notes, all of which get a remark.
uint64_t tp_remarks_count(const struct tp_input_run *in, enum tp_remark_list list);
// Returns how many of these findings get a remark each; one further remark counts the others.
uint64_t tp_remarks_kept(const struct tp_input_run *in, enum tp_remark_list list);

// Whether the input is known to be no readable trace or state, or some sink of the run does not
// take its format.
bool tp_input_is_refused(const struct tp_input_run *in);
// Returns whether a sink excludes the input from its totals unless it is the only one; states keep
// such inputs apart.
bool tp_input_is_excluded(const struct tp_input_run *in);
// Fills *ret_why with the reason why sink `k` has no result of a finished input.
void tp_refusal_of(const struct tp_input_run *in, size_t k, struct tp_error *ret_why);

#endif
