/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Objects: where the program and its libraries lie in memory.
 *
 * lttds that record code addresses learn of each object, and of the end of each, so that a
 * viewer can find the names of functions.  Objects and ends have numbers, which count up.
 *
 * Context of all functions, unless the function says otherwise: ltt_lock held.
 */
#ifndef LTT_OBJECTS_H
#define LTT_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#define LTT_BUILD_ID_SIZE	65	/* 32 bytes in hexadecimal, with the NUL */

/**
 * struct ltt_object - a file in memory
 * @next: the object with the next higher number
 * @number: changes when the object goes
 * @is_there: it has not gone
 * @found: the last look has found it
 * @base: the address in memory of the file's address 0
 * @start: its first address
 * @end: the end of its last
 * @build_id: its build id; "" if it has none
 * @path: its file
 */
struct ltt_object {
	struct ltt_object *next;
	uint64_t number;
	bool is_there;
	bool found;
	uint64_t base;
	uint64_t start;
	uint64_t end;
	char build_id[LTT_BUILD_ID_SIZE];
	char path[];
};

/**
 * ltt_objects_see() - make sure that lttds learn of the object of a code address
 * @address: the address; it need not be in an object
 *
 * Finds libraries without markers, which register nothing.  It does not wait, and costs
 * a load for an address whose page was seen before.
 *
 * Context: any thread, and its signal handlers; ltt_lock need not be held.  Preserves errno.
 */
void ltt_objects_see(uint64_t address);

/**
 * ltt_objects_set_call() - set how the library's thread is called
 * @call: has the thread send the news; called with ltt_lock held in a section, in
 *	any thread
 */
void ltt_objects_set_call(void (*call)(void));

/** ltt_objects_want() - an lttd records code addresses: from now on, look */
void ltt_objects_want(void);

/**
 * ltt_objects_are_wanted() - find out if any lttd did ever want them
 *
 * Context: any.
 */
bool ltt_objects_are_wanted(void);

/**
 * ltt_objects_changed() - have the next ltt_objects_look() look again
 *
 * Context: any thread; ltt_lock need not be held.
 */
void ltt_objects_changed(void);

/** ltt_objects_look() - look at the objects, if they may have changed since the last time */
void ltt_objects_look(void);

/** ltt_objects_are_old() - find out if they may have changed since the last look */
bool ltt_objects_are_old(void);

/** ltt_objects_end() - get the number that the next object will have */
uint64_t ltt_objects_end(void);

/**
 * ltt_objects_next() - find the first object from a number on
 * @number: the number
 *
 * Return: the object, or NULL.
 */
const struct ltt_object *ltt_objects_next(uint64_t number);

#endif /* LTT_OBJECTS_H */
