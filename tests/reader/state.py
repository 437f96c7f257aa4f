#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""The events of a state of the system, which lttd writes, by the reader of ctf.py.

	state.py FOLDER		print them, an object of JSON a line
"""
import json
import re
import sys

import ctf


def value_of(text):
    """Numbers are printed in groups."""
    if re.fullmatch(r'-?\d{1,3}(,\d{3})+|-?\d+', text):
        return int(text.replace(',', ''))
    return int(text.replace(':', ''), 16) if re.fullmatch(r'0x[0-9a-f:]+', text) else text


def read_state(folder):
    """A dictionary for each event: its name as "event", its time in ns as "time", its fields."""
    events = []
    for lines in ctf.read_folder(folder).values():
        time, event = None, None
        for line in lines:
            if line.startswith('['):
                time, event = int(re.search(r'([\d,]+) ns', line)[1].replace(',', '')), None
            elif line.startswith('Event `state:'):
                event = {'event': re.match(r'Event `state:(\w+)`', line)[1], 'time': time}
                events.append(event)
            elif event is not None and line.startswith('    '):
                name, _, text = line.strip().partition(': ')
                event[name.rstrip(':')] = value_of(text)
    return events


def main():
    for event in read_state(sys.argv[1]):
        print(json.dumps(event))


if __name__ == '__main__':
    main()
