/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * exec-arm PROGRAM [ARGUMENT...]: a 32-bit ARM program that calls fcntl64(1, F_GETFD), whose number for 64-bit programs is
 * that of execve(), and then execve() to run the program in its place.
 */
	.arm
	.globl _start
_start:
	mov	r0, #1
	mov	r1, #1
	mov	r2, #0
	mov	r7, #221	/* fcntl64 */
	svc	#0
	ldr	r0, [sp, #8]	/* argv[1] */
	add	r1, sp, #8
	mov	r2, #0
	mov	r7, #11		/* execve */
	svc	#0
	mov	r0, #127
	mov	r7, #1		/* exit */
	svc	#0
	.section .note.GNU-stack, "", %progbits
