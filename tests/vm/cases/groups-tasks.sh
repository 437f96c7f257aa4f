#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a trace limited to a group of tasks records the threads that its members name, and no others
# vm: --loaded
# requires: ltt-control.ko ltt-sample.ko python3
# timeout: 120
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-markers.sh"

load_modules
load ltt-sample
mkdir "$TMP/cgroup"
mount -t cgroup2 cgroup2 "$TMP/cgroup"
at_exit "umount $TMP/cgroup"
for part in processes reuse names cgroups; do
	checks_of "$LTT/tests/vm/prog/groups.py" $part
done
