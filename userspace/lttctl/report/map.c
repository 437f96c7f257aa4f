// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * A hash table from three numbers to a value: see map.h.
 *
 * Layer: lttctl report.
 */
#include "map.h"

#include <stdlib.h>
#include <string.h>

struct entry {
	struct map_key key;
	struct entry *next;
	_Alignas(16) unsigned char value[];
};

struct map {
	size_t size;
	struct entry **buckets;
	size_t nr_buckets;	/* a power of two */
	struct entry **entries;
	size_t nr;
};

static size_t bucket_of(const struct map *map, const struct map_key *key)
{
	uint64_t hash = key->number[0];

	hash = (hash ^ hash >> 32) * 0x9e3779b97f4a7c15 ^ key->number[1];
	hash = (hash ^ hash >> 32) * 0x9e3779b97f4a7c15 ^ key->number[2];
	hash = (hash ^ hash >> 32) * 0x9e3779b97f4a7c15;
	return (hash ^ hash >> 32) & (map->nr_buckets - 1);
}

struct map *map_new(size_t size)
{
	struct map *map = calloc(1, sizeof(*map));

	if (map)
		map->size = size;
	return map;
}

void map_free(struct map *map)
{
	size_t i;

	if (!map)
		return;
	for (i = 0; i < map->nr; i++)
		free(map->entries[i]);
	free(map->entries);
	free(map->buckets);
	free(map);
}

/* The array of entries has as much room as there are buckets. */
static int grow(struct map *map)
{
	size_t i, bucket, nr = map->nr_buckets ? map->nr_buckets * 2 : 64;
	struct entry **buckets = calloc(nr, sizeof(struct entry *));
	struct entry **entries = reallocarray(map->entries, nr, sizeof(struct entry *));

	if (entries)
		map->entries = entries;
	if (!buckets || !entries) {
		free(buckets);
		return -1;
	}
	free(map->buckets);
	map->buckets = buckets;
	map->nr_buckets = nr;
	for (i = 0; i < map->nr; i++) {
		bucket = bucket_of(map, &map->entries[i]->key);
		map->entries[i]->next = buckets[bucket];
		buckets[bucket] = map->entries[i];
	}
	return 0;
}

static struct entry *find(const struct map *map, const struct map_key *key)
{
	struct entry *entry = map->nr_buckets ? map->buckets[bucket_of(map, key)] : NULL;

	while (entry && memcmp(&entry->key, key, sizeof(*key)))
		entry = entry->next;
	return entry;
}

void *map_find(const struct map *map, struct map_key key)
{
	struct entry *entry = find(map, &key);

	return entry ? entry->value : NULL;
}

void *map_get(struct map *map, struct map_key key)
{
	struct entry *entry = find(map, &key);
	size_t bucket;

	if (entry)
		return entry->value;
	if (map->nr == map->nr_buckets && grow(map))
		return NULL;
	entry = calloc(1, sizeof(*entry) + map->size);
	if (!entry)
		return NULL;
	bucket = bucket_of(map, &key);
	entry->key = key;
	entry->next = map->buckets[bucket];
	map->buckets[bucket] = entry;
	map->entries[map->nr++] = entry;
	return entry->value;
}

size_t map_nr(const struct map *map)
{
	return map->nr;
}

void *map_at(const struct map *map, size_t n, struct map_key *key)
{
	*key = map->entries[n]->key;
	return map->entries[n]->value;
}
