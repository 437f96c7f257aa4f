// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Random filters on real events: a trace with a filter records what the reader selects from a trace
 * without one that recorded the same events at the same time.
 *
 *   expression-recorded SEED COUNT DIRECTORY
 *
 * Some events are those of ltt-sample and of the kernel, the others are markers of ltt-test-random
 * with any fields and any payload.  A child causes them, and all traces are limited to it: it waits, in
 * a read(), while traces start and stop, so each of them records all that it causes.
 *
 * Records are compared as multisets of their contents, contexts included, as a record in two traces
 * has two times.  DIRECTORY keeps the last trace without filters, and as files "text", "event" and
 * "count" a filter of it with the number of records that the reader selects.
 */
#include "recorded.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../userspace/liblttctl/lttctl.h"
#include "../../userspace/lttctl/command.h"
#include "../modules/random/ltt-test-random.h"

#define ROUNDS		24	/* payloads of each random marker, and turns of the other events */
#define RANDOM_EVENTS	40
#define FAULTS_MAX	20
#define CONTEXTS	"pid,ppid,comm,uid,prio,cgroup,pid_ns,net_ns,mnt_ns,preempt,irq,migrate_disable"
#define SUBBUF_SIZE	(256 << 10)
#define SUBBUF_COUNT	8

/* The pattern syscall:openat matches the exit, too, and the last pattern decides. */
static const char *const real_events[] = {
	"sample:request", "sample:lookup", "sample:evict", "sample:complete", "sample:open", "sched:sched_switch",
	"syscall:openat", "syscall:openat_exit", "syscall:write", "syscall:write_exit",
};
#define REAL_EVENTS	(sizeof(real_events) / sizeof(real_events[0]))
_Static_assert(REAL_EVENTS + RANDOM_EVENTS <= EVENTS_MAX, "there is room for all events");

/* The functions of lttctl print errors with the name of their command. */
const char program[] = "expression-recorded";
const struct command *command = &(const struct command){ .name = "view" };

static struct lttctl *ctl;
static const char *directory;
static struct batch batch;
static struct layout layouts[EVENTS_MAX];
static unsigned int nr_random;
static unsigned long filters, left_out, records, selected, faults;

static void give_up(const char *what)
{
	printf("not ok %s: %s\n", what, errno ? strerror(errno) : "");
	exit(1);
}

/* A request to the tracer. */
static void must(int status, const char *what)
{
	if (status >= 0)
		return;
	printf("not ok %s: %s\n", what, lttctl_error(ctl));
	exit(1);
}

/* ---- Events ---- */

static void write_random(const void *bytes, size_t size)
{
	static int fd = -1;

	if (fd < 0)
		fd = open("/proc/ltt-test-random", O_WRONLY | O_CLOEXEC);
	if (write(fd, bytes, size) != (ssize_t)size)
		give_up("ltt-test-random takes the event");
}

static void define_event(uint64_t *state, size_t nr)
{
	struct random_definition definition = { .marker = nr_random | RANDOM_DEFINITION };
	struct layout *layout = &layouts[nr];
	size_t i;

	draw_layout(state, layout);
	definition.nr_fields = layout->nr;
	for (i = 0; i < layout->nr; i++) {
		struct ltt_field *field = &layout->field[i];

		/* Events of the kernel have no floating-point numbers. */
		if (field->kind == LTT_FIELD_FLOAT)
			field->kind = LTT_FIELD_INT;
		/* Labels fit their field, and one of them is negative. */
		field->is_signed |= !!field->labels;
		definition.field[i] = (struct random_field){
			field->count, field->kind, field->size, field->is_signed, !!field->labels,
		};
	}
	snprintf(batch.event[nr], sizeof(batch.event[nr]), "random:e%u", nr_random++);
	write_random(&definition, sizeof(definition));
}

static void take_event(size_t nr, const char *event)
{
	static struct lttctl_fields fields[REAL_EVENTS];
	struct layout *layout = &layouts[nr];
	size_t i;

	lttctl_fields_free(&fields[nr]);
	must(lttctl_marker_fields(ctl, event, &fields[nr]), "there is the event");
	strcpy(batch.event[nr], event);
	layout->nr = fields[nr].nr;
	if (layout->nr > FIELDS_MAX)
		give_up("the event has few fields");
	for (i = 0; i < layout->nr; i++) {
		layout->field[i] = fields[nr].field[i];
		/* The generator knows its own labels only. */
		layout->field[i].labels = NULL;
	}
}

static void make_events(uint64_t *state)
{
	size_t nr;

	batch.nr_events = REAL_EVENTS + RANDOM_EVENTS;
	for (nr = 0; nr < batch.nr_events; nr++) {
		if (nr < REAL_EVENTS)
			take_event(nr, real_events[nr]);
		else
			define_event(state, nr);
	}
}

/* ---- The child ---- */

static pid_t child;
static int orders[2];

static void put(const char *file, const char *text)
{
	int fd = open(file, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		give_up(file);
	close(fd);
}

static void cause_events(uint64_t *state)
{
	static const char *const files[] = { "/etc/passwd", "/dev/null", "/nowhere", "a", "ab*b" };
	struct { uint32_t marker; char payload[PAYLOAD_MAX]; } event;
	size_t round, nr, size;
	int fd;

	for (round = 0; round < ROUNDS; round++) {
		put("/dev/ltt-sample", "3");
		fd = open(files[draw(state, 5)], O_RDONLY | O_CLOEXEC);
		if (fd >= 0)
			close(fd);
		usleep(draw(state, 2));
		for (nr = REAL_EVENTS; nr < batch.nr_events; nr++) {
			sscanf(batch.event[nr], "random:e%u", &event.marker);
			size = draw_payload(state, &layouts[nr], event.payload);
			write_random(&event, sizeof(event.marker) + size);
		}
	}
}

/* It knows the events of the batch as a copy of this process. */
static void start_child(uint64_t *state)
{
	char byte;

	if (pipe2(orders, O_CLOEXEC))
		give_up("make a pipe");
	fflush(stdout);
	child = fork();
	if (child < 0)
		give_up("fork");
	if (child)
		return;
	prctl(PR_SET_NAME, "aab*b");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (read(orders[0], &byte, 1) == 1)
		cause_events(state);
	_exit(1);
}

/* Wait until the child waits for an order; its file of /proc shows that only once it is switched out. */
static void wait_for_child(void)
{
	char path[64], text[16];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/syscall", child);
	do {
		usleep(1000);
		file = fopen(path, "r");
		if (!file || !fgets(text, sizeof(text), file))
			give_up("the child lives");
		fclose(file);
	} while (*text < '0' || *text > '9' || atoi(text) != SYS_read);
}

static void end_child(void)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	close(orders[0]);
	close(orders[1]);
}

/* ---- Traces ---- */

static int note_attached(const struct lttctl_filter *filter, void *arg)
{
	const size_t trace = *(size_t *)arg;
	size_t nr;

	for (nr = 0; filter->event && !filter->expression && nr < batch.nr_events; nr++)
		if (!strcmp(batch.event[nr], filter->event))
			batch.filter[trace][nr].is_recorded = true;
	return 0;
}

/* An event whose filter the verifier finds too complex is not recorded. */
static void set_filters(uint64_t *state, struct lttctl_trace *trace, size_t nr_trace)
{
	size_t nr;
	int err;

	for (nr = 0; nr < batch.nr_events; nr++) {
		struct filter *filter = &batch.filter[nr_trace][nr];

		*filter = (struct filter){ .is_recorded = false };
		draw_expression(state, &layouts[nr], CONTEXTS_OF_EVENTS, filter->text);
		must(lttctl_filter_set(trace, batch.event[nr], filter->text), filter->text);
	}
	for (nr = 0; nr < batch.nr_events; nr++)
		must(lttctl_event_enable(trace, batch.event[nr]), batch.event[nr]);
	err = lttctl_filters_attach(trace);
	if (err != -E2BIG)
		must(err, "filters are attached");
	must(lttctl_for_each_filter(trace, note_attached, &nr_trace), "list filters");
}

/* @nr: of the trace; nr_traces for the one without filters. */
static struct lttctl_trace *make_trace(uint64_t *state, size_t nr)
{
	struct lttctl_trace *trace;
	char text[32];
	size_t i;

	snprintf(text, sizeof(text), "t%zu", nr);
	must(lttctl_trace_create(ctl, text, &trace), "create a trace");
	must(lttctl_trace_set_nameless(trace), "do without names");
	must(lttctl_channel_set(trace, "events", LTTCTL_SUBBUF_SIZE, SUBBUF_SIZE), "set a size");
	must(lttctl_channel_set(trace, "events", LTTCTL_SUBBUF_COUNT, SUBBUF_COUNT), "set a size");
	must(lttctl_channel_set(trace, "state", LTTCTL_SUBBUF_SIZE, 4096), "set a size");
	must(lttctl_channel_set_context(trace, "events", CONTEXTS), "set contexts");
	snprintf(text, sizeof(text), "pid:%d", child);
	must(lttctl_trace_limit_tasks(trace, text), "limit the trace to the child");
	if (nr < batch.nr_traces)
		set_filters(state, trace, nr);
	for (i = 0; nr == batch.nr_traces && i < batch.nr_events; i++)
		must(lttctl_event_enable(trace, batch.event[i]), batch.event[i]);
	must(lttctl_trace_start(trace), "start a trace");
	return trace;
}

static void save_file(const char *dir, const char *name, int from)
{
	static char bytes[1 << 20];
	char path[PATH_MAX];
	ssize_t n;
	int to;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	while ((n = read(from, bytes, sizeof(bytes))) > 0)
		if (write(to, bytes, n) != n)
			give_up(path);
	if (n < 0 && errno != EAGAIN)
		give_up(path);
	close(to);
	close(from);
}

struct saving {
	struct lttctl_trace *trace;
	const char *dir;
};

static int save_buffer(const char *name, void *arg)
{
	struct saving *saving = arg;
	int fd = lttctl_buffer_open(saving->trace, name);

	must(fd, name);
	save_file(saving->dir, name, fd);
	return 0;
}

/* Write what it has recorded to a directory, and end it. */
static void save_trace(struct lttctl_trace *trace, const char *dir)
{
	struct saving saving = { trace, dir };
	struct lttctl_stats stats;

	if (mkdir(dir, 0700) && errno != EEXIST)
		give_up(dir);
	errno = 0;
	must(lttctl_trace_stats(trace, &stats), "count events");
	if (stats.total.refused || stats.total.unjudged || *stats.halted)
		give_up("no event is lost, and each is judged");
	lttctl_stats_free(&stats);
	save_file(dir, "metadata", lttctl_metadata_open(trace));
	must(lttctl_for_each_buffer(trace, save_buffer, &saving), "save buffers");
	must(lttctl_trace_destroy(trace), "destroy a trace");
	lttctl_trace_close(trace);
}

/* ---- A batch ---- */

static void trace_dir(char dir[PATH_MAX], size_t nr)
{
	snprintf(dir, PATH_MAX, "%s/%s", directory, nr == batch.nr_traces ? "all" : "filtered");
}

static void record(uint64_t *state)
{
	static struct lttctl_trace *traces[TRACES_MAX + 1];
	char dir[PATH_MAX];
	size_t nr;

	start_child(state);
	wait_for_child();
	for (nr = 0; nr <= batch.nr_traces; nr++)
		traces[nr] = make_trace(state, nr);
	if (write(orders[1], "", 1) != 1)
		give_up("order events");
	wait_for_child();
	for (nr = 0; nr <= batch.nr_traces; nr++)
		must(lttctl_trace_stop(traces[nr]), "stop a trace");
	end_child();
	for (nr = 0; nr <= batch.nr_traces; nr++) {
		trace_dir(dir, nr);
		save_trace(traces[nr], dir);
		if (nr < batch.nr_traces)
			add_records(&batch, nr, dir);
		else
			select_records(&batch, dir);
	}
}

static void write_file(const char *name, const char *text)
{
	char path[PATH_MAX];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "w");
	if (!file || fputs(text, file) < 0 || fclose(file))
		give_up(path);
}

/* One that some records pass and others do not. */
static void write_example(const struct filter *filter, const char *event, uint64_t all)
{
	char count[32];

	if (!filter->selected.records || filter->selected.records == all)
		return;
	snprintf(count, sizeof(count), "%llu", (unsigned long long)filter->selected.records);
	write_file("text", filter->text);
	write_file("event", event);
	write_file("count", count);
}

static void compare(const struct filter *filter, size_t nr)
{
	filters++;
	if (!filter->is_recorded) {
		left_out++;
		return;
	}
	records += batch.read[nr];
	selected += filter->selected.records;
	write_example(filter, batch.event[nr], batch.read[nr]);
	if (filter->selected.records == filter->recorded.records && filter->selected.sum == filter->recorded.sum)
		return;
	printf("# %s: of %llu the reader selects %llu, the filter recorded %llu: %.900s\n", batch.event[nr],
	       (unsigned long long)batch.read[nr], (unsigned long long)filter->selected.records,
	       (unsigned long long)filter->recorded.records, filter->text);
	if (++faults >= FAULTS_MAX)
		give_up("filter and reader agree");
}

int main(int argc, char **argv)
{
	const uint64_t seed = strtoull(argc > 1 ? argv[1] : "1", NULL, 0);
	const unsigned long count = strtoul(argc > 2 ? argv[2] : "10000", NULL, 0);
	uint64_t state = seed;
	size_t trace, nr;

	directory = argc > 3 ? argv[3] : ".";
	ctl = lttctl_new();
	must(lttctl_connect_private(ctl), "connect");
	while (filters < count) {
		memset(batch.read, 0, sizeof(batch.read));
		make_events(&state);
		batch.nr_traces = (count - filters + batch.nr_events - 1) / batch.nr_events;
		if (batch.nr_traces > TRACES_MAX)
			batch.nr_traces = TRACES_MAX;
		record(&state);
		for (nr = 0; nr < batch.nr_events; nr++) {
			if (!batch.read[nr]) {
				printf("not ok %s happens\n", batch.event[nr]);
				return 1;
			}
			for (trace = 0; trace < batch.nr_traces; trace++)
				compare(&batch.filter[trace][nr], nr);
		}
	}
	lttctl_free(ctl);
	printf("# seed %llu: %lu filters, %lu records judged, %lu of them selected; left out: %lu too complex for the verifier\n",
	       (unsigned long long)seed, filters, records, selected, left_out);
	/* Filters that never hold, or that are not attached, prove nothing. */
	printf("%s most filters are attached, and hold for some records\n",
	       left_out < filters / 50 && selected > records / 4 && selected < records / 4 * 3 ? "ok" : "not ok");
	printf("%s filter and reader agree\n", faults ? "not ok" : "ok");
	return faults != 0;
}
