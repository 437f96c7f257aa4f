// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The markers of running programs.
 *
 * Layer: lttctl.
 */
#include "census.h"
#include "lttctl/command.h"
#include "meeting.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "common/site.h"

#define WAIT_MS 2000
#define MESSAGES_MAX 20000	/* of a program; later messages are ignored */

static void describe_labels(FILE *to, const char *labels)
{
	struct ltt_label label;
	const char *before = " {";

	for (; ltt_label_next(&labels, &label); before = ",")
		fprintf(to, "%s%.*s=%s%" PRIu64, before, label.len, label.name, label.is_negative ? "-" : "",
			label.is_negative ? -label.value : label.value);
	fputc('}', to);
}

/* In the words of the kernel's markers; see marker-json.c. */
static void describe_field(FILE *to, const struct ltt_field *field)
{
	static const char *const kinds[] = {
		[LTT_FIELD_INT] = "integer", [LTT_FIELD_STRING] = "string", [LTT_FIELD_TEXT] = "text",
		[LTT_FIELD_ARRAY] = "array", [LTT_FIELD_SEQUENCE] = "sequence", [LTT_FIELD_FLOAT] = "float",
	};
	fprintf(to, "field %s %s", field->name, kinds[field->kind]);
	if (field->kind == LTT_FIELD_FLOAT)
		fprintf(to, " %u", field->size * 8);
	else if (field->kind != LTT_FIELD_STRING && field->kind != LTT_FIELD_TEXT)
		fprintf(to, " %c%u base %u", field->is_signed ? 's' : 'u', field->size * 8, field->base);
	if (field->count)
		fprintf(to, " count %u", field->count);
	if (field->labels)
		describe_labels(to, field->labels);
	fputc('\n', to);
}

char *census_fields(const struct marker *marker)
{
	struct ltt_mark_fields fields;
	const char *why;
	char *text = NULL;
	size_t len = 0;
	FILE *memory = open_memstream(&text, &len);
	unsigned int i;

	if (!memory)
		return NULL;
	why = marker_fields(marker, &fields);
	if (why)
		fprintf(memory, "refused: %s\n", why);
	for (i = 0; !why && i < fields.nr; i++)
		describe_field(memory, &fields.field[i]);
	return fclose(memory) ? NULL : text;
}

static char *print(const char *format, const char *one, const char *other, long number)
{
	char *text;

	if (asprintf(&text, format, one, other, number) < 0)
		return NULL;
	make_printable(text);
	return text;
}

static int add_site(struct census *census, const struct meeting_program *program, const struct site *site)
{
	struct census_site *more = reallocarray(census->site, census->nr + 1, sizeof(*more));
	struct census_site *new;

	if (!more)
		return complain("out of memory");
	census->site = more;
	new = &more[census->nr++];
	*new = (struct census_site){
		.event = print("%.63s:%.63s", site->marker.group, site->marker.name, 0),
		.fields = census_fields(&site->marker),
		.place = print("%.255s%s:%ld", site->file, "", site->line),
		.program = print("%s%s %ld", program->name, "", program->pid),
		.recorded = site->recorded,
	};
	return new->event && new->fields && new->place && new->program ? 0 : complain("out of memory");
}

/* The program has sent its sites up to here; request more, unless that is the end. */
static int take_end(int fd, const struct ltt_program_end *message)
{
	struct ltt_program_end ready = *message;

	ready.type = LTT_PROGRAM_READY;
	if (message->number == message->end)
		return 1;
	if (send(fd, &ready, sizeof(ready), MSG_NOSIGNAL | MSG_DONTWAIT) >= 0)
		return 0;
	if (errno == EPIPE || errno == ECONNRESET)
		return 1;	/* the program has exited */
	complain("cannot request the markers of a program: %s", strerror(errno));
	return -1;
}

static int receive(struct meeting *meeting, struct meeting_program *program, const void *data,
		size_t size, int fd)
{
	const struct ltt_program_number *message = data;
	struct site site;

	if (message->type == LTT_PROGRAM_SITES_END && size >= sizeof(struct ltt_program_end))
		return take_end(fd, data);
	if (message->type != LTT_PROGRAM_SITE)
		return 0;
	if (!site_parse(data, size, &site))
		return 1;
	if (program->messages > MESSAGES_MAX) {
		((struct census *)meeting->arg)->cut = true;
		return 1;
	}
	return add_site(meeting->arg, program, &site) ? -1 : 0;
}

static int compare(const void *one, const void *other)
{
	const struct census_site *a = one, *b = other;
	int differs = strcmp(a->event, b->event);

	if (!differs)
		differs = strcmp(a->fields, b->fields);
	if (!differs)
		differs = strcmp(a->place, b->place);
	return differs ? differs : strcmp(a->program, b->program);
}

int census_take(struct census *census)
{
	struct meeting meeting = { .receive = receive, .arg = census, .wait_ms = WAIT_MS };
	int status;

	*census = (struct census){ NULL };
	status = meeting_hold(&meeting);
	census->silent = meeting.silent;
	if (!status && census->nr)
		qsort(census->site, census->nr, sizeof(*census->site), compare);
	return status;
}

void census_free(struct census *census)
{
	size_t i;

	for (i = 0; i < census->nr; i++) {
		free(census->site[i].event);
		free(census->site[i].fields);
		free(census->site[i].place);
		free(census->site[i].program);
	}
	free(census->site);
}
