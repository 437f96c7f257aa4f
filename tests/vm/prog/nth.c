// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Makes each allocation and registration of LTT fail once, by ltt-test-nth:
 *
 *	nth device		while /dev/ltt is opened, in each of its commands, while a buffer
 *				is mapped
 *	nth debugfs		in each file of debugfs that changes something
 *	nth modules FILE...	while each module is loaded; it stays loaded.  FILE may have
 *				parameters after a blank
 *	nth repeat ROUNDS WORD	in each command that begins with WORD, ROUNDS times, without a
 *				comparison of the state
 *
 * For N from 1 on, until the operation makes fewer than N calls: the operation either fails with
 * ENOMEM, leaves everything as it was before, and then succeeds; or it succeeds at once.
 */
#include "device.h"

#include <ftw.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#define DEBUGFS		"/sys/kernel/debug/ltt"
#define N_MAX		2000
#define STATE_MAX	(1 << 18)

/* ---- ltt-test-nth ---- */

static int nth_fd;

/* In a loop over all markers, how many of them. */
static unsigned int times = 2;

static void arm(unsigned int n)
{
	dprintf(nth_fd, "%u %u", n, times);
}

/* The last text of ltt-test-nth. */
static char nth_text[4096];

/* Has the Nth failed?  2: and the caller succeeded another way.  To be asked when disarmed. */
static int has_failed(void)
{
	ssize_t size = pread(nth_fd, nth_text, sizeof(nth_text) - 1, 0);

	if (size <= 0) {
		printf("not ok ltt-test-nth answers\n");
		exit(1);
	}
	nth_text[size] = '\0';
	return *nth_text - '0';
}

/* The functions of LTT that asked for it, the innermost first. */
static void show_asker(void)
{
	char *line = strtok(nth_text, "\n");

	while ((line = strtok(NULL, "\n")))
		if (strstr(line, "[ltt_") && !strstr(line, "[ltt_test"))
			printf("    %s\n", line);
}

/* ---- What the state is made of ---- */

/* A stream of its own, to prepare and to look; about the traces of debugfs. */
static int helper;

static char *state_end, *state_limit;

static void add(const char *text)
{
	size_t len = strlen(text);

	if (state_end + len < state_limit) {
		memcpy(state_end, text, len + 1);
		state_end += len;
	}
}

static int add_name(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	add(path);
	add("\n");
	return 0;
}

/* Whether modules are there, and who uses them. */
static void add_modules(void)
{
	FILE *file = fopen("/proc/modules", "r");
	char line[1024], name[64], users[512];
	unsigned int refs;

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%63s %*u %u %511s", name, &refs, users) != 3 ||
		    strncmp(name, "ltt_", 4))
			continue;
		snprintf(line, sizeof(line), "%s %u %s\n", name, refs, users);
		add(line);
	}
	if (file)
		fclose(file);
}

/* The output of all commands that need no more than a trace, but for the numbers of events. */
static void add_shown(void)
{
	char line[256], name[64], *arg;
	const char *p;

	for (p = vocabulary(); *p; p = strchr(p, '\n') + 1) {
		snprintf(line, sizeof(line), "%.*s", (int)strcspn(p, "\n"), p);
		if (!strstr(line, " -> text: ") || sscanf(line, "%*u %63s", name) != 1)
			continue;
		*strstr(line, " -> ") = '\0';
		arg = strstr(line, name) + strlen(name);
		if ((*arg && strcmp(arg, " trace:text")) || !strcmp(name, "stats"))
			continue;
		command(helper, *arg ? "%s t" : "%s", name);
		add(name);
		add(":\n");
		add(reply.text);
	}
}

static void take_state(char *to)
{
	state_end = to;
	state_limit = to + STATE_MAX;
	*to = '\0';
	add_modules();
	if (helper) {
		add_shown();
		nftw(DEBUGFS "/traces", add_name, 16, FTW_PHYS);
	}
}

/* ---- Operations ---- */

/**
 * struct op - what is to fail
 * @before: commands to get there, with a semicolon between them
 * @what: a command, or a file below DEBUGFS, a blank and what is written to it
 * @after: commands to undo all
 * @own: commands to get there in the stream that gives the command
 */
struct op {
	const char *before;
	const char *what;
	const char *after;
	const char *own;
};

#define SMALL	"create t;channel-set t events subbuf_size 4096;channel-set t events subbuf_count 2;" \
		"channel-set t state subbuf_size 4096;channel-set t state subbuf_count 2"
#define READY	SMALL ";enable t sched:sched_switch"
#define RUNNING	READY ";start t"
#define FLIGHT	READY ";channel-set t events overwrite 1;start t"

static const struct op device_ops[] = {
	{ "", "share", "", NULL },
	{ "", "private", "", NULL },
	{ "", "stream", "", NULL },
	{ "", "watch traces", "", NULL },
	{ "", "create t", "destroy t", NULL },
	{ SMALL, "destroy t", "", NULL },
	{ SMALL, "channel-add t c", "destroy t", NULL },
	{ SMALL, "channel-set t events subbuf_count 8", "destroy t", NULL },
	{ SMALL, "enable t sched:*", "destroy t", NULL },
	{ SMALL, "enable-in t events sched:sched_wakeup", "destroy t", NULL },
	{ READY, "disable t sched:sched_switch", "destroy t", NULL },
	{ SMALL, "want sched:sched_wak*", "unwant sched:sched_wak*;destroy t", NULL },
	{ SMALL ";want sched:sched_wak*", "unwant sched:sched_wak*", "destroy t", NULL },
	{ "", "group-events g sched:*", "ungroup g", NULL },
	{ "", "group-tasks g pid:1+children", "ungroup g", NULL },
	{ "", "group-cpus g 0-0", "ungroup g", NULL },
	{ "group-cpus g 0-0", "ungroup g", "", NULL },
	{ SMALL ";group-events g sched:sched_wak*", "enable t @g", "destroy t;ungroup g", NULL },
	{ SMALL ";group-tasks g comm:no*", "limit t @g", "destroy t;ungroup g", NULL },
	{ SMALL ";group-cpus g 0-0", "limit t @g", "destroy t;ungroup g", NULL },
	{ RUNNING ";group-cpus g 0-0", "limit t @g", "destroy t;ungroup g", NULL },
	{ SMALL ";group-cpus g 0-0;limit t @g", "unlimit t", "destroy t;ungroup g", NULL },
	{ SMALL, "filter-set t 1", "destroy t", NULL },
	{ SMALL, "heartbeat-set t 50", "destroy t", NULL },
	{ RUNNING, "heartbeat-set t 50", "destroy t", NULL },
	{ RUNNING, "enable t twin:*", "destroy t", NULL },
	{ READY, "start t", "destroy t", NULL },
	{ SMALL ";channel-set t events overwrite 1", "start t", "destroy t", NULL },
	{ READY ";heartbeat-set t 50", "start t", "destroy t", NULL },
	{ RUNNING, "enable t sched:sched_wak*", "destroy t", NULL },
	{ RUNNING, "stop t", "destroy t", NULL },
	{ FLIGHT, "snapshot t", "destroy t", NULL },
	{ SMALL, "flush t", "destroy t", NULL },
	{ RUNNING, "open-buffer t events 0", "destroy t", NULL },
	{ RUNNING, "open-metadata t", "destroy t", NULL },
	{ RUNNING, "stats t", "destroy t", NULL },
	{ RUNNING, "events t", "destroy t", NULL },
	{ "", "markers sched:*", "", NULL },
	{ "", "detach t", "destroy t", "private;create t" },
	{ "", "channel-add t c", "", "private;create t" },
	{}
};

static const struct op open_ops[] = {
	{ "", "open", "", NULL },
	{}
};

static const struct op map_ops[] = {
	{ RUNNING, "mmap of a buffer", "destroy t", NULL },
	{}
};

static const struct op debugfs_ops[] = {
	{ "", "traces/create t", "destroy t", NULL },
	{ SMALL, "traces/remove t", "", NULL },
	{ SMALL, "traces/t/channels/create c", "destroy t", NULL },
	{ SMALL, "traces/t/channels/events/subbuf_count 8", "destroy t", NULL },
	{ SMALL, "traces/t/channels/events/events sched:sched_wak*", "destroy t", NULL },
	{ SMALL, "traces/t/events sched:*", "destroy t", NULL },
	{ READY, "traces/t/events !sched:sched_switch", "destroy t", NULL },
	{ SMALL, "traces/t/pid 1", "destroy t", NULL },
	{ SMALL, "traces/t/heartbeat_ms 50", "destroy t", NULL },
	{ SMALL ";group-cpus g 0-0", "traces/t/limit @g", "destroy t;ungroup g", NULL },
	{ READY, "traces/t/state start", "destroy t", NULL },
	{ RUNNING, "traces/t/state stop", "destroy t", NULL },
	{ FLIGHT, "traces/t/snapshot 1", "destroy t", NULL },
	{ RUNNING, "traces/t/events_0", "destroy t", NULL },
	{ RUNNING, "traces/t/metadata", "destroy t", NULL },
	{ RUNNING, "traces/t/stats", "destroy t", NULL },
	{ "", "groups cpus g 0-0", "ungroup g", NULL },
	{ SMALL, "markers/wanted sched:sched_wak*", "unwant sched:sched_wak*;destroy t", NULL },
	{ SMALL, "markers/sched/sched_wakeup/enable 1", "unwant sched:sched_wakeup;destroy t", NULL },
	{ SMALL, "markers/sched/enable 1", "unwant sched:*;destroy t", NULL },
	{}
};

static void run_commands(int fd, const char *commands)
{
	char text[1024], *rest = text, *one;

	snprintf(text, sizeof(text), "%s", commands);
	while ((one = strsep(&rest, ";")))
		if (*one && command(fd, "%s", one))
			printf("not ok %s: error %lu: %s\n", one, reply.error, reply.text);
}

static int sharing(void)
{
	int fd = device(0);

	command(fd, "share");
	return fd;
}

/* An attempt by the device; armed with @n if it is not 0.  Return: 0 or an errno. */
static int by_command(const struct op *op, unsigned int n)
{
	int err, fd = sharing();

	if (op->own)
		run_commands(fd, op->own);
	arm(n);
	err = labs(command(fd, "%s", op->what));
	arm(0);
	if (!err && reply.value)
		close(reply.value);
	close(fd);
	/* There was no memory for the reply. */
	return err == EPIPE ? ENOMEM : err;
}

/* Of the opening alone. */
static int by_opening(const struct op *op, unsigned int n)
{
	int fd, err;

	(void)op;
	arm(n);
	fd = open("/dev/ltt", O_RDWR | O_CLOEXEC);
	err = fd < 0 ? errno : 0;
	arm(0);
	if (fd >= 0)
		close(fd);
	return err;
}

/* The same by a file: written to, or read. */
static int by_file(const struct op *op, unsigned int n)
{
	static char page[4096];
	const char *blank = strchr(op->what, ' ');
	int fd, err = 0;
	char path[256];

	snprintf(path, sizeof(path), DEBUGFS "/%.*s", (int)strcspn(op->what, " "), op->what);
	arm(n);
	fd = open(path, (blank ? O_WRONLY : O_RDONLY | O_NONBLOCK) | O_CLOEXEC);
	if (fd < 0)
		err = errno;
	else if ((blank ? write(fd, blank + 1, strlen(blank + 1)) : read(fd, page, sizeof(page))) < 0)
		err = errno == EAGAIN ? 0 : errno;
	arm(0);
	if (fd >= 0)
		close(fd);
	return err;
}

/* Of mapping a buffer: what the kernel asks for itself does not count. */
static int by_mapping(const struct op *op, unsigned int n)
{
	int err, fd = sharing(), buffer;
	void *map;

	(void)op;
	err = command(fd, "open-buffer t events 0");
	buffer = reply.value;
	if (err)
		return -err;
	arm(n);
	map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, buffer, 0);
	err = map == MAP_FAILED ? errno : 0;
	arm(0);
	if (!err)
		munmap(map, 4096);
	close(buffer);
	close(fd);
	return err;
}

typedef int attempt(const struct op *op, unsigned int n);

static char before[STATE_MAX], after[STATE_MAX];

/* Tell where they differ first. */
static void show_difference(void)
{
	size_t i, line = 0;

	for (i = 0; before[i] && before[i] == after[i]; i++)
		if (before[i] == '\n')
			line = i + 1;
	printf("  before: %.*s\n  after:  %.*s\n", (int)strcspn(before + line, "\n"), before + line,
	       (int)strcspn(after + line, "\n"), after + line);
}

/* Return: false when the Nth was not asked for any more. */
static bool fail_nth(const struct op *op, attempt *try, unsigned int n, bool *good)
{
	int err, failed;

	run_commands(helper, op->before);
	take_state(before);
	err = try(op, n);
	failed = has_failed();
	if (err) {
		take_state(after);
		if (err != ENOMEM || !failed || strcmp(before, after)) {
			printf("  %s: the %uth fails: error %d (%s)\n", op->what, n, err, reply.text);
			show_difference();
			show_asker();
			*good = false;
		}
		err = try(op, 0);
		if (err) {
			printf("  %s: after the %uth failed, error %d again\n", op->what, n, err);
			*good = false;
		}
	} else if (failed == 1) {
		printf("  %s: done although the %uth failed\n", op->what, n);
		show_asker();
		*good = false;
	}
	run_commands(helper, op->after);
	return failed;
}

static void fail_all(const struct op *ops, attempt *try)
{
	static char clean[STATE_MAX];

	take_state(clean);
	for (; ops->what; ops++) {
		bool good = true;
		unsigned int n = 1;
		char what[128];

		while (n < N_MAX && fail_nth(ops, try, n, &good))
			n++;
		take_state(before);
		memcpy(after, clean, sizeof(after));
		if (strcmp(before, after)) {
			printf("  %s: it leaves something\n", ops->what);
			show_difference();
			good = false;
		}
		snprintf(what, sizeof(what), "%s: each of %u failures leaves all as it was",
			 ops->what, n - 1);
		check(what, true, good && n < N_MAX);
	}
}

/* ---- Over and over: counts of objects before and after show leaks ---- */

static void repeat(const struct op *op, unsigned int rounds)
{
	unsigned int n, round;

	for (round = 0; round < rounds; round++) {
		int failed = 1;

		for (n = 1; failed && n < N_MAX; n++) {
			int err;

			run_commands(helper, op->before);
			err = by_command(op, n);
			failed = has_failed();
			/* For what undoes it, it has to be done. */
			if (err)
				by_command(op, 0);
			run_commands(helper, op->after);
		}
	}
}

static void repeat_all(const char *rounds, const char *word)
{
	const struct op *op;

	times = 1;
	for (op = device_ops; op->what; op++)
		if (!strncmp(op->what, word, strlen(word)))
			repeat(op, atoi(rounds));
}

/* ---- Modules ---- */

static bool unload(const char *path)
{
	char name[128], *p;

	snprintf(name, sizeof(name), "%s", strrchr(path, '/') + 1);
	*strchr(name, '.') = '\0';
	for (p = name; *p; p++)
		if (*p == '-')
			*p = '_';
	return !syscall(SYS_delete_module, name, O_NONBLOCK);
}

static void load_module(const char *file)
{
	const char *parameters = strchrnul(file, ' ') + !!strchr(file, ' ');
	bool failed = true, good;
	char path[512], what[256];
	unsigned int n;
	int fd;

	snprintf(path, sizeof(path), "%.*s", (int)strcspn(file, " "), file);
	fd = open(path, O_RDONLY | O_CLOEXEC);

	/* Memory that the kernel keeps after the first time is not allocated again: the Nth is then
	 * the same each time. */
	good = !syscall(SYS_finit_module, fd, parameters, 0) && unload(path);
	for (n = 1; failed && n < N_MAX; n++) {
		int err;

		take_state(before);
		arm(n);
		err = syscall(SYS_finit_module, fd, parameters, 0) ? errno : 0;
		arm(0);
		failed = has_failed();
		if (err) {
			take_state(after);
			if (err != ENOMEM || !failed || strcmp(before, after)) {
				printf("  %s: the %uth fails: error %d\n", path, n, err);
				show_difference();
				good = false;
			}
		} else if (failed && !unload(path)) {
			printf("  %s: loaded without the %uth, it cannot be unloaded\n", path, n);
			good = false;
		}
	}
	close(fd);
	snprintf(what, sizeof(what), "%s: each of %u failures leaves it unloaded",
		 strrchr(file, '/') + 1, n - 2);
	check(what, true, good && n < N_MAX);
}

int main(int argc, char **argv)
{
	int i;

	nth_fd = open("/proc/ltt-test-nth", O_RDWR | O_CLOEXEC);
	if (argc < 2 || nth_fd < 0)
		return 2;
	if (!strcmp(argv[1], "modules")) {
		times = 1;	/* there are hundreds, and each attempt loads them all */
		for (i = 2; i < argc; i++)
			load_module(argv[i]);
		return 0;
	}
	vocabulary();
	helper = sharing();
	if (!strcmp(argv[1], "device")) {
		fail_all(open_ops, by_opening);
		fail_all(device_ops, by_command);
		fail_all(map_ops, by_mapping);
	} else if (!strcmp(argv[1], "debugfs")) {
		fail_all(debugfs_ops, by_file);
	} else if (!strcmp(argv[1], "repeat") && argc == 4) {
		repeat_all(argv[2], argv[3]);
	} else {
		return 2;
	}
	return 0;
}
