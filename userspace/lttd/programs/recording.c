// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The recording of programs: a loop that waits for connections, messages of programs and
 * full sub-buffers.
 *
 * Layer: lttd.
 */
#include "recording.h"
#include "common/call.h"
#include "common/counter.h"
#include "common/protocol.h"
#include "connections.h"
#include "control.h"
#include "counters.h"
#include "rotate.h"
#include "lttd/daemon.h"
#include "lttd/log.h"
#include "lttd/state/clock.h"
#include "vault.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* Polling period: a program that was killed before it woke lttd leaves a full sub-buffer. */
#define LOOK_MS		200
#define USERS_MAX	1024
#define NICENESS	(-10)

/* The longest wait for programs that run already, from one that joins to the next, and for all: another user's
 * could join one by one, and root's recording would not begin. */
#define JOIN_MS		300
#define JOIN_ALL_MS	10000
#define LATE_SHOWN	20	/* late programs that lttctl can name */
#define REJECTED_SHOWN	20	/* and rejected markers */

/* ---- The socket ---- */

static int open_socket(struct programs *programs)
{
	char path[MEET_PATH_SIZE];
	int fd = meet_open(path, "");

	if (fd < 0)
		return fail("cannot create %s for programs: %s", path, meet_error(fd));
	programs->listening = fd;
	strcpy(programs->path, path);
	return programs_wait_for(programs, fd, &programs->listening);
}

/* Programs in the queue have waited for an answer, some in vain, which their messages say. */
static int close_socket(struct programs *programs)
{
	int ret;

	if (*programs->path)
		unlink(programs->path);
	if (programs->listening < 0)
		return 0;
	do
		ret = connections_accept(programs);
	while (ret > 0);
	close(programs->listening);
	return ret;
}

/* ---- Users ---- */

static struct user *find_user(struct program_host *host, uid_t uid)
{
	struct programs *programs = (struct programs *)host;
	struct user *user;

	for (user = programs->users; user; user = user->next)
		if (user->uid == uid)
			return user;
	if (programs->nr_users == USERS_MAX) {
		notice_of_others("programs of more than %d users: those of user %u are not recorded", USERS_MAX, uid);
		programs->failed = true;
		return NULL;
	}
	user = user_new(uid, programs->pieces.path, &programs->clock, &programs->options->buffers,
			&programs->bells);
	if (!user) {
		notice_of_others("programs of user %u are not recorded", uid);
		programs->failed = true;
		return NULL;
	}
	user->trace.before_packet = programs_before_packet;
	user->trace.before_packet_arg = programs;
	user->next = programs->users;
	programs->users = user;
	programs->nr_users++;
	return user;
}

/* ---- The processes to record ---- */

/* A family_fn: do we record this process? */
static bool is_member(pid_t pid, void *arg)
{
	return connections_have(arg, pid);
}

static bool wants(struct program_host *host, pid_t pid, bool heir)
{
	struct programs *programs = (struct programs *)host;

	if (!programs->options->family.root || heir ||
	    family_has(&programs->options->family, pid, is_member, programs))
		return true;
	programs->nr_joined++;
	return false;
}

/* ---- Programs that ran before the recording, or are late ---- */

static void report_late(struct program_host *host, struct program *program)
{
	struct programs *programs = (struct programs *)host;
	unsigned long long ms = programs->begun ? programs_now() - programs->begun : 0;

	notice_of_others("program %s (pid %d) is recorded only from %llu.%03llu s on: lttd or the program took too long",
			 program->name, program->pid, ms / 1000, ms % 1000);
	/* Not more than the pipe holds: lttctl reads it at the end. */
	if (programs->nr_late++ < LATE_SHOWN && programs->options->report >= 0)
		dprintf(programs->options->report, "late %d %llu %s\n", program->pid, ms, program->name);
}

static void join(struct program_host *host, struct program *program)
{
	struct programs *programs = (struct programs *)host;

	programs->nr_joined++;
	if (!programs->begun || !program->wanted || program->lacking)
		return;
	program->lacking = true;
	report_late(host, program);
}

/* ---- The loop ---- */

/* A flight recorder is written by SNAPSHOT (control.c) and at the end only. */
static int take(struct programs *programs, enum slots_take what)
{
	struct user *user = programs->options->buffers.overwrite ? NULL : programs->users;

	for (; user; user = user->next)
		if (slots_take(&user->slots, what))
			return -1;
	return 0;
}

/* Process messages of a program, unless an earlier event of the same round has removed it. */
static int process(struct programs *programs, struct program *program)
{
	if (program->removed)
		return 0;
	return connections_hear(programs, program) ? -1 : slots_take_rung(&programs->bells);
}

static bool is_asked(const struct programs *programs)
{
	const struct program *program;

	LIST_FOREACH(program, &programs->pending, pending)
		if (program->asker)
			return true;
	return false;
}

/* How long to sleep: until the next flush, and at most LOOK_MS; less while forked children that
 * have not connected yet are waited for. */
static int look_ms(const struct programs *programs)
{
	unsigned int period = programs->options->flush_ms;

	if (!programs->begun || is_asked(programs))
		return LTT_PROGRAM_QUIET_MS;
	return period && period < LOOK_MS ? (int)period : LOOK_MS;
}

/* Say to readers of the open piece that all is in files that came before the flush before the last one.  They wait for buffers
 * that are quiet. */
static void put_beacon(struct programs *programs)
{
	const uint64_t now = ltt_counter(), beacon = programs->settled;
	struct user *user;
	bool pass = true;

	if (!pieces_are_used(&programs->pieces) || programs->options->buffers.overwrite)
		return;
	for (user = programs->users; user; user = user->next)
		pass &= slots_pass(&user->slots);
	programs->settled = programs->marked;
	programs->marked = now;
	if (!pass || !beacon)
		return;
	for (user = programs->users; user; user = user->next)
		user->slots.trace->beacon = beacon;
	pieces_beacon(&programs->pieces, beacon);
}

/* Write slow events and the starts of programs, so that readers of the files see them soon and
 * the death of lttd costs little. */
static int flush_in_time(struct programs *programs)
{
	unsigned int period = programs->options->flush_ms;
	struct user *user;

	if (!period || programs_now() - programs->flushed < period)
		return 0;
	programs->flushed = programs_now();
	for (user = programs->users; user; user = user->next) {
		if (notes_flush(&user->notes))
			return -1;
		if (user->metadata_size > user->metadata_synced)
			pieces_sync(&programs->pieces);
		user->metadata_synced = user->metadata_size;
	}
	if (take(programs, SLOTS_ALL))
		return -1;
	put_beacon(programs);
	return 0;
}

/* Find full sub-buffers of programs that were killed before they rang, and buffers that no
 * process can write to any more. */
static int look_after(struct programs *programs)
{
	uint64_t now = programs_now();
	struct user *user;

	if (now - programs->looked < LOOK_MS)
		return 0;
	programs->looked = now;
	programs_sample(programs);
	for (user = programs->users; user; user = user->next)
		if (slots_look_after(&user->slots))
			return -1;
	return take(programs, SLOTS_FULL);
}

/* Return: 1: a signal asks to end the recording; 0. */
static int take_signals(struct programs *programs)
{
	struct signalfd_siginfo info;
	int ret = 0;

	while (read(programs->options->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGUSR1)
			programs->rotate = pieces_are_used(&programs->pieces);
		else
			ret = 1;
	}
	return ret;
}

/* Return: 0; 1: the recording is to end; -1: logged. */
static int look_around(struct programs *programs)
{
	struct epoll_event events[64];
	eventfd_t ignored;
	int count, i, ret = 0;

	count = epoll_wait(programs->epoll, events, 64, look_ms(programs));
	if (count < 0 && errno != EINTR)
		return fail("cannot wait for programs: %s", strerror(errno));
	for (i = 0; i < count && !ret; i++) {
		void *what = events[i].data.ptr;

		if (what == programs)
			ret = 1;
		else if (what == &programs->options)
			ret = take_signals(programs);
		else if (what == &programs->listening)
			ret = connections_accept(programs) < 0 ? -1 : 0;
		else if (what == &programs->bells)
			eventfd_read(programs->bells.full, &ignored);
		else
			ret = process(programs, what);
	}
	connections_free_removed(programs);
	if (!ret)
		ret = connections_look_after(programs);
	if (!ret && programs->ender >= 0)
		ret = 1;
	if (!ret)
		ret = flush_in_time(programs);
	if (!ret)
		ret = look_after(programs);
	if (!ret)
		ret = programs_rotate_in_time(programs);
	return ret ? ret : slots_take_rung(&programs->bells);
}

/* Write a line to lttctl.  A failure ends the recording: lttctl waits for the line. */
static int tell(const struct programs *programs, const char *line)
{
	if (programs->options->report >= 0 && dprintf(programs->options->report, "%s\n", line) < 0)
		return fail("cannot report to lttctl: %s", strerror(errno));
	return 0;
}

/* Name the first rejected markers: not more than the pipe holds. */
static void report_rejected(const struct programs *programs)
{
	const struct rejected *rejected;
	unsigned int left = REJECTED_SHOWN;
	const struct user *user;

	for (user = programs->users; user && programs->options->report >= 0; user = user->next)
		for (rejected = user->rejected; rejected && left; rejected = rejected->next, left--)
			dprintf(programs->options->report, "rejected %s\n", rejected->text);
}

static void report_end(struct programs *programs, unsigned int unmatched, unsigned int unknown)
{
	struct user_counts all = { 0 }, counts;
	unsigned int rejected = 0;
	struct user *user;
	char line[256];

	for (user = programs->users; user; user = user->next) {
		user_count(user, &counts);
		all.stored += counts.stored;
		all.lost += counts.lost;
		all.filtered += counts.filtered;
		all.bytes += counts.bytes;
		all.overwritten += counts.overwritten;
		rejected += user->nr_rejected;
	}
	report_rejected(programs);
	snprintf(line, sizeof(line), "end %llu %llu %llu %llu %u %u %u %llu %u", all.stored, all.lost,
		 all.bytes, all.overwritten, rejected, unmatched, programs->nr_late, all.filtered, unknown);
	tell(programs, line);
	report("programs: %llu events stored, %llu lost, %llu filtered, %llu bytes written to %s", all.stored,
	       all.lost, all.filtered, all.bytes, programs->options->root);
}

/* Return: the number of patterns that matched no marker. */
static unsigned int report_unmatched(const struct programs *programs)
{
	const struct pattern *pattern;
	unsigned int nr = 0;

	for (pattern = programs->begun ? programs->patterns.last : NULL; pattern; pattern = pattern->next) {
		if (!pattern->on || pattern->matched)
			continue;
		notice("no program had a marker that matches %s", pattern->text);
		nr++;
	}
	return nr;
}

/* Return: the number of filters with a name that no event had. */
static unsigned int report_unknown(const struct programs *programs)
{
	const struct filter *filter;
	unsigned int nr = 0;

	TAILQ_FOREACH(filter, &programs->filters.list, entry) {
		if (!filter_is_unknown(filter))
			continue;
		notice("no event has all names of the filter of %s: %s", filter->pattern, filter->lacking);
		nr++;
	}
	return nr;
}

static int end(struct programs *programs)
{
	struct user *user;
	int ret;

	ret = connections_end(programs);
	programs_sample(programs);
	sampler_end(programs->sampler);
	for (user = programs->users; user; user = user->next)
		ret |= user_end(user);
	report_end(programs, report_unmatched(programs), report_unknown(programs));
	return ret;
}

static int take_patterns(struct programs *programs)
{
	char **pattern;

	for (pattern = programs->options->patterns; *pattern; pattern++)
		if (patterns_set(&programs->patterns, *pattern, true))
			return fail("out of memory");
	return 0;
}

static int take_filters(struct programs *programs)
{
	char **text, why[FILTERS_WHY];
	struct filter *filter;

	for (text = programs->options->filters; text && *text; text++) {
		filter = filter_new(*text, why);
		if (!filter || !filters_set(&programs->filters, filter, why))
			return fail("--filter `%s`: %s", *text, why);
	}
	return 0;
}

/* Programs that keep all CPUs busy fill a buffer while lttd waits for its turn.  Keep a niceness
 * that the user chose.  A user who may not have this priority records with the usual one. */
static void raise_priority(void)
{
	errno = 0;
	if (!getpriority(PRIO_PROCESS, 0) && !errno)
		setpriority(PRIO_PROCESS, 0, NICENESS);
}

static void count_called(pid_t pid, void *nr)
{
	(void)pid;
	++*(unsigned int *)nr;
}

/* Have the programs join that run already, so that the recording has their events from its
 * beginning on.  Programs that are stopped, or busy, join later.  Return: as look_around(). */
static int gather(struct programs *programs)
{
	unsigned int nr_called = 0, seen = 0;
	const uint64_t end = programs_now() + JOIN_ALL_MS;
	uint64_t until = programs_now() + JOIN_MS;
	int ret = call_programs(count_called, &nr_called);

	if (ret) {
		notice("cannot notify all running programs: %s; some may not be recorded", strerror(-ret));
		programs->failed = true;
	}
	for (ret = 0; !ret && programs->nr_joined < nr_called && programs_now() < until; ) {
		ret = look_around(programs);
		if (programs->nr_joined == seen)
			continue;
		seen = programs->nr_joined;
		until = programs_now() + JOIN_MS;
		until = until < end ? until : end;
	}
	/* A child that was forked before its parent joined has no socket yet.  It looks for lttds. */
	until = programs_now() + 2 * LTT_PROGRAM_QUIET_MS;
	while (!ret && nr_called && programs_now() < until)
		ret = look_around(programs);
	programs->begun = programs_now();
	return ret;
}

static int begin(struct programs *programs)
{
	char line[sizeof(programs->path) + 8];
	int ret;

	raise_priority();
	if (programs->options->buffers.allocated)
		notice("the kernel promises no more memory than it has (vm.overcommit_memory is 2): the buffers of each program take their whole memory at once; see lttd --size");
	if (counters_check(programs->options->buffers.context) || take_patterns(programs) ||
	    take_filters(programs))
		return -1;
	programs->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (programs->epoll < 0)
		return fail("cannot wait for programs: %s", strerror(errno));
	if (vault_begin() || bells_init(&programs->bells) || programs_wait_for(programs, programs->bells.full, &programs->bells))
		return -1;
	/* When the lttctl that started lttd exits, end the recording. */
	if (programs->options->report >= 0 && programs_wait_for(programs, programs->options->report, programs))
		return -1;
	if (pieces_begin(&programs->pieces, programs->options->pieces, programs->options->root,
			 1ULL << programs->options->buffers.sb_order))
		return -1;
	/* An earlier lttd's buffers are gone: there is nothing to continue. */
	pieces_close_orphans(&programs->pieces);
	programs->is_sampled = programs->options->clock && clock_is_counter(programs->options->clock);
	if (clock_find(&programs->clock, programs->options->clock) || open_socket(programs) ||
	    programs_wait_for(programs, programs->options->signals, &programs->options))
		return -1;
	ret = gather(programs);
	if (ret)
		return ret;
	if (programs->options->daemon >= 0 && daemon_ready(programs->options->daemon))
		return -1;
	snprintf(line, sizeof(line), "ready %s", programs->path);
	return tell(programs, line);
}

int programs_record(const struct programs_options *options)
{
	struct programs programs = {
		.host = {
			.user = find_user, .wants = wants, .patterns = &programs.patterns, .filters = &programs.filters,
			.joined = join, .late = report_late, .ask = control_ask,
		},
		.options = options,
		.pieces.root = -1,
		.bells.full = -1,
		.ender = -1,
		.listening = -1,
		.epoll = -1,
	};
	struct user *user;
	int ret;

	filters_init(&programs.filters);
	ret = begin(&programs);
	while (!ret)
		ret = look_around(&programs);
	programs.failed |= close_socket(&programs) < 0;
	if (end(&programs) || ret < 0 || programs.failed || programs.host.refused)
		ret = -1;
	else
		ret = 0;
	while ((user = programs.users)) {
		programs.users = user->next;
		user_free(user);
	}
	if (pieces_end(&programs.pieces))
		ret = -1;
	bells_end(&programs.bells);
	vault_end();
	control_ended(&programs, ret);
	pieces_end_commands(&programs.pieces);
	patterns_free(&programs.patterns);
	filters_free(&programs.filters);
	if (programs.epoll >= 0)
		close(programs.epoll);
	return ret;
}
