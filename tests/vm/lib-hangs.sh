# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# Shared by the cases that switch all events of the kernel on and off, again and again, while both CPUs
# execute them. Each switch replaces instructions under the feet of the other CPU.

. "$LTT/tests/vm/lib.sh"

seconds=$((${LTT_MINUTES:-15} * 60))

# System calls, page faults, forks and timers
busy()
{
	dd if=/dev/zero of=/dev/null bs=1 count=10000 2> /dev/null && /bin/true && sleep 0.001
}

# switch_under_load COMMAND: repeat it for the time, beside a load on each CPU
switch_under_load()
{
	: > "$TMP/storm"
	at_exit "rm -f $TMP/storm; wait"
	loads=
	for cpu in 0 1; do
		while_stormy busy &
		loads="$loads $!"
		taskset -cp $cpu $! > /dev/null
	done
	rounds=0
	end=$(($(date +%s) + seconds))
	while [ "$(date +%s)" -lt $end ]; do
		"$1"
		rounds=$((rounds + 1))
	done
	rm "$TMP/storm"
	for load in $loads; do
		assert 'the load goes on' wait "$load"
	done
	echo "figure: hangs: $rounds rounds in $seconds s"
	assert "$rounds rounds" [ $rounds -ge 3 ]
}
