// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The vault: a thread with a descriptor table of its own.
 *
 * Layer: lttd.
 */
#include "vault.h"
#include "common/rights.h"
#include "lttd/log.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

/**
 * struct vault - the vault
 * @thread: its thread
 * @begun: there is one
 * @asked: posted after @fn and @arg were stored
 * @done: posted after @fn has returned
 * @fn: what the thread is to call; NULL: it is to exit
 * @arg: the argument
 * @to: where the loop sends descriptors
 * @from: where the thread receives them, a number in its table
 */
static struct vault {
	pthread_t thread;
	bool begun;
	sem_t asked;
	sem_t done;
	void (*fn)(void *arg);
	void *arg;
	int to;
	int from;
} vault;

static void await(sem_t *sem)
{
	while (sem_wait(sem))
		;
}

static void *serve(void *unused)
{
	(void)unused;
	prctl(PR_SET_NAME, "lttd-vault");
	for (await(&vault.asked); vault.fn; await(&vault.asked)) {
		vault.fn(vault.arg);
		sem_post(&vault.done);
	}
	return NULL;
}

void vault_run(void (*fn)(void *arg), void *arg)
{
	vault.fn = fn;
	vault.arg = arg;
	sem_post(&vault.asked);
	await(&vault.done);
}

/* Leave the table of the process for one that has only the socket. */
static void take_table(void *err)
{
	if (unshare(CLONE_FILES) || dup2(vault.from, 0) < 0) {
		*(int *)err = errno;
		return;
	}
	closefrom(1);
	vault.from = 0;
}

static void stop(void)
{
	vault.fn = NULL;
	sem_post(&vault.asked);
	pthread_join(vault.thread, NULL);
}

int vault_begin(void)
{
	int fds[2], err = 0;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds))
		return fail("cannot keep the memory of programs: %s", strerror(errno));
	vault = (struct vault){ .to = fds[0], .from = fds[1] };
	sem_init(&vault.asked, 0, 0);
	sem_init(&vault.done, 0, 0);
	err = pthread_create(&vault.thread, NULL, serve, NULL);
	if (!err) {
		vault_run(take_table, &err);
		if (err)
			stop();
	}
	close(fds[1]);
	vault.begun = !err;
	if (!err)
		return 0;
	close(fds[0]);
	return fail("cannot keep the memory of programs: %s", strerror(err));
}

void vault_end(void)
{
	if (!vault.begun)
		return;
	stop();
	close(vault.to);
	vault.begun = false;
}

static void receive(void *number)
{
	*(int *)number = rights_receive(vault.from);
}

int vault_keep(int fd)
{
	const char message = 0;
	int number;

	if (rights_send(vault.to, &message, sizeof(message), fd) < 0)
		return -errno;
	vault_run(receive, &number);
	if (number >= 0)
		close(fd);
	return number;
}
