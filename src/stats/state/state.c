#include "stats/state/state.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/digest.h"
#include "decode/format.h"
#include "decode/varint.h"
#include "stats/state/section.h"

// A file: magic, version (4 bytes), length of the file (8 bytes), sections, 0 or 1, after 1 the
// sections of the files whose clock is in doubt, XXH3-64 of all bytes before it (8 bytes). Numbers of
// fixed size are little-endian.
#define VERSION_AT TP_FORMAT_STATE_MAGIC_BYTES
#define LENGTH_AT (VERSION_AT + 4)
#define SECTIONS_AT (LENGTH_AT + 8)
#define CHECKSUM_BYTES 8

static const struct tp_section *const sections[TP_SECTION_COUNT] = {
#define TP_X(name) &tp_section_##name,
    TP_SECTIONS(TP_X)
#undef TP_X
};

static void put_fixed(unsigned char *to, uint64_t value, size_t len_bytes)
{
    for (size_t i = 0; i < len_bytes; i++)
        to[i] = (unsigned char)(value >> (8 * i));
}

static uint64_t get_fixed(const unsigned char *from, size_t len_bytes)
{
    uint64_t value = 0;
    for (size_t i = 0; i < len_bytes; i++)
        value |= (uint64_t)from[i] << (8 * i);
    return value;
}

// WRITE

static void put_all_fixed(struct tp_state_stream *to, uint64_t value, size_t len_bytes)
{
    unsigned char bytes[8];
    put_fixed(bytes, value, len_bytes);
    tp_state_put_bytes(to, tp_span_of(bytes, len_bytes));
}

static void put_totals(struct tp_state_writer *w)
{
    for (unsigned id = 0; id < TP_SECTION_COUNT; id++)
        tp_state_put_section(w, id);
}

// Puts the file with this length.
static void put_file(struct tp_state_writer *w, struct tp_state_writer *doubtful,
                     uint64_t file_bytes)
{
    struct tp_state_stream *to = w->to;
    tp_state_put_bytes(to, tp_span_of(TP_FORMAT_STATE_MAGIC, TP_FORMAT_STATE_MAGIC_BYTES));
    put_all_fixed(to, TP_FORMAT_STATE_VERSION, LENGTH_AT - VERSION_AT);
    put_all_fixed(to, file_bytes, SECTIONS_AT - LENGTH_AT);
    put_totals(w);
    tp_state_put(to, doubtful->totals != NULL);
    if (doubtful->totals != NULL)
        put_totals(doubtful);
}

// Writes the totals as a file, and sets *ret_checksum to the last bytes of it. First only counts the
// bytes, because the length of the file is at its beginning; so a file of any length needs no memory
// but the buffer and the order of the rows.
static int write_file(const struct tp_totals *s, struct tp_out *out, uint64_t *ret_checksum,
                      struct tp_error *err)
{
    struct tp_state_stream to = {.err = err};
    struct tp_state_writer w = {.sections = sections, .totals = s, .to = &to};
    struct tp_state_writer doubtful = {
        .sections = sections, .totals = s->doubtful, .to = &to};
    to.digest = tp_digest_create();
    to.buf = tp_alloc(TP_STATE_BUF_BYTES);
    bool has_memory = to.digest != NULL && to.buf != NULL && tp_state_orders_init(&w) &&
                      (s->doubtful == NULL || tp_state_orders_init(&doubtful));
    if (has_memory) {
        put_file(&w, &doubtful, 0);
        tp_state_flush(&to);
        to.out = out;
        put_file(&w, &doubtful, to.len_bytes + CHECKSUM_BYTES);
        tp_state_flush(&to);
        *ret_checksum = tp_digest_short_of(to.digest);
        put_all_fixed(&to, *ret_checksum, CHECKSUM_BYTES);
        tp_state_flush(&to);
    }
    tp_state_orders_fini(&w);
    tp_state_orders_fini(&doubtful);
    tp_digest_destroy(to.digest);
    tp_free(to.buf);
    return has_memory ? to.code
                      : tp_fail(err, TP_E_MEMORY, "out of memory for a statistics state");
}

int tp_totals_write(const struct tp_totals *s, struct tp_out *out, struct tp_error *err)
{
    uint64_t checksum;
    return write_file(s, out, &checksum, err);
}

// READ

// Checks magic, version, length and checksum.
static int check_frame(struct tp_span file, struct tp_error *err)
{
    if (file.len_bytes < SECTIONS_AT + CHECKSUM_BYTES)
        return tp_fail(err, TP_E_STATE, "damaged statistics state: it ends after %zu bytes",
                       file.len_bytes);
    if (memcmp(file.ptr, TP_FORMAT_STATE_MAGIC, TP_FORMAT_STATE_MAGIC_BYTES) != 0)
        return tp_fail(err, TP_E_STATE, "not a statistics state");
    uint64_t version = get_fixed(file.ptr + VERSION_AT, LENGTH_AT - VERSION_AT);
    if (version != TP_FORMAT_STATE_VERSION)
        return tp_fail(err, TP_E_STATE,
                       "statistics state of version %" PRIu64 ", not %d: written by another "
                       "version of tracepipe; make it again from the traces",
                       version, TP_FORMAT_STATE_VERSION);
    uint64_t len_bytes = get_fixed(file.ptr + LENGTH_AT, SECTIONS_AT - LENGTH_AT);
    if (len_bytes != file.len_bytes)
        return tp_fail(err, TP_E_STATE,
                       "damaged statistics state: %zu bytes instead of %" PRIu64,
                       file.len_bytes, len_bytes);
    struct tp_span all = tp_span_of(file.ptr, file.len_bytes - CHECKSUM_BYTES);
    if (get_fixed(all.ptr + all.len_bytes, CHECKSUM_BYTES) != tp_digest_short(all))
        return tp_fail(err, TP_E_STATE,
                       "damaged statistics state: checksum mismatch");
    return 0;
}

static void get_totals(struct tp_state_reader *r)
{
    for (unsigned id = 0; id < TP_SECTION_COUNT; id++)
        tp_state_get_section(r, id);
    for (unsigned id = 0; id < TP_SECTION_COUNT && r->code == 0; id++) {
        if (sections[id]->check != NULL)
            sections[id]->check(r);
    }
}

static void get_doubtful(struct tp_state_reader *r)
{
    r->totals = r->all->doubtful = tp_alloc_zero(sizeof *r->totals);
    if (r->totals == NULL) {
        tp_state_lack_memory(r);
        return;
    }
    get_totals(r);
    if (r->totals->file_count == 0)
        tp_state_refuse(r, "inconsistent clocks of no file");
}

static int get_file(struct tp_span file, const struct tp_state_terms *terms,
                    struct tp_totals *totals, struct tp_error *err)
{
    struct tp_state_reader r = {.sections = sections,
                                .all = totals,
                                .totals = totals,
                                .terms = terms,
                                .given_back = file.ptr,
                                .file_end = file.ptr + file.len_bytes,
                                .begin = file.ptr,
                                .at = file.ptr + SECTIONS_AT,
                                .end = file.ptr + file.len_bytes - CHECKSUM_BYTES,
                                .err = err};
    get_totals(&r);
    if (tp_state_get_below(&r, 2, "choice of inconsistent clocks") == 1)
        get_doubtful(&r);
    if (r.at < r.end)
        tp_state_refuse(&r, "it continues after its end");
    return r.code;
}

static int forget(struct tp_out *out, struct tp_span bytes, struct tp_error *err)
{
    (void)out, (void)bytes, (void)err;
    return 0;
}

// Refuses a state that this program would not write: writes the totals again and compares the
// checksum, because the bytes may have been given back. This finds entries that are unsorted, unused,
// repeated, or in too many bytes.
static int check_form(struct tp_span file, const struct tp_totals *totals, struct tp_error *err)
{
    struct tp_out out = {forget};
    uint64_t checksum;
    int rc = write_file(totals, &out, &checksum, err);
    if (rc != 0 ||
        checksum == get_fixed(file.ptr + file.len_bytes - CHECKSUM_BYTES, CHECKSUM_BYTES))
        return rc;
    return tp_fail(err, TP_E_STATE, "damaged statistics state: not in canonical form");
}

// Both totals must fit into `most_bytes`.
static int remove_pcs(struct tp_totals *totals, uint64_t most_bytes, struct tp_error *err)
{
    struct tp_totals without = {0};
    if (tp_totals_bytes(totals) > most_bytes / 2)
        return tp_totals_outgrow(err);
    int rc = tp_totals_merge_without_pcs(&without, totals, err);
    tp_totals_fini(totals);
    *totals = without;
    return rc;
}

// Whether the totals have stacks, but no PCs; `doubtful` is not looked at.
static bool lack_pcs(const struct tp_totals *s)
{
    return s->frames.count > 0 && !tp_totals_frames_have_pcs(&s->frames);
}

static bool have_pcs(const struct tp_totals *s)
{
    return tp_totals_frames_have_pcs(&s->frames) ||
           (s->doubtful != NULL && have_pcs(s->doubtful));
}

static int require_pcs(const struct tp_totals *s, struct tp_error *err)
{
    if (!lack_pcs(s) && (s->doubtful == NULL || !lack_pcs(s->doubtful)))
        return 0;
    return tp_fail(err, TP_E_STATE,
                   "statistics state without program counters, which stats:pc=yes needs");
}

int tp_totals_read_by(struct tp_span file, const struct tp_state_terms *terms,
                      struct tp_totals *ret_totals, struct tp_error *err)
{
    struct tp_totals totals = {0};
    int rc = check_frame(file, err);
    if (rc == 0)
        rc = get_file(file, terms, &totals, err);
    if (rc == 0)
        rc = check_form(file, &totals, err);
    if (rc == 0 && terms->pcs == TP_STATE_PCS_REQUIRED)
        rc = require_pcs(&totals, err);
    if (rc == 0 && terms->pcs == TP_STATE_PCS_REMOVED && have_pcs(&totals))
        rc = remove_pcs(&totals, terms->most_bytes, err);
    if (rc == 0)
        *ret_totals = totals;
    else
        tp_totals_fini(&totals);
    return rc;
}

int tp_totals_read(struct tp_span file, struct tp_totals *ret_totals, struct tp_error *err)
{
    const struct tp_state_terms terms = {.most_bytes = UINT64_MAX};
    return tp_totals_read_by(file, &terms, ret_totals, err);
}
