#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# lttctl html: what is written, what is replaced, and what is left when it fails.  How pages look is in tests/html.

. "$(dirname "$0")/lib-lttctl.sh"

scene() {
	python3 "$top/tests/html/recording.py" scene
}

# description FILE: the JSON that a page has, and the number of its blobs
description() {
	python3 - "$1" <<-'END'
		import base64, json, re, sys
		text = open(sys.argv[1]).read()
		page = json.loads(base64.b64decode(re.search('id="description">([^<]*)<', text)[1]))
		print(page['records'], page['span'], len(page['tracks']), page['lost'][1], page['begin'])
	END
}

test_html_of_a_recording() {
	scene
	fails 0 '36 events' lttctl html -o page.html scene
	[ "$(description page.html)" = '36 100000000 18 12 1700000000000000000' ] || die "$(description page.html)"
	head -n 1 page.html | grep -qx '<!DOCTYPE html>'
	tail -n 1 page.html | grep -qx '</html>'
	[ "$(ls)" = "$(printf 'page.html\nscene')" ] || die "left: $(ls)"
	[ "$(stat -c %a page.html)" = "$(printf %o $((0666 & ~$(umask))))" ] || die "mode $(stat -c %a page.html)"
}

# All in one file: nothing that a browser would fetch.
test_html_needs_no_network() {
	scene
	lttctl html -o page.html scene 2> /dev/null
	! grep -nE '(src|href)="?(http|/|\.)|@import|url\(|fetch\(|XMLHttp|import\(' page.html
	grep -q "default-src 'none'" page.html
	# Texts of the recording are in base64 only.
	! grep -nE '</script><b>|onerror=|/etc/' page.html
}

test_html_default_name() {
	scene
	fails 0 trace.html lttctl html scene
	[ -s trace.html ]
}

test_html_window() {
	scene
	lttctl html --from +50ms --to +70ms -o page.html scene 2> /dev/null
	read -r records span _ _ begin <<< "$(description page.html)"
	[ "$span $begin" = '20000000 1700000000050000000' ] || die "$span $begin"
	[ "$records" = 11 ] || die "$records events"
	fails 2 '--from x' lttctl html --from x scene
	fails 2 '--to' lttctl html --from +70ms --to +50ms scene
}

test_html_to_a_pipe() {
	scene
	lttctl html -o /dev/stdout scene 2> err | tail -n 1 | grep -qx '</html>'
	[ ! -s err ] || die "$(cat err)"
}

# A page that exists is replaced by a whole one, or not at all.
test_html_failures_leave_the_old() {
	scene
	echo old > page.html
	fails 1 nowhere lttctl html -o page.html nowhere
	mkdir empty
	fails 1 empty lttctl html -o page.html empty
	[ "$(cat page.html)" = old ]
	fails 1 'No such file' lttctl html -o no/page.html scene
	fails 1 'is a directory' lttctl html -o empty scene
	fails 1 scene lttctl html -o scene/kernel/events_0 scene
	# The page does not fit; SIGXFSZ is ignored for errno.
	fails 1 'File too large' bash -c "trap '' XFSZ; ulimit -f 40; exec '$bin/lttctl' html -o page.html scene"
	[ "$(cat page.html)" = old ]
	[ "$(ls)" = "$(printf 'empty\npage.html\nscene')" ] || die "left: $(ls)"
}

# Where the file system has files without names, a killed command leaves nothing.
test_html_killed() {
	scene
	echo old > page.html
	local at status
	for at in write:signal=KILL:when=5 write:error=ENOSPC:when=5 linkat:error=EIO renameat2,rename:error=EIO; do
		status=0
		strace -qq -o log -e "trace=${at%%:*}" -e "inject=$at" "$bin/lttctl" html -o page.html scene > out 2>&1 || status=$?
		[ $status != 0 ] || die "succeeded in spite of $at"
		[ "$(cat page.html)" = old ] || die "replaced in spite of $at"
		[ "$(ls)" = "$(printf 'log\nout\npage.html\nscene')" ] || die "left after $at: $(ls)"
	done
}

test_html_usage() {
	fails 2 directory lttctl html
	fails 2 -o lttctl html -o '' scene
	fails 2 nosuch lttctl html --nosuch scene
}

run_tests
