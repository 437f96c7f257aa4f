// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The running recordings of programs, each made by an lttd: requests to them.
 *
 * Layer: lttctl.
 */
#include "recordings.h"
#include "lttctl/record/state-child.h"
#include "lttctl/command.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/folder.h"
#include "core/name.h"

#define USER "user:"

/* lttd answers within LTT_PROGRAM_ASK_MS, unless the disk is slow or lttd is stopped. */
#define ANSWER_S 5

/* ---- Names ---- */

static bool parse_pid(const char *text, pid_t *pid)
{
	char *end;
	long value = strtol(text, &end, 10);

	*pid = value;
	return *text && !*end && value > 0 && value == *pid;
}

bool recordings_is_name(const char *name, pid_t *pid)
{
	return name && !strncmp(name, RECORDINGS_NAME, strlen(RECORDINGS_NAME)) &&
	       parse_pid(name + strlen(RECORDINGS_NAME), pid);
}

const char *recordings_pattern(const char *pattern)
{
	return strncmp(pattern, USER, strlen(USER)) ? NULL : pattern + strlen(USER);
}

/* ---- Requests ---- */

/* Return: a connection, or -errno. */
static int reach(pid_t pid)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct timeval timeout = { .tv_sec = ANSWER_S };
	char folder[LTT_FOLDER_SIZE];
	int err = ltt_folder_find(folder), fd;

	if (err)
		return err;
	if (snprintf(address.sun_path, sizeof(address.sun_path), "%s/" LTT_PROGRAM_SOCKET "%d", folder,
		     pid) >= (int)sizeof(address.sun_path))
		return -ENAMETOOLONG;
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	if (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout)) ||
	    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof(timeout)) ||
	    connect(fd, (struct sockaddr *)&address, sizeof(address))) {
		err = -errno;
		close(fd);
		return err;
	}
	return fd;
}

static int send_request(int fd, enum ltt_program_ask what, const char *text)
{
	char buf[LTT_PROGRAM_MAX];
	struct ltt_program_text *message = (void *)buf;
	size_t len = strlen(text) + 1;

	if (len > sizeof(buf) - sizeof(*message))
		return -E2BIG;
	*message = (struct ltt_program_text){ LTT_PROGRAM_ASK, what };
	memcpy(message->text, text, len);
	return send(fd, buf, sizeof(*message) + len, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

/* Write texts that arrive to @to.  Return: the number of the answer, or -errno. */
static long receive_answer(int fd, FILE *to)
{
	uint64_t buf[LTT_PROGRAM_MAX / sizeof(uint64_t)];
	const struct ltt_program_number *number = (const void *)buf;
	const struct ltt_program_text *text = (const void *)buf;
	ssize_t size;

	while ((size = recv(fd, buf, sizeof(buf), 0)) >= (ssize_t)sizeof(*number)) {
		if (number->type == LTT_PROGRAM_ANSWER)
			return number->number;
		if (number->type == LTT_PROGRAM_TEXT && to)
			fwrite(text->text, 1, size - sizeof(*text), to);
	}
	return size < 0 ? -errno : -ECONNRESET;
}

/* Return: the number of the answer, or -errno. */
static long ask(pid_t pid, enum ltt_program_ask what, const char *text, FILE *to)
{
	int fd = reach(pid);
	long ret = fd;

	if (fd >= 0) {
		ret = send_request(fd, what, text);
		if (!ret)
			ret = receive_answer(fd, to);
		close(fd);
	}
	return ret;
}

static int explain(pid_t pid, long err)
{
	switch (err) {
	case -ENOENT:
	case -ECONNREFUSED:
		return complain(RECORDINGS_NAME "%d: no such recording; `lttctl list` shows all", pid);
	case -EAGAIN:
		return complain("lttd (pid %d) does not answer (stopped?)", pid);
	case -ECONNRESET:
		return complain("lttd (pid %d) closed the connection; see its log (of a daemon, the system's)", pid);
	}
	return complain("cannot send a request to lttd (pid %d): %s", pid, strerror(-err));
}

/* An lttd may exit while all are listed; that is not an error. */
static bool has_ended(long err)
{
	return err == -ENOENT || err == -ECONNREFUSED || err == -ECONNRESET || err == -EPIPE;
}

/* ---- All that run ---- */

/* Call @fn for each lttd, also after one has failed.  Return: 0, or the first status. */
static int for_each_pid(int (*fn)(pid_t pid, void *arg), void *arg)
{
	char path[LTT_FOLDER_SIZE];
	struct dirent *entry;
	int status = 0, ret, err;
	DIR *folder;
	pid_t pid;

	err = ltt_folder_find(path);
	if (err)
		return err == -ENOENT ? 0 : complain("cannot use directory %s: %s", path, strerror(-err));
	folder = opendir(path);
	if (!folder)
		return complain("cannot open directory %s: %s", path, strerror(errno));
	while ((entry = readdir(folder))) {
		if (strncmp(entry->d_name, LTT_PROGRAM_SOCKET, strlen(LTT_PROGRAM_SOCKET)) ||
		    !parse_pid(entry->d_name + strlen(LTT_PROGRAM_SOCKET), &pid))
			continue;
		ret = fn(pid, arg);
		status = status ? status : ret;
	}
	closedir(folder);
	return status;
}

static int look(pid_t pid, recording_fn *fn, void *arg, bool may_end)
{
	struct recording_status status = { .pid = pid };
	char *text = NULL, *end;
	size_t len = 0;
	FILE *memory = open_memstream(&text, &len);
	int ret = EXIT_FAILED;
	long err;

	if (!memory)
		return complain("out of memory");
	err = ask(pid, LTT_PROGRAM_STATUS, "", memory);
	if (fclose(memory) && !err)
		err = -ENOMEM;
	if (err)
		ret = may_end && has_ended(err) ? 0 : explain(pid, err);
	end = text ? strchr(text, '\n') : NULL;
	if (!err && end && !strncmp(text, "output ", 7)) {
		*end = '\0';
		status.dir = text + 7;
		status.lines = end + 1;
		ret = fn(&status, arg);
	}
	free(text);
	return ret;
}

int recordings_look(pid_t pid, recording_fn *fn, void *arg)
{
	return look(pid, fn, arg, false);
}

struct each {
	recording_fn *fn;
	void *arg;
};

static int look_at_each(pid_t pid, void *arg)
{
	struct each *each = arg;

	return look(pid, each->fn, each->arg, true);
}

int recordings_for_each(recording_fn *fn, void *arg)
{
	struct each each = { fn, arg };

	return for_each_pid(look_at_each, &each);
}

/* ---- Changing ---- */

struct change {
	enum ltt_program_ask what;
	const char *pattern;
	unsigned int nr;
};

static void warn_unsettled(long nr)
{
	if (nr > 0)
		complain("warning: %ld programs have not acknowledged yet (stopped?)", nr);
}

static int change(pid_t pid, const struct change *change)
{
	long unsettled = ask(pid, change->what, change->pattern, NULL);

	warn_unsettled(unsettled);
	return unsettled < 0 ? unsettled : 0;
}

static int change_each(pid_t pid, void *arg)
{
	struct change *all = arg;
	int err = change(pid, all);

	all->nr += !has_ended(err);
	return err && !has_ended(err) ? explain(pid, err) : 0;
}

static int misuse_name(const char *name)
{
	return misused("%s: not a recording of programs (for example " RECORDINGS_NAME "123); `lttctl list` shows all",
		       name);
}

int recordings_set(const char *name, const char *pattern, bool on)
{
	struct change what = { on ? LTT_PROGRAM_ENABLE : LTT_PROGRAM_DISABLE, pattern, 0 };
	int status, err;
	pid_t pid;

	if (name && !recordings_is_name(name, &pid))
		return misuse_name(name);
	if (name) {
		err = change(pid, &what);
		return err ? explain(pid, err) : 0;
	}
	status = for_each_pid(change_each, &what);
	if (!status && !what.nr)
		return complain("no recording of programs runs; to start one: lttctl record -e 'user%s%s'",
				*pattern == '@' ? "" : ":", pattern);
	return status;
}

/* Send a request about a filter, which lttd can refuse with a reason. */
static int change_filter(pid_t pid, enum ltt_program_ask what, const char *text)
{
	char *why = NULL;
	size_t len = 0;
	FILE *memory = open_memstream(&why, &len);
	int status = 0;
	long answer;

	if (!memory)
		return complain("out of memory");
	answer = ask(pid, what, text, memory);
	if (fclose(memory))
		status = complain("out of memory");
	else if (answer == (long)LTT_PROGRAM_REFUSED)
		status = complain("%s", why);
	else if (answer < 0)
		status = explain(pid, answer);
	else
		warn_unsettled(answer);
	free(why);
	return status;
}

int recordings_filter(const char *name, const char *pattern, const char *expression)
{
	char *text = NULL;
	int status;
	pid_t pid;

	if (!recordings_is_name(name, &pid))
		return misuse_name(name);
	if (!expression)
		return change_filter(pid, LTT_PROGRAM_UNFILTER, pattern);
	if (asprintf(&text, "%s %s", pattern, expression) < 0)
		return complain("out of memory");
	status = change_filter(pid, LTT_PROGRAM_FILTER, text);
	free(text);
	return status;
}

struct each_filter {
	recordings_filter_fn *fn;
	void *arg;
};

/* "filter PATTERN EXPRESSION" */
static int take_filter(char *line, const struct each_filter *each)
{
	char pattern[LTT_PROGRAM_NAME + LTT_PATTERN_MAX + sizeof(USER)];
	char *kind = strsep(&line, " "), *name = strsep(&line, " ");

	if (!line || strcmp(kind, "filter"))
		return 0;
	snprintf(pattern, sizeof(pattern), "%s%s", *name == '@' ? "user" : USER, name);
	return each->fn(pattern, line, each->arg);
}

static int take_filters(const struct recording_status *state, void *arg)
{
	char *rest = state->lines, *line;
	int status = 0;

	while (!status && (line = strsep(&rest, "\n")))
		status = take_filter(line, arg);
	return status;
}

int recordings_for_each_filter(const char *name, recordings_filter_fn *fn, void *arg)
{
	struct each_filter each = { fn, arg };
	pid_t pid;

	recordings_is_name(name, &pid);
	return recordings_look(pid, take_filters, &each);
}

int recordings_snapshot(const char *name, const char *state)
{
	char *path = NULL;
	size_t len = 0;
	FILE *memory = open_memstream(&path, &len);
	int status = 0;
	pid_t pid;
	long err;

	if (!memory)
		return complain("out of memory");
	recordings_is_name(name, &pid);
	err = ask(pid, LTT_PROGRAM_SNAPSHOT, "", memory);
	if (fclose(memory))
		status = complain("out of memory");
	else if (err == LTT_PROGRAM_SNAPSHOT_EMPTY)
		status = complain("%s: no program has joined the recording yet; no snapshot is written", name);
	else if (err > 0)
		status = complain("lttd (pid %d) cannot write the snapshot; see its log", pid);
	else if (err)
		status = explain(pid, err);
	if (!status && len) {
		/* A snapshot without a state is whole. */
		state_write(path, state);
		printf("%s\n", path);
	}
	free(path);
	return status ? status : output_status();
}

/* A slow disk may need any time. */
int recordings_destroy(const char *name)
{
	const struct timeval for_ever = { 0 };
	long failed;
	pid_t pid;
	int fd;

	recordings_is_name(name, &pid);
	fd = reach(pid);
	failed = fd < 0 ? fd : send_request(fd, LTT_PROGRAM_END, "");
	if (!failed)
		failed = receive_answer(fd, NULL);
	if (failed == -EAGAIN && !setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &for_ever, sizeof(for_ever))) {
		complain("warning: lttd (pid %d) has not exited yet (stopped?); waiting", pid);
		failed = receive_answer(fd, NULL);
	}
	if (fd >= 0)
		close(fd);
	/* lttd was killed, or has answered another process that requested the end before. */
	if (failed == -ECONNRESET && (fd = reach(pid)) < 0)
		return complain("lttd (pid %d) exited without an answer: %s may not be complete", pid, name);
	if (failed == -ECONNRESET)
		close(fd);
	if (failed > 0)
		return complain("%s is not complete; see the log of lttd (pid %d)", name, pid);
	return failed ? explain(pid, failed) : 0;
}
