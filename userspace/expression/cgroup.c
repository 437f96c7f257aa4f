// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Cgroups of version 2 by their paths.
 *
 * The kernel has the number of a cgroup at hand where an event happens, and its path only by a walk with locks.  So
 * a comparison of the context "cgroup" with paths becomes one with the numbers that they have when it is bound.
 */
#include "tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mntent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- The hierarchy ---- */

/**
 * struct walk - a walk through the hierarchy
 * @path: a directory
 * @mount: length of the part of @path that is the mount point
 * @device: that of the hierarchy: directories of other file systems are left out
 * @fn: called for each cgroup
 * @data: for @fn
 */
struct walk {
	char path[PATH_MAX];
	size_t mount;
	dev_t device;
	int (*fn)(const char *path, uint64_t id, void *data);
	void *data;
};

/* Find where the hierarchy is mounted.  Return: false if it is not. */
static bool find_mount(char path[PATH_MAX])
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	struct mntent *mount;
	bool found = false;

	while (mounts && !found && (mount = getmntent(mounts))) {
		found = !strcmp(mount->mnt_type, "cgroup2") && strlen(mount->mnt_dir) < PATH_MAX;
		if (found)
			strcpy(path, mount->mnt_dir);
	}
	if (mounts)
		endmntent(mounts);
	return found;
}

/* Return: the number of the cgroup that &walk.path is; 0: it is gone, or another file system is mounted there.  On a
 * kernel of 32 bits the number of the inode is the lower half of it. */
static uint64_t id_of(const struct walk *walk)
{
	union {
		struct file_handle handle;
		char room[sizeof(struct file_handle) + sizeof(uint64_t)];
	} at = { .handle.handle_bytes = sizeof(uint64_t) };
	struct stat st;
	uint64_t id;
	int mount;

	if (stat(walk->path, &st) || !S_ISDIR(st.st_mode) || st.st_dev != walk->device)
		return 0;
	if (sizeof(long) == sizeof(id) || name_to_handle_at(AT_FDCWD, walk->path, &at.handle, &mount, 0))
		return st.st_ino;
	memcpy(&id, at.handle.f_handle, sizeof(id));
	return id;
}

static bool is_child(const struct dirent *entry)
{
	return entry->d_type == DT_DIR && strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
}

/* Call the function for a cgroup, whose path has @len characters, and for all below it. */
static int visit(struct walk *walk, size_t len)
{
	const uint64_t id = id_of(walk);
	struct dirent *entry;
	DIR *dir;
	int ret;

	if (!id)
		return 0;
	ret = walk->fn(len > walk->mount ? walk->path + walk->mount : "/", id, walk->data);
	dir = ret ? NULL : opendir(walk->path);
	while (dir && !ret && (entry = readdir(dir))) {
		const size_t more = 1 + strlen(entry->d_name);

		if (!is_child(entry) || len + more >= sizeof(walk->path))
			continue;
		walk->path[len] = '/';
		strcpy(walk->path + len + 1, entry->d_name);
		ret = visit(walk, len + more);
		walk->path[len] = '\0';
	}
	if (dir)
		closedir(dir);
	return ret;
}

int expression_for_each_cgroup(const char *from, int (*fn)(const char *path, uint64_t id, void *data), void *data)
{
	struct walk walk = { .fn = fn, .data = data };
	size_t len = strcmp(from, "/") ? strlen(from) : 0;
	struct stat st;

	if (!find_mount(walk.path) || stat(walk.path, &st))
		return -ENODEV;
	walk.device = st.st_dev;
	walk.mount = strcmp(walk.path, "/") ? strlen(walk.path) : 0;
	if (walk.mount + len >= sizeof(walk.path))
		return 0;
	memcpy(walk.path + walk.mount, from, len);
	walk.path[walk.mount + len] = '\0';
	return visit(&walk, walk.mount + len);
}

/* ---- Comparisons ---- */

/**
 * struct search - the cgroups that a comparison is about
 * @node: the comparison, which receives their numbers
 * @pattern: what the path must match
 * @has_more: the pattern can match a path below another one
 * @matches: the pattern matches a path
 */
struct search {
	struct node *node;
	struct pattern pattern;
	bool has_more;
	bool matches;
};

static int add_if_matches(const char *path, uint64_t id, void *data)
{
	struct search *search = data;
	struct node *node = search->node;

	if (!pattern_matches(&search->pattern, path, strlen(path)))
		return 0;
	search->matches = true;
	if (node->nr_numbers == EXPRESSION_CGROUPS_MAX)
		return -E2BIG;
	node->numbers[node->nr_numbers++] = id;
	return !search->has_more;
}

/* Look below the last directory that all paths that match have in common. */
static int search_from(struct search *search)
{
	char from[EXPRESSION_STRING_MAX + 1] = "/";
	const struct pattern *pattern = &search->pattern;
	size_t len = pattern->prefix_len;

	while (search->has_more && len && pattern->prefix[len - 1] != '/')
		len--;
	while (search->has_more && len && pattern->prefix[len - 1] == '/')
		len--;
	if (len) {
		memcpy(from, pattern->prefix, len);
		from[len] = '\0';
	}
	return expression_for_each_cgroup(from, add_if_matches, search);
}

static int add_string(struct node *node, const struct node *string, bool is_glob, struct expression_error *error)
{
	struct search search = { .node = node, .has_more = is_glob };
	const char *why = NULL;
	int status;

	if (string->kind != NODE_STRING)
		return fail_at(error, -EINVAL, string->column, "a path of a cgroup, in quotes, must stand here, as beside it");
	if (*string->text != '/' && !(is_glob && strchr("*?[", *string->text)))
		return fail_at(error, -EINVAL, string->column, "the path of a cgroup begins with /, as in /proc/PID/cgroup");
	if (is_glob)
		why = pattern_set_glob(&search.pattern, string->text, string->len);
	else
		pattern_set_text(&search.pattern, string->text, string->len);
	if (why)
		return fail_at(error, -EINVAL, string->column, "%s", why);
	status = search_from(&search);
	if (status == -ENODEV)
		return fail_at(error, -EINVAL, string->column, "the paths of cgroups are not known: no file system cgroup2 is mounted");
	if (status == -E2BIG)
		return fail_at(error, -EINVAL, string->column, "more than %d cgroups match: choose fewer", EXPRESSION_CGROUPS_MAX);
	if (!search.matches)
		return fail_at(error, -EINVAL, string->column, "no cgroup %s \"%s\" now: %s", is_glob ? "matches" : "has the path",
			       string->text, "make it first, or look at /sys/fs/cgroup");
	return 0;
}

static int compare_numbers(const void *a, const void *b)
{
	const uint64_t *first = a, *second = b;

	return (*first > *second) - (*first < *second);
}

static void sort(struct node *node)
{
	size_t i, nr = 0;

	qsort(node->numbers, node->nr_numbers, sizeof(*node->numbers), compare_numbers);
	for (i = 0; i < node->nr_numbers; i++)
		if (!nr || node->numbers[nr - 1] != node->numbers[i])
			node->numbers[nr++] = node->numbers[i];
	node->nr_numbers = nr;
}

int become_among(struct node *node, struct node *context, const struct node *string, struct expression_error *error)
{
	const bool is_glob = node->operation == OP_LIKE || node->operation == OP_UNLIKE;
	int status = 0;

	node->numbers = calloc(EXPRESSION_CGROUPS_MAX, sizeof(*node->numbers));
	if (!node->numbers)
		return fail_at(error, -ENOMEM, 0, "out of memory");
	for (; !status && string; string = string->next)
		status = add_string(node, string, is_glob, error);
	sort(node);
	node->is_negative = node->kind == NODE_BINARY && (node->operation == OP_DIFFERENT || node->operation == OP_UNLIKE);
	node->kind = NODE_AMONG;
	node->a = context;
	node->b = NULL;
	return status;
}
