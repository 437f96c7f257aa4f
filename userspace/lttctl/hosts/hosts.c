// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * One time for the recordings of several hosts.
 *
 * Layer: lttctl hosts.
 */
#include "hosts.h"

#include "lttctl/command.h"
#include "samples.h"
#include "tcp.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/**
 * struct host - a host, in one boot
 * @part: the kernel's part if there is one, else the first
 * @samples: of the clock of @part
 * @is_right: its times are those that others are compared with
 * @why: why segments do not determine its clock
 */
struct host {
	const struct ltttrace_part *part;
	struct samples samples;
	bool is_right;
	enum tcp_result why;
};

/**
 * struct hosts - the hosts of some recordings
 * @trace: the recordings
 * @host: the hosts
 * @nr: number of @host
 */
struct hosts {
	struct ltttrace *trace;
	struct host *host;
	size_t nr;
};

bool hosts_sync(const char *name, enum hosts_sync *sync)
{
	static const char *const names[] = {
		[HOSTS_AUTO] = "auto", [HOSTS_SAMPLES] = "samples", [HOSTS_TCP] = "tcp", [HOSTS_NONE] = "none",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], name)) {
			*sync = i;
			return true;
		}
	return false;
}

/* ---- The hosts ---- */

static bool is_same(const struct ltttrace_part *one, const struct ltttrace_part *other)
{
	return !strcmp(one->host, other->host) && !memcmp(one->clock_uuid, other->clock_uuid, sizeof(one->clock_uuid));
}

static struct host *find(const struct hosts *hosts, const struct ltttrace_part *part)
{
	size_t i;

	for (i = 0; i < hosts->nr; i++)
		if (is_same(hosts->host[i].part, part))
			return &hosts->host[i];
	return NULL;
}

static bool find_hosts(struct hosts *hosts)
{
	const size_t nr_parts = ltttrace_nr_parts(hosts->trace);
	const struct ltttrace_part *part;
	struct host *host;
	size_t i;

	hosts->host = calloc(nr_parts + 1, sizeof(*hosts->host));
	if (!hosts->host)
		return false;
	for (i = 0; i < nr_parts; i++) {
		part = ltttrace_part(hosts->trace, i);
		if (part->is_state)
			continue;
		host = find(hosts, part);
		if (!host)
			hosts->host[hosts->nr++] = (struct host){ .part = part, .why = TCP_NONE };
		else if (strcmp(host->part->name, "kernel") && !strcmp(part->name, "kernel"))
			host->part = part;
	}
	return true;
}

/* For messages. */
static const char *name_of(const struct host *host)
{
	return *host->part->host ? host->part->host : host->part->path;
}

/* ---- Messages ---- */

/* Rounded up to three digits: a bound that is rounded down is none. */
static const char *as_time(double ns, char text[32])
{
	static const struct {
		double ns;
		const char *name;
	} units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "µs" } };
	double value, scale;
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (ns >= units[i].ns) {
			value = ns / units[i].ns;
			scale = value < 10 ? 100 : value < 100 ? 10 : 1;
			snprintf(text, 32, "%.12g %s", ceil(value * scale) / scale, units[i].name);
			return text;
		}
	snprintf(text, 32, "%.0f ns", ceil(ns));
	return text;
}

static void report_samples(const struct host *host)
{
	char text[32];

	if (host->samples.is_synchronised)
		complain("host %s: times by samples of its clock, within %s", name_of(host),
			 as_time(host->samples.error, text));
	else
		complain("host %s: times by samples of its clock, which was not synchronised: the error is not known",
			 name_of(host));
}

static void report_fit(const struct host *host, const struct host *other, const struct tcp_fit *fit)
{
	char text[32];

	complain("host %s: times by %zu TCP segments, within %s of host %s", name_of(host), fit->nr,
		 as_time(fit->error, text), name_of(other));
}

static int report_failure(const struct host *host)
{
	static const char *const why[] = {
		[TCP_NONE] = "no TCP segments with another host were recorded (lttctl record -e tcp-segments)",
		[TCP_ONE_WAY] = "TCP segments in one direction only were recorded: both are needed",
		[TCP_CONTRADICT] = "the TCP segments fit no clock of steady frequency",
	};

	if (host->why == TCP_NO_MEMORY)
		return complain("out of memory");
	return complain("host %s: times as they were recorded, and the error is not known: %s%s", name_of(host),
			host->samples.is_synchronised ? "" : host->samples.nr ? "its clock was not synchronised, and " :
			"it has no samples of its clock, and ", why[host->why]);
}

/* ---- Several clocks of one host ---- */

/* The times of another clock of the host, which were right as far as those of @from were. */
static int follow(struct ltttrace *trace, const struct ltttrace_part *from, const struct ltttrace_part *part,
		  const struct ltttrace_tick *ticks, size_t nr)
{
	const int64_t base = ltttrace_ns(part, 0);
	struct ltttrace_tick *tick = calloc(nr, sizeof(*tick));
	size_t i, used = 0;
	int64_t since;
	int err;

	if (!tick)
		return -ENOMEM;
	/* The other clock may have begun later. */
	for (i = 0; i < nr; i++)
		if (!__builtin_sub_overflow(ltttrace_ns(from, ticks[i].clock), base, &since) && since >= 0)
			tick[used++] = (struct ltttrace_tick){ (double)since / 1e9 * (double)part->frequency, ticks[i].ns };
	err = used ? ltttrace_correct(trace, part, tick, used) : 0;
	free(tick);
	return err;
}

/* Return: true if part @nr has a clock that neither @host.part nor a part before it has. */
static bool has_other_clock(const struct hosts *hosts, const struct host *host, size_t nr)
{
	const struct ltttrace_part *part = ltttrace_part(hosts->trace, nr), *before;
	size_t i;

	if (part->is_state || !is_same(part, host->part) || samples_same_clock(part, host->part))
		return false;
	for (i = 0; i < nr; i++) {
		before = ltttrace_part(hosts->trace, i);
		if (!before->is_state && samples_same_clock(before, part))
			return false;
	}
	return true;
}

/* Correct a clock by its own samples if @by_samples and there are some, else as that of @host.part. */
static int correct_other(const struct hosts *hosts, struct host *host, const struct ltttrace_part *part,
			 const struct ltttrace_tick *tick, size_t nr, bool by_samples)
{
	struct samples samples = { .nr = 0 };
	int err = by_samples ? samples_read(hosts->trace, part, &samples) : 0;

	if (!err)
		err = samples.nr ? ltttrace_correct(hosts->trace, part, samples.tick, samples.nr) :
				   follow(hosts->trace, host->part, part, tick, nr);
	host->samples.is_synchronised &= !samples.nr || samples.is_synchronised;
	host->samples.error = fmax(host->samples.error, samples.error);
	samples_free(&samples);
	return err;
}

/* Correct all clocks of a host: kernel and programs may have recorded different ones.  That of @host.part comes last: the
 * others are compared with its times of now. */
static int correct_clocks(const struct hosts *hosts, struct host *host, const struct ltttrace_tick *tick, size_t nr,
			  bool by_samples)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < ltttrace_nr_parts(hosts->trace); i++)
		if (has_other_clock(hosts, host, i))
			err = correct_other(hosts, host, ltttrace_part(hosts->trace, i), tick, nr, by_samples);
	host->is_right = true;
	return err ? err : ltttrace_correct(hosts->trace, host->part, tick, nr);
}

/* ---- Samples ---- */

static int no_samples(int err)
{
	return complain("cannot read samples of clocks: %s", strerror(-err));
}

static int correct_by_samples(struct hosts *hosts, enum hosts_sync sync)
{
	struct host *host;
	int err;

	for (host = hosts->host; host < hosts->host + hosts->nr; host++) {
		if (sync == HOSTS_SAMPLES && !host->samples.nr)
			return complain("host %s: the recording has no samples of its clock, which --sync samples needs",
					name_of(host));
		/* With --sync tcp, all others follow the first. */
		if (!host->samples.nr || (!host->samples.is_synchronised && sync != HOSTS_SAMPLES) ||
		    (sync == HOSTS_TCP && host != hosts->host))
			continue;
		err = correct_clocks(hosts, host, host->samples.tick, host->samples.nr, true);
		if (err)
			return no_samples(err);
		report_samples(host);
	}
	return 0;
}

/* ---- TCP segments ---- */

/* Compare a host with those whose times are right.  @is_changed: its times are right now. */
static int correct_one(struct hosts *hosts, struct host *host, const struct segments *segments, bool *is_changed)
{
	enum tcp_result result;
	struct tcp_fit fit;
	struct host *other;
	int err;

	for (other = hosts->host; other < hosts->host + hosts->nr; other++) {
		if (!other->is_right)
			continue;
		result = tcp_fit(hosts->trace, segments, host->part, other->part, &fit);
		if (result == TCP_FITS) {
			err = correct_clocks(hosts, host, fit.tick, fit.ticks, false);
			if (err)
				return complain("cannot correct the times of host %s: %s", name_of(host), strerror(-err));
			report_fit(host, other, &fit);
			*is_changed = true;
			return 0;
		}
		host->why = result > host->why ? result : host->why;
	}
	return 0;
}

/* Those that have segments with a host whose times are right; then those that have some with these. */
static int correct_rest(struct hosts *hosts, const struct segments *segments)
{
	struct host *host;
	bool is_changed = true;
	int status = 0;

	while (is_changed && !status) {
		is_changed = false;
		for (host = hosts->host; host < hosts->host + hosts->nr && !status; host++)
			if (!host->is_right)
				status = correct_one(hosts, host, segments, &is_changed);
	}
	return status;
}

static int correct_by_tcp(struct hosts *hosts, enum hosts_sync sync)
{
	struct segments segments;
	struct host *host;
	int status, err = segments_read(hosts->trace, &segments);

	status = err ? complain("cannot read TCP segments: %s", strerror(-err)) : correct_rest(hosts, &segments);
	segments_free(&segments);
	for (host = hosts->host; host < hosts->host + hosts->nr && !status; host++)
		if (!host->is_right) {
			report_failure(host);
			if (sync == HOSTS_TCP || host->why == TCP_NO_MEMORY)
				status = EXIT_FAILED;
		}
	return status;
}

/* ---- The interface ---- */

static size_t nr_right(const struct hosts *hosts)
{
	size_t i, nr = 0;

	for (i = 0; i < hosts->nr; i++)
		nr += hosts->host[i].is_right;
	return nr;
}

static int correct(struct hosts *hosts, enum hosts_sync sync)
{
	size_t i;
	int err, status;

	for (i = 0; i < hosts->nr; i++) {
		err = samples_read(hosts->trace, hosts->host[i].part, &hosts->host[i].samples);
		if (err)
			return no_samples(err);
	}
	status = correct_by_samples(hosts, sync);
	if (status || nr_right(hosts) == hosts->nr)
		return status;
	if (!nr_right(hosts)) {
		hosts->host[0].is_right = true;
		complain("host %s: times as they were recorded", name_of(&hosts->host[0]));
	}
	return correct_by_tcp(hosts, sync);
}

/* Several boots of one host are not at the same time: they need no common time, unless it is asked for. */
static bool are_wanted(const struct hosts *hosts, enum hosts_sync sync)
{
	size_t i;

	if (sync != HOSTS_AUTO)
		return sync != HOSTS_NONE && hosts->nr > 1;
	for (i = 1; i < hosts->nr; i++)
		if (strcmp(hosts->host[i].part->host, hosts->host[0].part->host))
			return true;
	return false;
}

int hosts_correct(struct ltttrace *trace, enum hosts_sync sync)
{
	struct hosts hosts = { .trace = trace };
	size_t i;
	int status;

	if (!find_hosts(&hosts))
		return complain("out of memory");
	status = are_wanted(&hosts, sync) ? correct(&hosts, sync) : 0;
	for (i = 0; i < hosts.nr; i++)
		samples_free(&hosts.host[i].samples);
	free(hosts.host);
	return status;
}
