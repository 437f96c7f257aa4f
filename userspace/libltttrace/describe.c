// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The blocks of the metadata that describe channels and events.
 *
 * Layer: libltttrace.
 */
#include "describe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The word NAME in a text that is expected stands for any word. */
static bool same_token(const struct lexer *lexer, const struct lexer *wanted)
{
	const struct token *a = &lexer->token, *b = &wanted->token;

	if (b->kind == TOKEN_WORD && lex_is(wanted, "NAME"))
		return a->kind == TOKEN_WORD;
	return a->kind == b->kind && a->len == b->len && !memcmp(a->at, b->at, a->len);
}

/* Take the words of a text.  Return: 0; -ENOTSUP: there are others; -EBADMSG: the metadata ends, perhaps within a word. */
int lex_expect(struct lexer *lexer, const char *text)
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

int lex_count(struct lexer *lexer, uint64_t *number)
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

int describe_stream(struct lexer *lexer, struct part *part)
{
	struct channel *channel = calloc(1, sizeof(*channel));
	uint64_t id = 0;
	int err = channel ? name_channel(lexer, channel) : -ENOMEM;

	err = err ?: lex_expect(lexer, "{ id =") ?: lex_count(lexer, &id) ?:
	      lex_expect(lexer, "; event.header := struct event_header; packet.context := struct packet_context;"
			    "event.context :=") ?:
	      fields_parse(lexer, &channel->common) ?: lex_expect(lexer, "; };");
	if (!err && (id >= CHANNELS_MAX || channel->common.nr > COMMON_MAX))
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
	struct ltttrace_field *fields = (struct ltttrace_field *)event->public.fields;
	unsigned int i;

	for (i = event->public.own; i < event->public.nr_fields; i++)
		field_free(&fields[i]);
	free(fields);
	free((void *)event->public.name);
	free(event->step);
	free(event->place);
	free(event);
}

/* The fields of the channel, whose names and labels belong to the channel, and @parsed, which is taken over.  Return: 0, -ENOMEM. */
static int event_fields(struct event *event, const struct channel *channel, struct fields *parsed)
{
	const unsigned int common = channel->common.nr;
	struct ltttrace_field *fields = calloc(common + parsed->nr + 1, sizeof(*fields));

	if (!fields)
		return -ENOMEM;
	event->public.fields = fields;
	event->public.nr_fields = common + parsed->nr;
	if (common)
		memcpy(fields, channel->common.field, common * sizeof(*fields));
	if (parsed->nr)
		memcpy(fields + common, parsed->field, parsed->nr * sizeof(*fields));
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
		.id = id, .channel_id = channel_id,
	};
	err = event_fields(event, channel, parsed) ?: plan_make(event) ?: add_event(part, channel, id, event);
	if (err)
		event_free(event);
	return err == -EMSGSIZE ? -ERANGE : err;
}

int describe_event(struct lexer *lexer, struct part *part)
{
	struct fields fields = { 0 };
	unsigned int contexts = 0;
	uint64_t id = 0, channel = 0;
	char *name = NULL;
	int err = lex_expect(lexer, "{ name =");

	if (!err && lexer->token.kind != TOKEN_STRING)
		err = -EBADMSG;
	if (!err)
		name = lex_text(lexer);
	if (!err && !name)
		err = -ENOMEM;
	lex_next(lexer);
	err = err ?: lex_expect(lexer, "; id =") ?: lex_count(lexer, &id) ?: lex_expect(lexer, "; stream_id =") ?:
	      lex_count(lexer, &channel) ?: lex_accept(lexer, ";");
	if (!err && lex_is(lexer, "context")) {
		lex_next(lexer);
		err = lex_accept(lexer, ":=") ?: fields_parse(lexer, &fields) ?: lex_accept(lexer, ";");
		contexts = fields.nr;
	}
	err = err ?: lex_expect(lexer, "fields :=") ?: fields_parse(lexer, &fields) ?: lex_expect(lexer, "; };");
	if (err)
		free(name);
	else
		err = make_event(part, channel, id, name, contexts, &fields);
	fields_free(&fields);
	return err;
}

void metadata_free(struct part *part)
{
	unsigned int i;

	for (i = 0; i < CHANNELS_MAX; i++)
		if (part->channel[i])
			channel_free(part->channel[i]);
}
