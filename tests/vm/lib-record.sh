# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# Shared by the cases about lttctl and lttd.
# shellcheck shell=sh

. "$LTT/tests/vm/lib.sh"

# A member of a JSON file: json FILE EXPRESSION, the value being d.  One process of Python answers all questions of
# a case, one at a time: Python takes longer to start than to answer.
json()
(
	# A process that has ended has no working folder, though it may still be a zombie.
	{ read -r python < "$JSON/pid" && [ -e "/proc/$python/cwd" ]; } 2> /dev/null || start_json
	case $1 in
	/*)	file=$1 ;;
	*)	file=$PWD/$1 ;;
	esac
	printf '%s\n' "$file" "$2" > "$JSON/ask"
	{
		read -r failed
		[ "$failed" = 0 ] || exec >&2
		while IFS= read -r line; do printf '%s\n' "$line"; done
	} < "$JSON/answer"
	exit "$failed"
)

JSON=$TMP.json
rm -rf "$JSON"

start_json()
{
	command -v python3 > /dev/null || die 'json: there is no python3'
	rm -rf "$JSON"
	mkdir "$JSON"
	mkfifo "$JSON/ask" "$JSON/answer"
	# In the folder / Python keeps no file system from being unmounted, and without the case's files it keeps no pipe
	# open.  -I -S: without looking for packages, which takes longer than the rest.
	(cd / && exec python3 -I -S "$LTT/tests/vm/prog/member.py" "$JSON/ask" "$JSON/answer" > /dev/null 2>&1 < /dev/null \
		3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-) &
	echo $! > "$JSON/pid"
}

at_exit '[ ! -e "$JSON/pid" ] || kill "$(cat "$JSON/pid")"'

# The traces of recordings but for the state of the system and samples of the clock, or a trace itself.
traces_of()	# directory...
{
	for recording in "$@"; do
		[ -e "$recording/metadata" ] && echo "$recording"
		for metadata in "$recording"/*/metadata; do
			case $metadata in
			"$recording"/state* | "$recording"/clock*) ;;
			*) echo "${metadata%/metadata}" ;;
			esac
		done
	done | grep -v '\*'
}

# babeltrace2 reads the traces of DIRECTORY to FILE; what it has to say goes to FILE.err.
decode()	# directory, file
{
	decode_all "$2" "$1"
}

# decode_all FILE DIRECTORY...: as decode
decode_all()
{
	decoded=$1
	shift
	# shellcheck disable=SC2046	# names of traces have no blanks
	babeltrace2 --clock-seconds $(traces_of "$@") > "$decoded" 2> "$decoded.err"
}

# assert_whole DIRECTORY EVENTS: babeltrace2 finds that many, and nothing to say
assert_whole()
{
	assert "babeltrace2 reads $1" decode "$1" "$TMP/text"
	assert_eq "babeltrace2 has nothing to say about $1" '' "$(head -n 3 "$TMP/text.err")"
	assert_eq "events in $1" "$2" "$(wc -l < "$TMP/text")"
}

# The sequence numbers of the packets of a file, one a line.
sequences()	# file
{
	python3 -c '
import struct, sys
data, at = open(sys.argv[1], "rb").read(), 0
while at < len(data):
    magic, = struct.unpack_from("<I", data, at)
    size, seq = struct.unpack_from("<QQ", data, at + 48)
    assert magic == 0xC1FC1FC1 and size % 32768 == 0 and at + size // 8 <= len(data)
    print(seq)
    at += size // 8' "$1"
}

# assert_sequential DIRECTORY: in no file is a packet torn, missing or doubled
assert_sequential()
{
	for file in "$1"/kernel/*_*; do
		sequences "$file" > "$TMP/seq" || echo torn >> "$TMP/seq"
		assert_eq "packets of ${file##*/}: $(wc -l < "$TMP/seq")" '' \
			"$(awk 'NR > 1 && $1 != last + 1 { print "after", last, "comes", $1 } { last = $1 }' "$TMP/seq")"
	done
}

# System calls on both CPUs in bursts, until unstorm.
storm()
{
	: > "$TMP/storm"
	for one in 1 2; do
		while [ -e "$TMP/storm" ]; do
			dd if=/dev/zero of=/dev/null bs=1 count=1000 2> /dev/null
		done &
	done
	at_exit unstorm
}

unstorm()
{
	rm -f "$TMP/storm"
}
