// Wraps a sink of the embedding program (tracepipe/sink.h): each registration becomes a
// struct tp_sink_def that calls the program's table of hooks. The functions below are called on the
// thread of the run's owner, before the run starts or after it has ended; the hooks run on the
// threads that tracepipe/sink.h names.
#ifndef TP_SINK_USER_H
#define TP_SINK_USER_H

#include "sink/sink.h"
#include "tracepipe/sink.h"

// A registered sink. The run owns it.
struct tp_user_sink {
    struct tp_sink_def def;   // points into this struct: it must not move
    struct tp_sink_ops ops;   // copy of the program's table, texts included
    void *ctx;
    bool is_added;            // `ctx` is configured once, so it serves one sink of the run
};

// Creates a sink from the program's table, and copies the table and its texts; the program keeps
// `ctx` alive until destroy. The caller owns *ret_sink. Fails with TP_E_USAGE if the name is not
// valid or the table contradicts itself, and with TP_E_MEMORY. The caller must check that no other
// sink has the name.
int tp_user_sink_create(const struct tp_sink_ops *ops, void *ctx, struct tp_user_sink **ret_sink,
                        struct tp_error *err) TP_MUST_USE;
// Frees the sink; all inputs and units that use its definition must have ended. NULL is fine.
void tp_user_sink_destroy(struct tp_user_sink *u);

// Returns the user sink that a definition belongs to; NULL: the definition is a built-in one.
struct tp_user_sink *tp_user_sink_of(const struct tp_sink_def *def);

// The `config` of a user sink. It is written before the options are parsed.
struct tp_user_config {
    struct tp_user_sink *sink;
};

// Passes the options "key=value,key=value" to the program's hook, one by one; `text` may be NULL.
// Called while the sink is being added, on the thread that adds it. Fails with TP_E_USAGE, or as
// the hook does.
int tp_user_sink_configure(struct tp_user_sink *u, const char *text, struct tp_error *err)
    TP_MUST_USE;

#endif
