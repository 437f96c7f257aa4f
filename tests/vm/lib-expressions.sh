# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# shellcheck shell=sh
#
# For the cases that compare the evaluator of expressions with the kernel's eBPF.
. "$LTT/tests/vm/lib.sh"

# expressions COUNT: a thread of this shell is in the root of the cgroups
expressions()
{
	mkdir "$TMP/cgroup"
	mount -t cgroup2 cgroup2 "$TMP/cgroup"
	at_exit "umount $TMP/cgroup; rmdir $TMP/cgroup"
	checks_of expression-kernel "${LTT_SEED:-1}" "$1" "$(stat -c %i "$TMP/cgroup")"
}
