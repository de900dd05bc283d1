// What Glibc's Swift overlay does not export.
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

// Names the calling thread in ps, top and gdb; Linux keeps 15 bytes.
static inline int bitpal_name_thread(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }

// Columns and rows of the terminal on a descriptor; 0 when it is none.
static inline int bitpal_terminal_size(int descriptor, int *columns, int *rows) {
    struct winsize size;
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return 0;
    *columns = size.ws_col;
    *rows = size.ws_row;
    return 1;
}

// The variables of the process; Swift 6 does not let the C global itself be read.
extern char **environ;
static inline char **bitpal_environment(void) { return environ; }

// Declared by the C library for _GNU_SOURCE only, which Swift's overlay is built without.
int pipe2(int ends[2], int flags);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
enum { BITPAL_SPAWN_SETSID = 0x80 };
