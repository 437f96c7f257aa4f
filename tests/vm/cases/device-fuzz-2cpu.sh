#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: the messages of device-fuzz from two CPUs at once, for all commands that attach no probes
# vm: --parallel --smp 2 --slub-debug
# when: all
# requires: ltt-control.ko ltt-test-markers.ko
# timeout: 120
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-fuzz.sh"

fuzz device-fuzz 5 4 start enable want
