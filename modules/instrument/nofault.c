// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads objects of the kernel whose addresses may be wrong; see nofault.h.
 *
 * Layer: instrument.  Context: any, NMI included.
 */
#include <linux/compiler.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <ltt/marker-string.h>
#include <ltt/scratch.h>

#include "nofault.h"

/* A string is read in pieces of at most this many bytes. */
#define PIECE	64

/**
 * ltt_nofault_read() - read a member of an object
 * @to: where to; zeros if it cannot be read
 * @size: its bytes
 * @object: the object; NULL and errors are objects that cannot be read
 * @offset: place of the member in it
 */
notrace void ltt_nofault_read(void *to, size_t size, const void *object, size_t offset)
{
	if (IS_ERR_OR_NULL(object) || copy_from_kernel_nofault(to, object + offset, size))
		memset(to, 0, size);
}

/**
 * ltt_nofault_pointer() - read a member that is a pointer
 * @object: see ltt_nofault_read()
 * @offset: "
 *
 * Return: its value, NULL if it cannot be read.
 */
notrace const void *ltt_nofault_pointer(const void *object, size_t offset)
{
	const void *pointer;

	ltt_nofault_read(&pointer, sizeof(pointer), object, offset);
	return pointer;
}

/**
 * ltt_nofault_copy_string() - append a copy of a string
 * @to: end so far
 * @end: end of the buffer
 * @from: NUL-terminated; NULL becomes "(null)", and "(efault)" replaces what cannot be read
 *
 * Each byte is read once.
 *
 * Return: the new end, or NULL if the event is lost.
 */
notrace char *ltt_nofault_copy_string(char *to, char *end, const char *from)
{
	char *last, *found;

	if (!to || to == end)
		return NULL;
	last = ltt_scratch_last(to, end);
	if (!from)
		return ltt_copy_text(to, "(null)", last);
	while (to < last) {
		/* No piece reaches into the next page, which may not be there. */
		const size_t size = min3((size_t)(last - to), (size_t)PIECE,
					 (size_t)(PAGE_SIZE - offset_in_page(from)));

		if (IS_ERR(from) || copy_from_kernel_nofault(to, from, size))
			return ltt_copy_text(to, "(efault)", last);
		found = memchr(to, '\0', size);
		if (found)
			return found + 1;
		to += size;
		from += size;
	}
	*to++ = '\0';
	return to;
}
