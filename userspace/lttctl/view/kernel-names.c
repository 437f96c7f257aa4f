// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Names that only the kernel that runs knows: for recordings of the same boot.
 *
 * Layer: lttctl view.
 */
#include "kernel-names.h"

#include <ftw.h>
#include <inttypes.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The boot ---- */

/* The UUID of a clock is that of the boot. */
static bool is_boot_id(const uint8_t *uuid)
{
	char wanted[40], text[40] = "";
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");

	snprintf(wanted, sizeof(wanted),
		 "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", uuid[0],
		 uuid[1], uuid[2], uuid[3], uuid[4], uuid[5], uuid[6], uuid[7], uuid[8], uuid[9],
		 uuid[10], uuid[11], uuid[12], uuid[13], uuid[14], uuid[15]);
	if (!file)
		return false;
	if (!fgets(text, sizeof(text), file))
		*text = '\0';
	fclose(file);
	return !strncmp(text, wanted, strlen(wanted));
}

bool kernel_is_same_boot(const bt_event *event)
{
	static uint8_t last[16];
	static bool is_known, is_same;
	const bt_stream_class *class = bt_stream_borrow_class_const(bt_event_borrow_stream_const(event));
	const bt_clock_class *clock = bt_stream_class_borrow_default_clock_class_const(class);
	const uint8_t *uuid = clock ? bt_clock_class_get_uuid(clock) : NULL;

	if (!uuid)
		return false;
	if (!is_known || memcmp(uuid, last, sizeof(last))) {
		memcpy(last, uuid, sizeof(last));
		is_same = is_boot_id(uuid);
		is_known = true;
	}
	return is_same;
}

/* ---- Functions ---- */

struct function {
	uint64_t start;
	char *name;
};

static struct function *functions;	/* by @start */
static size_t nr_functions;
static bool functions_are_read;

static int compare_functions(const void *a, const void *b)
{
	const struct function *left = a, *right = b;

	return (left->start > right->start) - (left->start < right->start);
}

/* "ADDRESS TYPE NAME [MODULE]", of which code has the types t, T, w and W.  Return: false if
 * there is no memory. */
static bool add_function(char *line)
{
	char *type, *name;
	uint64_t start = strtoull(line, &type, 16);
	struct function *more;
	char *module;

	if (!start || *type != ' ' || !type[1] || !strchr("tTwW", type[1]) || type[2] != ' ')
		return true;
	name = type + 3;
	module = name + strcspn(name, "\t\n");
	if (*module == '\t' && module[1] == '[') {
		*module = '\0';
		module += 2;
		module[strcspn(module, "]\n")] = '\0';
	} else {
		*module = '\0';
		module = NULL;
	}
	/* Twice as many whenever their number is a power of two. */
	if (!(nr_functions & (nr_functions - 1))) {
		more = reallocarray(functions, nr_functions ? 2 * nr_functions : 1, sizeof(*more));
		if (!more)
			return false;
		functions = more;
	}
	if (asprintf(&name, "%s%s%s", module ?: "", module ? ":" : "", name) < 0)
		return false;
	functions[nr_functions++] = (struct function){ start, name };
	return true;
}

static void read_functions(void)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	char *line = NULL;
	size_t size = 0;

	functions_are_read = true;
	while (file && getline(&line, &size, file) > 0)
		if (!add_function(line))
			break;
	free(line);
	if (file)
		fclose(file);
	if (nr_functions)
		qsort(functions, nr_functions, sizeof(*functions), compare_functions);
}

const char *kernel_function(uint64_t address, uint64_t *offset)
{
	size_t low = 0, high, middle;

	if (!functions_are_read)
		read_functions();
	/* The last one that begins at the address or before it. */
	for (high = nr_functions; low < high;) {
		middle = low + (high - low) / 2;
		if (functions[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	*offset = address - functions[low - 1].start;
	return functions[low - 1].name;
}

/* ---- Cgroups ---- */

struct cgroup {
	uint64_t id;
	char *path;
};

static struct cgroup *cgroups;
static size_t nr_cgroups, mount_length;
static bool cgroups_are_read;

static int add_cgroup(const char *path, const struct stat *st, int type, struct FTW *where)
{
	struct cgroup *more;

	(void)where;
	if (type != FTW_D)
		return 0;
	more = reallocarray(cgroups, nr_cgroups + 1, sizeof(*more));
	if (!more)
		return 1;
	cgroups = more;
	path = strdup(path[mount_length] ? path + mount_length : "/");
	if (!path)
		return 1;
	cgroups[nr_cgroups++] = (struct cgroup){ st->st_ino, (char *)path };
	return 0;
}

/* The hierarchy of version 2, wherever it is mounted. */
static void read_cgroups(void)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	struct mntent *mount;

	cgroups_are_read = true;
	while (mounts && (mount = getmntent(mounts))) {
		if (strcmp(mount->mnt_type, "cgroup2"))
			continue;
		mount_length = strlen(mount->mnt_dir);
		nftw(mount->mnt_dir, add_cgroup, 16, FTW_PHYS | FTW_MOUNT);
		break;
	}
	if (mounts)
		endmntent(mounts);
}

const char *kernel_cgroup(uint64_t id)
{
	size_t i;

	if (!cgroups_are_read)
		read_cgroups();
	for (i = 0; i < nr_cgroups; i++)
		if (cgroups[i].id == id)
			return cgroups[i].path;
	return NULL;
}

void kernel_names_forget(void)
{
	while (nr_functions)
		free(functions[--nr_functions].name);
	free(functions);
	functions = NULL;
	functions_are_read = false;
	while (nr_cgroups)
		free(cgroups[--nr_cgroups].path);
	free(cgroups);
	cgroups = NULL;
	cgroups_are_read = false;
}
