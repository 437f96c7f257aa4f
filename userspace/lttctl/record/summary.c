// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The summary of `record`.
 *
 * Layer: lttctl.
 */
#include "summary.h"
#include "common/pieces.h"
#include "common/user-trace.h"
#include "lttctl/record/buffers.h"
#include "lttctl/record/triggers.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Is this the file of a buffer of @channel, compressed or not? */
static bool is_of(const char *name, const char *channel)
{
	char buffer[256], of[LTTCTL_NAME_SIZE];
	size_t len = strlen(name);

	if (len > 4 && !strcmp(name + len - 4, ".zst"))
		len -= 4;
	snprintf(buffer, sizeof(buffer), "%.*s", (int)len, name);
	return !lttctl_buffer_channel(buffer, of) && !strcmp(of, channel);
}

/* The size of the files of a channel, or (NULL) of all files of the trace; and of its pieces. */
static uint64_t bytes_on_disk(const char *dir, const char *channel)
{
	struct dirent *entry;
	char path[4096];
	uint64_t sum = 0;
	struct stat st;
	DIR *files;

	files = opendir(dir);
	while (files && (entry = readdir(files)))
		if (piece_number(entry->d_name) &&
		    snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name) < (int)sizeof(path))
			sum += bytes_on_disk(path, channel);
	if (files)
		closedir(files);
	snprintf(path, sizeof(path), "%s/kernel", dir);
	files = opendir(path);
	while (files && (entry = readdir(files))) {
		if (channel && !is_of(entry->d_name, channel))
			continue;
		if (!fstatat(dirfd(files), entry->d_name, &st, 0) &&
		    S_ISREG(st.st_mode))
			sum += st.st_size;
	}
	if (files)
		closedir(files);
	return sum;
}

static void print_channel(const char *dir, const char *name,
			  const struct lttctl_counts *counts)
{
	char stored[32], refused[32], overwritten[32], filtered[32], bytes[32];

	fprintf(stderr, "channel   %s: %s stored, %s lost", name,
		with_commas(counts->stored, stored),
		with_commas(counts->refused, refused));
	if (counts->overwritten)
		fprintf(stderr, ", %s overwritten",
			with_commas(counts->overwritten, overwritten));
	if (counts->filtered)
		fprintf(stderr, ", %s filtered", with_commas(counts->filtered, filtered));
	fprintf(stderr, ", %s\n", as_bytes(bytes_on_disk(dir, name), bytes));
}

/* After a failure of lttd, nothing counts the events that it did not write. */
static const char *and_what_was_cut(bool cut)
{
	return cut ? ", plus an unknown number that lttd could not write" : "";
}

static void print_lost(const struct summary *summary)
{
	const struct lttctl_stats *stats = &summary->stats;
	const struct lttctl_counts *total = &stats->total;
	uint64_t count = buffers_sufficient(stats, &summary->channel);
	char buf[32];
	size_t i;

	fprintf(stderr, "lost      %s", with_commas(total->refused + total->missed, buf));
	if (total->refused + total->missed)
		fprintf(stderr, " (no room %llu, too big %llu, nested too deep %llu%s",
			(unsigned long long)total->full, (unsigned long long)total->big,
			(unsigned long long)total->nested, total->missed ? "" : ")");
	if (total->missed)
		fprintf(stderr, ", not reported by the kernel %llu)", (unsigned long long)total->missed);
	fprintf(stderr, "%s\n", and_what_was_cut(summary->kernel_cut));
	for (i = 0; i < stats->nr_events; i++)
		fprintf(stderr, "          %s of %s\n",
			with_commas(stats->events[i].counts.refused + stats->events[i].counts.missed, buf),
			stats->events[i].name);
	if (count)
		fprintf(stderr,
			"          --count %llu would have sufficed (estimate); fewer events: -e\n",
			(unsigned long long)count);
	else if (total->full)
		fprintf(stderr, "          more room: --size or --count; fewer events: -e\n");
}

static void print_rejected(const struct programs *programs)
{
	unsigned int i;

	if (programs->rejected)
		fprintf(stderr, "          %s%u %s not recorded:\n",
			programs->rejected < USER_TRACE_REJECTED_MAX ? "" : "at least ", programs->rejected,
			programs->rejected == 1 ? "marker" : "markers");
	for (i = 0; i < programs->nr_rejected_markers; i++)
		fprintf(stderr, "            %s\n", programs->rejected_marker[i]);
	if (programs->rejected > i && i)
		fprintf(stderr, "            and %u more\n", programs->rejected - i);
}

static void print_late(const struct programs *programs)
{
	const struct late_program *late = programs->late_program;
	unsigned int i;

	for (i = 0; i < programs->nr_late_programs; i++, late++)
		fprintf(stderr, "          %s (pid %d) from the moment it joined, %llu.%03llu s after the start\n",
			late->name, late->pid, late->ms / 1000, late->ms % 1000);
	if (programs->late > i)
		fprintf(stderr, "          and %u more from the moment of joining\n", programs->late - i);
}

static void print_programs(const struct programs *programs, bool cut)
{
	char stored[32], lost[32], filtered[32], overwritten[32], bytes[32];

	fprintf(stderr, "programs  %s stored, %s lost%s", with_commas(programs->stored, stored),
		with_commas(programs->lost, lost), and_what_was_cut(cut));
	if (programs->filtered)
		fprintf(stderr, ", %s filtered", with_commas(programs->filtered, filtered));
	if (programs->overwritten)
		fprintf(stderr, ", %s sub-buffers overwritten",
			with_commas(programs->overwritten, overwritten));
	fprintf(stderr, ", %s\n", as_bytes(programs->bytes, bytes));
	print_rejected(programs);
	if (programs->unmatched)
		fprintf(stderr, "          %u %s matched no marker of any program\n", programs->unmatched,
			programs->unmatched == 1 ? "pattern" : "patterns");
	if (programs->unknown)
		fprintf(stderr, "          %u %s names that no event has\n", programs->unknown,
			programs->unknown == 1 ? "filter has" : "filters have");
	print_late(programs);
}

static void print_kernel(const struct summary *summary)
{
	const struct lttctl_counts *total = &summary->stats.total;
	struct lttctl_counts counts;
	const char *name;
	unsigned int i;
	char buf[32];

	fprintf(stderr, "events    %s emitted", with_commas(total->emitted, buf));
	fprintf(stderr, ", %s stored", with_commas(total->stored, buf));
	if (total->overwritten)
		fprintf(stderr, ", %s overwritten",
			with_commas(total->overwritten, buf));
	if (total->filtered)
		fprintf(stderr, ", %s filtered", with_commas(total->filtered, buf));
	if (total->unjudged)
		fprintf(stderr, ", %s recorded without asking their filter",
			with_commas(total->unjudged, buf));
	fputc('\n', stderr);
	for (i = 0; i < summary->nr_waiting; i++)
		fprintf(stderr, "          %s was not recorded: its filter does not fit it\n",
			summary->waiting[i]);
	print_lost(summary);
	if (summary->spooled)
		return;
	fprintf(stderr, "on disk   %s", as_bytes(bytes_on_disk(summary->dir, NULL), buf));
	if (summary->kernel_cut && summary->written >= 0)
		fprintf(stderr, ", %s events", with_commas(summary->written, buf));
	fputc('\n', stderr);
	for (i = 0; channel_stats(&summary->stats, i, &name, &counts); i++)
		print_channel(summary->dir, name, &counts);
}

void summary_print(const struct summary *summary)
{
	if (!summary->spooled)
		fprintf(stderr, "trace     %s (lttctl view %s)\n", summary->dir, summary->dir);
	if (summary->to)
		fprintf(stderr, "sent to   %s\n", summary->to);
	fprintf(stderr, "duration  %.3f s\n", summary->seconds);
	fprintf(stderr, "complete  %s\n", summary->complete ? "yes" : "no");
	triggers_print();
	if (summary->kernel)
		print_kernel(summary);
	if (summary->programs)
		print_programs(summary->programs, summary->programs_cut);
}

static void add_number(struct json_object *object, const char *name, uint64_t number)
{
	json_object_object_add(object, name, json_object_new_uint64(number));
}

static struct json_object *json_rejected(const struct programs *programs)
{
	struct json_object *list = json_object_new_array();
	unsigned int i;

	for (i = 0; i < programs->nr_rejected_markers; i++)
		json_object_array_add(list, json_object_new_string(programs->rejected_marker[i]));
	return list;
}

static struct json_object *json_late(const struct programs *programs)
{
	struct json_object *list = json_object_new_array(), *object;
	const struct late_program *late = programs->late_program;
	unsigned int i;

	for (i = 0; i < programs->nr_late_programs; i++, late++) {
		object = json_object_new_object();
		json_object_object_add(object, "name", json_object_new_string(late->name));
		json_object_object_add(object, "pid", json_object_new_int(late->pid));
		json_object_object_add(object, "seconds", json_object_new_double(late->ms / 1000.0));
		json_object_array_add(list, object);
	}
	return list;
}

static struct json_object *json_programs(const struct programs *programs)
{
	struct json_object *object = json_object_new_object();

	add_number(object, "stored", programs->stored);
	add_number(object, "lost", programs->lost);
	add_number(object, "filtered", programs->filtered);
	add_number(object, "overwritten_subbuffers", programs->overwritten);
	add_number(object, "bytes_on_disk", programs->bytes);
	add_number(object, "rejected_markers", programs->rejected);
	json_object_object_add(object, "rejected", json_rejected(programs));
	add_number(object, "unmatched_patterns", programs->unmatched);
	add_number(object, "unknown_filters", programs->unknown);
	add_number(object, "late_programs", programs->late);
	json_object_object_add(object, "late", json_late(programs));
	return object;
}

static void add_kernel(struct json_object *object, const struct summary *summary)
{
	struct json_object *channels = json_object_new_array();
	struct json_object *waiting = json_object_new_array();
	struct json_object *channel;
	struct lttctl_counts counts;
	const char *name;
	unsigned int i;

	add_number(object, "bytes_on_disk", bytes_on_disk(summary->dir, NULL));
	if (summary->kernel_cut && summary->written >= 0)
		add_number(object, "events_on_disk", summary->written);
	if (summary->stats.triggered[0])
		json_object_object_add(object, "triggered",
			json_object_new_string(summary->stats.triggered));
	if (summary->stats.halted[0])
		json_object_object_add(object, "halted",
			json_object_new_string(summary->stats.halted));
	json_object_object_add(object, "total",
			       json_counts(&summary->stats.total));
	json_object_object_add(object, "refused_events",
			       json_refused(&summary->stats));
	for (i = 0; i < summary->nr_waiting; i++)
		json_object_array_add(waiting, json_object_new_string(summary->waiting[i]));
	json_object_object_add(object, "unfiltered_events", waiting);
	if (buffers_sufficient(&summary->stats, &summary->channel))
		add_number(object, "sufficient_count",
			   buffers_sufficient(&summary->stats, &summary->channel));
	for (i = 0; channel_stats(&summary->stats, i, &name, &counts); i++) {
		channel = json_counts(&counts);
		json_object_object_add(channel, "name",
				       json_object_new_string(name));
		add_number(channel, "bytes_on_disk",
			   bytes_on_disk(summary->dir, name));
		json_object_array_add(channels, channel);
	}
	json_object_object_add(object, "channels", channels);
}

void summary_print_json(const struct summary *summary)
{
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "output",
			       json_object_new_string(summary->dir));
	if (summary->to)
		json_object_object_add(object, "to", json_object_new_string(summary->to));
	json_object_object_add(object, "seconds",
			       json_object_new_double(summary->seconds));
	json_object_object_add(object, "complete", json_object_new_boolean(summary->complete));
	if (summary->status >= 0)
		json_object_object_add(object, "command_status",
				       json_object_new_int(summary->status));
	if (summary->kernel)
		add_kernel(object, summary);
	if (triggers_any())
		triggers_json(object);
	if (summary->programs)
		json_object_object_add(object, "programs",
				       json_programs(summary->programs));
	print_json(object);
}
