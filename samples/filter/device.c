// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Commands for /dev/ltt, and the trace that it recorded.
 */
#include "device.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <ltt/message.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WORD	sizeof(unsigned long)

static int device;

static struct {
	unsigned long size, command, cookie, error, length, value;
	char text[(1 << 20) + WORD];
} reply;

void connect_device(void)
{
	device = open("/dev/ltt", O_RDWR | O_CLOEXEC);
	if (device < 0)
		err(1, "/dev/ltt");
}

static void read_whole(void *to, size_t size)
{
	ssize_t n;

	for (; size; to = (char *)to + n, size -= n) {
		n = read(device, to, size);
		if (n <= 0)
			err(1, "/dev/ltt");
	}
}

int call(const char *format, ...)
{
	struct { unsigned long size, command, cookie, length; char text[8192]; } message = {
		.command = LTT_MESSAGE_CALL,
	};
	va_list list;

	va_start(list, format);
	message.length = vsnprintf(message.text, sizeof(message.text), format, list);
	va_end(list);
	if (message.length >= sizeof(message.text))
		errx(1, "the arguments are too long");
	message.size = (4 * WORD + message.length + WORD - 1) / WORD * WORD;
	if (write(device, &message, message.size) != (ssize_t)message.size)
		err(1, "/dev/ltt");
	read_whole(&reply.size, WORD);
	read_whole(&reply.command, reply.size - WORD);
	reply.text[reply.length] = '\0';
	if (reply.error)
		errx(1, "%.*s: %s", (int)strcspn(format, "\n"), format, reply.text);
	return reply.value;
}

const char *reply_text(void)
{
	return reply.text;
}

/* Write what can be read now to a file. */
static void save(int from, const char *directory, const char *name)
{
	static char bytes[1 << 20];
	char path[4096];
	ssize_t n;
	int to;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (to < 0)
		err(1, "%s", path);
	while ((n = read(from, bytes, sizeof(bytes))) > 0)
		if (write(to, bytes, n) != n)
			err(1, "%s", path);
	if ((n < 0 && errno != EAGAIN) || close(to))
		err(1, "%s", path);
	close(from);
}

void save_trace(const char *trace, const char *directory)
{
	char *rest, *name, *cpu;

	if (mkdir(directory, 0700))
		err(1, "%s", directory);
	call("flush\n%s", trace);
	save(call("open-metadata\n%s", trace), directory, "metadata");
	call("buffers\n%s", trace);
	rest = strdup(reply.text);
	/* CHANNEL_CPU, each on a line. */
	while ((name = strsep(&rest, "\n")) && *name) {
		cpu = strrchr(name, '_');
		save(call("open-buffer\n%s\n%.*s\n%s", trace, (int)(cpu - name), name, cpu + 1),
		     directory, name);
	}
}
