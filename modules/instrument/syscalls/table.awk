# SPDX-License-Identifier: GPL-2.0-only
#
# table.awk: the system calls of a kernel, as lines of macros for table.c.
#
# Set abi=native or compat, skipped to the file that gets what is left out, slots to the
# number that all numbers are below; reads the files
# prototypes, contents, and the preprocessor's output of one of the sources that "generate"
# writes, which has the kernel's prototypes, the names (__NR_...) and LTT_SYSCALL("spelled
# number" number function) for each entry of the system-call table.

function squeeze(text)
{
	gsub(/__user|__attribute__ *\(\([^)]*\)\)/, " ", text)
	gsub(/[ \t\n]+/, " ", text)
	gsub(/ *\* */, " *", text)
	gsub(/\* \*/, "**", text)
	gsub(/\*const */, "*const ", text)
	sub(/^ /, "", text)
	sub(/ $/, "", text)
	return text
}

# Split an argument: sets type, and name, which is "" if the argument has none.
function split_argument(text,	at)
{
	text = squeeze(text)
	name = ""
	type = text
	if (text ~ /\*$/ || text ~ /^(unsigned |const )*[A-Za-z_0-9]+$/ && text !~ /^unsigned [A-Za-z_0-9]+$/ ||
	    text ~ /(^| )(int|long|short|char)$/ || text ~ /^(struct|union|enum) [A-Za-z_0-9]+$/)
		return
	match(text, /[A-Za-z_0-9]+$/)
	name = substr(text, RSTART)
	type = squeeze(substr(text, 1, RSTART - 1))
	sub(/^_+/, "", name)
}

# Remember the prototype "long FUNCTION(ARGUMENTS)" in what[FUNCTION, ...].
function read_prototype(text, kernel,	function_name, arguments, n, i, part, types, names)
{
	match(text, /[A-Za-z_0-9]+ *\(/)
	function_name = substr(text, RSTART, RLENGTH)
	sub(/ *\($/, "", function_name)
	arguments = substr(text, RSTART + RLENGTH)
	sub(/\)[^)]*$/, "", arguments)
	n = split(arguments, part, ",")
	if (n == 1 && squeeze(part[1]) == "void")
		n = 0
	for (i = 1; i <= n; i++) {
		split_argument(part[i])
		types = types type ","
		names = names (name == "" ? "-" : name) ","
	}
	if (!kernel) {
		nr_ours[function_name]++
		our_types[function_name, nr_ours[function_name]] = types
		our_names[function_name, nr_ours[function_name]] = names
	} else if (!(function_name in known_types)) {
		known_types[function_name] = types
		known_names[function_name] = names
	}
}

# The file that is read ends with its name, so that a path may have any characters.
FNR == 1 { file = FILENAME; sub(/.*\//, "", file) }

file == "prototypes" { if (/^[^#]/) read_prototype($0, 0); next }

file == "contents" {
	quoted = ""
	if (match($0, /"[^"]*"/)) {
		quoted = substr($0, RSTART + 1, RLENGTH - 2)
		$0 = substr($0, 1, RSTART - 1) "-" substr($0, RSTART + RLENGTH)
	}
	if ($1 == "type")
		by_type[quoted] = $3
	else if ($1 == "arg")
		by_name[$2, $3] = $4
	else if ($1 == "return")
		returns[$2] = $3
	else if ($1 == "members") {
		sub(/^members - /, "")
		members[quoted] = $0
	}
	next
}

# ---- The preprocessor's output ----

# ARM counts from a base, which is 0 by the calling conventions that the kernel is compiled for.
/^#define __NR_/ && sub(/\(__NR_SYSCALL_BASE \+ /, "") { sub(/\)/, "") }

/^#define __NR_/ && NF == 3 && $3 ~ /^[0-9]+$/ {
	call = $2
	is_compat = call ~ /^__NR_(ia32|compat32)_/
	if (call !~ /^__NR_x32_/ && is_compat == (abi == "compat")) {
		sub(/^__NR_((ia32|compat32)_)?/, "", call)
		if (!($3 in name_of))
			name_of[$3] = call
		if (!is_compat)
			named[++nr_named] = $3
	}
	next
}
/^#/ { next }
/^(struct|union) [A-Za-z_0-9]+ *\{/ { defined[$1 " " $2] = 1 }
/^asmlinkage / { statement = ""; inside = 1 }
inside {
	statement = statement " " $0
	if (/;/) {
		inside = 0
		if (statement ~ /^ asmlinkage +(long|ssize_t|int) +(compat_)?sys_/)
			read_prototype(statement, 1)
	}
	next
}
/^LTT_SYSCALL\(/ {
	sub(/^LTT_SYSCALL\(/, "")
	sub(/\).*/, "")
	spelled = $1
	gsub(/"/, "", spelled)
	add_call($2, spelled ~ /^__NR/ ? spelled : "", $3)
}

function add_call(number, spelled, symbol)
{
	sub(/^__NR(3264)?_/, "", spelled)
	call_number[++nr_calls] = number
	call_name[nr_calls] = spelled != "" ? spelled : name_of[number]
	call_symbol[nr_calls] = symbol
}

function leave_out(what, why)
{
	print abi ": " what ": " why >skipped
}

# The names that the prototypes of ours give to an unnamed one of the kernel.
function find_names(symbol,	i)
{
	for (i = 1; i <= nr_ours[symbol]; i++)
		if (!(symbol in known_types) || known_types[symbol] == our_types[symbol, i]) {
			known_types[symbol] = our_types[symbol, i]
			known_names[symbol] = our_names[symbol, i]
			return
		}
}

function base_of(type, name)
{
	if (type ~ /\*/)
		return 16
	if (type ~ /^(umode_t|mode_t|compat_mode_t)$/)
		return 8
	if (type == "unsigned long" && name ~ /^(.*addr|start|brk|newsp|tls.*)$/)
		return 16
	return name ~ /(flags?|^prot|mask)$/ ? 16 : 10
}

function structure(i, type, name,	target, list, n, m, field, out)
{
	target = type
	sub(/^const /, "", target)
	sub(/ \*$/, "", target)
	out = "\tLTT_VALUE(" i ", " type ", \"" name "\", 16)\n"
	if (!(target in members) || target ~ /^struct/ && !(target in defined)) {
		leave_out(target, "this kernel's public headers do not define it; its address is recorded")
		return out
	}
	n = split(members[target], list, " ")
	for (m = 1; m <= n; m++) {
		field = list[m]
		gsub(/[.\[]/, "_", field)
		gsub(/\]/, "", field)
		out = out "\tLTT_MEMBER(" i ", " target ", " list[m] ", \"" name "_" field "\", " \
			(target ~ /sigset_t$/ ? 16 : base_of("", field)) ")\n"
	}
	return out
}

function argument(i, call, type, name,	what)
{
	# The headers need not define the enumeration.
	if (type ~ /^enum /)
		type = "unsigned int"
	what = "address"
	if ((call, name) in by_name)
		what = by_name[call, name]
	else if (type in by_type)
		what = by_type[type]
	if (type !~ /\*/ || what == "address")
		return "\tLTT_VALUE(" i ", " type ", \"" name "\", " base_of(type, name) ")\n"
	if (what == "string")
		return "\tLTT_STRING(" i ", \"" name "\")\n"
	if (what == "sockaddr")
		return "\tLTT_SOCKADDR(" i ", \"" name "\")\n"
	return structure(i, type, name)
}

function put_call(number, name, symbol,	n, i, types, names, plain, out)
{
	if (symbol ~ /ni_syscall$/)
		return
	if (name == "" || number >= slots) {
		leave_out("number " number, name == "" ? "it has no name" : "its number is too large")
		return
	}
	if (!(symbol in known_types) || ("," known_names[symbol]) ~ /,-,/)
		find_names(symbol)
	if (!(symbol in known_types)) {
		leave_out(name, "there is no prototype of " symbol)
		return
	}
	plain = symbol
	sub(/^(compat_)?sys_/, "", plain)
	n = split(known_types[symbol], types, ",") - 1
	split(known_names[symbol], names, ",")
	for (i = 1; i <= n; i++)
		out = out argument(i - 1, plain, types[i], names[i] == "-" ? "arg" i - 1 : names[i])
	printf "LTT_SYSCALL(%s, %s, \"%s\", %s,\n%s)\n", abi, number, name,
		returns[name] == "" ? "LTT_RETURNS" : "LTT_RETURNS_" toupper(returns[name]), out
}

END {
	# An architecture without a table in its headers: the names are those of the functions.
	if (!nr_calls && abi == "native")
		for (i = 1; i <= nr_named; i++)
			add_call(named[i], name_of[named[i]], "sys_" name_of[named[i]])
	for (i = 1; i <= nr_calls; i++)
		put_call(call_number[i], call_name[i], call_symbol[i])
}
