/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A file that a command writes as a whole, such as a picture of a recording.
 *
 *	output_file_open(&out, path, dirs)
 *	fwrite(..., out.stream)
 *	output_file_commit(&out), or output_file_drop(&out)
 *
 * The file has its name only when it is whole: then it replaces a file of that name.  Before, and after an
 * interrupt, the directory is as it was.  A pipe, a terminal or a device is written to directly, and so is standard
 * output, "-".
 *
 * Layer: lttctl model.  Functions that return int return an exit status, after a message.  One file can be open at a time.
 */
#ifndef LTTCTL_MODEL_OUTPUT_FILE_H
#define LTTCTL_MODEL_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

/**
 * struct output_file - a file that is being written
 * @stream: to write to; output_file_commit() reports its errors
 * @path: private: the name as the user gave it
 * @target: private: the name without symbolic links; NULL if the file is written to directly
 * @temporary: private: the name of the unfinished file; NULL while it has none
 * @mode: private: permissions of the file that is replaced; -1 if there is none
 */
struct output_file {
	FILE *stream;
	const char *path;
	char *target;
	char *temporary;
	int mode;
};

/**
 * output_file_open() - begin to write a file
 * @out: describes it afterwards
 * @path: its name, which must stay; "-" is standard output
 * @inputs: directories that the command reads, and NULL after the last; NULL for none
 *
 * Rejects a file that is in one of @inputs, by its name or as a link, and a name in a part of a recording, whose
 * readers take each file for a data stream.
 *
 * Return: 0; EXIT_FAILED: nothing is open.
 */
int output_file_open(struct output_file *out, const char *path, const char *const *inputs);

/* Give the file its name.  Return: 0; EXIT_FAILED: nothing has changed.  In either case it is closed. */
int output_file_commit(struct output_file *out);

/* Close the file, and leave nothing of it. */
void output_file_drop(struct output_file *out);

#endif /* LTTCTL_MODEL_OUTPUT_FILE_H */
