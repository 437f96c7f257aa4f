/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * liblttctl: the client of the tracer's two faces, /dev/ltt and debugfs.
 *
 * Layer: user space, below lttctl and lttd.  Callers see traces, channels, buffers and
 * markers.  The face is chosen when a handle is connected; the functions are the same
 * for both.
 *
 * Conventions, which hold for every function unless its description differs:
 *   - A function that returns int returns 0, or a file descriptor where "Return:" has one, on
 *     success and a negative errno on failure; lttctl_error() then returns one sentence
 *     that says what failed, on what, and why.
 *   - Besides the errors that a function lists, a function that makes a request returns
 *     -ENOMEM; -EACCES or -EPERM when the caller lacks a right; -EPROTO for a reply
 *     that cannot be parsed; over the device -ENOSYS when the kernel's tracer is older
 *     and lacks a command, -EPIPE or -ESHUTDOWN when the control connection has ended;
 *     over debugfs an errno of open(), read() or write().
 *   - A for_each function requests the whole list first and then calls the function
 *     that it is given.  It stops at the first non-zero value of that function and
 *     returns it.  The function may use the same handle.
 *   - Strings that a function is given are copied; strings that it passes to a function
 *     of the caller are valid during that call.
 *   - A request blocks until the tracer has replied.  Nothing else blocks.
 *   - The library never prints, never exits and changes no signal handling.
 *   - Context, unless a description differs: any thread, but not a signal handler.  A
 *     struct lttctl and everything made from it are used by one thread at a time;
 *     different handles are independent of each other.
 *
 * Environment:
 *   LTT_VIA          the face, "debugfs" or "device", where the program names none
 *   LTT_DEVICE       the device in place of /dev/ltt; it is the face then
 *   LTT_DEBUGFS      the directory in place of /sys/kernel/debug/ltt, which is the face
 *                    then; lttctl_load() does nothing
 *   LTT_MODULES_DIR  the build tree or flat directory with the kernel modules; by
 *                    default those that are installed
 *   LTT_RUN_DIR      the directory in place of /run/ltt, where consumers are registered
 */
#ifndef LTTCTL_H
#define LTTCTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct lttctl;
struct lttctl_trace;
struct ltt_field;

/* Size of the longest name of a trace, channel, group or marker, with its NUL. */
#define LTTCTL_NAME_SIZE 64

/**
 * lttctl_keep_standard() - open /dev/null as each standard descriptor that is closed
 *
 * Call it first in main().  Without it a descriptor of the tracer could get the number
 * of a standard descriptor, and what the program prints would go there.
 */
void lttctl_keep_standard(void);

/**
 * lttctl_raise_files() - raise the limit of open files to its maximum
 *
 * A consumer needs two descriptors for each buffer, more than the usual 1024 on a large
 * machine.  A failure is ignored.
 */
void lttctl_raise_files(void);

/**
 * lttctl_new() - make a handle, which is not connected yet
 *
 * Return: the handle, to be freed by lttctl_free(); NULL without memory.
 */
struct lttctl *lttctl_new(void);

/**
 * lttctl_free() - disconnect and free a handle
 * @ctl: the handle, or NULL; every trace made from it must have been closed
 *
 * Private traces of the handle end.
 */
void lttctl_free(struct lttctl *ctl);

/**
 * lttctl_error() - the sentence about the last failure on a handle
 * @ctl: the handle
 *
 * Return: one sentence without a full stop, "" before the first failure; owned by @ctl
 * and valid until the next failure.
 */
const char *lttctl_error(const struct lttctl *ctl);

/**
 * lttctl_load() - load the kernel modules of the tracer that are not loaded yet
 * @ctl: the handle, not connected yet
 *
 * When debugfs is the face, the function that connects also mounts it.
 *
 * Context: blocks while modules are loaded.
 * Return: 0; -ENOENT when a module is not installed for this kernel; -EPERM without the right
 * to load modules, or when the kernel is locked down and the module has no signature;
 * -EKEYREJECTED when the kernel does not trust the signature; -ENOEXEC when the module was
 * built for another kernel; -ELIBACC or -ELIBBAD where there is no libkmod, or not all of it;
 * another errno of the kernel or of libkmod.
 */
int lttctl_load(struct lttctl *ctl);

/* --- The face ----------------------------------------------------------- */

/**
 * enum lttctl_via - the face of the tracer to use
 * @LTTCTL_VIA_ANY: the one that the environment names; else the device if it can be
 *	opened, else debugfs
 * @LTTCTL_VIA_DEBUGFS: the tree in debugfs
 * @LTTCTL_VIA_DEVICE: /dev/ltt
 */
enum lttctl_via {
	LTTCTL_VIA_ANY,
	LTTCTL_VIA_DEBUGFS,
	LTTCTL_VIA_DEVICE,
};

/**
 * lttctl_parse_via() - parse the name of a face
 * @name: "debugfs" or "device"
 * @via: receives the face
 *
 * Return: 0, or -EINVAL for another name; no error sentence is set.
 */
int lttctl_parse_via(const char *name, enum lttctl_via *via);

/**
 * lttctl_set_via() - choose the face of a handle
 * @ctl: the handle, not connected yet
 * @via: the face
 */
void lttctl_set_via(struct lttctl *ctl, enum lttctl_via via);

/**
 * lttctl_connect() - connect a handle to the traces that every user of the tracer sees
 * @ctl: the handle; nothing is done when it is connected
 *
 * Over the device this needs CAP_SYS_ADMIN; requests fail with -EPERM without it.
 *
 * Return: 0; -ENODEV when the tracer is not loaded; -EACCES when the caller may not use
 * it; -EMFILE when the user has too many control connections or the process too many
 * descriptors; -EINVAL when LTT_VIA is not a face; -ENOTTY when LTT_DEVICE is not a
 * device.
 */
int lttctl_connect(struct lttctl *ctl);

/**
 * lttctl_connect_private() - connect a handle to traces of its own, where the face has such
 * @ctl: the handle; nothing is done when it is connected
 *
 * Over the device the traces made from @ctl are private: no other handle sees them, and
 * they end with the handle or its process, however that ends.  They record by default
 * what all other traces do.  Debugfs has no private traces: see lttctl_is_private().
 *
 * Return: as lttctl_connect(); an error of a request.
 */
int lttctl_connect_private(struct lttctl *ctl);

/**
 * lttctl_is_private() - check whether the traces of a handle are private
 * @ctl: a connected handle
 *
 * Return: true for a handle of lttctl_connect_private() over the device, and for one of
 * lttctl_connect_fd().
 */
bool lttctl_is_private(const struct lttctl *ctl);

/**
 * lttctl_private_fd() - make a descriptor that gives another process the private traces
 * @ctl: a handle whose traces are private
 *
 * The descriptor does not keep the traces alive; it hangs up when they end.
 *
 * Return: a descriptor for lttctl_connect_fd(), closed by exec and owned by the caller;
 * -EDQUOT when the control connection has 16 of them; -EMFILE.
 */
int lttctl_private_fd(struct lttctl *ctl);

/**
 * lttctl_connect_fd() - connect a handle to the private traces of another process
 * @ctl: the handle, not connected yet
 * @fd: a descriptor of lttctl_private_fd(), owned by @ctl if this succeeds
 *
 * Return: 0; -ENOTTY when @fd is another kind of descriptor; -ENOMEM; an errno of
 * fcntl().
 */
int lttctl_connect_fd(struct lttctl *ctl, int fd);

#include "trace.h"
#include "filter.h"
#include "stats.h"
#include "data.h"
#include "markers.h"

#endif /* LTTCTL_H */
