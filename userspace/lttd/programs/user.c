// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The trace of a user's programs: DIR/user-UID.
 *
 * Layer: lttd.
 */
#include "user.h"
#include "common/context.h"
#include "common/user-trace.h"
#include "lttd/disk.h"
#include "lttd/log.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "core/ctf.h"
#include "core/version.h"

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
		{ .name = "tid", .kind = LTT_FIELD_INT, .size = LTT_TASK_ID_SIZE, .is_signed = true, .base = 10 },
		{ .name = "pid", .kind = LTT_FIELD_INT, .size = LTT_TASK_ID_SIZE, .is_signed = true, .base = 10 },
		{ .name = "name", .kind = LTT_FIELD_STRING, .size = 1 },
		{ .name = "stack", .kind = LTT_FIELD_SEQUENCE, .size = 8, .base = 16 },
	};
	unsigned int i, nr = 0;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (context >> i & 1)
			fields[nr++] = all[i];
	for (i = 0; i < PERF_COUNTERS; i++)
		if (context >> LTT_CONTEXT_PERF_SHIFT >> i & 1)
			fields[nr++] = (struct ltt_field){
				.name = context_counters[i].field, .kind = LTT_FIELD_INT, .size = 8, .base = 10,
			};
	return nr;
}

static int put_start(struct user *user, const struct clock *clock, struct ltt_ctf *ctf)
{
	struct ltt_field context[4 + PERF_COUNTERS];
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
		LTT_VERSION_ENV,
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
int user_reject(struct user *user, const struct marker *marker, const char *why)
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

int user_event(struct user *user, struct event_share *share, const struct marker *marker, uint32_t *number)
{
	uint32_t known = user->trace.events.nr;
	const char *why;
	int err = events_number(&user->trace.events, share, marker, number, &why);

	if (err == -1)
		return user_reject(user, marker, why) ? -2 : -1;
	if (err) {
		fail("out of memory");
		return -2;
	}
	return *number == known && describe(user, NULL, known) ? -2 : 0;
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
					O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	user->notes.dir = user->trace.dir;
	user->notes.uuid = user->trace.uuid;
	if (user->metadata >= 0)
		return 0;
	fail("cannot create %s/metadata: %s", path, strerror(errno));
	rmdir(path);
	return -1;
}

/* Copy the metadata file @from of the last piece. */
static int copy_text(struct user *user, int from)
{
	char chunk[64 * 1024];
	off_t size = user->metadata_size;
	ssize_t got;

	user->metadata_size = 0;
	while (user->metadata_size < size) {
		got = pread(from, chunk, sizeof(chunk), user->metadata_size);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return fail("cannot read the metadata of user %u: %s", user->uid,
				    got ? strerror(errno) : "its file was cut");
		if (append(user, chunk, got))
			return -1;
	}
	return 0;
}

int user_move(struct user *user, const char *root)
{
	int old = user->metadata, ret;

	slots_move(&user->slots);
	notes_move(&user->notes);
	close(user->trace.dir);
	user->trace.dir = user->metadata = -1;
	ret = open_folder(user, root);
	if (!ret)
		ret = copy_text(user, old);
	close(old);
	return ret;
}

static bool init_slots(struct user *user, const struct buffers *buffers, struct bells *bells)
{
	int err;

	user->slots = (struct slots){ .trace = &user->trace, .buffers = buffers, .bells = bells };
	/* Aligned to a page, as the pages of the files are: the kernel copies a tenth faster. */
	user->trace.packet = aligned_alloc(LTT_SHM_PAGE, ring_packet_room(buffers->sb_order));
	if (!user->trace.packet)
		return !fail("out of memory");
	if (!buffers->shared)
		return true;
	user->shared = slots_add(&user->slots, 0, "", &err);
	return user->shared || !fail("cannot make buffers: %s", strerror(-err));
}

struct user *user_new(uid_t uid, const char *root, const struct clock *clock,
		      const struct buffers *buffers, struct bells *bells)
{
	struct user *user = calloc(1, sizeof(*user));

	if (!user) {
		fail("out of memory");
		return NULL;
	}
	user->uid = uid;
	user->objects = buffers->objects || buffers->context & LTT_CONTEXT_STACK;
	user->trace.events.context = buffers->context;
	user->trace.dir = user->notes.out = user->metadata = -1;
	if (getrandom(user->trace.uuid, sizeof(user->trace.uuid), 0) < 0) {
		fail("cannot get random numbers: %s", strerror(errno));
		goto err_free;
	}
	if (open_folder(user, root) || describe(user, clock, 0) || !init_slots(user, buffers, bells))
		goto err_free;
	return user;

err_free:
	user_discard(user, root);
	return NULL;
}

struct buffer_set *user_connect(struct user *user, pid_t pid, const char *name, int *err)
{
	return user->shared ? user->shared : slots_add(&user->slots, pid, name, err);
}

void user_provided(const struct user *user, struct buffer_set *set)
{
	if (set != user->shared)
		buffer_set_put_away(set);
}

int user_disconnect(struct user *user, struct buffer_set *set)
{
	return set == user->shared ? 0 : slots_disconnect(&user->slots, set);
}

static void count_stream(const struct stream *stream, struct user_counts *counts)
{
	counts->stored += stream->stored;
	counts->lost += stream->lost;
	counts->filtered += stream->filtered;
	counts->bytes += stream->before + stream->size;
	counts->overwritten += stream->overwritten;
}

static void count_slot(const struct slot *slot, struct user_counts *counts)
{
	const struct buffer_set *set;
	const struct ring *ring;
	uint32_t i;

	for (i = 0; i < slot->nr_streams; i++)
		if (slot->streams[i])
			count_stream(slot->streams[i], counts);
	for (set = slot->oldest; set; set = set->newer)
		for (ring = set->rings; ring; ring = ring->later) {
			counts->lost += ring_lost(ring);
			counts->filtered += ring->filtered;
		}
}

void user_count(const struct user *user, struct user_counts *counts)
{
	uint32_t i;

	*counts = (struct user_counts){ .bytes = user->metadata_size };
	for (i = 0; i < user->slots.nr; i++)
		count_slot(user->slots.slot[i], counts);
}

int user_end(struct user *user)
{
	int ret = slots_end(&user->slots), err;

	ret |= notes_end(&user->notes);
	err = disk_sync(user->metadata);
	if (err)
		return fail("cannot write the metadata of user %u: %s", user->uid, strerror(err));
	return user->incomplete || user->notes.lacking || user->slots.damaged || user->slots.uncounted ? -1 : ret;
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
	int fds[] = { user->trace.dir, user->metadata, user->notes.out };
	size_t i;

	slots_free(&user->slots);
	for (i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	events_free(&user->trace.events);
	free_rejected(user);
	free(user->trace.packet);
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
