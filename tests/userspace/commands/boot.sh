#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# The trace of a boot: what the initramfs makes of /etc/ltt/boot, and what the service leaves.

. "$(dirname "$0")/lib.sh"

# early: run the script of the initramfs, for which the file is ./boot and modprobe notes its words
early() {
	sed "s|/etc/ltt/boot|$PWD/boot|" "$top/userspace/initramfs/init-top" > early
	printf '#!/bin/sh\nprintf "<%%s>" "$@" >> words\n' > modprobe
	chmod +x modprobe
	: > words
	PATH=$PWD:$PATH sh early > said
}

# loads COMMANDS: the module gets these
loads() {
	early
	[ "$(cat words)" = "<ltt-control><boot=\"$1\"><-a><ltt-tracepoints><ltt-syscalls>" ] || die "$(cat words)"
}

test_each_line_is_a_command() {
	printf '# of a boot\n\n  create t\n\tenable t sched:*  \n# done\nstart t\n' > boot
	loads 'create t; enable t sched:*; start t; '
	printf 'create t\nstart t' > boot
	loads 'create t; start t; '
	printf '# nothing\n' > boot
	loads ''
	printf 'filter t * comm == "a\\x20b" && prio < 3 || comm == ""\n' > boot
	loads 'filter t * comm == "a\x20b" && prio < 3 || comm == ""; '
}

test_a_line_that_the_kernel_would_cut_is_refused() {
	local line
	for line in 'comm == "a b"' 'comm == "a	b"' 'comm == "a' 'comm == "a" || comm == "b c"' '"'; do
		printf 'create t\nfilter t * %s\nstart t\n' "$line" > boot
		loads ''
		[ -s said ] || die "no message about $line"
	done
}

test_whatever_fails_the_machine_boots() {
	early
	[ ! -s words ]
	mkdir boot
	early
	[ ! -s words ]
	rmdir boot
	echo 'create t' > boot
	printf '#!/bin/sh\nexit 1\n' > no
	early
	install no modprobe
	PATH=$PWD:$PATH sh early > said
	[ -s said ]
}

# stopped CODE: what the service does after lttctl has ended so, with ./t.conf and a trace t
stopped() {
	local line
	line=$(sed -n "s|^ExecStopPost=-/bin/sh -c '\(.*\)'\$|\1|p" "$top/userspace/systemd/ltt-record@.service.in" |
		sed "s|@PREFIX@/bin|$PWD|g; s|/etc/ltt/%i|$PWD/t|; s|%i|t|g; s|\\\$\\\$|$|g")
	[ -n "$line" ]
	# shellcheck disable=SC2016
	printf '#!/bin/sh\necho "$1" >> asked\necho "t running"\n' > lttctl
	chmod +x lttctl
	: > asked
	EXIT_CODE=$1 sh -c "$line" || :
}

test_the_service_removes_its_own_trace_only() {
	echo 'event = sched:*' > t.conf
	stopped killed
	grep -qx destroy asked
	stopped exited
	! grep destroy asked
	printf 'event = sched:*\n\tattach \n' > t.conf
	stopped killed
	! grep destroy asked
}

run_tests
