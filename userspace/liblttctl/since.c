// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The maps by which the filter of an event knows of another, since(EVENT, KEY) and between(EVENT, END, KEY).
 *
 * Layer: liblttctl.
 *
 * Nothing but the programs of these events holds such a map.  So a client that compiles one of them later, such as
 * lttd when a module comes, finds the map by the program of another.  Its name is computed from the names of the
 * events and of the key.
 */
#include "internal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "expression/expression.h"

/* How many keys can be noted at a time. */
#define ENTRIES 16384

/* ---- Maps ---- */

__attribute__((format(printf, 3, 4)))
static int fail(struct expression_error *error, int err, const char *format, ...)
{
	va_list args;

	error->column = 0;
	va_start(args, format);
	vsnprintf(error->text, sizeof(error->text), format, args);
	va_end(args);
	return err;
}

/* Return: the descriptor of the map @id if it has the name; -1 if not. */
static int match_map(uint32_t id, const char *name)
{
	struct bpf_map_info info = { .type = 0 };
	uint32_t len = sizeof(info);
	int fd = bpf_map_get_fd_by_id(id);

	if (fd >= 0 && !bpf_obj_get_info_by_fd(fd, &info, &len) && !strcmp(info.name, name))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/**
 * struct map_search - a search among the programs of a trace
 * @name: of the map
 * @found: its descriptor, or -1
 * @is_denied: a program could not be looked at
 */
struct map_search {
	const char *name;
	int found;
	bool is_denied;
};

static int look_into_program(const struct lttctl_filter *filter, void *arg)
{
	struct map_search *search = arg;
	uint32_t ids[16], len = sizeof(struct bpf_prog_info), i;
	struct bpf_prog_info info = { .nr_map_ids = 16, .map_ids = (uintptr_t)ids };
	int program;

	if (!filter->event || filter->expression)
		return 0;
	program = bpf_prog_get_fd_by_id(filter->program);
	if (program < 0) {
		search->is_denied |= errno == EPERM;
		return 0;
	}
	if (!bpf_obj_get_info_by_fd(program, &info, &len))
		for (i = 0; i < info.nr_map_ids && i < 16 && search->found < 0; i++)
			search->found = match_map(ids[i], search->name);
	close(program);
	return search->found >= 0;
}

static int make_map(const char *name, struct expression_error *error)
{
	int fd = bpf_map_create(BPF_MAP_TYPE_HASH, name, sizeof(uint64_t), sizeof(uint64_t), ENTRIES, NULL);

	if (fd >= 0)
		return fd;
	switch (errno) {
	case EPERM:
		return fail(error, -EPERM, "since() and between() need a BPF map, which needs root, or the capabilities CAP_BPF and CAP_PERFMON");
	case ENOSYS:
		return fail(error, -EOPNOTSUPP, "this kernel has no eBPF (CONFIG_BPF_SYSCALL)");
	default:
		return fail(error, -errno, "since() and between(): cannot make a BPF map: %s", strerror(errno));
	}
}

/* Return: the descriptor of the map, by the programs of the trace; -ENOENT: none has it. */
static int find(struct lttctl_trace *trace, const char *name, struct expression_error *error)
{
	struct map_search search = { .name = name, .found = -1 };
	int err = lttctl_for_each_filter(trace, look_into_program, &search);

	if (err < 0)
		return fail(error, err, "%s", lttctl_error(trace->ctl));
	if (search.found >= 0)
		return search.found;
	if (search.is_denied)
		return fail(error, -EPERM, "since() and between() need the maps of the trace's programs, which need root (CAP_SYS_ADMIN)");
	return -ENOENT;
}

static uint32_t id_of(int fd)
{
	struct bpf_map_info info = { .id = 0 };
	uint32_t len = sizeof(info);

	return bpf_obj_get_info_by_fd(fd, &info, &len) ? 0 : info.id;
}

/* Another client may have made a map anew since this handle knew it.  A descriptor of the same map stays, as a
 * program that is being compiled may have it already.  Return: the descriptor to use. */
static int renew(struct lttctl_map *map, int found)
{
	if (id_of(found) == id_of(map->fd)) {
		close(found);
		return map->fd;
	}
	close(map->fd);
	return map->fd = found;
}

int lttctl_since_map(const char *name, void *data, struct expression_error *error)
{
	struct lttctl_trace *trace = data;
	struct lttctl_map *grown;
	int fd = find(trace, name, error);
	size_t i;

	if (fd < 0 && fd != -ENOENT)
		return fd;
	for (i = 0; i < trace->nr_maps; i++)
		if (!strcmp(trace->maps[i].name, name))
			return fd < 0 ? trace->maps[i].fd : renew(&trace->maps[i], fd);
	grown = reallocarray(trace->maps, trace->nr_maps + 1, sizeof(*grown));
	if (!grown) {
		if (fd >= 0)
			close(fd);
		return fail(error, -ENOMEM, "out of memory");
	}
	trace->maps = grown;
	if (fd < 0)
		fd = make_map(name, error);
	if (fd < 0)
		return fd;
	grown[trace->nr_maps].fd = fd;
	snprintf(grown[trace->nr_maps].name, sizeof(grown->name), "%s", name);
	trace->nr_maps++;
	return fd;
}

void lttctl_since_free(struct lttctl_trace *trace)
{
	while (trace->nr_maps)
		close(trace->maps[--trace->nr_maps].fd);
	free(trace->maps);
}

/* ---- Notes ---- */

/**
 * struct noting - a filter that needs to know of other events
 * @trace: the trace
 * @pattern: of the filter: for since(), the name of its event
 */
struct noting {
	struct lttctl_trace *trace;
	const char *pattern;
};

__attribute__((format(printf, 3, 4)))
static int add_action(struct lttctl_trace *trace, const char *event, const char *format, ...)
{
	char *action;
	va_list args;
	int err;

	va_start(args, format);
	err = vasprintf(&action, format, args);
	va_end(args);
	if (err < 0)
		return lttctl_fail(trace->ctl, -ENOMEM, "out of memory");
	err = lttctl_action_add(trace, event, action, "");
	free(action);
	return err;
}

/* Have the other events the key? */
static int check_key(const struct expression_call *call, void *arg)
{
	struct noting *noting = arg;
	int err = lttctl_condition_check(noting->trace->ctl, call->event, call->key);

	return err || !call->end ? err : lttctl_condition_check(noting->trace->ctl, call->end, call->key);
}

static int note(const struct expression_call *call, void *arg)
{
	struct noting *noting = arg;
	int err;

	if (!call->end)
		return add_action(noting->trace, call->event, "note %s for %s", call->key, noting->pattern);
	err = add_action(noting->trace, call->event, "note %s until %s", call->key, call->end);
	return err ? err : add_action(noting->trace, call->end, "forget %s from %s", call->key, call->event);
}

int lttctl_filter_note(struct lttctl_trace *trace, const char *pattern, const char *filter)
{
	struct noting noting = { trace, pattern };
	struct expression_error error;
	struct expression *expression;
	int err = expression_parse_filter(filter, &expression, &error);

	if (err)
		return lttctl_fail(trace->ctl, err, "%s", error.text);
	/* All before the first note: one that an event cannot make leaves none at others. */
	err = expression_for_each_call(expression, check_key, &noting);
	if (!err)
		err = expression_for_each_call(expression, note, &noting);
	expression_free(expression);
	return err;
}

static int is_since(const struct expression_call *call, void *arg)
{
	(void)arg;
	return !call->end;
}

bool lttctl_since_any(const struct expression *expression)
{
	return expression_for_each_call(expression, is_since, NULL);
}
