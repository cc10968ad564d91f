#include "pipeline/record/known.h"

#include <string.h>

#include "base/alloc.h"
#include "base/digest.h"
#include "base/text/json_read.h"

// The inputs of the `done` lines that stand one behind the other, by index: those before a `sums`
// line are in its states.
struct group {
    TP_LIST(uint32_t);
};

// A second digest tells two paths apart that have one digest of 64 bits; the map has only the earlier
// path then, and the run reads the input of the later one again.
#define CHECK_SEED 1

static struct tp_known_input *get(struct tp_known *k, struct tp_span path)
{
    uint64_t id = tp_digest_short(path), check = tp_digest_seeded(path, CHECK_SEED);
    uint32_t at = tp_map_get(&k->by_path, id);
    if (at != TP_MAP_NONE && k->items[at - 1].check == check)
        return &k->items[at - 1];
    if (!TP_LIST_ADD(k, (struct tp_known_input){.check = check}))
        return NULL;
    if (at == TP_MAP_NONE && !tp_map_put(&k->by_path, id, k->count))
        return NULL;
    return &k->items[k->count - 1];
}

struct tp_known_input *tp_known_get(struct tp_known *k, const char *path)
{
    return get(k, tp_span_of_text(path));
}

// The NUL makes it another text than the path of any input.
struct tp_known_input *tp_known_get_shared(struct tp_known *k, const char *path)
{
    return get(k, tp_span_of(path, strlen(path) + 1));
}

static int fail_memory(struct tp_error *err)
{
    return tp_fail(err, TP_E_MEMORY, "out of memory for the lines of a record");
}

// Takes the number of the sums from a line that has one.
static void take_sums_number(struct tp_known *k, const struct tp_record_line *line)
{
    uint64_t sums;
    if (!tp_json_u64(tp_json_member(line->text, "sums"), &sums) || sums == k->sums || sums > UINT32_MAX)
        return;
    k->sums = (uint32_t)sums;
    k->summed_count = 0;
    k->are_sums_torn = false;
    k->sums_line = (struct tp_record_place){0};
}

// OUTPUTS

static uint64_t output_key(enum tp_known_owner owner, struct tp_span path, struct tp_span output,
                           struct tp_span digest)
{
    uint64_t whose = owner == TP_KNOWN_ONE ? tp_digest_short(path) : (uint64_t)owner;
    return tp_digest_seeded(output, tp_digest_seeded(digest, whose));
}

bool tp_known_owns(const struct tp_known *k, enum tp_known_owner owner, const char *path,
                   const char *output, const char *digest)
{
    uint64_t key = output_key(owner, tp_span_of_text(path), tp_span_of_text(output), tp_span_of_text(digest));
    return tp_map_get(&k->outputs, key) != TP_MAP_NONE;
}

static bool put_output(struct tp_known *k, uint64_t key)
{
    return tp_map_get(&k->outputs, key) != TP_MAP_NONE || tp_map_put(&k->outputs, key, 1);
}

// Notes the outputs of a line. False: out of memory.
static bool take_outputs(struct tp_known *k, const struct tp_record_line *line)
{
    bool has_input = line->input.len_bytes > 0, fits = true;
    struct tp_span outputs = tp_json_items(tp_json_member(has_input ? line->input : line->text, "outputs"));
    struct tp_span output;
    char *path = tp_json_strdup(tp_json_member(line->owner, "path"));
    while (fits && path != NULL && tp_json_next(&outputs, &output)) {
        struct tp_span digest = tp_json_member(output, "xxh3_128");
        if (digest.len_bytes < 2)
            continue;
        digest = tp_span_of(digest.ptr + 1, digest.len_bytes - 2);
        char *name = tp_json_strdup(tp_json_member(output, "path"));
        struct tp_span whose = tp_span_of_text(path), at = name != NULL ? tp_span_of_text(name) : whose;
        fits = name != NULL &&
               put_output(k, output_key(has_input ? TP_KNOWN_ONE : TP_KNOWN_ALL, whose, at, digest)) &&
               put_output(k, output_key(TP_KNOWN_ANY, whose, at, digest));
        tp_free(name);
    }
    fits = fits && path != NULL;
    tp_free(path);
    return fits;
}

// LINES

struct tp_known_input *tp_known_of_line(struct tp_known *k, const struct tp_record_line *line)
{
    char *path = tp_json_strdup(tp_json_member(line->owner, "path"));
    struct tp_known_input *known = path == NULL                 ? NULL
                                   : line->input.len_bytes == 0 ? tp_known_get_shared(k, path)
                                                                : tp_known_get(k, path);
    tp_free(path);
    return known;
}

// Takes a line on an input, or on an output of all inputs.
static int take_input(struct tp_known *k, const struct tp_record_line *line, struct group *group,
                      struct tp_error *err)
{
    struct tp_known_input *known = tp_known_of_line(k, line);
    if (known == NULL || !take_outputs(k, line) ||
        (line->kind == TP_RECORD_DONE && line->input.len_bytes > 0 &&
         !TP_LIST_ADD(group, (uint32_t)(known - k->items))))
        return fail_memory(err);
    if (line->kind == TP_RECORD_INTENT) {
        known->intent = line->place;
        return 0;
    }
    known->done = line->place;
    known->intent = (struct tp_record_place){0};
    return 0;
}

// Takes a line on states: the inputs of the lines before it are in them, and there must be as many as it
// says, or the record has lost a line.
static void take_sums(struct tp_known *k, const struct tp_record_line *line, const struct group *group)
{
    uint64_t count = 0, all_count = 0, number = 0;
    take_sums_number(k, line);
    bool is_sound = tp_json_u64(tp_json_member(line->text, "inputs"), &count) && count <= group->count &&
                    tp_json_u64(tp_json_member(line->text, "all_inputs"), &all_count) &&
                    tp_json_u64(tp_json_member(line->text, "number"), &number);
    for (uint64_t i = is_sound ? group->count - count : group->count; i < group->count; i++) {
        struct tp_known_input *known = &k->items[group->items[i]];
        k->summed_count += known->sums != k->sums;
        known->sums = k->sums;
    }
    k->are_sums_torn = k->are_sums_torn || !is_sound || all_count != k->summed_count;
    k->sums_line = line->place;
    k->state_number = number > k->state_number ? number : k->state_number;
}

static int take_line(struct tp_known *k, const struct tp_record_line *line, struct group *group,
                     struct tp_error *err)
{
    int rc = 0;
    switch (line->kind) {
    case TP_RECORD_RUN: take_sums_number(k, line); break;
    case TP_RECORD_INTENT:
    case TP_RECORD_DONE: rc = take_input(k, line, group, err); break;
    case TP_RECORD_SUMS: take_sums(k, line, group); break;
    case TP_RECORD_KIND_COUNT: break;
    }
    if (line->kind != TP_RECORD_DONE)
        group->count = 0;
    return rc;
}

int tp_known_read(struct tp_known *k, const struct tp_record *record, uint64_t most_bytes,
                  struct tp_error *err)
{
    struct group group = {0};
    struct tp_record_line line;
    int rc = tp_record_reader_init(&k->reader, record, err);
    int got = rc;
    while (rc == 0 && (got = tp_record_next(&k->reader, &line, err)) == 1) {
        rc = take_line(k, &line, &group, err);
        size_t bytes = tp_map_bytes(&k->by_path) + tp_map_bytes(&k->outputs);
        if (rc == 0 && k->count * sizeof k->items[0] + bytes > most_bytes)
            rc = tp_fail(err, TP_E_LIMIT, "the record has too many inputs");
    }
    tp_free(group.items);
    return rc != 0 ? rc : got;
}

void tp_known_fini(struct tp_known *k)
{
    tp_record_reader_fini(&k->reader);
    tp_map_fini(&k->by_path);
    tp_map_fini(&k->outputs);
    tp_free(k->items);
    *k = (struct tp_known){0};
}
