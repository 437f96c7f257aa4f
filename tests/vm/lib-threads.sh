# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# For the cases about machines with many threads. Include it after lib.sh.

threads_exist() { grep -q ready "$TMP/threads"; }

# many_threads N: a process with so many threads beside its first one; it ends with the case
many_threads()
{
	for limit in pid_max threads-max; do
		at_exit "put /proc/sys/kernel/$limit $(cat /proc/sys/kernel/$limit)"
		put /proc/sys/kernel/$limit 300000
	done
	mkfifo "$TMP/threads-end"
	"$LTT/build/tests/many-threads" "$1" < "$TMP/threads-end" > "$TMP/threads" &
	many=$!
	exec 8> "$TMP/threads-end"
	at_exit 'exec 8>&-; wait $many'
	wait_until 900 threads_exist || die 'the threads cannot be made'
}
