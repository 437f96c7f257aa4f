#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# Check that the fuzzers notice faults.  Each mutant is a source file with one fault, which its
# fuzzer must find: within a second or some when the machine is idle.
#
# Prints a line "ok NAME" or "not ok NAME" for each mutant.  A mutant whose sed command changes
# nothing any more, because the line has changed, fails.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
top=$(cd "$here/../.." && pwd)
work=$top/build/fuzz/mutant
seconds=90
failed=0

# hunt FUZZER: builds and runs the mutant; the line that says what the fuzzer saw
hunt()
{
	make -s -C "$work/tests/fuzz" top="$work" "$work/build/fuzz/fuzz-$1" > "$work/log" 2>&1 || return 1
	mkdir "$work/corpus"
	TMPDIR=$work "$work/build/fuzz/fuzz-$1" -seed=1 -max_len=1024 -max_total_time=$seconds -timeout=10 \
		-artifact_prefix="$work/" "$work/corpus" "$top/build/fuzz/seeds-$1" \
		> "$work/log" 2>&1 && return 1
	grep -m 1 -o 'not so: .*\|AddressSanitizer: [a-z-]*\|runtime error: .*' "$work/log"
}

# mutant_of FUZZER FILE NAME SED
mutant_of()
{
	rm -rf "$work"
	mkdir -p "$work/tests"
	cp -r "$top/core" "$top/include" "$top/userspace" "$work"
	cp -r "$here" "$top/tests/expression" "$top/tests/libltt" "$work/tests"
	sed -E -z -i "$4" "$work/$2"
	if cmp -s "$work/$2" "$top/$2"; then
		echo "not ok mutant/$3 # does not apply"
		failed=1
	elif said=$(hunt "$1"); then
		echo "ok mutant/$3 # $said"
	else
		tail -n 5 "$work/log"
		echo "not ok mutant/$3"
		failed=1
	fi
}

# mutant NAME SED
mutant()
{
	mutant_of message core/message.c "$@"
}

mutant total-too-short 's/total < LTT_MESSAGE_HEAD \* word/total < word/'
mutant total-too-long 's/ \|\| total > max//'
mutant total-not-whole 's/ \|\| total & \(word - 1\)//'
mutant words-unchecked 's/\tif \(used > total\)\n\t\treturn -LTT_MESSAGE_SHORT;\n//'
mutant blob-unchecked 's/\t\tif \(arg->word > total - used\)\n\t\t\treturn -LTT_MESSAGE_BLOB;\n//'
mutant blob-overflows 's/arg->word > total - used/used + arg->word > total/'
mutant blob-one-more 's/arg->word > total - used/arg->word > total - used + 1/'
mutant rest-ignored 's/return round_up_to[^:]*: -LTT_MESSAGE_LONG/return 0/'
mutant padding-not-zero 's/\tmemset\(at, 0, end - at\);\n//'
mutant word-cut 's/memcpy\(to, &value, sizeof\(value\)\)/memcpy(to, \&half, sizeof(half))/'
mutant piece-too-much 's/\? in->total : in->word\) - in->have/? in->total : in->max) - in->have/'
mutant piece-forgotten 's/\tin->have \+= bytes;\n/\tin->have = bytes;\n/'

mutant_of format core/mark-format.c name-too-long 's/LTT_MARK_NAME_SIZE - 1\)/LTT_MARK_NAME_SIZE)/'
mutant_of format core/mark-format.c more-fields-than-arguments 's/\t\tif \(used == nr_args\)\n\t\t\treturn [^\n]*\n//'
mutant_of format core/mark-format.c names-alike 's/if \(same\(name/if (0 \&\& same(name/'
mutant_of format core/mark-format.c length-without-a-field 's/nr_args - \*used < 2/nr_args - *used < 1/'
mutant_of format core/mark-format.c label-too-large 's/\t\tif \(!fits\(field, &label\)\)\n\t\t\treturn [^\n]*\n//'
mutant_of format core/mark-pack.h text-takes-all-room 's/most < LTT_MARK_STRING_MAX \? most : //'
mutant_of format userspace/libltt/pack.c limit-ignored 's/limit < \(uint64_t\)most \? limit : //'
mutant_of format core/ctf.c quote-not-escaped "s/\\*s == '\"' \\|\\| //"
mutant_of replies userspace/liblttctl/ask.c fewer-names 's/strlen\(text\) \/ 2 \+ 1/strlen(text) \/ 4 + 1/'
mutant_of replies userspace/liblttctl/markers.c last-line-uncounted 's/size_t count = 1;/size_t count = 0;/'
mutant_of replies userspace/liblttctl/stats.c one-word-line 's/\tif \(!rest\)[^\n]*\n\t\treturn 0;\n//'
mutant_of packets userspace/common/packet.c beyond-the-file 's/ \|\|\n[^\n]*packet_bytes\(&header\) > [^\n]*/)/'
mutant_of packets userspace/lttd/kernel/metadata.c another-trace 's/ \|\| memcmp\(ours, theirs, want\)//'
mutant_of program userspace/common/site.c text-without-end 's/\t\tif \(!at\)\n\t\t\treturn false;\n//'
mutant_of program userspace/lttd/programs/program.c terminal-is-told 's/\tcopy_printable\(program->name, sizeof\(program->name\), name\);/\tmemcpy(program->name, name, sizeof(name));/'
mutant_of ring userspace/lttd/programs/ring.c times-go-back 's/time < walk->time \|\| time > walk->last/time > walk->last/'
mutant_of ring userspace/lttd/programs/ring.c header-beyond-the-end 's/\t\tsize = LTT_HEADER_LONG;\n\t\tif \(room < size\)\n\t\t\treturn 0;/\t\tsize = LTT_HEADER_LONG;/'
mutant_of ring userspace/lttd/programs/ring.c any-event 's/ \&\& id < nr\)/)/'
mutant_of ring userspace/lttd/programs/ring.c medium-beyond-the-end 's/\t\tsize = LTT_HEADER_MEDIUM;\n\t\tif \(room < size\)\n\t\t\treturn 0;/\t\tsize = LTT_HEADER_MEDIUM;/'
mutant_of ring userspace/lttd/programs/ring.c fields-beyond-the-end 's/size > room\)/false)/'
mutant_of ring userspace/lttd/programs/ring.c alike-beyond-the-end 's/\(size_t\)\(walk->end - at\) >= size/at < walk->end/'
mutant_of ring userspace/lttd/programs/ring.c alike-in-the-future 's/ \|\| next > walk->last//'
mutant_of ring userspace/lttd/programs/stream.c losses-untold 's/stream->lost == stream->reported/true/'
mutant_of ring userspace/lttd/programs/ring.c losses-believed 's/packet->lost <= ring->lost \? /1 ? /'
mutant_of ring userspace/lttd/programs/event.c field-beyond-the-end 's/return \*size <= room/return true/g'
mutant_of ring userspace/lttd/programs/event.c sequence-without-elements 's/ \+ count \* element//'
mutant_of ring userspace/lttd/programs/event.c stack-too-deep 's/count <= most/true/'
mutant_of program userspace/lttd/programs/event.c labels-not-copied 's/\(event->format = strdup\(format\)\)/(event->format = (char *)format)/'
mutant_of ring userspace/common/reader.c end-anywhere 's/\tif \(end < reader->tail \|\| end > sb_end\)\n\t\treturn -EPROTO;\n//'
mutant_of options userspace/common/options.c size-overflows 's/__builtin_mul_overflow\(\*value, 10, value\)/(*value *= 10, 0)/'
mutant_of options userspace/common/options.c size-too-small 's/value >= min \&\& //'
mutant_of options core/name.h two-colons 's/ && !colon\)/)/'
mutant_of probe userspace/lttctl/probe/parse.c accesses-without-end 's/argument->nr_accesses == PROBE_ACCESSES_MAX/false/'
mutant_of probe userspace/lttctl/probe/parse.c fault-without-reason 's/vsnprintf\(parser->why \+ len[^\n]*/*parser->why = 0;/'
mutant_of expression userspace/expression/emit.c text-of-another-field 's/\tif \(writes != before->writes\)\n\t\te->known.text = NULL;\n//'
mutant_of expression userspace/expression/emit.c kept-by-half 's/\te->known = \*before;\n//'
mutant_of expression userspace/expression/emit-value.c shift-too-far 's/\temit_with_number\(e, BPF_AND, R1, 63\);\n//'
mutant_of expression userspace/expression/emit-load.c elements-of-one-byte 's/\temit_with_number\(e, BPF_MUL, R0, field->size\);\n//'
mutant_of expression userspace/expression/emit-text.c longer-texts-too 's/ \+ \(pattern_is_text\(pattern\) && pattern->prefix_len < text->max\)//'
mutant_of expression userspace/expression/type.c never-reached 's/prefix_len \+ pattern->nr <= field->count/prefix_len <= field->count/'
mutant_of filter userspace/libltt/filter-check.c text-beyond-the-end 's/ &&\n\t       insn->to <= checker->code->size - insn->number;/;/'
mutant_of filter userspace/libltt/filter-check.c text-that-is-a-number 's/ \|\| \(field->kind != LTT_FIELD_STRING && field->kind != LTT_FIELD_TEXT\)//'
mutant_of filter userspace/libltt/filter-check.c stack-too-deep 's/checker->depth\+\+ < LTT_FILTER_STACK_MAX/++checker->depth/'
mutant_of filter userspace/libltt/filter-check.c popped-from-nothing 's/return checker->depth-- > 0/return checker->depth-- >= 0/'
mutant_of filter userspace/libltt/filter-check.c depths-that-differ 's/ \|\| checker->target\[at\] == checker->depth \+ 1;/ || 1;/'
mutant_of filter userspace/libltt/glob.c set-without-an-end 's/while \(glob < end && \*glob != .\].\)/while (*glob != 93)/'
mutant_of trace userspace/libltttrace/cursor.c record-beyond-its-packet 's/if \(record->size > room\)/if (record->size > room + 99)/'
mutant_of trace userspace/libltttrace/plan.c text-without-an-end 's/ : room \+ 1;/ : room;/'
mutant_of trace userspace/libltttrace/plan.c fields-after-the-last-text 's/return at \+ event->rest/return at/'
mutant_of trace userspace/libltttrace/cursor.c seek-too-early 's/ && cursor->record.until_ns < cursor->since\)/ \&\& false)/'
mutant_of trace userspace/libltttrace/stream.c packets-that-overlap 's/\tend_before\(stream, packet.begin\);\n//'
mutant_of trace userspace/libltttrace/lex.c number-without-an-end 's/\tif \(token->len >= sizeof\(text\)\)\n\t\treturn;\n//'

exit $failed
