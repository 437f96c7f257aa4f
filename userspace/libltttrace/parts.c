// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The directories of a recording: its parts, and the pieces in which they are.
 *
 * Layer: libltttrace.
 */
#include "internal.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void part_free(struct part *part)
{
	struct folder *folder;
	size_t i;

	while ((folder = part->folders)) {
		part->folders = folder->next;
		free(folder->path);
		free(folder);
	}
	for (i = 0; i < part->nr_env; i++) {
		free(part->env[i].name);
		free(part->env[i].value);
	}
	free(part->env);
	metadata_free(part);
	free((void *)part->public.path);
	free((void *)part->public.name);
	free(part);
}

/* Remove a part that was not added, with its events, which are the last ones. */
static void part_drop(struct part *part)
{
	struct ltttrace *trace = part->trace;

	while (trace->events && trace->event[trace->events - 1]->public.part == &part->public)
		event_free(trace->event[--trace->events]);
	part_free(part);
}

/* State of the system, and samples of the machine's clock: "state" and "clock" have the same length. */
static bool is_state_name(const char *name)
{
	if (strncmp(name, "state", 5) && strncmp(name, "clock", 5))
		return false;
	return !name[5] || (name[5] == '-' && name[6] && !name[6 + strspn(name + 6, "0123456789")]);
}

static struct part *part_make(struct ltttrace *trace, const char *path, const unsigned char *uuid)
{
	struct part *part = calloc(1, sizeof(*part));
	char full[PATH_MAX];

	if (!part)
		return NULL;
	part->trace = trace;
	memcpy(part->public.uuid, uuid, 16);
	part->public.path = strdup(path);
	/* The name of "." is that of the directory. */
	part->public.name = strdup(basename(realpath(path, full) ? full : path));
	if (!part->public.path || !part->public.name) {
		part_free(part);
		return NULL;
	}
	part->public.is_state = is_state_name(part->public.name);
	part->public.number = trace->parts;
	return part;
}

static struct folder *folder_find(struct part *part, const char *path)
{
	struct folder *folder = part->folders;

	while (folder && strcmp(folder->path, path))
		folder = folder->next;
	return folder;
}

/* Return: the new directory, which is the last of its part; NULL without memory. */
static struct folder *folder_add(struct part *part, const char *path)
{
	struct folder *folder = calloc(1, sizeof(*folder)), **last = &part->folders;

	if (!folder)
		return NULL;
	folder->path = strdup(path);
	if (!folder->path) {
		free(folder);
		return NULL;
	}
	while (*last)
		last = &(*last)->next;
	*last = folder;
	return folder;
}

static struct part *part_find(const struct ltttrace *trace, const unsigned char *uuid, const char *path)
{
	char full[PATH_MAX];
	const char *name = basename(realpath(path, full) ? full : path);
	size_t i;

	for (i = 0; i < trace->parts; i++)
		if (!memcmp(trace->part[i]->public.uuid, uuid, 16) && !strcmp(trace->part[i]->public.name, name))
			return trace->part[i];
	return NULL;
}

/* Add a part that the trace does not have. */
static int part_add(struct ltttrace *trace, const char *path, const unsigned char *uuid, struct part **added,
		    struct ltttrace_error *error)
{
	struct part *part = part_make(trace, path, uuid);
	struct folder *folder = part ? folder_add(part, path) : NULL;
	int err = folder ? metadata_read(part, folder, error) : no_memory(error);

	if (!err && list_add(&trace->part, &trace->parts, part))
		err = no_memory(error);
	if (err) {
		if (part)
			part_drop(part);
		return err;
	}
	part->public.host = ltttrace_env(&part->public, "hostname") ?: "";
	part_correct(part);
	trace->changed = true;
	*added = part;
	return 0;
}

/* Find the part of a directory that has a file "metadata", or add it.  Return: 0; -EAGAIN: lttd has not written the metadata yet. */
static int find_or_add(struct ltttrace *trace, const char *path, struct part **part, struct folder **folder,
		       struct ltttrace_error *error)
{
	unsigned char uuid[16];
	size_t i;
	int err;

	for (i = 0; i < trace->parts; i++) {
		*part = trace->part[i];
		*folder = folder_find(*part, path);
		if (*folder)
			return 0;
	}
	err = metadata_uuid(path, uuid, error);
	if (err)
		return err;
	*part = part_find(trace, uuid, path);
	if (*part) {
		*folder = folder_add(*part, path);
		return *folder ? 0 : no_memory(error);
	}
	err = part_add(trace, path, uuid, part, error);
	if (!err)
		*folder = (*part)->folders;
	return err == -EBADMSG && trace->generation ? -EAGAIN : err;
}

/* Add a directory that has a file "metadata".  Return: 0; -EAGAIN: lttd has not written the metadata yet. */
static int add_part(struct ltttrace *trace, const char *path, struct ltttrace_error *error)
{
	struct folder *folder;
	struct part *part;
	int err = find_or_add(trace, path, &part, &folder, error);

	/* Metadata is read after the sizes of files: it describes all that is in them. */
	return err ?: add_files(part, folder, error) ?: metadata_read(part, folder, error);
}

/* --- Directories ------------------------------------------------------------------ */

static bool is_part(const char *path)
{
	char metadata[PATH_MAX + sizeof("/metadata")];

	snprintf(metadata, sizeof(metadata), "%s/metadata", path);
	return !access(metadata, F_OK);
}

/**
 * struct visit - a directory of parts
 * @trace: the trace
 * @path: the directory
 * @depth: 0, or 1 within a piece
 * @parts: number of parts that were found
 */
struct visit {
	struct ltttrace *trace;
	const char *path;
	unsigned int depth;
	size_t parts;
};

/* lttd makes a piece with a file "open", which it removes when it closes the piece. */
static bool is_open_piece(const struct visit *visit)
{
	char mark[PATH_MAX + sizeof("/open")];

	snprintf(mark, sizeof(mark), "%s/open", visit->path);
	return visit->depth && !access(mark, F_OK);
}

static int visit_part(const char *name, void *data, struct ltttrace_error *error)
{
	struct visit *visit = data, piece = { .trace = visit->trace, .depth = 1 };
	char path[PATH_MAX];
	int err = 0;

	if (*name == '.' || snprintf(path, sizeof(path), "%s/%s", visit->path, name) >= (int)sizeof(path))
		return 0;
	if (is_part(path)) {
		if (is_state_name(name) && !(visit->trace->flags & LTTTRACE_WITH_STATES))
			return 0;
		visit->parts++;
		err = add_part(visit->trace, path, error);
		/* Beside the traces, one that a power cut has left without metadata is not worth a failure. */
		if (err == -EAGAIN)
			err = is_state_name(name) || visit->trace->generation || is_open_piece(visit) ? 0 : -EBADMSG;
		/* It was deleted in the meantime. */
		return err == -ENOENT && visit->trace->generation ? 0 : err;
	}
	piece.path = path;
	if (!visit->depth && strspn(name, "0123456789") >= 4 && !access(path, X_OK))
		err = for_each_entry(path, visit_part, &piece, error);
	visit->parts += piece.parts;
	/* A file of this name, or a piece that was deleted in the meantime. */
	return err == -ENOTDIR || err == -ENOENT ? 0 : err;
}

int add_path(struct ltttrace *trace, const char *path, struct ltttrace_error *error)
{
	struct visit visit = { .trace = trace, .path = path };
	int err;

	if (is_part(path)) {
		err = add_part(trace, path, error);
		return err == -EAGAIN ? (trace->generation ? 0 : -EBADMSG) : err;
	}
	err = for_each_entry(path, visit_part, &visit, error);
	if (!err && !visit.parts)
		err = trace_error(error, -ENODATA, "%s: contains no trace", path);
	return err;
}

