/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For <trace/events/tcp.h>: sock_gen_cookie() is an inline function around one that
 * the kernel does not export.  It does export another that ends in the same place.
 *
 * Layer: instrument.  Context: a probe's.
 */
#include <linux/sock_diag.h>

/* The number that identifies a socket; it gets one if it has none yet. */
static inline u64 ltt_sock_cookie(struct sock *sk)
{
	__u32 halves[2];

	sock_diag_save_cookie(sk, halves);
	return halves[0] | (u64)halves[1] << 32;
}

#define sock_gen_cookie(sk) ltt_sock_cookie(sk)
