#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: with random filters, traces record what the reader selects from a trace without filters of the same events
# requires: lttctl ltt-control.ko ltt-sample.ko ltt-test-random.ko /sys/kernel/btf/vmlinux
# when: all
# timeout: 60
#
# LTT_SEED=n make check TESTS=vm/filters-recorded repeats a run.  filters-recorded-10000.sh has more of them.
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-recorded.sh"

compare_filters 300
