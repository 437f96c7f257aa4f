// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * commands: send each line of the standard input to /dev/ltt as a command about the traces that all users see.
 *
 * As "lttctl stream --share" does, but in a static program: cases send hundreds of commands, and in an emulated
 * machine lttctl takes longer to find its libraries than to send them.  Of a command that is refused this prints the
 * reply, and the text of the errno to stderr.
 *
 * Exit status: 0; 1 after the first command that is refused.
 */
#include <err.h>
#include <popt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "userspace/liblttctl/connection.h"
#include "userspace/liblttctl/lttctl.h"
#include "userspace/liblttctl/vocabulary.h"

static struct lttctl *ctl;
static struct lttctl_connection *connection;
static struct lttctl_vocabulary *vocabulary;

static void refused(const char *command, int error, const char *sentence)
{
	printf("%s: error: %s\n", command, sentence);
	fflush(stdout);
	errx(1, "%s", strerror(error));
}

/* @words: the command and its arguments, @nr together, and NULL */
static void send_command(char **words, unsigned int nr)
{
	const struct lttctl_verb *verb = lttctl_vocabulary_find(vocabulary, words[0]);
	struct lttctl_reply reply;
	int err;

	if (!verb || nr - 1 > verb->nr_args)
		errx(2, "%s: no such command, or it has too many arguments", words[0]);
	err = lttctl_verb_send(ctl, connection, verb, words + 1, 1);
	if (err)
		refused(words[0], -err, lttctl_error(ctl));
	do {
		err = lttctl_connection_receive(connection, true, &reply);
		if (err)
			errx(2, "%s: no reply: %s", words[0], strerror(-err));
		if (reply.error)
			refused(words[0], reply.error, reply.text);
		free(reply.text);
	} while (lttctl_vocabulary_note(vocabulary, reply.command));
}

int main(void)
{
	char line[65536];
	const char **words;
	int nr, err;

	ctl = lttctl_new();
	if (!ctl || lttctl_connection_open(ctl, &connection) || lttctl_vocabulary_learn(ctl, connection, &vocabulary))
		errx(2, "%s", ctl ? lttctl_error(ctl) : "out of memory");
	send_command((char *[]){ "share", NULL }, 1);
	while (fgets(line, sizeof(line), stdin)) {
		err = poptParseArgvString(line, &nr, &words);
		if (err)
			errx(2, "%s: %s", line, poptStrerror(err));
		send_command((char **)words, nr);
		free(words);
	}
	return 0;
}
