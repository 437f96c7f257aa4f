#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Compare recorded system calls with what the kernel and strace show.

	syscalls.py strace TEXT STRACE		the text of babeltrace2, and "strace -f -X raw -s 4096"
	syscalls.py fields INFO EVENTS		"lttctl markers --info 'syscall:*'", and the folder
						events/syscalls of tracefs

Prints what differs, and as the last line how many calls or arguments were compared.
"""
import errno
import re
import sys
from pathlib import Path

FIELD = re.compile(r'(\w+) = ("(?:[^"\\]|\\.)*"|[^,{}]+)')
EVENT = re.compile(r'syscall:(\w+): \{ cpu_id = \d+ \}, \{ tid = (\d+) \}(?:, \{ (.*) \})?$')
CALL = re.compile(r'^(\d+) +(\w+)\((.*)\) += (\?|-?\w+)(?: ([A-Z]+))?')
ARGUMENT = re.compile(r'"(?:[^"\\]|\\.)*"(?:\.\.\.)?|\{(?:[^{}]|\{[^{}]*\})*\}|\[[^\]]*\]|[^,]+')
MEMBER = re.compile(r'\((struct (?!sockaddr\)).*[^*]|(?:compat_)?sigset_t)\)$')


def number(text):
    text = text.split(' /*')[0].strip()
    if text == 'NULL':
        return 0
    if re.fullmatch(r'0x[0-9a-fA-F]+', text):
        return int(text, 16)
    if re.fullmatch(r'0[0-7]+', text):
        return int(text, 8)
    if re.fullmatch(r'-?\d+', text):
        return int(text)
    return None


def recorded(path):
    """The calls of each thread, in order: name, list of values, and what was returned."""
    calls = {}
    for line in open(path, errors='replace'):
        found = EVENT.search(line)
        if not found:
            continue
        name, tid, fields = found.groups()
        fields = FIELD.findall(fields or '')
        of_thread = calls.setdefault(tid, [])
        if not name.endswith('_exit'):
            of_thread.append([name, [value for _, value in fields], None])
        elif of_thread and of_thread[-1][0] == name[:-len('_exit')]:
            of_thread[-1][2] = number(fields[0][1])
    return calls


def shown(path):
    """The calls that strace shows, by thread."""
    calls = {}
    for line in open(path, errors='replace'):
        found = CALL.match(line)
        if not found:
            continue
        tid, name, arguments, ret, error = found.groups()
        ret = None if ret == '?' else -getattr(errno, error) if error else number(ret)
        values = [text.strip() for text in ARGUMENT.findall(arguments)]
        calls.setdefault(tid, []).append([name, values, ret])
    return calls


def same(ours, theirs):
    """True or False; None if the two cannot be compared: a buffer or structure."""
    # babeltrace2 2.0.4 leaves an earlier text in an empty string.
    if theirs == '""':
        return None
    if ours.startswith('"'):
        return ours == theirs if theirs.startswith('"') else None
    ours, theirs = number(ours), number(theirs)
    if ours is None or theirs is None:
        return None
    # A number of 32 bits, shown with a sign or without.
    return any((ours - theirs) % size == 0 for size in (1 << 64, 1 << 32))


def compare_with_strace(text, strace):
    ours, theirs = recorded(text), shown(strace)
    compared = 0
    for tid, calls in theirs.items():
        mine = ours.get(tid, [])
        first = [call[0] for call in calls][0]
        # strace prepares the process before it executes the program.
        start = next((i for i, call in enumerate(mine) if call[0] == first), 0)
        mine = mine[start:]
        if [call[0] for call in mine] != [call[0] for call in calls]:
            print(f'thread {tid}: calls differ: {len(mine)} recorded, {len(calls)} shown')
        for (name, values, ret), (_, their_values, their_ret) in zip(mine, calls):
            if their_ret is not None and (ret is None or (ret - their_ret) % (1 << 64)):
                print(f'{name}: returned {ret}, strace {their_ret}')
            for mine_value, their_value in zip(values, their_values):
                verdict = same(mine_value, their_value)
                if verdict is False:
                    print(f'{name}: {mine_value} is {their_value} for strace: {values} {their_values}')
                # Behind a structure of ours come its members.
                if verdict is None and their_value[0] in '{[':
                    break
                compared += bool(verdict)
    print(compared)


def compare_fields(info, events):
    arguments, name = {}, None
    for line in open(info):
        if line.startswith('marker '):
            name = line.split(':')[1].strip()
            arguments[name] = 0
        elif line.startswith('field ') and not MEMBER.search(line.strip()) and 'field unread' not in line:
            arguments[name] += 1
    compared = 0
    for folder in Path(events).glob('sys_enter_*'):
        name = folder.name[len('sys_enter_'):]
        if name not in arguments:
            continue
        # Newer kernels copy the texts to which arguments point behind them.
        theirs = re.findall(r'^\tfield:(?!__data_loc).*?(\w+);', (folder / 'format').read_text(), re.M)
        theirs = [field for field in theirs if not field.startswith('common_')][1:]
        if len(theirs) != arguments[name]:
            print(f'{name}: {arguments[name]} arguments, the kernel has {len(theirs)}')
        compared += 1
    print(compared)


if __name__ == '__main__':
    {'strace': compare_with_strace, 'fields': compare_fields}[sys.argv[1]](*sys.argv[2:])
