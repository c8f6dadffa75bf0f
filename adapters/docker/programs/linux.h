/*
 * The system calls of Linux that the programs make, and the code that starts a program, for each
 * processor. The programs use no C library.
 */
#pragma once

#define AT_FDCWD (-100)
#define AT_REMOVEDIR 0x200
#define AT_SYMLINK_NOFOLLOW 0x100
#define O_RDONLY 0
#define O_WRONLY 1
#define PROT_READ 1
#define MAP_PRIVATE 2
#define DT_UNKNOWN 0
#define DT_DIR 4
#define DT_SOCK 12

/* A program: its exit status, from its name and its arguments. A null pointer ends them. */
static int program(char **arguments);

#if defined(__x86_64__)

enum {
    number_write = 1,
    number_close = 3,
    number_mmap = 9,
    number_exit = 60,
    number_getdents64 = 217,
    number_openat = 257,
    number_newfstatat = 262,
    number_unlinkat = 263,
};

#define O_DIRECTORY 0x10000
#define O_NOFOLLOW 0x20000
/* Where the mode of a file is in what newfstatat writes. */
#define STAT_MODE 24

static inline long call3(long number, long a, long b, long c)
{
    __asm__ volatile("syscall"
                     : "+a"(number)
                     : "D"(a), "S"(b), "d"(c)
                     : "rcx", "r11", "memory");
    return number;
}

static inline long call6(long number, long a, long b, long c, long d, long e, long f)
{
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "+a"(number)
                     : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return number;
}

/* Linux starts a program here, with the count of arguments and then the arguments on the stack. */
__asm__(".globl _start\n"
        "_start: mov %rsp, %rdi\n"
        "        call start\n");

#elif defined(__aarch64__)

enum {
    number_unlinkat = 35,
    number_openat = 56,
    number_close = 57,
    number_getdents64 = 61,
    number_write = 64,
    number_newfstatat = 79,
    number_exit = 93,
    number_mmap = 222,
};

#define O_DIRECTORY 0x4000
#define O_NOFOLLOW 0x8000
/* Where the mode of a file is in what newfstatat writes. */
#define STAT_MODE 16

static inline long call6(long number, long a, long b, long c, long d, long e, long f)
{
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;
    __asm__ volatile("svc #0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                     : "memory");
    return x0;
}

static inline long call3(long number, long a, long b, long c)
{
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
    return x0;
}

__asm__(".globl _start\n"
        "_start: mov x0, sp\n"
        "        bl start\n");

#endif

static inline long openat(long directory, const char *path, long flags)
{
    return call3(number_openat, directory, (long)path, flags);
}

static inline long unlinkat(long directory, const char *path, long flags)
{
    return call3(number_unlinkat, directory, (long)path, flags);
}

static inline long mmap(long address, long length, long protection, long flags, long file)
{
    return call6(number_mmap, address, length, protection, flags, file, 0);
}

static inline long close(long file)
{
    return call3(number_close, file, 0, 0);
}

static inline long write(long file, const char *bytes, long count)
{
    return call3(number_write, file, (long)bytes, count);
}

static inline long getdents64(long directory, void *entries, long size)
{
    return call3(number_getdents64, directory, (long)entries, size);
}

static inline long newfstatat(long directory, const char *path, void *stat, long flags)
{
    return call6(number_newfstatat, directory, (long)path, (long)stat, flags, 0, 0);
}

/* Called by _start. Never returns. */
__attribute__((noreturn)) void start(char **stack)
{
    long status = program(stack + 1);
    for (;;)
        call3(number_exit, status, 0, 0);
}
