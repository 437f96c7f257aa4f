// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl probe: run a function of a loaded library at a marker of a running program.
 *
 * Layer: lttctl.
 */
#include "lttctl/command.h"
#include "common/options.h"
#include "lttctl/programs/meeting.h"
#include "lttctl/programs/recordings.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

/* The constructors of a library may need long. */
#define WAIT_MS 10000

/**
 * struct probing - a request to a program, and its result
 * @pid: the program
 * @request: a struct ltt_program_probe with its texts
 * @size: bytes of @request
 * @asked: the request was sent
 * @found: the program has answered
 * @status: the exit status of the command
 */
struct probing {
	pid_t pid;
	char request[LTT_PROGRAM_MAX];
	size_t size;
	bool asked;
	bool found;
	int status;
};

/* ---- The request ---- */

static int begin(struct probing *probing, enum ltt_program_probing what)
{
	struct ltt_program_probe *message = (void *)probing->request;

	*message = (struct ltt_program_probe){ .type = LTT_PROGRAM_PROBE, .what = what };
	probing->size = sizeof(*message);
	return 0;
}

static int add(struct probing *probing, const char *text)
{
	size_t len = strlen(text) + 1;

	if (len > sizeof(probing->request) - probing->size)
		return misused("the arguments are too long");
	memcpy(probing->request + probing->size, text, len);
	probing->size += len;
	return 0;
}

static int parse_load(struct probing *probing, const char *const *args)
{
	char path[PATH_MAX];

	if (!args[0] || args[1])
		return misused("load: must be followed by one FILE");
	/* The current directory of the program may be another one. */
	if (!realpath(args[0], path))
		return complain("%s: %s", args[0], strerror(errno));
	begin(probing, LTT_PROGRAM_PROBE_LOAD);
	return add(probing, path);
}

static int parse_connect(struct probing *probing, const char *const *args, enum ltt_program_probing what)
{
	const char *pattern = args[0] ? recordings_pattern(args[0]) : NULL;
	int status;

	if (!args[0] || !args[1] || (args[2] && args[3]))
		return misused("a pattern and a function must follow, and optionally a text");
	if (!pattern || !*pattern)
		return misused("%s: must be user:group:name (for example user:app:*)", args[0]);
	begin(probing, what);
	status = add(probing, pattern);
	if (!status)
		status = add(probing, args[1]);
	return status ? status : add(probing, args[2] ? args[2] : "");
}

static int parse_words(struct probing *probing, const char *const *args)
{
	if (!args || !args[0])
		return misused("load, connect or disconnect is missing");
	if (!strcmp(args[0], "load"))
		return parse_load(probing, args + 1);
	if (!strcmp(args[0], "connect"))
		return parse_connect(probing, args + 1, LTT_PROGRAM_PROBE_CONNECT);
	if (!strcmp(args[0], "disconnect"))
		return parse_connect(probing, args + 1, LTT_PROGRAM_PROBE_DISCONNECT);
	return misused("%s: must be load, connect or disconnect", args[0]);
}

static int parse_pid(struct probing *probing, const char *text)
{
	const char *why;

	if (!text)
		return misused("-p PID is missing");
	why = options_pid(text, &probing->pid);
	return why ? misused("-p %s: %s", text, why) : 0;
}

/* ---- The answer ---- */

static const char *explain(int err)
{
	switch (err) {
	case EPERM:
		return "permission denied: the kernel rejects access to its memory, see ptrace(2), access mode checking";
	case EEXIST:
		return "already connected";
	case ENOENT:
		return "not connected";
	case ENOSYS:
		return "linked with libltt.a, which does not accept probes from other processes";
	}
	return strerror(err);
}

static int take_answer(struct meeting *meeting, const struct meeting_program *program,
		       const struct ltt_program_text *answer, size_t size)
{
	struct probing *probing = meeting->arg;
	char words[512];

	snprintf(words, sizeof(words), "%.*s", (int)(size - sizeof(*answer)), answer->text);
	make_printable(words);
	probing->found = meeting->enough = true;
	if (answer->what)
		probing->status = complain("%s (pid %d): %s", program->name, program->pid,
					   *words ? words : explain(answer->what));
	return 1;
}

/* Bytes of the program's memory prove that we have the right to debug it; it rejects a
 * request without them. */
static int send_request(struct probing *probing, const struct ltt_program_challenge *challenge, int fd)
{
	struct ltt_program_probe *message = (void *)probing->request;
	struct iovec here = { message->proof, sizeof(message->proof) };
	struct iovec there = { (void *)(uintptr_t)challenge->address, sizeof(message->proof) };

	if (process_vm_readv(probing->pid, &here, 1, &there, 1, 0) != (ssize_t)sizeof(message->proof))
		memset(message->proof, 0, sizeof(message->proof));
	probing->asked = true;
	return send(fd, probing->request, probing->size, MSG_NOSIGNAL | MSG_DONTWAIT) < 0;
}

static int receive(struct meeting *meeting, struct meeting_program *program, const void *data, size_t size,
		   int fd)
{
	const struct ltt_program_number prove = { LTT_PROGRAM_PROVE, 0 };
	const struct ltt_program_text *message = data;
	struct probing *probing = meeting->arg;

	if (program->pid != probing->pid)
		return 1;
	if (message->type == LTT_PROGRAM_PROBED)
		return take_answer(meeting, program, message, size);
	if (message->type == LTT_PROGRAM_CHALLENGE && size >= sizeof(struct ltt_program_challenge))
		return send_request(probing, data, fd);
	return program->messages == 1 && send(fd, &prove, sizeof(prove), MSG_NOSIGNAL | MSG_DONTWAIT) < 0;
}

static int probe(struct probing *probing)
{
	struct meeting meeting = { .receive = receive, .arg = probing, .wait_ms = WAIT_MS };
	int status = meeting_hold(&meeting);

	if (status || probing->found)
		return status ? status : probing->status;
	if (probing->asked && !meeting.silent)
		return complain("process %d exited before it answered", probing->pid);
	return complain(meeting.silent ? "process %d does not answer (stopped, without markers, or still loading the library?)" :
					 "process %d: no program with markers, or of another user", probing->pid);
}

int cmd_probe(int argc, const char **argv)
{
	struct probing *probing = calloc(1, sizeof(*probing));
	char *pid = NULL;
	const struct poptOption table[] = {
		{ "pid", 'p', POPT_ARG_STRING, &pid, 0, "process id of the program", "PID" },
		OPTIONS_HELP,
		POPT_TABLEEND
	};
	poptContext context;
	int status;

	if (!probing)
		return complain("out of memory");
	status = options_parse(argc, argv, table, 0, &context);
	if (!status)
		status = parse_pid(probing, pid);
	if (!status)
		status = parse_words(probing, poptGetArgs(context));
	if (!status)
		status = probe(probing);
	poptFreeContext(context);
	free(pid);
	free(probing);
	return status;
}
