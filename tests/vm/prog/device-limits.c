// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The rules of doc/device.md about limits, one by one:
 *
 *	device-limits			everything but
 *	device-limits hotplug FILE	a CPU that comes up by FILE for the first time
 *
 * Run by root, without other users of LTT.  A connection has the rights of the process
 * that opened it, so this process changes its user to open one.
 */
#include "deny-capability.h"
#include "device.h"

#include <stdbool.h>
#include <linux/capability.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#define PARAMETERS	"/sys/module/ltt_control/parameters/"
#define PAGE		4096ULL
#define KIB		1024ULL
#define MIB		(1024 * KIB)

#define ALICE		1000
#define BOB		1001
#define RIGHT(capability)	(1ULL << (capability))
#define OBSERVE		RIGHT(CAP_PERFMON)

static unsigned long long cpus;
static int root;

static void set(const char *parameter, unsigned long value)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), PARAMETERS "%s", parameter);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || dprintf(fd, "%lu", value) < 0)
		check(path, 0, -errno);
	close(fd);
}

static void set_effective(unsigned long long rights)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct caps[2];

	syscall(SYS_capget, &header, caps);
	caps[0].effective = rights;
	caps[1].effective = rights >> 32;
	if (syscall(SYS_capset, &header, caps))
		check("rights can be changed", 0, -errno);
}

/* A connection of that user with no more than these rights, or -errno. */
static int open_as(uid_t uid, unsigned long long rights)
{
	int fd;

	/* The saved one is the way back. */
	if (setresuid(uid, uid, 0))
		check("a user can be had", 0, -errno);
	set_effective(rights);
	fd = open("/dev/ltt", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		fd = -errno;
	if (setresuid(0, 0, 0))
		exit(1);
	return fd;
}

static int connect_as(uid_t uid)
{
	int fd = open_as(uid, OBSERVE);

	check("a connection", 1, fd >= 0);
	return fd;
}

/* Encode a command by name. */
static size_t by_name(unsigned long number, const char *text)
{
	const struct ltt_message_arg arg = { LTT_BLOB, strlen(text), text };

	return encode(number, 1, 1, &arg);
}

/* ---- What "usage" says ---- */

static unsigned long long limit_bytes(void)
{
	unsigned long long bytes = 0;

	command(root, "usage");
	sscanf(reply.text, "limits sessions %*u bytes %llu", &bytes);
	return bytes;
}

struct use {
	unsigned int connections;
	unsigned long long bytes;
	unsigned int members;
};

/* All zero if nothing is known of the user. */
static struct use use_of(unsigned int uid)
{
	struct use use = {};
	char who[32];
	const char *line;

	if (command(root, "usage"))
		check("usage", 0, reply.error);
	snprintf(who, sizeof(who), "\nuser %u ", uid);
	line = strstr(reply.text, who);
	if (line)
		sscanf(line, "\nuser %*u sessions %u bytes %llu members %u", &use.connections,
		       &use.bytes, &use.members);
	return use;
}

static void check_bytes(const char *what, unsigned int uid, unsigned long long per_cpu)
{
	check(what, per_cpu * cpus, use_of(uid).bytes);
}

/* ---- Connections ---- */

static void test_connections(void)
{
	int a, b, c, d, e, other, stream;

	set("max_sessions", 3);
	a = connect_as(ALICE);
	b = connect_as(ALICE);
	c = connect_as(ALICE);
	check("one more than a user may have", -EMFILE, open_as(ALICE, OBSERVE));
	check("three are counted", 3, use_of(ALICE).connections);
	other = connect_as(BOB);
	check("another user has a limit of its own", 1, use_of(BOB).connections);
	d = open_as(ALICE, OBSERVE | RIGHT(CAP_SYS_RESOURCE));
	check("with CAP_SYS_RESOURCE there is no limit", 1, d >= 0);
	check("and its connections are counted", 4, use_of(ALICE).connections);
	e = device(0);
	check("root has it", 1, e >= 0);
	close(d);
	close(e);

	check("another stream", 0, command(a, "stream"));
	stream = reply.value;
	close(a);
	check("a connection that has a stream is one", -EMFILE, open_as(ALICE, OBSERVE));
	close(stream);
	a = connect_as(ALICE);
	set("max_sessions", 1);
	check("a limit below what there is takes nothing away", 0, command(a, "create t"));
	close(a);
	close(b);
	check("and holds", -EMFILE, open_as(ALICE, OBSERVE));
	check("a command by name does not share either", EPERM, ask(other, by_name(LTT_MESSAGE_CALL_SHARED, "traces")));
	check("users see nothing of others", 0, command(other, "usage") ?: !!strstr(reply.text, "user 1000"));
	check("but themselves", 1, !!strstr(reply.text, "user 1001 sessions 1 bytes 0 members 0\n"));
	close(c);
	close(other);
	set("max_sessions", 64);
	check("in the end, no user has any", 0, use_of(ALICE).connections + use_of(BOB).connections);
	check("nor is known any more", 0, !!strstr(reply.text, "user 100"));
}

/* ---- Bytes ---- */

/* A trace with a channel state of 4 and a channel events of @count sub-buffers. */
static void make_trace(int fd, const char *name, unsigned long long state,
		       unsigned long long events, unsigned int count)
{
	if (command(fd, "create %s", name) ||
	    command(fd, "channel-set %s state subbuf_size %llu", name, state) ||
	    command(fd, "channel-set %s events subbuf_size %llu", name, events) ||
	    command(fd, "channel-set %s events subbuf_count %u", name, count))
		check(reply.text, 0, reply.error);
}

static void test_bytes(void)
{
	int fd, big, other;

	set("max_buffer_mib", 4 * cpus);
	check("the limit is what was set", 4 * MIB * cpus, limit_bytes());
	fd = connect_as(ALICE);
	big = open_as(ALICE, OBSERVE | RIGHT(CAP_SYS_RESOURCE));
	other = connect_as(BOB);
	make_trace(fd, "a", 256 * KIB, 512 * KIB, 4);	/* 3 MiB */
	make_trace(fd, "b", 128 * KIB, 64 * KIB, 4);	/* 768 KiB */
	make_trace(fd, "c", 32 * KIB, 16 * KIB, 4);	/* 192 KiB */
	make_trace(fd, "d", 8 * KIB, 8 * KIB, 4);	/* 64 KiB: that is 4 MiB */
	make_trace(fd, "e", 4 * KIB, 4 * KIB, 2);
	check("a trace that was not started takes no memory", 0, use_of(ALICE).bytes);
	check("3 MiB for each CPU", 0, command(fd, "start a"));
	check_bytes("are counted", ALICE, 3 * MIB);
	check("stopped and started", 0, command(fd, "stop a") ?: command(fd, "start a"));
	check_bytes("they are counted once", ALICE, 3 * MIB);
	command(fd, "start b");
	check("all but 64 KiB", 0, command(fd, "start c"));
	command(fd, "channel-set d events overwrite 1");
	check("a sub-buffer more than there is room for", EDQUOT, command(fd, "start d"));
	check("the reply names the limit", 1, !!strstr(reply.text, "max_buffer_mib"));
	check_bytes("nothing of it is left", ALICE, 4 * MIB - 64 * KIB);
	command(fd, "channel-set d events overwrite 0");
	check("without it there is room", 0, command(fd, "start d"));
	check_bytes("to the last byte", ALICE, 4 * MIB);
	check("and for nothing more", EDQUOT, command(fd, "start e"));
	check("a channel that comes later is added", 0, command(fd, "channel-add d later"));
	check("there is no room for its buffers", EDQUOT, command(fd, "enable-in d later sched:*"));
	check("the reply names the limit", 1, !!strstr(reply.text, "max_buffer_mib"));
	make_trace(other, "a", 256 * KIB, 512 * KIB, 4);
	check("another user has a limit of its own", 0, command(other, "start a"));
	check_bytes("its bytes are counted", BOB, 3 * MIB);
	command(root, "create big");
	check("root has no limit", 0, command(root, "start big"));
	check_bytes("but is counted", 0, 5 * MIB);
	make_trace(big, "big", 256 * KIB, 512 * KIB, 4);
	check("nor has a connection with CAP_SYS_RESOURCE", 0, command(big, "start big"));
	check_bytes("but is counted with its user", ALICE, 7 * MIB);
	close(big);
	check("a trace that was not started has taken no memory", 0, command(fd, "destroy e"));
	command(fd, "destroy d");
	check_bytes("a destroyed trace is not counted", ALICE, 4 * MIB - 64 * KIB);
	make_trace(fd, "e", 4 * KIB, 4 * KIB, 2);
	check("and makes room", 0, command(fd, "start e"));
	set("max_buffer_mib", 1);
	check("a limit below what there is takes nothing away", 0, command(fd, "stats a"));
	check("not for a trace that is started again", 0, command(fd, "stop a") ?: command(fd, "start a"));
	close(fd);
	close(other);
	command(root, "destroy big");
	check("in the end, no user has any", 0,
	      use_of(ALICE).bytes + use_of(BOB).bytes + use_of(0).bytes);
}

/* A bit for each number that a thread can have, and a second for a name. */
static void test_groups(void)
{
	int fd;

	set("max_buffer_mib", 1);
	fd = connect_as(ALICE);
	check("a group of tasks", 0, command(fd, "group-tasks a comm:x*"));
	check("is counted", 1 * MIB, use_of(ALICE).bytes);
	check("one more than there is room for", EDQUOT, command(fd, "group-tasks b pid:1"));
	check("the reply names the limit", 1, !!strstr(reply.text, "max_buffer_mib"));
	command(fd, "create t");
	check("a trace that is limited to it", 0, command(fd, "limit t @a"));
	check("keeps it when it is taken away", 0, command(fd, "ungroup a"));
	check("and counted", 1 * MIB, use_of(ALICE).bytes);
	check("until it is not limited any more", 0, command(fd, "unlimit t"));
	check("then nothing is", 0, use_of(ALICE).bytes);
	check("and there is room", 0, command(fd, "group-tasks b pid:1"));
	close(fd);
	check("in the end, no user has any", 0, use_of(ALICE).bytes);
}

/* ---- Members of groups of tasks ---- */

/* Define a group of that many members. */
static long group_of(int fd, const char *name, unsigned int nr)
{
	char members[64 * 6 + 1], *end = members;

	while (nr--)
		end += sprintf(end, "%stid:1", end == members ? "" : "\t");
	return command(fd, "group-tasks %s %s", name, members);
}

/* Four users together can take half of the members that the machine has. */
static void test_members(void)
{
	int fd[5], boss = device(0), i;
	char name[16];

	set("max_buffer_mib", 0);
	for (i = 0; i < 5; i++)
		fd[i] = connect_as(ALICE + i);
	check("a user may have 128 members", 0, group_of(fd[0], "a", 64) ?: group_of(fd[0], "b", 64));
	check("the members are counted", 128, use_of(ALICE).members);
	check("and no more", EDQUOT, group_of(fd[0], "c", 1));
	check("the parameter is named", 1, !!strstr(reply.text, "max_members"));
	check("nor by a limit to a process", EDQUOT, command(fd[0], "create t") ?:
	      command(fd[0], "filter-set t %d", getpid()));
	check("the parameter is named again", 1, !!strstr(reply.text, "max_members"));
	for (i = 1; i < 4; i++)
		check("another user has as many", 0, group_of(fd[i], "a", 64) ?: group_of(fd[i], "b", 64));
	check("half of the members are kept from users", EUSERS, group_of(fd[4], "a", 1));
	check("the user without one has none", 0, use_of(ALICE + 4).members);
	command(boss, "create t");
	check("root limits a trace to a process", 0, command(boss, "filter-set t %d", getpid()));
	for (i = 0; i < 7; i++) {
		sprintf(name, "g%d", i);
		check("root has the other half", 0, group_of(boss, name, 64));
	}
	check("to the last", 0, group_of(boss, "rest", 63));
	check("and no more", EUSERS, group_of(boss, "more", 1));
	check("a trace without room for a process", EUSERS, command(boss, "create u") ?:
	      command(boss, "filter-set u %d", getpid()));
	check("has no number for an error", 0, !!strstr(reply.text, "87"));
	check("but says members", 1, !!strstr(reply.text, "members"));
	close(boss);
	check("a removed group", 0, command(fd[0], "ungroup a"));
	check("makes room for its user", 0, group_of(fd[0], "c", 63) ?: group_of(fd[0], "d", 1));
	check("and is not counted", 128, use_of(ALICE).members);
	set("max_members", 129);
	check("the limit can be raised", 129, strtoul(strstr(command(root, "usage") ? "members" :
							     reply.text, "members") + 8, NULL, 10));
	set("max_members", 128);
	for (i = 0; i < 5; i++)
		close(fd[i]);
	check("in the end, no user has any", 0, use_of(ALICE).members + use_of(BOB).members);
}

/* ---- What keeps memory when its trace is gone ---- */

static void test_descriptor(void)
{
	int fd = connect_as(ALICE), buffer;
	void *map;

	set("max_buffer_mib", 4 * cpus);
	make_trace(fd, "t", 256 * KIB, 512 * KIB, 4);
	check("a trace", 0, command(fd, "start t"));
	check("a buffer of it", 0, command(fd, "open-buffer t events 0"));
	buffer = reply.value;
	close(fd);
	check("its connection has ended", 0, use_of(ALICE).connections);
	check_bytes("its channel counts", ALICE, 2 * MIB);
	fd = connect_as(ALICE);
	make_trace(fd, "t", 256 * KIB, 512 * KIB, 4);
	check("there is no room for another", EDQUOT, command(fd, "start t"));
	map = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, buffer, 0);
	check("the buffer is mapped", 1, map != MAP_FAILED);
	close(buffer);
	check_bytes("and counts when it is closed", ALICE, 2 * MIB);
	munmap(map, PAGE);
	check("unmapped, it is gone", 0, use_of(ALICE).bytes);
	check("and there is room", 0, command(fd, "start t"));
	close(fd);
	check("in the end, nothing is counted", 0, use_of(ALICE).bytes);
}

/* A snapshot has memory for a sub-buffer. */
static void test_snapshot(void)
{
	int fd = connect_as(ALICE), snapshot;

	make_trace(fd, "t", 256 * KIB, 512 * KIB, 4);
	check("a trace", 0, command(fd, "start t"));
	check("a snapshot of a buffer", 0, command(fd, "open-snapshot t events 0"));
	snapshot = reply.value;
	check("its memory is counted", 3 * MIB * cpus + 512 * KIB, use_of(ALICE).bytes);
	set("max_buffer_mib", 3 * cpus);
	check("there is no room for another", EDQUOT, command(fd, "open-snapshot t events 0"));
	close(snapshot);
	check_bytes("closed, it takes nothing", ALICE, 3 * MIB);
	set("max_buffer_mib", 4 * cpus);
	close(fd);
	check("in the end, nothing is counted", 0, use_of(ALICE).bytes);
}

/* Pages that a pipe has while the ring goes on with others. */
static void test_pipe(void)
{
	int fd = connect_as(ALICE), pipefd[2], buffer, i;
	static char page[PAGE];
	loff_t position = 0;
	ssize_t n;

	make_trace(fd, "t", 32 * KIB, 8 * KIB, 8);
	command(fd, "enable t test:task");
	check("a trace", 0, command(fd, "start t"));
	check_bytes("of known size", ALICE, 192 * KIB);
	check("a buffer of it", 0, command(fd, "open-buffer t events 0"));
	buffer = reply.value;
	i = open("/proc/ltt-test-markers", O_WRONLY | O_CLOEXEC);
	check("events", 1, i >= 0 && dprintf(i, "2000 task") > 0);
	close(i);
	if (pipe2(pipefd, O_CLOEXEC | O_NONBLOCK))
		exit(1);
	n = splice(buffer, &position, pipefd[1], NULL, 8 * KIB, 0);
	check("a packet goes to a pipe", 8 * KIB, n);
	check_bytes("it is where it was", ALICE, 192 * KIB);
	check("the next one", 1, pread(buffer, page, 1, position));
	check("its pages are kept, and counted, beside those that replace them",
	      192 * KIB * cpus + 8 * KIB, use_of(ALICE).bytes);
	close(fd);
	close(pipefd[0]);
	close(pipefd[1]);
	close(buffer);
	check("in the end, nothing is counted", 0, use_of(ALICE).bytes);
}

static void test_detached(void)
{
	int fd = open_as(ALICE, OBSERVE | RIGHT(CAP_SYS_ADMIN)), boss = device(0);

	make_trace(fd, "limits-a", 256 * KIB, 512 * KIB, 4);
	make_trace(fd, "limits-b", 256 * KIB, 512 * KIB, 4);
	check("a trace", 0, command(fd, "start limits-a"));
	check("is handed over", 0, command(fd, "detach limits-a"));
	check("one that was not started, too", 0, command(fd, "detach limits-b"));
	close(fd);
	check("the connection has ended", 0, use_of(ALICE).connections);
	check_bytes("the trace counts", ALICE, 3 * MIB);
	check("among those of debugfs", 0, command(boss, "share"));
	check("the other, too, once it is started", EDQUOT, command(boss, "start limits-b"));
	check("it ends", 0, command(boss, "destroy limits-a"));
	check_bytes("and is not counted", ALICE, 0);
	check("now there is room for the other", 0, command(boss, "start limits-b"));
	check_bytes("its bytes are counted", ALICE, 3 * MIB);
	check("and ends", 0, command(boss, "destroy limits-b"));
	check("nothing is counted", 0, use_of(ALICE).bytes);
	command(boss, "create limits-c");
	check("a trace of debugfs", 0, command(boss, "start limits-c"));
	check("has no user", 0, use_of(0).bytes);
	command(boss, "destroy limits-c");
	close(boss);
}

static void test_default(void)
{
	unsigned long long kib = 0;
	char line[128];
	FILE *f = fopen("/proc/meminfo", "r");

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "MemTotal: %llu", &kib) == 1)
			break;
	if (f)
		fclose(f);
	set("max_buffer_mib", 0);
	check("if none is set, it is an eighth of the memory", kib * KIB / 8, limit_bytes());
}

/* ---- What a connection may have ---- */

/* By 64 in a group, for each change copies what there is.  Returns how many patterns the
 * trace has then, with the one that enables all. */
static int disable_many(int fd)
{
	char names[64 * 12], *end;
	int group, nr = 1, i;

	for (group = 0; group < 63; group++) {
		for (i = 0, end = names; i < 64; i++)
			end += sprintf(end, "%stest:x%d", i ? "\t" : "", nr + i);
		if (command(fd, "group-events many %s", names) || command(fd, "disable more @many"))
			break;
		nr += 64;
	}
	return nr;
}

static void test_bounds(void)
{
	int fd = connect_as(ALICE), streams[16], nr;

	for (nr = 0; nr < 64; nr++)
		if (command(fd, "create t%d", nr))
			break;
	check("a connection may have 64 traces", 64, nr);
	check("and no more", EDQUOT, command(fd, "create more"));
	check("unless one goes", 0, command(fd, "destroy t3") ?: command(fd, "create more"));

	for (nr = 0; nr < 15 && !command(fd, "stream"); nr++)
		streams[nr] = reply.value;
	check("with the first, it may have 16 streams", 15, nr);
	check("and no more", EDQUOT, command(fd, "stream"));
	close(streams[--nr]);
	check("unless one goes", 0, command(fd, "stream"));
	close(reply.value);
	while (nr)
		close(streams[--nr]);

	command(fd, "enable more *");
	nr = disable_many(fd);
	while (nr < 4096 && !command(fd, "disable more test:y%d", nr))
		nr++;
	check("a trace may have 4096 patterns", 4096, nr);
	check("and no more", EDQUOT, command(fd, "disable more test:more"));
	check("nor of the other kind", EDQUOT, command(fd, "enable more test:more"));
	check("but those that it has", 0, command(fd, "disable more test:x7"));
	check("and a pattern that replaces others", 0, command(fd, "disable more test:x*"));
	check("after which there is room", 0, command(fd, "disable more test:more"));
	close(fd);
	check("in the end, no user has any", 0, use_of(ALICE).connections);
}

/* A connection that may observe all threads may not make them wait. */
static void test_lossless(void)
{
	int fd = connect_as(ALICE), boss = open_as(ALICE, OBSERVE | RIGHT(CAP_SYS_ADMIN));

	command(fd, "create t");
	check("no lossless channel", EPERM, command(fd, "channel-set t events lossless_ms 100"));
	check("nor at the start", 0, command(fd, "channel-get t events lossless_ms") ?:
	      strcmp(reply.text, "0\n"));
	check("but none is allowed", 0, command(fd, "channel-set t events lossless_ms 0"));
	command(boss, "create t");
	check("with CAP_SYS_ADMIN there is one", 0,
	      command(boss, "channel-set t events lossless_ms 100"));
	close(fd);
	close(boss);
}

/* A security module denies a capability after the device was opened. */
static void test_security_module(void)
{
	int fd = open_as(ALICE, OBSERVE | RIGHT(CAP_SYS_ADMIN)), denial;

	check("with CAP_SYS_ADMIN a connection shares", 0, command(fd, "share") ?: command(fd, "private"));
	denial = deny_capability(CAP_SYS_ADMIN);
	if (denial < 0) {
		printf("# this kernel has no BPF LSM: %s\n", strerror(-denial));
	} else {
		check("not where a security module denies it", EPERM, command(fd, "share"));
		check("nor is a channel lossless", EPERM, command(fd, "create t") ?:
		      command(fd, "channel-set t events lossless_ms 100"));
		check("nor is the use of other users shown", 0, command(fd, "usage") ?:
		      !!strstr(reply.text, "user 0 "));
		close(denial);
		check("without the denial it shares again", 0, command(fd, "share"));
	}
	close(fd);
}

static void test_all(void)
{
	test_connections();
	test_bytes();
	test_groups();
	test_members();
	test_descriptor();
	test_snapshot();
	test_pipe();
	test_detached();
	test_default();
	test_bounds();
	test_lossless();
	test_security_module();
}

/* ---- A CPU that comes ---- */

static void bring_up(const char *file)
{
	int fd = open(file, O_WRONLY | O_CLOEXEC);

	check("a CPU comes up", 1, fd >= 0 && write(fd, "1", 1) == 1);
	close(fd);
}

static void test_hotplug(const char *file)
{
	int fd = connect_as(ALICE), other = connect_as(BOB);

	check("one CPU is up", 1, cpus);
	set("max_buffer_mib", 4);
	make_trace(fd, "t", 256 * KIB, 512 * KIB, 4);
	check("a trace", 0, command(fd, "start t"));
	make_trace(other, "t", 256 * KIB, 128 * KIB, 4);
	check("and of another user", 0, command(other, "start t"));
	bring_up(file);
	check("a buffer beyond the limit is not made for a CPU that comes", 1,
	      use_of(ALICE).bytes <= 4 * MIB);
	check("it has the channel that there is room for", 4 * MIB, use_of(ALICE).bytes);
	check("the other one is not there", 0, command(fd, "buffers t") ?: !!strstr(reply.text, "events_1"));
	check("a buffer within the limit is counted", 3 * MIB, use_of(BOB).bytes);
	close(fd);
	close(other);
	check("in the end, no user has any", 0, use_of(ALICE).bytes + use_of(BOB).bytes);
}

int main(int argc, char **argv)
{
	cpus = sysconf(_SC_NPROCESSORS_ONLN);
	root = device(0);
	vocabulary();
	chmod("/dev/ltt", 0666);
	if (argc == 3 && !strcmp(argv[1], "hotplug"))
		test_hotplug(argv[2]);
	else if (argc == 1)
		test_all();
	else
		return 2;
	chmod("/dev/ltt", 0600);
	set("max_buffer_mib", 0);
	return 0;
}
