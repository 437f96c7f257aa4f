// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Functions that the commands of lttctl share: messages, options, connecting to the tracer.
 *
 * Layer: lttctl.
 */
#include "command.h"
#include "options-file.h"
#include "common/options.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The program, and its command. */
static const char *title(char text[64])
{
	const char *name = command ? command->name : "";

	snprintf(text, 64, "%s%s%s", program, *name ? " " : "", name);
	return text;
}

/* Names of files and texts of recordings may be in a message: send no control characters to the terminal. */
static void print(const char *fmt, va_list args, const char *end)
{
	char text[4096], name[64], *at;

	vsnprintf(text, sizeof(text), fmt, args);
	for (at = text; *at; at++) {
		if (((unsigned char)*at < ' ' && *at != '\n' && *at != '\t') || *at == 0x7f)
			*at = '?';
		/* U+0080 to U+009F */
		else if (*at == '\xc2' && (unsigned char)at[1] >= 0x80 && (unsigned char)at[1] < 0xa0)
			at[0] = at[1] = '?';
	}
	fprintf(stderr, "%s: %s%s", title(name), text, end);
}

int complain(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	print(fmt, args, "\n");
	va_end(args);
	return EXIT_FAILED;
}

int misused(const char *fmt, ...)
{
	char name[64];
	va_list args;

	va_start(args, fmt);
	print(fmt, args, "");
	va_end(args);
	fprintf(stderr, "; see %s --help\n", command->run ? title(name) : program);
	return EXIT_USAGE;
}

int output_status(void)
{
	/* errno is that of the last attempt only. */
	if (ferror(stdout))
		return complain("cannot write everything to the standard output");
	if (!__fpending(stdout) || !fflush(stdout))
		return 0;
	return complain("cannot write to the standard output: %s", strerror(errno));
}

static void help(poptContext context)
{
	char name[64];

	printf("%s: %s\n\n", title(name), command->summary);
	poptPrintHelp(context, stdout, 0);
	exit(output_status());
}

static enum lttctl_via via;
const char *via_name;

bool set_via(const char *name)
{
	if (lttctl_parse_via(name, &via))
		return false;
	via_name = via == LTTCTL_VIA_DEBUGFS ? "debugfs" : "device";
	return true;
}

static int take_via(poptContext context)
{
	char *name = poptGetOptArg(context);
	int status = 0;

	if (!set_via(name))
		status = misused("--via %s: must be debugfs or device", name);
	free(name);
	return status;
}

int options_parse(int argc, const char **argv, const struct poptOption *table,
		  unsigned int flags, poptContext *context)
{
	int ret;

	*context = poptGetContext(program, argc, argv, table, flags);
	if (!*context)
		return complain("out of memory");
	poptSetOtherOptionHelp(*context, command->args);
	while ((ret = poptGetNextOpt(*context)) > 0) {
		if (ret == 'h')
			help(*context);
		ret = ret == OPTIONS_FILE_VAL ? options_file_take(*context, table) : take_via(*context);
		if (ret)
			return ret;
	}
	if (ret < -1)
		return misused("%s: %s", poptBadOption(*context, 0),
			       poptStrerror(ret));
	return 0;
}

int take_number(const char *option, const char *text, int min, int max, int *number)
{
	if (!text || options_number(text, min, max, number))
		return 0;
	return misused("%s %s: must be a number from %d to %d", option, text, min, max);
}

int one_argument(int argc, const char **argv, const char *what, char **value)
{
	const struct poptOption table[] = {
		OPTIONS_VIA, OPTIONS_HELP, POPT_TABLEEND
	};
	poptContext context;
	const char **args;
	int status;

	status = options_parse(argc, argv, table, 0, &context);
	args = poptGetArgs(context);
	if (!status && (!args || !args[0]))
		status = misused("%s is missing", what);
	else if (!status && args[1])
		status = misused("%s: only one %s can be given", args[1], what);
	if (!status) {
		*value = strdup(args[0]);
		status = *value ? 0 : complain("out of memory");
	}
	poptFreeContext(context);
	return status;
}

static struct lttctl *reach(bool load, int (*connect)(struct lttctl *ctl), bool needed)
{
	struct lttctl *ctl = lttctl_new();
	int err;

	if (!ctl) {
		complain("out of memory");
		errno = ENOMEM;
		return NULL;
	}
	lttctl_set_via(ctl, via);
	err = load ? lttctl_load(ctl) : 0;
	if (!err)
		err = connect(ctl);
	if (!err)
		return ctl;
	if (needed)
		complain("%s", lttctl_error(ctl));
	lttctl_free(ctl);
	errno = -err;
	return NULL;
}

struct lttctl *tracer_connect(bool load)
{
	return reach(load, lttctl_connect, true);
}

static bool is_set(const char *variable)
{
	const char *value = secure_getenv(variable);

	return value && *value;
}

bool tracer_is_loaded(void)
{
	return !access("/sys/module/ltt_control", F_OK) || is_set("LTT_DEVICE") || is_set("LTT_DEBUGFS");
}

struct lttctl *tracer_connect_if_there(void)
{
	return reach(false, lttctl_connect, false);
}

struct lttctl *tracer_connect_private(void)
{
	return reach(true, lttctl_connect_private, true);
}

int tracer_status(struct lttctl *ctl, int err)
{
	return err ? complain("%s", lttctl_error(ctl)) : 0;
}

int open_directories(const char *const *dirs, size_t nr, unsigned int flags, struct ltttrace **trace,
	       struct ltttrace_error *error)
{
	lttctl_raise_files();
	return ltttrace_open(dirs, nr, flags, trace, error);
}

int run_on(const char *name, int (*fn)(struct lttctl *ctl, struct lttctl_trace *trace))
{
	struct lttctl *ctl = tracer_connect(false);
	struct lttctl_trace *trace;
	int status;

	if (!ctl)
		return EXIT_FAILED;
	status = tracer_status(ctl, lttctl_trace_named(ctl, name, &trace));
	if (!status) {
		status = fn(ctl, trace);
		lttctl_trace_close(trace);
	}
	lttctl_free(ctl);
	return status;
}

int run_on_trace(int argc, const char **argv,
		 int (*fn)(struct lttctl *ctl, struct lttctl_trace *trace))
{
	char *name;
	int status;

	status = one_argument(argc, argv, "trace", &name);
	if (status)
		return status;
	status = run_on(name, fn);
	free(name);
	return status;
}
