// The pull interface: a run with one input and a puller (pull.h). See
// tracepipe/reader.h.

#include "tracepipe/reader.h"

#include <string.h>

#include "base/alloc.h"
#include "base/list.h"
#include "pipeline/run/pull.h"
#include "pipeline/run/single_input.h"

struct message {
    enum tp_message_level level;
    char *text; // owned
};

struct tp_reader {
    struct tp_run *run;
    struct tp_pull pull;
    enum tp_next state;         // BLOCK until the events have ended
    struct tp_error error;      // with FAILED: the reason
    // Messages come on threads of the run, and the program's thread fetches them. All are kept
    // until the reader is closed, because the program borrows their texts: a few dozen at most, as
    // each kind of loss is reported a bounded number of times.
    pthread_mutex_t mu;         // guards the list
    TP_LIST(struct message);
    uint32_t taken_count;          // messages fetched so far; used by the program's thread only
    _Atomic bool has_lost_message; // because memory was lacking
};

// MESSAGES

static void keep_message(void *ctx, enum tp_message_level level, const char *text)
{
    struct tp_reader *r = ctx;
    char *copy = tp_strdup(text);
    pthread_mutex_lock(&r->mu);
    bool is_kept = copy != NULL && TP_LIST_ADD(r, (struct message){level, copy});
    pthread_mutex_unlock(&r->mu);
    if (is_kept)
        return;
    tp_free(copy);
    atomic_store_explicit(&r->has_lost_message, true, memory_order_relaxed);
}

bool tp_reader_take_message(struct tp_reader *reader, struct tp_message *ret_message)
{
    pthread_mutex_lock(&reader->mu);
    bool is_there = reader->taken_count < reader->count;
    struct message m = is_there ? reader->items[reader->taken_count++] : (struct message){0};
    pthread_mutex_unlock(&reader->mu);
    if (is_there)
        *ret_message = (struct tp_message){m.level, m.text};
    return is_there;
}

// OPEN AND CLOSE

static int start(struct tp_reader *r, const char *path, const struct tp_option *options,
                 struct tp_error *err)
{
    int rc = tp_run_create(&r->run, err);
    if (rc != 0)
        return rc;
    tp_run_on_message(r->run, keep_message, r);
    rc = tp_single_input_set(r->run, path, options, err);
    if (rc == 0)
        rc = tp_pull_init(&r->pull, r->run, err);
    return rc == 0 ? tp_single_input_start(r->run, options, err) : rc;
}

int tp_reader_open(const char *path, const struct tp_option *options,
                   struct tp_reader **ret_reader, struct tp_error *err)
{
    struct tp_error unasked;
    err = err != NULL ? err : &unasked;
    struct tp_reader *r = tp_alloc_zero(sizeof *r);
    if (r == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for a reader");
    pthread_mutex_init(&r->mu, NULL);
    r->state = TP_NEXT_BLOCK;
    int rc = start(r, path, options, err);
    if (rc != 0) {
        tp_reader_close(r);
        return rc;
    }
    *ret_reader = r;
    return 0;
}

// Stops the run, and pulls blocks until no more come, because the run ends only then.
static void interrupt(struct tp_reader *r)
{
    tp_run_fail_with(r->run, TP_E_STOPPED, "stopped");
    while (tp_pull_next(&r->pull) != NULL) {
    }
}

void tp_reader_close(struct tp_reader *reader)
{
    if (reader == NULL)
        return;
    bool is_running = reader->run != NULL && reader->run->pool != NULL;
    if (is_running && reader->state == TP_NEXT_BLOCK)
        interrupt(reader);
    tp_run_destroy(reader->run);
    for (size_t i = 0; i < reader->count; i++)
        tp_free(reader->items[i].text);
    tp_free(reader->items);
    pthread_mutex_destroy(&reader->mu);
    tp_free(reader);
}

// THE END

// Returns the error that ended the events; 0: no events are left.
static int reason_of(const struct tp_reader *r, struct tp_error *err)
{
    if (r->pull.order_error.code != 0)
        *err = r->pull.order_error;
    else if (tp_single_input_reason(r->run, err) == 0 &&
             atomic_load_explicit(&r->has_lost_message, memory_order_relaxed))
        tp_fail(err, TP_E_MEMORY, "out of memory for messages");
    if (tp_error_is_of_input(err->code))
        err->path = r->run->inputs.items[0].path;
    return err->code;
}

enum tp_next tp_reader_next(struct tp_reader *reader, struct tp_event_block *ret_block,
                            struct tp_error *err)
{
    if (reader->state == TP_NEXT_BLOCK) {
        const struct tp_block *b = tp_pull_next(&reader->pull);
        if (b != NULL) {
            *ret_block = tp_event_block_of(b);
            return TP_NEXT_BLOCK;
        }
        reader->state = reason_of(reader, &reader->error) == 0 ? TP_NEXT_END : TP_NEXT_FAILED;
    }
    if (reader->state == TP_NEXT_FAILED && err != NULL)
        *err = reader->error;
    return reader->state;
}

bool tp_reader_report(const struct tp_reader *reader, struct tp_reader_report *ret_report)
{
    if (reader->state == TP_NEXT_BLOCK)
        return false;
    *ret_report = (struct tp_reader_report){0};
    const struct tp_input_run *in = tp_single_input_of(reader->run);
    if (in == NULL)
        return true;
    *ret_report = (struct tp_reader_report){
        .go_minor = in->info.format.minor,
        .stored_bytes = in->report.stored_bytes,
        .read_count = in->report.read_count,
        .stream_bytes = in->report.stream_bytes,
        .damage_count = in->report.damage_count,
        .lost_bytes = in->report.lost_bytes,
    };
    if (in->order_report != NULL) {
        ret_report->event_count = in->order_report->event_count;
        ret_report->before_count = in->order_report->window.before_count;
        ret_report->behind_count = in->order_report->window.behind_count;
        ret_report->behind_bytes = in->order_report->window.behind_bytes;
        ret_report->incomplete_count = in->order_report->loss_count;
        ret_report->unordered_bytes = in->order_report->lost_bytes;
    }
    return true;
}
