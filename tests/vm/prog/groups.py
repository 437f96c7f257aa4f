#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""The rules of doc/device.md about groups and limits, PART by part.

	groups.py PART

Prints a line "ok WHAT" or "not ok WHAT" for each check. Each thread makes the sample driver emit a
number of events that is a power of two of its own. So the sum of the recorded events shows
which threads were recorded.
"""
import ctypes
import errno
import os
import signal
import struct
import sys
import threading

DEVICE = os.open('/dev/ltt-sample', os.O_WRONLY)
KIDS = {}


def check(what, want, got):
    if want == got:
        print(f'ok {what}', flush=True)
    else:
        print(f'not ok {what}: expected {want!r}, got {got!r}', flush=True)


# ---- Connections ----

class Refused(Exception):
    def __init__(self, error, text):
        super().__init__(f'{errno.errorcode[error]}: {text}')
        self.error, self.text = error, text


class Connection:
    """A connection of /dev/ltt: words of 8 bytes, see doc/device.md."""

    def __init__(self):
        self.fd = os.open('/dev/ltt', os.O_RDWR)
        self.numbers = {'commands': 0}
        self.numbers = {line.split()[1]: int(line.split()[0])
                        for line in self('commands').splitlines()}

    def __call__(self, name, *texts):
        texts = [str(text).encode() for text in texts]
        body = b''.join(struct.pack('Q', len(text)) for text in texts) + b''.join(texts)
        body += bytes(-len(body) % 8)
        message = struct.pack('QQQ', 24 + len(body), self.numbers[name], 1) + body
        while message:
            message = message[os.write(self.fd, message):]
        reply = self.read(8)
        reply += self.read(struct.unpack('Q', reply)[0] - 8)
        error, size, _value = struct.unpack_from('QQQ', reply, 24)
        text = reply[48:48 + size].decode()
        if error:
            raise Refused(error, text)
        return text

    def read(self, size):
        data = b''
        while len(data) < size:
            data += os.read(self.fd, size - len(data))
        return data

    def refuses(self, error, word, *call):
        """The command fails with this errno, and the text has this word."""
        what = f'{errno.errorcode[error]} from {" ".join(map(str, call))[:70]}'
        try:
            self(*call)
        except Refused as refused:
            check(what, (error, True), (refused.error, word in refused.text))
        else:
            check(what, 'refused', 'done')

    def emitted(self, trace='t'):
        """Events of its channel "events"."""
        lines = [line.split() for line in self('stats', trace).splitlines()]
        return sum(int(line[3]) for line in lines if line[0] == 'events')

    def close(self):
        os.close(self.fd)


def running_trace(connection, name='t', pattern='sample:request'):
    connection('create', name)
    connection('enable', name, pattern)
    connection('start', name)


def events_of(connection, trace):
    """The reply to "events", without the channel "state", which every trace has."""
    return sorted(line for line in connection('events', trace).splitlines(True)
                  if not line.endswith(' state\n'))


def recorded(connection, who, trace='t'):
    """Of these, names and functions that emit, the names of those that are recorded."""
    before = connection.emitted(trace)
    for place, emits in enumerate(who.values()):
        emits(1 << place)
    count = connection.emitted(trace) - before
    found = [name for place, name in enumerate(who) if count >> place & 1]
    return ' '.join(found) + (' and more' if count >> len(who) else '')


# ---- Those who are asked ----

def emit(count):
    os.write(DEVICE, str(count).encode())


def name_self(name):
    """PR_SET_NAME: the calling thread."""
    ctypes.CDLL(None).prctl(15, name.encode(), 0, 0, 0)


def name_thread(tid, name):
    """Another one of this process."""
    with open(f'/proc/self/task/{tid}/comm', 'w') as comm:
        comm.write(name)


class Child:
    """A process that evaluates the lines it reads, also after an exec of this program."""

    def __init__(self, pid_wanted=None):
        down, up = os.pipe(), os.pipe()
        if pid_wanted:
            with open('/proc/sys/kernel/ns_last_pid', 'w') as last:
                last.write(str(pid_wanted - 1))
        self.pid = os.fork()
        if not self.pid:
            ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)    # PR_SET_PDEATHSIG
            os.close(down[1])
            serve(down[0], up[1])
        os.close(down[0])
        os.close(up[1])
        self.send, self.receive = down[1], up[0]

    def __call__(self, expression):
        os.write(self.send, expression.encode() + b'\n')
        answer = b''
        while not answer.endswith(b'\n'):
            data = os.read(self.receive, 4096)
            if not data:
                raise RuntimeError(f'{expression}: the child is gone')
            answer += data
        return eval(answer)

    def emit(self, count):
        self(f'emit({count})')

    def end(self):
        """Not by the end of its input: other children have copies of that."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.send)
        os.close(self.receive)


def serve(commands, answers):
    global COMMANDS, ANSWERS
    COMMANDS, ANSWERS = commands, answers
    KIDS.clear()
    with os.fdopen(commands, closefd=False) as lines:
        for line in iter(lines.readline, ''):
            os.write(answers, repr(eval(line)).encode() + b'\n')
    os._exit(0)


def exec_self(program=sys.executable):
    """The answer comes from the new program, so that all is done when it does."""
    os.set_inheritable(COMMANDS, True)
    os.set_inheritable(ANSWERS, True)
    os.execv(program, [program, __file__, 'serve', str(COMMANDS), str(ANSWERS)])


def exec_in_thread():
    """Of its process only the new program is left, under the process's number."""
    threading.Thread(target=exec_self).start()
    signal.pause()


def new_kid(name):
    KIDS[name] = Child()
    return KIDS[name].pid


class Thread:
    """A thread of this process that evaluates the lines it gets."""

    def __init__(self):
        self.order, self.done = threading.Semaphore(0), threading.Semaphore(0)
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()
        self.tid = self('threading.get_native_id()')

    def run(self):
        while True:
            self.order.acquire()
            self.answer = eval(self.expression)
            self.done.release()

    def __call__(self, expression):
        self.expression = expression
        self.order.release()
        self.done.acquire()
        return self.answer

    def emit(self, count):
        self(f'emit({count})')


def new_thread(name):
    KIDS[name] = Thread()
    return KIDS[name].tid


def in_new_thread(count):
    thread = threading.Thread(target=emit, args=(count,))
    thread.start()
    thread.join()


def in_new_process(count):
    child = Child()
    child.emit(count)
    child.end()


def in_orphan(count):
    """A process whose parent is gone when it emits."""
    gone, done = os.pipe(), os.pipe()
    child = os.fork()
    if not child:
        if os.fork():
            os._exit(0)
        os.read(gone[0], 1)
        emit(count)
        os.write(done[1], b'.')
        os._exit(0)
    os.waitpid(child, 0)
    os.write(gone[1], b'.')
    os.read(done[0], 1)
    for fd in gone + done:
        os.close(fd)


# ---- Parts ----

def part_processes():
    s = Connection()
    a, b = Child(), Child()
    a('new_kid("early")')
    a('KIDS["early"]("new_kid(\'grand\')")')
    tid = a('new_thread("thread")')
    running_trace(s)
    who = {
        'a': a.emit,
        'thread': lambda n: a(f'KIDS["thread"].emit({n})'),
        'new-thread': lambda n: a(f'in_new_thread({n})'),
        'early': lambda n: a(f'KIDS["early"].emit({n})'),
        'grand': lambda n: a(f'KIDS["early"]("KIDS[\'grand\'].emit({n})")'),
        'new-child': lambda n: a(f'in_new_process({n})'),
        'orphan': lambda n: a(f'in_orphan({n})'),
        'b': b.emit,
        'us': emit,
    }
    family = 'a thread new-thread early grand new-child orphan'
    check('no limit: everybody', f'{family} b us', recorded(s, who))
    s('group-tasks', 'g', f'pid:{a.pid}')
    check('a group alone limits nothing', f'{family} b us', recorded(s, who))
    s('limit', 't', '@g')
    check('pid:N is a process with its threads, old and new', 'a thread new-thread',
          recorded(s, who))
    s('group-tasks', 'g', f'tid:{tid}')
    check('a group replaced changes no trace', 'a thread new-thread', recorded(s, who))
    s('limit', 't', '@g')
    check('tid:N is one thread', 'thread', recorded(s, who))
    s('group-tasks', 'g', f'tid:{a.pid}')
    s('limit', 't', '@g')
    check('tid:N of a first thread is that alone', 'a', recorded(s, who))
    s('group-tasks', 'g', f'pid:{a.pid}+children')
    s('limit', 't', '@g')
    check('pid:N+children are all that descend, old and new', family, recorded(s, who))
    check('the limit can be seen', f'tasks pid:{a.pid}+children\n', s('limits', 't'))
    check('the operation for one process knows it', f'{a.pid}\n', s('filter-get', 't'))
    early = a('KIDS["early"].pid')
    s('group-tasks', 'g', f'  pid:{early}\t\n tid:{tid} pid:{os.getpid()} ')
    s('limit', 't', '@g')
    check('several members', 'thread early us', recorded(s, who))
    check('and they can be seen', f'tasks g pid:{early} tid:{tid} pid:{os.getpid()}\n',
          s('groups'))
    check('no single process: 0', '0\n', s('filter-get', 't'))
    s('ungroup', 'g')
    check('a group taken away changes no trace', 'thread early us', recorded(s, who))
    s('unlimit', 't')
    check('unlimited: everybody', f'{family} b us', recorded(s, who))

    # Children are members from the group's beginning, not from the limit's.
    s('group-tasks', 'g', f'pid:{b.pid}+children')
    b('new_kid("mid")')
    b('KIDS["mid"]("new_kid(\'leaf\')")')
    leaf = {'leaf': lambda n: b(f'KIDS["mid"]("KIDS[\'leaf\'].emit({n})")'), 'us': emit}
    s('limit', 't', '@g')
    check('a child of a child made after the group', 'leaf', recorded(s, leaf))

    # An exec by another thread than the first.
    s('group-tasks', 'g', f'pid:{a.pid}')
    s('group-tasks', 'h', f'tid:{tid}')
    s('limit', 't', '@g')
    a('exec_in_thread()')
    check('an exec by a thread: still the process', 'a', recorded(s, {'a': a.emit, 'us': emit}))
    s('limit', 't', '@h')
    check('whose thread is gone', '', recorded(s, {'a': a.emit, 'us': emit}))
    a.end()
    b.end()


def part_reuse():
    """A number that is used again is another's."""
    s = Connection()
    running_trace(s)
    for kind in 'pid:{}', 'tid:{}', 'pid:{}+children', 'comm:before-*', 'cgroup:/':
        first = Child()
        first('name_self("before-1")')
        s('group-tasks', 'g', kind.format(first.pid))
        s('limit', 't', '@g')
        check(f'{kind}: recorded', 'first', recorded(s, {'first': first.emit}))
        first.end()
        second = Child(pid_wanted=first.pid)
        check(f'{kind}: the number is used again', first.pid, second.pid)
        who = {'second': second.emit, 'child': lambda n: second(f'in_new_process({n})')}
        check(f'{kind}: not who has its number now', 'second child' if kind == 'cgroup:/' else '',
              recorded(s, who))
        second.end()
        s('unlimit', 't')
    s.refuses(errno.ESRCH, str(first.pid), 'group-tasks', 'g', f'pid:{first.pid}')

    # A group of a process that is gone can still be used.
    gone, here = Child(), Child()
    s('group-tasks', 'g', f'pid:{gone.pid} pid:{here.pid}')
    gone.end()
    s('limit', 't', '@g')
    check('one of its members is gone', 'here', recorded(s, {'here': here.emit, 'us': emit}))
    here.end()


def part_names():
    s = Connection()
    running_trace(s)
    a = Child()
    tid = a('new_thread("thread")')
    s('group-tasks', 'g', 'comm:wor[kd]er-* comm:exact')
    s('limit', 't', '@g')
    who = {'a': a.emit, 'thread': lambda n: a(f'KIDS["thread"].emit({n})'), 'us': emit}
    check('comm: no thread has the name', '', recorded(s, who))
    a('name_self("worker-1")')
    check('comm: a thread that takes the name', 'a', recorded(s, who))
    a("KIDS['thread']('name_self(\"exact\")')")
    check('comm: a thread has its own', 'a thread', recorded(s, who))
    a('name_self("exact-not")')
    check('comm: a thread that gives the name up', 'thread', recorded(s, who))
    a('name_self("worder-")')
    who['child'] = lambda n: a(f'in_new_process({n})')
    who['new-thread'] = lambda n: a(f'in_new_thread({n})')
    check('comm: a child with the name', 'a thread child new-thread', recorded(s, who))
    a(f'name_thread({tid}, "something")')
    check('comm: a thread that another one renames', 'a child new-thread', recorded(s, who))
    s('group-tasks', 'g', 'comm:something')
    s('limit', 't', '@g')
    check('comm: a thread that had the name before there was the group', 'thread', recorded(s, who))

    # Longer than a name can be: what the thread gets is compared.
    s('group-tasks', 'g', 'comm:abcdefghijklmno')
    s('limit', 't', '@g')
    a('name_self("abcdefghijklmnopqrstuvw")')
    check('comm: 15 characters count', 'a child new-thread', recorded(s, who))

    # By exec, which names a process after its file.
    link = '/run/ltt-case/a-long-and-special-name'
    os.symlink(os.path.realpath(sys.executable), link)
    s('group-tasks', 'g', 'comm:a-long-and-spec')
    s('limit', 't', '@g')
    both = {'a': a.emit, 'us': emit}
    check('comm: before the exec', '', recorded(s, both))
    a(f'exec_self("{link}")')
    check('comm: after it', 'a', recorded(s, both))
    a(f'exec_self({sys.executable!r})')
    check('comm: after one more', '', recorded(s, both))
    a.end()


def move(pid, cgroup, file='cgroup.procs'):
    with open(f'/run/ltt-case/cgroup{cgroup}/{file}', 'w') as procs:
        procs.write(str(pid))


def part_cgroups():
    mount = '/run/ltt-case/cgroup'
    for path in '/in', '/in/deep', '/out', '/in-not':
        os.mkdir(mount + path)
    s = Connection()
    running_trace(s)
    a, b = Child(), Child()
    tid = a('new_thread("thread")')
    who = {'a': a.emit, 'thread': lambda n: a(f'KIDS["thread"].emit({n})'), 'b': b.emit,
           'child': lambda n: b(f'in_new_process({n})'), 'us': emit}
    move(a.pid, '/in')
    s('group-tasks', 'g', 'cgroup:/in')
    s('limit', 't', '@g')
    check('cgroup: its processes, with threads', 'a thread', recorded(s, who))
    move(b.pid, '/in')
    check('cgroup: a process that enters, and a child', 'a thread b child', recorded(s, who))
    move(a.pid, '/in/deep')
    check('cgroup: below it', 'a thread b child', recorded(s, who))
    move(a.pid, '/in-not')
    check('cgroup: a process that leaves', 'b child', recorded(s, who))
    move(b.pid, '/in/deep')
    s('group-tasks', 'g', 'cgroup:/in/deep')
    s('limit', 't', '@g')
    check('cgroup: deep', 'b child', recorded(s, who))
    move(b.pid, '/in')
    check('cgroup: its parent is not in it', '', recorded(s, who))
    b('name_self("keeps-out")')
    check('cgroup: a name changes nothing', '', recorded(s, who))
    s('group-tasks', 'g', f'cgroup:/out comm:keeps-* tid:{tid}')
    s('limit', 't', '@g')
    check('cgroup, name and thread together', 'thread b child', recorded(s, who))
    move(b.pid, '/out')
    b('name_self("other")')
    check('one of two reasons is left', 'thread b child', recorded(s, who))
    move(b.pid, '')
    check('none is left', 'thread', recorded(s, who))

    # Threads apart.
    with open(f'{mount}/in/deep/cgroup.type', 'w') as kind:
        kind.write('threaded')
    move(a.pid, '/in')
    s('group-tasks', 'g', 'cgroup:/in/deep')
    s('limit', 't', '@g')
    move(tid, '/in/deep', 'cgroup.threads')
    check('cgroup: one thread', 'thread', recorded(s, who))
    move(a.pid, '')
    check('cgroup: all leave', '', recorded(s, who))

    # A cgroup that goes, and another of its name.
    s('group-tasks', 'g', 'cgroup:/out')
    s('limit', 't', '@g')
    os.rmdir(mount + '/out')
    os.mkdir(mount + '/out')
    move(b.pid, '/out')
    check('cgroup: another of the same name', '', recorded(s, who))
    s('group-tasks', 'g', 'cgroup:/out')
    s('limit', 't', '@g')
    check('cgroup: until the group is made again', 'b child', recorded(s, who))
    s.refuses(errno.ENOENT, '/none', 'group-tasks', 'h', 'cgroup:/none')
    a.end()
    b.end()
    s.close()
    for path in '/in/deep', '/in', '/out', '/in-not':
        os.rmdir(mount + path)


def on_cpu(cpu):
    def emits(count):
        os.sched_setaffinity(0, [cpu])
        emit(count)
    return emits


def part_cpus():
    s = Connection()
    running_trace(s)
    cpus = sorted(os.sched_getaffinity(0))
    check('there is more than one CPU', True, len(cpus) > 1)
    who = {f'cpu{cpu}': on_cpu(cpu) for cpu in cpus}
    all_of_them = ' '.join(who)
    for cpu in cpus:
        s('group-cpus', 'g', cpu)
        s('limit', 't', '@g')
        check(f'CPU {cpu} alone', f'cpu{cpu}', recorded(s, who))
    check('the limit can be seen', f'cpus {cpus[-1]}\n', s('limits', 't'))
    s('group-cpus', 'g', f'{cpus[0]}-{cpus[-1]}')
    s('limit', 't', '@g')
    check('a range', all_of_them, recorded(s, who))
    check('it can be seen', f'cpus g {cpus[0]}-{cpus[-1]}\n', s('groups'))

    # Both limits at once.
    a = Child()
    both = {}
    for cpu in cpus:
        both[f'us{cpu}'] = on_cpu(cpu)
        both[f'a{cpu}'] = lambda n, cpu=cpu: a(f'on_cpu({cpu})({n})')
    s('group-cpus', 'g', 0)
    s('group-tasks', 'a', f'pid:{a.pid}')
    s('limit', 't', '@g')
    s('limit', 't', '@a')
    check('a CPU and a process', 'a0', recorded(s, both))
    check('both can be seen', f'tasks pid:{a.pid}\ncpus 0\n', s('limits', 't'))
    s('unlimit', 't')
    check('neither', ' '.join(both), recorded(s, both))
    a.end()


def swap(between):
    """While a limit is exchanged, it lets no event of a thread pass that is in neither group."""
    s = Connection()
    running_trace(s)
    running_trace(s, 'all')
    a, b, c = Child(), Child(), Child()
    s('group-tasks', 'a', f'pid:{a.pid}')
    s('group-tasks', 'ab', f'pid:{a.pid} comm:no-such pid:{b.pid}+children')
    s('group-cpus', 'all', f'0-{os.cpu_count() - 1}')
    s('limit', 't', '@a')
    before = s.emitted()
    pid = os.fork()
    if not pid:
        while True:
            c.emit(1000)
    for _ in range(15):
        for group in '@ab', '@all', '@a':
            s('limit', 't', group)
            s('group-tasks', 'ab', f'pid:{a.pid} comm:no-such pid:{b.pid}+children')
        between(s)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    check('no event of a thread that is in no group', 0, s.emitted() - before)
    check('though it emitted all the while', True, s.emitted('all') > 20000)
    for _ in range(15):
        s('unlimit', 't')
        s('limit', 't', '@ab')
    check('and it still limits', 'a b', recorded(s, {'a': a.emit, 'b': b.emit, 'us': emit}))
    words = [line.split() for line in s('stats', 't').splitlines() if ' emitted ' in line]
    check('every event is accounted for', [],
          [w for w in words if w[0] == 'events' and int(w[3]) != int(w[5]) + int(w[7]) + int(w[9])])


def part_swapped():
    swap(lambda s: None)


def part_stopped():
    """The same, the trace being stopped and started as well."""
    def stop_and_start(s):
        s('stop', 't')
        s('start', 't')
    swap(stop_and_start)


def part_connections():
    s, other = Connection(), Connection()
    s('group-tasks', 'g', f'pid:{os.getpid()}')
    check('another connection sees no group', '', other('groups'))
    other('create', 't')
    other.refuses(errno.ENOENT, '"g"', 'limit', 't', '@g')
    other('group-cpus', 'g', '0')
    check('and may have one of the same name', 'cpus g 0\n', other('groups'))
    check('it changes nothing here', f'tasks g pid:{os.getpid()}\n', s('groups'))
    s('share')
    check("debugfs' groups are others", '', s('groups'))
    s('group-events', 'g', 'sample:request')
    s('create', 'shared')
    s('enable', 'shared', '@g')
    check('events that a shared group enables', ['+ sample:request events\n'], events_of(s, 'shared'))
    s('destroy', 'shared')
    other('share')
    check('they are seen by all who share', 'events g sample:request\n', other('groups'))
    s('ungroup', 'g')
    check('until one takes them away', '', other('groups'))
    s('private')
    check('the own are as they were', f'tasks g pid:{os.getpid()}\n', s('groups'))

    # A trace that outlives its connection keeps its limit.
    a = Child()
    running_trace(s)
    s('group-tasks', 'g', f'pid:{a.pid}')
    s('limit', 't', '@g')
    s('detach', 't')
    s.close()
    other('share')
    check('detached, and its connection gone', 'a', recorded(other, {'a': a.emit, 'us': emit}))
    check('its limit can be seen', f'tasks pid:{a.pid}\n', other('limits', 't'))
    other('destroy', 't')
    a.end()


def part_events():
    s = Connection()
    s('group-events', 'g', 'sample:request\tsample:l* \n sample:idle')
    check('patterns are seen', 'events g sample:request sample:l* sample:idle\n', s('groups'))
    s('create', 't')
    s('enable', 't', 'sample:open')
    s('enable', 't', '@g')
    enabled = '+ sample:{} events\n'.format
    of = lambda *names: sorted(map(enabled, names))
    events = lambda trace='t': events_of(s, trace)
    check('enabled with what was', of('open', 'request', 'lookup', 'idle'), events())
    s('disable', 't', '@g')
    check('disabled but what was', of('open'), events())
    s.refuses(errno.ENOENT, '@g', 'disable', 't', '@g')
    s('enable', 't', 'sample:request')
    s('disable', 't', '@g')
    check('it is enough that one is enabled', of('open'), events())

    # The order counts, as if they were enabled one by one.
    s('group-events', 'wide', 'sample:request sample:* sample:idle')
    s('enable', 't', '@wide')
    check('a wide pattern', 7, len(events()))
    s('disable', 't', '@g')
    check('some of it taken away', of('open', 'evict', 'complete', 'close'),
          [line for line in events() if line[0] == '+'])
    s('disable', 't', '@wide')
    check('all of it', [], events())

    # In every trace.
    s('create', 'u')
    s('want', '@g')
    s('create', 'v')
    for trace in 'tuv':
        check(f'wanted: in {trace}', of('request', 'lookup', 'idle'), events(trace))
    check('the patterns themselves are wanted', 'sample:request\nsample:l*\nsample:idle\n',
          s('wanted'))
    s('group-events', 'g', 'sample:close')
    check('a group replaced changes no trace', of('request', 'lookup', 'idle'), events())
    s('group-events', 'g', 'sample:request sample:l* sample:idle')
    s('unwant', '@g')
    for trace in 'tuv':
        check(f'unwanted: in {trace}', [], events(trace))
    check('nothing is wanted', '', s('wanted'))

    # Words that are reserved.
    s('group-events', 'later', 'test:* nosuch:thing')
    s('enable', 't', '@later')
    check('patterns that wait', ['? nosuch:thing\n', '? test:*\n'], events())

    # Nothing has changed after an error.
    s.refuses(errno.ENOENT, '"none"', 'enable', 't', '@none')
    s.refuses(errno.ENOENT, '""', 'want', '@')
    s.refuses(errno.EINVAL, 'pattern', 'enable', 't', 'sample:a sample:b')
    s('group-tasks', 'tasks', f'pid:{os.getpid()}')
    s.refuses(errno.EINVAL, 'tasks', 'enable', 't', '@tasks')
    s.refuses(errno.EINVAL, 'tasks', 'unwant', '@tasks')
    check('errors change nothing', ['? nosuch:thing\n', '? test:*\n'], events())


def part_refused():
    s = Connection()
    s('create', 't')
    pid = os.getpid()
    for name in '', '.x', 'a b', '@g', 'x' * 64, 'é', 'a/b':
        s.refuses(errno.EINVAL, 'name', 'group-cpus', name, 0)
    s('group-cpus', 'x' * 63, 0)
    s('ungroup', 'x' * 63)
    for word in ('pid:', 'pid:0x1', 'pid:-1', 'pid:+1', 'pid:1+child', 'pid:1+children+children',
                 'pid:+children', 'pid:99999999999', 'tid:', 'tid:1+children', 'comm:', 'cgroup:',
                 'cgroup:relative', '1', 'PID:1', ':', 'pid', f'pid:{pid},{pid}'):
        s.refuses(errno.EINVAL, word, 'group-tasks', 'g', f'pid:{pid} {word}')
    for word in 'pid:0', 'tid:0', 'pid:4194304', 'tid:4000000000', 'pid:4000000+children':
        s.refuses(errno.ESRCH, word, 'group-tasks', 'g', word)
    thread = Thread()
    s.refuses(errno.ESRCH, f'"pid:{thread.tid}"', 'group-tasks', 'g', f'pid:{thread.tid}')
    for blank in '', ' ', '\t\n ':
        for kind in 'group-tasks', 'group-events':
            s.refuses(errno.EINVAL, 'empty', kind, 'g', blank)
    for cpus in '', ' ', 'x', '0-', '-1', '1-0', '0,,x', '100000', '0-100000', '0 x', '8191':
        s.refuses(errno.EINVAL, 'CPUs', 'group-cpus', 'g', cpus)
    for patterns in 'a:b:c', 'a b/c', '@g', 'a @g', 'x' * 200:
        s.refuses(errno.EINVAL, 'pattern', 'group-events', 'g', patterns)
    check('nothing came of all that', '', s('groups'))

    # Too much.
    s('group-events', 'g', ' '.join(f'a:{n}' for n in range(64)))
    s.refuses(errno.E2BIG, '64', 'group-events', 'g',
              ' '.join(f'a:{n}' for n in range(65)))
    s.refuses(errno.E2BIG, '64', 'group-events', 'g', 'a ' * 32000)
    check('the former is there', 64, s('groups').count('a:'))
    s('enable', 't', '@g')
    check('all of it can be enabled', 64, len(events_of(s, 't')))
    s('group-tasks', 'h', f'pid:{pid} ' * 64)
    s.refuses(errno.E2BIG, '64', 'group-tasks', 'h', f'pid:{pid} ' * 65)
    s.refuses(errno.EINVAL, 'member', 'group-tasks', 'h', 'x' * 60000)
    s('group-tasks', 'h', 'comm:' + '*a' * 63)
    s.refuses(errno.EINVAL, 'member', 'group-tasks', 'h', 'comm:' + '*a' * 64)
    s('group-tasks', 'h', f'pid:{pid}')

    # Kinds do not mix.
    s.refuses(errno.EEXIST, 'events', 'group-cpus', 'g', 0)
    s.refuses(errno.EEXIST, 'tasks', 'group-events', 'h', 'a')
    s.refuses(errno.EINVAL, 'events', 'limit', 't', '@g')
    s.refuses(errno.EINVAL, 'group', 'limit', 't', 'h')
    s.refuses(errno.EINVAL, 'group', 'limit', 't', '')
    s.refuses(errno.ENOENT, 'group', 'limit', 't', '@none')
    s.refuses(errno.ENOENT, 'trace', 'limit', 'none', '@h')
    s.refuses(errno.ENOENT, 'trace', 'unlimit', 'none')
    s.refuses(errno.ENOENT, 'trace', 'limits', 'none')
    s.refuses(errno.ENOENT, 'group', 'ungroup', 'none')
    check('no limit came of all that', '', s('limits', 't'))

    # Too many; replaced and taken away there is room again.
    for number in range(62):
        s('group-cpus', f'c{number}', 0)
    s.refuses(errno.ENOSPC, '64', 'group-cpus', 'more', 0)
    s('group-cpus', 'c1', 0)
    s('ungroup', 'c1')
    s('group-tasks', 'more', f'pid:{pid}+children')
    check('64', 64, len(s('groups').splitlines()))
    s.close()


def main():
    if sys.argv[1] == 'serve':
        commands, answers = map(int, sys.argv[2:])
        os.write(answers, b'None\n')
        serve(commands, answers)
    globals()[f'part_{sys.argv[1]}']()


if __name__ == '__main__':
    main()
