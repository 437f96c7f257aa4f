# SPDX-License-Identifier: GPL-2.0-only
#
# For the Kbuild of a driver outside the kernel's tree, whose event headers LTT is to record
# as it does the kernel's own:
#
#	include /usr/src/ltt-VERSION/modules/instrument/driver.mk
#
# The driver loads and works without LTT (doc/tracepoints.md).
ltt-instrument := $(dir $(abspath $(lastword $(MAKEFILE_LIST))))
LINUXINCLUDE := -I$(ltt-instrument)driver -I$(ltt-instrument)../include -I$(ltt-instrument)../../include $(LINUXINCLUDE)
