/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * trace_mark() in programs: the site of a marker, and the call for each event.
 *
 * Layer: markers.  Programs and libraries in C99, C++11 or later include marker.h, which
 * includes this file, and link with -lltt.  If LTT_DISABLED is defined before that, the
 * compiler only checks the markers, and the program needs no library.
 *
 * A site is a struct ltt_site in the section ltt_sites.  An assembler statement writes it,
 * because a C++ compiler rejects variables of inline functions in a section that holds
 * other variables.  (On machines of 32 bits, whose assembler statements cannot name a text in
 * position-independent code, it is a variable all the same.)  A constructor registers the
 * section with the library, and a destructor removes it, as for dlclose().  The instrumented function gets a load and a branch and,
 * out of line, a call with the arguments in registers; the library packs the event.
 */
#ifndef LTT_MARKER_USER_H
#define LTT_MARKER_USER_H

#ifdef LTT_DISABLED

#define LTT_MARK_FIRE(group, name, ...)	do { } while (0)

#endif

#define LTT_SITE_VERSION	1

/**
 * struct ltt_site - one trace_mark() in the source
 * @enabled: not 0 if the site has a target that is on; the library changes it: 1 if each
 *	argument is recorded by its value, 2 if the event takes more
 * @nr_args: number of @args
 * @version: LTT_SITE_VERSION
 * @line: its line in @file
 * @group: the marker's group
 * @name: the marker's name
 * @format: its format, as in the source
 * @file: its source file
 * @targets: where the events go: a list that the library changes
 * @args: for each argument: bits 0-7 the type (enum ltt_mark_type), bits 8-15 the size in
 *	bytes, bit 16 set if it is signed, bits 24-31 the type of the integers that it points
 *	to (see &ltt_mark_arg.element)
 */
struct ltt_site {
	unsigned char enabled;
	unsigned char nr_args;
	unsigned short version;
	unsigned int line;
	const char *group;
	const char *name;
	const char *format;
	const char *file;
	struct ltt_target *targets;
	unsigned int args[LTT_MARK_MAX_ARGS];
};

#ifndef LTT_DISABLED

#ifdef __cplusplus
extern "C" {
#endif

/**
 * ltt_sites_add() - register an array of sites
 * @first: the first site; an array that is registered already is ignored
 * @end: the end of the last site
 *
 * Waits until each lttd that runs has enabled the sites that it records: two seconds at most
 * for the `lttctl record` that started the program, 0.3 seconds for the others.
 *
 * Context: a constructor of the program or of a library.
 */
void ltt_sites_add(struct ltt_site *first, struct ltt_site *end);

/**
 * ltt_sites_remove() - remove an array of sites
 * @first: the first site
 *
 * Context: a destructor of the program or of a library.
 */
void ltt_sites_remove(struct ltt_site *first);

/**
 * ltt_mark_0() - write an event to all targets of a site
 * @site: the site
 *
 * ltt_mark_1() to ltt_mark_5() take one to five arguments, ltt_mark_many() as many as the
 * site has.  Each is 64 bits wide: signed integers are sign-extended, all others and
 * pointers are zero-extended; of a float or double the word has the bits.
 *
 * Context: any thread, and its signal handlers.  Preserves errno.
 */
void ltt_mark_0(struct ltt_site *site);
void ltt_mark_1(struct ltt_site *site, unsigned long long a);
void ltt_mark_2(struct ltt_site *site, unsigned long long a, unsigned long long b);
void ltt_mark_3(struct ltt_site *site, unsigned long long a, unsigned long long b,
		unsigned long long c);
void ltt_mark_4(struct ltt_site *site, unsigned long long a, unsigned long long b,
		unsigned long long c, unsigned long long d);
void ltt_mark_5(struct ltt_site *site, unsigned long long a, unsigned long long b,
		unsigned long long c, unsigned long long d, unsigned long long e);
void ltt_mark_many(struct ltt_site *site, ...);

/* The section of this program or library; NULL if it has no sites. */
extern struct ltt_site __start_ltt_sites[] __attribute__((weak, visibility("hidden")));
extern struct ltt_site __stop_ltt_sites[] __attribute__((weak, visibility("hidden")));

#ifdef __cplusplus
}
#endif

/* Each source file has these; the library ignores all calls but the first.  The priority
 * puts them before the constructors of the program. */
static __attribute__((constructor(200), unused)) void ltt_mark_begin(void)
{
	ltt_sites_add(__start_ltt_sites, __stop_ltt_sites);
}

static __attribute__((destructor(200), unused)) void ltt_mark_end(void)
{
	ltt_sites_remove(__start_ltt_sites);
}

#define ltt_mark_6	ltt_mark_many
#define ltt_mark_7	ltt_mark_many
#define ltt_mark_8	ltt_mark_many
#define ltt_mark_9	ltt_mark_many
#define ltt_mark_10	ltt_mark_many
#define ltt_mark_11	ltt_mark_many
#define ltt_mark_12	ltt_mark_many

#if defined(__x86_64__) && defined(__LP64__)
#define LTT_SITE_ADDRESS	"leaq 66b(%%rip), %0"
#define LTT_SITE_TEXT		"i"
#elif defined(__aarch64__) && defined(__LP64__)
#define LTT_SITE_ADDRESS	"adrp %0, 66b\n\tadd %0, %0, :lo12:66b"
#define LTT_SITE_TEXT		"S"
#elif defined(__i386__) || defined(__arm__)
#define LTT_SITE_VARIABLE
#else
#error "trace_mark() in programs: there is no code for this machine yet; LTT_DISABLED leaves the markers out"
#endif

#ifdef LTT_SITE_VARIABLE

/* The compiler must not align it more than that: sites are an array. */
#define LTT_SITE(group, name, ...)					\
	__extension__ static struct ltt_site ltt_site_here		\
	__attribute__((section("ltt_sites"), used, aligned(__alignof__(struct ltt_site)))) = { \
		0, LTT_MARK_COUNT(__VA_ARGS__), LTT_SITE_VERSION, __LINE__, group, name, \
		LTT_MARK_FORMAT(__VA_ARGS__), __FILE__, 0,		\
		{ LTT_MARK_FOR_EACH(LTT_SITE_ARG, __VA_ARGS__) }	\
	};								\
									\
	ltt_site = &ltt_site_here

#define LTT_SITE_ARG(x)							\
	LTT_MARK_TYPE(x) | (int)LTT_MARK_SIZE(x) << 8 | LTT_MARK_SIGNED(x) << 16 | \
	LTT_MARK_ELEMENT(x) << 24,

#else

/* The members of struct ltt_site in their order; operands from %8 on are the arguments. */
#define LTT_SITE(group, name, ...)					\
	__asm__(LTT_SITE_STATEMENT(group, name, __VA_ARGS__))
#define LTT_SITE_STATEMENT(group, name, ...)				\
	".pushsection ltt_sites, \"aw\"\n\t.balign 8\n"			\
	"66:\t.byte 0, %c1\n\t.2byte %c2\n\t.4byte %c3\n\t"		\
	".8byte %c4, %c5, %c6, %c7, 0\n\t"				\
	".4byte %c8, %c9, %c10, %c11, %c12, %c13, %c14, %c15, %c16, %c17, %c18, %c19\n\t" \
	".popsection\n\t" LTT_SITE_ADDRESS				\
	: "=r" (ltt_site)						\
	: "i" (LTT_MARK_COUNT(__VA_ARGS__)), "i" (LTT_SITE_VERSION), "i" (__LINE__), \
	  LTT_SITE_TEXT (group), LTT_SITE_TEXT (name),			\
	  LTT_SITE_TEXT (LTT_MARK_FORMAT(__VA_ARGS__)), LTT_SITE_TEXT (__FILE__)		\
	  LTT_MARK_FOR_EACH(LTT_SITE_ARG, __VA_ARGS__)		\
	  LTT_MARK_CAT(LTT_SITE_REST_, LTT_MARK_COUNT(__VA_ARGS__))

#define LTT_SITE_ARG(x)							\
	, "i" (LTT_MARK_TYPE(x) | (int)LTT_MARK_SIZE(x) << 8 | LTT_MARK_SIGNED(x) << 16 | \
	       LTT_MARK_ELEMENT(x) << 24)

#define LTT_SITE_REST_12
#define LTT_SITE_REST_11	, "i" (0)
#define LTT_SITE_REST_10	LTT_SITE_REST_11, "i" (0)
#define LTT_SITE_REST_9		LTT_SITE_REST_10, "i" (0)
#define LTT_SITE_REST_8		LTT_SITE_REST_9, "i" (0)
#define LTT_SITE_REST_7		LTT_SITE_REST_8, "i" (0)
#define LTT_SITE_REST_6		LTT_SITE_REST_7, "i" (0)
#define LTT_SITE_REST_5		LTT_SITE_REST_6, "i" (0)
#define LTT_SITE_REST_4		LTT_SITE_REST_5, "i" (0)
#define LTT_SITE_REST_3		LTT_SITE_REST_4, "i" (0)
#define LTT_SITE_REST_2		LTT_SITE_REST_3, "i" (0)
#define LTT_SITE_REST_1		LTT_SITE_REST_2, "i" (0)
#define LTT_SITE_REST_0		LTT_SITE_REST_1, "i" (0)

#endif

#define LTT_SITE_WORD(x)	, LTT_MARK_WORD(x)

/* The library's thread writes @enabled at any time; a stale value is harmless. */
#define LTT_MARK_FIRE(group, name, ...)					\
	do {								\
		struct ltt_site *ltt_site;				\
									\
		LTT_SITE(group, name, __VA_ARGS__);			\
		if (__builtin_expect(__atomic_load_n(&ltt_site->enabled, __ATOMIC_RELAXED), 0)) \
			LTT_MARK_CAT(ltt_mark_, LTT_MARK_COUNT(__VA_ARGS__)) \
				(ltt_site LTT_MARK_FOR_EACH(LTT_SITE_WORD, __VA_ARGS__)); \
	} while (0)

#endif /* LTT_DISABLED */

#endif /* LTT_MARKER_USER_H */
