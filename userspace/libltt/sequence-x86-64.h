/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The sequences of sequence.h in the instructions of x86-64, which stores in order.
 */
#ifndef LTT_SEQUENCE_X86_64_H
#define LTT_SEQUENCE_X86_64_H

/* From the next instruction to that before "22:"; jumps to "aborted".  A thread that is
 * interrupted before it stores @head checks @successor anew. */
#define SEQUENCE_DESCRIBE							\
	".pushsection __rseq_cs, \"aw\"\n\t.balign 32\n"			\
	"33:\t.long 0, 0\n\t.quad 11f, 22f - 11f, 44f\n\t.popsection\n\t"	\
	".pushsection __rseq_failure, \"ax\"\n\t"				\
	".byte 0x0f, 0xb9, 0x3d\n\t.long 0x53053053\n"	/* RSEQ_SIG */		\
	"44:\tjmp %l[aborted]\n\t.popsection\n\t"

#define SEQUENCE_BEGIN SEQUENCE_DESCRIBE					\
	"leaq 33b(%%rip), %%rax\n\tmovq %%rax, %c[rseq_cs](%[rseq])\n"		\
	"11:\tcmpl %[cpu], %c[cpu_id](%[rseq])\n\tjne %l[aborted]\n\t"		\
	"cmpq $0, %[successor]\n\tjne %l[aborted]\n\t"

#define SEQUENCE_INPUTS								\
	[rseq] "r" (ltt_rseq()), [cpu] "r" (cpu), [ring] "r" (ring),		\
	[successor] "m" (shm->successor),					\
	[rseq_cs] "i" (offsetof(struct rseq, rseq_cs)),				\
	[cpu_id] "i" (offsetof(struct rseq, cpu_id)),				\
	[head] "i" (offsetof(struct ltt_shm_ring, head)),			\
	[last] "i" (offsetof(struct ltt_shm_ring, last)),			\
	[epoch] "i" (offsetof(struct ltt_shm_ring, epoch))

/* %rdx = the time */
#define READ_CLOCK								\
	"rdtsc\n\tshlq $32, %%rdx\n\torq %%rax, %%rdx\n\t"

/* @nr_words from @words to @header after %r8. */
#define COPY_PAYLOAD(header)							\
	"xorl %%ecx, %%ecx\n\tjmp 56f\n"					\
	"55:\tmovq (%[words],%%rcx,8), %%rax\n\tmovq %%rax, " #header "(%%r8,%%rcx,8)\n\t" \
	"incq %%rcx\n"								\
	"56:\tcmpq %[nr_words], %%rcx\n\tjb 55b\n\t"

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
		"movq %c[head](%[ring]), %%r9\n\t"
		"leaq -1(%%r9), %%rax\n\tandq %[sb_mask], %%rax\n\t"
		"cmpq %[limit], %%rax\n\tjae %l[slow]\n\t"
		READ_CLOCK
		"cmpq %[until], %%rdx\n\tja %l[slow]\n\t"
		"movq %%r9, %%r8\n\tandq %[mask], %%r8\n\taddq %[data], %%r8\n\t"
		"shll %[id_bits], %%eax\n\torq %[header], %%rax\n\tmovq %%rax, (%%r8)\n\t"
		"addq %[header_size], %%r8\n\t"
		"movq %%rdx, %%rax\n\tshrq %[time_bits], %%rax\n\t"
		"cmpq %%rax, %c[epoch](%[ring])\n\tjne %l[slow]\n\t"
		COPY_PAYLOAD(0)
		"movq %%rdx, %c[last](%[ring])\n\t"
		"addq %[size], %%r9\n\tmovq %%r9, %c[head](%[ring])\n"
		"22:"
		:
		: SEQUENCE_INPUTS, [header] "r" (header), [header_size] "rm" (header_size),
		  [words] "r" (words), [nr_words] "rm" (nr_words),
		  [size] "rm" (size), [until] "rm" (until), [limit] "rm" (limit), [sb_mask] "rm" (sb_mask),
		  [mask] "rm" (mask), [data] "rm" ((char *)ring + shm->data),
		  [id_bits] "i" (LTT_ID_BITS), [time_bits] "i" (LTT_TIME_BITS)
		: "rax", "rcx", "rdx", "r8", "r9", "memory", "cc"
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
		"cmpq %[pos], %c[head](%[ring])\n\tjne %l[aborted]\n\t"
		READ_CLOCK
		"movq %%rdx, (%[time])\n\t"
		"movq %[sub], %%rax\n\tmovq %%rdx, %c[begin](%%rax)\n\t"
		"movq %c[lost](%[ring]), %%rcx\n\tmovq %%rcx, %c[sub_lost](%%rax)\n\t"
		"movq %[at], %%r8\n\tmovq %[header], %%rax\n\t"
		"movq %%rax, (%%r8)\n\tmovq %%rdx, 5(%%r8)\n\t"
		COPY_PAYLOAD(13)
		"movq %%rdx, %c[last](%[ring])\n\t"
		"movq %[new_head], %%rax\n\tmovq %%rax, %c[head](%[ring])\n"
		"22:"
		:
		: SEQUENCE_INPUTS, [pos] "r" (pos), [time] "r" (time), [sub] "rm" (sub),
		  [begin] "i" (offsetof(struct ltt_shm_sub, begin)),
		  [lost] "i" (offsetof(struct ltt_shm_ring, lost)),
		  [sub_lost] "i" (offsetof(struct ltt_shm_sub, lost)),
		  [header] "rm" (header), [words] "r" (words), [nr_words] "rm" (nr_words),
		  [at] "rm" (ltt_shm_at(shm, ring, pos)), [new_head] "rm" (pos + size)
		: "rax", "rcx", "rdx", "r8", "memory", "cc"
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
		"cmpq %[pos], %c[head](%[ring])\n\tjne %l[aborted]\n\t"
		"movq %[pos], (%[end])\n\t"
		"movq %[next], %c[head](%[ring])\n"
		"22:"
		:
		: SEQUENCE_INPUTS, [pos] "r" (pos), [next] "r" (next),
		  [end] "r" (&ltt_shm_sub(shm, ring, pos)->end)
		: "rax", "memory", "cc"
		: aborted);
	return LTT_SEQUENCE_DONE;
aborted:
	return LTT_SEQUENCE_ABORTED;
}

#define LTT_HAS_VALUES	1

#define NUMBER(macro)	NUMBER_(macro)
#define NUMBER_(number)	"$" #number

/* Store @what at the offset that the @nr-th @at has: 0 of the context, and from 1 on of the values. */
#define PUT(nr, what)	"movzbl %c[at]+" #nr "(%[layout]), %%eax\n\tmovq %[" #what "], (%%r8,%%rax)\n\t"

/*
 * The sequences of a record of values.  Each part is stored as a word, from the first one on: the next part overwrites
 * the excess, and the next record that of the last.  Members are at offsets from two registers: a compiler that does
 * not optimize has not enough registers for the addresses of so many operands.
 *
 * VALUES_BEGIN: %rcx = the ring of this CPU, which the thread stays on until the end of the sequence; cpu_id, and
 * @successor as elsewhere.  %rdx = the time, which takes longer than all the rest: the CPU ends what is before rdtsc
 * before it begins with it, and does not begin the next rdtsc before it has ended what is after this one.  So the two
 * long chains of loads are apart: of an event's ring, and of the place in the ring.
 */
#define VALUES_BEGIN								\
	SEQUENCE_DESCRIBE							\
	"movq %[offset], %%rcx\n\t"						\
	"leaq 33b(%%rip), %%rax\n\tmovq %%rax, %%fs:%c[rseq_cs](%%rcx)\n"	\
	"11:\tmovl %%fs:%c[cpu_id](%%rcx), %%ecx\n\t"				\
	"cmpl %c[cpus](%[shm]), %%ecx\n\tjae %l[aborted]\n\t"			\
	"cmpq $0, %c[successor](%[shm])\n\tjne %l[aborted]\n\t"		\
	"imulq %c[stride](%[shm]), %%rcx\n\taddq %c[base](%[shm]), %%rcx\n\t"	\
	READ_CLOCK

/* %r8 = the place, inside the sub-buffer, with room for the record: see ltt_sequence_record().  The header is there.
 * @more: instructions that add to the size in %rax */
#define VALUES_HEADER(more)							\
	"movq %c[head](%%rcx), %%r8\n\t"					\
	"leaq -1(%%r8), %%rax\n\tandq %c[sb_mask](%[shm]), %%rax\n\t"		\
	"addq %c[room](%[layout]), %%rax\n\t" more				\
	"cmpq %c[sb_mask](%[shm]), %%rax\n\tjae %l[aborted]\n\t"		\
	"andq %c[mask](%[shm]), %%r8\n\taddq %c[data](%[shm]), %%r8\n\taddq %%rcx, %%r8\n\t" \
	"imull " NUMBER((1 << LTT_ID_BITS)) ", %%edx, %%eax\n\t"		\
	"orq %c[header](%[layout]), %%rax\n\tmovq %%rax, (%%r8)\n\t"		\
	"movq %%rdx, %%rax\n\tshrq " NUMBER(LTT_TIME_BITS) ", %%rax\n\t"	\
	"cmpq %%rax, %c[epoch](%%rcx)\n\tjne %l[aborted]\n\t"

/* Move @head behind the record.  @more: as for VALUES_HEADER */
#define VALUES_END(more)							\
	"movq %%rdx, %c[last](%%rcx)\n\t"					\
	"movzbl %c[size](%[layout]), %%eax\n\t" more "addq %%rax, %c[head](%%rcx)\n" \
	"22:"

#define VALUES_INPUTS								\
	[offset] "m" (ltt_rseq_offset), [shm] "r" (shm), [layout] "r" (layout), [context] "r" (context), \
	[rseq_cs] "i" (offsetof(struct rseq, rseq_cs)),				\
	[cpu_id] "i" (offsetof(struct rseq, cpu_id)),				\
	[cpus] "i" (offsetof(struct ltt_shm, sequence_cpus)),			\
	[successor] "i" (offsetof(struct ltt_shm, successor)),			\
	[stride] "i" (offsetof(struct ltt_shm, stride)),			\
	[base] "i" (offsetof(struct ltt_shm, base)),				\
	[sb_mask] "i" (offsetof(struct ltt_shm, sb_mask)),			\
	[mask] "i" (offsetof(struct ltt_shm, mask)),				\
	[data] "i" (offsetof(struct ltt_shm, data)),				\
	[head] "i" (offsetof(struct ltt_shm_ring, head)),			\
	[last] "i" (offsetof(struct ltt_shm_ring, last)),			\
	[epoch] "i" (offsetof(struct ltt_shm_ring, epoch)),			\
	[header] "i" (offsetof(struct ltt_layout, header)),			\
	[room] "i" (offsetof(struct ltt_layout, room)),				\
	[at] "i" (offsetof(struct ltt_layout, at)),				\
	[size] "i" (offsetof(struct ltt_layout, size))

#define WRITE_VALUES(put, ...)							\
	asm goto volatile (							\
		VALUES_BEGIN VALUES_HEADER("") PUT(0, context) put VALUES_END("") \
		:								\
		: VALUES_INPUTS, ##__VA_ARGS__					\
		: "rax", "rcx", "rdx", "r8", "memory", "cc"			\
		: aborted)

static inline __attribute__((always_inline)) enum ltt_sequence
ltt_sequence_values(const struct ltt_shm *shm, const struct ltt_layout *layout, uint64_t context,
		    unsigned int nr, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e)
{
	if (nr == 0)
		WRITE_VALUES("");
	else if (nr == 1)
		WRITE_VALUES(PUT(1, a), [a] "r" (a));
	else if (nr == 2)
		WRITE_VALUES(PUT(1, a) PUT(2, b), [a] "r" (a), [b] "r" (b));
	else if (nr == 3)
		WRITE_VALUES(PUT(1, a) PUT(2, b) PUT(3, c), [a] "r" (a), [b] "r" (b), [c] "r" (c));
	else if (nr == 4)
		WRITE_VALUES(PUT(1, a) PUT(2, b) PUT(3, c) PUT(4, d),
			     [a] "r" (a), [b] "r" (b), [c] "r" (c), [d] "r" (d));
	else
		WRITE_VALUES(PUT(1, a) PUT(2, b) PUT(3, c) PUT(4, d) PUT(5, e),
			     [a] "r" (a), [b] "r" (b), [c] "r" (c), [d] "r" (d), [e] "r" (e));
	return LTT_SEQUENCE_DONE;
aborted:
	return LTT_SEQUENCE_ABORTED;
}

/*
 * A handler that asks for the name anew interrupts the sequence, so @name stays as it is.  All its bytes are stored.
 * The layout has the values right behind the ids, so the size of the name is added to their offsets.
 */
static inline enum ltt_sequence ltt_sequence_named(const struct ltt_shm *shm, const struct ltt_layout *layout,
						   uint64_t context, const struct ltt_thread_name *name,
						   const uint64_t *words, uint64_t nr_words)
{
	asm goto volatile (
		VALUES_BEGIN
		"cmpq %%rdx, %c[until](%[name])\n\tjb %l[aborted]\n\t"
		VALUES_HEADER("addq %[name_max], %%rax\n\t")
		PUT(0, context)
		"movq %c[text](%[name]), %%r9\n\tmovq %%r9, %c[ids_size](%%r8,%%rax)\n\t"
		"movq %c[text]+8(%[name]), %%r9\n\tmovq %%r9, %c[ids_size]+8(%%r8,%%rax)\n\t"
		"movl %c[name_size](%[name]), %%r9d\n\taddq %%r9, %%r8\n\t"
		"xorl %%r9d, %%r9d\n\tjmp 56f\n"
		"55:\tmovzbl %c[at]+1(%[layout],%%r9), %%eax\n\t"
		"movq (%[words],%%r9,8), %%r10\n\tmovq %%r10, (%%r8,%%rax)\n\t"
		"incq %%r9\n"
		"56:\tcmpq %[nr_words], %%r9\n\tjb 55b\n\t"
		VALUES_END("addl %c[name_size](%[name]), %%eax\n\t")
		:
		: VALUES_INPUTS, [name] "r" (name), [words] "r" (words), [nr_words] "rm" (nr_words),
		  [until] "i" (offsetof(struct ltt_thread_name, until)),
		  [name_size] "i" (offsetof(struct ltt_thread_name, size)),
		  [text] "i" (offsetof(struct ltt_thread_name, text)),
		  [name_max] "i" (LTT_THREAD_NAME_SIZE), [ids_size] "i" (LTT_CONTEXT_USUAL_SIZE)
		: "rax", "rcx", "rdx", "r8", "r9", "r10", "memory", "cc"
		: aborted);
	return LTT_SEQUENCE_DONE;
aborted:
	return LTT_SEQUENCE_ABORTED;
}

#endif /* LTT_SEQUENCE_X86_64_H */
