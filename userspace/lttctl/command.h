/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Functions that the commands of lttctl share.
 *
 * Layer: lttctl.  A command is a function that returns the exit status: 0, EXIT_FAILED or
 * EXIT_USAGE; commands/record.c has more.  Functions here that return int return 0, or
 * such a status after an error message, unless their comment says otherwise.
 */
#ifndef LTTCTL_COMMAND_H
#define LTTCTL_COMMAND_H

#include "liblttctl/lttctl.h"
#include "ltt/ltttrace.h"

#include <json-c/json.h>
#include <popt.h>

#define EXIT_FAILED 1
#define EXIT_USAGE 2
#define EXIT_UNKNOWN 125	/* taken for a child whose status cannot be read */

/* Run the command argv[0] of the table.  Return: its status; EXIT_USAGE after a message if there is none. */
int command_run(int argc, const char **argv);

int cmd_channel(int argc, const char **argv);
int cmd_check(int argc, const char **argv);
int cmd_export(int argc, const char **argv);
int cmd_filter(int argc, const char **argv);
int cmd_filters(int argc, const char **argv);
int cmd_mark(int argc, const char **argv);
int cmd_count(int argc, const char **argv);
int cmd_create(int argc, const char **argv);
int cmd_destroy(int argc, const char **argv);
int cmd_diff(int argc, const char **argv);
int cmd_hist(int argc, const char **argv);
int cmd_html(int argc, const char **argv);
int cmd_latency(int argc, const char **argv);
int cmd_list(int argc, const char **argv);
int cmd_markers(int argc, const char **argv);
int cmd_probe(int argc, const char **argv);
int cmd_recipe(int argc, const char **argv);
int cmd_record(int argc, const char **argv);
int cmd_report(int argc, const char **argv);
int cmd_send(int argc, const char **argv);
int cmd_set(int argc, const char **argv);
int cmd_rotate(int argc, const char **argv);
int cmd_snapshot(int argc, const char **argv);
int cmd_stat(int argc, const char **argv);
int cmd_state(int argc, const char **argv);
int cmd_status(int argc, const char **argv);
int cmd_stream(int argc, const char **argv);
int cmd_switch_events(int argc, const char **argv);
int cmd_switch_trace(int argc, const char **argv);
int cmd_top(int argc, const char **argv);
int cmd_unfilter(int argc, const char **argv);
int cmd_view(int argc, const char **argv);

/**
 * struct command - an entry of the table of commands in main.c
 * @name: the word after "lttctl"
 * @args: the options and arguments, for --help
 * @summary: its purpose in a few words, for --help
 * @run: its function; argv[0] is "lttctl NAME"; NULL: there is no help of its own
 */
struct command {
	const char *name;
	const char *args;
	const char *summary;
	int (*run)(int argc, const char **argv);
};

/* The name of the program. */
extern const char program[];

/* The command that runs; NULL before main() has found it. */
extern const struct command *command;

/* The face that --via names, NULL without. */
extern const char *via_name;

/* --- Messages (util.c) -------------------------------------------------- */

/* Print the program, its command and the message to stderr.  Return: EXIT_FAILED. */
__attribute__((format(printf, 1, 2)))
int complain(const char *fmt, ...);

/* The same, followed by a reference to --help.  Return: EXIT_USAGE. */
__attribute__((format(printf, 1, 2)))
int misused(const char *fmt, ...);

/* --- Options (util.c) --------------------------------------------------- */

#define OPTIONS_VIA { "via", 0, POPT_ARG_STRING, NULL, 'v', \
		      "reach the tracer by debugfs, or by the device /dev/ltt", \
		      "FACE" }
#define OPTIONS_HELP { "help", 'h', POPT_ARG_NONE, NULL, 'h', \
		       "show this help", NULL }

/**
 * options_parse() - parse the options of the command
 * @argc: number of @argv
 * @argv: the command line; argv[0] is "lttctl NAME"
 * @table: popt options that store their values, OPTIONS_HELP, and OPTIONS_VIA if the command uses the tracer
 * @flags: for poptGetContext()
 * @context: receives the context; the caller frees it, also after a failure
 *
 * --help prints the help and exits.
 */
int options_parse(int argc, const char **argv, const struct poptOption *table,
		  unsigned int flags, poptContext *context);

/* How many rows the tables of a command may be asked for. */
#define TOP_MAX 1000000

/**
 * take_number() - parse the argument of an option
 * @option: the option, such as "--top"
 * @text: its argument; NULL: it was not given
 * @min: the smallest number, 0 or more
 * @max: the largest number
 * @number: receives the number; without the option it stays as it is
 */
int take_number(const char *option, const char *text, int min, int max, int *number);

/**
 * one_argument() - parse a command line of one argument and the options --via and --help
 * @argc: number of @argv
 * @argv: the command line
 * @what: the name of the argument, for messages
 * @value: receives a copy of the argument, which the caller frees
 */
int one_argument(int argc, const char **argv, const char *what, char **value);

/* --- Recordings (util.c) ------------------------------------------------ */

/* Open recordings as ltttrace_open(), which keeps their files open: as many as the system permits. */
int open_directories(const char *const *dirs, size_t nr, unsigned int flags, struct ltttrace **trace,
	       struct ltttrace_error *error);

/* --- The tracer (util.c) ------------------------------------------------ */

/* Set the face.  Return: false when @name is neither "debugfs" nor "device". */
bool set_via(const char *name);

/**
 * tracer_connect() - make a handle that is connected to the tracer
 * @load: load the kernel modules that are not loaded
 *
 * Return: the handle, to be freed by lttctl_free(); NULL with errno set, after a message.
 */
struct lttctl *tracer_connect(bool load);

/* Return: true when the tracer is loaded, or the environment names a face. */
bool tracer_is_loaded(void);

/* As tracer_connect(false), without a message. */
struct lttctl *tracer_connect_if_there(void);

/* As tracer_connect(true), for private traces where the face has them. */
struct lttctl *tracer_connect_private(void);

/* Print the error sentence of @ctl if @err is not 0. */
int tracer_status(struct lttctl *ctl, int err);

/* Open a trace and call @fn.  Return: its value. */
int run_on(const char *name, int (*fn)(struct lttctl *ctl, struct lttctl_trace *trace));

/* Parse the argument TRACE, open that trace and call @fn.  Return: its value. */
int run_on_trace(int argc, const char **argv,
		 int (*fn)(struct lttctl *ctl, struct lttctl_trace *trace));

/* --- Creating a trace (record/trace-options.c) --------------------------- */

/* Options that create and record share, for POPT_ARG_INCLUDE_TABLE. */
extern const struct poptOption trace_options_table[];
#define OPTIONS_TRACE { NULL, 0, POPT_ARG_INCLUDE_TABLE, \
			(void *)trace_options_table, 0, NULL, NULL }

/* Options of record for events of programs. */
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
 * @file: a program that is about to run, or NULL
 *
 * With --allow-missing this checks nothing.
 *
 * Return: 0; EXIT_USAGE or EXIT_FAILED after a message.
 */
int trace_options_check_events(struct lttctl *ctl, const char *file);

/* The tracer cannot be reached: if there are -e, explain how events of programs are selected.
 * @file: as above. */
void trace_options_advise(const char *file);

/* Return: the value of --state, NULL without. */
const char *trace_options_state(void);

/* Return: true when --allow-missing was given. */
bool trace_options_allow_missing(void);

/* Return: the first of -p, --cgroup and --task that was given; NULL if none was. */
const char *trace_options_limit_of_tasks(void);

struct lttctl_trace;

/* Limit the trace to @pid and its descendants, too.  Return: 0, or -errno of liblttctl. */
int trace_options_follow(struct lttctl_trace *trace, pid_t pid);

/* Return: true for a flight recorder. */
bool trace_options_overwrite(void);

/* Return: bytes of a sub-buffer of the events. */
uint64_t trace_options_subbuf(void);

/* Return: true when the options select events of the kernel. */
bool trace_options_kernel(void);

struct preload;

/* Return: the libraries that --preload names. */
const struct preload *trace_options_preload(void);

struct programs_wanted;

/* Return: true when the options select events of programs, with the options in @wanted. */
bool trace_options_programs(struct programs_wanted *wanted);

/**
 * trace_options_create() - create a trace as the options say
 * @ctl: a connected handle
 * @name: the name of the trace
 * @default_patterns: what to record without -e, ended by NULL; NULL for nothing
 * @served: an lttd serves the trace before it starts
 * @trace: receives a handle of the trace
 *
 * Return: 0, or a status after an error message; then there is no trace.
 */
int trace_options_create(struct lttctl *ctl, const char *name,
			 const char *const *default_patterns, bool served,
			 struct lttctl_trace **trace);

void trace_options_free(void);

/* --- lttd (record/lttd-child.c) ------------------------------------------ */

/* Room for OPTIONS_PATTERNS_MAX patterns and the other options. */
#define LTTD_WORDS 308

/**
 * struct command_line - the command line of a program, mostly of an lttd
 * @words: its words; NULL at the end
 * @nr: number of @words
 * @numbers: the digits of descriptors, as words
 * @keep: descriptors that lttd inherits
 * @nr_keep: number of @keep
 */
struct command_line {
	const char *words[LTTD_WORDS];
	int nr;
	char numbers[2][16];
	int keep[2];
	int nr_keep;
};

/* Append a word, which must stay valid until lttd_spawn(). */
void lttd_add(struct command_line *line, const char *word);

/* Append an option whose value is a descriptor that lttd inherits. */
void lttd_add_fd(struct command_line *line, const char *option, int fd);

/* Run the program @path, with the standard error output of lttctl.  Return: its process id, or -1 after a message. */
pid_t program_spawn(const char *path, struct command_line *line);

/* Run lttd, which is beside lttctl, in ../sbin from there, or in PATH.  Return: as program_spawn() */
pid_t lttd_spawn(struct command_line *line);

/**
 * child_reap() - take the exit status of a child
 * @pid: the child
 * @options: WNOHANG, or 0 to wait for its exit
 * @status: receives the status of waitpid(); that of EXIT_UNKNOWN after a message when
 *	waitpid() fails
 *
 * Return: true when the child has exited.
 */
bool child_reap(pid_t pid, int options, int *status);

/* Turn the status of child_reap() into 0 or EXIT_FAILED.  lttd itself prints the reason,
 * unless a signal killed it: then this does. */
int lttd_ended(int status);

/* Run `lttd OPTION -o DIR TRACE` until it exits, or has become a daemon. */
int lttd_run(const char *option, const char *dir, const char *trace);

/**
 * struct lttd - an lttd that reports the number of its open buffers
 * @pid: its process; 0 after its exit
 * @held: pipe from lttd
 * @buffers: the number that it reported last
 */
struct lttd {
	pid_t pid;
	int held;
	unsigned int buffers;
};

/**
 * lttd_start() - run an lttd for a trace
 * @lttd: describes it afterwards
 * @connection: a descriptor of the control connection whose private trace it is; -1 if the
 *	trace is not private
 * @dir: the directory to write to
 * @trace: the name of the trace
 */
int lttd_start(struct lttd *lttd, int connection, const char *dir,
	       const char *trace);

/* Wait until lttd serves the trace. */
int lttd_wait_ready(struct lttd *lttd);

/*
 * Wait until lttd has opened every buffer of the trace: destroying the trace loses the
 * data of the others.  lttd_wait_held() waits for the lttd of lttd_start(),
 * lttd_wait_attached() for the one that has claimed the trace.  Both fail when they cannot
 * count the buffers.  When the time is over, the first fails, and the second succeeds with
 * EXIT_FAILED in *@lost.
 */
int lttd_wait_held(struct lttd *lttd, struct lttctl *ctl,
		   struct lttctl_trace *trace);
int lttd_wait_attached(struct lttctl *ctl, struct lttctl_trace *trace, int *lost);

/* Wait until no lttd serves the trace @name, for at most @seconds; 0 for any time. */
int lttd_wait_gone(struct lttctl *ctl, const char *name, int seconds);

/* --- Output (output.c) -------------------------------------------------- */

/* Format 1234567 as "1,234,567". */
const char *with_commas(uint64_t value, char buf[32]);

/* Format 1234567 as "1.2 MB". */
const char *as_bytes(uint64_t value, char buf[32]);

/* Return: "ENOENT" for 2; "unknown" for a number without a name. */
const char *errno_name(int error);

/* Return: a text of any bytes as JSON, in which bytes that are not UTF-8 are U+FFFD. */
struct json_object *json_any_text(const char *text);

/* Replace all but printable ASCII by question marks, for the terminal. */
void make_printable(char *text);

/* Flush stdout.  Return: 0, or EXIT_FAILED after a message if any output was not written. */
int output_status(void);

/* Print JSON, and free it. */
void print_json(struct json_object *object);

struct json_object *json_counts(const struct lttctl_counts *counts);

/* The lost events, by the reason. */
struct json_object *json_refused(const struct lttctl_stats *stats);

void add_counts(struct lttctl_counts *sum, const struct lttctl_counts *more);

/**
 * channel_stats() - sum the counts of a channel over the CPUs
 * @stats: the statistics of a trace
 * @n: the channel, from 0 on
 * @name: receives its name, owned by @stats
 * @sum: receives the counts
 *
 * Return: false when there are no more than @n channels.
 */
bool channel_stats(const struct lttctl_stats *stats, unsigned int n,
		   const char **name, struct lttctl_counts *sum);

#endif /* LTTCTL_COMMAND_H */
