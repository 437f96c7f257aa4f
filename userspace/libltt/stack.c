// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The call stack of the calling thread, by frame pointers.
 *
 * A frame pointer can hold anything, as most code is compiled without, and memory that is
 * there now can be gone at the next event.  So the walk loads only from memory that cannot go:
 * the part of the thread's own stack that is in use.  Its upper end is a place that is always
 * at the top of a stack: the thread pointer, and for the main thread the random bytes that the
 * kernel puts there.  It is the thread's own stack if all pages from the stack pointer to that
 * place can be read; a system call finds out, once for each page.
 *
 * On another stack (an alternate one of signals, a coroutine's) the kernel copies each frame,
 * which costs a system call and cannot fault.  A stack that directly adjoins the
 * thread's own one, without a page between, is taken for a part of it.
 */
#include "stack.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "common/shm.h"
#include "objects.h"

#define PAGE		4096UL
#define OWN_MAX		(64UL << 20)	/* more of a stack in use is not looked at */
#define PAGES_AT_ONCE	64

/* Debian's GCC makes Thumb code of 32-bit ARM, in which the frame pointer leads to local variables. */
#ifdef __arm__
#define HAS_FRAMES	false
#else
#define HAS_FRAMES	true
#endif

/**
 * struct frame - a frame record, to which the frame pointer points
 * @next: the frame pointer of the caller
 * @returns: where the function returns to
 */
struct frame {
	uintptr_t next;
	uintptr_t returns;
};

/**
 * struct own - what the thread knows of its own stack
 * @low: its lowest address that is known
 * @high: its end, as far as known; 0: nothing is known
 * @hole: an address above some other stack that could not be read, or 0
 *
 * A handler may extend the stack while the thread does: @low is stored before @high, and each
 * pair of values is true.
 */
struct own {
	uint64_t low;
	uint64_t high;
	uint64_t hole;
};

static __thread struct own own __attribute__((tls_model("initial-exec")));

static uint64_t load(const uint64_t *at)
{
	return __atomic_load_n(at, __ATOMIC_RELAXED);
}

static void store(uint64_t *at, uint64_t value)
{
	__atomic_store_n(at, value, __ATOMIC_RELAXED);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* ---- Memory that may not be there ---- */

static ssize_t copy(struct iovec *to, const struct iovec *from, size_t nr)
{
	int saved = errno;
	ssize_t done = syscall(SYS_process_vm_readv, getpid(), to, 1UL, from, nr, 0UL);

	errno = saved;
	return done;
}

/* Return: the first address that cannot be read, of the pages from @from to @to; or @to. */
static uint64_t find_hole(uint64_t from, uint64_t to)
{
	char bytes[PAGES_AT_ONCE];
	struct iovec pages[PAGES_AT_ONCE], all = { bytes, sizeof(bytes) };
	ssize_t done = 1;
	size_t nr = 1;

	/* A part is copied if only its end fails. */
	for (; from < to && done == (ssize_t)nr; from += done > 0 ? done * PAGE : 0) {
		for (nr = 0; nr < PAGES_AT_ONCE && from + nr * PAGE < to; nr++)
			pages[nr] = (struct iovec){ (void *)(uintptr_t)(from + nr * PAGE), 1 };
		done = copy(&all, pages, nr);
	}
	return from;
}

/* ---- The thread's own stack ---- */

static uint64_t thread_pointer(void)
{
	return (uintptr_t)__builtin_thread_pointer();
}

/* Is @at on the thread's own stack, which then is known from there on? */
static __attribute__((noinline)) bool extend_to(uint64_t at, uint64_t high)
{
	uint64_t end = load(&own.high) ? load(&own.low) : high & -PAGE, page = at & -PAGE;
	uint64_t hole = load(&own.hole);

	if (at >= high || high - at > OWN_MAX || (at < hole && hole <= end))
		return false;
	hole = find_hole(page, end);
	if (hole < end) {
		store(&own.hole, hole > page ? hole : page + PAGE);
		return false;
	}
	store(&own.low, page);
	store(&own.high, high);
	return true;
}

/* Is @at known, with @size bytes?  @high first: see &struct own. */
static bool is_known(uint64_t at, size_t size)
{
	uint64_t high = load(&own.high);

	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return at < high && high - at >= size && at >= load(&own.low);
}

static bool is_own(uint64_t at)
{
	uint64_t high;

	if (__builtin_expect(is_known(at, 1), 1))
		return true;
	high = load(&own.high);
	if (high)
		return extend_to(at, high);
	return extend_to(at, thread_pointer() & -16UL) || extend_to(at, getauxval(AT_RANDOM) & -16UL);
}

/* ---- The walk ---- */

/* Pointer authentication puts a signature into the upper bits. */
static uint64_t plain(uint64_t address)
{
#ifdef __aarch64__
	register uint64_t link __asm__("x30") = address;

	__asm__("hint #7" : "+r" (link));	/* xpaclri, where there is one */
	return link;
#else
	return address;
#endif
}

/* Return: the frame pointer of the function that called ltt_mark_N(). */
static uint64_t leave_library(const uintptr_t *frame, uint64_t end)
{
	uintptr_t next = *frame;

	while (next > (uintptr_t)frame && next < end && !(next % sizeof(*frame))) {
		frame = (const uintptr_t *)next;
		next = *frame;
	}
	return next;
}

static bool read_elsewhere(uint64_t at, struct frame *frame)
{
	struct iovec from = { (void *)(uintptr_t)at, sizeof(*frame) }, to = { frame, sizeof(*frame) };

	return copy(&to, &from, 1) == sizeof(*frame);
}

/* A wrong frame pointer may lead to a local variable, which sanitizers guard. */
static __attribute__((no_sanitize("address"))) bool read_own(uint64_t at, struct frame *frame)
{
	if (!is_known(at, sizeof(*frame)))
		return false;
	*frame = *(const struct frame *)(uintptr_t)at;
	return true;
}

/**
 * struct walk - a walk along the frames
 * @at: the next frame pointer
 * @floor: the end of the last frame; callers are above
 * @elsewhere: it is on another stack than the thread's own
 */
struct walk {
	uint64_t at;
	uint64_t floor;
	bool elsewhere;
};

/* Return: where the next function returns to; 0 at the end. */
static uint64_t step(struct walk *walk)
{
	struct frame frame;

	if (!walk->at || walk->at % sizeof(frame))
		return 0;
	/* A handler on an alternate stack has interrupted the thread's own one. */
	if (read_own(walk->at, &frame)) {
		if (walk->at < walk->floor && !walk->elsewhere)
			return 0;
		walk->elsewhere = false;
	} else if (!walk->elsewhere || walk->at < walk->floor || !read_elsewhere(walk->at, &frame)) {
		return 0;
	}
	walk->floor = walk->at + sizeof(frame);
	walk->at = frame.next;
	return plain(frame.returns);
}

char *ltt_stack(char *to, unsigned int depth, struct ltt_origin origin)
{
	uint64_t end = (uintptr_t)origin.end, address = plain((uintptr_t)origin.place);
	struct walk walk = {
		.at = HAS_FRAMES ? leave_library(__builtin_frame_address(0), end) : 0,
		.floor = end, .elsewhere = !is_own(end),
	};
	char *next = to + sizeof(uint16_t);
	uint16_t nr = 0;

	do {
		next = mempcpy(next, &address, sizeof(address));
		ltt_objects_see(address);
		address = ++nr < depth ? step(&walk) : 0;
	} while (address);
	memcpy(to, &nr, sizeof(nr));
	return next;
}
