// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * libltt-malloc.so: the memory that a program allocates and frees.
 *
 *   malloc:alloc    address, size, alignment (0 for malloc and calloc), caller
 *   malloc:realloc  old, address, size, caller
 *   malloc:free     address, caller
 *
 * An address of 0 after an allocation is a failure.  An allocation is recorded after it was
 * made, and a free before, so that no two blocks have one address at the same time; a
 * realloc() is one event, after it.
 *
 * The functions behind are those of the next library that has them: the C library, or an
 * allocator that the program is linked with.
 */
#include "preload.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

enum { ALLOC, REALLOC, FREE, NR_GATES };

static struct preload_gate gates[NR_GATES] = {
	[ALLOC] = PRELOAD_GATE("alloc"), [REALLOC] = PRELOAD_GATE("realloc"), [FREE] = PRELOAD_GATE("free"),
};

/* free() is found last. */
#define FUNCTIONS(X)							\
	X(malloc) X(calloc) X(realloc) X(aligned_alloc) X(posix_memalign) X(memalign)	\
	X(valloc) X(pvalloc)

static struct {
	FUNCTIONS(PRELOAD_MEMBER)
	PRELOAD_MEMBER(free)
} real;

PRELOAD_THREAD bool is_finding;

/* The loader allocates before any constructor has run, in the only thread that there is.
 * dlsym() may allocate in older C libraries, and does without if that fails. */
static NOINLINE bool find(void)
{
	if (is_finding) {
		errno = ENOMEM;
		return false;
	}
	is_finding = true;
	FUNCTIONS(PRELOAD_FIND)
	__atomic_store_n(&real.free, (__typeof__(free) *)preload_find("free"), __ATOMIC_RELEASE);
	is_finding = false;
	return true;
}

static inline bool have_real(void)
{
	return __builtin_expect(__atomic_load_n(&real.free, __ATOMIC_ACQUIRE) != NULL, 1) || find();
}

static NOINLINE void record_alloc(const void *address, size_t size, size_t alignment, const void *caller)
{
	if (preload_wants(caller))
		trace_mark(malloc, alloc, "address %p size %zu alignment %zu caller %p", address, size,
			   alignment, caller);
}

static NOINLINE void record_realloc(const void *old, const void *address, size_t size, const void *caller)
{
	if (preload_wants(caller))
		trace_mark(malloc, realloc, "old %p address %p size %zu caller %p", old, address, size, caller);
}

static NOINLINE void record_free(const void *address, const void *caller)
{
	if (preload_wants(caller))
		trace_mark(malloc, free, "address %p caller %p", address, caller);
}

static size_t product(size_t nr, size_t size)
{
	size_t bytes;

	return __builtin_mul_overflow(nr, size, &bytes) ? SIZE_MAX : bytes;
}

static inline void *allocated(void *address, size_t size, size_t alignment, const void *caller)
{
	if (preload_is_on(&gates[ALLOC]))
		record_alloc(address, size, alignment, caller);
	return address;
}

static inline void *reallocated(uintptr_t old, void *address, size_t size, const void *caller)
{
	if (preload_is_on(&gates[REALLOC]))
		record_realloc((const void *)old, address, size, caller);
	return address;
}

PRELOAD_API void *malloc(size_t size)
{
	return have_real() ? allocated(real.malloc(size), size, 0, CALLER) : NULL;
}

PRELOAD_API void *calloc(size_t nr, size_t size)
{
	return have_real() ? allocated(real.calloc(nr, size), product(nr, size), 0, CALLER) : NULL;
}

PRELOAD_API void *realloc(void *old, size_t size)
{
	uintptr_t was = (uintptr_t)old;

	return have_real() ? reallocated(was, real.realloc(old, size), size, CALLER) : NULL;
}

/* That of the C library calls realloc(), that is the one above. */
PRELOAD_API void *reallocarray(void *old, size_t nr, size_t size)
{
	uintptr_t was = (uintptr_t)old;
	size_t bytes;

	if (__builtin_mul_overflow(nr, size, &bytes)) {
		errno = ENOMEM;
		return reallocated(was, NULL, SIZE_MAX, CALLER);
	}
	return have_real() ? reallocated(was, real.realloc(old, bytes), bytes, CALLER) : NULL;
}

PRELOAD_API void *aligned_alloc(size_t alignment, size_t size)
{
	return have_real() ? allocated(real.aligned_alloc(alignment, size), size, alignment, CALLER) : NULL;
}

PRELOAD_API int posix_memalign(void **address, size_t alignment, size_t size)
{
	int err = have_real() ? real.posix_memalign(address, alignment, size) : ENOMEM;

	allocated(err ? NULL : *address, size, alignment, CALLER);
	return err;
}

PRELOAD_API void *memalign(size_t alignment, size_t size)
{
	return have_real() ? allocated(real.memalign(alignment, size), size, alignment, CALLER) : NULL;
}

PRELOAD_API void *valloc(size_t size)
{
	return have_real() ? allocated(real.valloc(size), size, getpagesize(), CALLER) : NULL;
}

PRELOAD_API void *pvalloc(size_t size)
{
	return have_real() ? allocated(real.pvalloc(size), size, getpagesize(), CALLER) : NULL;
}

PRELOAD_API void free(void *address)
{
	if (!have_real())
		return;
	if (preload_is_on(&gates[FREE]) && address)
		record_free(address, CALLER);
	real.free(address);
}

static __attribute__((constructor(199))) void begin(void)
{
	have_real();
	preload_open_gates(gates, NR_GATES);
}

PRELOAD_SITES(malloc);
