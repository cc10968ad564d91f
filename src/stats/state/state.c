#include "stats/state/state.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/digest.h"
#include "decode/format.h"
#include "decode/varint.h"
#include "stats/state/section.h"

// A file: magic, version (4 bytes), length of the file (8 bytes), sections, XXH3-64 of all
// bytes before it (8 bytes). Numbers of fixed size are little-endian.
#define VERSION_AT TP_FORMAT_STATE_MAGIC_BYTES
#define LENGTH_AT (VERSION_AT + 4)
#define SECTIONS_AT (LENGTH_AT + 8)
#define CHECKSUM_BYTES 8

struct section {
    unsigned number;
    const struct tp_section *hooks;
};

static const struct section sections[] = {
#define TP_X(number, name) {number, &tp_section_##name},
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

static void put_all_fixed(struct tp_state_writer *w, uint64_t value, size_t len_bytes)
{
    unsigned char bytes[8];
    put_fixed(bytes, value, len_bytes);
    tp_state_put_bytes(w, tp_span_of(bytes, len_bytes));
}

// Counts the bytes of each section and returns those of the file.
static uint64_t measure(struct tp_state_writer *w, uint64_t *ret_bytes_of)
{
    uint64_t file_bytes = SECTIONS_AT + CHECKSUM_BYTES;
    struct tp_out *out = w->out;
    w->out = NULL;
    for (size_t i = 0; i < TP_ARRAY_LEN(sections) && !w->lacks_memory; i++) {
        w->len_bytes = 0;
        sections[i].hooks->put(w);
        ret_bytes_of[i] = w->len_bytes;
        if (w->len_bytes > 0)
            file_bytes += tp_varint_len(sections[i].number) + tp_varint_len(w->len_bytes) +
                          w->len_bytes;
    }
    w->out = out;
    return file_bytes;
}

static void put_file(struct tp_state_writer *w)
{
    uint64_t bytes_of[TP_ARRAY_LEN(sections)];
    for (size_t i = 0; i < TP_ARRAY_LEN(sections); i++) {
        if (sections[i].hooks->use != NULL)
            sections[i].hooks->use(w);
    }
    tp_state_orders_sort(w);
    uint64_t file_bytes = measure(w, bytes_of);
    if (w->lacks_memory)
        return;
    tp_state_put_bytes(w, tp_span_of(TP_FORMAT_STATE_MAGIC, TP_FORMAT_STATE_MAGIC_BYTES));
    put_all_fixed(w, TP_STATE_VERSION, LENGTH_AT - VERSION_AT);
    put_all_fixed(w, file_bytes, SECTIONS_AT - LENGTH_AT);
    for (size_t i = 0; i < TP_ARRAY_LEN(sections) && !w->lacks_memory && w->code == 0; i++) {
        if (bytes_of[i] == 0)
            continue;
        tp_state_put(w, sections[i].number);
        tp_state_put(w, bytes_of[i]);
        sections[i].hooks->put(w);
    }
    tp_state_flush(w);
    put_all_fixed(w, tp_digest_short_of(w->digest), CHECKSUM_BYTES);
    tp_state_flush(w);
}

int tp_totals_write(const struct tp_totals *s, struct tp_out *out, struct tp_error *err)
{
    struct tp_state_writer w = {.totals = s, .out = out, .err = err};
    w.digest = tp_digest_create();
    w.buf = tp_alloc(TP_STATE_BUF_BYTES);
    w.lacks_memory = w.digest == NULL || w.buf == NULL;
    if (tp_state_orders_init(&w))
        put_file(&w);
    tp_state_orders_fini(&w);
    tp_digest_destroy(w.digest);
    tp_free(w.buf);
    return w.lacks_memory ? tp_fail(err, TP_E_MEMORY, "out of memory for a statistics state")
                          : w.code;
}

// READ

static const struct section *find_section(uint64_t number)
{
    for (size_t i = 0; i < TP_ARRAY_LEN(sections); i++) {
        if (sections[i].number == number)
            return &sections[i];
    }
    return NULL;
}

// Checks magic, version, length and checksum.
static int check_frame(struct tp_span file, struct tp_error *err)
{
    if (file.len_bytes < SECTIONS_AT + CHECKSUM_BYTES)
        return tp_fail(err, TP_E_STATE, "damaged statistics state: it ends after %zu bytes",
                       file.len_bytes);
    if (memcmp(file.ptr, TP_FORMAT_STATE_MAGIC, TP_FORMAT_STATE_MAGIC_BYTES) != 0)
        return tp_fail(err, TP_E_STATE, "not a statistics state");
    uint64_t version = get_fixed(file.ptr + VERSION_AT, LENGTH_AT - VERSION_AT);
    if (version != TP_STATE_VERSION)
        return tp_fail(err, TP_E_STATE,
                       "statistics state of version %" PRIu64 ", not %d: written by another "
                       "version of tracepipe; make it again from the traces",
                       version, TP_STATE_VERSION);
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

static void get_section(struct tp_state_reader *r, unsigned *last_number)
{
    const unsigned char *file_end = r->end;
    uint64_t number = tp_state_get(r);
    const struct section *s = find_section(number);
    if (r->code == 0 && s == NULL)
        tp_state_refuse(r, "there is a section that this version does not know");
    if (r->code == 0 && number <= *last_number)
        tp_state_refuse(r, "sections are not in order");
    struct tp_span bytes = tp_state_get_text(r);
    if (r->code != 0)
        return;
    *last_number = (unsigned)number;
    r->at = bytes.ptr;
    r->end = bytes.ptr + bytes.len_bytes;
    s->hooks->get(r);
    if (tp_state_has_more(r))
        tp_state_refuse(r, "a section continues after its end");
    r->end = file_end;
}

// Refuses a state that has coarse stacks although its number of stacks is below the limit. Stacks
// without PCs are not checked: they may have been more stacks before their PCs were removed.
static void check_limits(struct tp_state_reader *r)
{
    const struct tp_durations *l = &r->totals->durations;
    bool has_coarse = false;
    if (!tp_totals_frames_have_pcs(&r->totals->frames))
        return;
    for (uint32_t i = 0; i < l->groups.count; i++)
        has_coarse = has_coarse || l->groups.items[i].space == TP_SPACE_COARSE;
    if (has_coarse && r->totals->stacks.heap.count < TP_TOTALS_STACKS_MAX)
        tp_state_refuse(r, "folded stacks although fewer stacks than the limit");
}

static int get_sections(struct tp_span file, bool is_inner, struct tp_state_terms terms,
                        struct tp_totals *totals, struct tp_error *err)
{
    struct tp_state_reader r = {.totals = totals,
                                .terms = terms,
                                .given_back = file.ptr,
                                .file_end = file.ptr + file.len_bytes,
                                .is_inner = is_inner,
                                .begin = file.ptr,
                                .at = file.ptr + SECTIONS_AT,
                                .end = file.ptr + file.len_bytes - CHECKSUM_BYTES,
                                .err = err};
    unsigned last_number = 0;
    while (tp_state_has_more(&r) && r.code == 0)
        get_section(&r, &last_number);
    if (r.code == 0)
        check_limits(&r);
    return r.code;
}

// An output that keeps only what says whether two files are the same: the length, and the checksum,
// which is written last.
struct form {
    struct tp_out out;
    uint64_t len_bytes;
    unsigned char checksum[CHECKSUM_BYTES];
};

static int note_form(struct tp_out *out, struct tp_span bytes, struct tp_error *err)
{
    struct form *form = (struct form *)out;
    (void)err;
    form->len_bytes += bytes.len_bytes;
    if (bytes.len_bytes >= CHECKSUM_BYTES)
        memcpy(form->checksum, bytes.ptr + bytes.len_bytes - CHECKSUM_BYTES, CHECKSUM_BYTES);
    return 0;
}

// Refuses a state that this program would not write: writes the totals again and compares length
// and checksum, because the bytes may have been given back. This finds entries that are unsorted,
// unused, repeated, or in too many bytes.
static int check_form(struct tp_span file, const struct tp_totals *totals, struct tp_error *err)
{
    struct form form = {.out = {note_form}};
    int rc = tp_totals_write(totals, &form.out, err);
    if (rc != 0)
        return rc;
    const unsigned char *checksum = file.ptr + file.len_bytes - CHECKSUM_BYTES;
    bool is_same = form.len_bytes == file.len_bytes &&
                   memcmp(form.checksum, checksum, CHECKSUM_BYTES) == 0;
    return is_same ? 0
                   : tp_fail(err, TP_E_STATE,
                             "damaged statistics state: not in canonical form");
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

// What to do with the PCs of a file.
enum pcs { PCS_AS_THEY_ARE, PCS_REMOVED, PCS_REQUIRED };

static int read_file(struct tp_span file, bool is_inner, enum pcs pcs, struct tp_state_terms terms,
                     struct tp_totals *ret_totals, struct tp_error *err)
{
    struct tp_totals totals = {0};
    int rc = check_frame(file, err);
    if (rc == 0)
        rc = get_sections(file, is_inner, terms, &totals, err);
    if (rc == 0)
        rc = check_form(file, &totals, err);
    if (rc == 0 && pcs == PCS_REQUIRED)
        rc = require_pcs(&totals, err);
    if (rc == 0 && pcs == PCS_REMOVED && have_pcs(&totals))
        rc = remove_pcs(&totals, terms.most_bytes, err);
    if (rc == 0)
        *ret_totals = totals;
    else
        tp_totals_fini(&totals);
    return rc;
}

static const struct tp_state_terms no_terms = {.most_bytes = UINT64_MAX};

int tp_totals_read(struct tp_span file, struct tp_totals *ret_totals, struct tp_error *err)
{
    return read_file(file, false, PCS_AS_THEY_ARE, no_terms, ret_totals, err);
}

int tp_totals_read_without_pcs(struct tp_span file, struct tp_state_terms terms,
                               struct tp_totals *ret_totals, struct tp_error *err)
{
    return read_file(file, false, PCS_REMOVED, terms, ret_totals, err);
}

int tp_totals_read_with_pcs(struct tp_span file, struct tp_state_terms terms,
                            struct tp_totals *ret_totals, struct tp_error *err)
{
    return read_file(file, false, PCS_REQUIRED, terms, ret_totals, err);
}

int tp_state_read_inner(struct tp_span file, struct tp_state_terms terms, struct tp_totals *ret_totals,
                        struct tp_error *err)
{
    return read_file(file, true, PCS_AS_THEY_ARE, terms, ret_totals, err);
}
