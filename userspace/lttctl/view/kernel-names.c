// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Names of cgroups, which only the kernel that runs knows: for recordings of the same boot.
 *
 * Layer: lttctl view.
 */
#include "kernel-names.h"

#include "expression/expression.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The boot ---- */

bool kernel_is_boot(const char *id)
{
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
	char text[40] = "";

	if (!file)
		return false;
	if (!fgets(text, sizeof(text), file))
		*text = '\0';
	fclose(file);
	text[strcspn(text, "\n")] = '\0';
	return *text && !strcmp(text, id);
}

/* The UUID of a clock is that of the boot. */
static bool is_of_boot(const uint8_t *uuid)
{
	char id[40];

	snprintf(id, sizeof(id),
		 "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", uuid[0],
		 uuid[1], uuid[2], uuid[3], uuid[4], uuid[5], uuid[6], uuid[7], uuid[8], uuid[9],
		 uuid[10], uuid[11], uuid[12], uuid[13], uuid[14], uuid[15]);
	return kernel_is_boot(id);
}

bool kernel_is_same_boot(const struct ltttrace_part *part)
{
	static unsigned char last[16];
	static bool is_known, is_same;

	if (!is_known || memcmp(part->clock_uuid, last, sizeof(last))) {
		memcpy(last, part->clock_uuid, sizeof(last));
		is_same = is_of_boot(part->clock_uuid);
		is_known = true;
	}
	return is_same;
}

/* ---- Cgroups ---- */

struct cgroup {
	uint64_t id;
	char *path;
};

static struct cgroup *cgroups;
static size_t nr_cgroups;
static bool cgroups_are_read;

static int add_cgroup(const char *path, uint64_t id, void *data)
{
	struct cgroup *more = reallocarray(cgroups, nr_cgroups + 1, sizeof(*more));

	(void)data;
	if (!more)
		return 1;
	cgroups = more;
	more[nr_cgroups] = (struct cgroup){ id, strdup(path) };
	if (!more[nr_cgroups].path)
		return 1;
	nr_cgroups++;
	return 0;
}

const char *kernel_cgroup(uint64_t id)
{
	size_t i;

	if (!cgroups_are_read)
		expression_for_each_cgroup("/", add_cgroup, NULL);
	cgroups_are_read = true;
	for (i = 0; i < nr_cgroups; i++)
		if (cgroups[i].id == id)
			return cgroups[i].path;
	return NULL;
}

void kernel_names_forget(void)
{
	while (nr_cgroups)
		free(cgroups[--nr_cgroups].path);
	free(cgroups);
	cgroups = NULL;
	cgroups_are_read = false;
}
