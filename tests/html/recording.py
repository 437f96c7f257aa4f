# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""A small recording as LTT writes it, of a system in which all is known: recording.py DIR

Times are in milliseconds; see SCENE.  Names of threads and texts of fields are hostile.
"""
import struct
import sys
from pathlib import Path

MS = 1_000_000
BEGIN_S = 1_700_000_000         # of the clock, since the Unix epoch
HOSTILE = b'</script><b>x'
ODD = b'bad\xff\x01\xc3\xa9'
PATH = b'/etc/</title><img src=x onerror=alert(1)>\x01\xff\xc3\xa9'

# Fields of events: the letters of struct, "z" for a string, "c" for a name of 16 characters.
EVENTS = {
    'ltt:task': 'tid:i pid:i ppid:i comm:c',
    'sched_switch': 'prev_comm:c prev_pid:i prev_prio:i prev_state:q next_comm:c next_pid:i next_prio:i',
    'sched_waking': 'comm:c pid:i prio:i target_cpu:i',
    'sys_enter': 'id:q',
    'sys_exit': 'id:q ret:q',
    'irq_handler_entry': 'irq:i name:z',
    'irq_handler_exit': 'irq:i ret:i',
    'softirq_entry': 'vec:I',
    'softirq_exit': 'vec:I',
    'app:load.begin': 'path:z',
    'app:load.end': '',
    'app:inner.begin': '',
    'app:inner.end': '',
    'app:request.async_begin': 'id:Q',
    'app:request.async_end': 'id:Q',
    'app:queue.counter': 'value:q',
    'app:job.flow_begin': 'id:Q',
    'app:job.flow_step': 'id:Q',
    'app:job.flow_end': 'id:Q',
    'sample:open': 'fd:i path:z big:Q',
}
STATES = 1                      # of EVENTS, those in channel "state"
COMMS = {0: b'swapper/0', 100: b'main', 101: HOSTILE, 102: ODD, 200: b'kworker/1'}
TASKS = [(100, 100, 1), (101, 100, 1), (102, 102, 1), (200, 200, 2)]

INTEGERS = {'i': ('32', 'true', '10'), 'I': ('32', 'false', '10'), 'q': ('64', 'true', '10'), 'Q': ('64', 'false', '16')}

METADATA = '''/* CTF 1.8 */

typealias integer { size = 5; align = 1; signed = false; } := uint5_t;
typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
typealias integer { size = 16; align = 1; signed = false; } := uint16_id_t;
typealias integer { size = 16; align = 8; signed = false; } := uint16_t;
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 64; align = 8; signed = false; } := uint64_t;

trace {
	major = 1;
	minor = 8;
	uuid = "01020304-0506-0708-090a-0b0c0d0e0f10";
	byte_order = le;
	packet.header := struct {
		uint32_t magic;
		uint8_t  uuid[16];
		uint32_t stream_id;
	};
};

env {
	domain = "kernel";
	hostname = "machine";
	tracer_name = "lttng-modules";
	tracer_major = 2;
	tracer_minor = 13;
	producer = "LTT";
};

clock {
	name = tsc;
	uuid = "11020304-0506-0708-090a-0b0c0d0e0f10";
	freq = 1000000000;
	offset_s = %d;
	offset = 0;
	absolute = TRUE;
};

typealias integer { size = 27; align = 1; signed = false; map = clock.tsc.value; } := uint27_clock_t;
typealias integer { size = 64; align = 8; signed = false; map = clock.tsc.value; } := uint64_clock_t;

struct packet_context {
	uint64_clock_t timestamp_begin;
	uint64_clock_t timestamp_end;
	uint64_t content_size;
	uint64_t packet_size;
	uint64_t packet_seq_num;
	uint64_t events_discarded;
	uint32_t cpu_id;
};

struct event_header {
	enum : uint5_t { compact = 0 ... 29, medium = 30, extended = 31 } id;
	variant <id> {
		struct { uint27_clock_t timestamp; } compact;
		struct { uint27_clock_t timestamp; uint16_id_t id; } medium;
		struct { uint32_t id; uint64_clock_t timestamp; } extended;
	} v;
} align(8);
''' % BEGIN_S

STREAM = '''
stream {
	id = %d;
	event.header := struct event_header;
	packet.context := struct packet_context;
	event.context := struct {
		integer { size = 32; align = 8; signed = true; } _tid;
	};
};
'''


def fields_of(name):
    return [field.split(':') for field in EVENTS[name].split()]


def described(name):
    """The block of an event."""
    number = list(EVENTS).index(name)
    lines = []
    for field, letter in fields_of(name):
        if letter == 'z':
            lines.append(f'\t\tstring _{field};')
        elif letter == 'c':
            lines.append(f'\t\tinteger {{ size = 8; align = 8; signed = false; encoding = UTF8; }} _{field}[16];')
        else:
            size, sign, base = INTEGERS[letter]
            lines.append(f'\t\tinteger {{ size = {size}; align = 8; signed = {sign}; base = {base}; }} _{field};')
    return '\nevent {\n\tname = "%s";\n\tid = %d;\n\tstream_id = %d;\n\tfields := struct {\n%s\n\t};\n};\n' % (
        name, number if number < STATES else number - STATES, number >= STATES, '\n'.join(lines))


def record(ns, tid, name, *values):
    number = list(EVENTS).index(name)
    data = struct.pack('<BIQi', 31, number if number < STATES else number - STATES, ns, tid)
    for (_, letter), value in zip(fields_of(name), values, strict=True):
        if letter == 'z':
            data += value + b'\0'
        elif letter == 'c':
            data += value.ljust(16, b'\0')
        else:
            data += struct.pack('<' + letter, value)
    return data


def packet(stream, cpu, records, begin, end, number, discarded):
    content = b''.join(records)
    size = 24 + 52 + len(content)
    padded = -(-size // 4096) * 4096
    header = struct.pack('<I16sI', 0xC1FC1FC1, bytes(range(1, 17)), stream)
    context = struct.pack('<QQQQQQI', begin, end, size * 8, padded * 8, number, discarded, cpu)
    return (header + context + content).ljust(padded, b'\0')


def switch(cpu, ms, before, state, after):
    return cpu, ms, before, 'sched_switch', COMMS[before], before, 120, state, COMMS[after], after, 120


# CPU, milliseconds, thread, event, fields.
SCENE = [
    switch(0, 0, 0, 0, 100),
    switch(1, 5, 0, 0, 101), switch(1, 8, 101, 1, 0),
    (0, 10, 100, 'sys_enter', 0), (0, 20, 100, 'sys_exit', 0, -11),
    (0, 30, 100, 'sched_waking', HOSTILE, 101, 120, 1),
    switch(1, 35, 0, 0, 101),
    (1, 40, 101, 'softirq_entry', 3), (1, 42, 101, 'irq_handler_entry', 24, b'disk'),
    (1, 44, 101, 'irq_handler_exit', 24, 1), (1, 48, 101, 'softirq_exit', 3),
    (0, 45, 100, 'app:job.flow_begin', 9), (1, 50, 101, 'app:job.flow_step', 9),
    switch(1, 55, 101, 2, 200),
    switch(1, 57, 200, 1, 0),
    (0, 60, 100, 'app:load.begin', PATH), (0, 60, 100, 'app:queue.counter', 5),
    (0, 61, 100, 'app:request.async_begin', 7),
    (0, 62, 100, 'app:inner.begin'), (0, 64, 100, 'app:job.flow_step', 9), (0, 66, 100, 'app:inner.end'),
    (0, 70, 100, 'app:load.end'), (0, 70, 100, 'app:queue.counter', 9),
    (0, 72, 100, 'sample:open', 3, PATH, 0xfedcba9876543210),
    (0, 75, 100, 'app:request.async_end', 7), (0, 80, 100, 'app:queue.counter', -2),
    switch(1, 78, 0, 0, 200), (1, 79, 200, 'app:job.flow_end', 9), switch(1, 80, 200, 1, 0),
    switch(1, 90, 0, 0, 102), switch(1, 95, 102, 1, 0),
    switch(0, 100, 100, 1, 0),
]
LOST = 12                       # on CPU 1, between 57 and 80 ms
PACKETS = {0: [(0, 100)], 1: [(0, 57), (78, 80), (90, 95)]}


def write(folder):
    kernel = Path(folder) / 'kernel'
    kernel.mkdir(parents=True)
    (kernel / 'metadata').write_text(METADATA + STREAM % 0 + STREAM % 1 + ''.join(map(described, EVENTS)))
    tasks = [record(0, 0, 'ltt:task', tid, pid, ppid, COMMS[tid]) for tid, pid, ppid in TASKS]
    (kernel / 'state_0').write_bytes(packet(0, 0, tasks, 0, 0, 0, 0))
    for cpu, packets in PACKETS.items():
        data = b''
        for number, (begin, end) in enumerate(packets):
            records = [record(ms * MS, *rest) for of, ms, *rest in SCENE if of == cpu and begin <= ms <= end]
            data += packet(1, cpu, records, begin * MS, end * MS, number, LOST if number else 0)
        (kernel / f'events_{cpu}').write_bytes(data)


if __name__ == '__main__':
    write(sys.argv[1])
