# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Tests of programs: wrong usage, and the installed files."""
import os
import shutil
import subprocess
from pathlib import Path

from bench import DEADLINE, Skipped, check, equal, wait_until


def test_wrong_usage(bench):
    lttd, lttctl = bench.built / 'lttd', bench.built / 'lttctl'
    for command, words in [
            ([lttd, '-o', 'x', '--programs', 'a:b', 'trace'], '--programs'),
            ([lttd, '-o', 'x', '--programs', 'a:b', '--size', '5000'], '5000'),
            ([lttd, '-o', 'x', '--programs', 'a:b', '--count', '1'], '--count'),
            ([lttd, '-o', 'x', '--programs', 'a:b', '--once'], '--once'),
            ([lttd, '-o', 'x', '--programs', 'a:b', '--flush', 'soon'], '--flush'),
            ([lttd, '--programs', 'a:b'], '-o'),
            ([lttctl, 'record', '-e', 'user:', '--', 'true'], 'user:'),
            ([lttctl, 'record', '-e', 'user:a:*', '--lossless', '9', '--overwrite', '--', 'true'], '--overwrite'),
            ([lttd, '-o', 'x', '--programs', 'a:b', '--lossless', '20000'], '20000'),
            ([lttd, '-o', 'x', '--programs', 'a:b', '--lossless', '9', '--overwrite'], '--overwrite'),
            ([lttctl, 'record', '-o', '', '-e', 'user:a:*', '--', 'true'], 'directory'),
            ([lttctl], 'COMMAND'),
            ([lttd, '-o', 'x', '--programs', 'a:b', '--context', 'tid,tid'], '--context'),
            ([lttd, '-o', 'x', '--programs', 'a:b', '--buffers', 'mine'], '--buffers'),
            ([lttd, '-o', 'x', '--programs', 'a:b', '--memory', '1k'], '--memory'),
            ([lttctl, 'record', '-e', 'user:a:*', '--buffers', 'own', '--', 'true'], '--buffers'),
            ([lttctl, 'record', '-e', 'user:a:*', '--memory', '2T', '--', 'true'], '--memory'),
            ([lttctl, 'record', '-e', 'user:a:*', '--flush', '1s', '--', 'true'], '--flush'),
            ([lttctl, 'record', '-e', 'user:a:*', '--flush', '9', '--overwrite', '--', 'true'], '--flush'),
            ([lttctl, 'record', '-e', 'sched:*', '--buffers', 'shared', '--', 'true'], '--buffers'),
            ([lttctl, 'record', '-e', 'user:a:*', '--context', 'tid,', '--', 'true'], '--context'),
            ([lttd, '-o', 'x', '--programs', 'a:b', '--pid', '12k'], '--pid'),
            ([lttctl, 'record', '-e', 'user:a:*', '-p', '12k', '--', 'true'], '-p'),
            ([lttctl, 'create', '-e', 'a:b', '-e', 'user:a:*', 'x'], '-e')]:
        run = subprocess.run(command, stderr=subprocess.PIPE, text=True, timeout=DEADLINE)
        equal(f'exit status of {command}', 2, run.returncode)
        check(words in run.stderr, run.stderr)


def test_malformed_patterns_are_rejected(bench):
    """By each command that takes one, before it does anything; the message names the pattern."""
    lttd, lttctl, out = bench.built / 'lttd', bench.built / 'lttctl', bench.folder / 'trace'
    selections = ['', 'shop', 'shop:', ':sale', 'shop:*:x', '[:*', 'shop:[a', 'shop:sale[', 'a b:c', '!shop:*', 'a/b:*', '@:shop:*',
                  '@shop', '@shop:', '@shop:shop', '@sh[:shop:*', '@a-name-of-16-cha:shop:*', '@a b:shop:*', f'{"a" * 100}:{"b" * 100}']
    for selection in selections:
        pattern = selection if selection.startswith('@') else f':{selection}'
        for command in [lttctl, 'record', '-o', out, '-e', f'user{pattern}', '--', 'touch', bench.folder / 'ran'], \
                       [lttctl, 'enable', f'user{pattern}'], [lttctl, 'disable', f'user{pattern}'], \
                       [lttd, '-o', out, '--programs', selection]:
            run = subprocess.run(command, stderr=subprocess.PIPE, text=True, timeout=DEADLINE)
            equal(f'exit status of {command}', 2, run.returncode)
            check(selection[:50] in run.stderr and run.stderr.count('\n') == 1, run.stderr)
    equal('made', [], list(bench.folder.iterdir()))
    for selection in 'shop:*', '*', '[a-c]:x?', 'a.b:_-', '@shop:*', '@[ab]*:shop:sale', '@a-name-of-15-ch:*:*':
        pattern = selection if selection.startswith('@') else f':{selection}'
        bench.record('true', name=selection.replace('*', 'x'), pattern=pattern)


def test_more_patterns_than_there_may_be(bench):
    run = subprocess.run([bench.built / 'lttctl', 'record', '-o', bench.folder / 'trace', *['-e', 'user:a:*'] * 200, '--',
                          'touch', bench.folder / 'ran'], stderr=subprocess.PIPE, text=True, timeout=DEADLINE)
    equal('exit status', 2, run.returncode)
    check('72' in run.stderr, run.stderr)
    check(not (bench.folder / 'ran').exists(), 'the command was run')
    check(not (bench.folder / 'trace').exists(), 'there is a folder')


def test_installed(bench):
    """The example, built as its Makefile says, with what make install gives."""
    repo, stage = Path(__file__).resolve().parents[3], bench.folder / 'stage'
    env = {**os.environ, 'PKG_CONFIG_SYSROOT_DIR': str(stage), 'PKG_CONFIG_PATH': f'{stage}/usr/lib/pkgconfig'}
    for name in 'MAKEFLAGS', 'MFLAGS', 'MAKELEVEL':
        env.pop(name, None)
    subprocess.run(['make', '-s', '-C', repo / 'userspace', 'install', f'DESTDIR={stage}', 'PREFIX=/usr'],
                   check=True, env=env, stdout=subprocess.DEVNULL)
    shutil.copytree(repo / 'samples/program', bench.folder / 'program')
    subprocess.run(['make', '-s', '-C', bench.folder / 'program'], check=True, env=env)
    env['LD_LIBRARY_PATH'] = f'{stage}/usr/lib'
    recording = bench.record(bench.folder / 'program/hello', '3', pattern='hello:*', env=env)
    equal('answers', [f'question = {i}, text = "the answer to {i}"' for i in range(3)],
          recording.fields('hello:answer'))


def test_a_missing_libkmod_is_named(bench):
    """lttctl needs it only to load a module."""
    if os.path.exists('/sys/module/ltt_control'):
        raise Skipped('the tracer is loaded')
    (bench.folder / 'libkmod.so.2').touch()
    env = {**os.environ, 'LD_LIBRARY_PATH': str(bench.folder)}
    env.pop('LTT_DEBUGFS', None)
    run = subprocess.run([bench.built / 'lttctl', 'create', 'trace'], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    check(run.returncode and 'libkmod.so.2' in run.stderr, run.returncode, run.stderr)
    subprocess.run([bench.built / 'lttctl', '--version'], env=env, check=True, stdout=subprocess.DEVNULL)


def test_not_twice_to_one_folder(bench):
    bench.record(*bench.prog('count', 3))
    run = subprocess.run([bench.built / 'lttctl', 'record', '-o', bench.folder / 'trace', '-e', 'user:*', '--', 'true'],
                         stderr=subprocess.PIPE, text=True)
    equal('exit status', 2, run.returncode)
    check(str(bench.folder / 'trace') in run.stderr, run.stderr)


def test_lttd_does_not_add_to_an_old_trace(bench):
    """It reports the reason before it is a daemon, and leaves the trace as it was."""
    recording = bench.record(*bench.prog('count', 3))
    for daemon in [], ['-d']:
        run = subprocess.run([bench.built / 'lttd', *daemon, '-o', bench.folder / 'trace', '--programs', 'test:*'],
                             env={**os.environ, 'LTT_RUN_DIR': str(bench.folder)}, stderr=subprocess.PIPE, text=True,
                             timeout=DEADLINE)
        equal('exit status', 1, run.returncode)
        check(str(bench.folder / 'trace') in run.stderr and run.stderr.count('\n') == 1, run.stderr)
    equal('sockets', [], list(bench.folder.glob('lttd/*')))
    equal('events', 3, len(recording.named('test:count')))


def test_a_forgotten_prefix_is_explained(bench):
    """Where no tracer is: the message has the pattern that would do, from the command's file or a running program."""
    if os.path.exists('/sys/module/ltt_control'):
        raise Skipped('the tracer is loaded')
    env = {**os.environ, 'LTT_MODULES_DIR': str(bench.folder), 'LTT_RUN_DIR': str(bench.folder)}

    def said(pattern, *command):
        run = subprocess.run([bench.built / 'lttctl', 'record', '-o', bench.folder / 'trace', '-e', pattern, *command],
                             stderr=subprocess.PIPE, text=True, env=env, timeout=DEADLINE)
        equal(f'exit status with {pattern}', 125, run.returncode)
        return run.stderr

    script = bench.folder / 'script'
    script.write_text(f'#!/bin/sh\n{bench.program("prog")} count 3\n')
    script.chmod(0o755)
    for pattern, command, want in [('test:*', bench.prog('count', 3), 'user:test:*'), ('count', bench.prog('count', 3), 'user:*:count'),
                                   ('test:*', [script], 'user:GROUP:NAME'), ('tset:*', bench.prog('count', 3), 'user:GROUP:NAME'),
                                   ('test:*', [], 'user:GROUP:NAME')]:
        check(f"'{want}'" in said(pattern, *command), pattern, said(pattern, *command))
    process = bench.start(*bench.prog('until-told', 1), env=env)
    wait_until('it listens', lambda: list(bench.folder.glob('lttd/program-*')))
    check("'user:test:*'" in said('test:*'), said('test:*'))
    process.communicate('go\n', timeout=DEADLINE)
