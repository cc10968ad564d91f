// Takes the place of dlopen and dlsym in the static program (-Wl,--wrap). libdw looks for a client of
// debug servers before main begins, if DEBUGINFOD_URLS is set; a static program must not load
// libraries of whatever system it runs on, and needs no such client.
#include <stddef.h>

void *__wrap_dlopen(const char *path, int mode);
void *__wrap_dlsym(void *library, const char *name);

void *__wrap_dlopen(const char *path, int mode)
{
    (void)path, (void)mode;
    return NULL;
}

void *__wrap_dlsym(void *library, const char *name)
{
    (void)library, (void)name;
    return NULL;
}
