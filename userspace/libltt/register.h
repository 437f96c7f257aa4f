/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The top of libltt: libraries that come and go.
 */
#ifndef LTT_REGISTER_H
#define LTT_REGISTER_H

/**
 * ltt_objects_note() - wait until all lttds that want it know where the objects are
 *
 * Called before a library is unloaded, and after it.  Does nothing if no lttd records code
 * addresses, and in a thread that does not trace.  The wait is that of ltt_listener_wait().
 * libltt-objects.so calls this, too.
 *
 * Context: any thread, ltt_lock not held.
 */
void ltt_objects_note(void);

#endif /* LTT_REGISTER_H */
