/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * The names of block devices, as the state of the system has them.
 *
 * Layer: lttctl model.
 */
#ifndef LTTCTL_MODEL_DEVICES_H
#define LTTCTL_MODEL_DEVICES_H

#include <ltt/ltttrace.h>

#define DEVICE_TEXT	64

struct devices;

/* Return: the devices in the states of @trace; NULL if memory is out. */
struct devices *devices_new(const struct ltttrace *trace);
void devices_free(struct devices *devices);

/* Format the name of a device number, as the kernel's events have it: "sda1", or "8,1" if it is not known.  Return: @text. */
const char *device_text(const struct devices *devices, uint32_t dev, char text[DEVICE_TEXT]);

#endif /* LTTCTL_MODEL_DEVICES_H */
