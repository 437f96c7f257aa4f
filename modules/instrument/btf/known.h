/* SPDX-License-Identifier: GPL-2.0-only */
/* Layer: none; part of ltt-btf. */
#ifndef LTT_BTF_KNOWN_H
#define LTT_BTF_KNOWN_H

#include "text.h"

/**
 * known_read() - find the types that a source file defines
 * @known: the set to add to: "struct x", "union x", "enum x", "typedef x", "macro x"
 * @text: the file as the preprocessor writes it (with macros, if -dD was given)
 */
void known_read(struct set *known, const char *text);

#endif /* LTT_BTF_KNOWN_H */
