/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Included before each source file that is compiled for coverage in the kernel.
 *
 * With -fprofile-info-section an object has no constructor, but a pointer to what gcc
 * knows of it in section .gcov_info. Each source file puts a mark there as well, a zero
 * with a name, so that coverage.c can find the section of a module: it goes from the
 * first mark to the last, which is that of NAME.mod.o, an object without functions that
 * is linked behind all others.
 *
 * gcc requires the name of a merge function; no code calls it.
 */
asm(".pushsection .gcov_info, \"a\"\n"
    ".balign 8\n"
    "ltt_coverage_mark: .quad 0\n"
    ".popsection\n"
    "__gcov_merge_add = 1\n");
