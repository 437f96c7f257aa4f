# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""How many events a recording has, by the reader of the tool that wrote it; Failed if events are lost."""
import re

from part import Failed, said_by


def refuse_losses(said, pattern):
    if lost := re.search(pattern, said):
        raise Failed(f'events are lost: {lost[0]}')


def count_ctf(folder):
    """Of a trace of LTT or LTTng, without the state of the system that lttd adds."""
    (folder / 'kernel/state_0').unlink(missing_ok=True)
    said = said_by('babeltrace2', 'run', '--component=in:source.ctf.fs',
                   f'--params=inputs=["{folder}/kernel"]', '--component=all:filter.utils.muxer',
                   '--component=out:sink.utils.counter', '--connect=in:all', '--connect=all:out')
    number = lambda what: int(re.findall(rf'(\d+) {what}', said)[-1])      # those before: progress
    if lost := number('Discarded event message'):
        raise Failed(f'events are lost in {lost} places')
    return number('Event message')


def count_trace_cmd(folder):
    """The lines with the number of a CPU and a time."""
    said = said_by('trace-cmd', 'report', '-i', folder / 'trace.dat')
    refuse_losses(said, r'\[(\d+ )?EVENTS DROPPED\]')
    return len(re.findall(r'^.*\[\d+\].* \d+\.\d+: ', said, re.M))


def count_perf(folder):
    said = said_by('perf', 'report', '--stats', '-i', folder / 'perf.data')
    refuse_losses(said, r'LOST events: +\d+')
    return int(re.search(r'SAMPLE events: +(\d+)', said)[1])
