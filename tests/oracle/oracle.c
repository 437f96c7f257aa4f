// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Compare what libltttrace and libbabeltrace2 read:
 *
 *   trace-oracle DIRECTORY...	directories that are traces, or contain some
 *
 * Each event must have the same time, clock value, name, CPU, fields and values, in the order of time; those of
 * the same time may come in any order.  Each loss must be the same.  Prints the first difference.  The
 * exit status is 1 if there is one, and 2 if one of the libraries cannot read the traces.  Traces that grow
 * meanwhile are not compared.
 */
#include "oracle.h"

#include <ftw.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ltt/ltttrace.h>

#define TRACES_MAX	1024
#define BATCH_MAX	65536

static const char *path[TRACES_MAX];
static size_t paths;

static struct ltttrace *trace;
static struct ltttrace_cursor *cursor;

/* The events of one moment. */
static struct oracle_event *theirs[BATCH_MAX];
static struct ltttrace_record ours[BATCH_MAX];
static size_t nr_theirs, nr_ours;

/* The record behind those of this moment. */
static const struct ltttrace_record *next;

static struct oracle_loss *their_losses, *our_losses;
static size_t nr_their_losses, nr_our_losses;

static unsigned long long events;

/* --- Ends ------------------------------------------------------------------------------- */

/* A number that changes when files do. */
static uint64_t print, print_before;

static int add_print(const char *name, const struct stat *stat, int type, struct FTW *at)
{
	(void)name, (void)type, (void)at;
	print = print * 31 + stat->st_size;
	print = print * 31 + stat->st_mtim.tv_nsec;
	print = print * 31 + stat->st_ino;
	return 0;
}

static void take_print(void)
{
	size_t i;

	print = 0;
	for (i = 0; i < paths; i++)
		nftw(path[i], add_print, 16, FTW_PHYS);
}

static void end(int status, const char *format, va_list args)
{
	take_print();
	if (print != print_before) {
		puts("not compared: they are being recorded");
		exit(0);
	}
	printf("after %llu events: ", events);
	vprintf(format, args);
	putchar('\n');
	exit(status);
}

void differ(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	end(1, format, args);
	abort();
}

void unreadable(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	end(2, format, args);
	abort();
}

/* --- Events --------------------------------------------------------------------------- */

static void print_record(const struct ltttrace_record *record)
{
	const struct ltttrace_event *event = record->event;
	struct ltttrace_value value;
	unsigned int i;

	printf("%" PRId64 " %s %s cpu %u clock %" PRIu64, record->ns, record->stream->name, event->name, record->cpu,
	       record->clock);
	for (i = 0; i < event->nr_fields; i++) {
		value = ltttrace_value(record, i);
		if (value.text)
			printf(" %s=\"%.*s\"", event->fields[i].name, (int)value.size, value.text);
		else if (value.elements)
			printf(" %s=[%zu]", event->fields[i].name, value.length);
		else
			printf(" %s=%" PRIx64, event->fields[i].name, value.u);
	}
	putchar('\n');
}

static bool same_scalar(const struct ltttrace_value *ours, enum ltttrace_kind kind, const struct oracle_value *theirs)
{
	switch (kind) {
	case LTTTRACE_UNSIGNED:
		return theirs->kind == ORACLE_UNSIGNED && ours->u == theirs->u;
	case LTTTRACE_SIGNED:
		return theirs->kind == ORACLE_SIGNED && ours->s == theirs->s;
	case LTTTRACE_FLOAT:
		return theirs->kind == ORACLE_REAL && !memcmp(&ours->f, &theirs->f, sizeof(ours->f));
	default:
		return false;
	}
}

static bool same_value(const struct ltttrace_record *record, unsigned int index, const struct oracle_field *theirs)
{
	const struct ltttrace_field *field = &record->event->fields[index];
	const struct ltttrace_value value = ltttrace_value(record, index);
	struct ltttrace_value element;
	struct oracle_value other;
	size_t i;

	oracle_value(theirs, &other);
	if (strcmp(field->name, theirs->name))
		return false;
	/* babeltrace2 2.0.4 has the text of an earlier event for an empty one. */
	if (value.text && !value.size)
		return other.kind == ORACLE_TEXT;
	if (value.text)
		return other.kind == ORACLE_TEXT && value.size == other.size && !memcmp(value.text, other.text, value.size);
	if (field->kind != LTTTRACE_ARRAY && field->kind != LTTTRACE_SEQUENCE)
		return same_scalar(&value, field->kind, &other);
	if (other.kind != ORACLE_LIST || other.size != value.length)
		return false;
	for (i = 0; i < value.length; i++) {
		element = ltttrace_element(field, &value, i);
		oracle_element(theirs, i, &other);
		if (!same_scalar(&element, field->element, &other))
			return false;
	}
	return true;
}

static bool same_event(const struct ltttrace_record *record, const struct oracle_event *other)
{
	const struct ltttrace_event *event = record->event;
	struct oracle_head head;
	struct oracle_field field;
	unsigned int i;

	oracle_head(other, &head);
	if (record->clock != head.clock || record->cpu != head.cpu || strcmp(event->name, head.name) ||
	    event->own != head.common || event->payload - event->own != head.own ||
	    event->nr_fields - event->payload != head.payload)
		return false;
	for (i = 0; i < event->nr_fields; i++) {
		oracle_field(other, i, &head, &field);
		if (!same_value(record, i, &field))
			return false;
	}
	return true;
}

/* Each of ours is one of theirs, most often the first. */
static void compare_batch(int64_t ns)
{
	size_t i, j;

	if (nr_ours != nr_theirs)
		differ("%zu events at %" PRId64 " ns, and libbabeltrace2 has %zu", nr_ours, ns, nr_theirs);
	for (i = 0; i < nr_ours; i++) {
		for (j = 0; j < nr_theirs; j++)
			if (theirs[j] && same_event(&ours[i], theirs[j]))
				break;
		if (j == nr_theirs) {
			print_record(&ours[i]);
			differ("libbabeltrace2 has no such event at %" PRId64 " ns", ns);
		}
		oracle_event_put(theirs[j]);
		theirs[j] = NULL;
	}
	events += nr_ours;
	nr_ours = nr_theirs = 0;
}

static void add_loss(struct oracle_loss **losses, size_t *nr, const struct oracle_loss *loss)
{
	if (!(*nr & (*nr - 1)))
		*losses = realloc(*losses, (2 * *nr + 1) * sizeof(**losses));
	if (!*losses)
		unreadable("out of memory");
	(*losses)[(*nr)++] = *loss;
}

/* Take our next event to @next; NULL: there are no more. */
static void advance(void)
{
	int status;

	while ((status = ltttrace_next(cursor, &next)) > 0) {
		if (next->kind == LTTTRACE_EVENT)
			return;
		if (next->kind == LTTTRACE_DAMAGE || next->kind == LTTTRACE_CUT)
			differ("%s/%s at %" PRIu64 ": %s, and libbabeltrace2 has nothing to say", next->stream->part->path,
			       next->stream->name, next->offset, next->why ?: "cut");
		add_loss(&our_losses, &nr_our_losses, &(struct oracle_loss){
			.is_packets = next->kind == LTTTRACE_LOST_PACKETS, .from = next->ns, .until = next->until_ns,
			.count = next->count, .has_count = true });
	}
	next = NULL;
	if (status < 0)
		unreadable("ltttrace_next: %s", strerror(-status));
}

/* All events of libbabeltrace2's batch are of the time @ns: take ours. */
static void take_ours(int64_t ns)
{
	if (next && next->ns < ns) {
		print_record(next);
		differ("libbabeltrace2 has no event at that time");
	}
	for (; next && next->ns == ns; advance()) {
		if (nr_ours == BATCH_MAX)
			unreadable("more than %d events of one time", BATCH_MAX);
		ours[nr_ours++] = *next;
	}
}

static int64_t batch_ns;

static void end_batch(void)
{
	if (!nr_theirs)
		return;
	take_ours(batch_ns);
	compare_batch(batch_ns);
}

void oracle_take_event(struct oracle_event *event, int64_t ns)
{
	if (nr_theirs && ns != batch_ns)
		end_batch();
	if (nr_theirs == BATCH_MAX)
		unreadable("more than %d events of one time", BATCH_MAX);
	batch_ns = ns;
	theirs[nr_theirs++] = event;
}

void oracle_take_loss(const struct oracle_loss *loss)
{
	add_loss(&their_losses, &nr_their_losses, loss);
}

/* --- Losses ----------------------------------------------------------------------------- */

static int compare_losses(const void *a, const void *b)
{
	const struct oracle_loss *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->until != y->until)
		return x->until < y->until ? -1 : 1;
	if (x->is_packets != y->is_packets)
		return x->is_packets ? -1 : 1;
	return x->count < y->count ? -1 : x->count > y->count;
}

static void check_losses(void)
{
	const struct oracle_loss *a, *b;
	size_t i;

	/* For libbabeltrace2, pieces of a recording are streams of their own. */
	if (ltttrace_nr_parts(trace) < paths)
		return;
	qsort(our_losses, nr_our_losses, sizeof(*our_losses), compare_losses);
	qsort(their_losses, nr_their_losses, sizeof(*their_losses), compare_losses);
	for (i = 0; i < nr_our_losses && i < nr_their_losses; i++) {
		a = &our_losses[i];
		b = &their_losses[i];
		if (a->from != b->from || a->until != b->until || a->is_packets != b->is_packets ||
		    (b->has_count && a->count != b->count))
			differ("loss %zu: %" PRIu64 " %s from %" PRId64 " to %" PRId64 ", and libbabeltrace2 has %" PRIu64
			       " %s from %" PRId64 " to %" PRId64, i, a->count, a->is_packets ? "packets" : "events",
			       a->from, a->until, b->count, b->is_packets ? "packets" : "events", b->from, b->until);
	}
	if (nr_our_losses != nr_their_losses)
		differ("%zu losses, and libbabeltrace2 has %zu", nr_our_losses, nr_their_losses);
}

/* --- Directories ---------------------------------------------------------------------------- */

static int visit(const char *name, const struct stat *stat, int type, struct FTW *at)
{
	static struct stat seen[TRACES_MAX];
	size_t i;
	char *end;

	if (type != FTW_F || strcmp(name + at->base, "metadata"))
		return 0;
	if (paths == TRACES_MAX)
		unreadable("more than %d traces", TRACES_MAX);
	for (i = 0; i < paths; i++)
		if (seen[i].st_dev == stat->st_dev && seen[i].st_ino == stat->st_ino)
			return 0;
	seen[paths] = *stat;
	end = strdup(name);
	if (!end)
		unreadable("out of memory");
	end[at->base - 1] = '\0';
	path[paths++] = end;
	return 0;
}

int main(int argc, char **argv)
{
	const char *copy = argc > 2 && !strcmp(argv[1], "--against") ? argv[2] : NULL;
	struct ltttrace_error error;
	int i;

	for (i = copy ? 3 : 1; i < argc; i++)
		if (nftw(argv[i], visit, 16, 0))
			unreadable("cannot read %s", argv[i]);
	if (!paths)
		unreadable("no traces");
	take_print();
	print_before = print;
	if (ltttrace_open(path, paths, LTTTRACE_WITH_STATES, &trace, &error))
		unreadable("%s", error.text);
	if (ltttrace_merge(trace, NULL, NULL, &cursor))
		unreadable("out of memory");
	advance();
	if (copy)
		oracle_read(&copy, 1);
	else
		oracle_read(path, paths);
	end_batch();
	if (next) {
		print_record(next);
		differ("libbabeltrace2 has no more events");
	}
	check_losses();
	printf("%llu events and %zu losses are the same\n", events, nr_our_losses);
	ltttrace_cursor_free(cursor);
	ltttrace_close(trace);
	return 0;
}
