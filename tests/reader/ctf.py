#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""A second reader of CTF 1.8 traces, which shares nothing with babeltrace2.

	ctf.py FOLDER		print each stream: packets, events, times, fields, losses
	ctf.py --agree FOLDER	compare that with what babeltrace2 prints, byte for byte

FOLDER is a trace: metadata and data streams. The reader checks all that a data stream contains
against the metadata and itself. Each fault has a name (Bad.fault); falsify.py checks that the
reader finds each.
"""
import os
import struct
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path

from tsdl import Bad, Parser

MAGIC = 0xC1FC1FC1


class Trace:
    def __init__(self, text):
        blocks = Parser(text).parse()
        self.trace = self.only(blocks, 'trace')
        self.clocks = {clock.get('name'): clock for kind, clock in blocks if kind == 'clock'}
        self.streams, self.events = {}, {}
        self.check_trace()
        for kind, block in blocks:
            if kind == 'stream':
                self.add_stream(block)
            elif kind == 'event':
                self.add_event(block)

    def only(self, blocks, wanted):
        found = [block for kind, block in blocks if kind == wanted]
        if len(found) != 1:
            raise Bad('trace-block', f'there are {len(found)} blocks of {wanted}')
        return found[0]

    def check_trace(self):
        if (self.trace.get('major'), self.trace.get('minor')) != (1, 8):
            raise Bad('version', 'this is not CTF 1.8')
        self.order = self.trace.get('byte_order')
        if self.order not in ('le', 'be'):
            raise Bad('byte-order', f'byte_order = {self.order}')
        try:
            self.uuid = uuid.UUID(self.trace.get('uuid', ''))
        except ValueError:
            raise Bad('uuid', f'{self.trace.get("uuid")} is not a uuid') from None
        header = self.trace.get('packet.header')
        if not header or header.kind != 'struct' or header.fields[0][0] != 'magic':
            raise Bad('packet-header', 'the packet header does not begin with magic')
        for name, clock in self.clocks.items():
            if not name or clock.get('freq', 10**9) <= 0 or clock.get('offset', 0) >= clock.get('freq', 10**9):
                raise Bad('clock', f'the clock {name} has no sense')

    def add_stream(self, block):
        if block.get('id', 0) in self.streams:
            raise Bad('stream-twice', f'there are two streams {block.get("id")}')
        for name in 'packet.context', 'event.header', 'event.context':
            if name in block and block[name].kind != 'struct':
                raise Bad('stream-type', f'{name} is not a struct')
        self.streams[block.get('id', 0)] = block

    def add_event(self, block):
        for what in 'id', 'stream_id':
            if not isinstance(block.get(what, 0), int):
                raise Bad('event-id', f'{what} = {block[what]}')
        key = block.get('stream_id', 0), block.get('id', 0)
        if 'name' not in block:
            raise Bad('event-name', f'event {key} has no name')
        if key[0] not in self.streams:
            raise Bad('event-stream', f'{block["name"]} is in no stream there is')
        if key in self.events:
            raise Bad('event-twice', f'there are two events {key}')
        if block.get('fields') and block['fields'].kind != 'struct':
            raise Bad('event-fields', f'the fields of {block["name"]} are not a struct')
        self.events[key] = block
        self.check_dual(block.get('fields'))

    def check_dual(self, made):
        """Faults that a stream of LTT cannot have, as it does not use the feature."""
        parts = [field for _, field in getattr(made, 'fields', [])] + [getattr(made, 'element', None)]
        if made and (made.kind == 'variant' or made.align > 8):
            raise Bad('not-of-ltt', f'a {made.kind} aligned to {made.align}')
        for part in filter(None, parts):
            self.check_dual(part)


class Cursor:
    """Reads values of types; @end, in bits, is as far as it may, which fault it is otherwise
    tells @beyond."""

    def __init__(self, trace, data, at, end, beyond):
        self.trace, self.data, self.at, self.end, self.beyond = trace, data, at, end, beyond
        self.clock = 0

    def room(self, bits, what):
        if self.at + bits > self.end:
            raise Bad(self.beyond, f'{what} of {bits} bits at bit {self.at} ends beyond {self.end}')

    def align(self, bits, what):
        self.at += -self.at % bits
        self.room(0, f'the alignment of {what}')

    def bits(self, size, order, what):
        self.room(size, what)
        first, last = self.at // 8, (self.at + size + 7) // 8
        low = self.at % 8
        self.at += size
        order = order or self.trace.order
        value = int.from_bytes(self.data[first:last], 'little' if order == 'le' else 'big')
        if order == 'be':
            low = (last - first) * 8 - low - size
        return value >> low & ((1 << size) - 1)

    def read(self, made, what, known):
        """Of a struct, a list of (name, type, value); @known: integers and enums by name."""
        self.align(made.align, what)
        if made.kind == 'integer':
            value = self.bits(made.size, made.order, what)
            if made.clock:
                self.tick(value, made.size)
            return value - (1 << made.size) if made.signed and value >> made.size - 1 else value
        if made.kind == 'enum':
            return self.read(made.base, what, known)
        if made.kind == 'float':
            value = self.bits(made.size, made.order, what)
            return struct.unpack('<f' if made.size == 32 else '<d', value.to_bytes(made.size // 8, 'little'))[0]
        if made.kind == 'string':
            self.room(8, what)
            end = self.data.find(b'\0', self.at // 8, self.end // 8)
            if end < 0:
                raise Bad(self.beyond, f'the string {what} does not end')
            value = self.data[self.at // 8:end]
            self.at = (end + 1) * 8
            return value
        if made.kind == 'struct':
            found, inner = [], dict(known)
            for name, field in made.fields:
                value = self.read(field, name, inner)
                inner[name] = (field, value)
                if field.kind == 'variant':
                    name, field, value = value
                found.append((name, field, value))
            return found
        if made.kind == 'variant':
            tag, value = known[made.tag]
            labels = [label for first, last, label in tag.ranges if first <= value <= last]
            options = dict(made.fields)
            if not labels:
                raise Bad('enum-value', f'{made.tag} has no label for {value}')
            return labels[0], options[labels[0]], self.read(options[labels[0]], what, known)
        length = made.length
        if made.kind == 'sequence':
            length = known[length][1]
        # Before a list of that length is made.
        if made.element.kind == 'integer':
            self.room(length * made.element.size, what)
        values = [self.read(made.element, what, known) for _ in range(length)]
        if made.element.kind == 'integer' and made.element.text:
            return bytes(value & 255 for value in values).split(b'\0')[0]
        return values

    def tick(self, value, size):
        """A clock value of fewer bits tells how far the clock has come since the last."""
        old = self.clock
        self.clock = old - old % (1 << size) + value if size < 64 else value
        if self.clock < old and size < 64:
            self.clock += 1 << size


def flatten(fields):
    """Of an event header: the last value of each name, in variants too."""
    found = {}
    for name, made, value in fields:
        if made.kind == 'struct':
            found.update(flatten(value))
        else:
            found[name] = value
    return found


class Stream:
    """The packets of one file, as lines of text like those of babeltrace2's details."""

    def __init__(self, trace, data):
        self.trace, self.data, self.lines = trace, data, []
        self.id = None
        self.last = {}                  # of the packet before

    def say(self, *lines):
        self.lines += [*lines, '']

    def time(self, cycles):
        clock = next(iter(self.trace.clocks.values()))
        freq = clock.get('freq', 10**9)

        def in_ns(count):
            # Of other clocks babeltrace2 2.0 calculates the time in floating point, some
            # nanoseconds off in days; the cycles beside it are exact.
            return count if freq == 10**9 else int(1e9 * float(count) / float(freq))

        ns = clock.get('offset_s', 0) * 10**9 + in_ns(clock.get('offset', 0)) + in_ns(cycles)
        return f'[{grouped(cycles)} cycles, {grouped(ns)} ns from origin]'

    def read(self):
        at = 0
        while at < len(self.data):
            at += self.packet(at)
        return self.lines

    def packet(self, at):
        limit = (len(self.data) - at) * 8
        cursor = Cursor(self.trace, self.data[at:], 0, limit, 'packet-header-short')
        header = flatten(cursor.read(self.trace.trace['packet.header'], 'packet.header', {}))
        if header['magic'] != MAGIC:
            raise Bad('magic', f'a packet begins with {header["magic"]:#x}')
        if 'uuid' in header and bytes(header['uuid']) != self.trace.uuid.bytes:
            raise Bad('packet-uuid', 'a packet of another trace')
        number = header.get('stream_id', 0)
        if number not in self.trace.streams:
            raise Bad('packet-stream', f'there is no stream {number}')
        if self.id not in (None, number):
            raise Bad('packet-stream', f'stream {number} in the file of stream {self.id}')
        self.id, block = number, self.trace.streams[number]
        context = flatten(cursor.read(block['packet.context'], 'packet.context', {}))
        size, content = context['packet_size'], context['content_size']
        if size < 8 or size % 8:
            raise Bad('packet-size', f'a packet of {size} bits')
        if size > limit:
            raise Bad('packet-beyond-file', f'a packet of {size} bits where there are {limit}')
        if content > size:
            raise Bad('content-size', f'content of {content} bits in a packet of {size}')
        if cursor.at > content:
            raise Bad('content-size', f'content of {content} bits, the header has {cursor.at}')
        if any(self.data[at + (content + 7) // 8:at + size // 8][:4096 - (content // 8) % 4096]):
            raise Bad('padding', 'the bytes after the content are not zero')
        self.check_order(context)
        self.losses(context)
        self.say(self.time(context['timestamp_begin']), 'Packet beginning:', '  Context:',
                 f'    cpu_id: {context["cpu_id"]}')
        cursor.end, cursor.beyond = content, 'event-beyond-content'
        cursor.clock = context['timestamp_begin']
        while cursor.at < content:
            self.event(cursor, number, block)
        if cursor.clock > context['timestamp_end']:
            raise Bad('time-after-end', f'an event at {cursor.clock}, the packet ends {context["timestamp_end"]}')
        self.say(self.time(context['timestamp_end']), 'Packet end')
        self.last = context
        return size // 8

    def check_order(self, now):
        last = self.last
        if now['timestamp_end'] < now['timestamp_begin']:
            raise Bad('packet-times', 'a packet ends before it begins')
        if last and now['timestamp_begin'] < last['timestamp_end']:
            raise Bad('packet-overlap', 'a packet begins before the last one ends')
        if last and now['events_discarded'] < last['events_discarded']:
            raise Bad('discarded-decrease', 'the discarded events become fewer')
        if last and now['packet_seq_num'] <= last['packet_seq_num']:
            raise Bad('sequence-number', 'the sequence number does not grow')
        if last and now['cpu_id'] != last['cpu_id']:
            raise Bad('packet-cpu', 'packets of two CPUs in a file')

    def losses(self, now):
        last = self.last
        events = now['events_discarded'] - (last['events_discarded'] if last else 0)
        packets = now['packet_seq_num'] - last['packet_seq_num'] - 1 if last else 0
        begin = self.time(last['timestamp_end'] if last else now['timestamp_begin'])
        if events:
            # Before the first packet there is nothing to count from.
            count = f' ({grouped(events)} event{"s" * (events > 1)})' if last else ''
            self.say(begin, self.time(now['timestamp_end']), f'Discarded events{count}')
        if packets:
            self.say(begin, self.time(now['timestamp_begin']),
                     f'Discarded packets ({grouped(packets)} packet{"s" * (packets > 1)})')

    def event(self, cursor, number, block):
        before = cursor.at
        header = flatten(cursor.read(block['event.header'], 'event.header', {}))
        key = number, header.get('id', 0)
        if key not in self.trace.events:
            raise Bad('event-unknown', f'an event of id {key[1]}, which stream {number} does not have')
        event = self.trace.events[key]
        lines = [self.time(cursor.clock), f'Event `{event["name"]}` (Class ID {grouped(key[1])}):']
        for title, made in (('Common context', block.get('event.context')),
                            ('Specific context', event.get('context')), ('Payload', event.get('fields'))):
            if made:
                lines += shown(title, cursor.read(made, title, {}))
        if cursor.at == before:
            raise Bad('event-empty', 'an event of no bits')
        self.say(*lines)


def grouped(n, base=10):
    """Digits in groups, as babeltrace2 has it."""
    digits = {10: '{}', 16: '{:x}', 8: '{:o}', 2: '{:b}'}[base].format(abs(n))
    step, mark = {10: (3, ','), 16: (4, ':'), 8: (3, ':'), 2: (4, ':')}[base]
    if base != 10 or abs(n) > 9999:
        first = len(digits) % step
        digits = mark.join(filter(None, [digits[:first]] + [digits[i:i + step]
                                                            for i in range(first, len(digits), step)]))
    return ('-' if n < 0 else '') + {10: '', 16: '0x', 8: '0', 2: '0b'}[base] + digits


def shown(title, fields):
    return [f'  {title}:' if fields else f'  {title}: Empty'] + [
        line for name, made, value in fields for line in field_lines(name, made, value)]


def field_lines(name, made, value):
    # One leading underscore protects a name from being TSDL's.
    name = name[1:] if name.startswith('_') else name
    if isinstance(value, bytes):
        return [f'    {name}: {value.decode(errors="surrogateescape")}']
    if made.kind == 'float':
        return [f'    {name}: {value:f}']
    if made.kind == 'enum':
        made = made.base
    if made.kind not in ('array', 'sequence'):
        return [f'    {name}: {grouped(value, made.base)}']
    if not value:
        return [f'    {name}: Empty']
    return [f'    {name}: Length {grouped(len(value))}:'] + [
        f'      [{i}]: {grouped(item, made.element.base)}' for i, item in enumerate(value)]


def streams_of(folder):
    return sorted(path for path in Path(folder).iterdir()
                  if path.is_file() and path.name != 'metadata' and not path.name.startswith('.'))


def read_folder(folder):
    """Lists of lines, by stream file; a Bad when something is wrong."""
    trace = Trace((Path(folder) / 'metadata').read_text(errors='surrogateescape'))
    return {path: Stream(trace, path.read_bytes()).read() for path in streams_of(folder)
            if path.stat().st_size}


def babeltrace(folder, stream):
    """The same, by babeltrace2, of one stream; without numbers of its own making."""
    with tempfile.TemporaryDirectory() as alone:
        os.symlink(Path(folder).resolve() / 'metadata', f'{alone}/metadata')
        os.symlink(stream.resolve(), f'{alone}/{stream.name}')
        done = subprocess.run(['babeltrace2', '--component=sink.text.details',
                               '--params=with-metadata=no', alone], capture_output=True, check=True)
    lines = done.stdout.decode(errors='surrogateescape').split('\n')
    return [line for line in lines if not line.startswith('{Trace ')]


def agree(folder):
    for stream, ours in read_folder(folder).items():
        theirs = babeltrace(folder, stream)
        # The stream's beginning is about folders, its end is about nothing.
        theirs = theirs[theirs.index('') + 1:-3] if '[Unknown]' in theirs[:1] else theirs
        for number, (our, their) in enumerate(zip(ours + ['(end)'], theirs + ['(end)'])):
            # An empty string babeltrace2 2.0.4 shows as one of some earlier event.
            if our != their and not (our.endswith(': ') and their.startswith(our)):
                context = '\n'.join(ours[max(0, number - 8):number])
                raise Bad('disagree', f'{stream}, line {number}, after\n{context}\n'
                                      f'we say       {our}\nbabeltrace2  {their}')
        if len(ours) != len(theirs):
            raise Bad('disagree', f'{stream}: {len(ours)} lines and {len(theirs)}')
        print(f'{stream}: {sum(line.startswith("Event") for line in ours)} events, '
              f'{len(ours)} lines agree')


def main():
    sys.stdout.reconfigure(errors='surrogateescape')
    try:
        if len(sys.argv) == 3 and sys.argv[1] == '--agree':
            agree(sys.argv[2])
        elif len(sys.argv) == 2:
            for stream, lines in read_folder(sys.argv[1]).items():
                print(stream, *lines, sep='\n')
        else:
            sys.exit(__doc__)
    except Bad as bad:
        sys.exit(f'{sys.argv[-1]}: {bad}')


if __name__ == '__main__':
    main()
