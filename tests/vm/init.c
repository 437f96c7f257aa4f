// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The first process of a test VM (static; tests/vm/vm puts it in the initramfs).
 *
 * It loads the modules named in /modules, with their parameters, gets its order, makes the root file
 * system, runs the shell script of the order and reports its exit status. The
 * order is a file that QEMU offers at the ports of its firmware configuration:
 *
 *	nonce		a word that only this run's report carries
 *	shares		the 9p shares there are, of "host", "stage" and "out"; with
 *			"host" the root is the host's, with "stage" laid over it
 *			and tmpfs over both; without it, it is the initramfs
 *	shell		if the command talks to a person, else an empty line
 *	time		seconds since 1970, or an empty line
 *	randomness	64 hexadecimal digits, or an empty line
 *	script		the rest
 *
 * or it is "wait": then this VM says that it is ready, and is saved. It is in
 * copies of it, which QEMU has started with orders of their own, that the waiting
 * ends. They have the time and the random numbers of the VM that was saved, hence
 * the two lines.
 *
 * The console (ttyS0) is the kernel's, ttyS1 is the command's. The report goes
 * out through a port of its own; it, together with the value written to the
 * debug exit port, is the only evidence of success that the launcher accepts.
 */
#include <errno.h>
#include <endian.h>
#include <fcntl.h>
#include <linux/random.h>
#include <net/if.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/io.h>
#include <sys/ioctl.h>
#include <sys/klog.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define REPORT_PORT	0xe9	/* QEMU's isa-debugcon: each byte goes to a file */
#define EXIT_PORT	0xf4	/* QEMU's isa-debug-exit ... */
#define EXIT_DONE	16	/* ... makes 2 * 16 + 1 = 33 the exit status of QEMU */
#define KLOG_CONSOLE_LEVEL 8

/* QEMU's firmware configuration: an item is selected, then read byte by byte. */
#define ITEM_PORT	0x510
#define DATA_PORT	0x511
#define ITEM_DIRECTORY	0x19
#define ORDER		"opt/ltt/order"

struct order {
	char *nonce, *shares, *shell, *time, *randomness, *script;
};

/* Without a report: the launcher shows the console. */
static void die(const char *what, const char *with)
{
	fprintf(stderr, "init: cannot %s %s: %s\n", what, with, strerror(errno));
	reboot(RB_AUTOBOOT);
	exit(1);
}

static void mount_fs(const char *type, const char *from, const char *on,
		     unsigned long flags, const char *options)
{
	mkdir(on, 0755);
	if (mount(from, on, type, flags, options))
		die("mount", on);
}

static void load_modules(void)
{
	char line[4096], *parameters, *path;
	FILE *list = fopen("/modules", "r");

	if (!list)
		die("open", "/modules");
	while (fgets(line, sizeof(line), list)) {
		int fd;

		line[strcspn(line, "\n")] = '\0';
		parameters = line;
		path = strsep(&parameters, " ");
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0 || syscall(SYS_finit_module, fd, parameters ? parameters : "", 0))
			die("load", path);
		close(fd);
	}
	fclose(list);
}

/* Not insb(): glibc's does not tell the compiler that it writes to memory. */
static void read_item(void *to, size_t size)
{
	unsigned char *byte = to;

	while (size--)
		*byte++ = inb(DATA_PORT);
}

/* The text of the order, or NULL if QEMU has none. */
static char *read_order(void)
{
	struct {
		uint32_t size;
		uint16_t item, reserved;
		char name[56];
	} entry;
	uint32_t entries, size;
	char *text;

	outw(ITEM_DIRECTORY, ITEM_PORT);
	read_item(&entries, sizeof(entries));
	for (entries = be32toh(entries); entries; entries--) {
		read_item(&entry, sizeof(entry));
		if (strcmp(entry.name, ORDER))
			continue;
		size = be32toh(entry.size);
		text = calloc(1, size + 1);
		if (!text)
			return NULL;
		outw(be16toh(entry.item), ITEM_PORT);
		read_item(text, size);
		return text;
	}
	errno = ENOENT;
	return NULL;
}

static void tell(const char *text)
{
	for (; *text; text++)
		outb(*text, REPORT_PORT);
}

static struct order get_order(void)
{
	struct timespec moment = { .tv_nsec = 1000 * 1000 };
	struct order order;
	int told = 0;
	char *text;

	while ((text = read_order()) && !strcmp(text, "wait\n")) {
		free(text);
		if (!told)
			tell("ready\n");
		told = 1;
		nanosleep(&moment, NULL);
	}
	/* The VM may have been saved in the middle of reading: here its copy is
	 * wherever it is for the whole of it. */
	free(text);
	text = read_order();
	if (!text)
		die("read", ORDER);
	order.nonce = strsep(&text, "\n");
	order.shares = strsep(&text, "\n");
	order.shell = strsep(&text, "\n");
	order.time = strsep(&text, "\n");
	order.randomness = strsep(&text, "\n");
	order.script = text;
	errno = EINVAL;
	if (!text)
		die("understand", ORDER);
	return order;
}

/* Copies of a VM are to differ, and to know how late it is. */
static void become_oneself(const struct order *order)
{
	struct timespec now = { .tv_sec = atoll(order->time) };
	struct {
		struct rand_pool_info info;
		char bytes[64];
	} pool = { .info = { .entropy_count = 256, .buf_size = sizeof(pool.bytes) } };
	int fd;

	if (*order->time && clock_settime(CLOCK_REALTIME, &now))
		die("set", "the time");
	if (!*order->randomness)
		return;
	memcpy(pool.bytes, order->randomness, strnlen(order->randomness, sizeof(pool.bytes)));
	fd = open("/dev/random", O_RDWR | O_CLOEXEC);
	if (fd < 0 || ioctl(fd, RNDADDENTROPY, &pool) || ioctl(fd, RNDRESEEDCRNG))
		die("stir", "/dev/random");
	close(fd);
}

static void enter_host_root(const char *shares)
{
	const char *ninep = "trans=virtio,version=9p2000.L,msize=512000";
	const char *lower = "lowerdir=/lower,upperdir=/rw/upper,workdir=/rw/work";
	char cached[128];

	/* The guest need not see changes of the host's files: cache. */
	snprintf(cached, sizeof(cached), "%s,cache=loose", ninep);
	mount_fs("9p", "host", "/lower", MS_RDONLY, cached);
	if (strstr(shares, "stage")) {
		mount_fs("9p", "stage", "/stage", MS_RDONLY, cached);
		lower = "lowerdir=/stage:/lower,upperdir=/rw/upper,workdir=/rw/work";
	}
	mount_fs("tmpfs", "rw", "/rw", 0, NULL);
	mkdir("/rw/upper", 0755);
	mkdir("/rw/work", 0755);
	mount_fs("overlay", "root", "/root", 0, lower);
	mount_fs("9p", "out", "/root/out", 0, ninep);
	if (chroot("/root") || chdir("/"))
		die("enter", "/root");
}

static void mount_kernel_fs(void)
{
	mount_fs("proc", "proc", "/proc", 0, NULL);
	mount_fs("sysfs", "sysfs", "/sys", 0, NULL);
	mount_fs("debugfs", "debugfs", "/sys/kernel/debug", 0, NULL);
	mount_fs("tracefs", "tracefs", "/sys/kernel/tracing", 0, NULL);
	mount_fs("devtmpfs", "devtmpfs", "/dev", 0, NULL);
	mount_fs("devpts", "devpts", "/dev/pts", 0, NULL);
	mount_fs("tmpfs", "shm", "/dev/shm", 0, NULL);
	mount_fs("tmpfs", "run", "/run", 0, "mode=755");
}

static void raise_loopback(void)
{
	struct ifreq lo = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	if (fd >= 0 && ioctl(fd, SIOCSIFFLAGS, &lo))
		die("raise", "lo");
	close(fd);
}

static int open_tty(int interactive)
{
	struct termios tty;
	int fd = open("/dev/ttyS1", O_RDWR | O_NOCTTY | O_CLOEXEC);

	if (fd < 0 || tcgetattr(fd, &tty))
		die("open", "/dev/ttyS1");
	if (!interactive)
		cfmakeraw(&tty);
	cfsetspeed(&tty, B115200);
	if (tcsetattr(fd, TCSANOW, &tty))
		die("set up", "/dev/ttyS1");
	return fd;
}

static void become_command(int tty, int interactive, const char *script)
{
	int in = interactive ? tty : open("/dev/null", O_RDONLY);

	setsid();
	if (interactive)
		ioctl(tty, TIOCSCTTY, 0);
	dup2(in, 0);
	dup2(tty, 1);
	dup2(tty, 2);
	execl("/bin/sh", "sh", "-c", script, NULL);
	_exit(127);
}

/* As the first process, reap whatever daemons the command leaves to us. */
static int wait_for(pid_t command_pid)
{
	int status;
	pid_t pid;

	while ((pid = wait(&status)) != command_pid)
		if (pid < 0)
			die("wait for", "the command");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static unsigned long taint(void)
{
	unsigned long bits = ~0UL;
	FILE *file = fopen("/proc/sys/kernel/tainted", "r");

	if (!file || fscanf(file, "%lu", &bits) != 1)
		die("read", "/proc/sys/kernel/tainted");
	fclose(file);
	return bits;
}

static void leave(int tty, const char *nonce, int status)
{
	char report[128];

	snprintf(report, sizeof(report), "%s status %d taint %lu\n", nonce, status, taint());
	sync();
	tcdrain(tty);
	tell(report);
	outl(EXIT_DONE, EXIT_PORT);
	die("leave by", "the debug exit port");
}

int main(void)
{
	struct order order;
	int tty, interactive;
	pid_t pid;

	/* Now: a command may lock the kernel down, which takes nothing back. */
	if (iopl(3))
		die("reach", "the ports");
	load_modules();
	order = get_order();
	interactive = *order.shell;

	if (*order.shares)
		enter_host_root(order.shares);
	mount_kernel_fs();
	become_oneself(&order);
	raise_loopback();
	sethostname("ltt-vm", strlen("ltt-vm"));
	/* From here on all that the kernel says is wanted. */
	klogctl(KLOG_CONSOLE_LEVEL, NULL, 8);
	tty = open_tty(interactive);

	pid = fork();
	if (!pid) {
		iopl(0);
		become_command(tty, interactive, order.script);
	}
	if (pid < 0)
		die("start", "the command");
	leave(tty, order.nonce, wait_for(pid));
}
