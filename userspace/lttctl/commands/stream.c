// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl stream: commands of /dev/ltt, typed by a person or a script, and what comes
 * back.
 *
 * Layer: lttctl.  The commands are those of the kernel's vocabulary: a new one can
 * be used without a new lttctl.
 */
#include "lttctl/command.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "liblttctl/vocabulary.h"

#define WORDS_MAX (LTTCTL_VERB_ARGS + 1)

/**
 * struct dialogue - what this command works with
 * @ctl: gets the error sentences
 * @connection: the control connection
 * @vocabulary: the commands that the kernel's tracer has
 */
struct dialogue {
	struct lttctl *ctl;
	struct lttctl_connection *connection;
	struct lttctl_vocabulary *vocabulary;
};

static int status;

/* ---- What comes back ---- */

/* Of several lines, the first stands beside the name and the rest below. */
static void print_reply(const struct lttctl_vocabulary *vocabulary, const struct lttctl_reply *reply)
{
	const struct lttctl_verb *verb = lttctl_vocabulary_verb(vocabulary, reply->command);
	const char *note = lttctl_vocabulary_note(vocabulary, reply->command);
	const char *newline = *reply->text && reply->text[strlen(reply->text) - 1] != '\n' ?
			      "\n" : "";

	if (note) {
		printf("* %s %s%s%lu\n", note, reply->text, *reply->text ? " " : "", reply->value);
	} else if (reply->error) {
		status = EXIT_FAILED;
		printf("%lu %s: error %d: %s\n", reply->cookie, verb ? verb->name : "stream",
		       reply->error, reply->text);
	} else if (verb && verb->opens) {
		printf("%lu %s: descriptor %lu\n", reply->cookie, verb->name, reply->value);
	} else if (*reply->text) {
		printf("%lu %s:\n%s%s", reply->cookie, verb ? verb->name : "?", reply->text,
		       newline);
	} else {
		printf("%lu %s: done\n", reply->cookie, verb ? verb->name : "?");
	}
	fflush(stdout);
}

/* Print what there is; with @cookie, until its reply has come.  Non-zero at the end. */
static int print_replies(const struct dialogue *dialogue, unsigned long cookie)
{
	struct lttctl_reply reply;
	bool ours = false;
	int err;

	while (!(err = lttctl_connection_receive(dialogue->connection, cookie && !ours,
						 &reply))) {
		print_reply(dialogue->vocabulary, &reply);
		if (!lttctl_vocabulary_note(dialogue->vocabulary, reply.command) &&
		    reply.cookie == cookie)
			ours = true;
		free(reply.text);
	}
	return err == -EAGAIN ? 0 : err;
}

/* ---- What is sent ---- */

static void help(const struct lttctl_vocabulary *vocabulary)
{
	const struct lttctl_verb *verb;
	unsigned int arg;
	size_t i;

	for (i = 0; (verb = lttctl_vocabulary_verb(vocabulary, i)); i++) {
		int width = printf("  %s", verb->name);

		for (arg = 0; arg < verb->nr_args; arg++)
			width += printf(" %s", verb->arg[arg]);
		printf("%*s%s\n", width < 44 ? 44 - width : 1, "", verb->help);
	}
	fflush(stdout);
}

static unsigned long next_cookie = 1;

/* A command and its arguments; 0, or a negative errno when the stream has ended. */
static int send_words(const struct dialogue *dialogue, char **words)
{
	const struct lttctl_verb *verb = lttctl_vocabulary_find(dialogue->vocabulary, words[0]);
	unsigned long cookie = next_cookie++;
	unsigned int nr = 0;
	int err;

	while (words[nr])
		nr++;
	if (!verb) {
		status = complain("there is no command `%s`: help lists them", words[0]);
		return 0;
	}
	if (nr - 1 > verb->nr_args) {
		status = complain("%s takes %u arguments, not `%s`", verb->name, verb->nr_args,
				  words[verb->nr_args + 1]);
		return 0;
	}
	err = lttctl_verb_send(dialogue->ctl, dialogue->connection, verb, words + 1, cookie);
	if (err == -EINVAL || err == -E2BIG) {
		status = complain("%s", lttctl_error(dialogue->ctl));
		return 0;
	}
	return err ? err : print_replies(dialogue, cookie);
}

/* popt would take the rest of the line for quoted, and go on. */
static bool is_open(const char *line)
{
	char quote = '\0';

	for (; *line; line++) {
		if (*line == '\\' && line[1])
			line++;
		else if (quote ? *line == quote : *line == '"' || *line == '\'')
			quote = quote ? '\0' : *line;
	}
	return quote;
}

/* One line; quotes keep blanks together.  '#' begins a comment. */
static int send_line(const struct dialogue *dialogue, const char *line)
{
	char *words[WORDS_MAX + 1];
	const char **argv;
	int argc, i, err = 0;

	line += strspn(line, " \t\n");
	if (!*line || *line == '#')
		return 0;
	if (is_open(line)) {
		status = complain("a quote is not closed");
		return 0;
	}
	err = poptParseArgvString(line, &argc, &argv);
	if (err) {
		status = complain("%s", poptStrerror(err));
		return 0;
	}
	if (argc > WORDS_MAX) {
		status = complain("a command has at most %d words", WORDS_MAX);
	} else if (argc && !strcmp(argv[0], "help")) {
		help(dialogue->vocabulary);
	} else if (argc) {
		for (i = 0; i < argc; i++)
			words[i] = (char *)argv[i];
		words[argc] = NULL;
		err = send_words(dialogue, words);
	}
	free(argv);
	return err;
}

/* ---- Both at once ---- */

static int converse(const struct dialogue *dialogue)
{
	struct pollfd fds[] = {
		{ .fd = STDIN_FILENO, .events = POLLIN },
		{ .fd = lttctl_connection_fd(dialogue->connection), .events = POLLIN },
	};
	char *line = NULL;
	size_t size = 0;
	int err = 0;

	/* Lines are read one at a time, with no buffer that poll() cannot see into. */
	setvbuf(stdin, NULL, _IONBF, 0);
	while (!err) {
		if (poll(fds, 2, -1) < 0) {
			if (errno == EINTR)
				continue;
			status = complain("cannot wait for lines and replies: %s", strerror(errno));
			break;
		}
		if (fds[1].revents)
			err = print_replies(dialogue, 0);
		if (err || !fds[0].revents)
			continue;
		if (getline(&line, &size, stdin) < 0) {
			if (ferror(stdin))
				status = complain("cannot read lines: %s", strerror(errno));
			break;
		}
		err = send_line(dialogue, line);
	}
	free(line);
	return err ? tracer_status(dialogue->ctl, err) : status;
}

int cmd_stream(int argc, const char **argv)
{
	int share = 0;
	const struct poptOption table[] = {
		{ "share", 's', POPT_ARG_NONE, &share, 0,
		  "be about the traces that everybody sees, not about a session's own", NULL },
		OPTIONS_VIA,
		OPTIONS_HELP,
		POPT_TABLEEND
	};
	char *words[WORDS_MAX + 1] = { "share" };
	struct dialogue dialogue = { NULL };
	poptContext context;
	const char **args;
	int i, err = 0;

	status = options_parse(argc, argv, table, POPT_CONTEXT_POSIXMEHARDER, &context);
	if (status)
		goto out;
	if (via_name && strcmp(via_name, "device")) {
		status = misused("it is about the device, not --via %s", via_name);
		goto out;
	}
	args = poptGetArgs(context);
	dialogue.ctl = lttctl_new();
	if (!dialogue.ctl) {
		status = complain("out of memory");
		goto out;
	}
	err = lttctl_connection_open(dialogue.ctl, &dialogue.connection);
	if (!err)
		err = lttctl_vocabulary_learn(dialogue.ctl, dialogue.connection,
					      &dialogue.vocabulary);
	if (!err && share)
		err = send_words(&dialogue, words);
	if (!err && status)
		goto close;	/* not to do in a session of its own what was to be shared */
	for (i = 0; args && args[i] && i < WORDS_MAX; i++)
		words[i] = (char *)args[i];
	words[i] = NULL;
	if (!err && args && args[0] && !strcmp(args[0], "help"))
		help(dialogue.vocabulary);
	else if (!err && args && args[0])
		err = send_words(&dialogue, words);
	else if (!err)
		status = converse(&dialogue);
	if (err)
		status = tracer_status(dialogue.ctl, err);
close:
	lttctl_vocabulary_free(dialogue.vocabulary);
	lttctl_connection_close(dialogue.connection);
out:
	lttctl_free(dialogue.ctl);
	poptFreeContext(context);
	return status;
}
