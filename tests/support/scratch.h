// A fresh folder for each test, which is the current one while the test runs and
// is removed with all that is in it.
#ifndef TP_TESTS_SCRATCH_H
#define TP_TESTS_SCRATCH_H

#include <stddef.h>

#define SCRATCH_TEST(name)                                                                         \
    cmocka_unit_test_setup_teardown(name, scratch_set_up, scratch_tear_down)

int scratch_set_up(void **state);
int scratch_tear_down(void **state);

// The folder's absolute path, for a test that has left it.
const char *scratch_path(const void *state);

// How many names there are, hidden ones included.
size_t count_entries(const char *folder);
void make_file(const char *path, const char *text);
// The file holds just `want`, which is shorter than 256 bytes.
void expect_file(const char *path, const char *want);

#endif
