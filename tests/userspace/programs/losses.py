# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Tests of programs: lost events, waiting writers, context fields, rejected markers."""
import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import control
from bench import DEADLINE, Recording, Skipped, check, equal, in_order_quickly, stop, wait_until


def view(bench, recording):
    return subprocess.run([bench.built / 'lttctl', 'view', recording.path], stdout=subprocess.PIPE, text=True).stdout


def test_losses_are_counted(bench):
    lttd = bench.lttd(options=['--size', '4096', '--count', '2'])
    process = bench.start(*bench.prog('until-told', 200000), env={**os.environ, 'LTT_START': lttd.socket})
    stop(lttd)
    process.communicate('go\n', timeout=DEADLINE)
    lttd.send_signal(signal.SIGCONT)
    recording = bench.end(lttd)
    check(recording.lost > 1000, 'lost', recording.lost)
    equal('stored and lost', 200000, recording.stored + recording.lost)
    equal('read', recording.stored, len(recording.named('test:count', complaints=True)))
    told = [(at.start(), int(at[1])) for at in re.finditer(r'^\*\*\* (\d+)\b.*\blost\b', view(bench, recording), re.M)]
    # One for each CPU that it was on.
    equal('lost, as lttctl view shows', recording.lost, sum(lost for _, lost in told))
    check(view(bench, recording).rindex('test:count') < told[-1][0], 'not after the last that was stored')


def test_losses_without_any_event_are_counted(bench):
    """There are more threads than rings for them."""
    recording = bench.record(*bench.prog('many-threads', 600), env={'GLIBC_TUNABLES': 'glibc.pthread.rseq=0'})
    equal('stored and lost', 600, recording.stored + recording.lost)
    check(recording.lost > 100, 'lost', recording.lost)
    equal('babeltrace2 reports them', [f'discarded {recording.lost} events'],
          re.findall(r'discarded \d+ events|may have discarded', subprocess.run(
              ['babeltrace2', recording.path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True).stderr))


def test_more_recordings_than_a_thread_writes_for(bench):
    """Without restartable sequences: for the fifth all is lost, and counted."""
    lttds = [bench.lttd(f'trace{number}') for number in range(5)]
    process = bench.start(*bench.prog('until-told', 100), env={**os.environ, 'LTT_START': lttds[-1].socket,
                                                              'GLIBC_TUNABLES': 'glibc.pthread.rseq=0'})
    wait_until('all know it', lambda: all(control.counts(bench, lttd) for lttd in lttds))
    process.communicate('go\n', timeout=DEADLINE)
    recordings = [bench.end(lttd) for lttd in lttds]
    equal('stored and lost', [(0, 100), *[(100, 0)] * 4],
          sorted((recording.stored, recording.lost) for recording in recordings))


def test_a_full_disk_is_reported_once_for_each_file(bench):
    disk = bench.folder / 'disk'
    disk.mkdir()
    if subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=400k', 'none', disk], stderr=subprocess.DEVNULL).returncode:
        raise Skipped('may not mount')
    try:
        recording = bench.record(*bench.prog('count', 200000), name='disk/trace', status=125,
                                 options=['--size', '64k', '--count', '16'])
    finally:
        subprocess.run(['umount', '--lazy', disk], check=True)
    complaints = re.findall(r'cannot write (\S+): No space left on device', recording.errors)
    check(complaints, 'no complaint:', recording.errors)
    equal('complaints', sorted(set(complaints)), sorted(complaints))


def test_lossless(bench):
    """The program is faster than lttd, and waits."""
    for name, env in ('sequences', {}), ('rings', {'GLIBC_TUNABLES': 'glibc.pthread.rseq=0'}):
        recording = bench.record(*bench.prog('count', 300000), name=name, env=env,
                                 options=['--size', '4k', '--count', '4', '--lossless', '5000'])
        equal('stored', 300000, recording.stored)
        equal('lost', 0, recording.lost)
        equal('in order', (300000, 1, ''), in_order_quickly(recording.path))


def test_lossless_is_bounded(bench):
    """Of an lttd that is stopped one learns that once, not with each event."""
    lttd = bench.lttd(options=['--size', '4096', '--count', '2', '--lossless', '400'])
    process = bench.start(*bench.prog('until-told', 200000), env={**os.environ, 'LTT_START': lttd.socket})
    stop(lttd)
    began = time.monotonic()
    process.communicate('go\n', timeout=DEADLINE)
    took = time.monotonic() - began
    check(0.4 <= took < 10, 'it took', took)
    lttd.send_signal(signal.SIGCONT)
    recording = bench.end(lttd)
    check(recording.lost > 1000, 'lost', recording.lost)
    equal('stored and lost', 200000, recording.stored + recording.lost)


def test_memory_given_back_on_a_kernel_with_larger_pages(bench):
    """A page has bytes that lttd has copied, and others that the program stores meanwhile."""
    lttd = bench.lttd(options=['--size', '64k', '--count', '16', '--flush', '1', '--lossless', '5000'],
                      env={**os.environ, 'PAGES': '16384', 'LD_PRELOAD': str(bench.built.parent / 'userspace-tests/hinder.so')})
    process = bench.start(*bench.prog('count', 300000), begun=False, env={**os.environ, 'LTT_START': lttd.socket})
    equal('status of the program', 0, process.wait(DEADLINE))
    recording = bench.end(lttd)
    equal('stored and lost', (300000, 0), (recording.stored, recording.lost))
    equal('in order', (300000, 1, ''), in_order_quickly(recording.path))


def test_programs_release_their_buffers(bench):
    """When the recording ends, on a kernel with larger pages, too, of which a ring may begin amid one."""
    for size in '4096', '16384':
        lttd = bench.lttd(name=f'pages-{size}')
        process = bench.start(*bench.prog('count-and-wait', 1000), env={
            **os.environ, 'PAGES': size, 'LD_PRELOAD': str(bench.built.parent / 'userspace-tests/hinder.so'), 'LTT_START': lttd.socket})
        maps = Path(f'/proc/{process.pid}/maps')
        check('/memfd:ltt' in maps.read_text(), 'the program has no buffers')
        equal('stored', 1000, bench.end(lttd).stored)
        wait_until('the buffers are released', lambda: '/memfd:ltt' not in maps.read_text())
        process.communicate('go\n', timeout=DEADLINE)
        equal('status of the program', 0, process.returncode)


def test_contexts(bench):
    """Each event has the context fields of --context."""
    for context, want in [('none', r'\{ \}, \{ i = '), ('tid', r'\{ tid = \d+ \}, \{ i = '), ('pid', r'\{ pid = \d+ \}, \{ i = '),
                          ('name', r'\{ name = "prog" \}, \{ i = '),
                          ('name,tid', r'\{ tid = \d+, name = "prog" \}, \{ i = '),
                          ('tid,pid,name', r'\{ tid = \d+, pid = \d+, name = "prog" \}, \{ i = ')]:
        recording = bench.record(*bench.prog('count', 1000), name=context, options=['--context', context])
        equal(f'stored with {context}', 1000, recording.stored)
        run = subprocess.run(['babeltrace2', recording.path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        equal(f'babeltrace2, with {context}', '', run.stderr)
        lines = [line for line in run.stdout.splitlines() if ' test:count: ' in line]
        equal('events read', 1000, len(lines))
        for i, line in enumerate(lines):
            check(re.search(rf' test:count: \{{ cpu_id = \d+ \}}, {want}{i} \}}$', line), context, line)
    shown = subprocess.run([bench.built / 'lttctl', 'view', bench.folder / 'none'], stdout=subprocess.PIPE, text=True)
    check(re.search(r' +- -  +test:count: i=999', shown.stdout), shown.stdout[-300:])
    shown = subprocess.run([bench.built / 'lttctl', 'view', bench.folder / 'name,tid'], stdout=subprocess.PIPE, text=True)
    check(re.search(r' \d+ prog +test:count: i=999', shown.stdout), shown.stdout[-300:])


def test_the_name_of_a_thread_may_change(bench):
    recording = bench.record(*bench.prog('names'), options=['--context', 'name'])
    run = subprocess.run(['babeltrace2', recording.path], stdout=subprocess.PIPE, text=True)
    equal('names', ['prog', 'another', 'a-name-of-15-ch', 'by-a-thread', 'child'],
          re.findall(r'test:name: .*name = "(.*?)"', run.stdout))


def test_a_former_name_of_a_thread_is_shown_for_a_millisecond(bench):
    recording = bench.record(*bench.prog('names-without-pause'), options=['--context', 'name'])
    run = subprocess.run(['babeltrace2', recording.path], stdout=subprocess.PIPE, text=True)
    events = re.findall(r'test:renamed: .*name = "(.*?)" }, { want = "(.*?)", us = (\d+)', run.stdout)
    check(len(events) > 1000, len(events))
    equal('names', set(want for _, want, _ in events), set(name for name, _, _ in events))
    late = [event for event in events if event[0] != event[1] and int(event[2]) > 1000]
    equal('former names after a millisecond', [], late[:3])


def test_view_shows_texts_as_they_are_written(bench):
    recording = bench.record(*bench.prog('texts'))
    shown = view(bench, recording)
    check(r'test:text: s="a \"quote\", a \\, \x1b[2J and \x09"' in shown, shown)
    check('test:bases: x=0xbeef, o=0755, d=-1\n' in shown, shown)


def test_rejected_markers_are_reported(bench):
    lttd = bench.lttd(pattern='wrong:*')
    bench.start(*bench.prog('refused'), env={**os.environ, 'LTT_START': lttd.socket})
    check('two fields' in control.lttctl(bench, 'markers', '--info', 'user:wrong:refused21'), 'lttctl markers gives no reason')
    recording = bench.end(lttd)
    named = re.findall(r'^lttd: .*\b(wrong:refused\d+)\b', recording.errors, re.M)
    equal('named', (20, 20), (len(named), len(set(named))))
    equal('lines about the others', 1, len(re.findall(r'^lttd: (?!.*(?:wrong:refused|\bstored\b))', recording.errors, re.M)))
    equal('the other is recorded', ['i = 0'], recording.fields('wrong:right'))
    equal('counted', 22, recording.summary['programs']['rejected_markers'])


def test_a_recording_that_lacks_markers_is_not_complete(bench):
    """Each marker counts once, though two programs have it."""
    twice = ['sh', '-c', f'for i in 1 2; do echo | {bench.program("prog")} refused; done']
    recording = bench.record(*twice, pattern='wrong:*')
    equal('rejected', (22, False), (recording.summary['programs']['rejected_markers'], recording.summary['complete']))
    named = recording.summary['programs']['rejected']
    equal('named, with the reason', 20, len([text for text in named if 'wrong:refused' in text and 'two fields' in text]))
    bench.record(*twice, name='strict', pattern='wrong:*', options=['--strict'], status=124)
    said = subprocess.run([bench.built / 'lttctl', 'record', '-o', bench.folder / 'text', '-e', 'user:wrong:*', '--', *twice],
                          stderr=subprocess.PIPE, text=True, timeout=DEADLINE).stderr
    check(re.search(r'^complete +no\n(.|\n)*^ +22 markers .*\n( +marker wrong:refused.*two fields.*\n){20} +.* 2 ', said, re.M), said)


def test_a_pattern_without_a_marker_makes_a_recording_incomplete(bench):
    for options, complete, status in ([], False, 0), (['--strict'], False, 124), (['--strict', '--allow-missing'], True, 0):
        recording = bench.record(*bench.prog('count', 3), name=f'trace{len(options)}', status=status,
                                 options=['-e', 'user:nosuch:*', *options])
        equal('unmatched', 1, recording.summary['programs']['unmatched_patterns'])
        equal(f'complete with {options}', complete, recording.summary['complete'])


def test_events_that_a_killed_lttd_wrote_are_counted(bench):
    lttctl = bench.start(bench.built / 'lttctl', 'record', '--json', '-o', bench.folder / 'trace', '-e', 'user:test:*',
                         '--size', '4k', '--', *bench.prog('forever', 100), begun=False)
    on_disk = lambda: sum(file.stat().st_size for file in bench.folder.glob('trace/user-*/events_*'))
    wait_until('lttd has written', lambda: on_disk() > 20000)
    lttd, = subprocess.run(['pgrep', '-P', str(lttctl.pid), '-x', 'lttd'], stdout=subprocess.PIPE, text=True).stdout.split()
    os.kill(int(lttd), signal.SIGKILL)
    subprocess.run(['pkill', '-P', str(lttctl.pid), '-x', 'prog'], check=False)
    output = lttctl.communicate(timeout=DEADLINE)[0]
    equal('exit status', 125, lttctl.returncode)
    summary = json.loads(output[output.index('{'):])
    recording = Recording(bench.folder / 'trace', summary, '', '')
    equal('complete', False, summary['complete'])
    equal('counted', len(recording.named('test:count')), recording.stored)
    check(recording.stored > 500, recording.stored)


def test_strict(bench):
    bench.record(*bench.prog('count', 3000000), options=['--size', '4k', '--count', '2', '--strict'], status=124)
