#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: each event is stored, refused or overwritten, exactly, in both modes, with nested interrupts, overruns and toggling (R1, R2), on 2 CPUs
# vm: --parallel
# requires: lttctl ltt-control.ko ltt-test-markers.ko lttd
# faces: debugfs
# also: device
# timeout: 300
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-exact.sh"
. "$LTT/tests/vm/exact.sh"
