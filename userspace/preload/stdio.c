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
#include <syslog.h>
#include <unistd.h>

/* Macros of the C library. */
#undef fputs_unlocked
#undef fwrite_unlocked
#undef putchar
#undef putc

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

/* ---- The functions behind ---- */

#define FUNCTIONS(X)							\
	X(vprintf) X(__vprintf_chk) X(vfprintf) X(__vfprintf_chk) X(vdprintf) X(__vdprintf_chk) \
	X(puts) X(fputs) X(fputs_unlocked) X(fwrite) X(fwrite_unlocked)	\
	X(putchar) X(putc) X(fputc) X(vsyslog) X(__vsyslog_chk)

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

static NOINLINE void record_output(int fd, const char *text, size_t length)
{
	if (length)
		trace_mark(stdio, output, "fd %d length %zu text %s", fd, length, text);
}

/* Bytes that need not end with a NUL. */
static NOINLINE void record_bytes(const FILE *file, const void *bytes, size_t length)
{
	size_t kept = length < LTT_MARK_STRING_MAX ? length : LTT_MARK_STRING_MAX - 1;
	char text[LTT_MARK_STRING_MAX];

	if (fd_of(file) < 0)
		return;
	memcpy(text, bytes, kept);
	text[kept] = '\0';
	record_output(fd_of(file), text, length);
}

static NOINLINE void record_format(int fd, const char *format, va_list args)
{
	char text[LTT_MARK_STRING_MAX];
	int saved = errno, length;
	va_list copy;

	if (!is_standard(fd))
		return;
	va_copy(copy, args);
	length = vsnprintf(text, sizeof(text), format, copy);
	va_end(copy);
	/* The C library could not make the text either. */
	if (length >= 0)
		record_output(fd, text, length);
	errno = saved;
}

static NOINLINE void record_syslog(int priority, const char *format, va_list args)
{
	char text[LTT_MARK_STRING_MAX];
	int saved = errno, length;
	va_list copy;

	va_copy(copy, args);
	length = vsnprintf(text, sizeof(text), format, copy);
	va_end(copy);
	if (length >= 0)
		trace_mark(stdio, syslog, "priority %d length %zu text %s", priority, (size_t)length, text);
	errno = saved;
}

/* ---- Formats ---- */

#define IS_ON		preload_is_on(&gates[OUTPUT])

static int print(int fd, FILE *file, const char *format, va_list args)
{
	need_real();
	if (IS_ON)
		record_format(fd, format, args);
	return real.vfprintf(file, format, args);
}

static int print_chk(int fd, FILE *file, int flag, const char *format, va_list args)
{
	need_real();
	if (IS_ON)
		record_format(fd, format, args);
	return real.__vfprintf_chk(file, flag, format, args);
}

static int print_to_fd(int fd, const char *format, va_list args)
{
	need_real();
	if (IS_ON)
		record_format(fd, format, args);
	return real.vdprintf(fd, format, args);
}

static int print_to_fd_chk(int fd, int flag, const char *format, va_list args)
{
	need_real();
	if (IS_ON)
		record_format(fd, format, args);
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
		record_output(STDOUT_FILENO, text, strlen(text));
	return real.puts(text);
}

PRELOAD_API int fputs(const char *text, FILE *file)
{
	need_real();
	if (IS_ON && fd_of(file) >= 0)
		record_output(fd_of(file), text, strlen(text));
	return real.fputs(text, file);
}

PRELOAD_API int fputs_unlocked(const char *text, FILE *file)
{
	need_real();
	if (IS_ON && fd_of(file) >= 0)
		record_output(fd_of(file), text, strlen(text));
	return real.fputs_unlocked(text, file);
}

PRELOAD_API size_t fwrite(const void *bytes, size_t size, size_t nr, FILE *file)
{
	need_real();
	if (IS_ON)
		record_bytes(file, bytes, size * nr);
	return real.fwrite(bytes, size, nr, file);
}

PRELOAD_API size_t fwrite_unlocked(const void *bytes, size_t size, size_t nr, FILE *file)
{
	need_real();
	if (IS_ON)
		record_bytes(file, bytes, size * nr);
	return real.fwrite_unlocked(bytes, size, nr, file);
}

PRELOAD_API int putchar(int character)
{
	char byte = character;

	need_real();
	if (IS_ON)
		record_bytes(stdout, &byte, 1);
	return real.putchar(character);
}

PRELOAD_API int putc(int character, FILE *file)
{
	char byte = character;

	need_real();
	if (IS_ON)
		record_bytes(file, &byte, 1);
	return real.putc(character, file);
}

PRELOAD_API int fputc(int character, FILE *file)
{
	char byte = character;

	need_real();
	if (IS_ON)
		record_bytes(file, &byte, 1);
	return real.fputc(character, file);
}

/* ---- The system's log ---- */

PRELOAD_API void vsyslog(int priority, const char *format, va_list args)
{
	need_real();
	if (preload_is_on(&gates[SYSLOG]))
		record_syslog(priority, format, args);
	real.vsyslog(priority, format, args);
}

PRELOAD_API void __vsyslog_chk(int priority, int flag, const char *format, va_list args)
{
	need_real();
	if (preload_is_on(&gates[SYSLOG]))
		record_syslog(priority, format, args);
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
