# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""The tracepoints of a kernel, and those that the LTT built for it records."""
import re

from harness.results import read_lines

BTF_NAME = re.compile(rb'\0btf_trace_(\w+)(?=\0)')


def tracepoints(copy, release):
    """The names of the tracepoints in the kernel itself, by the types that its BTF has for their probes."""
    image = copy / 'build' / 'vm' / release / 'vmlinux'
    return {name.decode() for name in BTF_NAME.findall(image.read_bytes())} if image.exists() else set()


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


def of(copy, release):
    kernel, ours = tracepoints(copy, release), recorded(copy)
    events, headers = left_out(copy)
    return {'tracepoints': sorted(kernel), 'events': len(ours), 'covered': len(kernel & ours),
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
