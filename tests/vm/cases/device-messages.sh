#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: the rules of doc/device.md for messages and connections
# vm: --loaded
# requires: ltt-control.ko
# timeout: 120
. "$LTT/tests/vm/lib.sh"

load_modules
checks_of device-messages
case $(uname -m) in x86_64|i?86)
	assert 'a 32-bit program has words of 4 bytes' "$LTT/build/tests/device-32bit" ;;
esac
assert 'no connection is left' unload_modules
