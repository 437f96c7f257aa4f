#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# description: modules are unloaded in every order that the layers allow
# vm: --slub-debug
# requires: ltt-control.ko ltt-sample.ko
# when: all
# timeout: 300
ORDERS_OF='ltt-timestamp ltt-relay ltt-markers ltt-tracer ltt-tracepoints ltt-syscalls ltt-probes ltt-heartbeat ltt-control'
. "$LTT/tests/vm/cases/unload-orders.sh"
