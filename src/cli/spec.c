#include "cli/spec.h"

#include <stdio.h>
#include <string.h>

bool tp_spec_names(const char *word, const char *name)
{
    size_t name_bytes = strlen(name);

    return strncmp(word, name, name_bytes) == 0 &&
           (word[name_bytes] == ':' || word[name_bytes] == '\0');
}

// Returns the text of the sink that a word names; NULL: it names none.
static const struct tp_sink_help *help_of(const char *word)
{
    const struct tp_sink_help *sink;

    for (size_t idx = 0; (sink = tp_sink_help(idx)) != NULL; idx++) {
        if (tp_spec_names(word, sink->name))
            return sink;
    }
    return NULL;
}

bool tp_spec_names_any(const char *word)
{
    return help_of(word) != NULL;
}

// Whether a list of words with '|' between them has the word. A blank or comma ends the list.
static bool has_word(const char *list, const char *word)
{
    size_t word_bytes = strlen(word);

    for (;; list++) {
        size_t len_bytes = strcspn(list, "|, ");
        if (len_bytes == word_bytes && strncmp(list, word, word_bytes) == 0)
            return true;
        list += len_bytes;
        if (*list != '|')
            return false;
    }
}

static bool has_json(const struct tp_sink_help *sink)
{
    static const char key[] = "format=";

    for (const char *line = sink->options; line && *line;) {
        if (strncmp(line, key, strlen(key)) == 0)
            return has_word(line + strlen(key), "json");
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return false;
}

// Returns the value of the option `format=` of a spec; NULL: it has none. A comma ends the value.
static const char *format_of(const char *spec)
{
    static const char key[] = "format=";

    for (const char *at = strchr(spec, ':'); at; at = strchr(at + 1, ',')) {
        if (strncmp(at + 1, key, strlen(key)) == 0)
            return at + 1 + strlen(key);
    }
    return NULL;
}

enum tp_spec_json tp_spec_add_json(const char *spec, char to[static TP_SPEC_JSON_BYTES])
{
    const struct tp_sink_help *sink = help_of(spec);
    const char *format = format_of(spec);

    if (sink == NULL || !has_json(sink))
        return TP_SPEC_JSON_MISSING;
    if (format)
        return has_word(format, "json") ? TP_SPEC_JSON_GIVEN : TP_SPEC_JSON_OTHER;
    int len_bytes = snprintf(to, TP_SPEC_JSON_BYTES, "%s%sformat=json", spec,
                             strchr(spec, ':') ? "," : ":");
    return len_bytes < TP_SPEC_JSON_BYTES ? TP_SPEC_JSON_ADDED : TP_SPEC_JSON_MISSING;
}
