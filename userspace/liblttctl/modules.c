// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Bringing the tracer into the kernel, and debugfs to its place.
 *
 * Layer: liblttctl.
 */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEBUGFS "/sys/kernel/debug"

/* Each needs only those above it. */
static const struct {
	const char *name;
	const char *folder;	/* where the build tree has it */
} modules[] = {
	{ "ltt-timestamp", "timestamp" },
	{ "ltt-relay", "relay" },
	{ "ltt-markers", "markers" },
	{ "ltt-tracer", "tracer" },
	{ "ltt-tracepoints", "instrument" },
	{ "ltt-heartbeat", "heartbeat" },
	{ "ltt-control", "control" },
};

static bool module_loaded(const char *name)
{
	char path[128];
	char *p;

	snprintf(path, sizeof(path), "/sys/module/%s", name);
	for (p = path; *p; p++)
		if (*p == '-')
			*p = '_';	/* as the kernel spells module names */
	return !access(path, F_OK);
}

/* Load from LTT_MODULES_DIR, laid out as the build tree or flat. */
static int insert_module(struct lttctl *ctl, const char *dir, const char *name,
			 const char *folder)
{
	char path[4096];
	int fd, err;

	snprintf(path, sizeof(path), "%s/%s/%s.ko", dir, folder, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT) {
		snprintf(path, sizeof(path), "%s/%s.ko", dir, name);
		fd = open(path, O_RDONLY | O_CLOEXEC);
	}
	if (fd < 0)
		return lttctl_fail(ctl, -errno,
				   "cannot open %s, named by LTT_MODULES_DIR: %s",
				   path, strerror(errno));
	err = syscall(SYS_finit_module, fd, "", 0) ? -errno : 0;
	close(fd);
	if (err && err != -EEXIST)
		return lttctl_fail(ctl, err,
				   "the kernel refuses %s: %s (dmesg says more)",
				   path, strerror(-err));
	return 0;
}

/* Run modprobe(8); its own words become part of the sentence. */
static int probe_module(struct lttctl *ctl, const char *name)
{
	char *argv[] = { "modprobe", (char *)name, NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	char said[512];
	size_t len = 0;
	sigset_t none;
	int pipefd[2];
	int status;
	ssize_t got;
	pid_t pid;
	int err;

	if (pipe2(pipefd, O_CLOEXEC))
		return lttctl_fail(ctl, -errno, "cannot make a pipe: %s",
				   strerror(errno));
	sigemptyset(&none);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, pipefd[1], STDERR_FILENO);
	err = posix_spawnp(&pid, argv[0], &files, &attr, argv, environ);
	if (err == ENOENT)	/* users' PATHs often lack it */
		err = posix_spawn(&pid, "/sbin/modprobe", &files, &attr, argv,
				  environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attr);
	close(pipefd[1]);
	if (err) {
		close(pipefd[0]);
		return lttctl_fail(ctl, -err, "cannot run modprobe: %s",
				   strerror(err));
	}

	/* What does not fit in said[] is read too, or modprobe would block. */
	for (;;) {
		char rest[256];
		bool fits = len < sizeof(said) - 1;

		got = read(pipefd[0], fits ? said + len : rest,
			   fits ? sizeof(said) - 1 - len : sizeof(rest));
		if (got > 0 && fits)
			len += got;
		else if (!got || (got < 0 && errno != EINTR))
			break;
	}
	close(pipefd[0]);
	said[len] = '\0';
	said[strcspn(said, "\n")] = '\0';
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	return lttctl_fail(ctl, -ENODEV,
			   "cannot load %s: %s (to use a build tree, set LTT_MODULES_DIR to its modules folder)",
			   name, len ? said : "modprobe failed");
}

int lttctl_mount_debugfs(struct lttctl *ctl)
{
	struct statfs fs;

	if (!statfs(DEBUGFS, &fs) && fs.f_type == DEBUGFS_MAGIC)
		return 0;
	if (mount("debugfs", DEBUGFS, "debugfs", 0, NULL) && errno != EBUSY)
		return lttctl_fail(ctl, -errno,
				   "cannot mount debugfs on " DEBUGFS ": %s",
				   strerror(errno));
	return 0;
}

int lttctl_load(struct lttctl *ctl)
{
	const char *dir = secure_getenv("LTT_MODULES_DIR");
	const char *tree = secure_getenv("LTT_DEBUGFS");
	size_t i;
	int err;

	if (tree && *tree)
		return 0;
	for (i = 0; i < sizeof(modules) / sizeof(modules[0]); i++) {
		if (module_loaded(modules[i].name))
			continue;
		if (dir && *dir)
			err = insert_module(ctl, dir, modules[i].name,
					    modules[i].folder);
		else
			err = probe_module(ctl, modules[i].name);
		if (err)
			return err;
	}
	ctl->mounts = true;
	return 0;
}
