# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""How each tool records one source at a time, with room for all its events.

A tool is a class with .name and .record(source, context, command), which returns what the command
printed and the number of events recorded, or raises Unable. The context '' stands for none.
"""
import contextlib
import json
import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from guests import FIRST, TRACING, chosen, fire, said_by, scratch, start_lttng     # noqa: E402

# bpftrace and LTTng find no probes in a program on an overlay.
FIRE = Path('/run/fire')
INNER = 'ltt_test_inner'
HERTZ = 1000


class Ltt:
    name = 'ltt'
    patterns = {
        'tracepoint': 'cost:cost_int2',
        'syscall': 'syscall:dup2',
        'syscall-entry': 'syscall:dup2',
        'syscall-exit': 'syscall:dup2_exit',
        'kprobe': f'kprobe:{INNER}(value=%edi)',
        'kretprobe': f'kretprobe:{INNER}(ret:x64)',
        'uprobe': f'uprobe:{FIRE}:fire_function(value=arg1:u32)',
        'uretprobe': f'uretprobe:{FIRE}:fire_function(ret:x64)',
        'usdt': f'usdt:{FIRE}:bench:fired',
        'function': f'function:{INNER}',
        'function_graph': f'function_graph:{INNER}',
        'sample': f'sample:{HERTZ}',
        'printk': 'printk:console',
    }
    contexts = {'': [], 'pid': ['pid'], 'comm': ['comm'], 'kernel stack': ['kernel_stack']}

    def record(self, source, context, command):
        words = [word for name in self.contexts[context] for word in ('--context', name)]
        said_by('lttctl', 'create', '-e', chosen(self.patterns, source), *words,
                '--size', '64K', '--count', '64', 'cost')
        try:
            if source == 'syscall-entry':
                said_by('lttctl', 'disable', '-t', 'cost', 'syscall:dup2_exit')
            said_by('lttctl', 'start', 'cost')
            said = fire(command)
            said_by('lttctl', 'stop', 'cost')
            total = json.loads(said_by('lttctl', 'status', '--json', 'cost'))[0]['total']
        finally:
            said_by('lttctl', 'destroy', 'cost')
        return said, total['stored']


# ---- ftrace and perf: the same events ----

TRACE_EVENTS = {
    'tracepoint': 'cost:cost_int2',
    'syscall-entry': 'syscalls:sys_enter_dup2',
    'syscall-exit': 'syscalls:sys_exit_dup2',
    'syscall': 'syscalls:sys_*_dup2',
    'kprobe': 'bench:kprobe',
    'kretprobe': 'bench:kretprobe',
    'uprobe': 'probe_fire:uprobe',
    'uretprobe': 'probe_fire:uretprobe__return',
    'usdt': 'sdt_bench:fired',
    'printk': 'printk:console',
}


IN_KERNEL = {
    'kprobe': f'p:bench/kprobe {INNER} value=%di:u32',
    'kretprobe': f'r:bench/kretprobe {INNER} ret=$retval',
}
# perf probe writes these to uprobe_events of tracefs.
IN_PROGRAMS = {
    'uprobe': ['-x', FIRE, '--add', 'uprobe=fire_function value=%di:u32'],
    'uretprobe': ['-x', FIRE, '--add', 'uretprobe=fire_function%return ret=$retval'],
    'usdt': ['--add', 'sdt_bench:fired'],
}


@contextlib.contextmanager
def trace_event(source):
    """The event's name, as long as the event is defined: another probe at the same place makes one dearer."""
    event = chosen(TRACE_EVENTS, source)
    if source in IN_KERNEL:
        (TRACING / 'kprobe_events').write_text(IN_KERNEL[source] + '\n')
    elif source in IN_PROGRAMS:
        if source == 'usdt':
            said_by('perf', 'buildid-cache', '--add', FIRE)
        said_by('perf', 'probe', '-q', *IN_PROGRAMS[source])
    try:
        yield event
    finally:
        for probes in 'kprobe_events', 'uprobe_events':
            (TRACING / probes).write_text('\n')


class Ftrace:
    """Each event has the pid, and none the name of the thread."""
    name = 'ftrace'
    tracers = ['function', 'function_graph']
    options = {'': None, 'kernel stack': 'options/stacktrace'}

    def write(self, name, text):
        (TRACING / name).write_text(text)

    def run(self, switches, command):
        """Run the command with the switches on; a switch is a file, what turns it on and what off."""
        self.write('buffer_size_kb', '16384')
        self.write('trace_clock', 'x86-tsc')
        self.write('trace', '\n')
        try:
            for name, on, _ in switches:
                self.write(name, on)
            said = fire(command)
            # Changing the tracer empties the buffer.
            stats = (TRACING / 'per_cpu/cpu0/stats').read_text()
        finally:
            for name, _, off in reversed(switches):
                self.write(name, off)
        return said, int(re.search('^entries: ([0-9]+)', stats, re.M)[1])

    def record(self, source, context, command):
        option = chosen(self.options, context)
        switches = [(option, '1', '0')] if option else []
        if source in self.tracers:
            return self.run([('set_ftrace_filter', INNER, '\n'), ('current_tracer', source, 'nop')], command)
        with trace_event(source) as event:
            enables = [*TRACING.glob(f'events/{event.replace(":", "/")}/enable')]
            return self.run([*switches, *[(enable, '1', '0') for enable in enables]], command)


class Perf:
    """Each event has pid and tid; a record for each thread has its name."""
    name = 'perf'
    contexts = {'': [], 'kernel stack': ['-g', '--kernel-callchains']}
    other_events = {
        'function': ['ftrace:function', '--filter', f'ip == {INNER}'],
        'sample': ['cpu-clock', '-F', str(HERTZ)],
    }

    def run(self, event, context, command):
        data = scratch() / 'perf.data'
        said = said_by('perf', 'record', '-q', '--no-buildid', '-m', '16M', '-a', '-e', *event,
                       *chosen(self.contexts, context), '-o', data, '--', *FIRST, *command)
        stats = said_by('perf', '--no-pager', 'report', '--stats', '-i', data)
        return said, int(re.search(r'SAMPLE events: +(\d+)', stats)[1])

    def record(self, source, context, command):
        if source in self.other_events:
            return self.run(self.other_events[source], context, command)
        with trace_event(source) as event:
            return self.run([event], context, command)


# ---- bpftrace ----

class Bpftrace:
    """It prints the time and the values, which the events of the others have, too."""
    name = 'bpftrace'
    probes = {
        'tracepoint': ('tracepoint:cost:cost_int2', 'args->a, args->b'),
        'syscall-entry': ('tracepoint:syscalls:sys_enter_dup2', 'args->oldfd, args->newfd'),
        'syscall-exit': ('tracepoint:syscalls:sys_exit_dup2', 'args->ret'),
        'kprobe': (f'kprobe:{INNER}', 'arg0'),
        'kretprobe': (f'kretprobe:{INNER}', 'retval'),
        'uprobe': (f'uprobe:{FIRE}:fire_function', 'arg0'),
        'uretprobe': (f'uretprobe:{FIRE}:fire_function', 'retval'),
        'usdt': (f'usdt:{FIRE}:bench:fired', 'arg0'),
        'sample': (f'profile:hz:{HERTZ}', 'reg("ip")'),
        'printk': ('tracepoint:printk:console', 'str(args->msg)'),
    }
    contexts = {'': '', 'pid': 'pid', 'comm': 'comm', 'kernel stack': 'kstack'}

    def clause(self, source, context):
        probe, values = chosen(self.probes, source)
        values = ['nsecs', *values.split(', '), *[self.contexts[context]] * bool(context)]
        kind = {'comm': '%s', 'kstack': '%s', 'str(args->msg)': '%s'}
        kinds = ' '.join(kind.get(value, '%d') for value in values)
        return f'{probe} {{ printf("@ {kinds}\\n", {", ".join(values)}); }}'

    def record(self, source, context, command):
        both = ['syscall-entry', 'syscall-exit']
        program = ' '.join(self.clause(one, context) for one in (both if source == 'syscall' else [source]))
        text = scratch() / 'text'
        # Its priority is that of its child: bpftrace would take chrt for the program with the probe.
        said = said_by(*FIRST, 'bpftrace', '-o', text, '-e', program, '-c', ' '.join(map(str, command)),
                       env={**os.environ, 'BPFTRACE_PERF_RB_PAGES': '4096'})
        printed = text.read_text(errors='replace')
        return said, len(re.findall('^@ ', printed, re.M))


# ---- LTTng ----

class Lttng:
    """--syscall and --function record both beginning and end."""
    name = 'lttng'
    events = {
        'tracepoint': ['cost_int2'],
        'syscall': ['--syscall', 'dup2'],
        'kprobe': [f'--probe={INNER}', 'bench'],
        'kretprobe': [f'--function={INNER}', 'bench'],
        'uprobe': [f'--userspace-probe=elf:{FIRE}:fire_function', 'bench'],
        'usdt': [f'--userspace-probe=sdt:{FIRE}:bench:fired', 'bench'],
        'printk': ['printk_console'],
    }
    contexts = {'': None, 'pid': 'pid', 'comm': 'procname', 'kernel stack': 'callstack-kernel'}

    def record(self, source, context, command):
        event = chosen(self.events, source)
        trace = scratch() / 'trace'
        start_lttng('cost,printk')
        said_by('lttng', 'create', 'bench', f'--output={trace}')
        try:
            said_by('lttng', 'enable-channel', '-k', '--subbuf-size=4M', '--num-subbuf=4', 'all')
            said_by('lttng', 'enable-event', '-k', '-c', 'all', *event)
            if context:
                said_by('lttng', 'add-context', '-k', '-c', 'all', '-t', self.contexts[context])
            said_by('lttng', 'start')
            said = fire(command)
        finally:
            said_by('lttng', 'destroy')
        return said, said_by('babeltrace2', trace).count('\n')


TOOLS = [Ltt(), Ftrace(), Perf(), Bpftrace(), Lttng()]
