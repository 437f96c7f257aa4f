// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl export --ctf-lttng: a directory with the names of LTTng, beside the recording.
 *
 * Layer: lttctl export.  The data files are hard links: they need no room, and stay when the recording is removed.  Where
 * there can be no link they are copied, with a message; so are compressed files, and those with system calls by number.  The
 * directory gets its name when it is complete.
 */
#include "export.h"
#include "lttng.h"
#include "lttng-calls.h"
#include "lttng-data.h"
#include "output-dir.h"
#include "lttctl/command.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEPTH	3	/* DIR/NNNN/kernel */
#define METADATA_MAX (512UL << 20)

/* A data stream of the kernel, which has the same name in each piece. */
struct stream {
	char *name;
	bool is_renamed;	/* it has system calls by number */
	uint64_t number;	/* of the next packet that is written anew */
};

struct export {
	const char *dir;
	const struct ltttrace *trace;
	unsigned int parts;
	bool has_state;		/* the threads are written */
	struct lttng_data data;
	uint64_t renamed;	/* bytes of files with calls */
	struct stream *streams;
	size_t nr_streams;
};

static int cannot(const char *what, const char *path)
{
	return complain("cannot %s %s: %s", what, path, strerror(errno));
}

static bool join(char path[PATH_MAX], const char *dir, const char *name)
{
	return snprintf(path, PATH_MAX, "%s/%s", dir, name) < PATH_MAX || (errno = ENAMETOOLONG, false);
}

/* --- Data files ---------------------------------------------------------------- */

/* Return: NULL after a message. */
static struct stream *stream_of(struct export *export, const char *name)
{
	struct stream *more;
	size_t i;

	for (i = 0; i < export->nr_streams; i++)
		if (!strcmp(export->streams[i].name, name))
			return &export->streams[i];
	more = reallocarray(export->streams, export->nr_streams + 1, sizeof(*more));
	if (more) {
		export->streams = more;
		more += export->nr_streams;
		*more = (struct stream){ .name = strdup(name), .is_renamed = lttng_calls_recorded(export->trace, name) };
	}
	if (!more || !more->name) {
		complain("out of memory");
		return NULL;
	}
	export->nr_streams++;
	return more;
}

/* Write a stream anew, in which system calls have names. */
static int write_calls(struct export *export, struct lttng_calls *calls, const struct ltttrace_stream *from,
		       struct stream *stream, const char *to)
{
	FILE *file = fopen(to, "wxe");
	int err;

	if (!file)
		return cannot("create", to);
	err = lttng_calls_write(calls, from, file, &stream->number, &export->renamed);
	if (fclose(file) && !err)
		err = -errno;
	errno = -err;
	return err ? cannot("write", to) : 0;
}

/* @name: of a file in @dir. */
static int take_file(struct export *export, struct lttng_calls *calls, const char *dir, const char *to, const char *name)
{
	const size_t len = strlen(name);
	const bool compressed = len > 4 && !strcmp(name + len - 4, ".zst");
	char path[PATH_MAX], copy[PATH_MAX], plain[NAME_MAX + 1];
	const struct ltttrace_stream *numbered;
	struct stream *stream;

	snprintf(plain, sizeof(plain), "%.*s", (int)(compressed ? len - 4 : len), name);
	/* Both have the same packets. */
	if (!join(path, dir, plain) || !join(copy, to, plain))
		return cannot("read", dir);
	if (compressed && !access(path, F_OK))
		return 0;
	numbered = lttng_calls_stream(calls, plain);
	stream = numbered ? stream_of(export, plain) : NULL;
	if (numbered && !stream)
		return EXIT_FAILED;
	if (numbered && stream->is_renamed)
		return write_calls(export, calls, numbered, stream, copy);
	return join(path, dir, name) ? lttng_data_take(&export->data, path, copy) : cannot("read", dir);
}

static int take_files(struct export *export, struct lttng_calls *calls, const char *dir, const char *to)
{
	DIR *entries = opendir(dir);
	struct dirent *entry;
	int status = 0;

	if (!entries)
		return cannot("open", dir);
	while (!status && (entry = readdir(entries)))
		if (entry->d_name[0] != '.' && strcmp(entry->d_name, "metadata"))
			status = take_file(export, calls, dir, to, entry->d_name);
	closedir(entries);
	return status;
}

/* --- Parts ---------------------------------------------------------------------- */

static char *read_text(const char *path)
{
	FILE *file = fopen(path, "re");
	char *text = NULL;
	struct stat info;
	size_t len;

	if (file && !fstat(fileno(file), &info) && (size_t)info.st_size < METADATA_MAX)
		text = malloc(info.st_size + 1);
	if (text) {
		len = fread(text, 1, info.st_size, file);
		text[len] = '\0';
	}
	if (file)
		fclose(file);
	return text;
}

static const struct ltttrace_part *part_of(const struct ltttrace *trace, const char *dir)
{
	size_t i;

	for (i = 0; i < ltttrace_nr_parts(trace); i++)
		if (!strcmp(ltttrace_part(trace, i)->path, dir))
			return ltttrace_part(trace, i);
	return NULL;
}

/* The threads that there were: once, for the kernel. */
static int take_state(struct export *export, const char *dir, const char *to, uint32_t stream, FILE *metadata)
{
	const struct ltttrace_part *part = part_of(export->trace, dir);
	char path[PATH_MAX];
	FILE *data;
	long threads;

	if (!part || export->has_state)
		return 0;
	export->has_state = true;
	data = join(path, to, "statedump_0") ? fopen(path, "wxe") : NULL;
	if (!data)
		return cannot("create", path);
	threads = lttng_state(export->trace, part, stream, metadata, data);
	if (fclose(data) || threads < 0)
		return cannot("write", path);
	if (!threads && unlink(path))
		return cannot("remove", path);
	return 0;
}

/* Data files, and descriptions of what they have besides that of the recording. */
static int take_data(struct export *export, const char *dir, const char *to, enum lttng_domain domain, const char *text,
		     uint32_t stream, FILE *metadata)
{
	struct lttng_calls *calls = NULL;
	int status = domain == LTTNG_KERNEL ? lttng_calls_new(dir, &calls) : 0;

	if (!status)
		status = take_files(export, calls, dir, to);
	if (!status)
		lttng_calls_describe(calls, text, metadata);
	if (!status && domain == LTTNG_KERNEL)
		status = take_state(export, dir, to, stream, metadata);
	lttng_calls_free(calls);
	return status;
}

static int take_part(struct export *export, const char *dir, const char *to)
{
	char path[PATH_MAX], *text, *original, *memory = NULL;
	enum lttng_domain domain;
	uint32_t stream;
	size_t len = 0;
	FILE *metadata;
	int status = 0;

	text = join(path, dir, "metadata") ? read_text(path) : NULL;
	original = text ? strdup(text) : NULL;
	metadata = original ? open_memstream(&memory, &len) : NULL;
	if (!metadata) {
		free(original);
		free(text);
		return cannot("read", path);
	}
	domain = lttng_rewrite(text, metadata, &stream);
	if (domain != LTTNG_OTHER) {
		export->parts++;
		if (mkdir(to, 0777))
			status = cannot("create", to);
		else
			status = take_data(export, dir, to, domain, original, stream, metadata);
	}
	if (fclose(metadata) && !status)
		status = cannot("read", path);
	if (!status && domain != LTTNG_OTHER) {
		metadata = join(path, to, "metadata") ? fopen(path, "wxe") : NULL;
		if (!metadata || fwrite(memory, 1, len, metadata) != len || fclose(metadata))
			status = cannot("write", path);
	}
	free(memory);
	free(original);
	free(text);
	return status;
}

/* A directory that is a part, or contains some. */
static int take_dir(struct export *export, const char *dir, const char *to, unsigned int depth)
{
	char path[PATH_MAX], copy[PATH_MAX];
	unsigned int parts = export->parts;
	struct dirent **entries;
	struct stat info;
	int nr, i, status = 0;

	if (!join(path, dir, "metadata"))
		return cannot("read", dir);
	if (!access(path, F_OK))
		return take_part(export, dir, to);
	nr = scandir(dir, &entries, NULL, versionsort);
	if (nr < 0)
		return cannot("read", dir);
	if (mkdir(to, 0777) && errno != EEXIST)
		status = cannot("create", to);
	for (i = 0; i < nr; i++) {
		if (!status && entries[i]->d_name[0] != '.' && depth < DEPTH) {
			status = join(path, dir, entries[i]->d_name) && join(copy, to, entries[i]->d_name) ? 0 : cannot("read", dir);
			if (!status && !stat(path, &info) && S_ISDIR(info.st_mode))
				status = take_dir(export, path, copy, depth + 1);
		}
		free(entries[i]);
	}
	free(entries);
	if (!status && export->parts == parts && depth)
		rmdir(to);
	return status;
}

/* --- The directory -------------------------------------------------------------- */

static int fill(const char *path, void *data)
{
	struct export *export = data;
	const char *dir = export->dir, *slash = strrchr(dir, '/');
	char to[PATH_MAX];
	int status;

	if (!join(to, dir, "metadata"))
		return cannot("read", dir);
	/* A part is a directory of its own also if it is the recording. */
	if (access(to, F_OK))
		status = take_dir(export, dir, path, 0);
	else
		status = join(to, path, slash ? slash + 1 : dir) ? take_part(export, dir, to) : cannot("create", path);
	if (!status && !export->parts)
		status = complain("%s: has no trace of a kernel or of programs", dir);
	return status;
}

static void report(const struct export *export)
{
	char bytes[32];

	if (export->data.why)
		fprintf(stderr, "lttctl export: copied %s of data files, which could not be linked: %s\n",
			as_bytes(export->data.copied, bytes), export->data.why);
	if (export->data.decompressed)
		fprintf(stderr, "lttctl export: decompressed %s of data files\n", as_bytes(export->data.decompressed, bytes));
	if (export->renamed)
		fprintf(stderr, "lttctl export: wrote %s of data files anew: their system calls have numbers, and Trace Compass expects names\n",
			as_bytes(export->renamed, bytes));
}

int export_ctf_lttng(const char *dir, const char *out)
{
	char trimmed[PATH_MAX];
	size_t len = snprintf(trimmed, sizeof(trimmed), "%s", dir);
	struct ltttrace_error error;
	struct export export = { .dir = trimmed };
	struct ltttrace *trace;
	int status;

	while (len > 1 && len < sizeof(trimmed) && trimmed[len - 1] == '/')
		trimmed[--len] = '\0';
	dir = trimmed;
	if (open_directories(&dir, 1, LTTTRACE_WITH_STATES, &trace, &error))
		return complain("%s", error.text);
	export.trace = trace;
	status = output_dir_write(out, fill, &export);
	if (!status)
		report(&export);
	while (export.nr_streams)
		free(export.streams[--export.nr_streams].name);
	free(export.streams);
	ltttrace_close(trace);
	return status;
}
