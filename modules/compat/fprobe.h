/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fprobes: kernels differ in the registers that handlers get; older ones have other handlers, or keep
 * fprobes to themselves, and LTT uses none there.  The build names that, see the file "features".
 *
 * Layer: none.
 */
#ifndef LTT_COMPAT_FPROBE_H
#define LTT_COMPAT_FPROBE_H

#if defined(LTT_HAVE_FPROBE_FTRACE_REGS) || defined(LTT_HAVE_FPROBE_PT_REGS)
#define LTT_FPROBE

#include <linux/fprobe.h>

#ifdef LTT_HAVE_FPROBE_FTRACE_REGS
typedef struct ftrace_regs ltt_fprobe_regs;
#else
typedef struct pt_regs ltt_fprobe_regs;
#endif

/**
 * ltt_fprobe_set_calls() - make room for calls that have not returned
 * @fp: not yet registered
 * @nr: number of calls; further ones are missed
 */
static inline void ltt_fprobe_set_calls(struct fprobe *fp, unsigned int nr)
{
#ifndef LTT_HAVE_FPROBE_FTRACE_REGS	/* the newer ones have room on the stack of each task */
	fp->nr_maxactive = nr;
#endif
}

#endif
#endif /* LTT_COMPAT_FPROBE_H */
