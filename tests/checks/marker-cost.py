#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""The cost of a trace_mark() in machine instructions: marker-cost.py KDIR FOLDER

This check builds each function of a small driver with and without its marker. The function uses
the marker's arguments afterwards, too, so the marker does not add the cost of keeping them. A
disabled marker must add one no-op (two in a driver whose markers are raw tracepoints), and nothing
else: no load, no stack, no moved register. An enabled event with two integers may take
ENABLED_LIMIT instructions from the site to the call of the probe. Every marker of the sample driver
must be a no-op, and the driver must import nothing of LTT.

x86-64 only; elsewhere it checks nothing.
"""
import platform
import re
import subprocess
import sys
from pathlib import Path

REPO = Path(__file__).resolve().parent.parent.parent
ENABLED_LIMIT = 35

# Name; parameters; body, with MARK for the marker; its format and arguments.
FUNCTIONS = [
    ('leaf', 'int a, int b', 'MARK', '"a %d b %d", a, b'),
    ('between_calls', 'int a, unsigned long b', 'before(a); MARK; after(b); before(a);',
     '"a %d b %lu", a, b'),
    ('in_loop', 'int a, unsigned long b', 'while (a--) { before(a); MARK; after(b); }',
     '"a %d b %lu", a, b'),
    ('strings', 'const char *a, int b', 'before(b); MARK; after((unsigned long)a); before(b);',
     '"a %s b %d", a, b'),
    ('twelve', 'int a, unsigned long b', 'before(a); MARK; after(b); before(a);',
     '"a %d b %lu c %d d %lu e %d f %lu g %d h %lu i %d j %lu k %d l %lu", '
     'a, b, a, b, a, b, a, b, a, b, a, b'),
    ('loads', 'struct thing *t', 'before(1); MARK; after((unsigned long)t);',
     '"x %d y %d next %p", t->x, t->y, t->next'),
]

PREAMBLE = '''
#include <ltt/marker.h>
#include <linux/module.h>
struct thing { int x, y; struct thing *next; };
void before(int a);
void after(unsigned long b);
MODULE_LICENSE("GPL");
'''


def driver_source():
    lines = [PREAMBLE]
    for name, parameters, body, arguments in FUNCTIONS:
        for suffix, mark in ('with', f'trace_mark(cost, {name}, {arguments})'), ('without', ''):
            function = f'void {name}_{suffix}({parameters})'
            lines.append(f'{function};\n{function}\n{{\n\t{body.replace("MARK", mark)};\n}}')
    return '\n'.join(lines)


def build(kdir, folder, *options):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / 'cost.c').write_text(driver_source())
    (folder / 'outside.c').write_text(
        'void before(int a);\nvoid after(unsigned long b);\n'
        'void before(int a) { asm volatile("" : : "r" (a)); }\n'
        'void after(unsigned long b) { asm volatile("" : : "r" (b)); }\n')
    (folder / 'Kbuild').write_text(
        f'obj-m := ltt-cost.o\nltt-cost-y := cost.o outside.o\nccflags-y := -I{REPO}/include {" ".join(options)}\n')
    made = subprocess.run(['make', '-C', kdir, f'M={folder}', 'modules'],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if made.returncode:
        sys.exit(f'not ok marker-cost/build\n{made.stdout}')
    return folder / 'ltt-cost.ko'


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


class Code:
    """A module's instructions: address to text, with symbols for what is relocated."""

    def __init__(self, module):
        self.functions = {}     # name: addresses
        self.text = {}
        self.size = {}
        address = None
        for line in run('objdump', '-dr', '-j', '.text', '--no-show-raw-insn', module).splitlines():
            if head := re.match(r'[0-9a-f]+ <(.+)>:$', line):
                function = self.functions.setdefault(head[1], [])
            elif relocation := re.match(r'\s+[0-9a-f]+: (R_\S+)\s+(\S+)', line):
                self.text[address] = re.sub(r'\b[0-9a-f]+ <.*|0x0\b', relocation[2], self.text[address])
            elif instruction := re.match(r'\s+([0-9a-f]+):\s+(.*?)\s*(?:#.*)?$', line):
                if address is not None:
                    self.size[address] = int(instruction[1], 16) - address
                address = int(instruction[1], 16)
                self.text[address] = instruction[2]
                function.append(address)
        self.sites = self.jump_table(module)

    @staticmethod
    def jump_table(module):
        """Patched instructions and where each goes when enabled; entries are 16 bytes."""
        table = {}
        relocations = run('readelf', '-rW', module).split('Relocation section ')
        for section in relocations:
            if section.startswith("'.rela__jump_table'"):
                for offset, addend in re.findall(r'^([0-9a-f]+) .* \.text \+ ([0-9a-f]+)$', section, re.M):
                    table[int(offset, 16)] = int(addend, 16)
        return {code: table[offset + 4] for offset, code in table.items() if offset % 16 == 0}

    def reachable(self, function):
        """The addresses of a function that can run while no marker is enabled."""
        inside = set(self.functions[function])
        found, todo = set(), [self.functions[function][0]]
        while todo:
            address = todo.pop()
            if address in found or address not in inside:
                continue
            found.add(address)
            jump = re.match(r'(j\w+)\s+([0-9a-f]+) <', self.text[address])
            if jump:
                todo.append(int(jump[2], 16))
            if not self.text[address].startswith(('jmp', 'ret')):
                todo.append(address + self.size[address])
        return found

    def is_nop(self, address):
        return self.size[address] in (2, 5) and \
            self.text[address] in ('xchg   %ax,%ax', 'nopl   0x0(%rax,%rax,1)')


def kind(text):
    """The effect of an instruction, whatever the address it jumps to, and whichever of the
    registers that survive calls it uses."""
    text = re.sub(r'%[re]?(bx|bp|bpl|bl|1[2-5][dwb]?)\b', 'saved', text)
    return re.sub(r'^(j[a-z]+).*', r'\1', text)


def hot_path_is_the_same(code, name, nr_nops=1):
    """The instructions that can run while the marker is disabled are those of the function
    without it, and so many no-ops."""
    plain = code.reachable(f'{name}_without')
    marked = code.reachable(f'{name}_with')
    nops = marked & code.sites.keys()
    return len(nops) == nr_nops and all(map(code.is_nop, nops)) and \
        sorted(kind(code.text[address]) for address in plain) == \
        sorted(kind(code.text[address]) for address in marked - nops)


def instructions_to_probe(code, name):
    """From the site on, straight ahead and through calls, to the indirect call."""
    address = next(a for a in code.functions[f'{name}_with'] if a in code.sites)
    address = code.sites[address]
    count = 1                                   # the jump that the no-op becomes
    while '__x86_indirect_thunk' not in code.text[address] and \
            not re.match(r'call\s+\*', code.text[address]):
        count += 1
        text = code.text[address]
        if target := re.match(r'(?:call|jmp)\s+([0-9a-f]+) <ltt_mark', text):
            address = int(target[1], 16)
        else:
            address += code.size[address]       # no conditional jump is taken
    return count + 1


def check(condition, name, note=''):
    print(f'{"ok" if condition else "not ok"} marker-cost/{name}' + (f' # {note}' if note else ''))
    return bool(condition)


def main():
    kdir, folder = sys.argv[1], Path(sys.argv[2]).resolve()
    if platform.machine() != 'x86_64':
        print('ok marker-cost # SKIP it reads x86-64 instructions')
        return 0
    code = Code(build(kdir, folder))
    good = [check(hot_path_is_the_same(code, name), f'{name}-disabled-is-one-no-op')
            for name, _, _, _ in FUNCTIONS]
    raw = Code(build(kdir, folder / 'raw', '-DLTT_MARK_RAW_TRACEPOINTS'))
    good += [check(hot_path_is_the_same(raw, name, 2), f'{name}-disabled-as-raw-tracepoint-is-two-no-ops')
             for name, _, _, _ in FUNCTIONS]
    enabled = instructions_to_probe(code, 'between_calls')
    good += [check(enabled <= ENABLED_LIMIT, 'two-integers-enabled',
                   f'{enabled} instructions up to the probe, at most {ENABLED_LIMIT}')]

    module = REPO / 'samples' / 'ltt-sample.ko'
    if not module.exists():
        good += [check(False, 'sample-driver', f'{module} is not built, run make')]
        return 1
    sample = Code(module)
    marks = (REPO / 'samples' / 'ltt-sample.c').read_text().count('trace_mark(')
    good += [check(len(sample.sites) >= marks and all(map(sample.is_nop, sample.sites)),
                   'sample-driver-has-only-no-ops', f'{len(sample.sites)} of them'),
             check(' ltt_' not in run('nm', '-u', module), 'sample-driver-wants-nothing-of-LTT')]
    return not all(good)


if __name__ == '__main__':
    sys.exit(main())
