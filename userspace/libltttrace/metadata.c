// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The metadata of a part, as core/ctf.c writes it.
 *
 * Layer: libltttrace.  The layout of packets and of the headers of events is compared with LTT's, word for word:
 * cursor.c and stream.c know no other.  The last block may be cut off, as lttd may be writing it, or have been
 * killed; then the metadata ends before it.
 */
#include "describe.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define METADATA_MAX	(256 << 20)	/* bytes: 65536 events have some 100 MB */

/* Every trace of LTT has these words between its first words and its first channel. */
static const char packet_header[] =
	"struct { uint32_t magic; uint8_t uuid[16]; uint32_t stream_id; }";
static const char packet_context[] =
	"struct packet_context { uint64_clock_t timestamp_begin; uint64_clock_t timestamp_end; uint64_t content_size; "
	"uint64_t packet_size; uint64_t packet_seq_num; uint64_t events_discarded; uint32_t cpu_id; };";
static const char event_header[] =
	"struct event_header { enum : uint5_t { compact = 0 ... 29, medium = 30, extended = 31 } id; variant <id> { "
	"struct { uint27_clock_t timestamp; } compact; struct { uint27_clock_t timestamp; uint16_id_t id; } medium; "
	"struct { uint32_t id; uint64_clock_t timestamp; } extended; } v; } align(8);";
static const char *const aliases[] = {
	"integer { size = 5; align = 1; signed = false; } := uint5_t;",
	"integer { size = 8; align = 8; signed = false; } := uint8_t;",
	"integer { size = 16; align = 1; signed = false; } := uint16_id_t;",
	"integer { size = 16; align = 8; signed = false; } := uint16_t;",
	"integer { size = 32; align = 8; signed = false; } := uint32_t;",
	"integer { size = 64; align = 8; signed = false; } := uint64_t;",
	"integer { size = 27; align = 1; signed = false; map = clock.NAME.value; } := uint27_clock_t;",
	"integer { size = 64; align = 8; signed = false; map = clock.NAME.value; } := uint64_clock_t;",
};

static int take_alias(struct lexer *lexer)
{
	struct lexer at;
	size_t i;
	int err = -ENOTSUP;

	for (i = 0; i < sizeof(aliases) / sizeof(aliases[0]) && err == -ENOTSUP; i++) {
		at = *lexer;
		err = lex_expect(&at, aliases[i]);
	}
	if (err != -ENOTSUP)
		*lexer = at;
	return err;
}

/* Return: 0; -EBADMSG: it is not 36 characters of a UUID. */
static int take_uuid(struct lexer *lexer, unsigned char *uuid)
{
	const struct token *token = &lexer->token;
	unsigned int i, n = 0, byte;
	char digits[3] = "";

	if (token->kind != TOKEN_STRING || token->len != 36)
		return -EBADMSG;
	for (i = 0; i < 36 && n < 16; i += token->at[i] == '-') {
		memcpy(digits, token->at + i, 2);
		if (sscanf(digits, "%2x", &byte) != 1)
			return -EBADMSG;
		uuid[n++] = byte;
		i += 2;
	}
	if (n < 16)
		return -EBADMSG;
	lex_next(lexer);
	return 0;
}

static int take_trace(struct lexer *lexer, struct part *part)
{
	const uint16_t one = 1;
	unsigned char uuid[16] = { 0 };
	int err;

	err = lex_expect(lexer, "{ major = 1; minor = 8; uuid = ") ?: take_uuid(lexer, uuid) ?:
	      lex_expect(lexer, *(const char *)&one ? "; byte_order = le; packet.header :=" :
						  "; byte_order = be; packet.header :=") ?:
	      lex_expect(lexer, packet_header) ?: lex_expect(lexer, "; };");
	if (err)
		return err;
	return memcmp(part->public.uuid, uuid, 16) ? -EEXIST : 0;
}

static int add_env(struct part *part, char *name, char *value)
{
	struct env *env;

	if (name && value && ltttrace_env(&part->public, name)) {
		free(name);
		free(value);
		return 0;
	}
	if (name && value && part->nr_env == ENV_MAX) {
		free(name);
		free(value);
		return -ENOTSUP;
	}
	env = name && value ? realloc(part->env, (part->nr_env + 1) * sizeof(*env)) : NULL;
	if (!env) {
		free(name);
		free(value);
		return -ENOMEM;
	}
	part->env = env;
	env[part->nr_env++] = (struct env){ .name = name, .value = value };
	return 0;
}

static int take_env(struct lexer *lexer, struct part *part)
{
	int err = lex_accept(lexer, "{");
	char *name;

	while (!err && !lex_is(lexer, "}")) {
		if (lexer->token.kind != TOKEN_WORD)
			return -EBADMSG;
		name = lex_text(lexer);
		lex_next(lexer);
		if (!lex_is(lexer, "=")) {
			free(name);
			return -EBADMSG;
		}
		lex_next(lexer);
		if (lexer->token.kind != TOKEN_STRING && lexer->token.kind != TOKEN_NUMBER) {
			free(name);
			return lexer->token.kind == TOKEN_END ? -EBADMSG : -ENOTSUP;
		}
		err = add_env(part, name, lex_text(lexer));
		lex_next(lexer);
		err = err ?: lex_accept(lexer, ";");
	}
	return err ?: lex_expect(lexer, "};");
}

static int take_clock(struct lexer *lexer, struct part *part)
{
	uint64_t frequency = 0, offset_s = 0, offset = 0;
	unsigned char uuid[16] = { 0 };
	int64_t base;
	int err = lex_accept(lexer, "{");

	while (!err && !lex_is(lexer, "}")) {
		const struct lexer name = *lexer;

		lex_next(lexer);
		err = lex_accept(lexer, "=");
		if (err)
			break;
		if (lex_is(&name, "uuid")) {
			err = take_uuid(lexer, uuid) ?: lex_accept(lexer, ";");
			continue;
		}
		if (lex_is(&name, "freq"))
			frequency = lexer->token.number;
		else if (lex_is(&name, "offset_s"))
			offset_s = lexer->token.number;
		else if (lex_is(&name, "offset"))
			offset = lexer->token.number;
		lex_next(lexer);
		err = lex_accept(lexer, ";");
	}
	err = err ?: lex_expect(lexer, "};");
	if (err)
		return err;
	if (!frequency || __builtin_mul_overflow(offset_s, (uint64_t)NS_PER_S, &base) ||
	    __builtin_add_overflow(base, clock_ns(frequency, offset), &base))
		return -ERANGE;
	if (!part->described) {
		part->public.frequency = frequency;
		part->base_ns = base;
		memcpy(part->public.clock_uuid, uuid, 16);
	}
	part->described = true;
	return 0;
}

static int take_block(struct lexer *lexer, struct part *part)
{
	static const struct {
		const char *name;
		int (*take)(struct lexer *lexer, struct part *part);
	} blocks[] = {
		{ "trace", take_trace }, { "env", take_env }, { "clock", take_clock },
		{ "stream", describe_stream }, { "event", describe_event },
	};
	size_t i;

	if (lex_is(lexer, "typealias")) {
		lex_next(lexer);
		return take_alias(lexer);
	}
	if (lex_is(lexer, "struct")) {
		struct lexer at = *lexer;

		lex_next(&at);
		return lex_expect(lexer, lex_is(&at, "packet_context") ? packet_context : event_header);
	}
	for (i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++)
		if (lex_is(lexer, blocks[i].name)) {
			lex_next(lexer);
			return blocks[i].take(lexer, part);
		}
	return -ENOTSUP;
}

static int explain(struct ltttrace_error *error, const char *path, unsigned int line, int err)
{
	switch (err) {
	case -ENOTSUP:
		return trace_error(error, err, "%s/metadata, line %u: the layout is not one that LTT writes", path, line);
	case -EEXIST:
		return trace_error(error, -EBADMSG, "%s/metadata, line %u: its UUID is that of another trace", path, line);
	case -ERANGE:
		return trace_error(error, -EBADMSG, "%s/metadata, line %u: a number is out of range", path, line);
	case -ENOMEM:
		return trace_error(error, err, "%s: out of memory", path);
	default:
		return trace_error(error, -EBADMSG, "%s/metadata, line %u: malformed", path, line);
	}
}

static int parse(struct part *part, const struct folder *folder, const char *text, size_t len,
		 struct ltttrace_error *error)
{
	struct lexer lexer;
	unsigned int line;
	int err = 0;

	for (lex_init(&lexer, text, len); lexer.token.kind != TOKEN_END && !err; ) {
		line = lexer.line;
		err = take_block(&lexer, part);
	}
	/* A block that is cut off, perhaps within a word, will come, or never was. */
	if ((err == -EBADMSG || err == -ENOTSUP) && lexer.at == lexer.end)
		err = 0;
	if (err)
		return explain(error, folder->path, err == -ENOTSUP || err == -EBADMSG ? lexer.line : line, err);
	if (!part->described)
		return trace_error(error, -EBADMSG, "%s/metadata: it ends before the description of the clock",
				   folder->path);
	return 0;
}

/* Read a file of at most METADATA_MAX bytes.  Return: the bytes, -errno. */
static ssize_t read_text(int fd, char **text)
{
	struct stat stat;
	ssize_t len = 0, bytes;

	if (fstat(fd, &stat))
		return -errno;
	if (!S_ISREG(stat.st_mode) || stat.st_size > METADATA_MAX)
		return -EBADMSG;
	*text = malloc(stat.st_size + 1);
	if (!*text)
		return -ENOMEM;
	while (len < stat.st_size && (bytes = read(fd, *text + len, stat.st_size - len))) {
		if (bytes < 0)
			return -errno;
		len += bytes;
	}
	return len;
}

/* Open the metadata of a directory and read it.  Return: the bytes; -errno. */
static ssize_t load_metadata(const char *path, char **text, struct ltttrace_error *error)
{
	char name[PATH_MAX + sizeof("/metadata")];
	ssize_t len;
	int fd;

	*text = NULL;
	snprintf(name, sizeof(name), "%s/metadata", path);
	fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return trace_error(error, -errno, "cannot open %s: %s", name, strerror(errno));
	len = read_text(fd, text);
	close(fd);
	if (len < 0) {
		free(*text);
		*text = NULL;
		return trace_error(error, len, "cannot read %s: %s", name, strerror(-len));
	}
	return len;
}

int metadata_uuid(const char *path, unsigned char *uuid, struct ltttrace_error *error)
{
	struct lexer lexer;
	char *text;
	ssize_t len = load_metadata(path, &text, error);
	int err = -EAGAIN;

	if (len < 0)
		return len;
	/* Packets of metadata, or another version of CTF. */
	if (len >= 11 && memcmp(text, "/* CTF 1.8 ", 11)) {
		free(text);
		return trace_error(error, -ENOTSUP, "%s/metadata: it is not a text of CTF 1.8", path);
	}
	for (lex_init(&lexer, text, len); lexer.token.kind != TOKEN_END && !lex_is(&lexer, "trace"); )
		lex_next(&lexer);
	/* LTT writes the UUID before any channel. */
	for (; lexer.token.kind != TOKEN_END && !lex_is(&lexer, "uuid"); lex_next(&lexer))
		if (lex_is(&lexer, "stream"))
			err = -ENOTSUP;
	lex_next(&lexer);
	lex_next(&lexer);
	if (lexer.token.kind != TOKEN_END && err != -ENOTSUP)
		err = take_uuid(&lexer, uuid);
	free(text);
	if (err)
		trace_error(error, err, "%s/metadata: it %s", path,
			    err == -EAGAIN ? "ends before the UUID of the trace" :
			    err == -ENOTSUP ? "has no UUID, as LTT writes it" : "has a malformed UUID");
	return err;
}

static bool is_as_long(const struct folder *folder)
{
	char name[PATH_MAX + sizeof("/metadata")];
	struct stat now;

	snprintf(name, sizeof(name), "%s/metadata", folder->path);
	/* One that was deleted does not grow. */
	return stat(name, &now) || now.st_size == folder->metadata;
}

int metadata_read(struct part *part, struct folder *folder, struct ltttrace_error *error)
{
	char *text;
	ssize_t len;
	int err = 0;

	if (folder->metadata && is_as_long(folder))
		return 0;
	len = load_metadata(folder->path, &text, error);
	if (len < 0)
		return len;
	if (len != folder->metadata)
		err = parse(part, folder, text, len, error);
	if (!err)
		folder->metadata = len;
	free(text);
	return err;
}
