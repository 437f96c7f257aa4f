#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: with 10,000 random filters, traces record what the reader selects from a trace without filters of the same events
# when: all
# requires: lttctl ltt-control.ko ltt-sample.ko ltt-test-random.ko /sys/kernel/btf/vmlinux
# timeout: 600
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-recorded.sh"

compare_filters 10000
