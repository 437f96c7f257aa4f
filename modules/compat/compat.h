/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The newest kernel's names, for the kernels that lack them.
 *
 * Layer: none; the compiler includes this file before every source file of
 * modules/, samples/ and tests/modules/.  The sources are written for the
 * newest kernel; what an older one spells otherwise is a macro here, under the
 * probe (file "probes") that found it missing.
 *
 * It includes no kernel header: it costs nothing to those that need none of it,
 * and cannot change the order in which a source includes its headers.
 */
#ifndef LTT_COMPAT_H
#define LTT_COMPAT_H

#include "generated.h" /* missing? "make" in the top folder makes it, by compat/conftest KDIR */

#ifndef LTT_HAVE_HRTIMER_SETUP
#define hrtimer_setup(timer, callback, clock, mode)	\
	do {						\
		hrtimer_init(timer, clock, mode);	\
		(timer)->function = callback;		\
	} while (0)
#endif

#ifndef LTT_HAVE_VM_FLAGS_MOD
#define vm_flags_mod(vma, set, clear)	\
	((vma)->vm_flags = ((vma)->vm_flags | (set)) & ~(clear))
#endif

/* Kernels that have both names warn of work on the old ones. */
#ifndef LTT_HAVE_DFL_WQ
#define system_dfl_wq		system_unbound_wq
#define system_percpu_wq	system_wq
#endif

/* Threads of the kernel that belong to a process: older kernels have only io workers.
 * conftest refuses a kernel that lacks the flag and is not known to be one of these. */
#ifndef LTT_HAVE_USER_WORKER
#define PF_USER_WORKER	0
#endif

/* A program of eBPF is entered by one event on each CPU; pairs of these, whatever the first says. */
#ifndef LTT_HAVE_BPF_RECURSION_CONTEXT
#define bpf_prog_get_recursion_context(program)	(this_cpu_inc_return(*(program)->active) == 1)
#define bpf_prog_put_recursion_context(program)	this_cpu_dec(*(program)->active)
#endif

#ifdef LTT_HAVE_BPF_PROG_SLEEPABLE
#define bpf_prog_is_sleepable(program)	((program)->sleepable)
#else
#define bpf_prog_is_sleepable(program)	((program)->aux->sleepable)
#endif

/* Whether the compiled program has its stack in memory of the CPU. */
#ifdef LTT_HAVE_BPF_PRIVATE_STACK
#define bpf_prog_has_private_stack(program)	((program)->aux->jits_use_priv_stack)
#else
#define bpf_prog_has_private_stack(program)	false
#endif

/* For the kernel's own stages of TRACE_EVENT, which define __assign_str() each time
 * they are included: the newest know the source by themselves. */
#ifdef LTT_HAVE_ASSIGN_STR_ALONE
#define assign_event_str(field, source)	__assign_str(field)
#else
#define assign_event_str(field, source)	__assign_str(field, source)
#endif

/*
 * DEFINE_SYSCORE(name, suspend, resume): a struct for register_syscore() with
 * two functions of no argument.  The newest kernel hands them one.
 */
#ifdef LTT_HAVE_REGISTER_SYSCORE
#define DEFINE_SYSCORE(name, suspend_fn, resume_fn)				\
	static int name##_suspend(void *data) { return suspend_fn(); }		\
	static void name##_resume(void *data) { resume_fn(); }			\
	static const struct syscore_ops name##_ops = {				\
		.suspend = name##_suspend, .resume = name##_resume,		\
	};									\
	static struct syscore name = { .ops = &name##_ops }
#else
#define DEFINE_SYSCORE(name, suspend_fn, resume_fn)				\
	static struct syscore_ops name = { .suspend = suspend_fn, .resume = resume_fn }
#define register_syscore(syscore)	register_syscore_ops(syscore)
#define unregister_syscore(syscore)	unregister_syscore_ops(syscore)
#endif

#endif /* LTT_COMPAT_H */
