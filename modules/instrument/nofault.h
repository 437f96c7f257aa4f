/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading objects of the kernel whose addresses may be wrong.
 *
 * Layer: instrument.  Used by probes that are made of BTF (btf/events.c): nothing says what
 * an argument of a tracepoint may point to, so each step is one that may fail.
 * Context: any, NMI included.
 */
#ifndef LTT_INSTRUMENT_NOFAULT_H
#define LTT_INSTRUMENT_NOFAULT_H

#include <linux/mm.h>
#include <linux/types.h>

void ltt_nofault_read(void *to, size_t size, const void *object, size_t offset);
const void *ltt_nofault_pointer(const void *object, size_t offset);
char *ltt_nofault_copy_string(char *to, char *end, const char *from);

/*
 * The number of the page frame of a struct page or folio.  Where it is not computed from the
 * address alone, the kernel would read the page; then it is not recorded, nor where a folio
 * does not begin with its page.
 */
#if defined(LTT_HAVE_FOLIO_IS_PAGE) && (defined(CONFIG_SPARSEMEM_VMEMMAP) || defined(CONFIG_FLATMEM))
#define ltt_pfn(object)	page_to_pfn((const struct page *)(object))
#else
#define ltt_pfn(object)	0UL
#endif

#endif /* LTT_INSTRUMENT_NOFAULT_H */
