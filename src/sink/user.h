// A sink of someone else's (tracepipe/sink.h) in the shape of our own: its table of
// hooks wrapped into a struct tp_sink_def, one for each registration.
#ifndef TP_SINK_USER_H
#define TP_SINK_USER_H

#include "sink/sink.h"
#include "tracepipe/sink.h"

struct tp_user_sink {
    struct tp_sink_def def;   // points into this struct: it must not move
    struct tp_sink_ops ops;   // copies of the program's, texts included
    void *ctx;
    bool is_added;            // `ctx` is configured once, so it serves one sink of the run
};

// TP_E_USAGE for a name that cannot be one; whether it is taken is the caller's to know.
int tp_user_sink_create(const struct tp_sink_ops *ops, void *ctx, struct tp_user_sink **ret_sink,
                        struct tp_error *err) TP_MUST_USE;
void tp_user_sink_destroy(struct tp_user_sink *u);

// The user sink behind a definition, or NULL if it is one of ours.
struct tp_user_sink *tp_user_sink_of(const struct tp_sink_def *def);

// What the `config` of such a sink is: written before its options are parsed.
struct tp_user_config {
    struct tp_user_sink *sink;
};

// Options "key=value,key=value" to the hook for them; `text` may be NULL.
int tp_user_sink_configure(struct tp_user_sink *u, const char *text, struct tp_error *err)
    TP_MUST_USE;

#endif
