/*
 * Deletes the files and empty directories listed in a file, in that order. The file is its only
 * argument: each path ends with a zero byte, and one more zero byte ends the list. Paths that
 * cannot be deleted stay. Fails if the list cannot be read.
 */
#include "linux.h"

/* More than any list. Reading stops at the end of the list. */
#define LIST_BYTES_MAX (1L << 30)

static int program(char **arguments)
{
    long file = openat(AT_FDCWD, arguments[1], O_RDONLY);
    if (file < 0)
        return 1;
    long list = mmap(0, LIST_BYTES_MAX, PROT_READ, MAP_PRIVATE, file);
    if (list < 0)
        return 1;
    for (const char *path = (const char *)list; *path;) {
        unlinkat(AT_FDCWD, path, 0);
        unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
        while (*path++)
            ;
    }
    return 0;
}
