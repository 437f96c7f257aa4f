# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# Shared by the host parts of cases that read traces.  As in VMs, libltttrace reads each trace that babeltrace2 reads.
# shellcheck shell=sh

host=$(cd "$(dirname "$0")/.." && pwd)
cd "$1" || exit 1
PATH=$host/../oracle/bin:$PATH
export ORACLE_LEDGER="$PWD/oracle"
: > "$ORACLE_LEDGER"

# readers_agree: both readers read the same, so far
readers_agree()
{
	cat "$ORACLE_LEDGER"
	[ ! -s "$ORACLE_LEDGER" ]
}

# only_losses FILE: what babeltrace2 wrote there reports lost events, and nothing else
only_losses()
{
	! grep -v 'Tracer discarded [0-9]* event' "$1"
}
