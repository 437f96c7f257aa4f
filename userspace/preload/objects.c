// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * libltt-objects.so: where the program and its libraries lie in memory.
 *
 * An event with a code address is preceded, in its process, by an event ltt:object_mapped
 * for the object that has this address.  So only objects that occur in a trace are recorded,
 * dlopen() needs no attention, and no thread waits or takes a lock: _dl_find_object()
 * takes none.
 *
 * The table of recorded objects is valid for one epoch.  A new one begins when a library is
 * unloaded, as another can take its place; in the child of a fork(); and when another
 * recording begins.  Threads and handlers that race record an object twice, which is harmless.
 *
 * It also has the vfork() of libltt (vfork.S): the C library comes before libltt in programs
 * that are not linked with that.
 */
#include "preload.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libltt/thread.h"

#define TABLE_SIZE	1024
#define PROBES_MAX	16
#define PAGE_SHIFT	12
#define EPOCH_SHIFT	45	/* page numbers of 57-bit addresses have as many bits */
#define BUILD_ID_MAX	32

/* An entry is the page number of an object's start, and the epoch.  0: free. */
static uint64_t table[TABLE_SIZE];
static uint64_t epoch = 1;
static const struct ltt_target *reported_to;
static struct dl_find_object libltt;

/* ---- The table ---- */

static void begin_epoch(void)
{
	__atomic_fetch_add(&epoch, 1, __ATOMIC_RELAXED);
}

/* Return: the entry of an object, or one that it can have; NULL if there is none. */
static uint64_t *find_entry(uint64_t key, uint64_t now)
{
	unsigned int at = key * 0x9e3779b97f4a7c15ULL >> 54, i;
	uint64_t entry;

	for (i = 0; i < PROBES_MAX; i++, at++) {
		entry = __atomic_load_n(&table[at % TABLE_SIZE], __ATOMIC_RELAXED);
		/* Entries of former epochs are free. */
		if (entry == key || entry >> EPOCH_SHIFT != (now << EPOCH_SHIFT) >> EPOCH_SHIFT)
			return &table[at % TABLE_SIZE];
	}
	return NULL;
}

/* ---- The event ---- */

/* The name of the file, absolute if possible. */
static void get_path(const struct link_map *map, char *path, size_t size)
{
	ssize_t len;

	if (!*map->l_name) {
		len = readlink("/proc/self/exe", path, size - 1);
		path[len > 0 ? len : 0] = '\0';
		return;
	}
	/* The system call counts the NUL. */
	len = *map->l_name == '/' ? 0 : syscall(SYS_getcwd, path, size);
	snprintf(path + (len > 0 ? len - 1 : 0), size - (len > 0 ? len - 1 : 0), "%s%s", len > 0 ? "/" : "",
		 map->l_name);
}

/* Copy the build id from a segment of notes. */
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
		    !memcmp(note + 1, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) && note->n_descsz <= BUILD_ID_MAX) {
			id = (const unsigned char *)(note + 1) + ((note->n_namesz + 3UL) & ~3UL);
			for (i = 0; i < note->n_descsz; i++)
				sprintf(text + 2 * i, "%02x", id[i]);
			return true;
		}
		at += used;
	}
	return false;
}

/* The file's header is at the start of the first segment, nearly always. */
static void get_build_id(const struct dl_find_object *object, char *text)
{
	const ElfW(Ehdr) *header = object->dlfo_map_start;
	const ElfW(Phdr) *segment;
	unsigned int i;

	*text = '\0';
	if (memcmp(header->e_ident, ELFMAG, SELFMAG) ||
	    header->e_phoff + header->e_phnum * sizeof(*segment) > 1UL << PAGE_SHIFT)
		return;
	segment = (const void *)((const char *)header + header->e_phoff);
	for (i = 0; i < header->e_phnum; i++, segment++)
		if (segment->p_type == PT_NOTE &&
		    find_build_id((const char *)object->dlfo_link_map->l_addr + segment->p_vaddr,
				  segment->p_memsz, text))
			return;
}

static NOINLINE void report(const struct dl_find_object *object)
{
	char path[2 * LTT_MARK_STRING_MAX], build_id[2 * BUILD_ID_MAX + 1];

	get_path(object->dlfo_link_map, path, sizeof(path));
	get_build_id(object, build_id);
	trace_mark(ltt, object_mapped, "base %p start %p end %p path %s build_id %s",
		   (void *)object->dlfo_link_map->l_addr, object->dlfo_map_start, object->dlfo_map_end,
		   path, build_id);
}

/* ---- Code addresses ---- */

static NOINLINE void see_other(const void *address, struct preload_seen *seen, uint64_t now)
{
	struct dl_find_object object;
	uint64_t key, *entry;
	int saved = errno;

	/* The second is for code that was generated: it is in no object. */
	if (ltt_context == LTT_CONTEXT_OFF || _dl_find_object((void *)address, &object))
		return;
	key = (uintptr_t)object.dlfo_map_start >> PAGE_SHIFT | now << EPOCH_SHIFT;
	entry = find_entry(key, now);
	if (!entry || __atomic_load_n(entry, __ATOMIC_RELAXED) != key)
		report(&object);
	/* After the event: a handler in between records the object itself. */
	if (entry)
		__atomic_store_n(entry, key, __ATOMIC_RELAXED);
	*seen = (struct preload_seen){
		.start = (uintptr_t)object.dlfo_map_start,
		.size = (uintptr_t)object.dlfo_map_end - (uintptr_t)object.dlfo_map_start,
		.epoch = now,
	};
	errno = saved;
}

PRELOAD_API void preload_see(const void *address, struct preload_seen *seen)
{
	const struct ltt_site *site = __start_ltt_sites;
	const struct ltt_target *targets;
	uint64_t now;

	if (!__atomic_load_n(&site->enabled, __ATOMIC_RELAXED))
		return;
	targets = __atomic_load_n(&site->targets, __ATOMIC_RELAXED);
	if (UNLIKELY(targets != __atomic_load_n(&reported_to, __ATOMIC_RELAXED))) {
		begin_epoch();
		__atomic_store_n(&reported_to, targets, __ATOMIC_RELAXED);
	}
	now = __atomic_load_n(&epoch, __ATOMIC_RELAXED);
	if (UNLIKELY((uintptr_t)address - seen->start >= seen->size || seen->epoch != now))
		see_other(address, seen, now);
}

PRELOAD_API bool preload_is_own(const void *address)
{
	return address >= libltt.dlfo_map_start && address < libltt.dlfo_map_end;
}

PRELOAD_API bool preload_wants(const void *caller, struct preload_seen *seen)
{
	if (preload_is_own(caller) || ltt_context == LTT_CONTEXT_OFF)
		return false;
	preload_see(caller, seen);
	return true;
}

/* ---- Libraries that are unloaded, and children ---- */

/**
 * dlclose() - as of the C library
 * @handle: as of dlopen()
 *
 * dlopen() is not replaced: it looks at its caller, to find where to search for the library.
 *
 * Return: as of the C library.
 */
PRELOAD_API int dlclose(void *handle)
{
	int (*real)(void *handle) = (int (*)(void *))dlsym(RTLD_NEXT, "dlclose");
	int result = real(handle);

	begin_epoch();
	return result;
}

/* Before the constructors that register sites, which have priority 200. */
static __attribute__((constructor(199))) void begin(void)
{
	_dl_find_object(dlsym(RTLD_NEXT, "ltt_mark_0"), &libltt);
	pthread_atfork(NULL, NULL, begin_epoch);
}
