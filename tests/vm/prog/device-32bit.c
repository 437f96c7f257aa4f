// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * /dev/ltt from a 32-bit program on a 64-bit kernel: words have 4 bytes.  Ends with
 * the number of the step that went wrong, or 0.
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
#define O_RDWR	2

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

static int test(void)
{
	static const char path[] = "/dev/ltt", name[] = " create ", text[] = "abc";
	word message[] = { 12, 0, 7, 0, 0 };
	int fd = call(OPEN, (int)(unsigned long)path, (const void *)O_RDWR, 0), number;

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
	return 0;
}

void _start(void)
{
	call(EXIT, test(), 0, 0);
	__builtin_unreachable();
}
