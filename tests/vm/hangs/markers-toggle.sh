#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: the case markers-toggle, for LTT_MINUTES (default 15)
# vm: --parallel
# timeout: 1500
# requires: ltt-markers.ko ltt-test-sink.ko ltt-test-markers.ko ltt-test-twin-a.ko ltt-test-twin-b.ko
TOGGLE_SECONDS=$((${LTT_MINUTES:-15} * 60))
. "$LTT/tests/vm/cases/markers-toggle.sh"
