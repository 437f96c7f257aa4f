#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Write the first cases of fuzz-NAME.c: seeds.py NAME FOLDER

For "message" these are messages of doc/device.md, right and almost right, in words of 4 and 8
bytes. For the other fuzzers they are valid inputs of every form.
"""
import base64
import itertools
import re
import struct
import sys
from pathlib import Path

PIECES = 7


def message(word, *args, size=None, padding=b'\0'):
    """A command with its arguments, numbers and bytes; SIZE in place of its own."""
    def number(value):
        return struct.pack('<Q' if word == 8 else '<I', value % (1 << 8 * word))

    words = [3, 7, *[len(arg) if isinstance(arg, bytes) else arg for arg in args]]
    blobs = b''.join(arg for arg in args if isinstance(arg, bytes))
    blobs += padding * (-len(blobs) % word)
    total = (1 + len(words)) * word + len(blobs)
    return b''.join(map(number, [total if size is None else size, *words])) + blobs


def case(word, args, *messages, limit=127):
    """The choices of fuzz-message.c, then the bytes."""
    kinds = sum(isinstance(arg, bytes) << i for i, arg in enumerate(args))
    return bytes([(word == 8) | limit << 1, len(args), kinds,
                  PIECES]) + b''.join(messages)


def format_cases():
    """Arguments as include/ltt/marker-types.h numbers and sizes them, then the format."""
    sizes = {0: 16, 1: 16, 2: 2, 3: 3, 8: 9, 11: 16, 14: 8, 15: 16}
    for kinds, text in (((8, 8), b'fd %d size %u'), ((1,), b'path %s'), ((0,), b'at %p'),
                        ((1,), b'path %d'), ((0,), b'at=%p'), ((3,), b'c: %c'),
                        ((2, 11), b'a %i,b:%#08lx;'), ((), b''), ((8,), b'_x1 %-5o'),
                        ((8, 8), b'a %d a %d'), ((14, 15), b'f %f d %.3g'), ((8, 1), b's %.*s'),
                        ((8, 0), b'b %*ph'), ((0, 0), b'b %16ph a %4pA'), ((8, 0, 8), b'a %*pA n %d'),
                        ((1, 1), b's %.9s t %s'), ((8,), b's %d{a=0,b=-1, c = 0x7f}'),
                        ((8, 0, 8), b'a %*pA _a_length %d')):
        yield bytes([len(kinds)]) + b''.join(bytes([kind, sizes[kind], 8 if kind == 0 else 0]) for kind in kinds) + \
            text + b'\0' + bytes(range(2, 90))
    # A text of five bytes without a NUL.
    yield bytes([2, 8, 9, 0, 1, 16, 0]) + b's %.*s\0' + bytes([2, 5, 0, 2]) + b'hello'
    # Texts that share the room: the third one has little left.
    yield bytes([4]) + bytes([1, 16, 0]) * 4 + b'a %s b %s c %s d %s\0' + b'\xff' * 40
    yield b'\0say "so\\"\n'
    yield b'\x000123'


def replies_cases():
    yield b'events\nstate\nevents_10\nevents_9 x\n'
    yield b'sched:sched_switch 1\nsample:open 0\nodd\n:x 1\n'
    yield (b'trace a\nstate running\nevents 0 emitted 5 stored 4 refused 1 full 1 bytes 100\n'
           b'event sched:sched_switch emitted 18446744073709551616 stored x\n'
           b'total emitted 5 stored 5 waits 1 timeouts 0\n')


def packets_cases():
    def packet(content, size, tail=b''):
        return b'\1' + struct.pack('<I16sIQQQQQQI', 0xC1FC1FC1, bytes(16), 1, 1, 2, content, size,
                                   0, 0, 0) + tail

    yield packet(76 * 8, 4096 * 8, bytes(100))
    yield packet(76 * 8, 8192 * 8, bytes(100))
    yield packet(76 * 8, 1 << 63, bytes(100))
    yield packet(76 * 8 - 1, 4096 * 8, bytes(100))
    yield packet(76 * 8, 4096 * 8, bytes(4020)) + packet(608, 32768)[1:]
    yield bytes([20 << 1]) + b'trace metadata 0123 trace metadata 0123 '
    yield bytes([30 << 1]) + 2 * b'/* CTF 1.8 */ and some more of it'
    yield b'\0' + 2 * b'/* CTF 1.8 */'


def options_cases():
    yield from (b'1', b'64k', b'1M', b'2G', b'1T', b'0', b'-1', b' 1', b'+1', b'1kk', b'1K', b'010',
                b'2048', b'4k', b'18446744073709555712', b'18446744073709551616', b'17592186044415M', b'sched:*', b'!x')


def probe_cases():
    yield from (b'kprobe:do_sys_openat2(dfd, filename:ustring)', b'kretprobe:vfs_read(ret, n=file->f_inode->i_ino:u32)',
                b'kprobe:mod:f+0x10(%di, 8(%sp), a=+u8(-16(arg1)):u8[16]@user, b=s.t[3].u)', b'uprobe:n=/bin/a:main(arg2:string[9])',
                b'usdt:/bin/a:p:q(arg1)', b'-4@%edi 8@%rsi 1@$-5 2@-16(%rbp) 8@(%rax,%rbx,8) 8f@%xmm0 4@x(%rip) 1@%ah')


def trace_cases():
    """Flags, the end of the metadata, packets; see fuzz-trace.c."""
    def record(number, time, payload=b''):
        head = struct.pack('<I', min(number, 30) | time << 5) + (struct.pack('<H', number) if number >= 30 else b'')
        return head + struct.pack('<i', 9) + payload

    def long_record(number, time, payload=b''):
        return struct.pack('<BIQi', 31, number, time, 9) + payload

    def packet(records, begin=0, discarded=0, skipped=0, length=10, more=0):
        return bytes([begin & 255, discarded, skipped, length, len(records), more]) + records

    everything = struct.pack('<H', 1) + b'hello\0' + struct.pack('<H2q', 2, -1, 5) + b'ab\0d' + struct.pack('<H', 3) + b'xyz' + bytes(4)
    lists = record(3, 1010, struct.pack('<H3q', 3, 1, 2, 3)) + record(3, 1020, struct.pack('<H', 0))
    event = b'event { name = "new"; id = 9; stream_id = 0; context := struct { string _c; }; fields := struct { ' \
        b'enum : integer { size = 8; align = 8; signed = true; } { "a" = -1, "b" = 1 ... 3 } _e; ' \
        b'floating_point { exp_dig = 11; mant_dig = 53; align = 8; } _d; }; };\n\0'
    some = [packet(record(1, 1001) + record(2, 1002, everything) + record(40, 1003, b'text\0') + lists),
            packet(long_record(1, 1085) + record(1, 1086), discarded=3), packet(b'', skipped=1),
            packet(record(40, 1170, b'cut'), begin=4), packet(record(77, 1200)), packet(record(3, 1300, b'\xff\xff'))]
    for flags in range(32):
        if not flags & 3:
            yield bytes([flags]) + b'\0' + b''.join(some)
            yield bytes([flags]) + event + packet(record(9, 1001, b'context\0' + bytes(9)) * 2) + b''.join(some[1:3])
            yield bytes([flags]) + b'\0' + some[1] + packet(record(1, 1050), begin=-40)
            yield bytes([flags]) + b'event { name = ' + b'1' * 60 + b'; };\n\0' + some[0]
            for one in some:
                yield bytes([flags]) + b'\0' + one + one
    header = struct.pack('<I16sIQQQQQQI', 0xC1FC1FC1, b'\7', 0, 1000, 1100, (76 + 16) * 8, 4096 * 8, 0, 0, 0)
    for flags in 2, 10, 18:
        yield bytes([flags]) + b'\0' + header + record(1, 1001) * 2 + bytes(500)
    yield b'\1/* CTF 1.8 */ trace { major = 1; minor = 8; uuid = "07000000-0000-0000-0000-000000000000"; };'


def program_cases():
    """As userspace/common/protocol.h has them."""
    def texts(*words):
        return b''.join(word + b'\0' for word in words)

    def case(*messages):
        return b''.join(struct.pack('<H', len(message)) + message for message in messages)

    integer = 8 | 4 << 8 | 1 << 16
    protocol = Path(__file__).resolve().parents[2] / 'userspace/common/protocol.h'
    version = int(re.search(r'LTT_PROGRAM_VERSION\s+(\d+)', protocol.read_text())[1])
    hello = struct.pack('<II16sQQ', 0, version, b'program', 0, 0)
    site = struct.pack('<IIIII12I', 1, 0, 7, 0, 2, *[integer] * 12) + texts(b'app', b'request', b'fd %d n %d', b'a.c')
    text = struct.pack('<IIIII12I', 1, 1, 8, 0, 1, *[1 | 8 << 8] * 12) + texts(b'app', b'path', b'path %s', b'a.c')
    fields = struct.pack('<IIIII12I', 1, 2, 9, 0, 5, 15 | 8 << 8, integer, 0 | 8 << 8 | 7 << 24, integer, 1 | 8 << 8,
                         *[0] * 7) + texts(b'app', b'fields', b'd %g a %*pA s %.*s', b'a.c')
    labels = struct.pack('<IIIII12I', 1, 3, 9, 0, 1, *[integer] * 12) + \
        texts(b'app', b'labels', b'state %d{idle=0,run=1}', b'a.c')
    end, bye = struct.pack('<IIII', 2, 2, 2, 0), struct.pack('<II', 3, 1)
    loaded = struct.pack('<II', 5, 1) + texts(b'/lib/library.so')
    mapped = struct.pack('<IIQQQ', 8, 1, 4096, 4096, 8192) + texts(b'/lib/library.so', b'0123')
    unmapped, mapped_end = struct.pack('<II', 8, 0) + mapped[8:], struct.pack('<II', 9, 1)
    yield case(hello, site, text, end, loaded, bye)
    yield case(hello, fields, labels, labels, fields, end)
    yield case(hello, mapped, mapped_end, unmapped, mapped[:-1], mapped_end)
    yield case(hello, hello)
    yield case(hello, site[:-1])
    for what in range(4):
        yield case(struct.pack('<II', 32, what) + texts(b'app:*'))


def ring_cases():
    """Records of four events, then where they end; taken whole, and as they come."""
    def lay(place, data):
        return bytes([0, place, len(data)]) + data

    def whole(number, time, payload):
        return struct.pack('<BIQ', 31, number, time) + payload

    context = b'\1\0\0' * 2    # as LTT_TASK_ID_SIZE
    records = whole(0, 1000, context) + struct.pack('<I', 1001 << 5 | 1) + context + bytes(8) + \
        struct.pack('<I', 1002 << 5 | 2) + context + b'some\0text\0' + \
        struct.pack('<IH', 1002 << 5 | 30, 1) + context + bytes(8) + \
        struct.pack('<I', 1002 << 5 | 3) + context + struct.pack('<H2IHd4s', 2, 7, 8, 1, 1.5, b'abcd') + b'x\0'
    for choice in (3 << 2, 3 << 2 | 1, 3 << 2 | 2):
        yield bytes([choice]) + lay(6, records) + lay(4, struct.pack('<QQ', 0, 1000)) + \
            lay(0, struct.pack('<QQ', len(records), 1002)) + b'\3'
        yield bytes([choice]) + lay(6, records) + lay(7, records) + \
            lay(4, struct.pack('<QQQQ', len(records), 1000, 0, 1002)) + \
            lay(0, struct.pack('<QQ', 4096 + len(records), 1002)) + b'\1\3'
        yield bytes([choice]) + lay(0, struct.pack('<Q', 1 << 40)) + b'\1'
    # Each record once cut, at each byte.
    for end in range(1, len(records)):
        yield bytes([3 << 2]) + lay(6, records) + lay(4, struct.pack('<QQ', 0, 1000)) + \
            lay(0, struct.pack('<QQ', end, 1002)) + b'\3'
    # The same behind the name of a thread, after which a number can be cut.
    named = context + b'n\0'
    records = whole(0, 1000, named) + struct.pack('<I', 1001 << 5 | 1) + named + bytes(8)
    for end in range(13 + len(named) + 4, len(records)):
        yield bytes([7 << 2]) + lay(6, records) + lay(4, struct.pack('<QQ', 0, 1000)) + \
            lay(0, struct.pack('<QQ', end, 1002)) + b'\3'
    # Call stacks of two addresses, of none, and of more than there may be.
    stacks = [context + struct.pack('<H', nr) + bytes(8 * nr) for nr in (2, 0, 4)]
    records = b''.join(whole(nr % 2, 1000 + nr, stack + bytes(8 * (nr % 2))) for nr, stack in enumerate(stacks))
    for choice in 64 | 3 << 2, 64 | 3 << 2 | 2:
        yield bytes([choice]) + lay(6, records) + lay(4, struct.pack('<QQ', 0, 1000)) + \
            lay(0, struct.pack('<QQ', len(records), 1002)) + b'\3'
    # Found: a packet without records, whose end in a far future became the next one's time.
    yield base64.b64decode('DgAGPx8AAAAA6AMAAAAAAAABAAABAAAhfQAAAADoAwAAAAAAAAEAAAEAACF9AAABAAAAARAAAAAAAAAAAAAAAAAAAE'
                           'JlAHRleHQAAQAAAHNvbWUAdGV4dAAABCA/AAAAAAAAAAAQAABgcAAAAAEAAAAAAAAAAABCZQB0ZXh0AAEAAABzb21l'
                           'AHRleHQAAAQgPwAAAAAAAAAAAAABEAAAAAAAAAAAAHoAQmUAdGV4dAABAAAAc29tZQB0ZXh0AAAEID8AAAAAAAAAAB'
                           'AAAGBwAADK+j8QAAAAAAAA6gMAAAAAAAAQPxAAAAAAAADqAwAAAAAAXQABAQM=')


def print_cases():
    mask = '((((0x0 | 0x1 | 0x2) + 1) << 1) - 1)'
    for text in [
            f'"state=%s%s", (REC->state & {mask}) ? __print_flags(REC->state & {mask}, "|", {{ 0x1, "S" }}, {{ 0x2, "D" }}) : "R", '
            f'REC->state & {mask} ? "+" : ""',
            '"vec=%u [action=%s]", REC->vec, __print_symbolic(REC->vec, { 0, "H" "I" }, { 1 << 2, "TIMER" }, { -1, ((void *)0) })',
            '"%d,%d %%", ((unsigned int) ((REC->dev) >> 20)), ((unsigned int) ((REC->dev) & ((1U << 20) - 1)))',
            '"at=%pS %ps %p %pI4", (void *)REC->at, REC->f, REC->p, REC->address',
            r'"%s %llx", __print_flags_u64((gfp_t)REC->flags, "", {(unsigned long)(1u|2u) & ~( gfp_t)0x2u, "a\"b"}), (u8)REC->flags',
            '"%s", REC->ret ? "handled" : "unhandled"', '"%s", REC->a == 1 && REC->a != 2 || !(REC->a % 3 >= 1) ? "x" : "y"',
            '"%s", REC->a / 0 ? "x" : "y"', '"%s %s", __get_str(name), __print_hex(REC->buf, 3)', '"%*d"', '"%s', '',
            '"%s", ' + '(' * 200 + 'REC->x' + ')' * 200, '"%s", __print_symbolic(REC->x, { ENUM, "x" })']:
        yield text.encode()


def expression_cases():
    names = ' || '.join(f'f{i}' for i in range(10))
    for event in range(40):
        for text in ['f0', 'f0 ~ "a*b?[!a-c]*" && f1 == "ab"', 'f1 in ("a", "b\\xff")', 'comm == "ab" || f2 ~ "*b"',
                     '(f0 + 4k) * -f1 / (f2 % 3) <= 0x10', 'f3 in (1, 2, -3)', '!(pid == 7 && context.uid >> 3 < prio)',
                     "f1 & 'a' ^ ~(f2 | 1us)", 'f0 == one || f1 != "minus-two"', 'tid == 64 && cgroup > cpu - 5',
                     'f0 == 1 && uid == 5 || uid == 0x80000000',
                     'f0; stop f1 == 1; report 3', '1; report 47', '0; begin; report 0 f0 ~ "a*"; stop pid', 'since(a:b, pid = f0) > 1ms', 'between(a:b, c:d, 0)',
                     '1; note f0 for a:b; forget tid from c:d',
                     'f0 ~ "aaa?"', 'f1 ~ "aaaa*b"', names, 'f0 !~ "' + 'a?' * 20 + '"', '(' * 70 + 'f0' + ')' * 70]:
            yield bytes([event, event]) + text.encode()
    # Few events begin with two strings.
    for event in range(256):
        yield bytes([event, event]) + b'f0 != "x" && f1 == "b" || f0 == ""'


def filter_cases():
    """Instructions as userspace/common/filter.h numbers them."""
    field, context, number, like, push, negate, jump_if, jump_unless, jump_if_equal, bits, equal, less, left = \
        0, 1, 2, 4, 5, 6, 8, 9, 10, 11, 14, 16, 24

    def code(*insns, text=b''):
        return bytes([len(insns)]) + b''.join(struct.pack('=BBHIQ', *(insn + (0, 0, 0, 0))[:3], 0, (insn + (0, 0, 0, 0))[3])
                                              for insn in insns) + text

    for event in range(24):
        for which in range(4):
            yield bytes([event, event]) + code((field, which), (equal, 1, 0, 1))
            yield bytes([event, event]) + code((like - 1, which, 1), (jump_if, 0, 4), (like, which, 5, 1), (equal, 1), text=b'b*[!a]b')
        yield bytes([event, event]) + code((like, 255, 2), (push,), (context, 1), (bits,), (jump_unless, 0, 6), (negate,), text=b'a?')
        yield bytes([event, event]) + code((number, 0, 0, 7), (jump_if_equal, 0, 3, 7), (less, 1, 0, 1 << 63), (left, 1, 0, 65))
        yield bytes([event, event]) + code(*[(push,)] * 33)
        yield bytes([event, event]) + code(*[(push,), (number, 0, 0, 3)] * 16, *[(op,) for op in range(bits, bits + 16)])


def message_cases():
    shapes = [[], [b'demo'], [5], [b'demo', b''], [b'a trace', b'sched:*'],
              [b't', b'events', b'subbuf_size', 65536], [1, b'abc', 2, b'defg'],
              [b'', 1, b'x' * 40, 2, b'', 3, b'y', 4]]
    for word, args in itertools.product([4, 8], shapes):
        right = message(word, *args)
        yield case(word, args, right)
        yield case(word, args, right, right, right)
        yield case(word, args, message(word, *args, padding=b'\xff'))
        # A stream that breaks, one that ends early, and one of longer messages than allowed.
        yield case(word, args, right, message(word, *args, size=word))
        yield case(word, args, right, right[:-1])
        yield case(word, args, right, limit=4)
        # Arguments that do not fit: too few, too many, a text beyond the end.
        yield case(word, [*args, 1][:8], right)
        yield case(word, args[1:], right)
        yield case(word, [b'', *args][:8], message(word, -1, *args))


def main():
    cases, folder = globals()[sys.argv[1] + '_cases'], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(cases()):
        (folder / f'{number:03}').write_bytes(data)


if __name__ == '__main__':
    main()
