// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Objects: where the program and its libraries lie in memory.
 *
 * Nothing is looked at before an lttd wants it.  The library's thread looks when a program
 * or library with markers registers or goes, around dlclose(), and when an event
 * has a code address in an object that was not seen before.  For the last there is a table of
 * pages, which threads read and write without a lock; an entry that another has replaced
 * costs a look in vain.
 */
#include "objects.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sites.h"

#define TABLE_BITS	10
#define PAGE_SHIFT	12
#define EPOCH_SHIFT	45	/* page numbers of 57-bit addresses have as many bits */
#define GONE_MAX	64

/* Older C libraries, and others, do not have it. */
#ifdef DLFO_STRUCT_HAS_EH_DBASE
#pragma weak _dl_find_object
#endif

/* An entry is a page number and the epoch.  A new epoch begins when a library may have gone:
 * another can take its place. */
static uint64_t table[1 << TABLE_BITS];
static uint64_t epoch = 1;
static bool old;
static bool wanted;

/* Guarded by ltt_lock. */
static struct ltt_object *objects;	/* by number */
static uint64_t end_number;
static void (*call)(void);

/* ---- Code addresses ---- */

static uint64_t *find_entry(uint64_t key)
{
	return &table[key * 0x9e3779b97f4a7c15ULL >> (64 - TABLE_BITS)];
}

static uint64_t key_of(uint64_t address, uint64_t now)
{
	return address >> PAGE_SHIFT | now << EPOCH_SHIFT;
}

static bool is_seen(uint64_t key)
{
	return __atomic_load_n(find_entry(key), __ATOMIC_RELAXED) == key;
}

#ifdef DLFO_STRUCT_HAS_EH_DBASE
static void set_seen(uint64_t key)
{
	__atomic_store_n(find_entry(key), key, __ATOMIC_RELAXED);
}

/* Have the library's thread look.  If the lock is taken, that thread works, or another waits for
 * it: the next event may have to call it.  Return: true if it was called. */
static bool call_listener(void)
{
	struct ltt_section before;
	bool called;

	__atomic_store_n(&old, true, __ATOMIC_RELAXED);
	ltt_section_begin(&before);
	called = !pthread_mutex_trylock(&ltt_lock);
	if (called) {
		call();
		pthread_mutex_unlock(&ltt_lock);
	}
	ltt_section_end(&before);
	return called;
}

static __attribute__((noinline)) void see_page(uint64_t address, uint64_t now)
{
	struct dl_find_object object;
	uint64_t start;
	int saved = errno;

	/* Code that was generated is in no object. */
	if (!_dl_find_object || _dl_find_object((void *)(uintptr_t)address, &object))
		return;
	start = key_of((uintptr_t)object.dlfo_map_start, now);
	if (is_seen(start) || call_listener()) {
		set_seen(start);
		set_seen(key_of(address, now));
	}
	errno = saved;
}
#else
static void see_page(uint64_t address, uint64_t now)
{
	(void)address, (void)now;
}
#endif

void ltt_objects_see(uint64_t address)
{
	uint64_t now = __atomic_load_n(&epoch, __ATOMIC_RELAXED);

	if (!is_seen(key_of(address, now)) && __atomic_load_n(&wanted, __ATOMIC_RELAXED))
		see_page(address, now);
}

/* ---- The list ---- */

static void append(struct ltt_object *object)
{
	struct ltt_object **link;

	for (link = &objects; *link; link = &(*link)->next)
		;
	object->number = end_number++;
	object->next = NULL;
	*link = object;
}

static void free_oldest_gone(void)
{
	struct ltt_object *object, **link, **oldest = NULL;
	unsigned int nr = 0;

	for (link = &objects; (object = *link); link = &object->next) {
		if (object->is_there)
			continue;
		oldest = oldest ? oldest : link;
		nr++;
	}
	if (nr <= GONE_MAX)
		return;
	object = *oldest;
	*oldest = object->next;
	free(object);
}

static void remove_lost(void)
{
	struct ltt_object *object, **link = &objects;

	/* Those that are appended have found set. */
	while ((object = *link)) {
		if (object->found || !object->is_there) {
			link = &object->next;
			continue;
		}
		*link = object->next;
		object->is_there = false;
		append(object);
		free_oldest_gone();
		link = &objects;
	}
}

static struct ltt_object *find_same(const struct ltt_object *object, const char *path)
{
	struct ltt_object *same;

	for (same = objects; same; same = same->next)
		if (same->is_there && same->base == object->base && same->start == object->start &&
		    same->end == object->end && !strcmp(same->build_id, object->build_id) &&
		    !strcmp(same->path, path))
			return same;
	return NULL;
}

/* Without memory an object stays unknown. */
static void add(const struct ltt_object *found, const char *path)
{
	struct ltt_object *object = find_same(found, path);

	if (!object) {
		object = malloc(sizeof(*object) + strlen(path) + 1);
		if (!object)
			return;
		*object = *found;
		strcpy(object->path, path);
		object->is_there = true;
		append(object);
	}
	object->found = true;
}

/* ---- A look ---- */

/* The name of the file, absolute if possible. */
static void get_path(const struct dl_phdr_info *info, char *path, size_t size)
{
	const char *name = info->dlpi_name;
	ssize_t len;

	if (info->dlpi_addr && info->dlpi_addr == getauxval(AT_SYSINFO_EHDR)) {
		snprintf(path, size, "[vdso]");
		return;
	}
	if (!name || !*name) {
		len = readlink("/proc/self/exe", path, size - 1);
		path[len > 0 ? len : 0] = '\0';
		return;
	}
	/* The system call counts the NUL. */
	len = *name == '/' ? 0 : syscall(SYS_getcwd, path, size);
	snprintf(path + (len > 0 ? len - 1 : 0), size - (len > 0 ? len - 1 : 0), "%s%s", len > 0 ? "/" : "",
		 name);
}

/* Copy the build id from a segment of notes.  Return: false if it has none. */
static bool find_build_id(const char *notes, size_t size, char *text)
{
	const ElfW(Nhdr) *note;
	const unsigned char *id;
	size_t at = 0, used, i;

	while (at + sizeof(*note) <= size) {
		note = (const void *)(notes + at);
		used = sizeof(*note) + ((note->n_namesz + 3UL) & ~3UL) + ((note->n_descsz + 3UL) & ~3UL);
		if (used > size - at)
			return false;
		if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == sizeof(ELF_NOTE_GNU) &&
		    !memcmp(note + 1, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) &&
		    note->n_descsz <= (LTT_BUILD_ID_SIZE - 1) / 2) {
			id = (const unsigned char *)(note + 1) + ((note->n_namesz + 3UL) & ~3UL);
			for (i = 0; i < note->n_descsz; i++)
				sprintf(text + 2 * i, "%02x", id[i]);
			return true;
		}
		at += used;
	}
	return false;
}

/* Is a part of the object in memory that can be read? */
static bool is_loaded(const struct dl_phdr_info *info, const ElfW(Phdr) *part)
{
	const ElfW(Phdr) *segment;
	unsigned int i;

	for (i = 0; i < info->dlpi_phnum; i++) {
		segment = &info->dlpi_phdr[i];
		if (segment->p_type == PT_LOAD && segment->p_flags & PF_R && part->p_vaddr >= segment->p_vaddr &&
		    part->p_vaddr - segment->p_vaddr <= segment->p_filesz &&
		    part->p_memsz <= segment->p_filesz - (part->p_vaddr - segment->p_vaddr))
			return true;
	}
	return false;
}

static void get_build_id(const struct dl_phdr_info *info, char *text)
{
	const ElfW(Phdr) *segment;
	unsigned int i;

	for (i = 0; i < info->dlpi_phnum; i++) {
		segment = &info->dlpi_phdr[i];
		if (segment->p_type == PT_NOTE && is_loaded(info, segment) &&
		    find_build_id((const char *)(uintptr_t)(info->dlpi_addr + segment->p_vaddr),
				  segment->p_memsz, text))
			return;
	}
}

/* The loader keeps the object in memory meanwhile. */
static int look_at(struct dl_phdr_info *info, size_t size, void *unused)
{
	struct ltt_object object = { .base = info->dlpi_addr, .start = UINT64_MAX };
	char path[PATH_MAX + 256];
	uint64_t begin, end;
	unsigned int i;

	(void)size, (void)unused;
	for (i = 0; i < info->dlpi_phnum; i++) {
		if (info->dlpi_phdr[i].p_type != PT_LOAD)
			continue;
		begin = (info->dlpi_addr + info->dlpi_phdr[i].p_vaddr) & -1ULL << PAGE_SHIFT;
		end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
		object.start = begin < object.start ? begin : object.start;
		object.end = end > object.end ? end : object.end;
	}
	get_build_id(info, object.build_id);
	get_path(info, path, sizeof(path));
	if (object.end)
		add(&object, path);
	return 0;
}

void ltt_objects_look(void)
{
	struct ltt_object *object;

	if (!wanted || !__atomic_exchange_n(&old, false, __ATOMIC_ACQ_REL))
		return;
	for (object = objects; object; object = object->next)
		object->found = false;
	dl_iterate_phdr(look_at, NULL);
	remove_lost();
}

void ltt_objects_changed(void)
{
	__atomic_fetch_add(&epoch, 1, __ATOMIC_RELAXED);
	__atomic_store_n(&old, true, __ATOMIC_RELEASE);
}

void ltt_objects_want(void)
{
	__atomic_store_n(&wanted, true, __ATOMIC_RELAXED);
	ltt_objects_changed();
}

bool ltt_objects_are_wanted(void)
{
	return __atomic_load_n(&wanted, __ATOMIC_RELAXED);
}

bool ltt_objects_are_old(void)
{
	return __atomic_load_n(&old, __ATOMIC_ACQUIRE);
}

void ltt_objects_set_call(void (*fn)(void))
{
	call = fn;
}

uint64_t ltt_objects_end(void)
{
	return end_number;
}

const struct ltt_object *ltt_objects_next(uint64_t number)
{
	const struct ltt_object *object = objects;

	while (object && object->number < number)
		object = object->next;
	return object;
}
