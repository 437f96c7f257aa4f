// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * The code of functions of the kernel, by /proc/kallsyms.
 */
#include "tree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NAME_SIZE	512	/* KSYM_NAME_LEN of the kernel */
#define LARGEST		0x10000	/* of a function, where no other symbol follows at once */

/* A command compiles a filter for many events, and a kernel has some 200000 symbols: what was read is used for a second. */
#define KEPT_NS		1000000000
#define KEPT		8

/**
 * struct function - the places of code with the name of a function
 * @name: the name
 * @read_at: when they were read
 * @places: address and size of each
 * @nr: number of @places
 * @is_hidden: the kernel shows no addresses to this user
 */
struct function {
	char name[NAME_SIZE];
	uint64_t read_at;
	uint64_t places[2 * EXPRESSION_PLACES_MAX];
	size_t nr;
	bool is_hidden;
};

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* The compiler divides and clones functions: NAME.part.0, NAME.isra.0, NAME.cold. */
static bool is_of(const char *symbol, const char *name)
{
	const size_t len = strlen(name);

	return !strncmp(symbol, name, len) && (!symbol[len] || symbol[len] == '.');
}

static bool has_place(const struct function *function, uint64_t address)
{
	size_t i;

	for (i = 0; i < function->nr; i++)
		if (function->places[2 * i] == address)
			return true;
	return false;
}

/* Find where the function begins, or, in a second pass, where the symbols behind it do.  Return: 0 or -E2BIG. */
static int take_symbol(struct function *function, uint64_t address, bool is_code, const char *symbol, bool finds_ends)
{
	size_t i;

	for (i = 0; finds_ends && i < function->nr; i++)
		if (address > function->places[2 * i] && address - function->places[2 * i] < function->places[2 * i + 1])
			function->places[2 * i + 1] = address - function->places[2 * i];
	if (finds_ends || !is_code || !is_of(symbol, function->name) || has_place(function, address))
		return 0;
	if (!address) {
		function->is_hidden = true;
		return 0;
	}
	if (function->nr == EXPRESSION_PLACES_MAX)
		return -E2BIG;
	function->places[2 * function->nr] = address;
	function->places[2 * function->nr + 1] = LARGEST;
	function->nr++;
	return 0;
}

/* Symbols of modules have no order. */
static int read_symbols(struct function *function, bool finds_ends)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	char symbol[NAME_SIZE], type;
	uint64_t address;
	int status = 0;

	if (!file)
		return -errno;
	while (!status && fscanf(file, "%" SCNx64 " %c %511s%*[^\n]", &address, &type, symbol) >= 3)
		status = take_symbol(function, address, strchr("tTwW", type), symbol, finds_ends);
	fclose(file);
	return status;
}

/* Return: 0, with the function at *@found; -errno. */
static int find_function(const char *name, const struct function **found)
{
	static struct function kept[KEPT];
	static unsigned int next;
	struct function *function;
	int status;

	for (function = kept; function < kept + KEPT; function++)
		if (!strcmp(function->name, name) && now() - function->read_at < KEPT_NS)
			break;
	*found = function;
	if (function < kept + KEPT)
		return 0;
	*found = function = &kept[next++ % KEPT];
	memset(function, 0, sizeof(*function));
	strcpy(function->name, name);
	status = read_symbols(function, false);
	if (!status && function->nr)
		status = read_symbols(function, true);
	/* Only what was found is kept. */
	function->read_at = now();
	if (status || !function->nr)
		function->name[0] = '\0';
	return status;
}

static int fail_for_function(const struct node *string, const struct function *function, int status,
			     struct expression_error *error)
{
	if (status == -E2BIG)
		return fail_at(error, -EINVAL, string->column, "with %s, on_stack() has more than %d places of code: use fewer names",
			       string->text, EXPRESSION_PLACES_MAX);
	if (status)
		return fail_at(error, -EINVAL, string->column, "/proc/kallsyms: %s", strerror(-status));
	if (function->is_hidden)
		return fail_at(error, -EINVAL, string->column, "the kernel hides the addresses of its functions: that needs root, "
			       "and kernel.kptr_restrict below 2");
	return fail_at(error, -EINVAL, string->column, "the kernel has no function %s, or the compiler has put it into its callers: "
		       "/proc/kallsyms lists all", string->text);
}

int find_functions(struct node *node, struct expression_error *error)
{
	const struct function *function;
	const struct node *string;
	int status;

	node->numbers = calloc(2 * EXPRESSION_PLACES_MAX, sizeof(*node->numbers));
	if (!node->numbers)
		return fail_at(error, -ENOMEM, 0, "out of memory");
	for (string = node->b; string; string = string->next) {
		status = find_function(string->text, &function);
		if (!status && !function->nr)
			return fail_for_function(string, function, 0, error);
		if (!status && node->nr_numbers + 2 * function->nr > 2 * EXPRESSION_PLACES_MAX)
			status = -E2BIG;
		if (status)
			return fail_for_function(string, function, status, error);
		memcpy(node->numbers + node->nr_numbers, function->places, 2 * function->nr * sizeof(*node->numbers));
		node->nr_numbers += 2 * function->nr;
	}
	return 0;
}
