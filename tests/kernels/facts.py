# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""The tracepoints of a kernel, and those that the LTT built for it records."""
import re

from harness import kernel
from harness.results import read_lines

BTF_NAME = re.compile(rb'\0(?:btf_trace|__traceiter)_(\w+)(?=\0)')
WAYS = 'header', 'types', 'prototype'


def tracepoints():
    """The names of the tracepoints in the kernel of KDIR itself, by the types and functions that its BTF has of them."""
    kernel.release.cache_clear()
    return {name.decode() for name in BTF_NAME.findall(kernel.image(packed=False).read_bytes())}


def recorded(copy):
    """How ltt-tracepoints records each event, those of the kernel's modules included: "header", "types" or "prototype"."""
    return dict(line.split() for line in read_lines(copy / 'modules/instrument/gen/ways.txt'))


def left_out(copy):
    """The number of events that could not be compiled; a whole header counts as one."""
    named = 0
    for line in read_lines(copy / 'modules/instrument/gen/skipped.txt')[1:]:
        _, what, *why = line.split(': ')
        if not what.startswith(('defines no event', 'tracepoints that no')) and 'an event of this name' not in why[0]:
            named += what.count(',') + 1
    return named


def of(copy):
    """Of the kernel of KDIR, for which LTT is built in the copy."""
    theirs, ours = tracepoints(), recorded(copy)
    ways = [ours[name] for name in theirs & ours.keys()]
    return {'tracepoints': sorted(theirs), 'events': len(ours), 'left_out': left_out(copy),
            'ways': {way: ways.count(way) for way in WAYS}}


def lttng_names(folder):
    """The tracepoints for which LTTng's event headers have probes, in any version of the kernel."""
    names = {'sys_enter', 'sys_exit'}       # in its code for system calls
    for header in folder.rglob('*.h'):
        for kind, first, second in re.findall(
                r'^\s*LTTNG_TRACEPOINT_EVENT(_\w+)?\(\s*(\w+),?\s*(\w*)', header.read_text(), re.M):
            if 'CLASS' not in kind:
                names.add(second if kind in ('_INSTANCE', '_INSTANCE_MAP') else first)
    return names - {'name'}
