# SPDX-License-Identifier: GPL-2.0-only
#
# blame-symbol.awk: find the events that need a symbol.
#
# Reads "objdump -dr gen/<unit>.o"; set unit=..., symbol=... and module=..., the
# module that has it ("-" if it is not exported).  Prints, as blame.awk does, a line
# for each probe that uses the symbol, itself or by a function that it calls:
#	<unit> TAB <class, * if no probe is found> TAB <reason>

function note(to)
{
	if (fn != "" && to != fn)
		users[to] = users[to] " " fn
}

function walk(name,    list, n, i)
{
	if (name in seen)
		return
	seen[name] = 1
	if (name ~ /^ltt_probe_/) {
		print unit "\t" substr(name, 11) "\t" reason
		found = 1
		return
	}
	n = split(users[name], list, " ")
	for (i = 1; i <= n; i++)
		walk(list[i])
}

# "0000000000000040 <ltt_probe_x>:", parts that the compiler split off included
/^[0-9a-f]+ <.*>:$/ {
	fn = $2
	gsub(/[<>:]/, "", fn)
	sub(/\.(cold|part|isra|constprop).*/, "", fn)
	next
}

# a relocation: "7d: R_X86_64_PLT32 symbol-0x4"; llvm-objdump prints more blanks
/: +R_[A-Z0-9_]+[ \t]/ {
	to = $NF
	sub(/[-+]0x[0-9a-f]+$/, "", to)
	note(to)
	next
}

# a call that needs none: "call a8 <function>"
/<[^>]*>$/ {
	to = $NF
	gsub(/[<>]/, "", to)
	sub(/\+0x[0-9a-f]+$/, "", to)
	sub(/\.(cold|part|isra|constprop).*/, "", to)
	note(to)
}

END {
	if (module == "-")
		reason = "needs " symbol ", which the kernel does not export to modules"
	else
		reason = "needs " symbol " of the module " module ", which would be loaded with LTT"
	walk(symbol)
	if (!found)
		print unit "\t*\t" reason
}
