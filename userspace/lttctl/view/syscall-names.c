// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The names of the numbers that system calls take, from the headers of the C library.
 *
 * Layer: lttctl view.
 */
#include "syscall-names.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define N(name)		{ name, #name }
#define END		{ 0, NULL }

/* A flag of several bits stands before those that have some of its bits. */

static const struct number_name access_modes[] = { N(O_RDONLY), N(O_WRONLY), N(O_RDWR), END };
static const struct number_name open_flags[] = {
	N(O_SYNC), N(O_TMPFILE), N(O_CREAT), N(O_EXCL), N(O_NOCTTY), N(O_TRUNC), N(O_APPEND),
	N(O_NONBLOCK), N(O_DSYNC), N(O_ASYNC), N(O_DIRECT), N(O_DIRECTORY), N(O_NOFOLLOW),
	N(O_NOATIME), N(O_CLOEXEC), N(O_PATH),
	/* For programs of 64 bits the C library's O_LARGEFILE is 0. */
	{ __O_LARGEFILE, "O_LARGEFILE" }, END
};
static const struct number_name at_directories[] = { N(AT_FDCWD), END };
static const struct number_name at_flags[] = {
	N(AT_SYMLINK_NOFOLLOW), N(AT_SYMLINK_FOLLOW), N(AT_NO_AUTOMOUNT), N(AT_EMPTY_PATH),
	N(AT_STATX_FORCE_SYNC), N(AT_STATX_DONT_SYNC), END
};
static const struct number_name unlink_flags[] = { N(AT_REMOVEDIR), END };
static const struct number_name faccess_flags[] = {
	N(AT_EACCESS), N(AT_SYMLINK_NOFOLLOW), N(AT_EMPTY_PATH), END
};
static const struct number_name rename_flags[] = {
	N(RENAME_NOREPLACE), N(RENAME_EXCHANGE), N(RENAME_WHITEOUT), END
};
static const struct number_name rights[] = { N(R_OK), N(W_OK), N(X_OK), END };
static const struct number_name no_rights[] = { N(F_OK), END };
static const struct number_name whences[] = {
	N(SEEK_SET), N(SEEK_CUR), N(SEEK_END), N(SEEK_DATA), N(SEEK_HOLE), END
};
static const struct number_name fcntl_commands[] = {
	N(F_DUPFD), N(F_GETFD), N(F_SETFD), N(F_GETFL), N(F_SETFL), N(F_GETLK), N(F_SETLK),
	N(F_SETLKW), N(F_SETOWN), N(F_GETOWN), N(F_SETSIG), N(F_GETSIG), N(F_OFD_GETLK),
	N(F_OFD_SETLK), N(F_OFD_SETLKW), N(F_SETLEASE), N(F_GETLEASE), N(F_NOTIFY),
	N(F_DUPFD_CLOEXEC), N(F_SETPIPE_SZ), N(F_GETPIPE_SZ), N(F_ADD_SEALS), N(F_GET_SEALS), END
};
static const struct number_name no_protection[] = { N(PROT_NONE), END };
static const struct number_name protections[] = {
	N(PROT_READ), N(PROT_WRITE), N(PROT_EXEC), N(PROT_GROWSDOWN), N(PROT_GROWSUP), END
};
static const struct number_name mapping_types[] = {
	N(MAP_SHARED), N(MAP_PRIVATE), N(MAP_SHARED_VALIDATE), END
};
static const struct number_name mapping_flags[] = {
	N(MAP_FIXED), N(MAP_ANONYMOUS), N(MAP_GROWSDOWN), N(MAP_DENYWRITE), N(MAP_EXECUTABLE),
	N(MAP_LOCKED), N(MAP_NORESERVE), N(MAP_POPULATE), N(MAP_NONBLOCK), N(MAP_STACK),
	N(MAP_HUGETLB), N(MAP_SYNC), N(MAP_FIXED_NOREPLACE), END
};
static const struct number_name mremap_flags[] = {
	N(MREMAP_MAYMOVE), N(MREMAP_FIXED), N(MREMAP_DONTUNMAP), END
};
static const struct number_name advices[] = {
	N(MADV_NORMAL), N(MADV_RANDOM), N(MADV_SEQUENTIAL), N(MADV_WILLNEED), N(MADV_DONTNEED),
	N(MADV_FREE), N(MADV_REMOVE), N(MADV_DONTFORK), N(MADV_DOFORK), N(MADV_MERGEABLE),
	N(MADV_UNMERGEABLE), N(MADV_HUGEPAGE), N(MADV_NOHUGEPAGE), N(MADV_DONTDUMP), N(MADV_DODUMP),
	N(MADV_WIPEONFORK), N(MADV_KEEPONFORK), N(MADV_COLD), N(MADV_PAGEOUT), END
};
static const struct number_name sync_flags[] = { N(MS_ASYNC), N(MS_INVALIDATE), N(MS_SYNC), END };
static const struct number_name memfd_flags[] = {
	N(MFD_CLOEXEC), N(MFD_ALLOW_SEALING), N(MFD_HUGETLB), END
};
static const struct number_name clone_flags[] = {
	N(CLONE_VM), N(CLONE_FS), N(CLONE_FILES), N(CLONE_SIGHAND), N(CLONE_PIDFD),
	N(CLONE_PTRACE), N(CLONE_VFORK), N(CLONE_PARENT), N(CLONE_THREAD), N(CLONE_NEWNS),
	N(CLONE_SYSVSEM), N(CLONE_SETTLS), N(CLONE_PARENT_SETTID), N(CLONE_CHILD_CLEARTID),
	N(CLONE_DETACHED), N(CLONE_UNTRACED), N(CLONE_CHILD_SETTID), N(CLONE_NEWCGROUP),
	N(CLONE_NEWUTS), N(CLONE_NEWIPC), N(CLONE_NEWUSER), N(CLONE_NEWPID), N(CLONE_NEWNET),
	N(CLONE_NEWTIME), N(CLONE_IO),
	/* Of clone3() alone: <sched.h> of glibc 2.36 lacks them. */
	{ 0x100000000, "CLONE_CLEAR_SIGHAND" }, { 0x200000000, "CLONE_INTO_CGROUP" }, END
};
static const struct number_name families[] = {
	N(AF_UNSPEC), N(AF_UNIX), N(AF_INET), N(AF_INET6), N(AF_NETLINK), N(AF_PACKET),
	N(AF_BLUETOOTH), N(AF_ALG), N(AF_VSOCK), N(AF_XDP), END
};
static const struct number_name socket_types[] = {
	N(SOCK_STREAM), N(SOCK_DGRAM), N(SOCK_RAW), N(SOCK_RDM), N(SOCK_SEQPACKET), END
};
static const struct number_name socket_flags[] = { N(SOCK_CLOEXEC), N(SOCK_NONBLOCK), END };
static const struct number_name shutdown_hows[] = { N(SHUT_RD), N(SHUT_WR), N(SHUT_RDWR), END };
static const struct number_name message_flags[] = {
	N(MSG_OOB), N(MSG_PEEK), N(MSG_DONTROUTE), N(MSG_CTRUNC), N(MSG_TRUNC), N(MSG_DONTWAIT),
	N(MSG_EOR), N(MSG_WAITALL), N(MSG_CONFIRM), N(MSG_ERRQUEUE), N(MSG_NOSIGNAL), N(MSG_MORE),
	N(MSG_WAITFORONE), N(MSG_FASTOPEN), N(MSG_CMSG_CLOEXEC), END
};
static const struct number_name mask_hows[] = {
	N(SIG_BLOCK), N(SIG_UNBLOCK), N(SIG_SETMASK), END
};
static const struct number_name wait_options[] = {
	N(WNOHANG), N(WUNTRACED), N(WEXITED), N(WCONTINUED), N(WNOWAIT),
	{ 0x20000000, "__WNOTHREAD" }, { 0x40000000, "__WALL" },
	/* The options are an int, so this one is negative. */
	{ INT32_MIN, "__WCLONE" }, END
};
static const struct number_name wait_whiches[] = { N(P_ALL), N(P_PID), N(P_PGID), N(P_PIDFD), END };
static const struct number_name clocks[] = {
	N(CLOCK_REALTIME), N(CLOCK_MONOTONIC), N(CLOCK_PROCESS_CPUTIME_ID),
	N(CLOCK_THREAD_CPUTIME_ID), N(CLOCK_MONOTONIC_RAW), N(CLOCK_REALTIME_COARSE),
	N(CLOCK_MONOTONIC_COARSE), N(CLOCK_BOOTTIME), N(CLOCK_REALTIME_ALARM),
	N(CLOCK_BOOTTIME_ALARM), N(CLOCK_TAI), END
};
static const struct number_name timer_flags[] = { N(TIMER_ABSTIME), END };
static const struct number_name epoll_operations[] = {
	N(EPOLL_CTL_ADD), N(EPOLL_CTL_MOD), N(EPOLL_CTL_DEL), END
};
static const struct number_name epoll_events[] = {
	N(EPOLLIN), N(EPOLLPRI), N(EPOLLOUT), N(EPOLLERR), N(EPOLLHUP), N(EPOLLRDNORM),
	N(EPOLLRDBAND), N(EPOLLWRNORM), N(EPOLLWRBAND), N(EPOLLMSG), N(EPOLLRDHUP),
	N(EPOLLEXCLUSIVE), N(EPOLLWAKEUP), N(EPOLLONESHOT), N(EPOLLET), END
};
static const struct number_name eventfd_flags[] = {
	N(EFD_SEMAPHORE), N(EFD_CLOEXEC), N(EFD_NONBLOCK), END
};
static const struct number_name futex_operations[] = {
	N(FUTEX_WAIT), N(FUTEX_WAKE), N(FUTEX_REQUEUE), N(FUTEX_CMP_REQUEUE), N(FUTEX_WAKE_OP),
	N(FUTEX_LOCK_PI), N(FUTEX_UNLOCK_PI), N(FUTEX_TRYLOCK_PI), N(FUTEX_WAIT_BITSET),
	N(FUTEX_WAKE_BITSET), N(FUTEX_WAIT_REQUEUE_PI), N(FUTEX_CMP_REQUEUE_PI),
	N(FUTEX_LOCK_PI2), END
};
static const struct number_name futex_flags[] = {
	{ FUTEX_PRIVATE_FLAG, "FUTEX_PRIVATE" }, { FUTEX_CLOCK_REALTIME, "FUTEX_CLOCK_REALTIME" }, END
};
static const struct number_name random_flags[] = { N(GRND_NONBLOCK), N(GRND_RANDOM), END };
static const struct number_name resources[] = {
	N(RLIMIT_CPU), N(RLIMIT_FSIZE), N(RLIMIT_DATA), N(RLIMIT_STACK), N(RLIMIT_CORE),
	N(RLIMIT_RSS), N(RLIMIT_NPROC), N(RLIMIT_NOFILE), N(RLIMIT_MEMLOCK), N(RLIMIT_AS),
	N(RLIMIT_LOCKS), N(RLIMIT_SIGPENDING), N(RLIMIT_MSGQUEUE), N(RLIMIT_NICE), N(RLIMIT_RTPRIO),
	N(RLIMIT_RTTIME), END
};

/*
 * Calls in a space-separated list, "*" for all, and a field of theirs.  A value is one of
 * .values under .mask, and flags beside it.
 */
static const struct number_names all[] = {
	{ "*", "dfd", at_directories, -1, NULL },
	{ "*", "olddfd", at_directories, -1, NULL },
	{ "*", "newdfd", at_directories, -1, NULL },
	{ "*", "from_dfd", at_directories, -1, NULL },
	{ "*", "to_dfd", at_directories, -1, NULL },
	{ "open openat openat2", "flags", access_modes, O_ACCMODE, open_flags },
	{ "openat2", "how_flags", access_modes, O_ACCMODE, open_flags },
	{ "pipe2 dup3 signalfd4 inotify_init1 epoll_create1 timerfd_create", "flags", NULL, 0, open_flags },
	{ "newfstatat fchownat fstatat64", "flag", NULL, 0, at_flags },
	{ "statx linkat utimensat execveat name_to_handle_at", "flags", NULL, 0, at_flags },
	{ "unlinkat", "flag", NULL, 0, unlink_flags },
	{ "faccessat2", "flags", NULL, 0, faccess_flags },
	{ "renameat2", "flags", NULL, 0, rename_flags },
	{ "access faccessat faccessat2", "mode", no_rights, -1, rights },
	{ "lseek llseek _llseek", "whence", whences, -1, NULL },
	{ "fcntl fcntl64", "cmd", fcntl_commands, -1, NULL },
	{ "mmap mmap2 mprotect pkey_mprotect", "prot", no_protection, -1, protections },
	{ "mmap mmap2", "flags", mapping_types, MAP_TYPE, mapping_flags },
	{ "mremap", "flags", NULL, 0, mremap_flags },
	{ "madvise process_madvise", "behavior", advices, -1, NULL },
	{ "msync", "flags", NULL, 0, sync_flags },
	{ "memfd_create", "flags", NULL, 0, memfd_flags },
	{ "clone", "clone_flags", NUMBER_SIGNALS, 0xff, clone_flags },
	{ "clone3", "uargs_flags", NULL, 0, clone_flags },
	{ "clone3", "uargs_exit_signal", NUMBER_SIGNALS, -1, NULL },
	{ "unshare", "unshare_flags", NULL, 0, clone_flags },
	{ "kill tkill tgkill rt_sigaction sigaction rt_sigqueueinfo rt_tgsigqueueinfo pidfd_send_signal",
	  "sig", NUMBER_SIGNALS, -1, NULL },
	{ "socket socketpair", "family", families, -1, NULL },
	{ "socket socketpair", "type", socket_types, 0xf, socket_flags },
	{ "accept4", "flags", NULL, 0, socket_flags },
	{ "shutdown", "how", shutdown_hows, -1, NULL },
	{ "sendto recvfrom sendmsg recvmsg sendmmsg recvmmsg send recv", "flags", NULL, 0, message_flags },
	{ "rt_sigprocmask sigprocmask", "how", mask_hows, -1, NULL },
	{ "wait4 waitid waitpid", "options", NULL, 0, wait_options },
	{ "waitid", "which", wait_whiches, -1, NULL },
	{ "clock_gettime clock_settime clock_getres clock_nanosleep clock_adjtime timer_create "
	  "clock_gettime64 clock_settime64 clock_getres_time64 clock_nanosleep_time64",
	  "which_clock", clocks, -1, NULL },
	{ "timerfd_create", "clockid", clocks, -1, NULL },
	{ "clock_nanosleep timer_settime timerfd_settime", "flags", NULL, 0, timer_flags },
	{ "epoll_ctl", "op", epoll_operations, -1, NULL },
	{ "epoll_ctl", "event_events", NULL, 0, epoll_events },
	{ "eventfd2", "flags", NULL, 0, eventfd_flags },
	{ "futex futex_time64", "op", futex_operations, FUTEX_CMD_MASK, futex_flags },
	{ "getrandom", "flags", NULL, 0, random_flags },
	{ "prlimit64 getrlimit setrlimit ugetrlimit", "resource", resources, -1, NULL },
	{ NULL, NULL, NULL, 0, NULL }
};

/* Return: @word is one of the words of @list. */
static bool is_one_of(const char *list, const char *word)
{
	size_t len;

	for (; *list; list += len + (list[len] == ' ')) {
		len = strcspn(list, " ");
		if (strlen(word) == len && !strncmp(list, word, len))
			return true;
	}
	return false;
}

const struct number_names *number_names_of(const char *call, const char *field)
{
	const struct number_names *names;

	for (names = all; names->field; names++)
		if (!strcmp(names->field, field) &&
		    (!strcmp(names->calls, "*") || is_one_of(names->calls, call)))
			return names;
	return NULL;
}

const struct number_name *number_families(void)
{
	return families;
}
