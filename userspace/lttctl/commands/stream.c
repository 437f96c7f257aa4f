// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl stream: send commands to /dev/ltt and print the replies.
 *
 * Layer: lttctl.  The kernel lists the commands that it has, so this also sends
 * commands that are newer than this lttctl.
 */
#include "lttctl/command.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "liblttctl/vocabulary.h"

#define WORDS_MAX (LTTCTL_VERB_ARGS + 1)

/**
 * struct dialogue - one control connection and its output
 * @ctl: gets the error sentences
 * @connection: the control connection
 * @vocabulary: the commands and notifications of the kernel's tracer
 * @next_cookie: the number of the next command
 * @json: print JSON, else text
 * @status: EXIT_FAILED after a command has failed
 */
struct dialogue {
	struct lttctl *ctl;
	struct lttctl_connection *connection;
	struct lttctl_vocabulary *vocabulary;
	unsigned long next_cookie;
	int json;
	int status;
};

/* ---- Output ---- */

/* Print on one line, and free. */
static void print_line(struct json_object *object)
{
	puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN |
						    JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(object);
}

static void add_text(struct json_object *object, const char *key, const char *text)
{
	json_object_object_add(object, key, json_object_new_string(text));
}

static void add_error(struct json_object *object, int error, const char *sentence)
{
	add_text(object, "status", "error");
	add_text(object, "errno", errno_name(error));
	add_text(object, "error", sentence);
}

static void print_note(const struct dialogue *dialogue, const char *name, const struct lttctl_reply *reply)
{
	struct json_object *object;

	if (!dialogue->json) {
		printf("* %s %s%s%lu\n", name, reply->text, *reply->text ? " " : "", reply->value);
		return;
	}
	object = json_object_new_object();
	add_text(object, "notification", name);
	add_text(object, "text", reply->text);
	json_object_object_add(object, "value", json_object_new_uint64(reply->value));
	print_line(object);
}

/* The first line of a reply with several lines stands alone behind the name. */
static void print_text(const struct lttctl_reply *reply, const char *name, bool opens)
{
	size_t len = strlen(reply->text);

	printf("%lu %s:", reply->cookie, name);
	if (reply->error)
		printf(" error %s: %s\n", errno_name(reply->error), reply->text);
	else if (opens)
		printf(" descriptor %lu\n", reply->value);
	else if (len)
		printf("\n%s%s", reply->text, reply->text[len - 1] == '\n' ? "" : "\n");
	else
		puts(" done");
}

static void print_json_reply(const struct lttctl_reply *reply, const char *name, bool opens)
{
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "id", json_object_new_uint64(reply->cookie));
	add_text(object, "command", name);
	if (reply->error) {
		add_error(object, reply->error, reply->text);
	} else {
		add_text(object, "status", "ok");
		add_text(object, "text", reply->text);
		if (opens)
			json_object_object_add(object, "descriptor",
					       json_object_new_uint64(reply->value));
	}
	print_line(object);
}

static void print_reply(struct dialogue *dialogue, const struct lttctl_reply *reply)
{
	const struct lttctl_verb *verb = lttctl_vocabulary_verb(dialogue->vocabulary, reply->command);
	const char *note = lttctl_vocabulary_note(dialogue->vocabulary, reply->command);
	const char *name = verb ? verb->name : "?";

	if (note) {
		print_note(dialogue, note, reply);
	} else {
		if (reply->error)
			dialogue->status = EXIT_FAILED;
		(dialogue->json ? print_json_reply : print_text)(reply, name, verb && verb->opens);
	}
	fflush(stdout);
}

/* A command that was not sent: complain, and print its status. */
__attribute__((format(printf, 3, 4)))
static void reject(struct dialogue *dialogue, const char *command, const char *fmt, ...)
{
	struct json_object *object;
	char sentence[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(sentence, sizeof(sentence), fmt, args);
	va_end(args);
	dialogue->status = complain("%s", sentence);
	if (!dialogue->json)
		return;
	object = json_object_new_object();
	json_object_object_add(object, "id", NULL);
	add_text(object, "command", command);
	add_error(object, EINVAL, sentence);
	print_line(object);
	fflush(stdout);
}

/*
 * Print the replies and notifications that have come.  With @cookie, wait for the reply
 * that carries it.  Return: 0, or a negative errno when the connection has ended.
 */
static int print_replies(struct dialogue *dialogue, unsigned long cookie)
{
	struct lttctl_reply reply;
	bool waits = cookie;
	int err;

	while (!(err = lttctl_connection_receive(dialogue->connection, waits, &reply))) {
		print_reply(dialogue, &reply);
		if (!lttctl_vocabulary_note(dialogue->vocabulary, reply.command) &&
		    reply.cookie == cookie)
			waits = false;
		free(reply.text);
	}
	return err == -EAGAIN ? 0 : err;
}

static void help_json(const struct lttctl_verb *verb)
{
	struct json_object *object = json_object_new_object(), *list = json_object_new_array();
	unsigned int arg;

	for (arg = 0; arg < verb->nr_args; arg++)
		json_object_array_add(list, json_object_new_string(verb->arg[arg]));
	add_text(object, "name", verb->name);
	json_object_object_add(object, "arguments", list);
	add_text(object, "help", verb->help);
	print_line(object);
}

static void help(const struct dialogue *dialogue)
{
	const struct lttctl_verb *verb;
	unsigned int arg;
	size_t i;
	int width;

	for (i = 0; (verb = lttctl_vocabulary_verb(dialogue->vocabulary, i)); i++) {
		if (dialogue->json) {
			help_json(verb);
			continue;
		}
		width = printf("  %s", verb->name);
		for (arg = 0; arg < verb->nr_args; arg++)
			width += printf(" %s", verb->arg[arg]);
		printf("%*s%s\n", width < 44 ? 44 - width : 1, "", verb->help);
	}
	fflush(stdout);
}

/* ---- Input ---- */

/* Send a command and its arguments.  Return: 0, or a negative errno when the connection
 * has ended. */
static int send_words(struct dialogue *dialogue, char **words)
{
	const struct lttctl_verb *verb = lttctl_vocabulary_find(dialogue->vocabulary, words[0]);
	unsigned long cookie = dialogue->next_cookie++;
	unsigned int nr = 0;
	int err;

	while (words[nr])
		nr++;
	if (!verb) {
		reject(dialogue, words[0], "`%s` is not a command; `help` lists the commands", words[0]);
		return 0;
	}
	if (nr - 1 > verb->nr_args) {
		reject(dialogue, verb->name, "%s takes %u arguments; remove `%s`", verb->name,
		       verb->nr_args, words[verb->nr_args + 1]);
		return 0;
	}
	err = lttctl_verb_send(dialogue->ctl, dialogue->connection, verb, words + 1, cookie);
	if (err == -EINVAL || err == -E2BIG) {
		reject(dialogue, verb->name, "%s", lttctl_error(dialogue->ctl));
		return 0;
	}
	return err ? err : print_replies(dialogue, cookie);
}

/* Does the line end within quotes?  popt reads past its end then. */
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

/* Send the command of one line.  Words in quotes may contain blanks; # begins a comment. */
static int send_line(struct dialogue *dialogue, const char *line)
{
	char *words[WORDS_MAX + 1];
	const char **argv;
	int argc, i, err = 0;

	line += strspn(line, " \t\n");
	if (!*line || *line == '#')
		return 0;
	if (is_open(line)) {
		reject(dialogue, line, "the line has a quote without its end");
		return 0;
	}
	err = poptParseArgvString(line, &argc, &argv);
	if (err) {
		reject(dialogue, line, "%s", poptStrerror(err));
		return 0;
	}
	if (argc > WORDS_MAX) {
		reject(dialogue, argv[0], "the line has more than %d words", WORDS_MAX);
	} else if (argc && !strcmp(argv[0], "help")) {
		help(dialogue);
	} else if (argc) {
		for (i = 0; i < argc; i++)
			words[i] = (char *)argv[i];
		words[argc] = NULL;
		err = send_words(dialogue, words);
	}
	free(argv);
	return err;
}

/* Send the lines of the standard input, and print what comes meanwhile. */
static int converse(struct dialogue *dialogue)
{
	struct pollfd fds[] = {
		{ .fd = STDIN_FILENO, .events = POLLIN },
		{ .fd = lttctl_connection_fd(dialogue->connection), .events = POLLIN },
	};
	char *line = NULL;
	size_t size = 0;
	int err = 0;

	/* poll() does not see lines that stdio has buffered. */
	setvbuf(stdin, NULL, _IONBF, 0);
	while (!err) {
		if (poll(fds, 2, -1) < 0) {
			if (errno == EINTR)
				continue;
			dialogue->status = complain("cannot wait for lines and replies: %s",
						    strerror(errno));
			break;
		}
		if (fds[1].revents)
			err = print_replies(dialogue, 0);
		if (err || !fds[0].revents)
			continue;
		if (getline(&line, &size, stdin) < 0) {
			if (ferror(stdin))
				dialogue->status = complain("cannot read lines: %s", strerror(errno));
			break;
		}
		err = send_line(dialogue, line);
	}
	free(line);
	return err;
}

/* Return: 0, or a negative errno when the connection has ended. */
static int send_arguments(struct dialogue *dialogue, const char **args)
{
	char *words[WORDS_MAX + 2];	/* one more than any command takes */
	int i;

	if (!args || !args[0])
		return converse(dialogue);
	if (!strcmp(args[0], "help")) {
		help(dialogue);
		return 0;
	}
	for (i = 0; args[i] && i <= WORDS_MAX; i++)
		words[i] = (char *)args[i];
	words[i] = NULL;
	return send_words(dialogue, words);
}

static int stream(struct dialogue *dialogue, bool share, const char **args)
{
	char *words[] = { "share", NULL };
	int err;

	dialogue->ctl = lttctl_new();
	if (!dialogue->ctl)
		return complain("out of memory");
	err = lttctl_load(dialogue->ctl);
	if (!err)
		err = lttctl_connection_open(dialogue->ctl, &dialogue->connection);
	if (!err)
		err = lttctl_vocabulary_learn(dialogue->ctl, dialogue->connection,
					      &dialogue->vocabulary);
	if (!err && share)
		err = send_words(dialogue, words);
	/* When `share` has failed, the commands would act on private traces instead. */
	if (!err && !dialogue->status)
		err = send_arguments(dialogue, args);
	if (err)
		dialogue->status = tracer_status(dialogue->ctl, err);
	lttctl_vocabulary_free(dialogue->vocabulary);
	lttctl_connection_close(dialogue->connection);
	lttctl_free(dialogue->ctl);
	return dialogue->status;
}

int cmd_stream(int argc, const char **argv)
{
	struct dialogue dialogue = { .next_cookie = 1 };
	int share = 0;
	const struct poptOption table[] = {
		{ "share", 's', POPT_ARG_NONE, &share, 0,
		  "control the traces that every user of the tracer sees, not private ones", NULL },
		{ "json", 0, POPT_ARG_NONE, &dialogue.json, 0,
		  "print a JSON object for each reply, one a line", NULL },
		OPTIONS_VIA,
		OPTIONS_HELP,
		POPT_TABLEEND
	};
	poptContext context;
	int status;

	status = options_parse(argc, argv, table, POPT_CONTEXT_POSIXMEHARDER, &context);
	if (!status && via_name && strcmp(via_name, "device"))
		status = misused("--via %s: stream works over the device only", via_name);
	if (!status)
		status = stream(&dialogue, share, poptGetArgs(context));
	poptFreeContext(context);
	return status;
}
