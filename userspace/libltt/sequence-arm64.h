/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The sequences of sequence.h in the instructions of arm64.
 *
 * Other CPUs may see the stores of a sequence in any order, but all of them before its last
 * store (stlr).  The next sequence on the ring begins by loading that value (ldar), so all its
 * stores are seen after it.  An ldapr would not do: it may be performed before an earlier
 * stlr.
 */
#ifndef LTT_SEQUENCE_ARM64_H
#define LTT_SEQUENCE_ARM64_H

/* From the next instruction to that before "22:"; jumps to "aborted".  A thread that is
 * interrupted before it stores @head checks @successor anew. */
#define SEQUENCE_BEGIN								\
	".pushsection __rseq_cs, \"aw\"\n\t.balign 32\n"			\
	"33:\t.long 0, 0\n\t.quad 11f, 22f - 11f, 44f\n\t.popsection\n\t"	\
	".pushsection __rseq_failure, \"ax\"\n\t.inst %c[signature]\n"		\
	"44:\tb %l[aborted]\n\t.popsection\n\t"					\
	"adrp x0, 33b\n\tadd x0, x0, :lo12:33b\n\tstr x0, [%[rseq], %[rseq_cs]]\n" \
	"11:\tldr w0, [%[rseq], %[cpu_id]]\n\tcmp w0, %w[cpu]\n\tb.ne %l[aborted]\n\t"	\
	"ldr x0, %[successor]\n\tcbnz x0, %l[aborted]\n\t"

#define SEQUENCE_INPUTS								\
	[rseq] "r" (ltt_rseq()), [cpu] "r" (cpu), [ring] "r" (ring),		\
	[successor] "m" (shm->successor),					\
	[signature] "i" (RSEQ_SIG_CODE),					\
	[rseq_cs] "i" (offsetof(struct rseq, rseq_cs)),				\
	[cpu_id] "i" (offsetof(struct rseq, cpu_id)),				\
	[head] "i" (offsetof(struct ltt_shm_ring, head)),			\
	[last] "i" (offsetof(struct ltt_shm_ring, last)),			\
	[epoch] "i" (offsetof(struct ltt_shm_ring, epoch))

/* x10 = the time.  The isb keeps the read after all earlier instructions. */
#define READ_CLOCK	"isb\n\tmrs x10, cntvct_el0\n\t"

/* @nr_words from @words to x3. */
#define COPY_PAYLOAD								\
	"mov x2, #0\n\tb 56f\n"							\
	"55:\tldr x0, [%[words], x2, lsl #3]\n\tstr x0, [x3], #8\n\tadd x2, x2, #1\n" \
	"56:\tcmp x2, %[nr_words]\n\tb.lo 55b\n\t"

/* x9 = @head.  A(next:S): our stores after the former writer's store of @head; pairs with the
 * loads of @head in load_steady() and ltt_shm_survived(): a reader that sees our @last, or
 * bytes that we overwrite, sees that @head, too. */
#define LOAD_HEAD	"add x0, %[ring], %[head]\n\tldar x9, [x0]\n\t"

/* A(head:S): all stores of the sequence before @head; pairs with A(head:R). */
#define STORE_HEAD(value)							\
	"add x0, %[ring], %[head]\n\tstlr " value ", [x0]\n"

static inline enum ltt_sequence ltt_sequence_record(const struct ltt_shm *shm, uint32_t cpu,
						    uint64_t header, uint64_t header_size,
						    const uint64_t *words, uint64_t nr_words,
						    uint64_t size, uint64_t until)
{
	struct ltt_shm_ring *ring = ltt_shm_ring(shm, cpu);
	uint64_t sb_mask = shm->sb_mask;
	uint64_t mask = shm->mask;
	/* With what is copied the record ends below the end.  The header is copied as a word, too.
	 * At 0, head - 1 is above all. */
	uint64_t limit = sb_mask - sizeof(uint64_t) - nr_words * sizeof(uint64_t);

	asm goto volatile (
		SEQUENCE_BEGIN
		LOAD_HEAD
		"sub x0, x9, #1\n\tand x0, x0, %[sb_mask]\n\t"
		"cmp x0, %[limit]\n\tb.hs %l[slow]\n\t"
		READ_CLOCK
		"cmp x10, %[until]\n\tb.hi %l[slow]\n\t"
		"and x3, x9, %[mask]\n\tadd x3, x3, %[data]\n\t"
		"lsl w0, w10, %[id_bits]\n\torr x0, x0, %[header]\n\tstr x0, [x3]\n\t"
		"add x3, x3, %[header_size]\n\t"
		"lsr x0, x10, %[time_bits]\n\tldr x2, [%[ring], %[epoch]]\n\t"
		"cmp x0, x2\n\tb.ne %l[slow]\n\t"
		COPY_PAYLOAD
		"str x10, [%[ring], %[last]]\n\t"
		"add x9, x9, %[size]\n\t"
		STORE_HEAD("x9")
		"22:"
		:
		: SEQUENCE_INPUTS, [header] "r" (header), [header_size] "r" (header_size),
		  [words] "r" (words), [nr_words] "r" (nr_words),
		  [size] "r" (size), [until] "r" (until), [limit] "r" (limit), [sb_mask] "r" (sb_mask),
		  [mask] "r" (mask), [data] "r" ((char *)ring + shm->data),
		  [id_bits] "i" (LTT_ID_BITS), [time_bits] "i" (LTT_TIME_BITS)
		: "x0", "x2", "x3", "x9", "x10", "memory", "cc"
		: aborted, slow);
	return LTT_SEQUENCE_DONE;
aborted:
	return LTT_SEQUENCE_ABORTED;
slow:
	return LTT_SEQUENCE_SLOW;
}

static inline enum ltt_sequence ltt_sequence_whole(const struct ltt_shm *shm, uint32_t cpu, uint64_t pos,
						   struct ltt_shm_sub *sub, uint64_t header,
						   const uint64_t *words, uint64_t nr_words,
						   uint64_t size, uint64_t *time)
{
	struct ltt_shm_ring *ring = ltt_shm_ring(shm, cpu);

	asm goto volatile (
		SEQUENCE_BEGIN
		LOAD_HEAD
		"cmp x9, %[pos]\n\tb.ne %l[aborted]\n\t"
		READ_CLOCK
		"str x10, [%[time]]\n\t"
		"str x10, [%[sub], %[begin]]\n\t"
		"ldr x0, [%[ring], %[lost]]\n\tstr x0, [%[sub], %[sub_lost]]\n\t"
		"str %[header], [%[at]]\n\tstur x10, [%[at], #5]\n\t"
		"add x3, %[at], #13\n\t"
		COPY_PAYLOAD
		"str x10, [%[ring], %[last]]\n\t"
		STORE_HEAD("%[new_head]")
		"22:"
		:
		: SEQUENCE_INPUTS, [pos] "r" (pos), [time] "r" (time), [sub] "r" (sub),
		  [begin] "i" (offsetof(struct ltt_shm_sub, begin)),
		  [lost] "i" (offsetof(struct ltt_shm_ring, lost)),
		  [sub_lost] "i" (offsetof(struct ltt_shm_sub, lost)),
		  [header] "r" (header), [words] "r" (words), [nr_words] "r" (nr_words),
		  [at] "r" (ltt_shm_at(shm, ring, pos)), [new_head] "r" (pos + size)
		: "x0", "x2", "x3", "x9", "x10", "memory", "cc"
		: aborted);
	return LTT_SEQUENCE_DONE;
aborted:
	return LTT_SEQUENCE_ABORTED;
}

static inline enum ltt_sequence ltt_sequence_close(const struct ltt_shm *shm, uint32_t cpu, uint64_t pos)
{
	struct ltt_shm_ring *ring = ltt_shm_ring(shm, cpu);
	uint64_t next = (pos | (ltt_shm_sb_size(shm) - 1)) + 1;

	asm goto volatile (
		SEQUENCE_BEGIN
		"ldr x9, [%[ring], %[head]]\n\tcmp x9, %[pos]\n\tb.ne %l[aborted]\n\t"
		"str %[pos], [%[end]]\n\t"
		STORE_HEAD("%[next]")
		"22:"
		:
		: SEQUENCE_INPUTS, [pos] "r" (pos), [next] "r" (next),
		  [end] "r" (&ltt_shm_sub(shm, ring, pos)->end)
		: "x0", "x9", "memory", "cc"
		: aborted);
	return LTT_SEQUENCE_DONE;
aborted:
	return LTT_SEQUENCE_ABORTED;
}

#endif /* LTT_SEQUENCE_ARM64_H */
