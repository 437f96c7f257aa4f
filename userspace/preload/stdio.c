// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * libltt-stdio.so: the texts that a program writes to its standard output and standard error,
 * and to the system's log.
 *
 *   stdio:output  fd (1 or 2), length, text
 *   stdio:syslog  priority (as in the call), length, text
 *
 * The length is that of the whole text, in bytes; the text ends at its first NUL, or where the
 * room for a string ends.  The event comes before the text is written; there is none for a
 * call that writes nothing.  Programs that are
 * compiled with _FORTIFY_SOURCE call functions with "_chk" in their names.
 *
 * The text is made for the event alone, by a second pass over the format.
 */
#include "preload.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <syslog.h>
#include <unistd.h>

/* Macros of the C library. */
#undef fputs_unlocked
#undef fwrite_unlocked
#undef putchar
#undef putc

#define SHORT_SIZE	256			/* on the stack */
#define TEXT_SIZE	(LTT_MARK_STRING_MAX + 1)	/* one byte more, so that packing it marks the cut */

enum { OUTPUT, SYSLOG, NR_GATES };

static struct preload_gate gates[NR_GATES] = { [OUTPUT] = PRELOAD_GATE("output"), [SYSLOG] = PRELOAD_GATE("syslog") };

/* The C library's functions for programs with _FORTIFY_SOURCE; its headers do not have them. */
int __printf_chk(int flag, const char *format, ...);
int __vprintf_chk(int flag, const char *format, va_list args);
int __fprintf_chk(FILE *file, int flag, const char *format, ...);
int __vfprintf_chk(FILE *file, int flag, const char *format, va_list args);
int __dprintf_chk(int fd, int flag, const char *format, ...);
int __vdprintf_chk(int fd, int flag, const char *format, va_list args);
void __syslog_chk(int priority, int flag, const char *format, ...);
void __vsyslog_chk(int priority, int flag, const char *format, va_list args);
int __vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, va_list args);

/* ---- The functions behind ---- */

#define FUNCTIONS(X)							\
	X(vprintf) X(__vprintf_chk) X(vfprintf) X(__vfprintf_chk) X(vdprintf) X(__vdprintf_chk) \
	X(puts) X(fputs) X(fputs_unlocked) X(fwrite) X(fwrite_unlocked)	\
	X(putchar) X(putc) X(fputc) X(vsyslog) X(__vsyslog_chk) X(__vsnprintf_chk)

PRELOAD_REAL(FUNCTIONS)

/* ---- Events ---- */

static bool is_standard(int fd)
{
	return fd == STDOUT_FILENO || fd == STDERR_FILENO;
}

/* Return: the descriptor; -1: it is neither. */
static int fd_of(const FILE *file)
{
	return file == stdout ? STDOUT_FILENO : file == stderr ? STDERR_FILENO : -1;
}

/* Bytes that need not end with a NUL. */
static NOINLINE void record_bytes(int fd, const void *bytes, size_t length)
{
	if (length && is_standard(fd))
		trace_mark(stdio, output, "fd %d length %zu text %.*s", fd, length, length, (const char *)bytes);
}

/* A text as long as one can be recorded.  Threads may have small stacks, and a call of malloc()
 * would be recorded, too. */
static char *new_text(void)
{
	char *text = mmap(NULL, TEXT_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return text == MAP_FAILED ? NULL : text;
}

/* As the program would: with @flag above 0 the C library ends a program whose format has %n and is in
 * memory that can be written. */
static int print_text(char *to, size_t size, int flag, const char *format, va_list args)
{
	va_list copy;
	int length;

	va_copy(copy, args);
	length = flag ? real.__vsnprintf_chk(to, size, flag, size, format, copy) : vsnprintf(to, size, format, copy);
	va_end(copy);
	return length;
}

/* @record: called with @what and the text, unless the C library cannot make it either. */
static void record_format(void (*record)(int what, const void *text, size_t length), int what, int flag,
			  const char *format, va_list args)
{
	char text[SHORT_SIZE], *whole = NULL;
	int saved = errno, length;

	length = print_text(text, sizeof(text), flag, format, args);
	if (length >= SHORT_SIZE)
		whole = new_text();
	if (whole)
		print_text(whole, TEXT_SIZE, flag, format, args);
	if (length >= 0)
		record(what, whole ? whole : text, length);
	if (whole)
		munmap(whole, TEXT_SIZE);
	errno = saved;
}

static NOINLINE void record_printed(int fd, int flag, const char *format, va_list args)
{
	if (is_standard(fd))
		record_format(record_bytes, fd, flag, format, args);
}

static void record_logged(int priority, const void *text, size_t length)
{
	trace_mark(stdio, syslog, "priority %d length %zu text %s", priority, length, (const char *)text);
}

static NOINLINE void record_syslog(int priority, int flag, const char *format, va_list args)
{
	record_format(record_logged, priority, flag, format, args);
}

/* ---- Formats ---- */

#define IS_ON		preload_is_on(&gates[OUTPUT])

static int print(int fd, FILE *file, const char *format, va_list args)
{
	need_real();
	if (IS_ON)
		record_printed(fd, 0, format, args);
	return real.vfprintf(file, format, args);
}

static int print_chk(int fd, FILE *file, int flag, const char *format, va_list args)
{
	need_real();
	if (IS_ON)
		record_printed(fd, flag, format, args);
	return real.__vfprintf_chk(file, flag, format, args);
}

static int print_to_fd(int fd, const char *format, va_list args)
{
	need_real();
	if (IS_ON)
		record_printed(fd, 0, format, args);
	return real.vdprintf(fd, format, args);
}

static int print_to_fd_chk(int fd, int flag, const char *format, va_list args)
{
	need_real();
	if (IS_ON)
		record_printed(fd, flag, format, args);
	return real.__vdprintf_chk(fd, flag, format, args);
}

/* Call a function that takes a va_list with the arguments of one that takes "...". */
#define WITH_ARGS(call)			\
	do {				\
		va_list args;		\
		int result;		\
					\
		va_start(args, format);	\
		result = (call);	\
		va_end(args);		\
		return result;		\
	} while (0)

PRELOAD_API int printf(const char *format, ...)
{
	WITH_ARGS(print(STDOUT_FILENO, stdout, format, args));
}

PRELOAD_API int __printf_chk(int flag, const char *format, ...)
{
	WITH_ARGS(print_chk(STDOUT_FILENO, stdout, flag, format, args));
}

PRELOAD_API int vprintf(const char *format, va_list args)
{
	return print(STDOUT_FILENO, stdout, format, args);
}

PRELOAD_API int __vprintf_chk(int flag, const char *format, va_list args)
{
	return print_chk(STDOUT_FILENO, stdout, flag, format, args);
}

PRELOAD_API int fprintf(FILE *file, const char *format, ...)
{
	WITH_ARGS(print(fd_of(file), file, format, args));
}

PRELOAD_API int __fprintf_chk(FILE *file, int flag, const char *format, ...)
{
	WITH_ARGS(print_chk(fd_of(file), file, flag, format, args));
}

PRELOAD_API int vfprintf(FILE *file, const char *format, va_list args)
{
	return print(fd_of(file), file, format, args);
}

PRELOAD_API int __vfprintf_chk(FILE *file, int flag, const char *format, va_list args)
{
	return print_chk(fd_of(file), file, flag, format, args);
}

PRELOAD_API int dprintf(int fd, const char *format, ...)
{
	WITH_ARGS(print_to_fd(fd, format, args));
}

PRELOAD_API int __dprintf_chk(int fd, int flag, const char *format, ...)
{
	WITH_ARGS(print_to_fd_chk(fd, flag, format, args));
}

PRELOAD_API int vdprintf(int fd, const char *format, va_list args)
{
	return print_to_fd(fd, format, args);
}

PRELOAD_API int __vdprintf_chk(int fd, int flag, const char *format, va_list args)
{
	return print_to_fd_chk(fd, flag, format, args);
}

/* ---- Texts, bytes and characters ---- */

PRELOAD_API int puts(const char *text)
{
	need_real();
	if (IS_ON)
		record_bytes(STDOUT_FILENO, text, strlen(text));
	return real.puts(text);
}

PRELOAD_API int fputs(const char *text, FILE *file)
{
	need_real();
	if (IS_ON && fd_of(file) >= 0)
		record_bytes(fd_of(file), text, strlen(text));
	return real.fputs(text, file);
}

PRELOAD_API int fputs_unlocked(const char *text, FILE *file)
{
	need_real();
	if (IS_ON && fd_of(file) >= 0)
		record_bytes(fd_of(file), text, strlen(text));
	return real.fputs_unlocked(text, file);
}

PRELOAD_API size_t fwrite(const void *bytes, size_t size, size_t nr, FILE *file)
{
	need_real();
	if (IS_ON)
		record_bytes(fd_of(file), bytes, size * nr);
	return real.fwrite(bytes, size, nr, file);
}

PRELOAD_API size_t fwrite_unlocked(const void *bytes, size_t size, size_t nr, FILE *file)
{
	need_real();
	if (IS_ON)
		record_bytes(fd_of(file), bytes, size * nr);
	return real.fwrite_unlocked(bytes, size, nr, file);
}

PRELOAD_API int putchar(int character)
{
	char byte = character;

	need_real();
	if (IS_ON)
		record_bytes(STDOUT_FILENO, &byte, 1);
	return real.putchar(character);
}

PRELOAD_API int putc(int character, FILE *file)
{
	char byte = character;

	need_real();
	if (IS_ON)
		record_bytes(fd_of(file), &byte, 1);
	return real.putc(character, file);
}

PRELOAD_API int fputc(int character, FILE *file)
{
	char byte = character;

	need_real();
	if (IS_ON)
		record_bytes(fd_of(file), &byte, 1);
	return real.fputc(character, file);
}

/* ---- The system's log ---- */

PRELOAD_API void vsyslog(int priority, const char *format, va_list args)
{
	need_real();
	if (preload_is_on(&gates[SYSLOG]))
		record_syslog(priority, 0, format, args);
	real.vsyslog(priority, format, args);
}

PRELOAD_API void __vsyslog_chk(int priority, int flag, const char *format, va_list args)
{
	need_real();
	if (preload_is_on(&gates[SYSLOG]))
		record_syslog(priority, flag, format, args);
	real.__vsyslog_chk(priority, flag, format, args);
}

PRELOAD_API void syslog(int priority, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsyslog(priority, format, args);
	va_end(args);
}

PRELOAD_API void __syslog_chk(int priority, int flag, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	__vsyslog_chk(priority, flag, format, args);
	va_end(args);
}

static __attribute__((constructor(199))) void begin(void)
{
	need_real();
	preload_open_gates(gates, NR_GATES);
}

PRELOAD_SITES(stdio);
