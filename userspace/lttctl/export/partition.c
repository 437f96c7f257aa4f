// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl export --parquet --partition: add recordings to a folder of tables.
 *
 *	FOLDER/host=NAME/date=YYYY-MM-DD/event=NAME/BEGIN-HASH.parquet
 *
 * The name of a file is made of the begin, the UUIDs and the begins of the buffers of the recording, so that a second export of it replaces the
 * files of the first.  Each piece of a recording is exported by itself, so that pieces that are exported one by one, and then all
 * together, give no event twice.  doc/fleet.md describes the layout to users.
 *
 * Layer: lttctl export.
 */
#include "partition.h"
#include "output-dir.h"
#include "parquet-class.h"
#include "value.h"
#include "common/utf8.h"
#include "lttctl/command.h"
#include "lttctl/model/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Rows in memory, of all tables: the fullest table is written when there are more. */
#define BYTES_MAX	(128U << 20)

/* A recording can have 65536 classes. */
#define BUCKETS		4096

#define DAY_NS		(86400 * 1000000000LL)

/* The rows of a class on one day. */
struct file {
	struct file *next;
	struct parquet_table *table;
	int64_t day;		/* since the Unix epoch */
	unsigned int number;	/* its name until it is whole */
};

/**
 * struct class - events of one name and with the same fields, of one host
 * @next: another class
 * @near: another class of this bucket
 * @host: the name of the machine
 * @name: the name of the events
 * @first: the event class; NULL for the states of threads
 * @variant: from 1 on, of the classes with this name
 * @files: for each day
 */
struct class {
	struct class *next;
	struct class *near;
	const char *host;
	const char *name;
	const struct ltttrace_event *first;
	unsigned int variant;
	struct file *files;
};

struct partition {
	struct recording recording;
	const char *folder;
	const char *hidden;		/* the directory of files that are not whole */
	struct class *classes;
	struct class *bucket[BUCKETS];	/* the same classes, by their name */
	struct class *states;		/* that of the last state of a thread */
	struct class **of_event;	/* by the number of the event class */
	size_t bytes;			/* of rows in memory */
	unsigned int nr_files;
	uint64_t records;
	bool is_interrupted;
	int err;
};

static uint64_t mix(uint64_t hash, const void *data, size_t size)
{
	const unsigned char *byte = data;

	for (; size; byte++, size--)
		hash = (hash ^ *byte) * 0x100000001b3;
	return hash;
}

/* FNV-1a. */
static uint64_t hash_text(const char *text)
{
	return mix(0xcbf29ce484222325, text, strlen(text));
}

/* --- States of threads ------------------------------------------------------------------- */

#define THREAD_STATE	"thread_state"

enum { COLUMN_DUR = COLUMNS, COLUMN_STATE, COLUMN_WHOLE, COLUMN_WAKER };

/* With the names that Perfetto has for them. */
static const char *const state_names[SCHED_STATES] = {
	[SCHED_UNKNOWN] = "", [SCHED_RUNNING] = "Running", [SCHED_RUNNABLE] = "R", [SCHED_PREEMPTED] = "R+",
	[SCHED_INTERRUPTIBLE] = "S", [SCHED_UNINTERRUPTIBLE] = "D", [SCHED_STOPPED] = "T", [SCHED_IDLE] = "I",
	[SCHED_DEAD] = "X",
};

static struct parquet_table *state_table(const char *path)
{
	struct parquet_table *table = common_table(path);

	if (table && (!parquet_column(table, "dur", PARQUET_INT) || !parquet_column(table, "state", PARQUET_TEXT) ||
		      !parquet_column(table, "whole", PARQUET_INT) || !parquet_column(table, "waker_tid", PARQUET_INT))) {
		parquet_end(table, false);
		return NULL;
	}
	return table;
}

static int state_put(struct parquet_table *table, const struct sched_interval *interval)
{
	const char *state = state_names[interval->state];

	put_common(table, interval->from_ns, interval->cpu, interval->task);
	parquet_int(table, COLUMN_DUR, interval->to_ns - interval->from_ns);
	parquet_text(table, COLUMN_STATE, state, strlen(state));
	parquet_int(table, COLUMN_WHOLE, interval->whole);
	parquet_int(table, COLUMN_WAKER, interval->waker ? interval->waker->tid : -1);
	return parquet_row(table);
}

/* --- Tables ------------------------------------------------------------------------------ */

/* Return: the class, which is added if it is new; NULL if memory is out. */
static struct class *class_of(struct partition *partition, const char *host, const char *name,
			      const struct ltttrace_event *event)
{
	struct class **bucket = &partition->bucket[hash_text(name) % BUCKETS], *class;
	unsigned int variant = 1;

	for (class = *bucket; class; class = class->near) {
		if (strcmp(class->host, host) || strcmp(class->name, name))
			continue;
		if (event && class->first ? class_is_same(class->first, event) : event == class->first)
			return class;
		variant++;
	}
	class = malloc(sizeof(*class));
	if (!class)
		return NULL;
	*class = (struct class){ partition->classes, *bucket, host, name, event, variant, NULL };
	partition->classes = *bucket = class;
	return class;
}

/* Return: the table for a moment; NULL if memory is out. */
static struct parquet_table *table_of(struct partition *partition, struct class *class, int64_t ns)
{
	const int64_t day = ns / DAY_NS;
	char path[PATH_MAX];
	struct file *file;

	for (file = class->files; file; file = file->next)
		if (file->day == day)
			return file->table;
	file = malloc(sizeof(*file));
	if (!file)
		return NULL;
	*file = (struct file){ class->files, NULL, day, partition->nr_files++ };
	snprintf(path, sizeof(path), "%s/%u", partition->hidden, file->number);
	file->table = class->first ? class_table(path, class->first) : state_table(path);
	if (!file->table) {
		free(file);
		return NULL;
	}
	class->files = file;
	return file->table;
}

/* Hundreds of tables may be far from a group of rows that is full. */
static int flush_fullest(struct partition *partition)
{
	struct parquet_table *fullest = NULL;
	struct class *class;
	struct file *file;

	for (class = partition->classes; class; class = class->next)
		for (file = class->files; file; file = file->next)
			if (!fullest || parquet_bytes(file->table) > parquet_bytes(fullest))
				fullest = file->table;
	partition->bytes -= parquet_bytes(fullest);
	return parquet_flush(fullest);
}

/* Append a row for @record, or, if it is NULL, for @interval. */
static int put(struct partition *partition, struct class *class, const struct ltttrace_record *record,
	       const struct sched_interval *interval)
{
	struct parquet_table *table = class ? table_of(partition, class, record ? record->ns : interval->from_ns) : NULL;
	size_t before;
	int err;

	if (!table)
		return -ENOMEM;
	before = parquet_bytes(table);
	err = record ? class_put(table, record, task_of(partition->recording.tasks, record)) : state_put(table, interval);
	partition->bytes += parquet_bytes(table) - before;
	return err ?: partition->bytes > BYTES_MAX ? flush_fullest(partition) : 0;
}

/* The rest is passed over after a failure, or a signal. */
static void put_interval(const struct sched_interval *interval, void *data)
{
	struct partition *partition = data;
	const char *host = interval->task->host->name;

	if (partition->err || partition->is_interrupted)
		return;
	if (!partition->states || strcmp(partition->states->host, host))
		partition->states = class_of(partition, host, THREAD_STATE, NULL);
	partition->err = put(partition, partition->states, NULL, interval);
}

static void put_record(const struct ltttrace_record *record, void *data)
{
	struct partition *partition = data;
	struct class **class;

	if (!(partition->records++ & 0xfff))
		partition->is_interrupted |= output_dir_interrupted();
	if (partition->err || partition->is_interrupted || record->kind != LTTTRACE_EVENT || record->stream->is_state ||
	    event_is_own(record->event))
		return;
	class = &partition->of_event[record->event->number];
	if (!*class)
		*class = class_of(partition, record->event->part->host, record->event->name, record->event);
	partition->err = put(partition, *class, record, NULL);
}

/* --- Names ------------------------------------------------------------------------------- */

#define HASH_SIZE	17	/* a dash and 16 digits */

static bool is_plain(char character)
{
	return (character >= '0' && character <= '9') || (character >= 'a' && character <= 'z') ||
	       (character >= 'A' && character <= 'Z') || strchr("_.-", character);
}

/*
 * Characters that have a meaning in paths, patterns or names of partitions are encoded, as Hive does; so are all but the plainest.  A long
 * text is cut, with room for a hash, and so is one that is not UTF-8: DuckDB refuses a folder that has one.
 *
 * Return: false if the text was cut.
 */
static bool append(char name[NAME_MAX + 1], const char *text)
{
	size_t len = strlen(name), bytes;

	for (; *text; text += bytes) {
		bytes = utf8_character(text, strlen(text));
		if (!bytes || len + 3 * bytes + HASH_SIZE > NAME_MAX)
			break;
		for (size_t i = 0; i < bytes; i++)
			len += sprintf(name + len, is_plain(text[i]) ? "%c" : "%%%02X", (unsigned char)text[i]);
	}
	name[len] = '\0';
	return !*text;
}

/* Add a directory to the path and create it.  Return: 0, -errno. */
static int enter(char path[PATH_MAX], const char *key, const char *value)
{
	const size_t len = strlen(path);
	char name[NAME_MAX + 1];

	snprintf(name, sizeof(name), "%s=", key);
	/* Hive's name for a value that is not known. */
	if (!append(name, *value ? value : "__HIVE_DEFAULT_PARTITION__"))
		sprintf(name + strlen(name), "-%016" PRIx64, hash_text(value));
	if (snprintf(path + len, PATH_MAX - len, "/%s", name) >= (int)(PATH_MAX - len))
		return -ENAMETOOLONG;
	return mkdir(path, 0777) && errno != EEXIST ? -errno : 0;
}

/*
 * The sum of the hashes of its buffers, whose order does not matter.  Pieces of a recording have its UUID, and the same begin if that is of a
 * buffer that was quiet.
 */
static uint64_t identity(const struct ltttrace *trace)
{
	const struct ltttrace_stream *stream;
	uint64_t sum = 0, hash;
	unsigned int i;

	for (i = 0; i < ltttrace_nr_streams(trace); i++) {
		stream = ltttrace_stream(trace, i);
		if (!stream->packets || stream->is_state || stream->part->is_state)
			continue;
		hash = mix(hash_text(stream->part->name), stream->part->uuid, sizeof(stream->part->uuid));
		hash = mix(mix(hash, &stream->cpu, sizeof(stream->cpu)), &stream->first_ns, sizeof(stream->first_ns));
		sum += hash;
	}
	return sum;
}

static int give_name(const struct partition *partition, const struct class *class, const struct file *file)
{
	const time_t day = file->day * (DAY_NS / 1000000000);
	char hidden[PATH_MAX], path[PATH_MAX], date[32], variant[16] = "";
	struct tm tm;
	size_t len;
	int err;

	gmtime_r(&day, &tm);
	strftime(date, sizeof(date), "%Y-%m-%d", &tm);
	snprintf(hidden, sizeof(hidden), "%s/%u", partition->hidden, file->number);
	snprintf(path, sizeof(path), "%s", partition->folder);
	err = enter(path, "host", class->host) ?: enter(path, "date", date) ?: enter(path, "event", class->name);
	if (!err) {
		if (class->variant > 1)
			snprintf(variant, sizeof(variant), "-%u", class->variant);
		len = strlen(path);
		if (snprintf(path + len, sizeof(path) - len, "/%" PRId64 "-%016" PRIx64 "%s.parquet", partition->recording.first_ns,
			     identity(partition->recording.trace), variant) >= (int)(sizeof(path) - len))
			err = -ENAMETOOLONG;
		else if (rename(hidden, path))
			err = -errno;
	}
	return err ? complain("cannot create %s: %s", path, strerror(-err)) : 0;
}

/* --- One recording ----------------------------------------------------------------------- */

/* End all tables.  Return: 0, -errno. */
static int end_tables(struct partition *partition, bool is_whole)
{
	struct class *class;
	struct file *file;
	int err = 0, ret;

	for (class = partition->classes; class; class = class->next)
		for (file = class->files; file; file = file->next) {
			ret = parquet_end(file->table, is_whole && !err);
			err = err ?: ret;
		}
	return err;
}

static int give_names(const struct partition *partition)
{
	const struct class *class;
	const struct file *file;
	int status = 0;

	for (class = partition->classes; class; class = class->next)
		for (file = class->files; file && !status; file = file->next)
			status = give_name(partition, class, file);
	return status;
}

static int cannot_write(const struct partition *partition, int error)
{
	return complain("cannot write to %s: %s", partition->folder, strerror(error));
}

/* @folder: a descriptor that is older than the files, as syncfs() reports only what has failed since it was opened */
static int fill_folder(struct partition *partition, int folder)
{
	int status = recording_read(&partition->recording), err;

	err = end_tables(partition, !status && !partition->err && !partition->is_interrupted);
	if (status || partition->is_interrupted)
		return EXIT_FAILED;
	err = partition->err ?: err;
	if (err)
		return cannot_write(partition, -err);
	/* After a power failure, too, a file that has its name is whole. */
	if (syncfs(folder))
		return cannot_write(partition, errno);
	if (output_dir_interrupted() || give_names(partition))
		return EXIT_FAILED;
	/* The recording may be removed as soon as this has ended. */
	return syncfs(folder) ? cannot_write(partition, errno) : 0;
}

static int fill(const char *path, void *data)
{
	const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct partition *partition = data;
	int status;

	if (folder < 0)
		return cannot_write(partition, errno);
	partition->hidden = path;
	status = fill_folder(partition, folder);
	close(folder);
	return status;
}

static void free_classes(struct partition *partition)
{
	struct class *class;
	struct file *file;

	while ((class = partition->classes)) {
		partition->classes = class->next;
		while ((file = class->files)) {
			class->files = file->next;
			free(file);
		}
		free(class);
	}
	free(partition->of_event);
}

static int listen_to(struct partition *partition, const struct sched_listener *listener)
{
	static const char *const fields[] = { "prev_pid", "prev_state", "next_pid", NULL };
	struct sched *sched;

	if (dispatch_on_all(partition->recording.dispatch, DISPATCH_REPORT, put_record, partition))
		return complain("out of memory");
	if (!dispatch_has(partition->recording.dispatch, "sched_switch", fields))
		return 0;
	sched = recording_sched(&partition->recording);
	if (!sched)
		return EXIT_FAILED;
	return sched_listen(sched, listener) ? complain("out of memory") : 0;
}

int partition_add(const char *folder, const char *const *dirs)
{
	struct partition partition = { .folder = folder };
	const struct sched_listener listener = { .interval = put_interval, .data = &partition };
	bool has_events;
	/* A piece may have lists of threads only: there is nothing to add. */
	int status = recording_open_some(&partition.recording, dirs, NULL, NULL, &has_events);

	if (status || !has_events)
		return status;
	partition.of_event = calloc(ltttrace_nr_events(partition.recording.trace) + 1, sizeof(*partition.of_event));
	status = partition.of_event ? listen_to(&partition, &listener) : complain("out of memory");
	if (!status)
		status = output_dir_add(folder, fill, &partition);
	if (!status)
		recording_warn(&partition.recording, false);
	free_classes(&partition);
	recording_close(&partition.recording);
	return status;
}
