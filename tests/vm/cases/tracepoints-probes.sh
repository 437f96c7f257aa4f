#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# when: all
# description: a generated probe packs each kind of field as its description says, and never too much
# requires: ltt-markers.ko ltt-test-probes.ko
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-markers.sh"

load ltt-markers
load ltt-test-probes
for again in first second; do
	cat /proc/ltt-test-probes > "$TMP/results"
	while read -r line; do
		case $line in
		'ok '*)	check ok "$again time: ${line#ok }" ;;
		*)	check 'not ok' "$again time: ${line#not ok }" ;;
		esac
	done < "$TMP/results"
done
assert 'all tests were run' [ "$(wc -l < "$TMP/results")" -ge 20 ]
