# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""The records that babeltrace2 reads in a recording, as the programs that check exports compare it."""
import re
import subprocess
from collections import namedtuple

Event = namedtuple('Event', 'time name cpu context fields')

LINE = re.compile(r'\[(\d+)\.(\d{9})\] (?:box )?(\S+): \{ cpu_id = (\d+) \}(?:, \{ ?(.*?) ?\})?(?:, \{ ?(.*?) ?\})?$')
FIELD = re.compile(r'(\w+) = ("(?:[^"\\]|\\.)*"|\[[^\]]*\]|[^,]*)')
ESCAPES = {'n': '\n', 't': '\t', 'r': '\r', 'a': '\a', 'b': '\b', 'f': '\f', 'v': '\v', 'e': '\x1b'}


def unquote(text):
    return re.sub(r'\\(x[0-9a-f]{2}|.)', lambda found: chr(int(found[1][1:], 16)) if len(found[1]) == 3
                  else ESCAPES.get(found[1], found[1]), text[1:-1])


def value(text):
    """A number, a string, or the text of an array: of "[ [0] = 1, [1] = 2 ]" the text "[1, 2]"."""
    if text.startswith('"'):
        return unquote(text)
    if text.startswith('['):
        return text
    return int(text, 0) if re.fullmatch(r'-?(\d+|0x[0-9a-fA-F]+)', text) else float(text)


def fields(text):
    # Arrays have brackets in brackets.
    text = re.sub(r'\[ (\[0\] = .*?) \]', lambda found: '[' + re.sub(r'\[\d+\] = ', '', found[1]) + ']', text or '')
    return {name: value(content) for name, content in FIELD.findall(text) if not name.endswith('_length')}


def read(folder, raw=False):
    """The events in the order of time; with raw, the values are texts."""
    out = subprocess.run(['babeltrace2', '--no-delta', '--clock-seconds', folder], stdout=subprocess.PIPE, check=True).stdout
    events = []
    for line in out.decode().splitlines():
        found = LINE.match(line)
        assert found, line
        seconds, nanoseconds, name, cpu, context, payload = found.groups()
        events.append(Event(int(seconds) * 10**9 + int(nanoseconds), name, int(cpu),
                            *(dict(FIELD.findall(text or '')) if raw else fields(text) for text in (context, payload))))
    return events
