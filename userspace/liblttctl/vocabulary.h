/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The commands and notifications that the kernel's tracer has, as it lists them.
 *
 * Layer: liblttctl, above connection.h, for programs that pass on commands which they
 * do not know themselves.
 */
#ifndef LTTCTL_VOCABULARY_H
#define LTTCTL_VOCABULARY_H

#include "connection.h"

struct lttctl_vocabulary;

#define LTTCTL_VERB_ARGS 8

/**
 * struct lttctl_verb - a command
 * @number: its number in messages
 * @name: its name
 * @arg: the names of its arguments
 * @is_number: for each argument: it is a number; else it is text
 * @nr_args: the number of arguments, at most LTTCTL_VERB_ARGS
 * @opens: the value of its reply is a new descriptor
 * @help: one line for people
 */
struct lttctl_verb {
	unsigned long number;
	char name[LTTCTL_NAME_SIZE];
	char arg[LTTCTL_VERB_ARGS][32];
	bool is_number[LTTCTL_VERB_ARGS];
	unsigned int nr_args;
	bool opens;
	char help[128];
};

/**
 * lttctl_vocabulary_learn() - request the lists of commands and of notifications
 * @ctl: the handle of @connection
 * @connection: a connection without unread replies
 * @vocabulary: receives the lists, to be freed by lttctl_vocabulary_free()
 *
 * Context: blocks for two replies.
 * Return: 0; -ENOMEM; the error of either reply; as lttctl_connection_receive().
 */
int lttctl_vocabulary_learn(struct lttctl *ctl, struct lttctl_connection *connection,
			    struct lttctl_vocabulary **vocabulary);

/**
 * lttctl_vocabulary_free() - free the lists
 * @vocabulary: the lists, or NULL
 */
void lttctl_vocabulary_free(struct lttctl_vocabulary *vocabulary);

/**
 * lttctl_vocabulary_verb() - a command by number
 * @vocabulary: the lists
 * @nr: the number
 *
 * Return: the command, owned by @vocabulary; NULL beyond the last.
 */
const struct lttctl_verb *lttctl_vocabulary_verb(const struct lttctl_vocabulary *vocabulary,
						 size_t nr);

/**
 * lttctl_vocabulary_find() - a command by name
 * @vocabulary: the lists
 * @name: the name
 *
 * Return: the command, owned by @vocabulary; NULL when there is none.
 */
const struct lttctl_verb *lttctl_vocabulary_find(const struct lttctl_vocabulary *vocabulary,
						 const char *name);

/**
 * lttctl_vocabulary_note() - the name of a notification
 * @vocabulary: the lists
 * @kind: its number, the member @command of struct lttctl_reply
 *
 * Return: the name, owned by @vocabulary; NULL when @kind is not a notification.
 */
const char *lttctl_vocabulary_note(const struct lttctl_vocabulary *vocabulary,
				   unsigned long kind);

/**
 * lttctl_verb_send() - send a command with arguments as text
 * @ctl: the handle of @connection
 * @connection: where to
 * @verb: the command
 * @args: as many arguments as it takes, ended by NULL; numbers may end in k, M or G
 * @cookie: any number; the reply carries it
 *
 * Return: 0; -EINVAL for a missing argument or a word that is not a number; as
 * lttctl_connection_send().
 */
int lttctl_verb_send(struct lttctl *ctl, struct lttctl_connection *connection,
		     const struct lttctl_verb *verb, char *const *args, unsigned long cookie);

#endif /* LTTCTL_VOCABULARY_H */
