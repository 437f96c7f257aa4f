# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Find on the console the lines that a kernel in trouble prints."""
import re

COMPLAINTS = re.compile(
    r'\bBUG[: ]|WARNING:|Oops:|general protection fault|stack segment:|Call Trace:'
    # lockdep, RCU, schedulers and watchdogs
    r'|possible (recursive|circular) locking|possible irq lock inversion|inconsistent lock state'
    r'|bad unlock balance|held lock freed|lock held when returning|trying to register non-static key'
    r'|suspicious RCU usage|RCU-unsafe|illegal use of RCU|detected stall|blocked for more than'
    r'|sleeping function called|scheduling while atomic|turning off the locking correctness'
    # memory and objects
    r'|KASAN|KCSAN|KFENCE|UBSAN|Redzone|Poison overwritten|unreferenced object|pagealloc: memory corruption'
    r'|kmemleak: .*(disabled|Cannot|suspected)|ODEBUG:|refcount_t:|list_(add|del) corruption'
    r'|already present!'
    # modules and interrupts
    r'|\[ltt_\w+\] enqueued on deprecated|Unknown symbol|disagrees about version of symbol|Uhhuh')

KCSAN_RULE = re.compile(r'={60,}$')
NO_MEMORY = re.compile(r' invoked oom-killer: |: page allocation failure: ')
LTT_FRAME = re.compile(r'\[ltt_\w+\]')
INTERRUPT_FRAME = re.compile(r' asm_(sysvec|exc|common|spurious)_')


def complaints(console):
    """(line number, line) of each, console being lines without their times."""
    ignored = races_of_others(console) | traces_of_no_memory(console)
    return [(number, line) for number, line in enumerate(console, 1)
            if COMPLAINTS.search(line) and number not in ignored]


def traces_of_no_memory(console):
    """The line numbers of the traces with which the kernel tells who ran out of memory."""
    found = set()
    for number, line in enumerate(console, 1):
        after = console[number:number + 8]
        if NO_MEMORY.search(line) and 'Call Trace:' in after:
            found.add(number + 1 + after.index('Call Trace:'))
    return found


def races_of_others(console):
    """The first lines, by number, of reports of races in which no code of LTT has a part.

    The kernel has races of its own that it lives with, and one with CONFIG_KCSAN_STRICT
    reports all. A report stands between two rules and shows all stacks involved;
    one that does not come to its end is not ignored.
    """
    ignored, first = set(), None
    for number, line in enumerate(console, 1):
        if not KCSAN_RULE.match(line):
            continue
        report = console[first - 1:number - 1] if first else ['']
        if not report[0].startswith('BUG: KCSAN'):
            first = number + 1
            continue
        if not has_part(report):
            ignored.add(first)
        first = None
    return ignored


def has_part(report):
    """Does code of LTT make one of the accesses, or call what does?

    The interrupted code is further down the same stack, and has no part in what
    its handler does.
    """
    interrupted = False
    for line in report:
        if not line.strip():
            interrupted = False
        elif INTERRUPT_FRAME.search(line):
            interrupted = True
        elif LTT_FRAME.search(line) and not interrupted:
            return True
    return False
