#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Record two machines at the same time, and compare the times of both: clock-hosts.py FOLDER

Each machine makes files on the host, between two calls of a system call that nothing else makes.  The host's time of a file lies
between the times of the two events, to the tick of the host's kernel.  The machine "ahead" has a date that is 5 s ahead, and a
clock that gains 500 ppm; late in its recording it sets the date right, as the other does when it begins, and says that it is
synchronised.
"""
import csv
import io
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
LTTCTL = TOP / 'build/stage/usr/bin/lttctl'
SECONDS = 12
TICK_NS = 12 * 10**6            # of the host, and what a busy host may add
AHEAD_NS = 5 * 10**9
HOSTS = {'right': '10.0.0.1', 'ahead': '10.0.0.2'}

GUEST = '''
set -e
hostname {name}
modprobe virtio_net
cd /sys/class/net
for device in e*; do ip link set $device up; ip address add {address}/24 dev $device; done
modprobe ltt-timestamp clock=mono
$LTT/tests/vm/ltt-load
[ {name} = right ] || date -s '+5 seconds'
cd /run
lttctl record -o recording -e tcp-segments -e kprobe:mark=__x64_sys_sched_rr_get_interval -- python3 $LTT/tests/vm/clock-hosts.py {name}
cp -r recording /out
'''


class Timex:
    """The clock of the machine, by adjtimex(2)."""
    TICK, STATUS, MAXERROR = 0x4000, 0x10, 0x4

    @staticmethod
    def adjust(modes, tick=10000, maxerror=0):
        import ctypes

        class Layout(ctypes.Structure):
            _fields_ = [('modes', ctypes.c_uint), ('offset', ctypes.c_long), ('freq', ctypes.c_long), ('maxerror', ctypes.c_long),
                        ('esterror', ctypes.c_long), ('status', ctypes.c_int), ('constant', ctypes.c_long),
                        ('precision', ctypes.c_long), ('tolerance', ctypes.c_long), ('sec', ctypes.c_long), ('usec', ctypes.c_long),
                        ('tick', ctypes.c_long), ('rest', ctypes.c_long * 20)]

        timex = Layout(modes=modes, tick=tick, maxerror=maxerror)
        if ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.byref(timex)) < 0:
            raise OSError(ctypes.get_errno(), 'adjtimex')


def mark(number):
    os.sched_rr_get_interval(0)
    Path(f'/out/mark-{number}').write_text('')
    os.sched_rr_get_interval(0)


def set_right():
    """The date, as the host has it; from now on the clock is synchronised."""
    import time

    tries = []
    for number in range(10):
        begin = time.monotonic_ns()
        Path(f'/out/date-{number}').write_text('')
        end = time.monotonic_ns()
        tries.append((end - begin, begin, os.stat(f'/out/date-{number}').st_mtime_ns))
    took, begin, date = min(tries)
    time.clock_settime_ns(time.CLOCK_REALTIME, date + time.monotonic_ns() - begin - took // 2)
    Timex.adjust(Timex.STATUS | Timex.MAXERROR, maxerror=(took // 2 + TICK_NS) // 1000)


def connect(name):
    import socket
    import time

    if name == 'right':
        with socket.create_server((HOSTS['right'], 7777)) as server:
            server.settimeout(90)
            return server.accept()[0]
    deadline = time.monotonic() + 90
    while True:
        try:
            return socket.create_connection((HOSTS['right'], 7777), timeout=5)
        except OSError:
            if time.monotonic() > deadline:
                raise


def guest(name):
    import time

    if name == 'ahead':
        Timex.adjust(Timex.TICK, tick=10005)
    else:
        set_right()
    peer = connect(name)
    peer.settimeout(60)
    begin = time.monotonic()
    for number in range(SECONDS * 2):
        if name == 'ahead' and number == SECONDS:
            set_right()
        mark(number)
        for _ in range(20):
            peer.sendall(b'x')
            if not peer.recv(1):
                return
        # The rate of segments is the test's own; nothing is waited for.
        time.sleep(max(0, begin + number / 2 - time.monotonic()))


def view(folder, *options):
    command = [LTTCTL, 'view', '--csv', *options, *(folder / name / 'out/recording' for name in HOSTS)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    print(run.stderr, end='')
    return list(csv.DictReader(io.StringIO(run.stdout))), run.stderr


def errors(folder, *options):
    """How far each host's time of a mark is from that of its file, and what lttctl said."""
    rows, said = view(folder, '--fields', 'time,host,event', '-e', 'kprobe:mark', *options)
    found = {}
    for name in HOSTS:
        times = [int(row['time']) for row in rows if row['host'] == name]
        pairs = list(zip(times[::2], times[1::2]))
        assert len(times) == 4 * SECONDS, (name, len(times))
        # Of the host's clock, which the machines are compared with.
        files = [os.stat(folder / name / f'out/mark-{number}').st_mtime_ns for number in range(2 * SECONDS)]
        found[name] = [(begin + end) // 2 - file for (begin, end), file in zip(pairs, files)]
    return found, said


def check_together(folder, *options):
    """The error of one host is that of the other: at the begin, and at the end."""
    found, said = errors(folder, *options)
    apart = [one - other for one, other in zip(found['ahead'], found['right'])]
    for part in apart[:SECONDS], apart[SECONDS:]:
        # A busy host delays some files by much.
        print(options, 'apart by', statistics.median(part) / 1e6, 'ms')
        assert abs(statistics.median(part)) < TICK_NS, part
    return said


def check_causes(folder):
    """No segment was received before it was sent, but for the bound."""
    rows, said = view(folder, '--sync=tcp', '--fields', 'time,host,event,segment', '-e', 'kprobe:tcp_*')
    value, unit = re.search(r'host ahead: .*within ([0-9.e+]+) (ns|µs|ms)', said).groups()
    bound = float(value) * {'ns': 1, 'µs': 1e3, 'ms': 1e6}[unit]
    ends = {}
    for row in rows:
        ends.setdefault(row['segment'], {'sent': [], 'received': []})['sent' if 'sent' in row['event'] else 'received'].append(row)
    # Those that were sent again left out.
    delays = [int(end['received'][0]['time']) - int(end['sent'][0]['time']) for end in ends.values()
              if len(end['sent']) == len(end['received']) == 1 and end['sent'][0]['host'] != end['received'][0]['host']]
    print(len(delays), 'segments took from', min(delays) / 1e3, 'us; bound', bound / 1e3, 'us')
    assert len(delays) > 500 and min(delays) >= -bound
    assert bound < TICK_NS


def host(folder):
    sockets = [folder / name for name in HOSTS]
    machines = []
    for name, own, other in zip(HOSTS, sockets, reversed(sockets)):
        command = [TOP / 'tests/vm/vm', 'run', '--parallel', '--smp', '1', '--timeout', '150', '--out', folder / f'{name}.vm',
                   '--link', f'{own}.sock,{other}.sock', '--', GUEST.format(name=name, address=HOSTS[name])]
        machines.append(subprocess.Popen(command))
    status = [machine.wait() for machine in machines]
    assert status == [0, 0], status
    for name in HOSTS:
        (folder / name).symlink_to(f'{name}.vm')
    found, _ = errors(folder, '--sync=none')
    ahead = statistics.median(found['ahead']) - statistics.median(found['right'])
    assert ahead > AHEAD_NS - 2 * 10**9, 'the date was not wrong'
    assert check_together(folder).count('times by samples') == 2
    check_together(folder, '--sync=tcp')
    check_causes(folder)


if sys.argv[1] in HOSTS:
    guest(sys.argv[1])
else:
    host(Path(sys.argv[1]).resolve())
