#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# when: all
# description: a program that the kernel does not load, for its user or by lockdown, is an error with the reason
# vm: --append lsm=lockdown
# requires: setpriv unshare /sys/kernel/btf/vmlinux
#
# A kernel that is locked down stays so: each copy of this VM begins anew.
. "$LTT/tests/vm/lib.sh"

PROGRAM=$LTT/build/tests/expression-kernel

# loads_with STATUS WORD EXPRESSION [COMMAND...]: loading it ends with this error, which has the word
loads_with()
{
	status=$1 word=$2 expression=$3 got=0
	shift 3
	"$@" "$PROGRAM" load "$expression" > "$TMP/said" || got=$?
	assert_eq "loading $expression ${1:-as root} ends with $status" "$status" "$got"
	[ -z "$word" ] || assert_match "and names $word" "$word" "$(cat "$TMP/said")"
}

loads_with 0 '' 'number == 1 && text ~ "*x*" && comm ~ "a*"'
loads_with 1 CAP_BPF number setpriv --reuid 65534 --clear-groups
loads_with 0 '' 'text == "x"' setpriv --reuid 65534 --clear-groups --inh-caps=+bpf,+perfmon --ambient-caps=+bpf,+perfmon

# Without the kernel's types, a helper copies the name, and nothing finds the others.
loads_with 0 '' 'prio < 100 && comm == "x"'
WITHOUT='mount --bind /dev/null /sys/kernel/btf/vmlinux && exec "$@"'
loads_with 0 '' 'comm == "x" || comm ~ "*x" || text ~ "?x"' unshare -m sh -c "$WITHOUT" sh
for context in prio ppid pid_ns net_ns mnt_ns preempt irq need_resched migrate_disable; do
	loads_with 0 '' "$context != 1"
	loads_with 95 "$context.*BTF" "$context != 1" unshare -m sh -c "$WITHOUT" sh
done

mount -t securityfs securityfs /sys/kernel/security
at_exit 'umount /sys/kernel/security'
echo integrity > /sys/kernel/security/lockdown
loads_with 0 '' 'text == "x"'
echo confidentiality > /sys/kernel/security/lockdown
assert_match 'the kernel is locked down' '\[confidentiality\]' "$(cat /sys/kernel/security/lockdown)"
loads_with 0 '' 'number == 1 && pid == 1 && comm ~ "a*" && net_ns == ppid'
loads_with 22 confidentiality 'text == "x"'
