/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * C declarations of types in BTF.
 *
 * Layer: none; part of ltt-btf.
 *
 * A source file that includes headers of the kernel knows some types already.  All others that
 * a declaration needs are declared, or defined, before it, in @before of its scope.
 */
#ifndef LTT_BTF_DECLARE_H
#define LTT_BTF_DECLARE_H

#include "btf.h"
#include "text.h"

/**
 * struct declaration - a declaration or definition of a type
 * @next: the one that follows
 * @name: the type: "struct x", "declared struct x", "union x", "enum x", "typedef x"
 * @text: the whole of it
 */
struct declaration {
	struct declaration *next;
	const char *name;
	const char *text;
};

/**
 * struct scope - a source file that is being written
 * @b: the types, of the kernel or of a module
 * @known: the types that its headers define: "struct x", "union x", "enum x", "typedef x";
 *	and their macros, "macro x"
 * @enumerators: define enumerations with their enumerators, which must not be in the headers
 *	then; else with their range only, which is all that a declaration needs
 * @done: the names of @declarations
 * @declarations: what is to come first, in order
 * @last: where the next one is linked
 * @depth: how deep the type is nested that is being declared
 * @problem: set if a declaration is not possible, and why; the caller clears it
 */
struct scope {
	const struct btf *b;
	struct set *known;
	bool enumerators;
	struct set done;
	struct declaration *declarations;
	struct declaration **last;
	unsigned int depth;
	const char *problem;
};

/**
 * declare() - declare a name with a type
 * @s: the scope
 * @id: the type
 * @name: the name, or "" for a type alone
 * @by_value: there will be an object of this type
 *
 * A type of a fixed size that has no name of its own is spelt out, a typedef is
 * replaced by what it stands for; so only types with tags and typedefs of types without tags
 * need to be known or defined.
 *
 * Return: "struct file *name".
 */
char *declare(struct scope *s, uint32_t id, const char *name, bool by_value);

/**
 * define() - define a structure, union, enumeration or typedef
 * @s: the scope
 * @id: the type
 *
 * Each member of a structure is at its place by its own, so those whose types cannot be
 * declared are left out.
 */
void define(struct scope *s, uint32_t id);

#endif /* LTT_BTF_DECLARE_H */
