#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Check that the reader notices faults: falsify.py FOLDER

FOLDER has the traces that tests/unit/test-ctf has kept. The reader must read each as babeltrace2
does. Then this script plants each fault that a trace can have in one of them, and the reader must
find it: the faults of efficios/ctf-testsuite's lists stream/fail and metadata/fail, by their names
there, and faults in a sequence of packets. Prints "ok NAME" or "not ok NAME".
"""
import re
import shutil
import struct
import sys
import tempfile
from pathlib import Path

import ctf
from tsdl import Bad

# In the packet, doc/format.md: offset and struct format.
FIELD = {'magic': (0, 'I'), 'uuid': (4, 'B'), 'stream_id': (20, 'I'), 'timestamp_begin': (24, 'Q'),
         'timestamp_end': (32, 'Q'), 'content_size': (40, 'Q'), 'packet_size': (48, 'Q'),
         'packet_seq_num': (56, 'Q'), 'events_discarded': (64, 'Q'), 'cpu_id': (72, 'I')}
HEADER = 76
INT = 'typealias integer { size = 8; align = 8; signed = false; } := uint8_t;'
FIELDS = r'fields := struct \{\n'
failed = []


def result(name, good, note=''):
    print(f'{"ok" if good else "not ok"} reader-{name}' + (f' # {note}' if note else ''))
    failed.extend([] if good else [name])


def get(data, name, packet=0):
    return struct.unpack_from('=' + FIELD[name][1], data, packet + FIELD[name][0])[0]


def put(data, name, value, packet=0):
    data = bytearray(data)
    struct.pack_into('=' + FIELD[name][1], data, packet + FIELD[name][0], value)
    return bytes(data)


def fault_of(text, data=None):
    """The fault that the reader finds, or ''."""
    try:
        trace = ctf.Trace(text)
        if data is not None:
            ctf.Stream(trace, data).read()
        return ''
    except Bad as bad:
        fault_of.sentence = str(bad)
        return bad.fault


# Metadata: name in the list (several that are one to the reader), the fault, what to replace.
METADATA = [
    ('empty', 'trace-block', r'(?s).*', ''),
    ('array-redefinition typedef-redefinition typealias-duplicate-name', 'type-redefined', INT, INT + INT),
    ('array-size-identifier array-size-type array-size-not-present', 'sequence-length', FIELDS, r'\g<0>uint8_t a[nothing];'),
    ('array-size-keyword array-size-type-field', 'sequence-length', FIELDS, r'\g<0>uint8_t a[stream];'),
    ('array-size-negative', 'array-length', FIELDS, r'\g<0>uint8_t a[-1];'),
    ('array-size-string', 'syntax', FIELDS, r'\g<0>uint8_t a["1"];'),
    ('sequence-length-signed', 'sequence-length', FIELDS, r'\g<0>integer { size = 8; signed = true; } n; uint8_t a[n];'),
    ('enum-empty', 'enum-empty', FIELDS, r'\g<0>enum : uint8_t { } e;'),
    ('enum-field-value-out-of-range enum-type-value-out-of-range enum-values-too-big', 'enum-range', 'extended = 31', 'extended = 32'),
    ('enum-type-negative-out-of-range enum-values-too-small', 'enum-range', 'compact = 0', 'compact = -1'),
    ('enum-untyped-missing-int enum-type-implicit-but-undefined-int-type', 'type-unknown', FIELDS, r'\g<0>enum { A } e;'),
    ('enum-untyped-string', 'enum-container', FIELDS, r'\g<0>enum : struct { uint8_t a; } { A } e;'),
    ('enum-values-floating', 'syntax', 'extended = 31', 'extended = 31.5'),
    ('enum-values-token', 'syntax', 'extended = 31', 'extended = event'),
    ('event-id-string', 'event-id', r'(event \{\n.*\n\tid = )\d+', r'\1"a"'),
    ('event-id-struct', 'event-id', r'(event \{\n.*\n\tid = )\d+', r'\1struct'),
    ('integer-align-as-string', 'alignment', r'align = 8', 'align = "8"'),
    ('integer-align-negative', 'alignment', r'align = 8', 'align = -8'),
    ('integer-align-non-power-2', 'alignment', r'align = 8', 'align = 3'),
    ('integer-base-as-string integer-base-invalid', 'attribute-value', 'signed = false;', 'signed = false; base = "10";'),
    ('integer-byte-order-invalid', 'byte-order', 'signed = false;', 'signed = false; byte_order = odd;'),
    ('integer-encoding-as-string integer-encoding-invalid', 'attribute-value', 'signed = false;', 'signed = false; encoding = "UTF8";'),
    ('integer-negative-bit-size integer-size-negative', 'integer-size', 'size = 8;', 'size = -8;'),
    ('integer-range', 'integer-size', 'size = 8;', 'size = 65;'),
    ('integer-size-as-string', 'integer-size', 'size = 8;', 'size = "8";'),
    ('integer-size-missing', 'integer-size', 'size = 8;', ''),
    ('integer-signed-as-string integer-signed-invalid', 'attribute-value', 'signed = false', 'signed = "false"'),
    ('integer-attribute-unknown', 'attribute-unknown', 'signed = false', 'sign = false'),
    ('lexer-literal-guid-corrupted', 'uuid', r'uuid = "1', 'uuid = "x'),
    ('lexer-literal-guid-too-big', 'uuid', r'uuid = "1', 'uuid = "11'),
    ('lexer-literal-guid-too-small', 'uuid', r'uuid = "1', 'uuid = "'),
    ('lexer-literal-int-incomplete', 'lexical', 'minor = 8', 'minor = 08'),
    ('lexer-unterminated-bracket lexer-unterminated-declaration', 'syntax', r'\};\n\n\Z', ''),
    ('lexer-unterminated-string string-concat', 'lexical', r'(name = "[^"]*)";\n\tid(?s:.*)', r'\1'),
    ('lexer-version-broken lexer-version-too-big', 'version', 'minor = 8', 'minor = 9'),
    ('metadata-with-null-char packet-based-metadata', 'lexical', 'minor', '\0minor'),
    ('name-escaping-clashes struct-duplicate-field-name', 'field-name', FIELDS, r'\g<0>uint8_t _a; uint8_t a;'),
    ('name-escaping-empty', 'field-name', FIELDS, r'\g<0>uint8_t _;'),
    ('repeated-event-id-in-same-stream', 'event-twice', r'(?s)event \{.*\Z', r'\g<0>\g<0>'),
    ('stream-undefined-id', 'event-stream', r'stream_id = \d+;\n\tfields', 'stream_id = 99;\n\tfields'),
    ('stream-twice', 'stream-twice', r'(?s)stream \{.*?\n\};', r'\g<0>\g<0>'),
    ('struct-align-enum struct-align-string', 'syntax', r'align\(8\)', 'align("8")'),
    ('struct-align-huge struct-align-zero', 'alignment', r'align\(8\)', 'align(0)'),
    ('struct-align-negative', 'alignment', r'align\(8\)', 'align(-8)'),
    ('struct-duplicate-struct-name', 'type-redefined', r'(?s)struct packet_context \{.*?\};', r'\g<0>\g<0>'),
    ('struct-field-name-keyword struct-reserved-keywords', 'keyword', FIELDS, r'\g<0>uint8_t event;'),
    ('typealias-reserved-keyword typedef-reserved-keyword', 'keyword', ':= uint8_t', ':= stream'),
    ('typealias-invalid-type-kind', 'type-unknown', 'typealias integer', 'typealias number'),
    ('struct-inner-struct-undefined struct-recursive', 'type-unknown', FIELDS, r'\g<0>struct r { struct r a; } b;'),
    ('struct-int-type-undefined', 'type-unknown', FIELDS, r'\g<0>uint9_t a;'),
    ('variant-missing-selector', 'variant-options', r'\t\tstruct [^\n]* medium;\n', ''),
    ('variant-missing-tag', 'variant-tag', 'variant <id>', 'variant'),
    ('variant-tag-keyword variant-tag-string', 'variant-tag', 'variant <id>', 'variant <event>'),
    ('variant-tag-integer variant-tag-type-floating variant-tag-type-string', 'variant-tag', 'enum : uint5_t [^}]*[}] id', 'uint32_t id'),
    ('variant-string-fields', 'syntax', r'(variant <id> \{\n)', r'\1string "a";'),
    ('cross-packet-event-alignment-integer out-of-bound-alignment-integer', 'not-of-ltt', FIELDS, r'\g<0>integer { size = 32; align = 32; } a;'),
    ('cross-packet-event-alignment-empty-struct out-of-bound-empty-event-with-aligned-struct', 'not-of-ltt', FIELDS, r'\g<0>struct { } align(64) a;'),
    ('cross-packet-event-float out-of-bound-float', 'not-of-ltt', FIELDS, r'\g<0>floating_point { exp_dig = 8; mant_dig = 24; align = 32; } a;'),
    ('cross-packet-event-variant-selected-element out-of-bound-variant-selected-element', 'not-of-ltt', FIELDS,
     r'\g<0>enum : uint8_t { A } t; variant <t> { uint8_t A; } a;'),
]

# One packet after another: the fault, and what to change in the second of two.
PACKETS = [
    ('packet-overlap', lambda data, at: put(data, 'timestamp_begin', get(data, 'timestamp_end') - 1, at)),
    ('packet-times', lambda data, at: put(data, 'timestamp_end', get(data, 'timestamp_begin', at) - 1, at)),
    ('time-after-end', lambda data, at: put(put(data, 'timestamp_begin', 0), 'timestamp_end', 1)),
    ('sequence-number', lambda data, at: put(data, 'packet_seq_num', 0, at)),
    ('discarded-decrease', lambda data, at: put(data, 'events_discarded', 1)),
    ('packet-cpu', lambda data, at: put(data, 'cpu_id', 77, at)),
    ('packet-stream', lambda data, at: put(data, 'stream_id', 0, at)),
    ('packet-uuid', lambda data, at: put(data, 'uuid', 0, at)),
    ('magic', lambda data, at: put(data, 'magic', 0, at)),
    ('padding', lambda data, at: data[:at - 1] + b'x' + data[at:]),
    ('event-unknown', lambda data, at: data[:HEADER] + b'\x05' + data[HEADER + 1:]),
]


def check_metadata(good, data):
    for names, fault, pattern, replacement in METADATA:
        bad = re.sub(pattern, replacement, good, count=1)
        found = fault_of(bad)
        for name in names.split():
            result(f'refuses-{name}', bad != good and found == fault, found or 'nothing found')
    # Not enough labels for what is in the stream.
    bad = good.replace('compact = 0 ... 29', 'compact = 0 ... 0')
    for name in 'variant-out-of-range-enum-selector', 'variant-out-of-unknown-enum-selector':
        result(f'refuses-{name}', fault_of(bad, data) == 'enum-value')


def check_cuts(traces):
    """Content, or the file, that ends at each byte in turn: all but between two events."""
    wanted = {'integer': r'value of|serial|f\d+', 'string': r'the string (_s|_end)', 'struct': r'_tid of',
              'array-of-integers': r'_a\d+ of', 'len-of-sequence': r'__s\d+_length of',
              'sequence-start': r'_s\d+ of', 'large-sequence-length': r'_s\d+ of 3200',
              'packet-header': ''}
    seen = {name: set() for name in wanted}
    for text, data in traces:
        content, ends = get(data, 'content_size') // 8, 0
        first = data[:get(data, 'packet_size') // 8]
        # A long one at every seventh: its elements are up to 8 bytes.
        cuts = range(HEADER, content, 7 if content > 2000 else 1)
        for cut in cuts:
            fault = fault_of(text, put(first[:cut] + bytes(len(first) - cut), 'content_size', cut * 8))
            ends += fault == '' or fault == 'time-after-end'
            for name, pattern in wanted.items():
                if fault == 'event-beyond-content' and pattern and re.search(pattern, fault_of.sentence):
                    seen[name].add('cross-packet-event')
            if fault not in ('', 'event-beyond-content'):
                result(f'cut-at-{cut}', False, fault_of.sentence)
        for cut in range(1, len(first), 37):
            fault = fault_of(text, first[:cut])
            if cut < HEADER and fault == 'packet-header-short':
                seen['packet-header'].add('out-of-bound')
            elif fault != 'packet-beyond-file':
                result(f'file-ends-at-{cut}', False, fault)
        result('cuts', ends < len(cuts), f'{ends} of {len(cuts)} between events')
    for name, classes in seen.items():
        result(f'refuses-cut-{name}', classes, ' '.join(classes))


def check_packets(text, data):
    size = get(data, 'packet_size') // 8
    for name, change in PACKETS:
        bad = change(data, size)
        result(f'refuses-{name}', bad != data and fault_of(text, bad) == name, fault_of(text, bad))
    for name, fault, bad in (
            ('content-size-larger-than-packet-size', 'content-size', put(data, 'content_size', size * 8 + 8)),
            ('less-than-1-byte-packet-size', 'packet-size', put(data, 'packet_size', 4)),
            ('out-of-bound-packet', 'packet-beyond-file', put(data, 'packet_size', len(data) * 8 + 8))):
        result(f'refuses-{name}', fault_of(text, bad) == fault, fault_of(text, bad))
    # An event of no bits would never end.
    bad = re.sub(r'event.header := struct event_header;', 'event.header := struct { };', text)
    bad = re.sub(r'(?s)\tevent.context := struct \{.*?\};\n', '', bad)
    bad = re.sub(r'\t\tinteger [^\n]* _serial;\n', '', bad)
    result('refuses-event-empty', fault_of(bad, data) == 'event-empty', fault_of(bad, data))


def check_disagreement(folder):
    """One byte of a payload that only babeltrace2 sees."""
    with tempfile.TemporaryDirectory() as other:
        stream = ctf.streams_of(folder)[0]
        shutil.copy(folder / 'metadata', other)
        data = bytearray(stream.read_bytes())
        data[HEADER + 8] ^= 1
        Path(other, stream.name).write_bytes(data)
        honest = ctf.babeltrace
        ctf.babeltrace = lambda _, path: honest(other, Path(other, path.name))
        try:
            ctf.agree(folder)
            result('sees-disagreement', False)
        except Bad as bad:
            result('sees-disagreement', bad.fault == 'disagree')
        ctf.babeltrace = honest


def main():
    folders = sorted((path for path in Path(sys.argv[1]).iterdir() if path.is_dir()),
                     key=lambda path: (path / 'metadata').stat().st_mtime_ns)
    by_event = {}
    for number, folder in enumerate(folders, 1):
        text = (folder / 'metadata').read_text()
        name = re.findall(r'event \{\n\tname = "([^"]*)"', text)[0]
        by_event[name] = folder
        try:
            ctf.agree(folder)
            result(f'agrees-{number}', True, name)
        except Bad as bad:
            result(f'agrees-{number}', False, str(bad))

    def trace(name):
        folder = by_event[name]
        return (folder / 'metadata').read_text(), ctf.streams_of(folder)[0].read_bytes()

    check_metadata(*trace('group:name-1.x'))
    check_cuts([trace('group:name-1.x'), trace('bare'), trace('g:many')])
    check_packets(*trace('id0'))
    check_disagreement(by_event['group:name-1.x'])
    return bool(failed)


if __name__ == '__main__':
    sys.exit(main())
