#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Compile the C code of documents: examples.py KDIR FOLDER

Each block becomes a function whose first lines declare what the documents leave to the reader.
Includes, functions and what defines one stand before it. doc/markers.md is for drivers, the rest
for programs. The example of libltttrace(3) is a program.
"""
import re
import subprocess
import sys
from pathlib import Path

REPO = Path(__file__).resolve().parent.parent.parent
PROGRAMS = ['README.md', 'doc/programs.md', *(f'doc/man/{page}.3' for page in
                                              ['libltt', 'trace_begin', 'trace_printf'])]
# A function, or a macro that defines one.
OUTSIDE = re.compile(r'(?m)^(?:#include.*|static [^=;]*\n\{\n(?s:.*?)^\}|LTT_TRACEPOINT\(.*\))$')

PROGRAM = '''#include <ltt/event.h>
#include <ltt/marker.h>
#include <ltt/slice.h>
#include <ltt/text.h>
#include <ltt/tracepoint.h>
#include <stdlib.h>
'''
PROGRAM_VALUES = '''
	int fd = 3, state = 1, id = 7, status = 0, length = 1, done = 1, all = 2;
	const char *path = "/", *begin = path, *end = path + 1, *url = path;
	unsigned char address[4] = { 0 }, body[64] = { 0 };
	double celsius = 1.5, mean = 2;
	size_t len = 1, size = 1;
'''
DRIVER = '''#include <ltt/marker.h>
#include <linux/dcache.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/skbuff.h>

MODULE_LICENSE("GPL");
struct queues {
	u32 depth[8];
	u16 credits[4];
	int nr;
};
'''
DRIVER_VALUES = '''
	static struct queues queues, *q = &queues;
	int fd = 3, old = 0, new = 1;
	size_t len = 1;
	const char *path = "/";
	u8 skb_mac[6] = { 0 };
'''


def blocks(page):
    text = (REPO / page).read_text()
    if page.endswith('.md'):
        return re.findall(r'(?ms)^```c\n(.*?)^```', text)
    literal = re.findall(r'(?ms)^\.Bd -literal[^\n]*\n(.*?)^\.Ed', text)
    return [''.join(re.findall(r'(?m)^trace_.*\n', block)) for block in literal]


def source(pages, head, values, arguments):
    outside, functions = [head], []
    for page in pages:
        for number, block in enumerate(filter(None, blocks(page))):
            name = re.sub(r'\W', '_', f'{page}_{number}')
            outside += OUTSIDE.findall(block)
            functions.append(f'void {name}({arguments});\nvoid {name}({arguments})\n{{{values}\n'
                             f'{OUTSIDE.sub("", block)}}}\n')
    return len(functions), '\n'.join(outside + functions)


def compiles(name, found, *command):
    run = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    good = found > 0 and run.returncode == 0
    if not good:
        print(*(f'    {line}' for line in [f'{found} blocks', *run.stdout.splitlines()[:20]]), sep='\n')
    print('ok' if good else 'not ok', f'examples/{name}')
    return good


def main():
    kdir, work = sys.argv[1], Path(sys.argv[2]).resolve()
    found, text = source(PROGRAMS, PROGRAM, PROGRAM_VALUES, 'void')
    (work / 'programs.c').write_text(text)
    good = compiles('programs', found, 'gcc', '-std=gnu11', '-Wall', '-Wextra', '-Werror', '-Wno-unused',
                    f'-I{REPO}/include', '-c', '-o', work / 'programs.o', work / 'programs.c')
    page = (REPO / 'doc/man/libltttrace.3').read_text()
    whole = [block for block in re.findall(r'(?ms)^\.Bd -literal[^\n]*\n(.*?)^\.Ed', page) if 'int main(' in block]
    (work / 'reader.c').write_text('\n'.join(whole).replace('\\e', '\\'))
    good &= compiles('reader', len(whole), 'gcc', '-std=gnu11', '-Wall', '-Wextra', '-Werror', f'-I{REPO}/include', '-c',
                     '-o', work / 'reader.o', work / 'reader.c')
    # The kernel's headers define struct sk_buff and struct qstr.
    found, text = source(['doc/markers.md'], DRIVER, DRIVER_VALUES, 'struct sk_buff *skb, struct qstr *qstr')
    (work / 'driver.c').write_text(text)
    (work / 'Kbuild').write_text(f'obj-m := driver.o\nccflags-y := -I{REPO}/include -Wno-unused-variable\n')
    return not compiles('driver', found, 'make', '-C', kdir, f'M={work}', 'modules') or not good


if __name__ == '__main__':
    sys.exit(main())
