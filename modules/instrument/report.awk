# SPDX-License-Identifier: GPL-2.0-only
#
# report.awk: what was left out of one event header, and why.
#
# Set unit=..., path=...; reads four files of "generate", in this order:
#	omit	header TAB event or class TAB reason
#	events	event symbol header
#	twice	event header header-that-has-it
#	left	header event-or-class event system

FNR == 1 { file = FILENAME; sub(/.*\//, "", file) }

FILENAME ~ /\/omit\// {
	split($0, part, "\t")
	if (!(part[2] in why))
		why[part[2]] = part[3]
	next
}

file == "events" { have += $3 == unit }

file == "twice" && $2 == unit {
	print path ": " $1 ": an event of this name is in " $3 ".h"
}

file == "left" && $1 == unit && !(($2, $3) in seen) {
	seen[$2, $3] = 1
	reason = $2 == "-" ? "has no fields; only code of the kernel can use it" : why[$2]
	if (list[reason] == "")
		reasons[++n] = reason
	else
		list[reason] = list[reason] ", "
	list[reason] = list[reason] $3
}

END {
	for (i = 1; i <= n; i++)
		print path ": " list[reasons[i]] ": " reasons[i]
	if (!n && !have)
		print path ": defines no event in this configuration"
}
