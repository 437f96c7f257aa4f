#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# when: all
# description: limits are exchanged, and their trace stopped and started, while events come
# vm: --smp 1
# requires: ltt-control.ko ltt-sample.ko python3
#
# One CPU: the emulator can go on with a breakpoint that another CPU has taken out of
# code that both run, and each stop and start puts one into it.
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-markers.sh"

load_modules
load ltt-sample
checks_of "$LTT/tests/vm/prog/groups.py" stopped
