// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The trace of a user's programs: DIR/user-UID.
 *
 * Layer: lttd.
 */
#include "user.h"
#include "common/user-trace.h"
#include "lttd/disk.h"
#include "lttd/log.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "core/ctf.h"

/* Rings for a user's threads that have no restartable sequences and write at the same time.
 * Unused rings take no memory. */
#define THREAD_RINGS	64
#define WAIT_NS		200000000
#define REJECTED_SHOWN	20	/* markers of a user that are rejected with a message */

/* ---- Metadata ---- */

static int metadata_write(void *priv, const char *text, size_t len)
{
	return fwrite(text, 1, len, priv) == len ? 0 : -ENOMEM;
}

/* Append a block to the file; on failure cut the file back. */
static int append(struct user *user, const char *text, size_t len)
{
	size_t done = 0;
	ssize_t part;
	int err;

	while (done < len) {
		part = pwrite(user->metadata, text + done, len - done, user->metadata_size + done);
		if (part < 0 && errno != EINTR)
			break;
		done += part < 0 ? 0 : part;
	}
	if (done == len) {
		user->metadata_size += len;
		return 0;
	}
	err = errno;
	if (ftruncate(user->metadata, user->metadata_size))
		notice("cannot cut the metadata back: %s", strerror(errno));
	return fail("cannot write the metadata of user %u: %s", user->uid, strerror(err));
}

/* Describe the context fields that &ltt_shm.context selects.  Return: their number. */
static unsigned int context_fields(uint32_t context, struct ltt_field *fields)
{
	static const struct ltt_field all[] = {
		{ .name = "tid", .kind = LTT_FIELD_INT, .size = 4, .is_signed = true, .base = 10 },
		{ .name = "pid", .kind = LTT_FIELD_INT, .size = 4, .is_signed = true, .base = 10 },
		{ .name = "name", .kind = LTT_FIELD_STRING, .size = 1 },
	};
	unsigned int i, nr = 0;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (context >> i & 1)
			fields[nr++] = all[i];
	return nr;
}

static int put_start(struct user *user, const struct clock *clock, struct ltt_ctf *ctf)
{
	struct ltt_field context[3];
	unsigned int nr_context = context_fields(user->trace.events.context, context);
	struct utsname uts;
	char uid[16];
	const char *const env[][2] = {
		{ "domain", "ust" },
		{ "sysname", uts.sysname },
		{ "kernel_release", uts.release },
		{ "hostname", uts.nodename },
		{ "tracer_buffering_scheme", "uid" },
		{ "tracer_buffering_id", uid },
		{ "producer", "LTT" },
	};
	struct ltt_ctf_trace trace = {
		.uuid = user->trace.uuid,
		.clock_name = clock->name,
		.clock_description = clock->description,
		.clock_uuid = clock->uuid,
		.freq = clock->freq,
		.offset_s = clock->offset_s,
		.offset = clock->offset,
		.env = env,
		.nr_env = sizeof(env) / sizeof(env[0]),
	};

	if (uname(&uts))
		return -errno;
	snprintf(uid, sizeof(uid), "%u", user->uid);
	ltt_ctf_put_trace(ctf, &trace);
	ltt_ctf_put_stream(ctf, 0, "events", context, nr_context);
	notes_describe(ctf);
	return ctf->err;
}

static int put_event(struct ltt_ctf *ctf, uint32_t id, const struct event *event)
{
	ltt_ctf_put_event(ctf, 0, id, event->group, event->name, event->fields.field,
			  event->nr_fields);
	return ctf->err;
}

/* Write the metadata of the trace, or, if @clock is NULL, of the event @id. */
static int describe(struct user *user, const struct clock *clock, uint32_t id)
{
	char *text = NULL;
	size_t len = 0;
	FILE *memory = open_memstream(&text, &len);
	struct ltt_ctf ctf = { .write = metadata_write, .priv = memory };
	int err;

	if (!memory)
		return fail("out of memory");
	err = clock ? put_start(user, clock, &ctf) : put_event(&ctf, id, user->trace.events.event[id]);
	if (fclose(memory))
		err = -errno;
	err = err ? fail("cannot create the metadata: %s", strerror(-err)) : append(user, text, len);
	free(text);
	return err;
}

static bool is_rejected(const struct user *user, const char *text)
{
	const struct rejected *rejected;

	for (rejected = user->rejected; rejected; rejected = rejected->next)
		if (!strcmp(rejected->text, text))
			return true;
	return false;
}

/* Count a marker once, however many programs and places have it. */
static int reject(struct user *user, const struct marker *marker, const char *why)
{
	char group[LTT_MARK_NAME_SIZE], name[LTT_MARK_NAME_SIZE], format[100], text[640];
	struct rejected *rejected;

	copy_printable(group, sizeof(group), marker->group);
	copy_printable(name, sizeof(name), marker->name);
	copy_printable(format, sizeof(format), marker->format);
	snprintf(text, sizeof(text), "marker %s:%s with format \"%s\": %s", group, name, format, why);
	if (user->nr_rejected == USER_TRACE_REJECTED_MAX || is_rejected(user, text))
		return 0;
	rejected = malloc(sizeof(*rejected) + strlen(text) + 1);
	if (!rejected)
		return fail("out of memory");
	strcpy(rejected->text, text);
	rejected->next = user->rejected;
	user->rejected = rejected;
	if (user->nr_rejected < REJECTED_SHOWN)
		notice("rejected %s", text);
	else if (user->nr_rejected == REJECTED_SHOWN)
		notice("user %u: messages about further rejected markers are suppressed", user->uid);
	user->nr_rejected++;
	return 0;
}

int user_event(struct user *user, const struct marker *marker, uint32_t *number)
{
	uint32_t known = user->trace.events.nr;
	const char *why;
	int err = events_number(&user->trace.events, marker, number, &why);

	if (err == -1)
		return reject(user, marker, why) ? -2 : -1;
	if (err) {
		fail("out of memory");
		return -2;
	}
	return *number == known && describe(user, NULL, known) ? -2 : 0;
}

/* ---- Buffers ---- */

static uint32_t nr_cpus(void)
{
	char line[256] = "", *last;
	FILE *f = fopen("/sys/devices/system/cpu/possible", "re");
	size_t len = f ? fread(line, 1, sizeof(line) - 1, f) : 0;

	if (f)
		fclose(f);
	last = line + len;
	while (last > line && strchr("0123456789\n", last[-1]))
		last--;
	return len ? strtol(last, NULL, 10) + 1 : sysconf(_SC_NPROCESSORS_CONF);
}

static int open_buffers(struct user *user, const struct buffers *buffers)
{
	uint32_t cpus = nr_cpus(), rings = cpus + THREAD_RINGS, i;
	size_t size = ltt_shm_size(rings, buffers->nr_sb, buffers->sb_order);
	int err;

	user->memfd = memfd_create("ltt", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (user->memfd < 0 || ftruncate(user->memfd, size) ||
	    fcntl(user->memfd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
		return fail("cannot create buffers of %zu bytes: %s", size, strerror(errno));
	user->trace.shm.overwrite = buffers->overwrite;
	user->trace.shm.lossless_ms = buffers->lossless_ms;
	user->trace.shm.context = buffers->context;
	err = ltt_shm_map(&user->trace.shm, user->memfd, cpus, rings, buffers->nr_sb,
			  buffers->sb_order);
	if (err)
		return fail("cannot map buffers of %zu bytes: %s", size, strerror(-err));
	user->ring = calloc(rings, sizeof(*user->ring));
	user->trace.packet = malloc(ring_packet_room(&user->trace.shm));
	if (!user->ring || !user->trace.packet)
		return fail("out of memory");
	for (i = 0; i < rings; i++)
		ring_init(&user->ring[i], &user->trace, i);
	return 0;
}

/* Turn the futex @closed, which counts closed sub-buffers, into the eventfd @full: epoll
 * cannot wait for a futex. */
static void *wait_for_full(void *arg)
{
	struct user *user = arg;
	struct ltt_shm_ring *first = ltt_shm_ring(&user->trace.shm, 0);
	/* A timeout, because programs can damage the futex. */
	const struct timespec timeout = { .tv_nsec = WAIT_NS };
	uint32_t seen;

	while (!__atomic_load_n(&user->ending, __ATOMIC_ACQUIRE)) {
		/* A(closed:R): the loop's loads of heads after this; pairs with A(closed:S). */
		seen = __atomic_load_n(&first->closed, __ATOMIC_ACQUIRE);
		if (eventfd_write(user->full, 1))
			break;
		syscall(SYS_futex, &first->closed, FUTEX_WAIT, seen, &timeout, NULL, 0);
	}
	return NULL;
}

static int start_waiter(struct user *user)
{
	int err;

	user->full = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (user->full < 0)
		return fail("cannot wait for programs: %s", strerror(errno));
	/* Also for a flight recorder, which is not read when sub-buffers become full: see
	 * user_prepare(). */
	__atomic_store_n(&ltt_shm_ring(&user->trace.shm, 0)->waiting, 1, __ATOMIC_SEQ_CST);
	err = pthread_create(&user->waiter, NULL, wait_for_full, user);
	if (err) {
		close(user->full);
		user->full = -1;
		return fail("cannot wait for programs: %s", strerror(err));
	}
	return 0;
}

static void stop_waiter(struct user *user)
{
	struct ltt_shm_ring *first = ltt_shm_ring(&user->trace.shm, 0);

	__atomic_store_n(&user->ending, true, __ATOMIC_RELEASE);
	__atomic_fetch_add(&first->closed, 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, &first->closed, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
	pthread_join(user->waiter, NULL);
}

/* ---- The trace ---- */


int user_refuse_old(const char *root)
{
	DIR *dir = opendir(root);
	struct dirent *entry = NULL;
	int err;

	if (!dir)
		return fail("cannot read directory %s: %s", root, strerror(errno));
	while (errno = 0, (entry = readdir(dir)) && !user_trace_is(entry->d_name))
		;
	err = errno;
	if (entry)
		fail("%s/%s holds another trace: choose another directory, or remove the trace", root,
		     entry->d_name);
	else if (err)
		fail("cannot read directory %s: %s", root, strerror(err));
	closedir(dir);
	return entry || err ? -1 : 0;
}

static int open_folder(struct user *user, const char *root)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/" USER_TRACE "%u", root, user->uid) >= (int)sizeof(path))
		return fail("%s: the name is too long", root);
	if (mkdir(path, 0755))
		return fail("cannot create directory %s: %s", path,
			    errno == EEXIST ? "it holds another trace" : strerror(errno));
	user->trace.dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (user->trace.dir >= 0)
		user->metadata = openat(user->trace.dir, "metadata",
					O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	user->notes.dir = user->trace.dir;
	user->notes.uuid = user->trace.uuid;
	if (user->metadata >= 0)
		return 0;
	fail("cannot create %s/metadata: %s", path, strerror(errno));
	rmdir(path);
	return -1;
}

struct user *user_new(uid_t uid, const char *root, const struct clock *clock,
		      const struct buffers *buffers)
{
	struct user *user = calloc(1, sizeof(*user));

	if (!user) {
		fail("out of memory");
		return NULL;
	}
	user->uid = uid;
	user->trace.events.context = buffers->context;
	user->trace.dir = user->notes.out = user->memfd = user->metadata = user->full = -1;
	if (getrandom(user->trace.uuid, sizeof(user->trace.uuid), 0) < 0) {
		fail("cannot get random numbers: %s", strerror(errno));
		goto err_free;
	}
	if (open_folder(user, root) || describe(user, clock, 0) || open_buffers(user, buffers) ||
	    start_waiter(user))
		goto err_free;
	return user;

err_free:
	user_discard(user, root);
	return NULL;
}

void user_prepare(struct user *user)
{
	bool begun = false, rest = false;
	uint32_t i;

	for (i = 0; i < user->trace.shm.nr_rings; i++) {
		if (!__atomic_load_n(&user->ring[i].reader.ring->head, __ATOMIC_RELAXED))
			continue;
		begun = true;
		rest |= !ring_prepare(&user->ring[i], &user->trace);
	}
	__atomic_store_n(&ltt_shm_ring(&user->trace.shm, 0)->waiting, rest || !begun, __ATOMIC_RELAXED);
}

int user_take(struct user *user, bool partial)
{
	uint32_t i;
	int ret = 0;

	for (i = 0; i < user->trace.shm.nr_rings && !ret; i++)
		ret = ring_take(&user->ring[i], &user->trace, partial, user->trace.shm.nr_sb + 1);
	return ret;
}

void user_count(const struct user *user, struct user_counts *counts)
{
	uint32_t i;

	*counts = (struct user_counts){ .bytes = user->metadata_size };
	for (i = 0; i < user->trace.shm.nr_rings; i++) {
		counts->stored += user->ring[i].stored;
		counts->lost += user->ring[i].lost + !!user->ring[i].damaged;
		counts->bytes += user->ring[i].size;
		counts->overwritten += user->ring[i].overwritten;
	}
}

int user_end(struct user *user)
{
	uint32_t i;
	int ret, err;

	ret = user_take(user, true);
	for (i = 0; i < user->trace.shm.nr_rings && !ret; i++)
		ret = ring_report_losses(&user->ring[i], &user->trace);
	for (i = 0; i < user->trace.shm.nr_rings; i++)
		ret |= ring_end(&user->ring[i]);
	ret |= notes_end(&user->notes);
	err = disk_sync(user->metadata);
	if (err)
		return fail("cannot write the metadata of user %u: %s", user->uid, strerror(err));
	return user->incomplete ? -1 : ret;
}

static void free_rejected(struct user *user)
{
	struct rejected *rejected;

	while ((rejected = user->rejected)) {
		user->rejected = rejected->next;
		free(rejected);
	}
}

void user_free(struct user *user)
{
	int fds[] = { user->trace.dir, user->memfd, user->metadata, user->full,
		      user->notes.out };
	size_t i;

	if (user->full >= 0)
		stop_waiter(user);
	if (user->trace.shm.base)
		ltt_shm_unmap(&user->trace.shm);
	for (i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	events_free(&user->trace.events);
	free_rejected(user);
	free(user->trace.packet);
	free(user->ring);
	free(user);
}

/* Remove the directory: it is not a valid trace, and would make the next attempt fail. */
void user_discard(struct user *user, const char *root)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/" USER_TRACE "%u", root, user->uid);
	if (user->metadata >= 0 && (unlinkat(user->trace.dir, "metadata", 0) || rmdir(path)))
		notice("cannot remove %s: %s", path, strerror(errno));
	user_free(user);
}
