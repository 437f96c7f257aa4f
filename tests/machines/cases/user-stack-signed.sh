#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: the user stack of a program that signs its return addresses has plain addresses
# machines: arm64
# cpu: max,pauth-impdef=on
# requires: lttctl lttd ltt-control.ko ltt-syscalls.ko
. "$LTT/tests/vm/lib-record.sh"

load_modules
cd "$TMP"
assert 'the CPU can sign addresses' grep -qw paca /proc/cpuinfo
lttctl record -o out -e syscall:getpid --context user_stack -- "$LTT/build/tests/frames-signed"
lttctl view out | sed -n 's/.*user_stack=\[\([^]]*\)\].*/\1/p' > stacks
cat stacks
assert 'each call has its stack' [ "$(wc -l < stacks)" -ge 20 ]
assert 'with the functions that call it' grep -q '0x[0-9a-f]*, 0x[0-9a-f]*, 0x[0-9a-f]*, 0x' stacks
# User space has 48 bits; the signature is in the bits above.
refute 'and no signature' grep -qE '0x[0-9a-f]{13}' stacks
