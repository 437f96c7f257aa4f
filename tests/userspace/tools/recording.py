# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Write recordings as LTT does: the layout of doc/format.md, with the metadata of core/ctf.c.

	part = Part(folder, 'kernel')
	part.event('events', 'sched_switch', ['text16 prev_comm', 's32 prev_pid', ...])
	part.record('events', cpu, time, tid, 'sched_switch', 'swapper/0', 0, ...)
	part.write()

Types of fields: u8 to u64, s8 to s64, x64 (in hexadecimal), f64, string, textN (an array of N bytes), and [u64] (a
sequence). Times are nanoseconds since the Unix epoch.
"""
import re
import struct
from pathlib import Path

PAGE = 4096
HEADER = '''/* CTF 1.8 */

typealias integer { size = 5; align = 1; signed = false; } := uint5_t;
typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
typealias integer { size = 16; align = 1; signed = false; } := uint16_id_t;
typealias integer { size = 16; align = 8; signed = false; } := uint16_t;
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 64; align = 8; signed = false; } := uint64_t;

trace {
	major = 1;
	minor = 8;
	uuid = "@UUID@";
	byte_order = le;
	packet.header := struct {
		uint32_t magic;
		uint8_t  uuid[16];
		uint32_t stream_id;
	};
};

env {
@ENV@};

clock {
	name = monotonic;
	uuid = "@CLOCK@";
	description = "of a test";
	freq = @FREQUENCY@;
	offset_s = @OFFSET@;
	offset = 0;
	absolute = TRUE;
};

typealias integer { size = 27; align = 1; signed = false; map = clock.monotonic.value; } := uint27_clock_t;
typealias integer { size = 64; align = 8; signed = false; map = clock.monotonic.value; } := uint64_clock_t;

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

'''
CODES = {8: 'b', 16: 'h', 32: 'i', 64: 'q'}
EPOCH_S = 1700000000            # what the clock counts from
EPOCH = EPOCH_S * 10**9


def integer(kind):
    bits = int(kind[1:])
    return (f'integer {{ size = {bits}; align = 8; signed = {"true" if kind[0] == "s" else "false"}; '
            + ('base = 16; ' if kind[0] == 'x' else '') + '}')


def declare(kind, name):
    """The lines of a field."""
    if kind == 'string':
        return f'\t\tstring _{name};\n'
    if kind == 'f64':
        return f'\t\tfloating_point {{ exp_dig = 11; mant_dig = 53; align = 8; }} _{name};\n'
    if kind.startswith('text'):
        return f'\t\tinteger {{ size = 8; align = 8; signed = false; encoding = UTF8; }} _{name}[{kind[4:]}];\n'
    if kind.startswith('['):
        return f'\t\tuint16_t __{name}_length;\n\t\t{integer(kind[1:-1])} _{name}[__{name}_length];\n'
    if kind.endswith(']'):
        element, length = kind[:-1].split('[')
        return f'\t\t{integer(element)} _{name}[{length}];\n'
    return f'\t\t{integer(kind)} _{name};\n'


def pack(kind, value):
    raw = value if isinstance(value, bytes) else value.encode() if isinstance(value, str) else value
    if kind == 'string':
        return raw + b'\0'
    if kind == 'f64':
        return struct.pack('<d', value)
    if kind.startswith('text'):
        return raw[:int(kind[4:])].ljust(int(kind[4:]), b'\0')
    if kind.startswith('['):
        return struct.pack('<H', len(value)) + b''.join(pack(kind[1:-1], one) for one in value)
    if kind.endswith(']'):
        return b''.join(pack(kind.split('[')[0], one) for one in value)
    bits = int(kind[1:])
    if bits == 24:
        return value.to_bytes(3, 'little', signed=kind[0] == 's')
    code = CODES[bits]
    return struct.pack('<' + (code if kind[0] == 's' else code.upper()), value)


class Part:
    """A trace: of a kernel ("kernel"), of programs ("ust") or of a state ("state")."""

    def __init__(self, folder, domain, number=1, env=(), context=('s32 tid',), clock=0xcc, frequency=10**9):
        self.folder, self.domain, self.context = Path(folder), domain, [field.split() for field in context]
        self.uuid, self.clock, self.frequency = bytes([number] * 16), bytes([clock] * 16), frequency
        self.env = {'domain': domain, 'sysname': 'Linux', 'kernel_release': '6.1.0-test', 'kernel_version': '#1 SMP test',
                    'hostname': 'box', 'tracer_name': 'ltt', 'tracer_major': 1, 'tracer_minor': 0, **dict(env)}
        self.channels, self.events, self.records = [], {}, {}

    def event(self, channel, name, fields):
        if channel not in self.channels:
            self.channels.append(channel)
        number = sum(stream == channel for stream, _, _ in self.events.values())
        self.events[name] = channel, number, [field.split() for field in fields]

    def record(self, cpu, time, tid, name, *values):
        """The context is the thread id, or a list of its fields."""
        channel, number, fields = self.events[name]
        assert len(values) == len(fields), name
        context = tid if isinstance(tid, (list, tuple)) else [tid]
        body = b''.join(pack(kind, value) for (kind, _), value in zip(self.context, context))
        body += b''.join(pack(kind, value) for (kind, _), value in zip(fields, values))
        self.records.setdefault((channel, cpu), []).append(((time - EPOCH) * self.frequency // 10**9, number, body))

    def metadata(self):
        text = HEADER.replace('@UUID@', uuid_text(self.uuid)).replace('@CLOCK@', uuid_text(self.clock))
        text = text.replace('@FREQUENCY@', str(self.frequency))
        text = text.replace('@OFFSET@', str(EPOCH_S)).replace('@ENV@', ''.join(
            f'\t{name} = {value};\n' if isinstance(value, int) else f'\t{name} = "{value}";\n'
            for name, value in self.env.items()))
        for number, channel in enumerate(self.channels):
            text += (f'/* channel {channel} */\nstream {{\n\tid = {number};\n\tevent.header := struct event_header;\n'
                     '\tpacket.context := struct packet_context;\n\tevent.context := struct {\n'
                     + ''.join(declare(*field) for field in self.context) + '\t};\n};\n\n')
        for name, (channel, number, fields) in self.events.items():
            text += (f'event {{\n\tname = "{name}";\n\tid = {number};\n\tstream_id = {self.channels.index(channel)};\n'
                     '\tfields := struct {\n' + ''.join(declare(*field) for field in fields) + '\t};\n};\n\n')
        return text

    def packet(self, channel, cpu, sequence, records, discarded):
        last, body = records[0][0], b''
        for time, number, content in records:
            if (time - last) >> 27 or number > 0xffff:
                body += struct.pack('<BIQ', 31, number, time)
            elif number < 30:
                body += struct.pack('<I', number | (time & 0x7ffffff) << 5)
            else:
                body += struct.pack('<IH', 30 | (time & 0x7ffffff) << 5, number)
            body += content
            last = time
        size = -(-(76 + len(body)) // PAGE) * PAGE
        head = struct.pack('<I16sIQQQQQQI', 0xC1FC1FC1, self.uuid, self.channels.index(channel), records[0][0], last,
                           (76 + len(body)) * 8, size * 8, sequence, discarded, cpu)
        return (head + body).ljust(size, b'\0')

    def write(self, records_in_packet=200, discarded=lambda channel, cpu, packet: 0):
        self.folder.mkdir(parents=True)
        (self.folder / 'metadata').write_text(self.metadata())
        for (channel, cpu), records in self.records.items():
            records.sort(key=lambda record: record[0])
            pieces = [records[i:i + records_in_packet] for i in range(0, len(records), records_in_packet)]
            (self.folder / f'{channel}_{cpu}').write_bytes(b''.join(
                self.packet(channel, cpu, number, piece, discarded(channel, cpu, number)) for number, piece in enumerate(pieces)))


def uuid_text(uuid):
    return re.sub(r'(.{8})(.{4})(.{4})(.{4})(.{12})', r'\1-\2-\3-\4-\5', uuid.hex())
