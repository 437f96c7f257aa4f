# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""The tracepoints of a kernel, and those that the LTT built for it records."""
import re

from harness import kernel
from harness.results import read_lines

BTF_NAME = re.compile(rb'\0btf_trace_(\w+)(?=\0)')


def tracepoints():
    """The names of the tracepoints in the kernel of KDIR itself, by the types that its BTF has for their probes."""
    kernel.release.cache_clear()
    return {name.decode() for name in BTF_NAME.findall(kernel.image(packed=False).read_bytes())}


def recorded(copy):
    """The names of the events that ltt-tracepoints has, those of the kernel's modules included."""
    table = (copy / 'modules/instrument/gen/table.c').read_text()
    return set(re.findall(r'^extern struct ltt_tp ltt_tp__.+?__(\w+);', table, re.M))


def left_out(copy):
    """(events, headers) that could not be compiled."""
    events = headers = 0
    for line in read_lines(copy / 'modules/instrument/gen/skipped.txt')[1:]:
        _, what, *_ = line.split(': ')
        if what == 'the whole header':
            headers += 1
        elif not what.startswith('defines no event'):
            events += what.count(',') + 1
    return events, headers


def of(copy):
    """Of the kernel of KDIR, for which LTT is built in the copy."""
    theirs, ours = tracepoints(), recorded(copy)
    events, headers = left_out(copy)
    return {'tracepoints': sorted(theirs), 'events': len(ours), 'covered': len(theirs & ours),
            'left_out_events': events, 'left_out_headers': headers}


def lttng_names(folder):
    """The tracepoints for which LTTng's event headers have probes, in any version of the kernel."""
    names = {'sys_enter', 'sys_exit'}       # in its code for system calls
    for header in folder.rglob('*.h'):
        for kind, first, second in re.findall(
                r'^\s*LTTNG_TRACEPOINT_EVENT(_\w+)?\(\s*(\w+),?\s*(\w*)', header.read_text(), re.M):
            if 'CLASS' not in kind:
                names.add(second if kind in ('_INSTANCE', '_INSTANCE_MAP') else first)
    return names - {'name'}
