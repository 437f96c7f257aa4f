// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A fuzzer for the files below /sys/kernel/debug/ltt:
 * debugfs-fuzz SECONDS PROCESSES
 *
 * Each process accesses one file after another, while files come and go.  It writes a text that is
 * right for the file's name, almost right or wrong, nothing, a huge text, or from an address that
 * is not mapped; once or repeatedly.  It reads whole files, pieces, and from any position.  The
 * kernel must accept a write wholly or refuse it.  With one process, a refused write must
 * also leave the file as it was, and a sentence in last_error.
 *
 * LTT_SEED in the environment repeats the random choices of a run.
 */
#include <ctype.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>

#include "fuzz-chance.h"

#define ROOT		"/sys/kernel/debug/ltt"
#define PATHS_MAX	512
#define TEXT_MAX	(1 << 17)
#define HUGE		(3 << 20)

/* Of all processes; not exact, for they count at once. */
static struct counts {
	unsigned long taken, refused, read, gone;
} *counts;

static bool alone;
static char *huge;

/* ---- Which files there are ---- */

static char paths[PATHS_MAX][256];
static unsigned int nr_paths, nr_met;

/* Where there are more than fit, each has the same chance. */
static int meet(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	unsigned int i = nr_met < PATHS_MAX ? nr_met : below(nr_met + 1);

	(void)st, (void)ftw;
	if (type != FTW_F)
		return 0;
	nr_met++;
	if (i < PATHS_MAX)
		snprintf(paths[i], sizeof(paths[i]), "%s", path);
	nr_paths = nr_met < PATHS_MAX ? nr_met : PATHS_MAX;
	return 0;
}

static void look_around(void)
{
	nr_met = 0;
	nftw(ROOT "/traces", meet, 16, FTW_PHYS);
	nftw(ROOT "/markers/test", meet, 16, FTW_PHYS);
	/* There are not many, and they are not to drown among the others. */
	if (nr_paths > PATHS_MAX - 8)
		nr_paths = PATHS_MAX - 8;
	strcpy(paths[nr_paths++], ROOT "/groups");
	strcpy(paths[nr_paths++], ROOT "/last_error");
	strcpy(paths[nr_paths++], ROOT "/markers/wanted");
	strcpy(paths[nr_paths++], ROOT "/traces/create");
	strcpy(paths[nr_paths++], ROOT "/traces/remove");
}

/* ---- What is written ---- */

#define LIST(...)	(const char *const[]){ __VA_ARGS__, NULL }

/* By file name; the first that ends like it. */
static const struct {
	const char *file;
	const char *const *words;
} vocabulary[] = {
	{ "create", LIST("a", "b", "c", "d.e", "x-1") },
	{ "remove", LIST("a", "b", "c", "d.e") },
	{ "state", LIST("start", "stop") },
	{ "wanted", LIST("test:*", "!test:*", "test:task", "!test:task", "none:*", "@g", "*[") },
	{ "events", LIST("test:*", "test:task", "!test:*", "t*k", "test:[a-m]*", "@g", "?:?", "!") },
	{ "subbuf_size", LIST("4096", "4K", "64K", "1M", "5000", "0") },
	{ "subbuf_count", LIST("2", "4", "16", "3", "1048576") },
	{ "overwrite", LIST("0", "1", "2") },
	{ "lossless_ms", LIST("0", "1", "5", "10001") },
	{ "heartbeat_ms", LIST("0", "20", "3600001") },
	{ "pid", LIST("0", "1", "99999999", "self") },
	{ "limit", LIST("@g", "@h", "none", "g") },
	{ "groups", LIST("events g test:*", "tasks h pid:1+children", "cpus g 0-0", "!g", "!h", "cpus g 0-", "tasks h") },
	{ "snapshot", LIST("1", "0") },
	{ "flush", LIST("1", "0") },
	{ "enable", LIST("0", "1", "2") },
	{ "", LIST("1", "0", "test:task") },
};

/* For any file, now and then. */
static const char *const anything[] = { "", " ", "\n", "18446744073709551616", "-1", "4G", "%s%n", "../..", "/", "\xff\xfe",
					"=00000000-0000-0000-0000-000000000000", NULL };

static const char *one_of(const char *const *words)
{
	unsigned int nr = 0;

	while (words[nr])
		nr++;
	return words[below(nr)];
}

static const char *word_for(const char *path)
{
	const char *name = strrchr(path, '/') + 1;
	unsigned int i;

	if (one_in(6))
		return one_of(anything);
	for (i = 0; *vocabulary[i].file && strcmp(name, vocabulary[i].file); i++)
		;
	return one_of(vocabulary[i].words);
}

/* Some bytes changed, cut, doubled or put in. */
static size_t spoil(char *text, size_t size, size_t max)
{
	size_t at = below(size + 1);

	switch (below(4)) {
	case 0:
		if (at < size)
			text[at] = random();
		return size;
	case 1:
		return at;
	case 2:
		if (2 * size > max)
			return size;
		memcpy(text + size, text, size);
		return 2 * size;
	}
	if (size == max)
		return size;
	memmove(text + at + 1, text + at, size - at);
	text[at] = one_in(2) ? '\0' : random();
	return size + 1;
}

static size_t compose(const char *path, char *text, size_t max)
{
	static const char *const between[] = { " ", "\n", "\t", ",", "", NULL };
	size_t size = 0;
	unsigned int words = one_in(4) ? below(200) : 1;

	while (words--) {
		size += snprintf(text + size, max - size, "%s", word_for(path));
		if (size > max / 2)
			break;
		if (words)
			size += snprintf(text + size, max - size, "%s", one_of(between));
	}
	if (one_in(2))
		text[size++] = '\n';
	while (one_in(4))
		size = spoil(text, size, max);
	return size;
}

/* Another process has removed the trace while the file was open: debugfs returns an error. */
static bool is_gone(int error)
{
	counts->gone += !alone && error == EIO;
	return !alone && error == EIO;
}

/* ---- Writing ---- */

static bool may_be_refused_with(int error)
{
	static const int errors[] = {
		EINVAL, ENOENT, EEXIST, EBUSY, ESRCH, EALREADY, ENOSPC, ENOMEM, E2BIG, ERANGE, EDQUOT,
		ENAMETOOLONG, ENODEV, EPERM,
	};
	unsigned int i;

	for (i = 0; i < sizeof(errors) / sizeof(*errors); i++)
		if (error == errors[i])
			return true;
	return false;
}

static bool ends_in(const char *path, const char *end)
{
	size_t length = strlen(path), size = strlen(end);

	return length > size && !strcmp(path + length - size, end);
}

/* The content of the file, or nothing; lines that change by themselves are left out. */
static size_t contents(const char *path, char *to, size_t max)
{
	int fd = strstr(path, "/info") ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, to, max);

	if (fd >= 0)
		close(fd);
	return got < 0 ? 0 : got;
}

static void check_sentence(const char *path)
{
	char text[512];
	size_t size = contents(ROOT "/last_error", text, sizeof(text)), i;

	if (size < 10 || text[size - 1] != '\n')
		wrong("%s: the refusal has no sentence", path);
	for (i = 0; i < size - 1; i++)
		if (iscntrl((unsigned char)text[i]))
			wrong("%s: the sentence has a control character: %.*s", path, (int)size, text);
}

static void write_once(int fd, const char *path)
{
	static char text[4096], before[TEXT_MAX], after[TEXT_MAX];
	size_t size = compose(path, text, sizeof(text)), had = 0;
	const char *from = text;
	ssize_t ret;

	if (one_in(30)) {
		from = huge;
		size = one_in(2) ? below(HUGE) : 4096 + below(20) - 10;
	} else if (one_in(30)) {
		from = (char *)16;
	} else if (one_in(30)) {
		size = 0;
	}
	if (alone)
		had = contents(path, before, sizeof(before));
	errno = 0;
	ret = one_in(5) ? pwrite(fd, from, size, below(3)) : write(fd, from, size);
	if (ret >= 0 && (size_t)ret != size)
		wrong("%s: %zd of %zu bytes were taken", path, ret, size);
	counts->taken += ret >= 0;
	counts->refused += ret < 0;
	/* The last is the kernel's answer to pwrite(), for files that have no positions. */
	if (ret >= 0 || (errno == EFAULT && from != text) || errno == ESPIPE)
		return;
	if (is_gone(errno))
		return;
	if (!may_be_refused_with(errno))
		wrong("%s: \"%.*s\": %s", path, (int)(size > 80 ? 80 : size), from == text ? text : "...",
		      strerror(errno));
	if (!alone)
		return;
	check_sentence(path);
	/* Of several patterns, those before one that has nothing to remove hold. */
	if (from == text && memchr(text, '!', size) && (ends_in(path, "/events") || ends_in(path, "/wanted")))
		return;
	if (contents(path, after, sizeof(after)) != had || memcmp(before, after, had))
		wrong("%s: \"%.*s\" was refused, and has changed something", path,
		      (int)(size > 80 ? 80 : size), from);
}

/* ---- Reading ---- */

static void read_some(int fd, const char *path)
{
	static char text[TEXT_MAX];
	size_t most = one_in(3) ? 1 + below(100) : sizeof(text), i;
	ssize_t got = one_in(3) ? pread(fd, text, most, below(5000)) : read(fd, text, most);

	counts->read++;
	if (got < 0 && is_gone(errno))
		return;
	if (got < 0 && errno != EAGAIN && errno != EINVAL && errno != ENODATA && errno != ESPIPE &&
	    errno != EBUSY && errno != ENOENT && errno != ENODEV && errno != ENXIO)
		wrong("%s: read: %s", path, strerror(errno));
	/* Data files end in a CPU's number; a snapshot of one has a suffix. */
	if (isdigit((unsigned char)path[strlen(path) - 1]) || ends_in(path, ".snapshot"))
		return;
	for (i = 0; got > 0 && i < (size_t)got; i++)
		if (!isprint((unsigned char)text[i]) && !isspace((unsigned char)text[i]))
			wrong("%s: byte 0x%02x is not text", path, (unsigned char)text[i]);
}

static void do_more(int fd)
{
	struct pollfd poll_fd = { fd, POLLIN | POLLOUT, 0 };

	switch (below(4)) {
	case 0:
		lseek(fd, below(10000), below(5));
		break;
	case 1:
		poll(&poll_fd, 1, 0);
		break;
	case 2:
		if (mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0) != MAP_FAILED)
			wrong("a file of debugfs was mapped");
		break;
	case 3:
		if (ftruncate(fd, below(100)) && errno != EINVAL && errno != EPERM && errno != EACCES)
			wrong("ftruncate: %s", strerror(errno));
		break;
	}
}

/* ---- Files ---- */

static void visit(const char *path)
{
	static const int ways[] = { O_RDWR, O_WRONLY, O_RDONLY, O_WRONLY | O_TRUNC, O_WRONLY | O_APPEND };
	int way = ways[below(5)], fd = open(path, way | O_NONBLOCK | O_CLOEXEC);
	unsigned int times = 1 + below(4);

	if (fd < 0) {
		/* Read-only files are; root may still open them, debugfs does not let it. */
		if (errno != ENOENT && errno != EACCES && errno != EPERM && errno != EBUSY && errno != ENODEV)
			wrong("%s: open: %s", path, strerror(errno));
		counts->gone += errno == ENOENT;
		return;
	}
	while (times--) {
		if ((way & O_ACCMODE) != O_RDONLY && !one_in(4))
			write_once(fd, path);
		else if ((way & O_ACCMODE) != O_WRONLY)
			read_some(fd, path);
		if (one_in(10))
			do_more(fd);
	}
	close(fd);
}

static void one_process(int seconds)
{
	time_t end = time(NULL) + seconds;
	unsigned int i;

	srandom(seed * 1000 + process);
	while (time(NULL) < end) {
		look_around();
		for (i = 0; i < 50; i++)
			visit(paths[one_in(3) ? nr_paths - 1 - below(5) : below(nr_paths)]);
	}
	_exit(0);
}

int main(int argc, char **argv)
{
	int seconds = argc == 3 ? atoi(argv[1]) : 0, processes = argc == 3 ? atoi(argv[2]) : 0;
	int failed;

	if (seconds <= 0 || processes <= 0)
		errx(2, "usage: debugfs-fuzz SECONDS PROCESSES");
	choose_seed();
	alone = processes == 1;
	huge = malloc(HUGE);
	counts = mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!huge || counts == MAP_FAILED)
		err(1, "there is no memory");
	memset(huge, 'a', HUGE);
	failed = !all_end_well(processes, one_process, seconds);
	printf("# %lu writes taken, %lu refused, %lu reads, %lu files gone meanwhile\n", counts->taken,
	       counts->refused, counts->read, counts->gone);
	if (counts->taken < 100 || counts->refused < 100 || counts->read < 100) {
		printf("# that is hardly anything\n");
		failed = 1;
	}
	printf("%s every file did as it should\n", failed ? "not ok" : "ok");
	return failed;
}
