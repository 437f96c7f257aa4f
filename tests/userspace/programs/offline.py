# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Tests of programs: the markers in files of machine code, which lttctl check reads."""
import json
import os
import random
import re
import shutil
import subprocess
from pathlib import Path

import control
from bench import DEADLINE, Skipped, check, equal

INCLUDE = Path(__file__).resolve().parents[3] / 'include'
SALE = '#include <ltt/marker.h>\nvoid sale(%s x); void sale(%s x) { trace_mark(shop, sale, "id %s", x); }\n'
MAIN = '#include <ltt/marker.h>\nint main(int n, char **v) { trace_mark(shop, open, "n %d name %s", n, *v); return 0; }\n'


def run(bench, *files, options=()):
    return subprocess.run([bench.built / 'lttctl', 'check', *options, *files], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=DEADLINE)


def listed(bench, *files, status=0):
    """The markers, as JSON."""
    got = run(bench, *files, options=['--json'])
    equal(f'exit status of lttctl check ({got.stderr.strip()})', status, got.returncode)
    return json.loads(got.stdout)['markers']


def brief(markers, group):
    """By event: its fields or why there are none, and its places; whatever the order."""
    return sorted((marker['group'], marker['name'], json.dumps(marker.get('fields', marker.get('rejected'))),
                   sorted({(place['file'], place['line']) for place in marker['places']}))
                  for marker in markers if marker['group'] == group)


def libraries(bench, options):
    return [] if '-c' in options else ['-L', bench.built, '-lltt']


def build(bench, source, out, *options, compiler='gcc'):
    path = bench.folder / f'{out}.c'
    path.write_text(source)
    subprocess.run([compiler, '-O2', '-I', INCLUDE, '-o', bench.folder / out, *options, path, *libraries(bench, options)], check=True, timeout=DEADLINE)
    return bench.folder / out


def test_check_lists_what_a_running_program_has(bench):
    """Whatever the compiler, dialect, kind of executable and machine."""
    process = control.start_listed(bench, *bench.prog('until-told', 1))
    for group in 'user:test', 'user:wrong':
        running = brief(json.loads(control.lttctl(bench, 'markers', '--json', '--info', f'{group}:*'))['markers'], group)
        check(len(running) > 5, running)
        # Where events have the same name, only check lists each with its fields.
        once = lambda all: [one for one in all if [other[1] for other in all].count(one[1]) == 1]
        for name in 'prog', 'prog-static', 'prog-musl', 'prog-arm64':
            if not os.path.exists(bench.program(name)):
                continue
            offline = once(brief(listed(bench, bench.program(name), status=1), group))
            equal(name, [one for one in running if one[1] in [other[1] for other in offline]], offline)
    process.communicate('go\n', timeout=DEADLINE)
    equal('a library', [('user:plugin', 'loaded'), ('user:plugin', 'work')],
          [(marker['group'], marker['name']) for marker in listed(bench, bench.program('plugin.so'))])
    for program in sorted(bench.programs.glob('types-*-*')):
        names = {marker['name']: len(marker['fields']) for marker in listed(bench, program)}
        equal(program.name, (12, 6, 0, 1), tuple(names[name] for name in ('twelve', 'six', 'none', 'in_inline')))
        equal(f'only C++ has templates: {program.name}', '++' in program.name, 'in_template' in names)


def test_check_reads_each_kind_of_file(bench):
    kinds = {'pie': ['-pie', '-fPIE'], 'fixed': ['-no-pie', '-fno-pie'], 'object': ['-c', '-g'], 'stripped': ['-s'],
             'packed': ['-pie', '-fPIE', '-Wl,-z,pack-relative-relocs']}
    for name, options in kinds.items():
        for compiler in 'gcc', 'clang':
            marker, = listed(bench, build(bench, MAIN, name, *options, compiler=compiler))
            equal(f'{name} by {compiler}', ('user:shop', 'open', ['n', 'name'], ['integer', 'string'], 2),
                  (marker['group'], marker['name'], [field['name'] for field in marker['fields']],
                   [field['type'] for field in marker['fields']], marker['places'][0]['line']))
    text = run(bench, bench.folder / 'pie').stdout
    check(text.startswith('ok  user:shop:open\n') and f'{bench.folder}/pie.c:2 ' in text, text)


def test_check_names_clashes_in_an_archive(bench):
    for name, ctype, conversion in ('one', 'int', '%d'), ('two', 'long', '%ld'), ('three', 'int', '%d'):
        build(bench, SALE % (ctype, ctype, conversion), f'{name}.o', '-c')
    archive = bench.folder / 'libshop.a'
    (bench.folder / 'read.me').write_text('no object file')
    members = [bench.folder / name for name in ('one.o', 'three.o', 'read.me')]
    subprocess.run(['ar', 'rcs', archive, *members], check=True)
    marker, = listed(bench, archive)
    equal('members', [f'{archive}(one.o)', f'{archive}(three.o)'], sorted(place['binary'] for place in marker['places']))
    subprocess.run(['ar', 'rs', archive, bench.folder / 'two.o'], check=True, stderr=subprocess.DEVNULL)
    for files in [archive], [bench.folder / 'one.o', bench.folder / 'two.o']:
        equal('both clash', [(True, False, 4), (True, False, 8)], [
            (marker['clash'], marker['good'], marker['fields'][0]['size']) for marker in listed(bench, *files, status=1)])


def test_check_names_markers_that_cannot_be_recorded(bench):
    """Those that the compiler lets pass, too: it reads no text that is not a literal."""
    for compiler in ('gcc', '-x', 'c'), ('clang', '-x', 'c'), ('g++', '-x', 'c++'), ('clang++', '-x', 'c++'):
        source = '#include <ltt/marker.h>\nvoid f(int x); void f(int x)\n{\n' \
                 '\ttrace_mark(shop, twice, "a %d a %d", x, x);\n' \
                 '\ttrace_mark(ltt, forged, "a %d", x);\n' \
                 f'\ttrace_mark(shop, long_field, "{"n" * 64} %d", x);\n' \
                 '\ttrace_mark(shop, good, "a %d", x);\n}\n'
        markers = {marker['name']: marker for marker in
                   listed(bench, build(bench, source, 'wrong.o', *compiler[1:], '-c', compiler=compiler[0]), status=1)}
        equal(f'good, by {compiler[0]}', {'twice': False, 'forged': False, 'long_field': False, 'good': True},
              {name: marker['good'] for name, marker in markers.items()})
        check('two fields' in markers['twice']['rejected'], markers['twice'])
        check('63' in markers['long_field']['rejected'], markers['long_field'])
        equal('line', 4, markers['twice']['places'][0]['line'])


def test_check_rejects_what_it_cannot_read(bench):
    good = build(bench, MAIN, 'good')
    content = good.read_bytes()

    def with_bytes(name, offset, new):
        path = bench.folder / name
        path.write_bytes(content[:offset] + new + content[offset + len(new):])
        return path

    other = with_bytes('other', 18, b'\x08\0')          # e_machine: MIPS
    narrow = with_bytes('narrow', 4, b'\1')             # 32 bits
    bare = with_bytes('bare', 40, bytes(8))             # no table of sections
    cut = bench.folder / 'cut'
    cut.write_bytes(content[:len(content) // 2])
    for file, word in (other, 'machine'), (narrow, ''), (bare, 'sections'), (cut, ''), (bench.folder, 'not a file'), \
                      (__file__, 'ELF'), ('/nowhere', 'No such file'), ('/dev/null', 'not a file'):
        got = run(bench, file)
        equal(f'exit status of {file}', 2, got.returncode)
        check(str(file) in got.stderr and word in got.stderr, got.stderr)
    # The others are checked all the same.
    got = run(bench, '/nowhere', good)
    equal('exit status of both', 2, got.returncode)
    check('user:shop:open' in got.stdout, got.stdout)
    none = run(bench, '/bin/true')
    equal('a program without markers', (0, ''), (none.returncode, none.stdout))
    check('/bin/true' in none.stderr, none.stderr)


def test_check_names_markers_of_another_version(bench):
    good = build(bench, MAIN, 'good.o', '-c')
    section = re.search(r'ltt_sites\s+PROGBITS\s+\S+\s+(\S+)', subprocess.check_output(
        ['readelf', '-SW', good], text=True))
    content = bytearray(good.read_bytes())
    content[int(section[1], 16) + 2] += 1
    good.write_bytes(content)
    got = run(bench, good)
    equal('exit status', 1, got.returncode)
    check('version' in got.stderr, got.stderr)


def test_check_survives_damaged_files(bench):
    """Whatever is in the file: an exit status of its own, no signal, no endless loop."""
    content = build(bench, MAIN, 'good', '-s').read_bytes()
    random.seed(1)
    path, seen = bench.folder / 'bad', set()
    headers = int.from_bytes(content[40:48], 'little')
    for _ in range(300):
        bad = bytearray(content)
        for _ in range(random.choice([1, 1, 4])):
            # Mostly where it hurts: the header, and the table of sections.
            place = random.choice([random.randrange(64), random.randrange(headers, len(bad)), random.randrange(len(bad))])
            bad[place] = random.randrange(256)
        path.write_bytes(bad)
        got = run(bench, path)
        check(got.returncode in (0, 1, 2), 'exit status', got.returncode)
        seen.add(got.returncode)
    check({0, 2} <= seen, seen)


def test_check_under_valgrind(bench):
    if not shutil.which('valgrind'):
        raise Skipped('valgrind is not installed')
    for file in 'prog', 'prog-arm64', 'plugin.so':
        if not os.path.exists(bench.program(file)):
            continue
        got = subprocess.run(['valgrind', '-q', '--error-exitcode=9', '--leak-check=full', bench.built / 'lttctl', 'check',
                              bench.program(file)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        check(got.returncode in (0, 1), got.stderr)
