#include "base/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum tp_error_class tp_error_class_of(int code)
{
    switch (code) {
#define TP_X(name, value, class, sentence)                                      \
    case value: return TP_CLASS_##class;
        TP_ERR_MAP(TP_X)
#undef TP_X
    default: return TP_CLASS_HOST;
    }
}

const char *tp_error_sentence(int code)
{
    switch (code) {
#define TP_X(name, value, class, sentence)                                      \
    case value: return sentence;
        TP_ERR_MAP(TP_X)
#undef TP_X
    default: return "unknown error";
    }
}

const char *tp_error_words(const struct tp_error *err)
{
    return err->text[0] != '\0' ? err->text : tp_error_sentence(err->code);
}

// End of every text of TP_E_LIMIT: names the option that permits more memory.
#define BOUND_HINT "; increase --max-memory"

static void fill(struct tp_error *err, int code, int sys_errno, uint64_t offset,
                 const char *fmt, va_list ap)
{
    if (err == NULL)
        return;
    *err = (struct tp_error){.code = code, .sys_errno = sys_errno, .offset = offset};
    int n = vsnprintf(err->text, sizeof err->text, fmt, ap);
    size_t used = n < 0 ? 0 : (size_t)n;
    if (sys_errno != 0 && used + 2 < sizeof err->text) {
        char sys[96];
        // The GNU strerror_r may return a static string instead of `sys`.
        const char *words = strerror_r(sys_errno, sys, sizeof sys);
        snprintf(err->text + used, sizeof err->text - used, ": %s", words);
    }
    if (code == TP_E_LIMIT && used < sizeof err->text)
        snprintf(err->text + used, sizeof err->text - used, "%s", BOUND_HINT);
}

#define FILL(err, code, sys_errno, offset, fmt)                                         \
    va_list ap;                                                                         \
    va_start(ap, fmt);                                                                  \
    fill(err, code, sys_errno, offset, fmt, ap);                                        \
    va_end(ap);                                                                         \
    return code

int tp_error_set(struct tp_error *err, int code, const char *fmt, ...)
{
    FILL(err, code, 0, TP_NO_OFFSET, fmt);
}

int tp_fail_errno(struct tp_error *err, int code, int sys_errno, const char *fmt, ...)
{
    FILL(err, code, sys_errno, TP_NO_OFFSET, fmt);
}

int tp_fail_at(struct tp_error *err, int code, uint64_t offset, const char *fmt, ...)
{
    FILL(err, code, 0, offset, fmt);
}

int tp_check_failed(struct tp_error *err, const char *condition, const char *file, int line)
{
    return tp_fail(err, TP_E_INTERNAL, "internal error (%s:%d: %.120s); please report it", file,
                   line, condition);
}
