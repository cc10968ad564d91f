#include "base/text/json_read.h"

#include <string.h>

#include "base/alloc.h"

static bool is_space(unsigned char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

static void skip_spaces(struct tp_span *s)
{
    while (s->len_bytes > 0 && is_space(s->ptr[0]))
        *s = tp_span_skip(*s, 1);
}

// Returns the length of the string with which the bytes begin; 0: it does not end.
static size_t string_bytes(struct tp_span s)
{
    for (size_t at = 1; at < s.len_bytes; at++) {
        if (s.ptr[at] == '"')
            return at + 1;
        at += s.ptr[at] == '\\';
    }
    return 0;
}

// Returns the length of the value with which the bytes begin; 0: there is none, or it does not end.
static size_t value_bytes(struct tp_span s)
{
    size_t depth = 0;
    for (size_t at = 0; at < s.len_bytes; at++) {
        switch (s.ptr[at]) {
        case '"': {
            size_t n = string_bytes(tp_span_skip(s, at));
            if (n == 0)
                return 0;
            at += n - 1;
            break;
        }
        case '{':
        case '[': depth++; break;
        case '}':
        case ']':
            if (depth == 0)
                return at;
            depth--;
            break;
        case ',':
            if (depth == 0)
                return at;
            break;
        }
        bool is_bracket = s.ptr[at] == '}' || s.ptr[at] == ']' || s.ptr[at] == '"';
        if (depth == 0 && is_bracket)
            return at + 1;
    }
    return depth == 0 ? s.len_bytes : 0;
}

bool tp_json_is_object(struct tp_span bytes)
{
    return bytes.len_bytes >= 2 && bytes.ptr[0] == '{' && bytes.ptr[bytes.len_bytes - 1] == '}' &&
           value_bytes(bytes) == bytes.len_bytes;
}

// Takes a value, and the comma behind it, from *rest. False: there is none.
static bool take_value(struct tp_span *rest, struct tp_span *ret_value)
{
    skip_spaces(rest);
    size_t n = value_bytes(*rest);
    if (n == 0)
        return false;
    *ret_value = tp_span_of(rest->ptr, n);
    while (ret_value->len_bytes > 0 && is_space(ret_value->ptr[ret_value->len_bytes - 1]))
        ret_value->len_bytes--;
    *rest = tp_span_skip(*rest, n);
    skip_spaces(rest);
    if (rest->len_bytes > 0 && rest->ptr[0] == ',')
        *rest = tp_span_skip(*rest, 1);
    return true;
}

static bool takes_key(struct tp_span *rest, struct tp_span *ret_key)
{
    skip_spaces(rest);
    size_t n = rest->len_bytes > 0 && rest->ptr[0] == '"' ? string_bytes(*rest) : 0;
    if (n == 0)
        return false;
    *ret_key = tp_span_of(rest->ptr, n);
    *rest = tp_span_skip(*rest, n);
    skip_spaces(rest);
    if (rest->len_bytes == 0 || rest->ptr[0] != ':')
        return false;
    *rest = tp_span_skip(*rest, 1);
    return true;
}

struct tp_span tp_json_member(struct tp_span object, const char *key)
{
    struct tp_span rest = object, name, value;
    if (rest.len_bytes == 0 || rest.ptr[0] != '{')
        return (struct tp_span){0};
    rest = tp_span_skip(rest, 1);
    while (takes_key(&rest, &name) && take_value(&rest, &value)) {
        if (tp_json_equals(name, key))
            return value;
    }
    return (struct tp_span){0};
}

struct tp_span tp_json_items(struct tp_span array)
{
    bool is_array = array.len_bytes >= 2 && array.ptr[0] == '[' && array.ptr[array.len_bytes - 1] == ']';
    return is_array ? tp_span_of(array.ptr + 1, array.len_bytes - 2) : (struct tp_span){0};
}

bool tp_json_next(struct tp_span *rest, struct tp_span *ret_item)
{
    skip_spaces(rest);
    return rest->len_bytes > 0 && take_value(rest, ret_item);
}

bool tp_json_equals(struct tp_span value, const char *text)
{
    size_t n = strlen(text);
    return value.len_bytes == n + 2 && value.ptr[0] == '"' && memcmp(value.ptr + 1, text, n) == 0;
}

bool tp_json_u64(struct tp_span value, uint64_t *ret_number)
{
    enum { DIGITS_MOST = 19 }; // fits whatever they are
    uint64_t number = 0;
    if (value.len_bytes == 0 || value.len_bytes > DIGITS_MOST)
        return false;
    for (size_t i = 0; i < value.len_bytes; i++) {
        if (value.ptr[i] < '0' || value.ptr[i] > '9')
            return false;
        number = number * 10 + (value.ptr[i] - '0');
    }
    *ret_number = number;
    return true;
}

// Reads the four digits of \uNNNN. Returns -1 if there are fewer.
static int hex_of(struct tp_span s)
{
    int value = 0;
    for (size_t i = 0; i < 4; i++) {
        unsigned char byte = i < s.len_bytes ? s.ptr[i] : 0;
        int digit = byte >= '0' && byte <= '9'   ? byte - '0'
                    : byte >= 'a' && byte <= 'f' ? byte - 'a' + 10
                    : byte >= 'A' && byte <= 'F' ? byte - 'A' + 10
                                                 : -1;
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

static char *put_utf8(char *to, int rune)
{
    if (rune >= 0xdc80 && rune <= 0xdcff) { // a byte that is not UTF-8 (json.h)
        *to++ = (char)(rune & 0xff);
    } else if (rune < 0x80) {
        *to++ = (char)rune;
    } else if (rune < 0x800) {
        *to++ = (char)(0xc0 | rune >> 6);
        *to++ = (char)(0x80 | (rune & 0x3f));
    } else {
        *to++ = (char)(0xe0 | rune >> 12);
        *to++ = (char)(0x80 | (rune >> 6 & 0x3f));
        *to++ = (char)(0x80 | (rune & 0x3f));
    }
    return to;
}

// Takes the next bytes of the inside of a string, an escape or one byte, and writes what they stand for:
// at most 4 bytes, and no more than they are. Returns one past the last byte; NULL: the escape is wrong.
static char *put_next(char *to, struct tp_span *rest)
{
    static const char letters[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
    unsigned char first = rest->ptr[0], letter = rest->len_bytes > 1 ? rest->ptr[1] : '\0';
    if (first != '\\') {
        *rest = tp_span_skip(*rest, 1);
        *to = (char)first;
        return to + 1;
    }
    const char *at = letter != '\0' ? strchr(letters, letter) : NULL;
    int rune = letter == 'u' ? hex_of(tp_span_skip(*rest, 2)) : -1;
    if (at == NULL && rune <= 0)
        return NULL;
    *rest = tp_span_skip(*rest, at != NULL ? 2 : 6);
    if (at == NULL)
        return put_utf8(to, rune);
    *to = bytes[at - letters];
    return to + 1;
}

bool tp_json_is_text(struct tp_span value)
{
    if (value.len_bytes < 2 || value.ptr[0] != '"' || value.ptr[value.len_bytes - 1] != '"')
        return false;
    struct tp_span rest = tp_span_of(value.ptr + 1, value.len_bytes - 2);
    char next[4];
    while (rest.len_bytes > 0) {
        if (put_next(next, &rest) == NULL || next[0] == '\0')
            return false;
    }
    return true;
}

char *tp_json_strdup(struct tp_span value)
{
    char *text = tp_json_is_text(value) ? tp_alloc(value.len_bytes) : NULL;
    if (text == NULL)
        return NULL;
    struct tp_span rest = tp_span_of(value.ptr + 1, value.len_bytes - 2);
    char *end = text;
    while (rest.len_bytes > 0)
        end = put_next(end, &rest);
    *end = '\0';
    return text;
}
