# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Emits the events that ../check expects of each language: test.py [refused | cost | more]."""
import array
import os
import sys
import timeit

import ltt


def emit():
    types = ltt.Event('lang', 'types', yes=bool, n=int, u=ltt.U64, small=ltt.S16, d=float, text=str, blob=bytes,
                      hex=ltt.U32 | ltt.HEX, state=(ltt.U8, 'idle=0,run=1'))
    types(True, -5, 2**64 - 1, -2, 1.5, 'grüße', b'\0\xff', 0xbeef, 1)
    count = ltt.Event('lang', 'count', i=int)
    for i in range(100):
        count(i)


def refused():
    for make in (lambda: ltt.Event('lang', 'a b'), lambda: ltt.Event('lang', 'x', **{'a b': int}),
                 lambda: ltt.Event('lang', 'x', **{f'f{i}': int for i in range(13)}),
                 lambda: ltt.Event('lang', 'x', t=(str, 'a=1'))):
        try:
            make()
        except ValueError as error:
            assert str(error), 'no reason'
            print('refused')
    for arguments in ('lang',), ('lang', 'x', 1), (1, 'x'):
        try:
            ltt.Event(*arguments)
        except TypeError:
            print('refused')
    for wrong in 15.5, complex, (int, 1), -1, 0:
        try:
            ltt.Event('lang', 'x', t=wrong)
        except TypeError:
            print('refused')


def more():
    """While it is recorded, wrong values raise exceptions and are not recorded; odd ones are recorded."""
    event = ltt.Event('lang', 'more', n=int, text=str, data=ltt.S16 | ltt.SEQUENCE, f=ltt.FLOAT)
    assert event.enabled
    fine = array.array('h', [1, -1])
    for values in (1, 'x', fine), ('1', 'x', fine, 0), (1, b'x', fine, 0), (1, 'x', array.array('i', [1]), 0), \
            (1, 'x', 5, 0), (1, 'x', fine, 'y'), (1, 'x', fine, 0, 0):
        try:
            event(*values)
        except TypeError:
            print('refused')
    event(-1, None, fine, -1.0)
    event(2**70 + 3, 'a\udcffb', memoryview(fine)[:1], 0.5)
    if not os.fork():
        event(os.getpid(), '', fine, 0)
        ltt.Event('lang', 'child', pid=int)(os.getpid())
        os._exit(0)
    os.wait()


def cost():
    """Prints nanoseconds for an event with two integers: of the best of many short rounds."""
    event = ltt.Event('lang', 'cost', a=int, b=int)
    loops = 10000
    print(min(timeit.repeat('event(1, 2)', globals={'event': event}, number=loops, repeat=30)) / loops * 1e9)


{'refused': refused, 'more': more, 'cost': cost}.get(''.join(sys.argv[1:]), emit)()
