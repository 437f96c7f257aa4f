# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Tests of the state of the system that lttd writes: its values are those of /proc and /sys."""
import itertools
import os
import re
import resource
import shutil
import struct
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

from bench import DEADLINE, USERS, Skipped, as_user, check, equal
from control import lttctl, name_of

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / 'reader'))
from state import read_state  # noqa: E402


def write_state(bench, parts, name='state-of', status=0, **more):
    """Run lttd --state; its CPU time in seconds, and its messages."""
    with open(bench.folder / 'said', 'w+') as said:
        process = subprocess.Popen([bench.built / 'lttd', '--state', parts, '-o', bench.folder / name], stdout=said,
                                   stderr=subprocess.STDOUT, **more)
        _, ended, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(ended)
        said.seek(0)
        text = said.read()
    equal(f'exit status of lttd --state ({text.strip()})', status, process.returncode)
    return usage.ru_utime + usage.ru_stime, text


def state_of(bench, parts, name='state-of', **more):
    write_state(bench, parts, name, **more)
    return read_state(bench.folder / name / 'state')


def named(events, name):
    return [event for event in events if event['event'] == name]


def pids():
    return {int(name) for name in os.listdir('/proc') if name.isdigit()}


def namespace(name):
    return int(re.search(r'\d+', os.readlink(f'/proc/self/ns/{name}'))[0])


def cgroup():
    lines = [line.split(':', 2) for line in Path('/proc/self/cgroup').read_text().splitlines()]
    return next((path for number, _, path in lines if number == '0'), lines[0][2])


def test_state_has_the_processes(bench):
    """Each process that runs, with the values of /proc, at the time of the state."""
    first, began = pids(), time.time_ns()
    events = state_of(bench, 'processes')
    ended, last = time.time_ns(), pids()
    processes = {event['pid']: event for event in named(events, 'process')}
    equal('processes that ran throughout and are missing', set(), (first & last) - set(processes))
    own = processes[os.getpid()]
    stat = Path('/proc/self/stat').read_text().rsplit(')', 1)[1].split()
    cmdline = Path('/proc/self/cmdline').read_bytes().rstrip(b'\0').replace(b'\0', b' ').decode()
    expected = {'tid': os.getpid(), 'ppid': os.getppid(), 'comm': Path('/proc/self/comm').read_text().strip(),
                'cmdline': cmdline, 'uid': os.getuid(), 'threads': int(stat[17]),
                'start': int(stat[19]) * 10**9 // os.sysconf('SC_CLK_TCK'), 'cgroup': cgroup(),
                **{f'{name}_ns': namespace(name) for name in ('pid', 'net', 'mnt')}}
    equal('this process', expected, {key: own[key] for key in expected})
    # The clock is placed on the Unix epoch to some microseconds.
    check(all(began - 10**6 < event['time'] < ended + 10**6 for event in events), 'an event has another time')
    end, = named(events, 'end')
    equal('records', len(events) - 2, end['records'])


def test_state_has_the_threads(bench):
    over = threading.Event()
    threads = [threading.Thread(target=over.wait) for _ in range(5)]
    for thread in threads:
        thread.start()
    events = state_of(bench, 'processes')
    tids = {int(name) for name in os.listdir('/proc/self/task')}
    over.set()
    for thread in threads:
        thread.join()
    found = [event for event in named(events, 'thread') if event['pid'] == os.getpid()]
    equal('threads', tids - {os.getpid()}, {event['tid'] for event in found})
    equal('sleep', {'S'}, {event['status'] for event in found})


def test_state_has_open_files(bench):
    with open(bench.folder / 'a file (1)', 'w') as file:
        before = {int(fd): os.readlink(f'/proc/self/fd/{fd}') for fd in os.listdir('/proc/self/fd')
                  if os.path.lexists(f'/proc/self/fd/{fd}')}
        events = state_of(bench, 'files')
        found = {event['fd']: event['path'] for event in named(events, 'file') if event['pid'] == os.getpid()}
        equal('the file', file.name, found[file.fileno()])
        missing = {fd: path for fd, path in before.items() if found.get(fd) != path}
        equal('files that are missing', {}, missing)
    equal('other events', {'begin', 'end', 'file'}, {event['event'] for event in events})


def build_id(path):
    notes = subprocess.run(['readelf', '-n', path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    found = re.search(r'Build ID: (\w+)', notes)
    return found[1] if found else ''


def test_state_has_maps_with_build_ids(bench):
    events = state_of(bench, 'maps')
    found = {event['start']: event for event in named(events, 'map') if event['pid'] == os.getpid()}
    lines = [re.match(r'(\w+)-(\w+) (\S+) (\w+) \S+ \d+ +(/.*)', line) for line in open('/proc/self/maps')]
    maps = [(int(line[1], 16), int(line[2], 16), line[3], int(line[4], 16), line[5]) for line in filter(None, lines)]
    check(len(maps) > 10, 'maps of files:', len(maps))
    for start, end, rights, offset, path in maps:
        event = found.get(start)
        check(event, 'a map is missing:', path, hex(start))
        equal(f'map of {path}', (end, rights, offset, path), tuple(event[key] for key in ('end', 'rights', 'offset', 'path')))
    for path in {path for *_, path in maps if ".so" in path or "/python3" in path}:
        parts = [event for event in found.values() if event['path'] == path]
        equal(f'build id of {path}', {build_id(path)}, {str(event['build_id']) for event in parts})
        equal(f'address 0 of {path} is one', 1, len({event['base'] for event in parts}))
    library = next(path for *_, path in maps if '/libc.so' in path)
    first = min(start for start, *_, path in maps if path == library)
    equal('address 0 of libc', first, found[first]['base'])


MAPPER = 'import mmap, os, sys\nmapped = mmap.mmap(os.open(sys.argv[1], os.O_RDONLY), 4096, prot=mmap.PROT_READ)\n' \
         'print("begun", flush=True)\nsys.stdin.readline()\n'


def test_state_has_the_build_id_of_the_file_that_is_mapped(bench):
    """Another file is put there when lttd has seen that it is this one: by root, and by a user who can find files by paths only."""
    bench.folder.chmod(0o777)
    for user in [None] + USERS[:1] * (os.geteuid() == 0):
        folder = bench.folder / f'of-{user}'
        folder.mkdir()
        mapped = folder / 'mapped'
        shutil.copy('/bin/sleep', mapped)
        folder.chmod(0o777)
        process = bench.start(mapped, DEADLINE, begun=False, user=user)
        write_state(bench, 'maps', f'state-{user}', **as_user(user),
                    env=hindered(bench, swap_in=folder, swap_name='mapped', swap_link=bench.built / 'lttd'))
        found = [event for event in named(read_state(bench.folder / f'state-{user}/state'), 'map')
                 if event['pid'] == process.pid and event['path'] == str(mapped)]
        check(user is None or (folder / 'mapped.away').exists(), 'the file is not exchanged')
        equal(f'build ids, {user}', {build_id('/bin/sleep')}, {str(event['build_id']) for event in found})


# The memory of a process counts as that of the program which it executes: so the parent must be small.
MEASURER = 'import os, sys\npid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)\n_, status, usage = os.wait4(pid, 0)\n' \
           'print(usage.ru_maxrss)\nsys.exit(os.waitstatus_to_exitcode(status))\n'


def sparse_elf(path, size, **header):
    """An ELF file without contents, with this in its header, a segment of notes of that size, and section 0."""
    values = {'e_phnum': 1, 'e_shnum': 0, 'sh_size': 0, 'sh_info': 0, **header}
    with open(path, 'wb') as file:
        file.write(b'\x7fELF\x02\x01\x01'.ljust(16, b'\0'))
        file.write(struct.pack('<HHIQQQIHHHHHH', 3, 62, 1, 0, 64, 4096, 0, 64, 56, values['e_phnum'], 64, values['e_shnum'], 0))
        file.write(struct.pack('<IIQQQQQQ', 4, 4, 8192, 0, 0, size - 8192, size - 8192, 4))
        file.seek(4096)
        file.write(struct.pack('<IIQQQQIIQQ', 0, 0, 0, 0, 0, values['sh_size'], 0, values['sh_info'], 0, 0))
        file.truncate(size)


def test_state_of_huge_headers_takes_no_memory(bench):
    """Of files that anyone can make: large notes, millions of sections, millions of segments."""
    taken = {}
    for name, header in ('notes', {}), ('sections', {'sh_size': 1 << 21}), ('segments', {'e_phnum': 0xffff, 'sh_info': 1 << 22}):
        sparse_elf(bench.folder / name, 300 << 20, **header)
        process = bench.start(sys.executable, '-c', MAPPER, bench.folder / name)
        said = subprocess.check_output([sys.executable, '-c', MEASURER, bench.built / 'lttd', '--state', 'maps',
                                        '-o', bench.folder / f'state-{name}'])
        taken[name] = int(said.split()[-1])
        process.kill()
    check(max(taken.values()) < 100 << 10, 'KiB:', taken)


def test_files_of_several_pages_are_read_whole(bench):
    """The kernel gives up to a page of whole lines at a time."""
    process = bench.start(sys.executable, '-c', MAPPER, sys.executable)
    maps = Path(f'/proc/{process.pid}/maps')
    whole, got = maps.read_bytes(), subprocess.check_output([bench.built.parent / 'userspace-tests/proc-read', maps])
    check(len(whole) > 4096, 'the file is too short:', len(whole))
    check(whole == got, f'{len(got)} bytes of {len(whole)}')


def test_state_has_the_system(bench):
    events = state_of(bench, 'system')
    kernel, = named(events, 'kernel')
    uts = os.uname()
    equal('kernel', (uts.release, uts.version, uts.machine), tuple(str(kernel[key]) for key in ('release', 'version', 'machine')))
    equal('boot', Path('/proc/sys/kernel/random/boot_id').read_text().strip(), kernel['boot_id'])
    names = [('cpu', 'cpu', '/sys/devices/system/cpu', r'cpu(\d+)'), ('interrupt', 'irq', '/sys/kernel/irq', r'(\d+)'),
             ('block_device', 'name', '/sys/class/block', '(.*)'), ('net_device', 'name', '/sys/class/net', '(.*)')]
    for event, key, folder, pattern in names:
        expected = {found[1] for found in (re.fullmatch(pattern, name) for name in os.listdir(folder)
                                           if os.path.exists(folder)) if found}
        if event == 'net_device':       # a driver may have a file beside them
            expected = {name for name in expected if os.path.isdir(f'{folder}/{name}')}
        equal(event, sorted(expected), sorted(str(found[key]) for found in named(events, event)))
    for device in named(events, 'block_device'):
        major, minor = map(int, Path(f'/sys/class/block/{device["name"]}/dev').read_text().split(':'))
        equal(f'dev of {device["name"]}', (major, minor, major << 20 | minor), (device['major'], device['minor'], device['dev']))
    mounts = [line.split() for line in open('/proc/self/mountinfo')]
    equal('mounts', [(re.sub(r'\\(\d{3})', lambda code: chr(int(code[1], 8)), words[4]), words[words.index('-') + 1])
                     for words in mounts], [(event['path'], event['type']) for event in named(events, 'mount')])
    modules = Path('/proc/modules')
    equal('modules', [line.split()[0] for line in modules.read_text().splitlines()] if modules.exists() else [],
          [event['name'] for event in named(events, 'module')])


def test_state_of_another_user_counts_what_it_must_not_read(bench):
    if os.geteuid():
        raise Skipped('only root has several users')
    bench.folder.chmod(0o755)
    (bench.folder / 'theirs').mkdir()
    os.chown(bench.folder / 'theirs', USERS[0], USERS[0])
    sleeper = bench.start('sleep', str(DEADLINE), begun=False, user=USERS[0])
    events = state_of(bench, 'processes,files,maps', 'theirs', **as_user(USERS[0]))
    end, = named(events, 'end')
    check(end['unreadable'] > 0, 'nothing is counted')
    equal('the own files', {sleeper.pid}, {event['pid'] for event in named(events, 'file')} & {sleeper.pid, os.getpid()})
    check(os.getpid() in {event['pid'] for event in named(events, 'process')}, 'processes of root are missing')


def test_state_is_written_whole_or_not_at_all(bench):
    _, said = write_state(bench, 'default', status=1,
                           preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))
    check('File too large' in said, said)
    equal('left', [], list((bench.folder / 'state-of').iterdir()))
    write_state(bench, 'processes')
    write_state(bench, 'system')
    equal('states', ['state', 'state-2'], sorted(path.name for path in (bench.folder / 'state-of').iterdir()))
    for parts in '', 'nonsense', 'all,', 'files;maps':
        write_state(bench, parts, 'wrong', status=2)
    check(not (bench.folder / 'wrong').exists(), 'a directory is made')
    write_state(bench, 'none', 'empty')
    equal('of none', [], list((bench.folder / 'empty').iterdir()))


def hindered(bench, **how):
    """The environment of an lttd that tools/hinder.c hinders."""
    return {**os.environ, 'LD_PRELOAD': str(bench.built.parent / 'userspace-tests/hinder.so'),
            **{key.upper(): str(value) for key, value in how.items()}}


def test_state_in_a_folder_of_another_user(bench):
    """A user exchanges the directory of the state for another one of lttd's user: lttd touches no file there."""
    small = {'preexec_fn': lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))}
    secret, shown = (0o700, ['metadata', 'state_0', 'other']), (0o755, ['other'])
    for number, (how, (mode, files), more) in enumerate(itertools.product(['link', 'move'], [secret, shown], [{}, small])):
        out, there = bench.folder / f'out{number}', bench.folder / f'there{number}'
        out.mkdir()
        out.chmod(0o777)
        there.mkdir(mode)
        for name in files:
            (there / name).write_text(name)
        write_state(bench, 'default', out.name, status=1, **more,
                    env=hindered(bench, swap_in=out, swap_name='.state-*', **{f'swap_{how}': there}))
        now = there if how == 'link' else next(path for path in out.iterdir() if not path.name.endswith('.away'))
        equal(f'files, {how}, {mode:o}, {bool(more)}', {name: name for name in files},
              {path.name: path.read_text() for path in now.iterdir()})
    # On a file system without modes, the directory has those of the mount.
    (bench.folder / 'shown').mkdir(0o755)
    (bench.folder / 'own').mkdir(0o755)
    write_state(bench, 'default', 'own', env=hindered(bench, swap_in=bench.folder / 'own', swap_name='.state-*', swap_move=bench.folder / 'shown'))
    check((bench.folder / 'own/state/metadata').exists(), 'the state is missing')


def test_state_when_a_user_delays_a_read(bench):
    """A process can hold the lock of its memory for ever: the state comes in time, and has all processes."""
    processes = [bench.start('sleep', DEADLINE, begun=False) for _ in range(3)]
    others = {os.getpid(), processes[0].pid, processes[2].pid}
    for name in 'cmdline', 'maps':
        began = time.monotonic()
        write_state(bench, 'processes,maps', name, env=hindered(bench, never_read=f'/proc/{processes[1].pid}/{name}'))
        took = time.monotonic() - began
        check(took < 15, name, took, 's')
        events = read_state(bench.folder / name / 'state')
        equal(f'processes, {name}', 1, max(Counter(event['pid'] for event in named(events, 'process')).values()))
        commands = {event['pid']: str(event['cmdline']) for event in named(events, 'process')}
        check(others | {processes[1].pid} <= set(commands), name, 'processes are missing')
        equal(f'commands, {name}', [f'sleep {DEADLINE}', '' if name == 'cmdline' else f'sleep {DEADLINE}'],
              [commands[process.pid] for process in processes[:2]])
        mapped = {event['pid'] for event in named(events, 'map')}
        equal(f'with maps, {name}', {processes[0].pid}, mapped & {process.pid for process in processes})
        end, = named(events, 'end')
        check(end['unreadable'] >= 3, name, end)
        equal('records', len(events) - 2, end['records'])


def test_state_in_a_recording(bench):
    """The default at the begin, none, and a wrong list; view learns from it, and shows it by its own name only."""
    recording = bench.record(*bench.prog('count', 10))
    equal('traces', ['clock', 'state', f'user-{os.getuid()}'], sorted(path.name for path in recording.path.iterdir()))
    parts = {event['event'] for event in read_state(recording.path / 'state')}
    check({'kernel', 'process', 'thread'} <= parts and not {'file', 'map', 'symbol'} & parts, parts)
    run = subprocess.run(['babeltrace2', recording.path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    equal('babeltrace2', (0, ''), (run.returncode, run.stderr))
    check(' state:process: ' in run.stdout and ' test:count: ' in run.stdout, 'babeltrace2 reads not both')
    viewed = lttctl(bench, 'view', recording.path)
    check('test:count' in viewed and 'state:' not in viewed, viewed[:200])
    check('state:process' in lttctl(bench, 'view', recording.path / 'state'), 'the state is not shown')
    without = bench.record(*bench.prog('count', 10), name='without', options=['--state', 'none'])
    equal('traces', ['clock', f'user-{os.getuid()}'], sorted(path.name for path in without.path.iterdir()))
    wrong = lttctl(bench, 'record', '-o', bench.folder / 'wrong', '--state', 'file', '-e', 'user:*', '--', 'true', status=2)
    check('--state' in wrong and not (bench.folder / 'wrong').exists(), wrong)


def clock_of(trace):
    return re.search(r'\nclock \{.*?\};', (trace / 'metadata').read_text(), re.S)[0]


def test_state_on_request_and_of_a_snapshot(bench):
    """On the clock of the recording."""
    lttd = bench.lttd(options=['--overwrite'])
    process = bench.start(*bench.prog('until-told', 5), env={**os.environ, 'LTT_START': lttd.socket})
    user = lttd.trace / f'user-{os.getuid()}'
    lttctl(bench, 'state', name_of(lttd))
    lttctl(bench, 'state', '--state', 'processes,files', name_of(lttd))
    equal('clock', clock_of(user), clock_of(lttd.trace / 'state'))
    check(process.pid in {event['pid'] for event in named(read_state(lttd.trace / 'state-2'), 'file')}, 'files are missing')
    snapshot = Path(lttctl(bench, 'snapshot', '--state', 'processes', name_of(lttd)).strip())
    equal('clock of the snapshot', clock_of(user), clock_of(snapshot / 'state'))
    check(process.pid in {event['pid'] for event in read_state(snapshot / 'state') if event['event'] == 'process'},
          'the program is missing')
    lttctl(bench, 'state', 'programs-4194303', status=1)
    lttctl(bench, 'state', status=2)
    lttctl(bench, 'state', '--state', 'nonsense', name_of(lttd), status=2)
    process.communicate('go\n', timeout=DEADLINE)
    bench.end(lttd)


def test_state_of_many_processes(bench):
    """10,000 processes take less than a second of one CPU, and no memory; without --many, 500."""
    number = 10000 if bench.many else 500
    script = f'import os\nfor i in range({number}):\n    if not os.fork():\n        os.read(0, 1)\n        os._exit(0)\n' \
             'print("begun", flush=True)\nos.read(0, 1)\n'
    process = bench.start(sys.executable, '-c', script)
    seconds, _ = write_state(bench, 'default',
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (4 << 20, 4 << 20)))
    process.communicate(timeout=DEADLINE)
    packets = (bench.folder / 'state-of/state/state_0').stat().st_size
    print(f'# {number} processes: {seconds:.3f} s, {packets} bytes')
    found = [event for event in named(read_state(bench.folder / 'state-of/state'), 'process') if event['ppid'] == process.pid]
    equal('processes', number, len(found))
    check(seconds < 1, f'{seconds} s')
