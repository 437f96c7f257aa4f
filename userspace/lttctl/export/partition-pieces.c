// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * lttctl export --parquet --partition: find the recordings, and the pieces of each.
 *
 * Layer: lttctl export.  A piece has no state of the system: it is beside the pieces.
 */
#include "export.h"
#include "partition.h"
#include "common/pieces.h"
#include "common/state.h"
#include "lttctl/command.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/**
 * struct dirs - directories that are read as one recording
 * @path: their names; NULL at the end
 * @nr: how many there are
 */
struct dirs {
	char **path;
	size_t nr;
};

/* Return: false if memory is out. */
static bool add(struct dirs *dirs, char *path)
{
	char **more = path ? reallocarray(dirs->path, dirs->nr + 2, sizeof(*more)) : NULL;

	if (!more) {
		free(path);
		return false;
	}
	dirs->path = more;
	more[dirs->nr++] = path;
	more[dirs->nr] = NULL;
	return true;
}

static void free_dirs(struct dirs *dirs)
{
	size_t i;

	for (i = 0; i < dirs->nr; i++)
		free(dirs->path[i]);
	free(dirs->path);
}

/* Add the states beside a piece. */
static bool add_states(struct dirs *dirs, const char *piece)
{
	char parent[PATH_MAX], *path;
	struct dirent *entry;
	bool done = true;
	DIR *dir;

	if (snprintf(parent, sizeof(parent), "%s/..", piece) >= (int)sizeof(parent))
		return true;
	dir = opendir(parent);
	while (done && dir && (entry = readdir(dir))) {
		/* The user may have a directory of this name. */
		if (!state_trace_is(entry->d_name) || asprintf(&path, "%s/%s/metadata", parent, entry->d_name) < 0)
			continue;
		if (access(path, F_OK)) {
			free(path);
			continue;
		}
		*strrchr(path, '/') = '\0';
		done = add(dirs, path);
	}
	if (dir)
		closedir(dir);
	return done;
}

/* @dir may be `.', or a symbolic link. */
static bool is_piece(const char *dir)
{
	char *path = realpath(dir, NULL);
	bool is = path && piece_number(strrchr(path, '/') + 1);

	free(path);
	return is;
}

static int export_one(const char *folder, const char *dir)
{
	char mark[PATH_MAX];
	struct dirs dirs = { 0 };
	int status;

	if (is_piece(dir) && snprintf(mark, sizeof(mark), "%s/" PIECE_MARK, dir) < (int)sizeof(mark) && !access(mark, F_OK))
		return complain("%s: the piece is still open: export it when it is closed, as `lttctl rotate` does", dir);
	if (!add(&dirs, strdup(dir)) || (is_piece(dir) && !add_states(&dirs, dir)))
		status = complain("out of memory");
	else
		status = partition_add(folder, (const char *const *)dirs.path);
	free_dirs(&dirs);
	return status;
}

/* Directories of the user may have a number as their name. */
static bool has_trace(int root, unsigned int number)
{
	char name[PIECE_NAME_SIZE];
	struct dirent *entry;
	bool found = false;
	DIR *dir;
	int fd;

	piece_name(number, name);
	fd = openat(root, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	dir = fd < 0 ? NULL : fdopendir(fd);
	while (dir && !found && (entry = readdir(dir)))
		found = piece_has(entry->d_name);
	if (dir)
		closedir(dir);
	else if (fd >= 0)
		close(fd);
	return found;
}

/* The pieces are exported by themselves; those that are open, later. */
static int export_pieces(const char *folder, const char *dir, int root, const unsigned int *numbers, ssize_t nr)
{
	unsigned int exported = 0, open = 0;
	char path[PATH_MAX];
	int status = 0;
	ssize_t i;

	for (i = 0; i < nr && !status; i++) {
		if (!has_trace(root, numbers[i]))
			continue;
		if (piece_is_open(root, numbers[i])) {
			open++;
			continue;
		}
		if (snprintf(path, sizeof(path), "%s/%04u", dir, numbers[i]) >= (int)sizeof(path))
			return complain("cannot read %s: %s", dir, strerror(ENAMETOOLONG));
		status = export_one(folder, path);
		exported++;
	}
	if (status)
		return status;
	if (!exported)
		return complain("%s: no piece is closed yet: `lttctl rotate %s` closes one", dir, dir);
	if (open)
		fprintf(stderr, "lttctl: %s: %u open pieces are not exported yet\n", dir, open);
	return 0;
}

static bool any_has_trace(int root, const unsigned int *numbers, ssize_t nr)
{
	ssize_t i;

	for (i = 0; i < nr; i++)
		if (has_trace(root, numbers[i]))
			return true;
	return false;
}

static int export_dir(const char *folder, const char *dir)
{
	int root = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), status;
	unsigned int *numbers = NULL;
	ssize_t nr = root < 0 ? 0 : pieces_list(root, &numbers);

	if (any_has_trace(root, numbers, nr))
		status = export_pieces(folder, dir, root, numbers, nr);
	else
		status = export_one(folder, dir);
	free(numbers);
	if (root >= 0)
		close(root);
	return status;
}

int export_partition(const char *const *dirs, const struct export_options *options)
{
	int status = 0;

	for (; *dirs && !status; dirs++)
		status = export_dir(options->output, *dirs);
	return status;
}
