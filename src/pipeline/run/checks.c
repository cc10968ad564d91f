// The checks of a run, as its owner adds them and gets their results. See tracepipe/tracepipe.h.
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pipeline/run/run_life.h"

int tp_run_add_check(struct tp_run *run, const char *check, struct tp_error *err)
{
    assert(!run->life->started);
    return tp_checks_add(&run->life->checks, check, err);
}

// Adds the check that is a line of a file, which may end with a newline.
static int add_line(struct tp_run *run, char *line, struct tp_error *err)
{
    line[strcspn(line, "\r\n")] = '\0';
    const char *text = line + strspn(line, " \t");
    return *text == '\0' || *text == '#' ? 0 : tp_run_add_check(run, text, err);
}

static int add_lines(struct tp_run *run, FILE *file, struct tp_error *err)
{
    char line[TP_CHECK_MAX_BYTES + 3];
    for (uint64_t number = 1; fgets(line, sizeof line, file) != NULL; number++) {
        struct tp_error why;
        int rc = strchr(line, '\n') != NULL || feof(file)
                     ? add_line(run, line, &why)
                     : tp_fail(&why, TP_E_USAGE, "longer than a check, or a NUL byte");
        if (rc != 0)
            return tp_fail(err, rc, "line %" PRIu64 ": %s", number, why.text);
    }
    return ferror(file) ? tp_fail_errno(err, TP_E_USAGE, errno, "cannot read the checks") : 0;
}

int tp_run_add_checks(struct tp_run *run, const char *path, struct tp_error *err)
{
    const uint32_t before = run->life->checks.count;
    FILE *file = fopen(path, "re");
    int rc = file != NULL ? add_lines(run, file, err)
                          : tp_fail_errno(err, TP_E_USAGE, errno, "cannot open the checks");
    if (rc == 0 && run->life->checks.count == before)
        rc = tp_fail(err, TP_E_USAGE, "no line has a check");
    if (file != NULL)
        fclose(file);
    if (rc != 0 && err != NULL)
        err->path = path;
    return rc;
}

bool tp_run_check(const struct tp_run *run, size_t idx, struct tp_check_result *ret_result)
{
    const struct tp_checks *checks = &run->life->checks;
    if (idx >= checks->count)
        return false;
    const struct tp_check *c = &checks->items[idx];
    *ret_result = (struct tp_check_result){c->text, c->verdict, c->found};
    return true;
}
