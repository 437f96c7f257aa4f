# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Tests of programs of several users; they need root."""
import contextlib
import json
import os
import shutil
import socket
import struct
import subprocess
from pathlib import Path

from bench import DEADLINE, USERS, Skipped, as_user, check, equal


def need_root():
    if os.geteuid():
        raise Skipped('only root has several users')


def test_root_records_all(bench):
    need_root()
    bench.folder.chmod(0o755)
    lttd = bench.lttd()
    for user in USERS:
        bench.start(*bench.prog('count', 10), user=user, begun=False,
                    env={**os.environ, 'LTT_START': lttd.socket}).wait()
    bench.end(lttd)
    equal('traces', [f'user-{user}' for user in USERS], sorted(path.name for path in lttd.trace.glob('user-*')))


def test_others_cannot_join(bench):
    need_root()
    bench.folder.chmod(0o777)
    lttd = bench.lttd(user=USERS[0])
    env = {**os.environ, 'LTT_START': lttd.socket}
    bench.start(*bench.prog('count', 10), user=USERS[1], begun=False, env=env).wait()
    bench.start(*bench.prog('count', 20), begun=False, env=env).wait()
    bench.start(*bench.prog('count', 30), user=USERS[0], begun=False, env=env).wait()
    recording = bench.end(lttd)
    equal('stored', 30, recording.stored)
    equal('traces', [f'user-{USERS[0]}'], [path.name for path in lttd.trace.glob('user-*')])


def test_they_meet_in_the_users_runtime_folder(bench):
    need_root()
    bench.folder.chmod(0o777)
    own, of_root = bench.folder / 'own', bench.folder / 'of-root'
    own.mkdir()
    of_root.mkdir()
    os.chown(own, USERS[0], USERS[0])
    for folder, want in (own, f'{own}/lttd'), (of_root, f'/tmp/lttd-{USERS[0]}'):
        env = {**os.environ, 'XDG_RUNTIME_DIR': str(folder)}
        lttd = bench.lttd(folder.name + '-trace', user=USERS[0], env=env)
        equal(f'the folder, of those in {folder}', want, os.path.dirname(lttd.socket))
        bench.start(*bench.prog('count', 20), user=USERS[0], begun=False,
                    env={**env, 'LTT_START': lttd.socket}).wait()
        equal('stored', 20, bench.end(lttd).stored)


@contextlib.contextmanager
def folder_made_by_root(bench):
    """Yield: the folder in /run/ltt of a user, and an environment in which the user takes it."""
    need_root()
    bench.folder.chmod(0o777)
    made = Path(f'/run/ltt/user-{USERS[0]}')
    made.mkdir(0o700, parents=True, exist_ok=True)
    os.chown(made, USERS[0], USERS[0])
    try:
        yield made, {key: value for key, value in os.environ.items() if key != 'XDG_RUNTIME_DIR'}
    finally:
        shutil.rmtree(made)


def test_root_can_make_a_folder_for_a_user(bench):
    with folder_made_by_root(bench) as (made, env):
        lttd = bench.lttd(user=USERS[0], env=env)
        equal('the folder', str(made), os.path.dirname(lttd.socket))
        bench.start(*bench.prog('count', 20), user=USERS[0], begun=False, env={**env, 'LTT_START': lttd.socket}).wait()
        equal('stored', 20, bench.end(lttd).stored)


def test_root_records_programs_that_run_with_such_a_folder(bench):
    with folder_made_by_root(bench) as (_, env):
        process = bench.start(*bench.prog('until-told', 20), user=USERS[0], env=env)
        lttd = bench.lttd()
        process.communicate('go\n', timeout=DEADLINE)
        equal('stored', 20, bench.end(lttd).stored)


def test_root_lists_recordings_and_touches_no_other_file(bench):
    """Names in users' folders may be links to other folders, and files that are not sockets."""
    need_root()
    runtime, folder, others = Path(f'/run/user/{USERS[0]}'), Path(f'/tmp/lttd-{USERS[0]}'), bench.folder / 'others'
    for path in runtime, folder, others:
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir(0o700, parents=True)
        os.chown(path, USERS[0], USERS[0])
    gone = subprocess.Popen(['true'])
    gone.wait()
    (runtime / 'lttd').symlink_to(others)
    for kept in others / f'record-{gone.pid}', folder / f'record-{gone.pid}':
        kept.write_text('mine')
    left = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    left.bind(str(folder / f'record-{gone.pid:09d}'))
    left.close()
    os.chown(folder / f'record-{gone.pid:09d}', USERS[0], USERS[0])
    linked = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    linked.bind(str(others / f'record-{gone.pid:09d}'))
    linked.close()
    try:
        subprocess.run([bench.built / 'lttctl', 'list'], stdout=subprocess.DEVNULL, check=True, timeout=DEADLINE)
        equal('those that are left', [f'record-{gone.pid:09d}', f'record-{gone.pid}', f'record-{gone.pid}'],
              [path.name for path in sorted(others.iterdir())] + [path.name for path in folder.iterdir()])
    finally:
        shutil.rmtree(runtime)
        shutil.rmtree(folder)


def test_a_folder_of_another_user(bench):
    """No user meets there, whether all may write to it or only the user who made it."""
    need_root()
    for owner, mode in (0, 0o777), (USERS[1], 0o700):
        refused(bench, owner, mode)


def refused(bench, owner, mode):
    bench.folder.chmod(0o777)
    folder = Path(f'/tmp/lttd-{USERS[0]}')
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    folder.chmod(mode)
    os.chown(folder, owner, owner)
    try:
        run = subprocess.run([bench.built / 'lttd', '-o', bench.folder / 'x', '--programs', '*'],
                             stderr=subprocess.PIPE, text=True, timeout=DEADLINE, **as_user(USERS[0]),
                             env={key: value for key, value in os.environ.items() if key != 'XDG_RUNTIME_DIR'})
    finally:
        folder.rmdir()
    equal('exit status', 1, run.returncode)
    check('LTT_RUN_DIR' in run.stderr, run.stderr)


def test_programs_with_more_rights_than_their_user_are_named(bench):
    """`record` gives the reason why it has none of their events: setuid, setgid, file capabilities."""
    need_root()
    bench.folder.chmod(0o777)
    env = {**os.environ, 'LTT_RUN_DIR': str(bench.folder)}
    plain = bench.folder / 'plain'
    shutil.copy(bench.program('prog'), plain)
    plain.chmod(0o755)
    kinds = {'plain': None, 'setuid': lambda path: path.chmod(0o4755), 'setgid': lambda path: path.chmod(0o2755),
             'capabilities': lambda path: os.setxattr(path, 'security.capability', struct.pack('<5I', 2 << 24 | 1, 1 << 10, 0, 0, 0))}
    for name, change in kinds.items():
        path = bench.folder / name
        if change:
            shutil.copy(plain, path)
            change(path)
        run = subprocess.run([bench.built / 'lttctl', 'record', '--json', '-o', bench.folder / f'{name}.trace', '-e', 'user:test:*',
                              '--', path, 'count', '5'], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env,
                             timeout=DEADLINE, **as_user(USERS[0]))
        equal(f'exit status, {name}', 0, run.returncode)
        summary = json.loads(run.stdout)
        equal(f'stored, {name}', (0 if change else 5, not change), (summary['programs']['stored'], summary['complete']))
        equal(f'named, {name}', bool(change), str(path) in run.stderr and 'rights' in run.stderr)
    # Root has them all, and needs no advice.
    for name in kinds:
        recording = bench.record(bench.folder / name, 'count', '5', name=f'{name}.root')
        equal(f'stored by root, {name}', (5, False), (recording.stored, 'rights' in recording.errors))
