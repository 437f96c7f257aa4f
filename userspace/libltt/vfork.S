/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * vfork(): the child never traces.
 *
 * It runs in its parent's memory, and as the parent's thread as far as thread-local
 * storage goes, but the kernel does not know its restartable sequences (kernel/rseq.c and
 * rseq_fork() in include/linux/sched.h): one that is moved to another CPU in the middle
 * of a record would tear it.  So the thread is off in between; it is back in the parent
 * only, which waits.  posix_spawn(), system() and popen() run none of the program's code
 * in their children.
 *
 * The return address stays in a register, which the system call leaves alone: the child's
 * stack is the parent's, and the child returns first.
 */
#ifdef __x86_64__

	.text
	.globl	vfork
	.type	vfork, @function
vfork:
	popq	%rdi
	movq	ltt_context@gottpoff(%rip), %rsi
	movq	%fs:(%rsi), %rdx		/* the system call leaves it alone */
	movq	$-1, %fs:(%rsi)			/* LTT_CONTEXT_OFF */
	movl	$58, %eax			/* __NR_vfork */
	syscall
	pushq	%rdi
	testq	%rax, %rax
	jz	1f
	movq	%rdx, %fs:(%rsi)
	js	2f
1:	ret
2:	negl	%eax
	pushq	%rax
	call	__errno_location@PLT
	popq	%rcx
	movl	%ecx, (%rax)
	movq	$-1, %rax
	ret
	.size	vfork, . - vfork

#elif defined(__aarch64__)

	.text
	.globl	vfork
	.type	vfork, %function
vfork:
	adrp	x9, :gottprel:ltt_context
	ldr	x9, [x9, :gottprel_lo12:ltt_context]
	mrs	x10, tpidr_el0
	add	x9, x9, x10
	ldr	x11, [x9]			/* the system call leaves it alone */
	mov	x12, #-1
	str	x12, [x9]			/* LTT_CONTEXT_OFF */
	mov	x0, #0x4111			/* CLONE_VFORK | CLONE_VM | SIGCHLD */
	mov	x1, #0				/* on this stack */
	mov	x8, #220			/* __NR_clone */
	svc	#0
	cbz	x0, 1f
	str	x11, [x9]
	tbnz	x0, #63, 2f
1:	ret
2:	stp	x29, x30, [sp, #-32]!
	mov	x29, sp
	neg	w0, w0
	str	w0, [sp, #16]
	bl	__errno_location
	ldr	w1, [sp, #16]
	str	w1, [x0]
	mov	x0, #-1
	ldp	x29, x30, [sp], #32
	ret
	.size	vfork, . - vfork

#endif

	.section .note.GNU-stack, "", @progbits
