/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's prototypes of its system calls, and the structures that they point to.
 *
 * Layer: instrument.  Included by table.c, and by the two sources that "generate" passes
 * through the preprocessor to read what the prototypes are; see there.
 */
#include <linux/types.h>
#include <linux/linkage.h>
#include <linux/compat.h>
#include <linux/eventpoll.h>
#include <linux/fcntl.h>
#include <linux/resource.h>
#include <linux/signal.h>
#include <linux/socket.h>
#include <linux/time.h>
#include <linux/syscalls.h>
#include <uapi/linux/openat2.h>
#include <uapi/linux/sched.h>
