// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttd: write the buffers of one kernel trace, or of programs, to disk.
 *
 * Layer: user space, above liblttctl.  This file parses the options, blocks signals and
 * starts the daemon.  For a kernel trace, kernel/consumer.c has the main loop and
 * kernel/buffer-file.c copies one buffer; for programs, programs/recording.c and
 * programs/ring.c do; the state of the system is written by state/dump.c.
 *
 * Exit status: 0; 1 when something failed (reported on stderr or in the log); 2 for wrong
 * usage.
 */
#include "lttd/kernel/consumer.h"
#include "common/folders.h"
#include "common/options.h"
#include "common/selection.h"
#include "common/state.h"
#include "core/version.h"
#include "daemon.h"
#include "log.h"
#include "sender.h"
#include "lttd/programs/recording.h"
#include "lttd/programs/user.h"
#include "lttd/state/dump.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <popt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

struct options {
	int daemon;
	int once;
	char *connection_text;
	int connection;
	char *held_text;
	int held;
	char *dir;
	enum lttctl_via via;
	const char *trace;
	char **patterns;
	char **filters;
	struct options_buffers buffers;
	struct options_pieces pieces;
	char *to;
	char *flush_text;
	uint64_t flush;
	char *pid_text;
	pid_t pid;
	int objects;
	char *clock_text;
	struct clock clock;
	char *report_text;
	int report;
	char *state_text;
	uint32_t state;
};

#define DEFAULT_COUNT 8

/* In milliseconds: a crash loses the events of one such period at most, and a flush fills up
 * a page of each buffer in use. */
#define DEFAULT_FLUSH 1000

/* If another process reads meanwhile: it is a second behind at most, as it waits for three flushes; see put_beacon(). */
#define DEFAULT_LIVE_FLUSH 200

#define SEE_HELP "; see lttd --help"

static int check_values(struct options *options)
{
	struct options_fault fault;
	const char *why;

	if (!options_check(&options->buffers, true, &fault) ||
	    !piece_options_check(&options->pieces, options->buffers.overwrite, &fault))
		return fail("%s%s%s: %s" SEE_HELP, fault.option, *fault.text ? " " : "", fault.text,
			    fault.why);
	if (options->pid_text) {
		why = options_pid(options->pid_text, &options->pid);
		if (why)
			return fail("--pid %s: %s" SEE_HELP, options->pid_text, why);
	}
	if (options->clock_text && !clock_parse(&options->clock, options->clock_text))
		return fail("--clock %s: must be `NAME UUID FREQ OFFSET_S OFFSET`, as the file `clock` of a trace" SEE_HELP,
			    options->clock_text);
	return 0;
}

static int check_patterns(char *const *patterns)
{
	for (; *patterns; patterns++)
		if (!selection_valid(*patterns))
			return fail("--programs %s: must be " SELECTION_FORM SEE_HELP,
				    *patterns);
	return 0;
}

static int check_filters(char *const *filters)
{
	char why[FILTERS_WHY];
	struct filter *filter;

	for (; filters && *filters; filters++) {
		filter = filter_new(*filters, why);
		if (!filter)
			return fail("--filter `%s`: %s" SEE_HELP, *filters, why);
		filter_free(filter);
	}
	return 0;
}

static int check_flush(struct options *options)
{
	const char *why;

	if (!options->flush_text) {
		if (options->pieces.cached)
			options->flush = DEFAULT_LIVE_FLUSH;
		return 0;
	}
	if (options->once)
		return fail("--flush: cannot be combined with --once" SEE_HELP);
	why = options_flush(options->flush_text, &options->flush);
	return why ? fail("--flush %s: %s" SEE_HELP, options->flush_text, why) : 0;
}

static int check_quota(const struct options *options)
{
	const char *why = piece_options_fit(&options->pieces, options->buffers.size);

	return why ? fail("--quota %s: %s" SEE_HELP, options->pieces.quota_text, why) : 0;
}

static int check_programs(struct options *options)
{
	if (options->once)
		return fail("--once: cannot be combined with --programs" SEE_HELP);
	return check_patterns(options->patterns) ?: check_filters(options->filters) ?: check_values(options) ?:
	       check_quota(options);
}

/* A user who gives these with a trace, or with a state, expects them to change it. */
static int check_trace(const struct options *options)
{
	const struct options_buffers *buffers = &options->buffers;
	const struct {
		const char *name;
		bool given;
	} of_programs[] = {
		{ "filter", options->filters },
		{ "pid", options->pid_text },
		{ "size", buffers->size_text },
		{ "count", buffers->count_text },
		{ "overwrite", buffers->overwrite },
		{ "lossless", buffers->lossless_text },
		{ "context", buffers->context_text },
		{ "buffers", buffers->whose_text },
		{ "memory", buffers->memory_text },
		{ "objects", options->objects },
		{ "clock", options->clock_text },
		{ "report", options->report >= 0 },
	};
	size_t i;

	for (i = 0; i < sizeof(of_programs) / sizeof(*of_programs); i++)
		if (of_programs[i].given)
			return fail("--%s: can be combined with --programs only" SEE_HELP,
				    of_programs[i].name);
	return 0;
}

static int check_pieces(struct options *options)
{
	struct options_fault fault;

	if (sender_check(options->to, &options->pieces))
		return -1;
	if (!piece_options_check(&options->pieces, false, &fault))
		return fail("%s%s%s: %s" SEE_HELP, fault.option, *fault.text ? " " : "", fault.text, fault.why);
	if (options->once && piece_options_wanted(&options->pieces))
		return fail("--once: cannot be combined with pieces" SEE_HELP);
	return 0;
}

/* It is a run of its own, so that it delays no buffer. */
static int check_state(struct options *options)
{
	if (!state_parse(&options->state, options->state_text))
		return fail("--state %s: must be " STATE_FORM SEE_HELP, options->state_text);
	if (options->patterns || options->daemon || options->once || options->flush_text ||
	    piece_options_wanted(&options->pieces))
		return fail("--state: can be combined with -o only" SEE_HELP);
	return check_trace(options);
}

static int check_descriptor(const char *option, const char *text, int *fd)
{
	if (!text || options_number(text, 0, INT_MAX, fd))
		return 0;
	return fail("%s %s: must be the number of a descriptor" SEE_HELP, option, text);
}

static int check_descriptors(struct options *options)
{
	return check_descriptor("--connection", options->connection_text, &options->connection) ?:
	       check_descriptor("--held", options->held_text, &options->held) ?:
	       check_descriptor("--report", options->report_text, &options->report);
}

static int check_options(struct options *options, const char **rest)
{
	if (check_descriptors(options))
		return -1;
	if (options->state_text && rest[0])
		return fail("--state: cannot be combined with a trace" SEE_HELP);
	if (!rest[0] && !options->patterns && !options->state_text)
		return fail("missing argument: a trace, --programs PATTERN, or --state LIST" SEE_HELP);
	if (rest[0] && options->patterns)
		return fail("--programs: cannot be combined with a trace" SEE_HELP);
	if (rest[0] && rest[1])
		return fail("%s: only one trace can be given" SEE_HELP, rest[1]);
	if (!options->dir)
		return fail("missing option: -o DIR, the output directory" SEE_HELP);
	if (options->daemon && options->once)
		return fail("--daemon: cannot be combined with --once" SEE_HELP);
	options->trace = rest[0];
	if (check_pieces(options))
		return -1;
	if (options->state_text)
		return check_state(options);
	return check_flush(options) ?: options->patterns ? check_programs(options) :
		check_trace(options);
}

static int parse_options(int argc, const char **argv, struct options *options,
			 poptContext *context)
{
	const struct poptOption table[] = {
		{ "daemon", 'd', POPT_ARG_NONE, &options->daemon, 0,
		  "run in the background; return when the trace's buffers are open", NULL },
		{ "output", 'o', POPT_ARG_STRING, &options->dir, 0,
		  "write to DIR/kernel, or continue the trace that is there", "DIR" },
		{ "once", 0, POPT_ARG_NONE, &options->once, 0,
		  "write the full sub-buffers, then exit", NULL },
		{ "flush", 0, POPT_ARG_STRING, &options->flush_text, 0,
		  "write sub-buffers that are not full every MS milliseconds (default 1000); 0: never",
		  "MS" },
		{ "via", 0, POPT_ARG_STRING, NULL, 'v',
		  "reach the tracer by debugfs, or by the device /dev/ltt", "FACE" },
		{ "connection", 0, POPT_ARG_STRING, &options->connection_text, 0,
		  "the trace belongs to the control connection of descriptor FD",
		  "FD" },
		{ "piece-size", 0, POPT_ARG_STRING, &options->pieces.size_text, 0,
		  "record in pieces DIR/0001, DIR/0002, ... of SIZE at most", "SIZE" },
		{ "piece-time", 0, POPT_ARG_STRING, &options->pieces.time_text, 0,
		  "begin the next piece after TIME, such as 10m or 1h", "TIME" },
		{ "quota", 0, POPT_ARG_STRING, &options->pieces.quota_text, 0,
		  "let all pieces take SIZE at most: remove the oldest ones", "SIZE" },
		{ "compress", 0, POPT_ARG_NONE, &options->pieces.compress, 0,
		  "compress closed pieces", NULL },
		{ "after-rotate", 0, POPT_ARG_STRING, &options->pieces.after_rotate, 0,
		  "run COMMAND by sh(1) for each closed piece, $LTT_PIECE", "COMMAND" },
		{ "cached", 0, POPT_ARG_NONE, &options->pieces.cached, 0,
		  "leave what is written in the page cache, for a process that reads it meanwhile", NULL },
		{ "to", 0, POPT_ARG_STRING, &options->to, 0,
		  "send the pieces to a collector, an lttng-relayd, and remove those that it has: net://HOST[:CONTROL-PORT[:DATA-PORT]][/NAME]",
		  "URL" },
		{ "held", 0, POPT_ARG_STRING, &options->held_text, 0,
		  "write the number of open buffers to descriptor FD, a line for each change",
		  "FD" },
		{ "programs", 0, POPT_ARG_ARGV, &options->patterns, 0,
		  "record the programs' events that match GROUP:NAME, or @PROGRAM:GROUP:NAME, with * ? [] globs, to DIR/user-UID (may be repeated)",
		  "PATTERN" },
		{ "filter", 0, POPT_ARG_ARGV, &options->filters, 0,
		  "with --programs: a pattern, a blank and an expression (see doc/expressions.md): record of the events that match those for which it is true (may be repeated)",
		  "FILTER" },
		{ "pid", 0, POPT_ARG_STRING, &options->pid_text, 0,
		  "with --programs: record only process PID and its descendants", "PID" },
		{ "size", 0, POPT_ARG_STRING, &options->buffers.size_text, 0,
		  "with --programs: size of a sub-buffer, a power of two (default 1M)",
		  "SIZE" },
		{ "count", 0, POPT_ARG_STRING, &options->buffers.count_text, 0,
		  "with --programs: sub-buffers for each CPU, a power of two (default 8)",
		  "N" },
		{ "overwrite", 0, POPT_ARG_NONE, &options->buffers.overwrite, 0,
		  "with --programs: keep the newest events, overwrite the oldest",
		  NULL },
		{ "lossless", 0, POPT_ARG_STRING, &options->buffers.lossless_text, 0,
		  "with --programs: threads wait up to MS milliseconds for room instead of losing events",
		  "MS" },
		{ "context", 0, POPT_ARG_STRING, &options->buffers.context_text, 0,
		  "with --programs: context fields of each event, of tid, pid, name, stack[:DEPTH] and perf:COUNTER (default tid,pid), or none",
		  "LIST" },
		{ "buffers", 0, POPT_ARG_STRING, &options->buffers.whose_text, 0,
		  "with --programs: each process has buffers of its own (`process', the default), or a user's processes share them (`shared')",
		  "process|shared" },
		{ "memory", 0, POPT_ARG_STRING, &options->buffers.memory_text, 0,
		  "with --programs: limit for the memory of a user's buffers (default: a quarter of the machine's)",
		  "SIZE" },
		{ "objects", 0, POPT_ARG_NONE, &options->objects, 0,
		  "with --programs: record where programs and libraries are in memory, as --context stack does",
		  NULL },
		{ "clock", 0, POPT_ARG_STRING, &options->clock_text, 0,
		  "with --programs: the clock of the kernel's trace in the same recording, as its file `clock` shows it",
		  "CLOCK" },
		{ "report", 0, POPT_ARG_STRING, &options->report_text, 0,
		  "with --programs: write the lines `ready` and `end` to descriptor FD",
		  "FD" },
		{ "state", 0, POPT_ARG_STRING, &options->state_text, 0,
		  "write the state of the system to DIR/state, and exit: " STATE_FORM, "LIST" },
		{ "version", 0, POPT_ARG_NONE, NULL, 'V', "print the version", NULL },
		{ "help", 'h', POPT_ARG_NONE, NULL, 'h', "show this help", NULL },
		POPT_TABLEEND
	};
	const char **rest, *none = NULL;
	char *face;
	int ret;

	*context = poptGetContext("lttd", argc, argv, table, 0);
	if (!*context) {
		fail("out of memory");
		exit(1);
	}
	poptSetOtherOptionHelp(*context,
			       "[-d | --once] [--via FACE] -o DIR {TRACE | --programs PATTERN | --state LIST}");
	while ((ret = poptGetNextOpt(*context)) > 0) {
		if (ret == 'h') {
			poptPrintHelp(*context, stdout, 0);
			exit(0);
		}
		if (ret == 'V') {
			puts("lttd " LTT_VERSION);
			exit(0);
		}
		face = poptGetOptArg(*context);
		ret = lttctl_parse_via(face, &options->via);
		if (ret)
			fail("--via %s: neither debugfs nor device" SEE_HELP,
			     face);
		free(face);
		if (ret)
			return -1;
	}
	if (ret < -1)
		return fail("%s: %s" SEE_HELP, poptBadOption(*context, 0),
			    poptStrerror(ret));
	rest = poptGetArgs(*context);
	return check_options(options, rest ? rest : &none);
}

/* Receive signals by a descriptor, so that they never interrupt a packet. */
static int open_signals(void)
{
	sigset_t set;
	int fd;

	/* At a file size limit, let write() fail instead. */
	signal(SIGXFSZ, SIG_IGN);
	/* The reader of --held or --report may be gone. */
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	return fd < 0 ? fail("cannot receive signals: %s", strerror(errno)) : fd;
}

static int serve(struct lttctl *ctl, const struct options *options)
{
	struct lttctl_trace *trace;
	struct consumer_options how = {
		.root = options->dir, .held = options->held, .flush_ms = options->flush,
		.pieces = &options->pieces,
	};
	struct consumer consumer;
	struct sender sender = { .goes_on = -1 };
	int signals, parent = -1;
	int ret;

	lttctl_set_via(ctl, options->via);
	ret = options->connection >= 0 ?
	      lttctl_connect_fd(ctl, options->connection) : lttctl_connect(ctl);
	if (ret || lttctl_trace_open(ctl, options->trace, &trace))
		return fail("%s", lttctl_error(ctl));
	ret = signals = open_signals();
	if (ret < 0)
		goto out_trace;
	/* Before the claim: record locks do not pass to a child. */
	if (options->daemon) {
		ret = parent = daemon_fork();
		if (ret < 0)
			goto out_signals;
	}
	how.signals = signals;
	ret = sender_begin(&sender, options->to, options->dir, options->daemon);
	if (ret)
		goto out_signals;
	ret = consumer_open(&consumer, ctl, trace, &how);
	if (!ret && options->daemon)
		ret = daemon_ready(parent);
	if (!ret)
		ret = options->once ? consumer_drain(&consumer)
				    : consumer_run(&consumer);
	if (!ret)
		consumer_report(&consumer);
	/* The parent expects the whole trace: report that it is not. */
	if (!ret && options->held >= 0 && consumer.left)
		ret = -1;
	if (consumer_close(&consumer))
		ret = -1;
	if (sender_end(&sender, signals))
		ret = -1;
out_signals:
	close(signals);
out_trace:
	lttctl_trace_close(trace);
	return ret;
}

/* Create the directory @dir if it does not exist.  Return: its absolute name; NULL with errno. */
static char *absolute(const char *dir)
{
	return mkdir(dir, RECORDING_MODE) && errno != EEXIST ? NULL : realpath(dir, NULL);
}

static int serve_programs(const struct options *options)
{
	struct programs_options programs = {
		.patterns = options->patterns,
		.filters = options->filters,
		.clock = options->clock_text ? &options->clock : NULL,
		.buffers = {
			.sb_order = __builtin_ctzll(options->buffers.size),
			.nr_sb = options->buffers.count,
			.overwrite = options->buffers.overwrite,
			.lossless_ms = options->buffers.lossless_ms,
			.context = options->buffers.context,
			.shared = options->buffers.shared,
			.memory = options->buffers.memory,
			.allocated = buffers_must_be_allocated(),
			.objects = options->objects,
		},
		.pieces = &options->pieces,
		.flush_ms = options->flush,
		.report = options->report,
		.daemon = -1,
	};
	struct sender sender = { .goes_on = -1 };
	int ret = -1, err;

	err = options->pid ? family_open(&programs.family, options->pid) : 0;
	if (err)
		return fail("--pid %d: %s", options->pid, strerror(-err));
	programs.root = absolute(options->dir);
	if (!programs.root)
		return fail("cannot create directory %s: %s", options->dir, strerror(errno));
	if (user_refuse_old(programs.root)) {
		free(programs.root);
		return -1;
	}
	programs.signals = open_signals();
	if (programs.signals >= 0 && options->daemon)
		programs.daemon = daemon_fork();
	if (programs.signals >= 0 && (!options->daemon || programs.daemon >= 0) &&
	    !sender_begin(&sender, options->to, programs.root, options->daemon))
		ret = programs_record(&programs);
	if (sender_end(&sender, programs.signals))
		ret = -1;
	close(programs.signals);
	free(programs.root);
	return ret;
}

static int serve_state(const struct options *options)
{
	char *root = absolute(options->dir);
	int ret = 0;

	if (!root)
		return fail("cannot create directory %s: %s", options->dir, strerror(errno));
	/* At a file size limit, let write() fail instead. */
	signal(SIGXFSZ, SIG_IGN);
	if (options->state)
		ret = dump_state(root, options->state);
	free(root);
	return ret;
}

static void free_words(char **words)
{
	char **word;

	for (word = words; word && *word; word++)
		free(*word);
	free(words);
}

static void free_options(struct options *options)
{
	free_words(options->patterns);
	free_words(options->filters);
	options_free(&options->buffers);
	piece_options_free(&options->pieces);
	free(options->connection_text);
	free(options->held_text);
	free(options->report_text);
	free(options->flush_text);
	free(options->clock_text);
	free(options->pid_text);
	free(options->state_text);
	free(options->to);
	free(options->dir);
}

static int serve_trace(const struct options *options)
{
	struct lttctl *ctl = lttctl_new();
	int ret;

	if (!ctl)
		return fail("out of memory");
	ret = serve(ctl, options);
	lttctl_free(ctl);
	return ret;
}

static uint64_t machine_memory(void)
{
	return (uint64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
}

int main(int argc, char **argv)
{
	struct options options = {
		.connection = -1, .held = -1, .report = -1,
		.buffers = {
			.size = OPTIONS_SIZE_DEFAULT,
			.count = DEFAULT_COUNT,
			.context = LTT_CONTEXT_USUAL,
			.memory = machine_memory() / 4,
		},
		.flush = DEFAULT_FLUSH,
	};
	poptContext context;
	int status = 2, ret;

	lttctl_keep_standard();
	signal(SIGCHLD, SIG_DFL);	/* we need the exit status of children */
	if (!parse_options(argc, (const char **)argv, &options, &context)) {
		lttctl_raise_files();
		ret = options.state_text ? serve_state(&options) :
		      options.patterns ? serve_programs(&options) : serve_trace(&options);
		status = ret ? 1 : 0;
	}
	free_options(&options);
	poptFreeContext(context);
	return status;
}
