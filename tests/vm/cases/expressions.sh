#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: random expressions have the same value in the kernel's eBPF as in the evaluator
# requires: /sys/kernel/btf/vmlinux
# timeout: 60
#
# LTT_SEED=n make check TESTS=vm/expressions repeats a run.  expressions-10000.sh has more of them.
. "$LTT/tests/vm/lib-expressions.sh"

expressions 600
