// Which stacks look alike in a form of the report. Such stacks are one row of that form, because
// two equal-looking rows would leave the reader to guess how they differ, and to add them up.
#include "base/digest.h"
#include "sink/stats/report/report.h"

struct tp_span tp_full_file_name(struct tp_span path)
{
    size_t begin = path.len_bytes;
    while (begin > 0 && path.ptr[begin - 1] != '/')
        begin--;
    return tp_span_of(path.ptr + begin, path.len_bytes - begin);
}

// FORMS

static bool is_of_places(enum tp_full_look look)
{
    return look == TP_FULL_LOOK_PLACE || look == TP_FULL_LOOK_TEXT_PLACE;
}

// Returns how many functions of a stack the form shows, counted from the innermost one.
static size_t shown_count(enum tp_full_look look, const struct tp_full_stack *s)
{
    if (is_of_places(look))
        return s->frame_count > 0;
    return look == TP_FULL_LOOK_TEXT && s->frame_count > TP_FULL_TEXT_FRAMES ? TP_FULL_TEXT_FRAMES
                                                                             : s->frame_count;
}

static size_t shown_frame(enum tp_full_look look, const struct tp_full_stack *s, size_t line)
{
    if (is_of_places(look))
        return s->place;
    return look == TP_FULL_LOOK_TEXT ? tp_full_text_frame(s, line) : line;
}

// Returns the file of a place as the form shows it: text has only the end of the path.
static struct tp_span shown_file(const struct tp_totals *t, enum tp_full_look look, uint32_t file)
{
    struct tp_span path = tp_intern_text(&t->names, file);
    bool is_text = look == TP_FULL_LOOK_TEXT || look == TP_FULL_LOOK_TEXT_PLACE;
    return is_text ? tp_full_file_name(path) : path;
}

static bool shows_place(enum tp_full_look look, const struct tp_full_stack *s)
{
    return look != TP_FULL_LOOK_FOLDED && s->frame_count > 0;
}

uint64_t tp_full_look_hash(const struct tp_totals *t, enum tp_full_look look,
                           const struct tp_full_stack *s)
{
    uint64_t hash = 0;
    if (look == TP_FULL_LOOK_JSON)
        return tp_digest_short(tp_span_of(s->frames, s->frame_count * sizeof *s->frames));
    for (size_t i = 0; i < shown_count(look, s); i++)
        hash = tp_totals_stack_hash(hash, 1 + tp_full_frame(t, s, shown_frame(look, s, i)).function);
    if (shows_place(look, s)) {
        const struct tp_totals_frame place = tp_full_frame(t, s, s->place);
        hash = tp_totals_stack_hash(hash, tp_digest_short(shown_file(t, look, place.file)));
        hash = tp_totals_stack_hash(hash, place.line);
    }
    if (s->caller != 0)
        hash = tp_totals_stack_hash(hash, tp_full_frame(t, s, s->caller).line);
    return tp_digest_words(&hash, 1);
}

static bool is_same_line(const struct tp_totals *t, enum tp_full_look look, struct tp_totals_frame left,
                         struct tp_totals_frame right)
{
    return left.line == right.line &&
           tp_span_compare(shown_file(t, look, left.file), shown_file(t, look, right.file)) == 0;
}

static bool is_same_place(const struct tp_totals *t, enum tp_full_look look,
                          const struct tp_full_stack *a, const struct tp_full_stack *b)
{
    return (a->place == b->place || is_of_places(look)) &&
           is_same_line(t, look, tp_full_frame(t, a, a->place), tp_full_frame(t, b, b->place)) &&
           (a->caller == 0) == (b->caller == 0) &&
           (a->caller == 0 ||
            is_same_line(t, look, tp_full_frame(t, a, a->caller), tp_full_frame(t, b, b->caller)));
}

bool tp_full_look_alike(const struct tp_totals *t, enum tp_full_look look,
                        const struct tp_full_stack *a, const struct tp_full_stack *b)
{
    size_t count = shown_count(look, a);
    bool is_same = count == shown_count(look, b);
    for (size_t i = 0; i < count && is_same; i++) {
        size_t left = shown_frame(look, a, i), right = shown_frame(look, b, i);
        is_same = look == TP_FULL_LOOK_JSON
                      ? a->frames[left] == b->frames[right]
                      : tp_full_frame(t, a, left).function == tp_full_frame(t, b, right).function;
    }
    return is_same && (!shows_place(look, a) || is_same_place(t, look, a, b));
}
