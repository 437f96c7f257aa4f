// SPDX-License-Identifier: GPL-2.0-only
/*
 * The instructions that have been reached, and those that have been interrupted.
 *
 * Written in interrupts that do not nest.
 */
#include "sweep.h"

#include <linux/hash.h>
#include <linux/module.h>
#include <linux/seq_file.h>

#define ORDER	14	/* far more than all paths have */

static struct {
	unsigned long ip;
	unsigned int flags;
} places[1 << ORDER];

/* The place of @ip, or of its absence. */
static unsigned int find(unsigned long ip)
{
	unsigned int i = hash_long(ip, ORDER);

	while (places[i].ip && places[i].ip != ip)
		i = (i + 1) % ARRAY_SIZE(places);
	return i;
}

unsigned int place_flags(unsigned long ip)
{
	return places[find(ip)].flags;
}

void place_mark(unsigned long ip, unsigned int flags)
{
	unsigned int i = find(ip);

	places[i].ip = ip;
	places[i].flags |= flags;
}

/* FLAGS FUNCTION+OFFSET/SIZE [MODULE], a line each; flags as letters. */
void places_show(struct seq_file *s)
{
	static const char letters[] = "RLUTSN";
	unsigned int i, bit;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		if (!places[i].ip)
			continue;
		for (bit = 0; letters[bit]; bit++)
			if (places[i].flags & BIT(bit))
				seq_putc(s, letters[bit]);
		seq_printf(s, " %pS\n", (void *)places[i].ip);
	}
}
