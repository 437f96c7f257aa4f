// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl export --ctf-lttng: a directory with the names of LTTng, beside the recording.
 *
 * Layer: lttctl export.  The data files are hard links: they need no room, and stay when the recording is removed.  Where
 * there can be no link they are copied, with a message.  The directory gets its name when it is complete.
 */
#include "export.h"
#include "lttng.h"
#include "output-dir.h"
#include "lttctl/command.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/ctf.h"

#define DEPTH	3	/* DIR/NNNN/kernel */
#define METADATA_MAX (512UL << 20)

struct export {
	const char *dir;
	const struct ltttrace *trace;
	unsigned int parts;
	bool has_state;		/* the threads are written */
	uint64_t copied;	/* bytes */
	const char *why;	/* they were copied */
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

static int copy(struct export *export, int from, const char *path, const char *to)
{
	int fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	ssize_t len = -1;

	if (fd < 0)
		return cannot("create", to);
	while ((len = sendfile(fd, from, NULL, 1 << 30)) > 0)
		export->copied += len;
	if (close(fd) || len < 0)
		return cannot("copy", path);
	return 0;
}

/* Link or copy a data file; others, such as an index, are left out. */
static int take_file(struct export *export, const char *path, const char *to)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), status = 0;
	const uint32_t magic = LTT_CTF_MAGIC;
	uint32_t begin = 0;
	struct stat info;

	if (fd < 0)
		return cannot("open", path);
	if (!fstat(fd, &info) && S_ISREG(info.st_mode) && pread(fd, &begin, sizeof(begin), 0) == sizeof(begin) && begin == magic) {
		if (link(path, to)) {
			/* The owner of a file, or a user who may write to it, can link to it. */
			if (errno == EXDEV || errno == EPERM || errno == EMLINK || errno == EACCES || errno == EOPNOTSUPP) {
				export->why = strerror(errno);
				status = copy(export, fd, path, to);
			} else {
				status = cannot("link", path);
			}
		}
	} else if (strlen(path) > 4 && !strcmp(path + strlen(path) - 4, ".zst")) {
		status = complain("%s is compressed, and readers of LTTng's traces cannot read it; decompress a copy with zstd -d first",
				  path);
	}
	close(fd);
	return status;
}

static int take_files(struct export *export, const char *dir, const char *to)
{
	char path[PATH_MAX], copy[PATH_MAX];
	DIR *entries = opendir(dir);
	struct dirent *entry;
	int status = 0;

	if (!entries)
		return cannot("open", dir);
	while (!status && (entry = readdir(entries))) {
		if (entry->d_name[0] == '.' || !strcmp(entry->d_name, "metadata"))
			continue;
		status = join(path, dir, entry->d_name) && join(copy, to, entry->d_name) ? 0 : cannot("read", dir);
		if (!status)
			status = take_file(export, path, copy);
	}
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

static int take_part(struct export *export, const char *dir, const char *to)
{
	char path[PATH_MAX], *text, *memory = NULL;
	enum lttng_domain domain;
	uint32_t stream;
	size_t len = 0;
	FILE *metadata;
	int status = 0;

	text = join(path, dir, "metadata") ? read_text(path) : NULL;
	metadata = text ? open_memstream(&memory, &len) : NULL;
	if (!metadata) {
		free(text);
		return cannot("read", path);
	}
	domain = lttng_rewrite(text, metadata, &stream);
	if (domain != LTTNG_OTHER) {
		export->parts++;
		if (mkdir(to, 0777))
			status = cannot("create", to);
		if (!status)
			status = take_files(export, dir, to);
		if (!status && domain == LTTNG_KERNEL)
			status = take_state(export, dir, to, stream, metadata);
	}
	if (fclose(metadata) && !status)
		status = cannot("read", path);
	if (!status && domain != LTTNG_OTHER) {
		metadata = join(path, to, "metadata") ? fopen(path, "wxe") : NULL;
		if (!metadata || fwrite(memory, 1, len, metadata) != len || fclose(metadata))
			status = cannot("write", path);
	}
	free(memory);
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

int export_ctf_lttng(const char *dir, const char *out)
{
	char trimmed[PATH_MAX];
	size_t len = snprintf(trimmed, sizeof(trimmed), "%s", dir);
	struct ltttrace_error error;
	struct export export = { .dir = trimmed };
	struct ltttrace *trace;
	char bytes[32];
	int status;

	while (len > 1 && len < sizeof(trimmed) && trimmed[len - 1] == '/')
		trimmed[--len] = '\0';
	dir = trimmed;
	if (ltttrace_open(&dir, 1, LTTTRACE_WITH_STATES, &trace, &error))
		return complain("%s", error.text);
	export.trace = trace;
	status = output_dir_write(out, fill, &export);
	if (!status && export.why)
		fprintf(stderr, "lttctl export: copied %s of data files, which could not be linked: %s\n",
			as_bytes(export.copied, bytes), export.why);
	ltttrace_close(trace);
	return status;
}
