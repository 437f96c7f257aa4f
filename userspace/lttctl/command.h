/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * What the subcommands of lttctl have in common.
 *
 * Layer: lttctl.  A subcommand is a function that returns the exit status:
 * 0, EXIT_FAILED or EXIT_USAGE (cmd-record.c has a few more).  Functions here
 * that return int return 0 or such a status after having said what is wrong.
 */
#ifndef LTTCTL_COMMAND_H
#define LTTCTL_COMMAND_H

#include "liblttctl/lttctl.h"

#include <json-c/json.h>
#include <popt.h>

#define EXIT_FAILED 1
#define EXIT_USAGE 2
#define EXIT_UNKNOWN 125	/* of a child */

int cmd_create(int argc, const char **argv);
int cmd_destroy(int argc, const char **argv);
int cmd_list(int argc, const char **argv);
int cmd_markers(int argc, const char **argv);
int cmd_probe(int argc, const char **argv);
int cmd_record(int argc, const char **argv);
int cmd_snapshot(int argc, const char **argv);
int cmd_status(int argc, const char **argv);
int cmd_stream(int argc, const char **argv);
int cmd_switch_events(int argc, const char **argv);
int cmd_switch_trace(int argc, const char **argv);
int cmd_view(int argc, const char **argv);

/**
 * struct command - a subcommand, as main.c's table has it
 * @args: what follows its name
 * @summary: what it does, in a few words
 */
struct command {
	const char *name;
	const char *args;
	const char *summary;
	int (*run)(int argc, const char **argv);
};

/* The subcommand that runs, or NULL. */
extern const struct command *command;

/* What --via says, NULL without. */
extern const char *via_name;

/* --- Saying what is wrong (util.c) -------------------------------------- */

/* "lttctl record: …", or "lttctl: …"; returns EXIT_FAILED. */
__attribute__((format(printf, 1, 2)))
int complain(const char *fmt, ...);

/* The same with a hint at --help; returns EXIT_USAGE. */
__attribute__((format(printf, 1, 2)))
int misused(const char *fmt, ...);

/* --- Options (util.c) --------------------------------------------------- */

#define OPTIONS_VIA { "via", 0, POPT_ARG_STRING, NULL, 'v', \
		      "reach the tracer by debugfs, or by the device /dev/ltt", \
		      "FACE" }
#define OPTIONS_HELP { "help", 'h', POPT_ARG_NONE, NULL, 'h', \
		       "show this help", NULL }

/**
 * options_parse() - parse the options of the subcommand
 * @table: popt options, all of which store, but OPTIONS_HELP, which prints the
 *	help and exits, and OPTIONS_VIA
 * @flags: for poptGetContext()
 * @context: receives the context, always to be freed
 */
int options_parse(int argc, const char **argv, const struct poptOption *table,
		  unsigned int flags, poptContext *context);

/**
 * one_argument() - parse a command line without options but --help
 * @what: what the argument is, for messages
 */
int one_argument(int argc, const char **argv, const char *what, char **value);

/* --- The tracer (util.c) ------------------------------------------------ */

/* Take the value of --via; false when there is no such face. */
bool set_via(const char *name);

/**
 * tracer_connect() - a connected handle, or NULL after having said why not
 * @load: load the tracer first, should it not be in the kernel
 */
struct lttctl *tracer_connect(bool load);

/* Is the tracer in the kernel?  A face that the environment names counts as loaded. */
bool tracer_is_loaded(void);

/* The same, and nothing is said where there is no tracer. */
struct lttctl *tracer_connect_if_there(void);

/* The same, for a trace of one's own where the face has such. */
struct lttctl *tracer_connect_private(void);

/* Complain with the library's sentence if @err; else 0. */
int tracer_status(struct lttctl *ctl, int err);

/* Open a trace and call @fn, whose value is returned. */
int run_on(const char *name, int (*fn)(struct lttctl *ctl, struct lttctl_trace *trace));

/* Parse `TRACE`, open that trace and call @fn, whose value is returned. */
int run_on_trace(int argc, const char **argv,
		 int (*fn)(struct lttctl *ctl, struct lttctl_trace *trace));

/* --- Making a trace (trace-options.c) ----------------------------------- */

/* Options that create and record share, for POPT_ARG_INCLUDE_TABLE. */
extern const struct poptOption trace_options_table[];
#define OPTIONS_TRACE { NULL, 0, POPT_ARG_INCLUDE_TABLE, \
			(void *)trace_options_table, 0, NULL, NULL }

/* Those that are for programs only, which record records. */
extern const struct poptOption trace_options_programs_table[];
#define OPTIONS_PROGRAMS { NULL, 0, POPT_ARG_INCLUDE_TABLE, \
			   (void *)trace_options_programs_table, 0, NULL, NULL }

/**
 * trace_options_check() - check the options' values, before the tracer is needed
 *
 * Return: 0; EXIT_USAGE or EXIT_FAILED after a message.
 */
int trace_options_check(void);

/**
 * trace_options_check_events() - require that each -e matches an event of the kernel
 * @ctl: a connected handle
 *
 * With --allow-missing this checks nothing.
 *
 * Return: 0; EXIT_USAGE or EXIT_FAILED after a message.
 */
int trace_options_check_events(struct lttctl *ctl);

/* Are events of the kernel to be recorded? */
bool trace_options_kernel(void);

struct programs_wanted;

/* Are events of programs to be recorded?  Which, and how. */
bool trace_options_programs(struct programs_wanted *wanted);

/* Create trace @name as the options say; on failure nothing is left of it. */
int trace_options_create(struct lttctl *ctl, const char *name,
			 const char *const *default_patterns,
			 struct lttctl_trace **trace);

void trace_options_free(void);

/* --- lttd (lttd.c) ------------------------------------------------------ */

/* More words than these, lttctl says itself that they are too many. */
#define LTTD_WORDS 160

/**
 * struct command_line - how lttd is called
 * @words: NULL at the end
 * @nr: how many
 * @numbers: room for those that are numbers
 * @keep: descriptors that it inherits
 * @nr_keep: how many
 */
struct command_line {
	const char *words[LTTD_WORDS];
	int nr;
	char numbers[2][16];
	int keep[2];
	int nr_keep;
};

void lttd_add(struct command_line *line, const char *word);

/* An option whose value is a descriptor that is kept open. */
void lttd_add_fd(struct command_line *line, const char *option, int fd);

/* Run it.  Return: its pid, or -1 after having said why not. */
pid_t lttd_spawn(struct command_line *line);

/**
 * child_reap() - has a child ended?
 * @options: WNOHANG not to wait for it
 * @status: receives how, as waitpid() has it; that it failed, if that cannot be
 *	learnt, which is said
 */
bool child_reap(pid_t pid, int options, int *status);

/* 0 if lttd has ended well, or a status: it has said why itself, unless a signal ended it. */
int lttd_ended(int status);

/* Run `lttd OPTION -o DIR TRACE` to its end, or until it is a daemon. */
int lttd_run(const char *option, const char *dir, const char *trace);

/**
 * struct lttd - one that runs for us, and tells how many buffers it holds
 * @pid: its process; 0 once it has ended
 * @held: where it tells
 * @buffers: what it has told last
 */
struct lttd {
	pid_t pid;
	int held;
	unsigned int buffers;
};

/**
 * lttd_start() - run one
 * @session: a descriptor that leads to the session that the trace is in, or -1
 */
int lttd_start(struct lttd *lttd, int session, const char *dir,
	       const char *trace);

/* Wait until it serves the trace. */
int lttd_wait_ready(struct lttd *lttd);

/*
 * Wait until lttd holds every buffer of the trace: a buffer that is still
 * nobody's when the trace is destroyed is lost.  The one that was started here,
 * and whichever has claimed the trace.  A status when nobody can tell how many
 * there are; when time was up, that is the status of the first, and *@lost of the
 * second.
 */
int lttd_wait_held(struct lttd *lttd, struct lttctl *ctl,
		   struct lttctl_trace *trace);
int lttd_wait_attached(struct lttctl *ctl, struct lttctl_trace *trace, int *lost);

/*
 * Wait until nobody serves the trace @name, but no longer than so many seconds; 0: as long
 * as it takes.  A status when that cannot be told, or it has not gone.
 */
int lttd_wait_gone(struct lttctl *ctl, const char *name, int seconds);

/* --- Output (output.c) -------------------------------------------------- */

/* 1234567 as "1,234,567". */
const char *with_commas(uint64_t value, char buf[32]);

/* 1234567 as "1.2 MB". */
const char *as_bytes(uint64_t value, char buf[32]);

/* 2 as "ENOENT"; a number without a name as "unknown". */
const char *errno_name(int error);

/* What a terminal would take for more than text becomes question marks. */
void plain(char *text);

/* Has all that was printed been written?  0, or EXIT_FAILED after having said why not. */
int output_status(void);

/* Print and free. */
void print_json(struct json_object *object);

struct json_object *json_counts(const struct lttctl_counts *counts);

/* The events that were refused, and why. */
struct json_object *json_refused(const struct lttctl_stats *stats);

void add_counts(struct lttctl_counts *sum, const struct lttctl_counts *more);

/**
 * channel_stats() - the counts of the n-th channel, its CPUs added up
 * @name: receives its name
 * Return: false when there are not so many channels.
 */
bool channel_stats(const struct lttctl_stats *stats, unsigned int n,
		   const char **name, struct lttctl_counts *sum);

#endif /* LTTCTL_COMMAND_H */
