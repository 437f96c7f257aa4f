/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For <trace/events/net.h>: the kernel does not export netdev_drivername().
 *
 * Layer: instrument.  Context: a probe's.
 */
#include <linux/device.h>
#include <linux/netdevice.h>

/* The name of the driver of a network device, "" for a virtual one. */
static inline const char *ltt_netdev_drivername(const struct net_device *dev)
{
	const struct device *parent = dev->dev.parent;
	/* It may be unbound meanwhile. */
	const struct device_driver *driver = parent ? READ_ONCE(parent->driver) : NULL;

	return driver && driver->name ? driver->name : "";
}

#define netdev_drivername(dev) ltt_netdev_drivername(dev)
