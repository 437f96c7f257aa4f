#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# Comments, messages, documents and test names have no phrase of those that ./english finds.

here=$(dirname "$0")
"$here/english" --self-test || { echo "not ok english/rules"; exit 1; }
echo "ok english/rules"
"$here/english" "$here/../.." || { echo "not ok english/sources"; exit 1; }
echo "ok english/sources"
