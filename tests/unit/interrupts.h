/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * Makes every access of core/ to shared memory a place where a test can interrupt it.
 *
 * The compiler's command line includes this file before any other, under ASan.  Between two
 * accesses another context or CPU changes nothing that core/ can see, so these are all the places
 * that matter; the hooks in core/ name some of them.  Values to be stored are computed first, so
 * the interrupt falls between load and store.
 */
#ifndef LTT_TESTS_INTERRUPTS_H
#define LTT_TESTS_INTERRUPTS_H

#include "../../core/plat-native.h"

/* A place, before an access; the program under test supplies it. */
void ltt_test_access(void);

#undef READ_ONCE
#undef WRITE_ONCE

#define READ_ONCE(x) ({							\
	ltt_test_access();						\
	__atomic_load_n(&(x), __ATOMIC_RELAXED);			\
})

#define WRITE_ONCE(x, v) ({						\
	__typeof__(x) value_ = (v);					\
	ltt_test_access();						\
	__atomic_store_n(&(x), value_, __ATOMIC_RELAXED);		\
})

/* A function's name in parentheses is not taken for the macro. */
#define ltt_count_read(c)		({ ltt_test_access(); (ltt_count_read)(c); })
#define ltt_word_read(w)		({ ltt_test_access(); (ltt_word_read)(w); })
#define ltt_word_read_acquire(w)	({ ltt_test_access(); (ltt_word_read_acquire)(w); })

#define ltt_count_add(c, n) ({						\
	u64 n_ = (n);							\
	ltt_test_access();						\
	(ltt_count_add)(c, n_);						\
})

#define ltt_count_cmpxchg(c, old, new) ({				\
	u64 old_ = (old), new_ = (new);					\
	ltt_test_access();						\
	(ltt_count_cmpxchg)(c, old_, new_);				\
})

#define ltt_word_set_release(w, v) ({					\
	u64 v_ = (v);							\
	ltt_test_access();						\
	(ltt_word_set_release)(w, v_);					\
})

#define ltt_word_cmpxchg(w, old, new) ({				\
	u64 old_ = (old), new_ = (new);					\
	ltt_test_access();						\
	(ltt_word_cmpxchg)(w, old_, new_);				\
})

#endif /* LTT_TESTS_INTERRUPTS_H */
