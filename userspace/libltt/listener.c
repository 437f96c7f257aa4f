// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The thread that talks to lttd, for as long as the program lives.
 *
 * It sleeps until an lttd says something, a socket appears in one of the folders, or
 * there are more sites.  The program waits for none of this, but for `lttctl record`
 * that started it: see wait_for_start().
 */
#include "listener.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

#include "folder.h"
#include "protocol.h"
#include "session.h"
#include "sites.h"
#include "thread.h"

#define SESSIONS_MAX	62
#define STACK_SIZE	(256 * 1024)
#define RETRY_MS	1000
#define START_SECONDS	2

/* All guarded by ltt_lock. */
static bool running;
static struct descriptor wake_in = { .fd = -1 }, wake_out = { .fd = -1 };	/* a pipe */
static struct descriptor watch = { .fd = -1 };	/* inotify */
static char folders[2][LTT_FOLDER_SIZE];
static pthread_cond_t heard = PTHREAD_COND_INITIALIZER;

/* ---- Folders ---- */

static void scan(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (!strncmp(entry->d_name, LTT_PROGRAM_SOCKET, strlen(LTT_PROGRAM_SOCKET)))
			ltt_session_new(folder, entry->d_name);
	if (dir)
		closedir(dir);
}

/* Watch before looking, so that nothing comes between.  While root's folder is not there,
 * the one above is watched for it. */
static void watch_folders(void)
{
	size_t i;

	for (i = 0; i < 2; i++) {
		if (*folders[i] &&
		    inotify_add_watch(watch.fd, folders[i], IN_MOVED_TO | IN_ONLYDIR) < 0 && !i)
			inotify_add_watch(watch.fd, "/run", IN_CREATE | IN_ONLYDIR);
	}
	for (i = 0; i < 2; i++)
		if (*folders[i])
			scan(folders[i]);
}

static void open_folders(void)
{
	int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);

	if (fd >= 0)
		watch = ltt_descriptor_take(fd);
	strcpy(folders[0], LTT_PROGRAM_SYSTEM_DIR);
	if (ltt_folder(folders[1]) || !strcmp(folders[0], folders[1]))
		*folders[1] = '\0';
	watch_folders();
}

static void drain(int fd)
{
	char buf[4096];

	while (read(fd, buf, sizeof(buf)) > 0)
		;
}

/* ---- Sessions ---- */

/* Connect and speak.  Return: whether lttd has room for more; false: later. */
static int attend(struct session *session)
{
	int err = 0;

	if (!ltt_descriptor_is_open(&session->socket))
		err = ltt_session_connect(session);
	return err ? err : ltt_session_speak(session);
}

static void hear_all(struct session *session)
{
	int err;

	do
		err = ltt_session_hear(session);
	while (!err);
	if (err == -EBADF)
		ltt_session_lost(session);
	else if (err != -EAGAIN)
		ltt_session_end(session);
}

/* Fill in what to wait for.  Return: how many; *timeout: for how long. */
static nfds_t prepare(struct pollfd *polls, struct session **sessions, int *timeout)
{
	struct session *session, *next;
	nfds_t nr = 2;
	int err;

	polls[0] = (struct pollfd){ .fd = wake_out.fd, .events = POLLIN };
	polls[1] = (struct pollfd){ .fd = watch.fd, .events = POLLIN };
	*timeout = -1;
	for (session = ltt_sessions; session && nr < SESSIONS_MAX + 2; session = next) {
		next = session->next;
		err = attend(session);
		if (err == -EBADF)
			err = attend(session);
		if (err && err != -EAGAIN) {
			ltt_session_end(session);
			continue;
		}
		/* With a queue of programs that want to connect there is nothing to wait for. */
		if (!ltt_descriptor_is_open(&session->socket)) {
			*timeout = RETRY_MS;
			continue;
		}
		polls[nr] = (struct pollfd){ .fd = session->socket.fd,
					     .events = POLLIN | (err ? POLLOUT : 0) };
		sessions[nr++] = session;
	}
	return nr;
}

static void open_all(void)
{
	int fds[2];

	if (!ltt_descriptor_is_open(&wake_out) || !ltt_descriptor_is_open(&wake_in)) {
		if (!pipe2(fds, O_CLOEXEC | O_NONBLOCK)) {
			wake_out = ltt_descriptor_take(fds[0]);
			wake_in = ltt_descriptor_take(fds[1]);
		}
	}
	if (!ltt_descriptor_is_open(&watch))
		open_folders();
}

static void *listener(void *unused)
{
	struct session *sessions[SESSIONS_MAX + 2];
	struct pollfd polls[SESSIONS_MAX + 2];
	int timeout;
	nfds_t nr, i;

	(void)unused;
	pthread_mutex_lock(&ltt_lock);
	for (;;) {
		open_all();
		nr = prepare(polls, sessions, &timeout);
		pthread_cond_broadcast(&heard);
		pthread_mutex_unlock(&ltt_lock);
		poll(polls, nr, timeout);
		pthread_mutex_lock(&ltt_lock);
		if (polls[0].revents == POLLIN)
			drain(polls[0].fd);
		if (polls[1].revents == POLLIN) {
			drain(polls[1].fd);
			watch_folders();
		}
		for (i = 2; i < nr; i++)
			if (polls[i].revents)
				hear_all(sessions[i]);
	}
	return NULL;
}

/* ---- Starting ---- */

/* Signals are for the program's threads. */
static void start(void)
{
	pthread_attr_t attr;
	sigset_t all, before;
	pthread_t thread;

	open_all();
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attr, STACK_SIZE);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	running = !pthread_create(&thread, &attr, listener, NULL);
	if (running)
		pthread_setname_np(thread, "ltt-listener");
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
}

static void before_fork(void)
{
	pthread_mutex_lock(&ltt_lock);
}

static void after_fork(void)
{
	pthread_mutex_unlock(&ltt_lock);
}

/* The child has the buffers and goes on writing; it has connections of its own. */
static void after_fork_in_child(void)
{
	struct session *session;

	ltt_thread_forget();
	pthread_mutex_init(&ltt_lock, NULL);
	pthread_cond_init(&heard, NULL);
	if (!running)
		return;
	pthread_mutex_lock(&ltt_lock);
	for (session = ltt_sessions; session; session = session->next)
		ltt_session_lost(session);
	ltt_descriptor_close(&wake_in);
	ltt_descriptor_close(&wake_out);
	ltt_descriptor_close(&watch);
	start();
	pthread_mutex_unlock(&ltt_lock);
}

static void at_exit(int status, void *unused)
{
	struct session *session;

	(void)unused;
	/* It may be held by a thread that is never going on, as after exit() in a handler. */
	if (pthread_mutex_trylock(&ltt_lock))
		return;
	for (session = ltt_sessions; session; session = session->next)
		ltt_session_say_bye(session, status);
	pthread_mutex_unlock(&ltt_lock);
}

static void start_first(void)
{
	static bool prepared;

	if (!prepared) {
		prepared = true;
		pthread_atfork(before_fork, after_fork, after_fork_in_child);
		on_exit(at_exit, NULL);
	}
	start();
}

/* ---- Telling ---- */

static struct session *find_session(const char *path)
{
	struct session *session;

	for (session = ltt_sessions; session; session = session->next)
		if (!strcmp(session->address.sun_path, path))
			return session;
	return NULL;
}

/* `lttctl record -- PROGRAM` wants all events from the first on, and has an lttd that is
 * there; if that has gone, or does not answer, the program goes on without. */
static void wait_for_start(const char *path)
{
	static bool in_vain;
	struct timespec until;
	struct session *session;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += START_SECONDS;
	while (!in_vain && (session = find_session(path)) && session->ready < ltt_sites_end())
		in_vain = pthread_cond_clockwait(&heard, &ltt_lock, CLOCK_MONOTONIC, &until);
}

void ltt_listener_tell(void)
{
	const char *path = secure_getenv("LTT_START"), *name = path ? strrchr(path, '/') : NULL;
	char folder[LTT_FOLDER_SIZE];
	ssize_t ignored;

	if (!running)
		start_first();
	if (!running)
		return;
	if (name && name - path < LTT_FOLDER_SIZE) {
		*(char *)mempcpy(folder, path, name - path) = '\0';
		ltt_session_new(folder, name + 1);
	}
	if (ltt_descriptor_is_open(&wake_in))
		ignored = write(wake_in.fd, "", 1);	/* full: it is awake */
	(void)ignored;
	if (name)
		wait_for_start(path);
}

void ltt_listener_tell_gone(uint32_t number, uint32_t count)
{
	struct session *session;
	uint32_t i;

	for (session = ltt_sessions; session; session = session->next)
		for (i = 0; i < count; i++)
			ltt_session_say_gone(session, number + i);
}
