// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The build ids of the files that processes have mapped.
 *
 * Layer: lttd state.  A process can map any file, and exchange it at any time.  So a file is opened by
 * O_PATH, which has no effect on it, and read only if it is then seen to be a regular one.  libelf checks
 * what it reads.  This file limits how much that is, and dump.c all of lttd's memory: the headers of
 * a sparse file cost nothing, and can claim millions of sections.
 */
#include "build-ids.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define BUCKETS		1024
#define FILES_MAX	16384	/* then the cache starts anew, so that its memory is bounded */
#define SEGMENTS_MAX	128	/* files with more have no build id here */
#define NOTES_MAX	65536	/* bytes; longer segments of notes are not read */

struct file {
	struct file *next;
	dev_t dev;
	ino_t inode;
	struct timespec changed;
	struct build_id id;
};

struct build_ids {
	unsigned int nr;
	struct file *bucket[BUCKETS];
};

/* Return: true if @notes has a build id, which @text receives. */
static bool find_note(Elf_Data *notes, char *text)
{
	size_t at = 0, name, data, i;
	const unsigned char *bytes;
	GElf_Nhdr note;

	while (notes && (at = gelf_getnote(notes, at, &note, &name, &data))) {
		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof(ELF_NOTE_GNU) ||
		    memcmp((char *)notes->d_buf + name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) ||
		    note.n_descsz > BUILD_ID_MAX)
			continue;
		bytes = (const unsigned char *)notes->d_buf + data;
		for (i = 0; i < note.n_descsz; i++)
			sprintf(text + 2 * i, "%02x", bytes[i]);
		return true;
	}
	return false;
}

static void read_elf(Elf *elf, struct build_id *id)
{
	bool is_loaded = false;
	GElf_Phdr segment;
	size_t nr, i;

	if (elf_kind(elf) != ELF_K_ELF || elf_getphdrnum(elf, &nr) || nr > SEGMENTS_MAX)
		return;
	for (i = 0; i < nr; i++) {
		if (!gelf_getphdr(elf, i, &segment))
			return;
		if (segment.p_type == PT_NOTE && segment.p_filesz <= NOTES_MAX && !*id->text)
			find_note(elf_getdata_rawchunk(elf, segment.p_offset, segment.p_filesz, ELF_T_NHDR), id->text);
		if (segment.p_type == PT_LOAD && !is_loaded) {
			is_loaded = true;
			id->bias = segment.p_vaddr - segment.p_offset;
		}
	}
}

/* @place: the file, by O_PATH */
static int read_file(int place, struct build_id *id)
{
	char path[32];
	Elf *elf;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", place);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf) {
		read_elf(elf, id);
		elf_end(elf);
	}
	close(fd);
	return 0;
}

static void forget(struct build_ids *ids)
{
	struct file *file;
	size_t i;

	for (i = 0; i < BUCKETS; i++) {
		while ((file = ids->bucket[i])) {
			ids->bucket[i] = file->next;
			free(file);
		}
	}
	ids->nr = 0;
}

static struct file **bucket_of(struct build_ids *ids, const struct stat *st)
{
	return &ids->bucket[(st->st_ino ^ st->st_dev) % BUCKETS];
}

static const struct file *find(struct build_ids *ids, const struct stat *st)
{
	const struct file *file = *bucket_of(ids, st);

	while (file && (file->inode != st->st_ino || file->dev != st->st_dev ||
			memcmp(&file->changed, &st->st_mtim, sizeof(file->changed))))
		file = file->next;
	return file;
}

/* Without memory for it, the file is read again when it is next mapped. */
static void add(struct build_ids *ids, const struct stat *st, const struct build_id *id)
{
	struct file *file, **bucket = bucket_of(ids, st);

	if (ids->nr == FILES_MAX)
		forget(ids);
	file = malloc(sizeof(*file));
	if (!file)
		return;
	*file = (struct file){ *bucket, st->st_dev, st->st_ino, st->st_mtim, *id };
	*bucket = file;
	ids->nr++;
}

/* btrfs and overlayfs give the files of one mount several devices, which have no major number. */
static bool is_same(const struct stat *st, dev_t dev, ino_t inode)
{
	return st->st_ino == inode && (st->st_dev == dev || !major(st->st_dev));
}

static int get(struct build_ids *ids, int place, const struct stat *st, struct build_id *found)
{
	const struct file *file = find(ids, st);
	int err;

	if (file) {
		*found = file->id;
		return 0;
	}
	err = read_file(place, found);
	if (!err)
		add(ids, st, found);
	return err;
}

int build_ids_get(struct build_ids *ids, int dir, const char *path, dev_t dev, ino_t inode, struct build_id *found)
{
	int place = openat(dir, path, O_PATH | O_CLOEXEC), err = 0;
	struct stat st;

	*found = (struct build_id){ .bias = 0 };
	if (place < 0)
		return -errno;
	if (fstat(place, &st))
		err = -errno;
	else if (!is_same(&st, dev, inode))
		err = -ESTALE;
	else if (S_ISREG(st.st_mode))
		err = get(ids, place, &st, found);
	close(place);
	return err;
}

struct build_ids *build_ids_new(void)
{
	return elf_version(EV_CURRENT) == EV_NONE ? NULL : calloc(1, sizeof(struct build_ids));
}

void build_ids_free(struct build_ids *ids)
{
	if (ids)
		forget(ids);
	free(ids);
}
