// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Invariants of lttd for any messages of a program, or of one that claims to be lttctl,
 * for libFuzzer.
 *
 * A case is messages, each two bytes with its length and then its content.  lttd answers with
 * whole messages; prints only printable text; numbers accepted markers without a gap, and enables
 * no other site.
 */
#include "must.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../userspace/common/protocol.h"
#include "../../userspace/lttd/programs/control.h"
#include "../../userspace/lttd/programs/vault.h"
#include "../../userspace/lttd/log.h"

#define EVENTS_MANY 300

static char root[256];
static struct programs programs;
static struct bells bells;

/* ---- Messages of lttd for users ---- */

static void look(const char *fmt, va_list args)
{
	char text[4096];
	const char *at;

	vsnprintf(text, sizeof(text), fmt, args);
	for (at = text; *at; at++)
		MUST(*at >= ' ' && *at <= '~');
}

int fail(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	look(fmt, args);
	va_end(args);
	/* Nothing that a program says is why a recording cannot go on. */
	MUST(!"lttd gives up");
	return -1;
}

/* All of them are looked at. */
void count_notice(unsigned int *nr)
{
	(void)nr;
}

void notice(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	look(fmt, args);
	va_end(args);
}

void copy_printable(char *to, size_t size, const char *from)
{
	size_t i;

	for (i = 0; i < size - 1 && from[i]; i++)
		to[i] = from[i] >= ' ' && from[i] < 127 ? from[i] : '?';
	to[i] = '\0';
}

uint64_t programs_now(void)
{
	return 1;
}

/* ---- The recording ---- */

static struct user *find_user(struct program_host *host, uid_t uid)
{
	(void)host;
	(void)uid;
	return programs.users;
}

static bool wants(struct program_host *host, pid_t pid, bool heir)
{
	(void)host;
	(void)pid;
	(void)heir;
	return true;
}

static void note(struct program_host *host, struct program *program)
{
	(void)host;
	MUST(program->user);
}

static void new_user(void)
{
	static const struct buffers buffers = { .sb_order = 12, .nr_sb = 2, .context = LTT_CONTEXT_USUAL, .memory = 1 << 30,
						.objects = true };
	static const struct clock clock = { .name = "monotonic", .freq = 1000000000 };
	char folder[sizeof(root) + 32];

	if (programs.users)
		user_free(programs.users);
	snprintf(folder, sizeof(folder), "rm -rf %s/user-0", root);
	MUST(!system(folder));
	programs.users = user_new(0, root, &clock, &buffers, &bells);
	MUST(programs.users);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static const struct programs_options options = { .root = root };

	(void)argc;
	(void)argv;
	make_folder(root, sizeof(root));
	programs.host = (struct program_host){ find_user, wants, &programs.patterns, &programs.filters, note, note, control_ask };
	filters_init(&programs.filters);
	programs.options = &options;
	MUST(!vault_begin());
	MUST(!bells_init(&bells));
	new_user();
	return 0;
}

/* ---- The program ---- */

static void take_answers(int fd)
{
	const struct ltt_program_listen *listen;
	const struct ltt_program_channel *channel;
	uint64_t buf[LTT_PROGRAM_MAX / 8];
	const struct ltt_program_number *number = (const void *)buf;
	ssize_t size;

	while ((size = recv(fd, buf, sizeof(buf), MSG_DONTWAIT)) > 0) {
		MUST((size_t)size >= sizeof(number->type));
		listen = (const void *)buf;
		channel = (const void *)buf;
		switch (number->type) {
		case LTT_PROGRAM_LISTEN:
			MUST(size >= (ssize_t)(sizeof(*listen) + listen->nr * sizeof(listen->insn[0])) && listen->on <= 1);
			MUST(listen->nr ? listen->on : size == sizeof(*listen));
			MUST(!listen->on || listen->id < programs.users->trace.events.nr);
			break;
		case LTT_PROGRAM_CHANNEL:
			MUST(size == sizeof(*channel) && channel->nr_rings > channel->nr_cpus);
			break;
		case LTT_PROGRAM_NOTED:
			MUST(size == sizeof(*number));
			break;
		case LTT_PROGRAM_READY:
			MUST(size == sizeof(struct ltt_program_end));
			break;
		case LTT_PROGRAM_TELL:
		case LTT_PROGRAM_ANSWER:
			MUST(size == sizeof(*number));
			break;
		default:
			MUST(number->type == LTT_PROGRAM_TEXT);
		}
	}
}

/* Readers know integers of these sizes. */
static void check_event(const struct event *event)
{
	struct ltt_label label;
	const char *labels;
	unsigned int i, size;

	for (i = 0; i < event->nr_fields; i++) {
		size = event->fields.field[i].size;
		MUST(size == 1 || size == 2 || size == 4 || size == 8);
		/* The message with the format is gone: this reads a copy. */
		for (labels = event->fields.field[i].labels; labels && ltt_label_next(&labels, &label); )
			MUST(label.len);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rest rest = { data, size };
	struct program program = { .fd = -1, .pidfd = -1, .pid = getpid(), .uid = getuid() };
	uint32_t before = programs.users->trace.events.nr;
	int fds[2], ret = 0;
	char *message;
	size_t len;

	MUST(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds));
	program.fd = fds[0];
	LIST_INSERT_HEAD(&programs.programs, &program, all);
	LIST_INSERT_HEAD(&programs.pending, &program, pending);
	while (rest.left && !ret) {
		len = take_byte(&rest);
		len |= (take_byte(&rest) & 3) << 8;
		len = len < rest.left ? len : rest.left;
		/* An empty one is taken for the end. */
		if (!len)
			continue;
		message = take_text(&rest, len);
		MUST(send(fds[1], message, len, 0) == (ssize_t)len);
		free(message);
		ret = program_hear(&program, &programs.host);
		MUST(!ret || ret == -ECONNRESET);
		take_answers(fds[1]);
	}
	MUST(strlen(program.name) < sizeof(program.name));
	MUST(programs.users->trace.events.nr >= before && programs.users->trace.events.nr - before <= size);
	for (; before < programs.users->trace.events.nr; before++)
		check_event(programs.users->trace.events.event[before]);
	close(fds[0]);
	close(fds[1]);
	/* No program else has mapped its buffers, so they end, and the next one gets the slot. */
	if (program.set)
		MUST(!user_disconnect(program.user, program.set));
	MUST(programs.users->slots.nr <= 1 && !programs.users->slots.first);
	LIST_REMOVE(&program, all);
	LIST_REMOVE(&program, pending);
	filters_free(&programs.filters);
	patterns_free(&programs.patterns);
	MUST(!patterns_set(&programs.patterns, "*:*", true));
	if (programs.users->trace.events.nr > EVENTS_MANY)
		new_user();
	return 0;
}
