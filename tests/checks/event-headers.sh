#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# EVENT_HEADERS chooses which event headers are compiled, and one that the kernel lacks is an error: event-headers.sh KDIR FOLDER.

kdir=$1
tree=$2/tree
. "$(dirname "$0")/result.inc"
mkdir -p "$tree/modules"
tar -c -C "$(dirname "$0")/../../modules" --exclude='*.o' --exclude='*.ko' --exclude=instrument/gen instrument | tar -x -C "$tree/modules"

# The list of headers, as generate has it before anything is compiled.
chosen()
{
	work=$2
	EVENT_HEADERS=$3
	eval "$(sed -n '/^choose_headers()/,/^}/p' "$tree/modules/instrument/generate")"
	printf '%s\n' 'irq p/irq.h f' 'sched p/sched.h f' 'sched-ext p/sched-ext.h f' >"$work/headers"
	choose_headers
	[ "$(cut -d' ' -f1 "$work/headers" | tr '\n' ' ')" = "$1" ]
}
result those-that-are-named chosen 'irq sched ' "$2" 'sched irq sched'

# A name is not a pattern.
for header in no-such-header sche.; do
	EVENT_HEADERS="sched $header" "$tree/modules/instrument/generate" "$kdir" >"$2/out" 2>&1
	result "$header-is-an-error" [ $? -eq 1 ]
	result "the-error-names-$header" grep -qF "'$header'" "$2/out"
done
result nothing-was-made [ -z "$(ls "$tree/modules/instrument/gen")" ]
exit $failed
