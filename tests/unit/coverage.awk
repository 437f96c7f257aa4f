# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# Sum up gcov's figures for the files of core/, in one line.

/^File / { of_core = /\/core\// }

/^Lines executed:/ && of_core {
	sub(/.*:/, "")
	lines += $3
	run += $1 * $3 / 100
	of_core = 0
}

END {
	if (lines)
		printf "coverage of core/: %.1f %% of %d lines\n", 100 * run / lines, lines
	else
		print "coverage of core/: not known, gcov gave no data"
}
