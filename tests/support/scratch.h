// A fresh folder for each test: the current folder while the test runs, removed with its
// contents afterwards.
#ifndef TP_TESTS_SCRATCH_H
#define TP_TESTS_SCRATCH_H

#include <stddef.h>

#define SCRATCH_TEST(name)                                                                         \
    cmocka_unit_test_setup_teardown(name, scratch_set_up, scratch_tear_down)

int scratch_set_up(void **state);
int scratch_tear_down(void **state);

// Returns the folder's absolute path, for a test that has left it.
const char *scratch_path(const void *state);

// Returns the number of entries, including hidden ones.
size_t count_entries(const char *folder);
void make_file(const char *path, const char *text);
// Asserts that the file contains exactly `want`, which is shorter than 256 bytes.
void expect_file(const char *path, const char *want);

#endif
