#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: 10,000 random expressions have the same value in the kernel's eBPF as in the evaluator
# when: all
# requires: /sys/kernel/btf/vmlinux
# timeout: 180
. "$LTT/tests/vm/lib-expressions.sh"

expressions 10000
