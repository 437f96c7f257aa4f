# SPDX-License-Identifier: GPL-2.0-only
#
# blame.awk: find the events that the compiler's messages are about.
#
# Reads the log of a kbuild run (LC_ALL=C, output of each object in one piece)
# that compiled files gen/<header>.c.  Prints for each first error of an event
#	<header> TAB <event or class, * for the whole header> TAB <reason>
# An error belongs to an event if it is in one of its functions (ltt_probe_X,
# ltt_class_X, ltt_check_X), or else by the line of the header it points to, itself
# or by a note on a macro expansion.

# Names and lines of a header's events, read when first asked for.
function read_header(path,    line, n, word, rest)
{
	if (path in lines)
		return
	while ((getline line < path) > 0) {
		n++
		if (!match(line, /^[ \t]*[A-Z_]*(TRACE_EVENT|EVENT_CLASS|DEFINE_EVENT|DECLARE_TRACE)[A-Z_]*\(/))
			continue
		word = substr(line, RSTART, RLENGTH)
		rest = substr(line, RSTART + RLENGTH)
		# The second argument is the event's name, the first its class's.
		if (word ~ /DEFINE_EVENT/ && word !~ /CLASS/)
			sub(/^[^,]*,/, "", rest)
		gsub(/[ \t]/, "", rest)
		sub(/[,);].*/, "", rest)
		if (rest ~ /^[A-Za-z_][A-Za-z0-9_]*$/) {
			lines[path]++
			at[path, lines[path]] = n
			event[path, lines[path]] = rest
		}
	}
	close(path)
	lines[path] += 0
}

# The event that the line "path:number:..." lies in, "" if none.
function event_at(text,    part, i, found, end)
{
	split(text, part, ":")
	# asm-trace-fpu is asm/trace/fpu.h, intel-sst is trace/events/intel-sst.h
	end = header
	gsub(/-/, "[-/]", end)
	if (part[1] !~ "/" end "\\.h$")
		return ""
	read_header(part[1])
	for (i = 1; i <= lines[part[1]]; i++)
		if (at[part[1], i] <= part[2] + 0)
			found = event[part[1], i]
	return found
}

# An error message of clang in the words of gcc.
function as_gcc(text)
{
	sub(/(incomplete definition of|(subscript of|arithmetic on a) pointer to( an)? incomplete|offsetof of incomplete) type/,
	    "invalid use of undefined type", text)
	sub(/(field|variable) has incomplete type/, "invalid use of undefined type", text)
	sub(/call to undeclared function/, "implicit declaration of function", text)
	if (sub(/' file not found$/, ": No such file or directory", text))
		sub(/fatal error: '/, "fatal error: ", text)
	return text
}

# The reason in an error message of the compiler, for users who do not know how probes are
# generated.
function reason_of(text,    name)
{
	sub(/.*error: /, "", text)
	sub(/ \[-W[^]]*\]$/, "", text)
	sub(/; did you mean .*/, "", text)
	name = text
	sub(/^[^']*'/, "", name)
	sub(/'.*/, "", name)
	if (text ~ /^(invalid (use|application) of|dereferencing pointer to) .*(undefined|incomplete)/) {
		if (match(text, /(struct|union|enum) [A-Za-z0-9_]+/))
			name = substr(text, RSTART, RLENGTH)
		return "needs " name ", which the kernel's public headers do not define"
	}
	if (text ~ /^unknown type name/)
		return "needs the type " name ", which the kernel's public headers do not define"
	if (text ~ /^implicit declaration of function/)
		return "needs " name "(), which the kernel's public headers do not declare"
	if (text ~ / undeclared/)
		return "needs " name ", which the kernel's public headers do not declare"
	if (text ~ /parameter.*incomplete/)
		return "has an argument of a type which the kernel's public headers do not define"
	if (text ~ /No such file or directory$/) {
		sub(/: No such file or directory$/, "", text)
		return "includes " text ", which is not among the kernel's public headers"
	}
	return "does not compile: " text
}

# Print the reason of @error for an event, once.
function print_once(what)
{
	if (what == "" || whole[header])
		what = "*"
	if ((header, what) in printed)
		return
	printed[header, what] = 1
	if (what == "*")
		whole[header] = 1
	print header "\t" what "\t" reason_of(error)
}

function report(what,    part, path, line, n, use)
{
	print_once(what)
	if (!match(error, /implicit declaration of function '[A-Za-z0-9_]*'/))
		return
	# The compiler reports only the first use of a function; all uses need it.
	use = "(^|[^A-Za-z0-9_])" substr(error, RSTART + 34, RLENGTH - 35) "\\("
	split(error, part, ":")
	path = part[1]
	read_header(path)
	while ((getline line < path) > 0) {
		n++
		if (line ~ use)
			print_once(event_at(path ":" n))
	}
	close(path)
}

# An error whose own line names no event waits for the notes that follow it.
function settle()
{
	if (error != "")
		report("")
	error = ""
}

match($0, /gen\/[A-Za-z0-9_-]+\.[co]/) {
	name = substr($0, RSTART + 4, RLENGTH - 6)
	if (name != header) {
		settle()
		header = name
		inside = ""
	}
}

/: In function '/ {
	settle()
	inside = $0
	sub(/.*In function '/, "", inside)
	sub(/'.*/, "", inside)
	if (!sub(/^ltt_(probe|class|check)_/, "", inside))
		inside = "*"
}

/: At top level:/ {
	settle()
	inside = ""
}

/: (fatal )?error: / {
	settle()
	error = as_gcc($0)
	what = inside
	if (error ~ /fatal error: /)
		what = "*"
	if (what == "")
		what = event_at($0)
	if (what != "") {
		report(what)
		error = ""
	}
}

error != "" && /: note: / {
	what = event_at($0)
	if (what != "") {
		report(what)
		error = ""
	}
}

END { settle() }
