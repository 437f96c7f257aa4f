/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * A hash table from three numbers to a value of a fixed size.
 *
 * Entries stay where they are until map_free(), and have the order in which they were added.
 *
 * Layer: lttctl report.
 */
#ifndef LTTCTL_REPORT_MAP_H
#define LTTCTL_REPORT_MAP_H

#include <stddef.h>
#include <stdint.h>

/* Numbers that are not used are 0. */
struct map_key {
	uint64_t number[3];
};

struct map;

/* Return: a table of values of @size bytes; NULL if memory is out. */
struct map *map_new(size_t size);
void map_free(struct map *map);

/* Return: the value of a key, which is zero if the key is new; NULL if memory is out. */
void *map_get(struct map *map, struct map_key key);

/* Return: the value of a key; NULL if there is none. */
void *map_find(const struct map *map, struct map_key key);

size_t map_nr(const struct map *map);

/* Return: the value of entry @n, less than map_nr(); *@key receives its key. */
void *map_at(const struct map *map, size_t n, struct map_key *key);

#define MAP_KEY(...) ((struct map_key){ { __VA_ARGS__ } })

#endif /* LTTCTL_REPORT_MAP_H */
