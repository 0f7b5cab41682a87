#pragma once
#include <fcntl.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <uv.h>

// glibc declares some Linux things only under _GNU_SOURCE; but that would give this module other structs than the ones
// in Swift's own module of glibc, and the compiler refuses two. So they are named here.

/// O_PATH.
static const int CUV_O_PATH = __O_PATH;

/// dup that is not inherited by programs that are started.
static inline int CUV_duplicate(int fd) { return fcntl(fd, F_DUPFD_CLOEXEC, 0); }

/// What SO_PEERCRED gives is struct ucred.
static inline int CUV_peer_credentials(int fd, int *pid, unsigned int *uid, unsigned int *gid) {
    struct { pid_t pid; uid_t uid; gid_t gid; } credentials;
    socklen_t size = sizeof credentials;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return -1;
    *pid = credentials.pid;
    *uid = credentials.uid;
    *gid = credentials.gid;
    return 0;
}

/// The supplementary groups of the peer; more than `*bytes` holds fails with ERANGE and says there how much it takes.
static inline int CUV_peer_groups(int fd, unsigned int *groups, unsigned int *bytes) {
    socklen_t size = *bytes;
    int status = getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &size);
    *bytes = size;
    return status;
}

/// A function that runs in libuv's pool of threads: a copy of a text goes in, a number comes out.
typedef struct {
    uv_work_t request;
    int (*function)(const char *text);
    char *text;
    int result;
} CUV_work;

static inline void CUV_run_work(uv_work_t *request) {
    CUV_work *work = (CUV_work *)request;
    work->result = work->function(work->text);
    free(work->text);
}

static inline int CUV_queue_work(uv_loop_t *loop, CUV_work *work, uv_after_work_cb after) {
    return uv_queue_work(loop, &work->request, CUV_run_work, after);
}

/// Bytes of the heap that are in use, and bytes that the allocator holds and nobody uses.
typedef struct {
    size_t used;
    size_t unused;
} CUV_heap;

static inline CUV_heap CUV_measure_heap(void) {
    struct mallinfo2 info = mallinfo2();
    return (CUV_heap){info.uordblks + info.hblkhd, info.fordblks};
}

/// Has the allocator give freed pages back to the system, wherever they lie.
static inline void CUV_give_freed_memory_back(void) { malloc_trim(0); }

/// Has the allocator keep so many freed bytes for itself, and take pieces of up to as many from the heap.
static inline void CUV_keep_freed_memory(int bytes) {
    mallopt(M_TRIM_THRESHOLD, bytes);
    mallopt(M_MMAP_THRESHOLD, bytes);
}
