#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Compare the contexts of recorded events with what the kernel shows of the same task.

	contexts.py act NAME	is what a recording records: opens the device of the sample driver, and
				prints what /proc has about itself, in words of `lttctl view`
	contexts.py values FILE LINES	checks the lines that act printed in the output of lttctl view
	contexts.py stacks FILE PID	checks the stack of a task that sleeps
	contexts.py user FILE PROGRAM	checks the stacks of build/tests/frames
	contexts.py workers FILE	checks that threads of io_uring have no user stacks
	contexts.py packets FOLDER	checks that each packet has the addresses of its stacks
"""
import os
import re
import struct
import sys

checks = []


def check(what, ok, why=''):
    print(('ok ' if ok else 'not ok ') + what + ('' if ok else f': {why}'))


def namespace(name):
    return re.search(r'\[(\d+)\]', os.readlink(f'/proc/self/ns/{name}'))[1]


def cgroup_id():
    path = next(line.strip()[3:] for line in open('/proc/self/cgroup') if line.startswith('0::'))
    mount = next(line.split()[1] for line in open('/proc/mounts') if line.split()[2] == 'cgroup2')
    return os.stat(mount + path).st_ino


def act(name):
    """The driver's marker `open` is the event; all of it belongs to this process."""
    open('/proc/self/comm', 'w').write(name)
    os.close(os.open('/dev/ltt-sample', os.O_WRONLY))
    stat = open('/proc/self/stat').read().rsplit(')', 1)[1].split()
    status = dict(line.split(':\t', 1) for line in open('/proc/self/status'))
    print(f'pid={os.getpid()} ppid={stat[1]} comm="{name}" uid={status["Uid"].split()[0]} '
          f'prio={int(stat[15]) + 100} cgroup={cgroup_id()} pid_ns={namespace("pid")} '
          f'net_ns={namespace("net")} mnt_ns={namespace("mnt")} preempt=0 irq=on')


def events(path, name):
    """Of each event of this name: its fields and contexts."""
    for line in open(path, errors='replace'):
        head, _, rest = line.partition(f' {name}: ')
        if rest:
            yield int(head.split(']')[1].split()[0]), dict(
                re.findall(r'(\w+)=("[^"]*"|\[[^]]*\]|[^, ]*)', rest))


def values(path, lines):
    by_name = {fields['comm']: fields for _, fields in events(path, 'sample:open')
               if len(fields) > 8}
    for line in open(lines):
        wanted = dict(word.split('=', 1) for word in line.split())
        got = by_name.get(wanted['comm'], {})
        for name, value in wanted.items():
            # That of another pid namespace than ours is not known there.
            if name in ('pid', 'ppid') and wanted['comm'] == '"inner"':
                continue
            check(f'{wanted["comm"]}: {name}', got.get(name) == value,
                  f'expected {value}, got {got.get(name)}')


def functions(stack):
    return [name.split('+')[0].split(':')[-1] for name in stack.strip('[]').split(', ')]


def stacks(path, pid):
    """/proc has the stack of a task that sleeps, from the scheduler's caller on."""
    lines = open(f'/proc/{pid}/stack').read().splitlines()
    wanted = [re.search(r'\] (\w+)', line)[1] for line in lines]
    got = [functions(f['kernel_stack']) for tid, f in events(path, 'sched_switch')
           if tid == int(pid) and f.get('prev_pid') == pid]
    check('the task was switched out', bool(got))
    check('the sleeping task has a stack in /proc', len(wanted) > 3, wanted)
    check('its last switch has the stack that /proc shows',
          bool(got) and ' '.join(wanted[:8]) in ' '.join(got[-1]), f'{wanted} is not in {got[-1:]}')
    check('it begins with the scheduler', bool(got) and 'schedule' in got[-1][0], got[-1:])


def symbols(program):
    import subprocess       # here, as most uses do without
    out = subprocess.run(['nm', '-n', program], stdout=subprocess.PIPE, check=True, text=True).stdout
    rows = [line.split() for line in out.splitlines() if len(line.split()) == 3]
    return [(int(row[0], 16), row[2]) for row in rows if row[1] in 'tT']


def user(path, program):
    rows = symbols(program)

    def name_of(address):
        return next((name for start, name in reversed(rows) if start <= address), '?')

    got = [[name_of(int(a, 16)) for a in f['user_stack'].strip('[]').split(', ')]
           for _, f in events(path, 'sys_enter') if f.get('id') == '39' and f.get('user_stack', '[]') != '[]']
    check('the program has stacks', len(got) >= 10, len(got))
    check('each has the calls of the program', all(s[:4] == ['inner', 'middle', 'outer', 'main'] for s in got), got[:3])


def workers(path):
    """These run in the kernel alone: what looks like their registers in user space is that of the thread that made them."""
    got = [f['user_stack'] for _, f in events(path, 'sched_switch') if f['prev_comm'].startswith('"iou-wrk-')]
    check('a thread of io_uring was switched out', bool(got))
    check('it has no user stack', set(got) <= {'[]'}, got)


def packets(folder):
    """Read the packets of the channel `events` as bytes: id, time, tid, number, length, addresses."""
    records = references = missing = nr = 0
    for name in sorted(os.listdir(folder)):
        if not name.startswith('events_'):
            continue
        data, at = open(f'{folder}/{name}', 'rb').read(), 0
        while at < len(data):
            content, size = (n // 8 for n in struct.unpack_from('<QQ', data, at + 40))
            known, pos, nr = set(), at + 76, nr + 1
            while pos < at + content:
                word, = struct.unpack_from('<I', data, pos)
                pos += 13 if word & 31 == 31 else 6 if word & 31 == 30 else 4
                number, length = struct.unpack_from('<QH', data, pos + 4)
                pos += 14 + 8 * length + 8      # the payload: a u64
                records += 1
                references += not length
                if length:
                    known.add(number)
                elif number not in known:
                    missing += 1
            at += size
    check('there are packets', nr > 1, nr)
    check('most records have the number alone', references > records * 3 // 4, f'{references} of {records}')
    check('each packet has the addresses of its stacks', missing == 0, f'{missing} of {records}')


if __name__ == '__main__':
    globals()[sys.argv[1]](*sys.argv[2:])
