// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * /dev/ltt from a 32-bit program, also on a 64-bit kernel: words have 4 bytes.  The program sends messages, records an
 * event, reads it and maps the buffer.  Ends with the number of the step that went wrong, or 0.
 *
 * Without a C library, which the machine may have for 64 bits only.
 */
typedef unsigned int word;
_Static_assert(sizeof(long) == 4, "this is to be compiled with -m32");

static int call(int number, int a, const void *b, int c)
{
	int ret;

	__asm__ volatile("int $0x80" : "=a" (ret)
			 : "a" (number), "b" (a), "c" (b), "d" (c) : "memory");
	return ret;
}

#define EXIT	1
#define READ	3
#define WRITE	4
#define OPEN	5
#define MMAP	90		/* a pointer to the six arguments */
#define MUNMAP	91
#define SET_AFFINITY	241	/* a thread, bytes of the mask, the mask */
#define O_RDWR	2
#define PROT_READ	1
#define MAP_SHARED	1

#define PAGE	4096
#define BY_NAME	65535		/* LTT_MESSAGE_CALL */
#define PACKET_MAGIC	0xc1fc1fc1

static word in[16384];

static int equal(const char *a, const char *b, unsigned int len)
{
	while (len--)
		if (*a++ != *b++)
			return 0;
	return 1;
}

/* The whole of a reply, which can come in pieces; its bytes, or -1. */
static int receive(int fd)
{
	unsigned int have = 0;

	while (have < 4 || have < in[0]) {
		int n = call(READ, fd, (const void *)((unsigned long)in + have),
			     have < 4 ? 4 - have : in[0] - have);

		if (n <= 0 || in[0] > sizeof(in))
			return -1;
		have += n;
	}
	return have;
}

/* In the vocabulary, "\nNUMBER NAME ". */
static int number_of(const char *text, unsigned int len, const char *name, unsigned int name_len)
{
	unsigned int i, number = 0;

	for (i = 0; i + name_len < len; i++) {
		if (text[i] >= '0' && text[i] <= '9')
			number = number * 10 + text[i] - '0';
		else if (text[i] == ' ' && equal(text + i, name, name_len))
			return number;
		else
			number = 0;
	}
	return -1;
}

static unsigned int length(const char *text)
{
	unsigned int len = 0;

	while (text[len])
		len++;
	return len;
}

/* A command by its name, each argument on a line of its own.  Return: the descriptor in the reply, or 0; -1 for an error. */
static int run(int fd, const char *command)
{
	word message[64] = { 0 };
	unsigned int i, len = length(command);

	message[0] = 16 + (len + 3) / 4 * 4;
	message[1] = BY_NAME;
	message[3] = len;
	for (i = 0; i < len; i++)
		((char *)(message + 4))[i] = command[i];
	if (call(WRITE, fd, message, message[0]) != (int)message[0] || receive(fd) < 0 || in[3])
		return -1;
	return in[5];
}

static int contains(const char *bytes, unsigned int len, const char *text)
{
	unsigned int i, text_len = length(text);

	for (i = 0; i + text_len <= len; i++)
		if (equal(bytes + i, text, text_len))
			return 1;
	return 0;
}

/* Record an event in the trace "abc", which exists, and read it from *@buffer. */
static int record(int fd, int *buffer)
{
	static const char *const commands[] = { "enable\nabc\nmark:text", "start\nabc", "mark\nfrom 32 bits", "stop\nabc" };
	const word first_cpu = 1;
	unsigned int i;
	int n;

	if (call(SET_AFFINITY, 0, (const void *)sizeof(first_cpu), (int)(unsigned long)&first_cpu) < 0)
		return 8;
	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (run(fd, commands[i]))
			return 9;
	*buffer = run(fd, "open-buffer\nabc\nevents\n0");
	if (*buffer <= 0)
		return 10;
	n = call(READ, *buffer, in, PAGE);
	if (n <= 0 || in[0] != PACKET_MAGIC || !contains((const char *)in, n, "from 32 bits"))
		return 11;
	return 0;
}

/* The start of a mapping has 64-bit numbers: its size, the position, place, content and length of the packet that is out. */
static const unsigned long long *map_bytes(int buffer, unsigned int size)
{
	const word arguments[] = { 0, size, PROT_READ, MAP_SHARED, buffer, 0 };

	return (const void *)call(MMAP, (int)(unsigned long)arguments, 0, 0);
}

/* The event is also in the mapping of the buffer. */
static int map(int buffer)
{
	const unsigned long long *start = map_bytes(buffer, PAGE);
	unsigned long long size;
	const char *packet;

	if ((unsigned long)start > -4096UL || start[0] <= PAGE || start[0] % PAGE)
		return 12;
	size = start[0];
	if (call(MUNMAP, (int)(unsigned long)start, (const void *)PAGE, 0))
		return 12;
	start = map_bytes(buffer, size);
	if ((unsigned long)start > -4096UL)
		return 13;
	if (start[1] || start[2] < PAGE || start[2] % PAGE || start[3] > start[4] || start[4] > size - start[2])
		return 14;
	packet = (const char *)start + start[2];
	if (*(const word *)packet != PACKET_MAGIC || !contains(packet, start[3], "from 32 bits"))
		return 15;
	return 0;
}

static int test(void)
{
	static const char path[] = "/dev/ltt", name[] = " create ", text[] = "abc";
	word message[] = { 12, 0, 7, 0, 0 };
	int fd = call(OPEN, (int)(unsigned long)path, (const void *)O_RDWR, 0), number, buffer, step;

	if (fd < 0)
		return 1;
	if (call(WRITE, fd, message, 12) != 12 || receive(fd) < 0)
		return 2;
	/* Size, command, cookie; errno, length, value; text. */
	if (in[1] != 0 || in[2] != 7 || in[3] || in[4] > in[0] - 24 || in[0] % 4)
		return 3;
	number = number_of((const char *)(in + 6), in[4], name, sizeof(name) - 1);
	if (number < 0)
		return 4;
	message[0] = 20;
	message[1] = number;
	message[2] = 0x80000001;
	message[3] = sizeof(text) - 1;
	message[4] = *(const word *)text;
	if (call(WRITE, fd, message, 20) != 20 || receive(fd) != 24)
		return 5;
	if (in[1] != (word)number || in[2] != 0x80000001 || in[3])
		return 6;
	/* The same again: EEXIST, with a sentence. */
	if (call(WRITE, fd, message, 20) != 20 || receive(fd) <= 24 || in[3] != 17)
		return 7;
	step = record(fd, &buffer);
	return step ? step : map(buffer);
}

void _start(void)
{
	call(EXIT, test(), 0, 0);
	__builtin_unreachable();
}
