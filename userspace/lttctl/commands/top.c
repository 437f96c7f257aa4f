// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl top: show what the system does, once an interval.
 *
 * Layer: lttctl.
 */
#include "common/folders.h"
#include "lttctl/command.h"
#include "lttctl/model/moment.h"
#include "lttctl/snapshot/take.h"
#include "lttctl/top/top.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define INTERVAL_MIN_NS	INT64_C(100000000)
#define INTERVAL_MAX_NS	INT64_C(3600000000000)

static const char *const default_patterns[] = {
	"sched:sched_switch", "sched:sched_waking", "sched:sched_wakeup_new", "sched:sched_process_*",
	"task:task_*", "irq:*", "syscall_time:*", NULL
};

static const char help_line[] = "keys: c CPU  l latency  s calls  w switches  r record  h help  q quit";

/**
 * struct top - the command
 * @once: print one sample and end
 * @json: print samples as JSON
 * @interval_ms: the interval
 * @lists: the events that the user names; NULL: the default
 * @screen: the terminal
 * @recorder: the flight recorder
 * @sample: the last sample
 * @has_sample: there is one
 * @shows_keys: the help is shown
 * @recording: the process of `lttctl record` that the user has started; 0: there is none
 * @ending: it was asked to end
 * @output: its directory
 */
struct top {
	int once;
	int json;
	int64_t interval_ms;
	const char *const *lists;
	struct screen screen;
	struct recorder recorder;
	struct sample sample;
	bool has_sample;
	bool shows_keys;
	pid_t recording;
	bool ending;
	char output[64];
};

/* --- Recording ---------------------------------------------------------------- */

/* The child: record the same events, without the terminal. */
static void run_record(const struct top *top)
{
	const char *words[64] = { "lttctl" };
	const char *const *pattern;
	int nr = 1, null = open("/dev/null", O_RDWR);
	sigset_t none;

	if (via_name) {
		words[nr++] = "--via";
		words[nr++] = via_name;
	}
	words[nr++] = "record";
	words[nr++] = "--allow-missing";
	words[nr++] = "-o";
	words[nr++] = top->output;
	for (pattern = top->lists ? top->lists : default_patterns; *pattern && nr < 62; pattern++) {
		words[nr++] = "-e";
		words[nr++] = *pattern;
	}
	/* ^C ends the screen, which then ends the recording. */
	setpgid(0, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	execv("/proc/self/exe", (char *const *)words);
	_exit(127);
}

static void reap_recording(struct top *top, int options)
{
	if (!top->recording || waitpid(top->recording, NULL, options) != top->recording)
		return;
	top->recording = 0;
	top->ending = false;
}

static void end_recording(struct top *top)
{
	kill(top->recording, SIGINT);
	top->ending = true;
}

static void toggle_recording(struct top *top)
{
	time_t now = time(NULL);

	if (top->recording) {
		end_recording(top);
		return;
	}
	strftime(top->output, sizeof(top->output), "ltt-top-%Y%m%d-%H%M%S", localtime(&now));
	top->recording = fork();
	if (!top->recording)
		run_record(top);
	if (top->recording < 0)
		top->recording = 0;
}

/* --- Samples ------------------------------------------------------------------------ */

static void show(struct top *top)
{
	struct screen *screen = &top->screen;
	unsigned int lines = screen->is_terminal ? screen->lines : 0;

	if (!top->has_sample)
		return;
	sample_sort(&top->sample, screen->order);
	if (top->json) {
		sample_print_json(&top->sample);
		return;
	}
	reap_recording(top, WNOHANG);
	if (screen->is_terminal)
		fputs("\033[H\033[2J", stdout);
	sample_print(stdout, &top->sample, screen->order, lines ? lines - 1 : 0, screen->is_terminal ? screen->columns : 0);
	if (!screen->is_terminal)
		putchar('\n');
	else if (top->ending)
		printf("ending the recording in %s", top->output);
	else if (top->recording)
		printf("recording to %s; r ends it", top->output);
	else if (top->shows_keys)
		fputs(help_line, stdout);
	else
		fputs("h: keys", stdout);
	fflush(stdout);
}

static int take(struct top *top)
{
	const int64_t from = top->has_sample ? top->sample.to_ns : INT64_MIN;
	char path[SNAPSHOT_PATH_SIZE];
	struct sample sample;
	int status = recorder_snapshot(&top->recorder, path);

	if (status)
		return status;
	status = sample_read(&sample, path, from);
	folder_remove(AT_FDCWD, path);
	if (status) {
		sample_free(&sample);
		return status;
	}
	sample_free(&top->sample);
	top->sample = sample;
	top->has_sample = true;
	return 0;
}

/* Wait until the interval is over, or longer.  Return: false to end. */
static bool wait_interval(struct top *top, int64_t until_ms)
{
	enum key key;

	while ((key = screen_wait(&top->screen, until_ms)) != KEY_NONE) {
		if (key == KEY_QUIT)
			return false;
		if (key == KEY_HELP)
			top->shows_keys = !top->shows_keys;
		if (key == KEY_RECORD)
			toggle_recording(top);
		show(top);
	}
	return true;
}

static int watch(struct top *top)
{
	int status = recorder_start(&top->recorder, top->lists, default_patterns);
	int64_t next = screen_now_ms() + top->interval_ms;

	while (!status && wait_interval(top, next)) {
		status = take(top);
		if (status)
			break;
		show(top);
		if (top->once)
			break;
		next += top->interval_ms;
		if (next < screen_now_ms())
			next = screen_now_ms();
	}
	if (top->recording)
		end_recording(top);
	reap_recording(top, 0);
	return status;
}

/* --- The command line ------------------------------------------------------------------ */

static int parse_order(const char *name, enum top_order *order)
{
	unsigned int i;

	for (i = 0; i < TOP_ORDERS; i++)
		if (!strcmp(name, top_orders[i])) {
			*order = i;
			return 0;
		}
	return misused("--sort %s: must be cpu, latency, calls or switches", name);
}

static int parse_interval(const char *text, int64_t *ms)
{
	int64_t ns = 0;
	const char *why = moment_duration(text, &ns);

	if (why)
		return misused("-i %s: %s", text, why);
	if (ns < INTERVAL_MIN_NS || ns > INTERVAL_MAX_NS)
		return misused("-i %s: must be from 100ms to 1h", text);
	*ms = ns / 1000000;
	return 0;
}

int cmd_top(int argc, const char **argv)
{
	struct top top = { .interval_ms = 1000, .screen.signals = -1 };
	char *interval = NULL, *sort = NULL, **patterns = NULL;
	const struct poptOption table[] = {
		{ "interval", 'i', POPT_ARG_STRING, &interval, 0, "time between samples, from 100ms to 1h (default 1s)",
		  "TIME" },
		{ "event", 'e', POPT_ARG_ARGV, &patterns, 0,
		  "watch these events, rather than those of the scheduler, interrupts and system calls (may be repeated)",
		  "PATTERN" },
		{ "sort", 0, POPT_ARG_STRING, &sort, 0, "sort processes by cpu, latency, calls or switches", "ORDER" },
		{ "once", 0, POPT_ARG_NONE, &top.once, 0, "print one sample and end", NULL },
		{ "json", 0, POPT_ARG_NONE, &top.json, 0, "print each sample as one line of JSON", NULL },
		OPTIONS_VIA,
		OPTIONS_HELP,
		POPT_TABLEEND
	};
	poptContext context;
	int status = options_parse(argc, argv, table, 0, &context);

	if (!status && poptPeekArg(context))
		status = misused("no argument is expected: `%s`", poptPeekArg(context));
	if (!status && interval)
		status = parse_interval(interval, &top.interval_ms);
	if (!status && sort)
		status = parse_order(sort, &top.screen.order);
	top.lists = (const char *const *)patterns;
	if (!status)
		status = screen_open(&top.screen, !top.once && !top.json);
	if (!status)
		status = watch(&top);
	screen_close(&top.screen);
	recorder_stop(&top.recorder);
	sample_free(&top.sample);
	poptFreeContext(context);
	free(interval);
	free(sort);
	return status;
}
