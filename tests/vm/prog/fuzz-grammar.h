/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The messages of device-fuzz: right, almost right and wrong ones, made of the
 * vocabulary that the device reports, and of chance.
 */
#ifndef FUZZ_GRAMMAR_H
#define FUZZ_GRAMMAR_H

#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../../core/message.c"

#include "fuzz-chance.h"

#define COMMANDS_MAX	128
#define BATCH_MAX	(256 << 10)

/* Of a watch's cookie, that of its notifications: no other command has it. */
#define WATCH_COOKIE	0x5a000000U

/* ---- The vocabulary ---- */

struct command {
	unsigned long number;
	char name[32];
	unsigned int nr_args;
	struct {
		char name[16];
		bool is_text;
	} arg[LTT_MESSAGE_ARGS_MAX];
	enum { NOTHING, TEXT, DESCRIPTOR } result;
	bool left_out;
};

static struct command commands[COMMANDS_MAX];
static unsigned int nr_commands;

/* "NUMBER NAME ARG:KIND... -> RESULT: HELP" */
static void parse_command(char *line)
{
	struct command *command = &commands[nr_commands];
	char *left = line, *right = strstr(line, " -> "), *word, *kind;

	if (!right || nr_commands == COMMANDS_MAX)
		wrong("\"%s\" is not a line of the vocabulary", line);
	*right = '\0';
	right += strlen(" -> ");
	command->result = !strncmp(right, "text:", 5) ? TEXT :
			  !strncmp(right, "descriptor:", 11) ? DESCRIPTOR : NOTHING;
	command->number = strtoul(strsep(&left, " "), NULL, 10);
	if (command->number != nr_commands)
		wrong("command %u of the vocabulary has number %lu", nr_commands, command->number);
	snprintf(command->name, sizeof(command->name), "%s", strsep(&left, " "));
	while ((word = strsep(&left, " "))) {
		kind = strchr(word, ':');
		*kind++ = '\0';
		snprintf(command->arg[command->nr_args].name, 16, "%s", word);
		command->arg[command->nr_args++].is_text = !strcmp(kind, "text");
	}
	nr_commands++;
}

static void learn(char **left_out)
{
	static char in[65536];
	const struct ltt_message ask = { .command = 0 };
	struct ltt_message reply = { .nr_args = 3,
				     .arg = { { LTT_WORD }, { LTT_BLOB }, { LTT_WORD } } };
	char message[3 * sizeof(long)], *text, *line;
	int fd = open("/dev/ltt", O_RDWR | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		err(1, "/dev/ltt");
	ltt_message_encode(message, sizeof(long), &ask);
	if (write(fd, message, sizeof(message)) != sizeof(message))
		err(1, "the device takes no command");
	n = read(fd, in, sizeof(in));
	if (n < 0 || ltt_message_decode(in, n, sizeof(long), &reply))
		errx(1, "the device does not list its commands");
	text = strndup(reply.arg[1].blob, reply.arg[1].word);
	while ((line = strsep(&text, "\n")))
		if (*line)
			parse_command(line);
	for (; *left_out; left_out++)
		for (n = 0; n < (ssize_t)nr_commands; n++)
			if (!strcmp(commands[n].name, *left_out))
				commands[n].left_out = true;
	close(fd);
}

/* ---- The arguments of messages ---- */

#define LIST(name, ...) static const char *const name[] = { __VA_ARGS__, NULL }

LIST(traces, "a", "b", "c", "a", "b", "c", "d-d",
     "0123456789-0123456789_0123456789.0123456789_0123456789_012345678");
LIST(channels, "events", "events", "state", "event");
LIST(options, "subbuf_size", "subbuf_size", "subbuf_count", "subbuf_count", "overwrite",
     "lossless_ms", "colour");
LIST(patterns, "test:*", "test:task", "sched:sched_switch", "sched_process_f*", "none:*", "none");
LIST(groups, "test", "sched", "none");
LIST(names, "task", "text", "sched_switch", "none");
LIST(kinds, "markers", "traces", "cpus", "buffers", "losses traces", " traces  buffers ",
     "winds", "");
LIST(odd, "", " ", ".", "..", "remove", "create", ".hidden", "a/b", "%s%n%p", "[", "[a-", "a:b:c",
     ":", "\\", "\xff\xfe", "a b", "\n", "9999999999999999999999",
     "0123456789-0123456789_0123456789.0123456789_0123456789_0123456789");

static const unsigned long numbers[] = {
	0, 1, 2, 4, 8, 4096, 4096, 16384, 65536, 3, 100, 1UL << 28, 0xffffffff, ~0UL, 1UL << 63,
};

static const char *one_of(const char *const *list)
{
	unsigned int n = 0;

	while (list[n])
		n++;
	return list[below(n)];
}

static const char *text_for(const struct command *command, const char *arg)
{
	if (one_in(12))
		return one_of(odd);
	if (!strcmp(arg, "trace"))
		return one_of(traces);
	if (!strcmp(arg, "channel"))
		return one_of(channels);
	if (!strcmp(arg, "option"))
		return one_of(options);
	if (!strcmp(arg, "group"))
		return one_of(groups);
	if (!strcmp(arg, "name"))
		return one_of(names);
	if (!strcmp(arg, "kinds"))
		return one_of(kinds);
	/* To put a probe everywhere would take most of the time; to list all does not. */
	if (!strcmp(command->name, "markers") && one_in(4))
		return "*";
	return one_of(patterns);
}

static void fill_arg(const struct command *command, unsigned int nr, struct ltt_message_arg *arg)
{
	static const char nuls[70000];
	static char junk[66000];
	unsigned int i;

	if (!command->arg[nr].is_text) {
		arg->kind = LTT_WORD;
		arg->word = one_in(10) ? (u64)random() << 32 | random() :
			    numbers[below(sizeof(numbers) / sizeof(numbers[0]))];
		return;
	}
	arg->kind = LTT_BLOB;
	arg->blob = text_for(command, command->arg[nr].name);
	arg->word = strlen(arg->blob);
	if (one_in(60)) {
		arg->word = below(one_in(4) ? 40000 : 300);
		for (i = 0; i < arg->word; i++)
			junk[i] = 1 + below(255);
		arg->blob = junk;
	} else if (one_in(100)) {
		arg->word = 1 + below(20);
		arg->blob = nuls;
	}
}

/* A message for a command of the vocabulary, and then, maybe, something wrong with it. */
static size_t fill_message(u8 *to, u32 word)
{
	const struct command *command;
	struct ltt_message message = { .cookie = random() & 0xffffff };
	size_t size;
	unsigned int i;

	do
		command = &commands[below(nr_commands)];
	while (command->left_out);
	if (!strcmp(command->name, "watch"))
		message.cookie |= WATCH_COOKIE;
	message.command = command->number;
	message.nr_args = command->nr_args;
	for (i = 0; i < message.nr_args; i++)
		fill_arg(command, i, &message.arg[i]);
	if (one_in(20))
		message.nr_args = below(LTT_MESSAGE_ARGS_MAX + 1);
	if (one_in(30))
		message.command = nr_commands + below(one_in(2) ? 3 : 0x7fffffff);
	size = ltt_message_size(&message, word);
	if (size > LTT_MESSAGE_MAX)
		return 0;
	ltt_message_encode(to, word, &message);
	/* A word that is not what it was: an argument's most often, the size rarely. */
	i = 3 + below(size / word - 2);
	if (one_in(15) && i * word < size)
		put_word(to + i * word, word, one_in(2) ? below(100) : (u64)random() << 32 | random());
	if (one_in(400))
		put_word(to, word, one_in(2) ? size + word * ((int)below(9) - 4) : (u64)random());
	return size;
}

static size_t fill_batch(u8 *to, u32 word)
{
	unsigned int nr = one_in(10) ? below(300) : 1 + below(8);
	size_t size = 0, i, n;

	while (nr-- && size + LTT_MESSAGE_MAX < BATCH_MAX)
		size += fill_message(to + size, word);
	if (one_in(150)) {
		n = 1 + below(200);
		for (i = 0; i < n; i++)
			to[size++] = random();
	}
	return size;
}

#endif /* FUZZ_GRAMMAR_H */
