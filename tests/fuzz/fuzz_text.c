// The reader of the text form, fed whole and in pieces: any cut of the input
// and any room for the output give the same wire bytes, the same refusal and
// the same place. What it accepts is detected as text, and more bytes never
// turn a verdict of tp_wiretext_detect around.
#include <string.h>

#include "base/alloc.h"
#include "decode/text/wiretext.h"
#include "fuzz.h"

struct result {
    unsigned char *wire;
    size_t wire_bytes;
    int code;
    struct tp_error err;
};

// An invalid byte of a string becomes the three of U+FFFD; nothing grows more.
static size_t wire_bound(size_t len_bytes) { return 3 * len_bytes + 64; }

static struct result encode(struct tp_span text, struct cutter chunks, struct cutter rooms)
{
    struct result r = {.wire = malloc(wire_bound(text.len_bytes))};
    CHECK(r.wire != NULL);
    struct tp_wiretext *reader;
    CHECK(tp_wiretext_create(&reader, TP_DIALECT_LENIENT, &r.err) == TP_E_OK);
    struct tp_span in = {text.ptr, 0};
    size_t left_bytes = text.len_bytes;
    bool done = false;
    while (!done) {
        if (in.len_bytes == 0) {
            size_t piece = next_piece(&chunks);
            in.len_bytes = piece < left_bytes ? piece : left_bytes;
            left_bytes -= in.len_bytes;
        }
        // An allocation of its own lets the sanitizer see a byte too many.
        size_t room_bytes = next_piece(&rooms);
        unsigned char *room = malloc(room_bytes);
        CHECK(room != NULL);
        size_t before_bytes = in.len_bytes;
        struct tp_buf made = {.ptr = room, .max_bytes = room_bytes};
        r.code = tp_wiretext_step(reader, &in, left_bytes == 0, &made, &done, &r.err);
        size_t made_bytes = made.len_bytes;
        CHECK(made_bytes <= room_bytes);
        CHECK(made_bytes <= wire_bound(text.len_bytes) - r.wire_bytes);
        CHECK(in.len_bytes <= before_bytes);
        memcpy(r.wire + r.wire_bytes, room, made_bytes);
        free(room);
        r.wire_bytes += made_bytes;
        if (r.code != TP_E_OK) {
            CHECK(made_bytes == 0 && !done);
            break;
        }
        CHECK(done || made_bytes != 0 || in.len_bytes < before_bytes);
        CHECK(!done || (in.len_bytes == 0 && left_bytes == 0));
    }
    tp_wiretext_destroy(reader);
    return r;
}

static void check_refusal(const struct result *r, struct tp_span text)
{
    CHECK(r->code == TP_E_TEXT && r->err.code == TP_E_TEXT);
    CHECK(r->err.text[0] != 0 && r->err.path == NULL);
    CHECK(r->err.offset <= text.len_bytes);
    CHECK(r->err.line >= 1 && r->err.column >= 1);
    // Offset and line name the same place.
    uint64_t line = 1;
    for (uint64_t i = 0; i < r->err.offset; i++)
        line += text.ptr[i] == '\n';
    bool ends_uncut = r->err.offset == 0 || text.ptr[r->err.offset - 1] == '\n';
    CHECK(r->err.line == line + !ends_uncut);
    CHECK(ends_uncut || r->err.offset == text.len_bytes);
}

static void check_same(const struct result *a, const struct result *b)
{
    CHECK(a->code == b->code);
    CHECK(a->wire_bytes == b->wire_bytes);
    CHECK(memcmp(a->wire, b->wire, a->wire_bytes) == 0);
    if (a->code == TP_E_OK)
        return;
    CHECK(a->err.offset == b->err.offset);
    CHECK(a->err.line == b->err.line && a->err.column == b->err.column);
    CHECK(strcmp(a->err.text, b->err.text) == 0);
}

static void check_detection(struct tp_span text, struct cutter pieces, bool is_text)
{
    enum tp_wiretext_verdict whole = tp_wiretext_detect(text, true);
    CHECK(whole != TP_WIRETEXT_MORE);
    if (is_text && text.len_bytes < TP_KIB(64))
        CHECK(whole == TP_WIRETEXT_YES);
    for (size_t n = 0; n < text.len_bytes; n += next_piece(&pieces)) {
        enum tp_wiretext_verdict part = tp_wiretext_detect(tp_span_of(text.ptr, n), false);
        CHECK(part == whole || part == TP_WIRETEXT_MORE);
        if (part != TP_WIRETEXT_MORE)
            break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes)
{
    struct tp_span text = tp_span_of(data, len_bytes);
    // Any will do; the input is all text, so that seeds can be read.
    uint64_t seed = seed_of((uint8_t)len_bytes);
    uint64_t live_bytes = tp_alloc_live_bytes();

    struct cutter whole = {seed, 1, text.len_bytes};
    struct result want = encode(text, whole, (struct cutter){seed, 1, TP_KIB(64)});
    if (want.code != TP_E_OK)
        check_refusal(&want, text);
    else
        CHECK(want.wire_bytes >= 8); // the shortest header, of "Go1.4"
    check_detection(text, (struct cutter){seed, 9, 0}, want.code == TP_E_OK);

    static const size_t sizes[][2] = {{1, 1}, {5, 40}, {70, 3}, {4000, 1000}};
    for (size_t i = 0; i < TP_ARRAY_LEN(sizes); i++) {
        struct cutter chunks = {seed + i, sizes[i][0], 0};
        struct cutter rooms = {seed ^ i, sizes[i][1], 0};
        struct result got = encode(text, chunks, rooms);
        check_same(&want, &got);
        free(got.wire);
    }
    free(want.wire);
    CHECK(tp_alloc_live_bytes() == live_bytes);
    return 0;
}
