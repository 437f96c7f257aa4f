#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: each writable file rejects bad input with the right errno and a message, and changes nothing
# timeout: 200
# requires: python3 ltt-control.ko ltt-sample.ko
. "$LTT/tests/vm/lib.sh"
. "$LTT/tests/vm/lib-markers.sh"

load_modules
load ltt-sample
put $DBG/traces/create t
at_exit 'put $DBG/traces/remove t 2> /dev/null || :'
put $DBG/traces/t/events 'sched:sched_switch'

for on in 1 y Y; do
	put $DBG/markers/sample/lookup/enable $on
	assert_eq "enable takes $on" 1 "$(cat $DBG/markers/sample/lookup/enable)"
	put $DBG/markers/sample/lookup/enable "$(echo $on | tr 1yY 0nN)"
	assert_eq "and the opposite of $on" 0 "$(cat $DBG/markers/sample/lookup/enable)"
done

everything()	# all that can be read back
{
	for file in $DBG/markers/wanted $DBG/markers/sample/enable $DBG/traces/t/state \
			$DBG/traces/t/events $DBG/traces/t/heartbeat_ms $DBG/traces/t/pid \
			$DBG/traces/t/channels/*/[!e]*; do
		echo "$file"
		cat "$file"
	done
	ls $DBG/traces $DBG/traces/t
}
everything > "$TMP/before"

# no ERRNO FILE TEXT WORD: the write fails, and last_error has the word
no()
{
	assert_errno "$1" put "$DBG/$2" "$3"
	assert_match "$2: last_error has the reason" "$4" "$(cat $DBG/last_error)"
}

long=$(printf %064d 0)

no EINVAL traces/create ' '		name
no EINVAL traces/create .hidden			name
no EINVAL traces/create ..			name
no EINVAL traces/create ../../escape		name
no EINVAL traces/create 'two words'		name
no EINVAL traces/create 'sl/ash'		name
no EINVAL traces/create "$long"			name
no EINVAL traces/create create			create
no EEXIST traces/create t			'exists'
no ENOENT traces/remove nothing			nothing
no ENOENT traces/remove ' '		trace
no ENOENT traces/remove defaults		defaults

no EINVAL traces/t/state go			start
no EINVAL traces/t/state 1			start
no EALREADY traces/t/state stop			running
no EINVAL traces/t/events 'a:b:c'		pattern
no EINVAL traces/t/events ':'			pattern
no EINVAL traces/t/events 'sched:'		pattern
no EINVAL traces/t/events '/etc'		pattern
no EINVAL traces/t/events 'irq:* bad/one'	bad/one
no ENOENT traces/t/events '!never:enabled'	never:enabled
no EINVAL traces/t/events '!!sched:*'		pattern
no EINVAL traces/t/events "$(printf %0130d 0)"	pattern
for glob in '[' 'sched:[' '[!' 'sched:a[b' 'sched:[]' 'sched:*[a-' '[a:b' 'sched:*:' ':sched_switch' \
		'sched:a:b:c'; do
	no EINVAL traces/t/events "$glob"		pattern
	no EINVAL traces/t/events "!$glob"		pattern
	no EINVAL traces/t/events "irq:* $glob"		pattern
	no EINVAL markers/wanted "irq:* $glob"		pattern
	no EINVAL markers/wanted "!$glob"		pattern
	no EINVAL traces/t/channels/events/events "$glob"	pattern
	no EINVAL groups "events g irq:* $glob"		pattern
done
no EINVAL groups 'tasks g comm:['			member
assert_eq 'no group was made' '' "$(cat $DBG/groups)"
no EINVAL traces/t/snapshot 2			1
no EINVAL traces/t/snapshot 1			started
no EINVAL traces/t/heartbeat_ms -1		number
no EINVAL traces/t/heartbeat_ms 3600001		number
no EINVAL traces/t/heartbeat_ms soon		number
no EINVAL traces/t/pid -5			pid
no EINVAL traces/t/pid me			pid
# The last that there could be.
no ESRCH traces/t/pid "$(cat /proc/sys/kernel/pid_max)"	process
no EINVAL traces/t/channels/events/subbuf_size 0	'power of two'
no EINVAL traces/t/channels/events/subbuf_size 2048	'power of two'
no EINVAL traces/t/channels/events/subbuf_size 5000	'power of two'
no EINVAL traces/t/channels/events/subbuf_size 512M	'power of two'
no EINVAL traces/t/channels/events/subbuf_size 1T	number
no EINVAL traces/t/channels/events/subbuf_size 4Kx	number
no EINVAL traces/t/channels/events/subbuf_size 18446744073709555712	number
no EINVAL traces/t/channels/events/subbuf_size 18014398509481988K	number
no EINVAL traces/t/channels/events/subbuf_size 0x1000	number
no EINVAL traces/t/channels/events/overwrite 18446744073709551617	number
put $DBG/traces/t/channels/events/subbuf_size 0064k
assert_eq 'a number may begin with 0' 65536 "$(cat $DBG/traces/t/channels/events/subbuf_size)"
put $DBG/traces/t/channels/events/subbuf_size 1M
no EINVAL traces/t/channels/events/subbuf_count 0	'power of two'
no EINVAL traces/t/channels/events/subbuf_count 1	'power of two'
no EINVAL traces/t/channels/events/subbuf_count 3	'power of two'
no EINVAL traces/t/channels/events/subbuf_count 2M	'power of two'
no EINVAL traces/t/channels/events/overwrite 2		overwrite
no EINVAL traces/t/channels/events/overwrite yes	number
no EINVAL markers/wanted 'a b/c'			b/c
for text in maybe nonsense yes on off 2 01 '1 1' ' '; do
	no EINVAL markers/sample/enable "$text"		enable
	no EINVAL markers/sample/request/enable "$text"	enable
done

# Writes that are odd in themselves.
assert_errno E2BIG dd if=/dev/zero of=$DBG/traces/create bs=65537 count=1
assert_errno EINVAL dd if=/dev/zero of=$DBG/traces/create bs=16 count=1
assert_match 'last_error names the NUL byte' 'NUL' "$(cat $DBG/last_error)"
assert_errno EINVAL dd if=/dev/zero of=$DBG/traces/t/events bs=4096 count=1

# A user reads the sentence about their own last rejected write.
as() { setpriv --reuid "$1" --regid "$1" --clear-groups sh -c "$2" 2> /dev/null; }
chmod o+x /sys/kernel/debug
chmod o+w $DBG/traces/t/state
no EINVAL traces/t/state from-root		from-root
refute 'a user writes nonsense' as 1000 "echo from-user > $DBG/traces/t/state"
assert_match 'the user reads why' from-user "$(as 1000 "cat $DBG/last_error")"
assert_match 'root reads the sentence about its own write' from-root "$(cat $DBG/last_error)"
assert_eq 'another user reads none' '' "$(as 1001 "cat $DBG/last_error")"
python3 - "$DBG/traces/t/state" <<'END'
import os, sys
for user in range(2000, 2081):
    child = os.fork()
    if not child:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
        try:
            os.write(os.open(sys.argv[1], os.O_WRONLY), b'from-%d' % user)
        finally:
            os._exit(0)
    os.waitpid(child, 0)
END
assert_match 'the last of 81 users reads why' from-2080 "$(as 2080 "cat $DBG/last_error")"
assert_eq 'the oldest sentences are dropped' '' "$(cat $DBG/last_error)"
chmod o-x /sys/kernel/debug
chmod o-w $DBG/traces/t/state

# Files that are read cannot be written, and the other way round.
for file in last_error traces/t/stats traces/t/metadata markers/sample/*/info; do
	assert_eq "$file cannot be written" 'r--r--r--' "$(stat -c %A $DBG/$file | head -n 1 | cut -c2-)"
done
# Root opens files whatever their mode is.
for file in last_error traces/t/stats markers/sample/request/info; do
	assert_errno EACCES put $DBG/$file x
done
for file in traces/create traces/remove traces/t/snapshot traces/t/channels/create \
		traces/t/channels/events/events; do
	assert_errno EACCES cat $DBG/$file
done

everything > "$TMP/after"
assert 'nothing has changed' diff "$TMP/before" "$TMP/after"

# More memory than there is: refused before anything is taken.
put $DBG/traces/t/channels/events/subbuf_size 256M
put $DBG/traces/t/channels/events/subbuf_count 64
no ENOMEM traces/t/state start			memory
assert_eq 'and it can be mended' configuring "$(cat $DBG/traces/t/state)"
put $DBG/traces/t/channels/events/subbuf_size 64K
put $DBG/traces/t/channels/events/subbuf_count 2
put $DBG/traces/t/state start
no EALREADY traces/t/state start		running
no EBUSY traces/t/channels/events/subbuf_size 4K	buffers
no ENOENT traces/t/snapshot 1			overwrite

# One reader for each buffer.
exec 5< $DBG/traces/t/events_0
assert_errno EBUSY cat $DBG/traces/t/events_0
exec 5<&-
put $DBG/traces/t/state stop
assert 'closed, it can be opened again' dd if=$DBG/traces/t/events_0 of=/dev/null bs=4K count=1
put $DBG/traces/remove t
