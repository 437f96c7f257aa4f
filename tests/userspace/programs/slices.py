# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Tests of programs: slices, flows, counters and texts, and the pairs that lttctl view shows."""
import re
import subprocess
from collections import Counter
from pathlib import Path

from bench import check, equal

LINE = re.compile(r'\S+ \[\d+\] +(?P<tid>\d+|-) .*? app:(?P<name>\S+): ?(?P<fields>.*?)(?:(?:; |(?<= )|^)duration (?P<ms>\S+)( ms)?)?$')


def dialects(bench):
    programs = sorted(bench.programs.glob('slices-*-*'))
    equal('programs', 4, len(programs))
    return programs


def record(bench, program, mode, **options):
    return bench.record(program, mode, pattern='app:*', name=f'{program.name}-{mode}', **options)


def view(bench, recording):
    """The lines of app's events, and what lttctl reports about slices."""
    run = subprocess.run([bench.built / 'lttctl', 'view', recording.path], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True)
    equal('exit status of lttctl view', 0, run.returncode)
    lines = [LINE.match(line) for line in run.stdout.splitlines() if ' app:' in line]
    check(all(lines), run.stdout[:300])
    return [line.groupdict() for line in lines], run.stderr


NESTED = '''outer.begin a=1, b="two"/inner.begin/inner.end/early.begin leave=0/stayed/early.end/early.begin leave=1/early.end/outer.end
recurse.begin depth=2/recurse.begin depth=1/recurse.begin depth=0/recurse.end depth=0/recurse.end depth=1/recurse.end depth=2
looped.begin i=0/within.begin/within.end/looped.end/looped.begin i=1/within.begin/within.end/looped.end
looped.begin i=2/within.begin/within.end/looped.end'''
CXX = '''thrown.begin/thrown.end/caught
templated.begin v=1/templated.end/templated.begin v=2/templated.end'''
SHORT = 'shortly.begin/brief.begin/brief.end/shortly.end'


def test_slices_nest_and_end_with_their_blocks(bench):
    for program in dialects(bench):
        lines, errors = view(bench, record(bench, program, 'nested'))
        parts = [NESTED] + ([CXX] if '++' in program.name else []) + ([SHORT] if '17' in program.name or '20' in program.name else [])
        equal(program.name, '/'.join(parts).replace('\n', '/').split('/'),
              [f'{line["name"]} {line["fields"]}'.strip() for line in lines])
        equal('report', '', errors)
        durations = [line['ms'] is not None for line in lines]
        equal('each end has a duration, and nothing else', [line['name'].endswith('.end') for line in lines], durations)
        # A slice takes no less than the slices within it, of recursions, too.
        ends = {line['fields']: float(line['ms']) for line in lines if line['name'] == 'recurse.end'}
        check(ends['depth=2'] >= ends['depth=1'] >= ends['depth=0'], ends)


def test_slices_without_a_partner_are_reported(bench):
    for program in dialects(bench):
        lines, errors = view(bench, record(bench, program, 'unmatched'))
        equal('with a duration', ['outer.end'], [line['name'] for line in lines if line['ms']])
        # In C++ the jump out of a scope is the same: its destructor does not run.
        equal('ends and begins', ['2', '2'], re.findall(r'\d+', errors))


def test_slices_of_threads_are_apart(bench):
    lines, errors = view(bench, record(bench, dialects(bench)[0], 'threads'))
    equal('report', '', errors)
    equal('durations', {'work.end': 800, 'part.end': 800}, Counter(line['name'] for line in lines if line['ms']))
    equal('threads', 4, len({line['tid'] for line in lines}))


def test_slices_by_id_end_in_other_threads_and_processes(bench):
    for program in dialects(bench):
        lines, errors = view(bench, record(bench, program, 'async'))
        requests = [line for line in lines if line['name'] == 'request.async_end']
        equal('with a duration: by a thread, by a child, by a pointer; the last has been ended', [True] * 3 + [False],
              [line['ms'] is not None for line in requests])
        equal('the thread, the child', 3, len({line['tid'] for line in requests}))
        equal('fields', ['id=1, status=200', 'id=2', 'id=1, status=404'], [requests[i]['fields'] for i in (0, 1, 3)])
        flow = [(line['name'], line['fields'], line['ms'] is not None) for line in lines if line['name'].startswith('path')]
        equal('flow', [('path.flow_begin', 'id=1', False), ('path.flow_step', 'id=1', False),
                       ('path.flow_step', 'id=1', False), ('path.flow_end', 'id=1', True)], flow)
        equal('ends and begins', ['1', '0'], re.findall(r'\d+', errors))


def test_slices_without_a_thread_id_are_counted(bench):
    lines, errors = view(bench, record(bench, dialects(bench)[0], 'threads', options=['--context', 'none']))
    equal('durations', 0, len([line for line in lines if line['ms']]))
    equal('report', ['3200'], re.findall(r'\d+', errors))


def test_counters(bench):
    for program in dialects(bench):
        got = [(event['name'], event['fields']) for event in record(bench, program, 'counters').events()
               if event['name'].startswith('app:')]
        equal(program.name, [('app:queue.counter', f'value = {value}') for value in (5, -6, 200, 0)]
              + [('app:load.counter', 'value = 1.5'), ('app:load.counter', 'value = 0.25')], got)


def test_texts_with_levels(bench):
    whole, cut = 'x' * 4095, 'x' * 4091
    for program in dialects(bench):
        events = [(event['name'], event['fields']) for event in record(bench, program, 'texts').events()
                  if event['name'].startswith('app:')]
        equal(program.name, [('app:text.info', 'text = "no field"'), ('app:text.warning', 'text = "50% of all at 1.50"'),
                             ('app:text.debug', 'text = "  0"'), ('app:text.err', f'text = "{whole}"')], events[:4])
        check(re.fullmatch(rf'text = "{cut}\.\.\.\\?.*"', events[4][1]), events[4][1][-30:])
        equal('all', 5, len(events))
    errors = bench.record(dialects(bench)[0], 'texts', pattern='app:text.err', name='errors')
    equal('of one level', 2, errors.stored)


COMPILED = [            # the statement; in C++ only; a word of the compiler's error, None if there is none
    ('trace_async_begin(app, request, 1.5, "")', False, 'integer'),
    ('trace_async_end(app, request, 1.5f, "")', False, 'integer'),
    ('trace_flow_begin(app, order, 1.5)', False, 'integer'),
    ('trace_flow_step(app, order, 1.5L)', False, 'integer'),
    ('trace_flow_end(app, order, (double)n)', False, 'integer'),
    ('trace_async_begin(app, request, n, "n %d", n)', False, None),
    ('trace_flow_begin(app, order, &n)', False, None),
    ('trace_printf(app, err, "")', False, None),
    ('trace_printf(app, err, "%s", 5)', False, 'format'),
    ('trace_mark(app, nothing, "at %p", nullptr)', True, None),
    ('trace_mark(app, nothing, "text %s", nullptr)', True, 'format'),
]


def test_wrong_ids_are_errors_of_the_compiler(bench):
    """A wrong id or format is an error; a right one gives no warning, markers disabled or not."""
    include = Path(__file__).resolve().parents[3] / 'include'
    for compiler in 'gcc', 'clang', 'g++', 'clang++':
        for statement, of_cxx, error in COMPILED:
            if of_cxx and '++' not in compiler:
                continue
            for more in [], ['-DLTT_DISABLED']:
                source = f'#include <ltt/slice.h>\n#include <ltt/text.h>\nvoid f(int n);\nvoid f(int n)\n{{\n\t(void)n;\n\t{statement};\n}}\n'
                run = subprocess.run([compiler, '-x', 'c++' if '++' in compiler else 'c', '-Wall', '-Wextra', '-Wformat=2', '-Werror',
                                      *more, '-I', include, '-c', '-o', '/dev/null', '-'], input=source, stderr=subprocess.PIPE, text=True)
                check(not run.returncode == (error is None) and (error or '') in run.stderr, compiler, *more, statement, run.stderr)


def test_slices_without_the_library(bench):
    for mode in 'nested', 'unmatched', 'async', 'counters', 'texts':
        equal(mode, 0, subprocess.run([bench.program('slices-disabled'), mode]).returncode)
