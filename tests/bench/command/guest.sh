# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# In a bare VM: what commands and notifications take; see command-cost.c.
#
#	guest.sh MODULE...	modules in loading order

set -eu
for module; do
	insmod "/$module"
done
/command-cost
