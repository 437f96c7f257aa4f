// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The maps of a question.
 *
 * All are allocated in advance: a program must not ask for memory where events happen.
 */
#include "question.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>

static int cannot_make(int err, unsigned int nr, struct expression_error *error)
{
	switch (-err) {
	case EPERM:
		return fail(error, -EPERM, "no right to make a BPF map (CAP_BPF and CAP_PERFMON are required)");
	case ENOSYS:
		return fail(error, -EOPNOTSUPP, "this kernel has no eBPF (CONFIG_BPF_SYSCALL)");
	case ENOMEM:
		return fail(error, -ENOMEM, "not enough memory for %u keys; --max-keys takes a smaller number", nr);
	default:
		return fail(error, err, "cannot make a BPF map of %u entries: %s", nr, strerror(-err));
	}
}

/* One map.  Return: its descriptor, or -errno after fail(). */
static int make(enum bpf_map_type type, const char *name, size_t key_size, size_t value_size, unsigned int nr,
		struct expression_error *error)
{
	int fd = bpf_map_create(type, name, key_size, value_size, nr, NULL);

	return fd < 0 ? cannot_make(-errno, nr, error) : fd;
}

uint64_t question_least(const struct question *question)
{
	return question->is_signed ? INT64_MIN : 0;
}

uint64_t question_greatest(const struct question *question)
{
	return question->is_signed ? INT64_MAX : UINT64_MAX;
}

static void begin_entry(const struct question *question, struct entry *entry)
{
	if (question->options->kind == QUESTION_COUNT)
		return;
	entry->min = question_greatest(question);
	entry->max = question_least(question);
}

/* An area with @nr entries on each CPU, @bytes from one to the next. */
static int make_area(const struct question *question, struct area *area, const char *name, unsigned int nr, size_t bytes,
		     struct expression_error *error)
{
	int err = area_make(area, name, nr * bytes);
	unsigned int cpu, i;

	if (err)
		return cannot_make(err, nr, error);
	for (cpu = 0; cpu < area->nr_cpus; cpu++)
		for (i = 0; i < nr; i++)
			begin_entry(question, area_at(area, cpu, i * bytes));
	return 0;
}

/* The entry of which a program makes new ones. */
static int make_blank(struct question *question, struct expression_error *error)
{
	struct entry *entry;
	uint32_t zero = 0;
	int err = 0;

	question->blank = make(BPF_MAP_TYPE_ARRAY, "ltt_blank", sizeof(zero), question->entry_size, 1, error);
	if (question->blank < 0)
		return question->blank;
	entry = calloc(1, question->entry_size);
	if (!entry)
		return fail(error, -ENOMEM, "out of memory");
	begin_entry(question, entry);
	if (bpf_map_update_elem(question->blank, &zero, entry, BPF_ANY))
		err = cannot_make(-errno, 1, error);
	free(entry);
	return err;
}

static int make_entries(struct question *question, struct expression_error *error)
{
	if (!question->key_size)
		return make_area(question, &question->keyless, "ltt_entries", question->nr_entries,
				 question->entry_size, error);
	question->entries = make(BPF_MAP_TYPE_PERCPU_HASH, "ltt_entries", question->key_size, question->entry_size,
				 question->nr_entries, error);
	return question->entries < 0 ? question->entries : 0;
}

/* No more slots than there is room for keys. */
static int make_cache(struct question *question, struct expression_error *error)
{
	unsigned int nr = question->nr_entries < SLOTS_MAX ? question->nr_entries : SLOTS_MAX, slots;

	for (slots = SLOTS_MIN; slots * question->nr_events <= nr &&
	     slots * question->nr_events * question_slot_size(question) <= CACHE_MAX; slots *= 2)
		question->slots = slots;
	if (!question->slots)
		return 0;
	return make_area(question, &question->cache, "ltt_cache", question->slots * question->nr_events,
			 question_slot_size(question), error);
}

static bool has_stack(const struct question *question)
{
	unsigned int i;

	for (i = 0; i < question->options->nr_keys; i++)
		if (question->parts[i].type == QUESTION_STACK)
			return true;
	return false;
}

int question_make_maps(struct question *question, struct expression_error *error)
{
	int err;

	if (!question->nr_events)
		return fail(error, -EINVAL, "there is no event to ask about");
	if (question->options->filter && !question->filter_fits) {
		*error = question->lacking;
		return -ENOENT;
	}
	if (question->options->linear.min < 0 && !question->is_signed)
		return fail(error, -EINVAL, "buckets from %lld on: the values are unsigned, so none is negative",
			    (long long)question->options->linear.min);
	lay_out(question);
	question->nr_entries = question->key_size ? question->options->max_keys :
			       question->options->kind == QUESTION_LATENCY ? 1 : question->nr_events;
	err = make_entries(question, error);
	if (!err && question->key_size)
		err = make_cache(question, error);
	if (!err && question->key_size)
		err = make_blank(question, error);
	if (err)
		return err;
	question->misses = make(BPF_MAP_TYPE_PERCPU_ARRAY, "ltt_misses", sizeof(uint32_t), sizeof(uint64_t), MISSES,
				error);
	if (question->misses < 0)
		return question->misses;
	if (question->options->kind == QUESTION_LATENCY) {
		question->starts = make(BPF_MAP_TYPE_HASH, "ltt_starts", sizeof(uint64_t), sizeof(uint64_t),
					question->options->max_keys, error);
		if (question->starts < 0)
			return question->starts;
	}
	if (has_stack(question)) {
		question->stacks = make(BPF_MAP_TYPE_STACK_TRACE, "ltt_stacks", sizeof(uint32_t),
					STACK_DEPTH * sizeof(uint64_t), question->options->max_keys > STACKS_MIN ?
					question->options->max_keys : STACKS_MIN, error);
		if (question->stacks < 0)
			return question->stacks;
	}
	return 0;
}
