# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# peer-bpf.sh FILE: read FILE with BPF programs at the tracepoints, compiled to
# machine code, as they are by default.
# shellcheck shell=sh

programs=$LTT/build/bench/bpf

echo 1 > /proc/sys/net/core/bpf_jit_enable
"$programs/record" "$programs/cost.bpf.o" cat "$1"
