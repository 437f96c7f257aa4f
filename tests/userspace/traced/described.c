// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A program that describes its events while it runs: described WHAT [N].
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <ltt/event.h>
#include <ltt/marker.h>
#include <ltt/probe.h>

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

static struct ltt_event *create_count(void)
{
	static const struct ltt_event_field field = { .name = "i", .type = LTT_EVENT_S64 };

	return ltt_event_create("test", "count", &field, 1);
}

static void count_to(struct ltt_event *event, long n)
{
	struct ltt_event_value value = { .length = 0 };
	long i;

	for (i = 0; i < n; i++) {
		value.s = i;
		ltt_event_write(event, &value);
	}
}

/* Prints how many events there are, which are none if the event could not be described. */
static int count(long n)
{
	struct ltt_event *event = create_count();

	count_to(event, n);
	printf("%ld\n", event ? n : 0);
	return 0;
}

static int until_told(long n)
{
	struct ltt_event *event = create_count();
	char line[16];

	puts("begun");
	fflush(stdout);
	if (!event || !fgets(line, sizeof(line), stdin))
		return 1;
	count_to(event, n);
	return 0;
}

static void integers(void)
{
	static const struct ltt_event_field fields[] = {
		{ .name = "yes", .type = LTT_EVENT_BOOL },
		{ .name = "a", .type = LTT_EVENT_S8 }, { .name = "b", .type = LTT_EVENT_U8 },
		{ .name = "c", .type = LTT_EVENT_S16 }, { .name = "d", .type = LTT_EVENT_U16 },
		{ .name = "e", .type = LTT_EVENT_S32 }, { .name = "f", .type = LTT_EVENT_U32 },
		{ .name = "g", .type = LTT_EVENT_S64 }, { .name = "h", .type = LTT_EVENT_U64 },
		{ .name = "x", .type = LTT_EVENT_U16 | LTT_EVENT_HEX },
		{ .name = "state", .type = LTT_EVENT_S8, .labels = "idle = 0, run = -1" },
	};
	/* Of values that are too large for a type, the low bits are recorded. */
	const struct ltt_event_value values[] = {
		{ .u = 256 }, { .s = -1 }, { .u = 0x1ff }, { .s = -2 }, { .u = 65535 },
		{ .s = -3 }, { .u = 4000000000U }, { .s = INT64_MIN }, { .u = UINT64_MAX }, { .u = 0xbeef },
		{ .s = -1 },
	};

	ltt_event_write(ltt_event_create("types", "integers", fields, COUNT(fields)), values);
}

static void reals(void)
{
	static const struct ltt_event_field fields[] = {
		{ .name = "f", .type = LTT_EVENT_FLOAT }, { .name = "d", .type = LTT_EVENT_DOUBLE },
	};
	const struct ltt_event_value values[] = { { .f = 1.5f }, { .d = -0.25 } };

	ltt_event_write(ltt_event_create("types", "reals", fields, COUNT(fields)), values);
}

static void texts(void)
{
	static const struct ltt_event_field fields[] = {
		{ .name = "s", .type = LTT_EVENT_STRING }, { .name = "n", .type = LTT_EVENT_STRING },
		{ .name = "t", .type = LTT_EVENT_TEXT }, { .name = "u", .type = LTT_EVENT_TEXT },
	};
	struct ltt_event_value values[4];

	/* An address has 32 bits of a value, in some programs. */
	memset(values, 0xff, sizeof(values));
	values[0].p = "text";
	values[1].p = NULL;
	values[2].p = "cut here";
	values[2].length = 3;
	values[3].p = "a\0b";
	values[3].length = 3;
	ltt_event_write(ltt_event_create("types", "texts", fields, COUNT(fields)), values);
}

static void long_text(void)
{
	static const struct ltt_event_field field = { .name = "s", .type = LTT_EVENT_STRING };
	static char text[5000];
	struct ltt_event_value value = { .p = text };

	memset(text, 'x', sizeof(text) - 1);
	ltt_event_write(ltt_event_create("types", "long_text", &field, 1), &value);
}

static void sequences(void)
{
	static const struct ltt_event_field fields[] = {
		{ .name = "blob", .type = LTT_EVENT_BLOB },
		{ .name = "shorts", .type = LTT_EVENT_S16 | LTT_EVENT_SEQUENCE },
		{ .name = "none", .type = LTT_EVENT_U64 | LTT_EVENT_SEQUENCE },
	};
	const short shorts[] = { 1, -1 };
	struct ltt_event_value values[3];

	memset(values, 0xff, sizeof(values));
	values[0].p = "\1\377";
	values[0].length = 2;
	values[1].p = shorts;
	values[1].length = 2;
	values[2].p = NULL;
	values[2].length = 7;
	ltt_event_write(ltt_event_create("types", "sequences", fields, COUNT(fields)), values);
}

static int types(long unused)
{
	(void)unused;
	integers();
	reals();
	texts();
	long_text();
	sequences();
	ltt_event_write(ltt_event_create("types", "nothing", NULL, 0), NULL);
	ltt_event_write(NULL, NULL);
	return ltt_event_enabled(NULL);
}

/* ---- Equal descriptions ---- */

static void *create_in_thread(void *unused)
{
	(void)unused;
	return create_count();
}

/* The same marker by a trace_mark(), by the same description in threads, and with a place. */
static int same(long unused)
{
	const struct ltt_event_field field = { .name = "i", .type = LTT_EVENT_S64 },
				     other = { .name = "i", .type = LTT_EVENT_S32 };
	struct ltt_event_options place = { .size = sizeof(place), .file = "script.py", .line = 7 };
	struct ltt_event *event[6];
	pthread_t thread[4];
	void *found;
	size_t i;

	(void)unused;
	for (i = 0; i < COUNT(thread); i++)
		pthread_create(&thread[i], NULL, create_in_thread, NULL);
	for (i = 0; i < COUNT(thread); i++) {
		pthread_join(thread[i], &found);
		event[i] = found;
	}
	event[4] = ltt_event_create_with("test", "count", &field, 1, &place);
	event[5] = ltt_event_create("test", "count", &other, 1);
	printf("%d %d %d\n", event[0] == event[1] && event[1] == event[2] && event[2] == event[3],
	       event[4] == event[0], event[5] == event[0]);
	for (i = 0; i < COUNT(event); i++)
		count_to(event[i], 10);
	for (i = 0; i < 10; i++)
		trace_mark(test, count, "i %ld", (long)i);
	return 0;
}

static int many_threads(long n)
{
	pthread_t thread[4];
	void *found;
	size_t i;

	for (i = 0; i < COUNT(thread); i++)
		pthread_create(&thread[i], NULL, create_in_thread, NULL);
	for (i = 0; i < COUNT(thread); i++) {
		pthread_join(thread[i], &found);
		count_to(found, n);
	}
	return 0;
}

/* The parent's event, and one that the child describes. */
static int forks(long n)
{
	static const struct ltt_event_field field = { .name = "pid", .type = LTT_EVENT_S32 };
	struct ltt_event *event = ltt_event_create("test", "parent", &field, 1);
	struct ltt_event_value value = { .s = getpid() };

	ltt_event_write(event, &value);
	while (n--) {
		pid_t pid = fork();

		if (!pid) {
			value.s = getpid();
			ltt_event_write(event, &value);
			ltt_event_write(ltt_event_create("test", "child", &field, 1), &value);
			exit(0);
		}
		waitpid(pid, NULL, 0);
	}
	return 0;
}

/* ---- Refused ---- */

static void expect(int line, int wanted, const char *group, const char *name,
		   const struct ltt_event_field *fields, unsigned int nr, size_t options_size)
{
	struct {
		struct ltt_event_options known;
		long more;
	} options = { .more = 1 };
	char message[256] = "";
	struct ltt_event *event;

	options.known = (struct ltt_event_options){
		.size = options_size, .message = message, .message_size = sizeof(message),
	};
	errno = 0;
	event = ltt_event_create_with(group, name, fields, nr, &options.known);
	if (!event != (wanted != 0) || errno != wanted || !*message != !wanted) {
		printf("line %d: %p, %s, %s\n", line, (void *)event, strerrorname_np(errno), message);
		exit(1);
	}
}

#define REFUSED(err, ...)							\
	do {									\
		const struct ltt_event_field expected[] = { __VA_ARGS__ };	\
										\
		expect(__LINE__, err, "test", "refused", expected, COUNT(expected), \
		       sizeof(struct ltt_event_options));			\
	} while (0)
#define FIELD(name, type)	{ name, NULL, type, 0 }
#define REFUSED_NAME(group, name)						\
	expect(__LINE__, EINVAL, group, name, NULL, 0, sizeof(struct ltt_event_options))

/* The name of a source file that has so many bytes. */
static void check_file(size_t length, int wanted)
{
	const struct ltt_event_field field = { .name = "i", .type = LTT_EVENT_S64 };
	char file[8192], message[256] = "";
	struct ltt_event_options options = {
		.size = sizeof(options), .file = file, .message = message, .message_size = sizeof(message),
	};
	struct ltt_event *event;

	memset(file, 'f', length);
	file[length] = '\0';
	errno = 0;
	event = ltt_event_create_with("test", "placed", &field, 1, &options);
	if (!event != (wanted != 0) || errno != wanted || !*message != !wanted) {
		printf("a file of %zu: %p, %s, %s\n", length, (void *)event, strerrorname_np(errno), message);
		exit(1);
	}
}

static int refused(long unused)
{
	static const struct ltt_event_field fine[] = { FIELD("a", LTT_EVENT_S32) };
	char long_labels[9000], name[65];
	struct ltt_event_field many[13];
	static char names[13][4];
	unsigned int i;

	(void)unused;
	memset(name, 'n', 64);
	name[64] = '\0';
	REFUSED_NAME("", "x");
	REFUSED_NAME(NULL, "x");
	REFUSED_NAME("test", NULL);
	REFUSED_NAME("test", ".x");
	REFUSED_NAME("te:st", "x");
	REFUSED_NAME("ltt", "program_started");
	REFUSED_NAME("test", name);
	REFUSED(EINVAL, FIELD(NULL, LTT_EVENT_S32));
	REFUSED(EINVAL, FIELD("", LTT_EVENT_S32));
	REFUSED(EINVAL, FIELD("9", LTT_EVENT_S32));
	REFUSED(EINVAL, FIELD("a b", LTT_EVENT_S32));
	REFUSED(EINVAL, FIELD("a=", LTT_EVENT_S32));
	REFUSED(EINVAL, FIELD(" a", LTT_EVENT_S32));
	REFUSED(EINVAL, FIELD("a %d b", LTT_EVENT_S32));
	REFUSED(EINVAL, FIELD(name, LTT_EVENT_S32));
	REFUSED(EINVAL, FIELD("a", LTT_EVENT_S32), FIELD("a", LTT_EVENT_U8));
	REFUSED(EINVAL, FIELD("_a_length", LTT_EVENT_S32), FIELD("a", LTT_EVENT_BLOB));
	REFUSED(EINVAL, FIELD("a", 0));
	REFUSED(EINVAL, FIELD("a", 15));
	REFUSED(EINVAL, FIELD("a", LTT_EVENT_S32 | 0x400));
	REFUSED(EINVAL, FIELD("a", LTT_EVENT_STRING | LTT_EVENT_HEX));
	REFUSED(EINVAL, FIELD("a", LTT_EVENT_DOUBLE | LTT_EVENT_SEQUENCE));
	REFUSED(EINVAL, FIELD("a", LTT_EVENT_S32 | LTT_EVENT_HEX | LTT_EVENT_SEQUENCE));
	REFUSED(EINVAL, { "a", NULL, LTT_EVENT_S32, 1 });
	REFUSED(EINVAL, { "a", "x=1", LTT_EVENT_STRING, 0 });
	REFUSED(EINVAL, { "a", "x=1", LTT_EVENT_S32 | LTT_EVENT_SEQUENCE, 0 });
	REFUSED(EINVAL, { "a", "x=1} b %d", LTT_EVENT_S32, 0 });
	REFUSED(EINVAL, { "a", "x=300", LTT_EVENT_U8, 0 });
	REFUSED(EINVAL, { "a", "", LTT_EVENT_U8, 0 });
	memset(long_labels, 'x', sizeof(long_labels) - 1);
	long_labels[sizeof(long_labels) - 1] = '\0';
	REFUSED(E2BIG, { "a", long_labels, LTT_EVENT_S32, 0 });
	for (i = 0; i < COUNT(many); i++) {
		sprintf(names[i], "f%u", i);
		many[i] = (struct ltt_event_field){ .name = names[i], .type = LTT_EVENT_S32 };
	}
	expect(__LINE__, E2BIG, "test", "refused", many, 13, sizeof(struct ltt_event_options));
	expect(__LINE__, 0, "test", "twelve", many, 12, sizeof(struct ltt_event_options));
	many[3].type = LTT_EVENT_TEXT;
	expect(__LINE__, E2BIG, "test", "refused", many, 12, sizeof(struct ltt_event_options));
	expect(__LINE__, E2BIG, "test", "refused", fine, 1, sizeof(struct ltt_event_options) + sizeof(long));
	check_file(4095, 0);
	check_file(4096, ENAMETOOLONG);
	puts("all");
	return 0;
}

/* The program's own limit.  Each of the first is an event of its own. */
static int too_many(long n)
{
	struct ltt_event_options place = { .size = sizeof(place), .file = "many.py" };
	const struct ltt_event_field field = { .name = "i", .type = LTT_EVENT_S64 };
	long i;

	for (i = 0; i < n; i++) {
		place.line = i;
		if (!ltt_event_create_with("test", "count", &field, 1, &place)) {
			printf("%ld %s\n", i, strerrorname_np(errno));
			fflush(stdout);
			/* Without libltt's handler of exit(), by which lttd would learn of it. */
			pause();
			return 0;
		}
	}
	puts("no limit");
	return 1;
}

static void watch(void *data, const struct ltt_site *site, const unsigned long long *args, unsigned int nr)
{
	if (nr == 1 && !strcmp(site->name, "count"))
		*(long *)data += (long)args[0];
}

static int probes(long unused)
{
	static long sum;

	(void)unused;
	if (ltt_probe_connect("test:count", watch, &sum))
		return 1;
	count_to(create_count(), 5);
	return sum != 10;
}

static double nanoseconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1e9 + ts.tv_nsec;
}

/* Prints the cost of an event in nanoseconds: of the best of 20 rounds. */
static int cost(long n)
{
	struct ltt_event *event = create_count();
	double best = 1e9, start, each;
	int round;

	for (round = 0; round < 20; round++) {
		start = nanoseconds();
		count_to(event, n);
		each = (nanoseconds() - start) / n;
		best = each < best ? each : best;
	}
	printf("%.1f\n", best);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*fn)(long n);
	} what[] = {
		{ "count", count }, { "until-told", until_told }, { "types", types }, { "same", same },
		{ "threads", many_threads }, { "forks", forks }, { "refused", refused },
		{ "too-many", too_many }, { "probes", probes }, { "cost", cost },
	};
	size_t i;

	for (i = 0; argc > 1 && i < COUNT(what); i++)
		if (!strcmp(argv[1], what[i].name))
			return what[i].fn(argc > 2 ? atol(argv[2]) : 1000);
	return 2;
}
