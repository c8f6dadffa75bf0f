/*
 * Lists the sockets below a directory, which is its first argument. Writes their paths into a file,
 * which is its second argument, each followed by a zero byte. After 1000 paths, and for a path that
 * is too long, only the zero byte. Directories that cannot be read are skipped, and links are not
 * followed. Fails if the directory or the file cannot be opened.
 */
#include "linux.h"

#define NAMES_MAX 1000
#define PATH_BYTES_MAX 16384

struct entry {
    unsigned long node;
    long next;
    unsigned short length;
    unsigned char type;
    char name[];
};

struct walk {
    long found;
    long count;
    char path[PATH_BYTES_MAX];
};

/* The type of an entry whose file system does not say it. */
static int type_of(long directory, const char *name)
{
    char stat[256] __attribute__((aligned(8)));
    if (newfstatat(directory, name, stat, AT_SYMLINK_NOFOLLOW) < 0)
        return DT_UNKNOWN;
    return (*(unsigned *)(stat + STAT_MODE) >> 12) & 15;
}

/* Appends a name and a zero byte to the path. Returns where the zero byte is, or 0 without room. */
static long append(struct walk *walk, long end, const char *name)
{
    if (end >= PATH_BYTES_MAX - 1)
        return 0;
    if (end > 0)
        walk->path[end++] = '/';
    for (; end < PATH_BYTES_MAX - 1; end++, name++) {
        walk->path[end] = *name;
        if (!*name)
            return end;
    }
    return 0;
}

static void look(struct walk *walk, long directory, long at)
{
    char entries[4096] __attribute__((aligned(8)));
    for (;;) {
        long bytes = getdents64(directory, entries, sizeof entries);
        if (bytes <= 0)
            return;
        for (long next = 0; next < bytes;) {
            struct entry *entry = (struct entry *)(entries + next);
            const char *name = entry->name;
            next += entry->length;
            if (name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2])))
                continue;
            int type = entry->type == DT_UNKNOWN ? type_of(directory, name) : entry->type;
            if (type != DT_SOCK && type != DT_DIR)
                continue;
            long end = append(walk, at, name);
            if (type == DT_SOCK) {
                if (end && walk->count < NAMES_MAX)
                    write(walk->found, walk->path, end + 1);
                else
                    write(walk->found, "", 1);
                walk->count++;
                continue;
            }
            long inner = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
            /* Without room there is no path, and the names below it are those of no file. */
            if (inner < 0)
                continue;
            look(walk, inner, end ? end : PATH_BYTES_MAX);
            close(inner);
        }
    }
}

static int program(char **arguments)
{
    struct walk walk;
    if (!arguments[1] || !arguments[2])
        return 1;
    long directory = openat(AT_FDCWD, arguments[1], O_RDONLY | O_DIRECTORY);
    walk.found = openat(AT_FDCWD, arguments[2], O_WRONLY);
    if (directory < 0 || walk.found < 0)
        return 1;
    walk.count = 0;
    look(&walk, directory, 0);
    return 0;
}
