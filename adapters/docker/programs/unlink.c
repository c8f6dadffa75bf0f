/* Deletes the files named by its arguments. Files that cannot be deleted stay. */
#include "linux.h"

static int program(char **arguments)
{
    for (char **path = arguments + 1; *path; path++)
        unlinkat(AT_FDCWD, *path, 0);
    return 0;
}
