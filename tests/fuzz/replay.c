// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Runs a fuzzer's cases again, each once: replay FOLDER...
 *
 * Layer: tests.  In place of libFuzzer, for a fuzzer that gcc has compiled to count lines.
 */
#include <dirent.h>
#include <err.h>
#include <stdint.h>
#include <stdio.h>

#define CASE_MAX 1024	/* -max_len of the Makefile: a fuzzer leaves the rest away as well */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);	/* not all have it */

static void run(const char *folder, const char *name)
{
	static uint8_t data[CASE_MAX];
	char path[4096];
	size_t size;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "r");
	if (!file)
		err(1, "%s", path);
	size = fread(data, 1, sizeof(data), file);
	if (ferror(file))
		err(1, "%s", path);
	fclose(file);
	LLVMFuzzerTestOneInput(data, size);
}

int main(int argc, char **argv)
{
	struct dirent *entry;
	int i, count = 0;
	DIR *dir;

	if (LLVMFuzzerInitialize)
		LLVMFuzzerInitialize(&argc, &argv);
	for (i = 1; i < argc; i++) {
		dir = opendir(argv[i]);
		if (!dir)
			err(1, "%s", argv[i]);
		while ((entry = readdir(dir)))
			if (entry->d_type == DT_REG) {
				run(argv[i], entry->d_name);
				count++;
			}
		closedir(dir);
	}
	if (!count)
		errx(1, "there is no case");
	printf("%d cases again\n", count);
	return 0;
}
