/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * vfork(), which switches tracing off in the child.
 *
 * The child of a vfork() runs in its parent's memory and uses the thread-local storage of the
 * parent's thread, but the kernel does not restart its sequences (kernel/rseq.c, and
 * rseq_fork() in include/linux/sched.h).  A child that migrates to another CPU in the middle
 * of a record would damage the ring.  So markers store nothing between the call and the
 * child's exec() or exit, and the context is restored in the parent, which waits until then.
 * posix_spawn(), system() and popen() run no code of the program in their children.
 *
 * The return address stays in a register that the system call preserves: the child uses the
 * parent's stack, and it returns first.
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

#elif defined(__i386__)

	.text
	.globl	vfork
	.type	vfork, @function
vfork:
	call	4f
3:	addl	$_GLOBAL_OFFSET_TABLE_ + (. - 3b), %ecx
	movl	ltt_context@gotntpoff(%ecx), %edx
	popl	%ecx				/* the system call leaves it alone, and %edx */
	movl	$190, %eax			/* __NR_vfork */
	cmpl	$-1, %gs:(%edx)			/* it is off: nothing is to be restored */
	je	5f
	fld1
	fchs
	fistpll	%gs:(%edx)			/* LTT_CONTEXT_OFF, in one piece */
	int	$0x80
	pushl	%ecx
	testl	%eax, %eax
	jz	1f
	fldz
	fistpll	%gs:(%edx)			/* to be found out again */
	js	2f
1:	ret
5:	int	$0x80
	pushl	%ecx
	testl	%eax, %eax
	jns	1b
2:	negl	%eax
	pushl	%ebx
	pushl	%eax
	call	4f
6:	addl	$_GLOBAL_OFFSET_TABLE_ + (. - 6b), %ecx
	movl	%ecx, %ebx
	subl	$4, %esp			/* aligned to 16 bytes */
	call	__errno_location@PLT
	addl	$4, %esp
	popl	%ecx
	popl	%ebx
	movl	%ecx, (%eax)
	movl	$-1, %eax
	ret
4:	movl	(%esp), %ecx
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

#elif defined(__arm__)

	.syntax	unified
	.arch	armv7-a
	.arm
	.text
	.globl	vfork
	.type	vfork, %function
vfork:
	ldr	r3, 7f
1:	ldr	r3, [pc, r3]
	mrc	p15, 0, r2, c13, c0, 3		/* the thread pointer */
	add	r3, r3, r2
	mov	ip, r7				/* the system call leaves it alone, r3 and lr */
	mov	r7, #190			/* __NR_vfork */
2:	ldrexd	r0, r1, [r3]
	cmn	r0, #1				/* it is off: nothing is to be restored */
	beq	4f
	mvn	r0, #0
	mvn	r1, #0
	strexd	r2, r0, r1, [r3]		/* LTT_CONTEXT_OFF, in one piece */
	cmp	r2, #0
	bne	2b
	svc	#0
	mov	r7, ip
	cmp	r0, #0
	bxeq	lr
	mov	ip, r0
3:	ldrexd	r0, r1, [r3]
	mov	r0, #0
	mov	r1, #0
	strexd	r2, r0, r1, [r3]		/* to be found out again */
	cmp	r2, #0
	bne	3b
	mov	r0, ip
	b	5f
4:	svc	#0
	mov	r7, ip
5:	cmp	r0, #0
	bxge	lr
	push	{r4, lr}
	rsb	r4, r0, #0
	bl	__errno_location(PLT)
	str	r4, [r0]
	mvn	r0, #0
	pop	{r4, pc}
	.align	2
7:	.word	ltt_context(gottpoff) + (. - 1b - 8)
	.size	vfork, . - vfork

#endif

	.section .note.GNU-stack, "", %progbits
