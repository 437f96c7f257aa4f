# SPDX-License-Identifier: GPL-2.0-only
#
# The part of ../generate that uses the types of the kernel, its BTF.  generate includes this file;
# its variables and functions are used here.

# As many headers as let several compilers run at once.
btf_parts='btf-1 btf-2 btf-3 btf-4'

# find_types: set types to the folder with the BTF of the kernel and its modules, or no_types to
# the reason why there is none.
find_types()
{
	types=
	no_types=
	sources=$(cat "$here"/btf/*.[ch] "$here/btf/collect" | cksum | cut -d' ' -f1)
	build_key=$($hostcc --version 2>/dev/null | cksum | cut -d' ' -f1)
	btf=$cache/ltt-btf-$sources-$build_key
	if [ ! -x "$btf" ]; then
		if ! $hostcc -O2 -o "$work/ltt-btf" "$here"/btf/*.c 2>"$work/log"; then
			no_types="no program can be compiled with '$hostcc' to read the kernel's types (is libc6-dev installed?)"
			return
		fi
		mv "$work/ltt-btf" "$btf"
	fi
	files=$("$here/btf/collect" --key "$kdir" "$release" | cksum | cut -d' ' -f1)
	found=$cache/types-$release-$sources-$files
	if [ ! -e "$found" ]; then
		mkdir "$work/types"
		if ! no_types=$("$here/btf/collect" "$btf" "$kdir" "$release" "$work/types" 2>&1); then
			return
		fi
		mv "$work/types" "$found"
	fi
	no_types=
	types=$found
}

# preprocess UNIT...: what their headers define, macros included, in gen/UNIT.i
preprocess()
{
	printf 'instrument/gen/%s.i\n' "$@" >"$work/objects"
	# shellcheck disable=SC2046 # a list of words
	kbuild -k "-j$jobs" M="$modules" KCFLAGS="-dD -I$here" $(cat "$work/objects") >>"$cache/log" 2>&1 || true
}

# learn_headers UNIT...: in known/UNIT, what their headers define, macros included; nothing if a header includes a file
# that is not there
learn_headers()
{
	new=
	for unit; do
		[ -e "$work/known/$unit" ] || new="$new $unit"
	done
	[ -n "$new" ] || return 0
	# shellcheck disable=SC2086 # a list of words
	preprocess $new
	for unit in $new; do
		[ ! -e "$gen/$unit.i" ] || mv "$gen/$unit.i" "$work/known/$unit"
	done
}

# header_of UNIT: the file of its event header
header_of()
{
	awk -v unit="$1" '$1 == unit { print $3; exit }' "$work/headers"
}

# wanted_by UNIT: the types that the compiler did not know, and the enumerations of the header, whose
# names it does not say when they are missing
wanted_by()
{
	grep -oEw 'enum[[:space:]]+[A-Za-z_][A-Za-z0-9_]*' "$(header_of "$1")" |
		sed 's/[[:space:]][[:space:]]*/ /'
	sed -nE "s/^$1$tab[^$tab]*${tab}needs (the type |)([A-Za-z0-9_ ]*), which the kernel's public.*/\2/p" \
		"$work/blame"
}

# events_of UNIT: the names of the events in its header
events_of()
{
	sed -nE 's/^[[:space:]]*(TRACE_EVENT|DEFINE_EVENT|DECLARE_TRACE)[A-Z_]*\((.*)/\1 \2/p' "$(header_of "$1")" |
		sed 's/^DEFINE_EVENT [^,]*,/DEFINE_EVENT /; s/[,)].*//; s/.*[[:space:]]//'
	# The name may stand in the next line.
	sed -nE '/^[[:space:]]*DEFINE_EVENT[A-Z_]*\([^,]*,[[:space:]]*$/{n;s/^[[:space:]]*([A-Za-z0-9_]+).*/\1/p}' \
		"$(header_of "$1")"
}

# own_includes UNIT: what its header includes: the types that are defined for it may use that
own_includes()
{
	grep -E '^#[[:space:]]*include[[:space:]]*<' "$(header_of "$1")" | grep -v 'trace/define_trace.h'
}

# define_types UNIT...: define the types of wanted/UNIT that the BTF has and the header does not know, and add the
# units that have got any to added
define_types()
{
	learn_headers "$@"
	for unit; do
		[ -e "$work/known/$unit" ] || continue
		events_of "$unit" >"$work/unit-events"
		{
			[ ! -e "$work/prelude/$unit" ] || cat "$work/prelude/$unit"
			cat "$work/known/$unit"
		} >"$work/unit-known"
		"$btf" types "$types" "$work/unit-known" "$work/unit-events" "$work/wanted/$unit" \
			>"$work/unit-types" || die "the types for $unit cannot be read from the BTF of kernel $release"
		[ -s "$work/unit-types" ] || continue
		cat "$work/unit-types" >>"$work/prelude/$unit"
		added="$added $unit"
	done
}

# foresee_types: define the types that the file "foreseen" has for the headers of this kernel.  Without it generate
# compiles a header once more for each level of nested types.
foresee_types()
{
	[ -n "$types" ] || return 0
	cut -d' ' -f1 "$here/btf/foreseen" | sort -u | join - "$work/headers" | cut -d' ' -f1 >"$work/foreseen-units"
	while read -r unit; do
		sed -n "s/^$unit //p" "$here/btf/foreseen" | sort -u >"$work/wanted/$unit"
		touch "$work/foreseen/$unit"
	done <"$work/foreseen-units"
	added=
	# shellcheck disable=SC2046 # a list of words
	write_sources $(cat "$work/foreseen-units")
	# shellcheck disable=SC2046 # a list of words
	define_types $(cat "$work/foreseen-units")
	# A header that could not be preprocessed is not foreseen.
	while read -r unit; do
		[ -e "$work/known/$unit" ] || rm -f "$work/wanted/$unit" "$work/foreseen/$unit"
	done <"$work/foreseen-units"
}

# list_wanted: "UNIT TYPE" for the types that were asked for where some were defined: the lines for "foreseen"
list_wanted()
{
	for unit in $units; do
		[ ! -e "$work/prelude/$unit" ] || sed "s/^/$unit /" "$work/wanted/$unit"
	done
}

# add_types: for each unit in blame, define the types that it needs and the BTF has.  The units that
# have got any are in added, and no longer in blame.
add_types()
{
	added=
	[ -n "$types" ] && [ -s "$work/blame" ] || return 0
	drop_foreseen
	again=
	for unit in $(cut -f1 "$work/blame" | sort -u); do
		touch "$work/wanted/$unit"
		wanted_by "$unit" | sort -u - "$work/wanted/$unit" >"$work/unit-wanted"
		if [ ! -e "$work/untyped/$unit" ] && ! cmp -s "$work/unit-wanted" "$work/wanted/$unit"; then
			cp "$work/unit-wanted" "$work/wanted/$unit"
			again="$again $unit"
		fi
	done
	# shellcheck disable=SC2086 # a list of words
	define_types $again
	drop_types
	forget_blame
}

# drop_types: if a unit does not compile because of its types, generate builds it without them.
drop_types()
{
	for unit in $(sed -n "s/^\([^$tab]*\)$tab\*$tab.*/\1/p" "$work/blame" | sort -u); do
		case " $added " in *" $unit "*) continue ;; esac
		if [ -e "$work/prelude/$unit" ]; then
			rm -f "$work/prelude/$unit" "$work/omit/$unit"
			touch "$work/untyped/$unit"
			added="$added $unit"
		fi
	done
}

# drop_foreseen: a type that "foreseen" has may clash with a declaration of an unknown kernel, and the compiler may report
# that at any event.  So generate tries a unit with such a clash, or with errors that stay when their events are left out,
# again as if none of its types were foreseen.
drop_foreseen()
{
	for unit in $(cut -f1 "$work/blame" | sort -u); do
		[ -e "$work/foreseen/$unit" ] || continue
		new_blame "$unit" >"$work/unit-blame"
		[ ! -s "$work/unit-blame" ] || grep -Eq "^$unit$tab(\*$tab|.*(redefinition|redeclar|conflicting types))" "$work/unit-blame" ||
			continue
		rm -f "$work/prelude/$unit" "$work/omit/$unit" "$work/foreseen/$unit" "$work/wanted/$unit"
		added="$added $unit"
	done
	forget_blame
}

# forget_blame: what is tried again is not left out yet.
forget_blame()
{
	for unit in $added; do
		sed -i "/^$unit$tab/d" "$work/blame"
	done
}

# btf_source PART: the source of a part
btf_source()
{
	echo "#define LTT_HEADER \"gen/$1.h\""
	echo '#define LTT_FROM_BTF'
	[ ! -e "$work/omit/$1" ] || cut -f2 "$work/omit/$1" | sed 's/.*/#define LTT_OMIT_& 1/'
	echo '#include <linux/kernel.h>'
	echo '#include "probes.h"'
}

# write_btf_headers: the events that no header gave a probe to, as headers of their own.
write_btf_headers()
{
	echo | keep "$gen/btf-0.h"
	btf_source btf-0 | keep "$gen/btf-0.c"
	preprocess btf-0
	cut -d' ' -f1 "$work/events" >"$work/have"
	# The headers have the systems of some tracepoints that the image has not.  A pattern such as
	# sched:* is for the events of the kernel: bare tracepoints, which are frequent, have a group of
	# their own.
	{ awk '{ print $3, $2 == "-" ? "bare" : $4 }' "$work/left"; cat "$types/systems"; } >"$work/systems"
	"$btf" events "$types" "$gen/btf-0.i" "$here/btf/members" "$work/have" "$work/systems" "$work/btf-" 4 ||
		die "the tracepoints of kernel $release cannot be read from its BTF"
	rm -f "$gen"/btf-0.[chi]
	for part in $btf_parts; do
		keep "$gen/$part.h" <"$work/$part.h"
	done
}

# list_btf_events: in events, "EVENT SYMBOL PART" for all that were compiled.
list_btf_events()
{
	for part in $btf_parts; do
		[ ! -e "$work/dropped/$part" ] || continue
		$nm "$gen/$part.o" | sed -n 's/.* \(ltt_tp__btf_.*\)/\1/p' | sort >"$work/symbols"
		sort -k 2 "$work/$part.events" | join -1 2 -o 1.1,0 - "$work/symbols" |
			sed "s/\$/ $part/" >>"$work/events"
	done
}

# report_btf: the tracepoints that have no probe, in the form of report.awk.
report_btf()
{
	sed 's/ /: /; s/^/BTF: /' "$work/btf-.refused"
	for part in $btf_parts; do
		if [ -e "$work/dropped/$part" ]; then
			echo "BTF: the whole of $part.h: $(cat "$work/dropped/$part")"
		elif [ -e "$work/omit/$part" ]; then
			sed "s/^[^$tab]*$tab/BTF: /; s/$tab/: /" "$work/omit/$part"
		fi
	done
	awk '{ print "BTF: " $1 ": an event of this name is in " $3 ".h, and in " $2 ".h" }' "$work/twice"
}
