// The remarks about a finished input, one after the other: for both messages and manifest, so that
// both report the same. Why an input or an output failed is not among them: messages and manifest
// read that error from the input or the sink.
#ifndef TP_PIPELINE_COMMIT_REMARKS_H
#define TP_PIPELINE_COMMIT_REMARKS_H

#include "pipeline/core/run.h"

// Lists of the manifest. X(NAME, key)
#define TP_REMARK_MAP(X)                                                                \
    X(DAMAGE, "damage") /* places that the scan found */                                \
    X(LOSS, "losses")   /* generations whose events are not all there, or not as told */ \
    X(DOUBT, "doubts")  /* events believed against others; nothing is lost */           \
    X(NOTE, "notes")    /* anything else */

enum tp_remark_list {
#define TP_X(name, key) TP_REMARK_##name,
    TP_REMARK_MAP(TP_X)
#undef TP_X
    TP_REMARK_LISTS
};

#define TP_REMARK_FIGURES_MAX 5
#define TP_REMARK_TEXT_BYTES 4608 // one may hold the path of a program

struct tp_remark {
    enum tp_remark_list list;
    enum tp_message_level level;
    const char *kind; // NULL: the remark only counts those left out of the list
    struct tp_remark_figure {
        const char *key;
        uint64_t value;
        bool is_signed;
    } figures[TP_REMARK_FIGURES_MAX];
    size_t figure_count;
    char text[TP_REMARK_TEXT_BYTES]; // the message without the path
};

typedef void tp_remark_fn(void *ctx, const struct tp_remark *remark);

// Call `fn` for each remark on the stream and its sinks, and on the order; a remark is valid
// during the call.
void tp_remarks_of_stream(const struct tp_input_run *in, tp_remark_fn *fn, void *ctx);
void tp_remarks_of_order(const struct tp_input_run *in, tp_remark_fn *fn, void *ctx);

// How many there are, and how many of them are remarks of their own. Notes are all.
uint64_t tp_remarks_count(const struct tp_input_run *in, enum tp_remark_list list);
uint64_t tp_remarks_kept(const struct tp_input_run *in, enum tp_remark_list list);

// Whether the input has no known format, or one that not all sinks of the run take.
bool tp_input_is_refused(const struct tp_input_run *in);
// Why sink `k` has nothing of an input that is done.
void tp_refusal_of(const struct tp_input_run *in, size_t k, struct tp_error *ret_why);

#endif
