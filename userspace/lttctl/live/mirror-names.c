// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Names of files in a copy, made of names that come from the collector.
 *
 * Layer: lttctl view.  The collector may be hostile: a name that is not safe becomes no name of a file.
 */
#include "mirror-internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/* Names come from the network: no others become names of files. */
static bool is_safe(const char *name)
{
	const char *at;

	for (at = name; isalnum((unsigned char)*at) || (*at && strchr("_-.:@", *at)); at++)
		;
	return !*at && *name && *name != '.' && at - name < 200;
}

static bool is_piece(const char *name)
{
	return strlen(name) >= 4 && strlen(name) < 10 && strspn(name, "0123456789") == strlen(name);
}

/* The last components of the path: PART, or PIECE/PART. */
void mirror_name_folder(struct mirror_folder *folder, char *path)
{
	char *part, *piece;

	while (*path && path[strlen(path) - 1] == '/')
		path[strlen(path) - 1] = '\0';
	part = strrchr(path, '/');
	if (part)
		*part = '\0';
	part = part ? part + 1 : path;
	piece = part == path ? NULL : strrchr(path, '/');
	piece = piece ? piece + 1 : path;
	if (!is_safe(part) || strlen(part) > 40)
		snprintf(folder->name, sizeof(folder->name), "trace-%llu", (unsigned long long)folder->id);
	else if (piece != part && is_piece(piece))
		folder->piece = atoi(piece);
	if (folder->piece)
		snprintf(folder->name, sizeof(folder->name), "%.12s/%.40s", piece, part);
	else if (!*folder->name)
		snprintf(folder->name, sizeof(folder->name), "%.40s", part);
}

void mirror_name_stream(char name[VIEWER_NAME], const struct viewer_stream *stream)
{
	if (is_safe(stream->name) && strcmp(stream->name, "metadata"))
		snprintf(name, VIEWER_NAME, "%s", stream->name);
	else
		snprintf(name, VIEWER_NAME, "stream-%llu", (unsigned long long)stream->id);
}

const char *mirror_part_name(const struct mirror_folder *folder)
{
	const char *slash = strchr(folder->name, '/');

	return slash ? slash + 1 : folder->name;
}

int mirror_path(const struct mirror *mirror, const struct mirror_folder *folder, const char *file, char path[PATH_MAX])
{
	if (snprintf(path, PATH_MAX, "%s/%s/%s", mirror->dir, folder->name, file) < PATH_MAX)
		return 0;
	errno = ENAMETOOLONG;
	return mirror_failed("create a file in", mirror->dir);
}

void mirror_piece_path(const struct mirror *mirror, const struct mirror_folder *folder, char *path, size_t size)
{
	snprintf(path, size, "%s/%.*s", mirror->dir, (int)strcspn(folder->name, "/"), folder->name);
}
