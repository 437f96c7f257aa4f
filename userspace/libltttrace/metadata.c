// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The metadata of a part, as core/ctf.c writes it.
 *
 * Layer: libltttrace.  The layout of packets and of the headers of events is compared with LTT's, word for word:
 * cursor.c and stream.c know no other.  The last block may be cut off, as lttd may be writing it, or have been
 * killed; then the metadata ends before it.
 */
#include "fields.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define METADATA_MAX	(256 << 20)	/* bytes: 65536 events have some 100 MB */

/* What every trace of LTT has between its first words and its first channel. */
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

/* The word NAME in a text that is expected stands for any word. */
static bool same_token(const struct lexer *lexer, const struct lexer *wanted)
{
	const struct token *a = &lexer->token, *b = &wanted->token;

	if (b->kind == TOKEN_WORD && lex_is(wanted, "NAME"))
		return a->kind == TOKEN_WORD;
	return a->kind == b->kind && a->len == b->len && !memcmp(a->at, b->at, a->len);
}

/* Take the words of a text.  Return: 0; -ENOTSUP: there are others; -EBADMSG: the metadata ends, perhaps within a word. */
static int expect(struct lexer *lexer, const char *text)
{
	struct lexer wanted;

	for (lex_init(&wanted, text, strlen(text)); wanted.token.kind != TOKEN_END; lex_next(&wanted)) {
		if (lexer->token.kind == TOKEN_END)
			return -EBADMSG;
		if (!same_token(lexer, &wanted))
			return lexer->at == lexer->end ? -EBADMSG : -ENOTSUP;
		lex_next(lexer);
	}
	return 0;
}

static int take_alias(struct lexer *lexer)
{
	struct lexer at;
	size_t i;
	int err = -ENOTSUP;

	for (i = 0; i < sizeof(aliases) / sizeof(aliases[0]) && err == -ENOTSUP; i++) {
		at = *lexer;
		err = expect(&at, aliases[i]);
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

	err = expect(lexer, "{ major = 1; minor = 8; uuid = ") ?: take_uuid(lexer, uuid) ?:
	      expect(lexer, *(const char *)&one ? "; byte_order = le; packet.header :=" :
						  "; byte_order = be; packet.header :=") ?:
	      expect(lexer, packet_header) ?: expect(lexer, "; };");
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
	return err ?: expect(lexer, "};");
}

/* As babeltrace2 computes it, so that both show the same time: in floating point, cut to nanoseconds. */
static int64_t clock_ns(uint64_t frequency, uint64_t value)
{
	double ns;

	if (frequency == (uint64_t)NS_PER_S)
		return value < INT64_MAX ? (int64_t)value : INT64_MAX;
	ns = 1e9 * (double)value / (double)frequency;
	return ns < 9e18 ? (int64_t)ns : INT64_MAX;
}

int64_t part_ns(const struct part *part, uint64_t clock)
{
	int64_t ns;

	return __builtin_add_overflow(part->base_ns, clock_ns(part->public.frequency, clock), &ns) ? INT64_MAX : ns;
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
	err = err ?: expect(lexer, "};");
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

static int take_number(struct lexer *lexer, uint64_t *number)
{
	if (lexer->token.kind != TOKEN_NUMBER)
		return -EBADMSG;
	*number = lexer->token.number;
	lex_next(lexer);
	return 0;
}

static void channel_free(struct channel *channel)
{
	fields_free(&channel->common);
	free(channel->event);
	free(channel->name);
	free(channel);
}

/* The comment before a channel has its name: "channel NAME".  Return: 0, -ENOMEM. */
static int name_channel(struct lexer *lexer, struct channel *channel)
{
	const char *name = lexer->comment, *end = name ? name + lexer->comment_len : NULL;

	while (name && name < end && *name == ' ')
		name++;
	if (!name || end - name < 8 || memcmp(name, "channel ", 8))
		channel->name = strdup("");
	else
		channel->name = strndup(name + 8, strcspn(name + 8, " *"));
	return channel->name ? 0 : -ENOMEM;
}

static int take_stream(struct lexer *lexer, struct part *part)
{
	struct channel *channel = calloc(1, sizeof(*channel));
	uint64_t id = 0;
	int err = channel ? name_channel(lexer, channel) : -ENOMEM;

	err = err ?: expect(lexer, "{ id =") ?: take_number(lexer, &id) ?:
	      expect(lexer, "; event.header := struct event_header; packet.context := struct packet_context;"
			    "event.context :=") ?:
	      fields_parse(lexer, &channel->common) ?: expect(lexer, "; };");
	if (!err && id >= CHANNELS_MAX)
		err = -ERANGE;
	if (!err && !part->channel[id])
		part->channel[id] = channel;
	else if (channel)
		channel_free(channel);
	return err;
}

/* --- Events ---------------------------------------------------------------- */

void event_free(struct event *event)
{
	struct fields fields = { .field = (struct ltttrace_field *)event->public.fields, .nr = event->public.nr_fields };

	fields_free(&fields);
	free((void *)event->public.name);
	free(event->step);
	free(event->place);
	free(event);
}

/* Fields of the channel are copied, so that each event has all of its own.  @parsed is taken over.  Return: 0, -ENOMEM. */
static int event_fields(struct event *event, const struct channel *channel, struct fields *parsed)
{
	const unsigned int common = channel->common.nr;
	struct ltttrace_field *fields = calloc(common + parsed->nr + 1, sizeof(*fields));
	unsigned int i;
	int err = 0;

	if (!fields)
		return -ENOMEM;
	event->public.fields = fields;
	for (i = 0; i < common && !err; i++) {
		err = field_copy(&fields[i], &channel->common.field[i]);
		event->public.nr_fields++;
	}
	if (err)
		return err;
	if (parsed->nr)
		memcpy(fields + common, parsed->field, parsed->nr * sizeof(*fields));
	event->public.nr_fields += parsed->nr;
	parsed->nr = 0;
	event->public.tid = ltttrace_context_field(&event->public, "tid");
	return 0;
}

static int add_event(struct part *part, struct channel *channel, uint64_t id, struct event *event)
{
	struct event **events;

	if (id >= channel->ids) {
		events = realloc(channel->event, (id + 1) * sizeof(*events));
		if (!events)
			return -ENOMEM;
		memset(events + channel->ids, 0, (id + 1 - channel->ids) * sizeof(*events));
		channel->event = events;
		channel->ids = id + 1;
	}
	event->public.number = part->trace->events;
	if (list_add(&part->trace->event, &part->trace->events, event))
		return -ENOMEM;
	channel->event[id] = event;
	part->trace->changed = true;
	return 0;
}

static bool has_event(const struct part *part, uint64_t channel, uint64_t id)
{
	return channel < CHANNELS_MAX && part->channel[channel] && id < part->channel[channel]->ids &&
	       part->channel[channel]->event[id];
}

/* Make the class of parsed fields, of which the first @contexts are contexts.  @name is taken over. */
static int make_event(struct part *part, uint64_t channel_id, uint64_t id, char *name, unsigned int contexts,
		      struct fields *parsed)
{
	struct channel *channel = channel_id < CHANNELS_MAX ? part->channel[channel_id] : NULL;
	struct event *event;
	int err;

	if (!channel || id >= IDS_MAX || has_event(part, channel_id, id)) {
		free(name);
		return channel && id < IDS_MAX ? 0 : -ERANGE;
	}
	event = calloc(1, sizeof(*event));
	if (!event) {
		free(name);
		return -ENOMEM;
	}
	event->public = (struct ltttrace_event){
		.name = name, .part = &part->public, .channel = channel->name,
		.own = channel->common.nr, .payload = channel->common.nr + contexts,
	};
	err = event_fields(event, channel, parsed) ?: plan_make(event) ?: add_event(part, channel, id, event);
	if (err)
		event_free(event);
	return err == -EMSGSIZE ? -ERANGE : err;
}

static int take_event(struct lexer *lexer, struct part *part)
{
	struct fields fields = { 0 };
	unsigned int contexts = 0;
	uint64_t id = 0, channel = 0;
	char *name = NULL;
	int err = expect(lexer, "{ name =");

	if (!err && lexer->token.kind != TOKEN_STRING)
		err = -EBADMSG;
	if (!err)
		name = lex_text(lexer);
	if (!err && !name)
		err = -ENOMEM;
	lex_next(lexer);
	err = err ?: expect(lexer, "; id =") ?: take_number(lexer, &id) ?: expect(lexer, "; stream_id =") ?:
	      take_number(lexer, &channel) ?: lex_accept(lexer, ";");
	if (!err && lex_is(lexer, "context")) {
		lex_next(lexer);
		err = lex_accept(lexer, ":=") ?: fields_parse(lexer, &fields) ?: lex_accept(lexer, ";");
		contexts = fields.nr;
	}
	err = err ?: expect(lexer, "fields :=") ?: fields_parse(lexer, &fields) ?: expect(lexer, "; };");
	if (err)
		free(name);
	else
		err = make_event(part, channel, id, name, contexts, &fields);
	fields_free(&fields);
	return err;
}

static int take_block(struct lexer *lexer, struct part *part)
{
	static const struct {
		const char *name;
		int (*take)(struct lexer *lexer, struct part *part);
	} blocks[] = {
		{ "trace", take_trace }, { "env", take_env }, { "clock", take_clock },
		{ "stream", take_stream }, { "event", take_event },
	};
	size_t i;

	if (lex_is(lexer, "typealias")) {
		lex_next(lexer);
		return take_alias(lexer);
	}
	if (lex_is(lexer, "struct")) {
		struct lexer at = *lexer;

		lex_next(&at);
		return expect(lexer, lex_is(&at, "packet_context") ? packet_context : event_header);
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

void metadata_free(struct part *part)
{
	unsigned int i;

	for (i = 0; i < CHANNELS_MAX; i++)
		if (part->channel[i])
			channel_free(part->channel[i]);
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
	for (; lexer.token.kind != TOKEN_END && !lex_is(&lexer, "uuid"); )
		lex_next(&lexer);
	lex_next(&lexer);
	lex_next(&lexer);
	if (lexer.token.kind != TOKEN_END)
		err = take_uuid(&lexer, uuid);
	free(text);
	if (err)
		trace_error(error, err, "%s/metadata: it %s", path,
			    err == -EAGAIN ? "ends before the UUID of the trace" : "has a malformed UUID");
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
