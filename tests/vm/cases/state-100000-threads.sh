#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: a recording on a machine with 100,000 threads names each of them and loses nothing
# vm: --mem 5000
# when: all
# timeout: 900
# requires: lttctl lttd babeltrace2 ltt-control.ko
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-threads.sh"

at_exit unload_modules
load_modules
many_threads 100000
assert 'recording loses no event' lttctl record --json -o "$OUT/trace" -e 'sched:sched_process_exit' -- \
	sh -c 'printf ltt-late > /proc/$$/comm; exec sleep 0'
