#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Check that what documents name exists: tests, paths, links, and in commands of make, lttctl,
lttd and ltt-exporter the targets, subcommands and options: names.py KDIR FOLDER

In Markdown a command is a line of a block without a language, from its first column or behind a
prompt, or a span of code. In man pages it is a line of a literal block; options are the macros Fl.
A word in capitals stands for something else and is not checked.
"""
import fnmatch
import re
import shlex
import subprocess
import sys
from pathlib import Path

REPO = Path(__file__).resolve().parent.parent.parent
BUILT = REPO / 'build/userspace'
ROOMS = 'bindings|core|doc|include|modules|samples|tests|userspace'
PAGES = [REPO / 'README.md', *sorted((REPO / 'doc').glob('*.md')), *sorted((REPO / 'bindings').glob('*/README.md'))]
MANUALS = [page for page in sorted((REPO / 'doc/man').glob('*.[1348]')) if not page.read_text().startswith('.so')]

CASES = {path.stem for path in (REPO / 'tests/vm/cases').iterdir()}
SUITES = {'unit', 'fuzz', 'libltt', 'expression', 'html', 'commands', 'programs', 'checks', 'model', 'bindings', 'harness'}


def found(pattern, files):
    """The words that a regular expression finds in files of the tree."""
    return {word for file in files for word in re.findall(pattern, file.read_text())}


UNIT = found(r'UNIT_TEST\((\w+)\)', (REPO / 'tests/unit').glob('test-*.c'))
PROGRAMS = {name.replace('_', '-')
            for name in found(r'(?m)^def test_(\w+)\(', (REPO / 'tests/userspace/programs').glob('*.py'))}
# The values of arguments of make that select a part.
SELECTED = {'TESTS': SUITES | {f'vm/{case}' for case in CASES},
            'PARTS': {path.parent.name for path in (REPO / 'tests/bench').glob('*/measure')},
            'KERNELS': {path.stem for path in (REPO / 'tests/debug').glob('*.config')} - {'base'}
            | found(r'(?m)^([\w.-]+)\t', [REPO / 'tests/kernels/list'])}


class Program:
    """lttctl, a command of it, lttd or ltt-exporter: its options, by --help."""

    def __init__(self, *command):
        self.help = subprocess.run([BUILT / command[0], *command[1:], '--help'], stdout=subprocess.PIPE, text=True,
                                   check=True).stdout
        self.valued, self.options = set(), {'-h', '--help'} | ({'--version', '--via'} if command == ('lttctl',) else set())
        for short, long, value in re.findall(r'(?m)^ +(?:(-\w), |    )(--[\w-]+)(?:[= ](\S+))?(?=  |$)', self.help):
            self.options |= {long, short or long}
            if value:
                self.valued |= {long, short or long}


def wrong_options(program, words):
    """The options that a program does not have, and the words from its first argument on."""
    wrong = []
    while words and words[0].startswith('-'):
        (option, equals, _), words = words[0].partition('='), words[1:]
        if option == '--':
            break
        if option not in program.options:
            wrong.append(option)
        elif option in program.valued and not equals:
            words = words[1:]
    return wrong, words


class Lttctl:
    def __init__(self):
        self.program = Program('lttctl')
        self.commands = {name: Program('lttctl', name)
                         for name in re.findall(r'(?m)^  (\w+) ', self.program.help)}
        self.others = {name: Program(name) for name in ('lttd', 'ltt-exporter')}
        self.all = set.union(self.program.options, *(program.options for program in self.others.values()),
                             *(command.options for command in self.commands.values()))

    def problems(self, words):
        """Of the words behind "lttctl"."""
        if words[:1] == ['--via']:
            words = words[2:]
        wrong, rest = wrong_options(self.program, words) if words[:1] and words[0].startswith('-') else ([], words)
        if not rest or wrong or rest[0].isupper():
            return wrong
        command = self.commands.get(rest[0])
        if not command:
            return [rest[0]]
        # Of a command that runs another, options end at the first argument.
        wrong, rest = wrong_options(command, rest[1:])
        if rest and '[COMMAND' in command.help:
            return wrong + self.of_words(rest)
        return wrong + [word for word in rest if word.startswith('-') and word.split('=')[0] not in command.options]

    def of_words(self, words):
        """Of one command."""
        while words and re.fullmatch(r'\w+=.*', words[0]):
            words = words[1:]
        if not words:
            return []
        name = words[0].split('/')[-1]
        missing = [word for word in words if re.match(rf'({ROOMS})/[\w./-]+$', word) and '/build/' not in word
                   and not (REPO / word).exists()]
        if name == 'lttctl':
            return missing + self.problems(words[1:])
        if name in self.others:
            return missing + wrong_options(self.others[name], words[1:])[0]
        if name == 'make':
            return missing + make_problems(words[1:])
        return missing


def make_problems(words, databases={}):
    """Of the words behind "make": targets and variables that the Makefile does not have."""
    folder, problems = REPO, []
    if words[:1] == ['-C'] and len(words) > 1:
        folder, words = REPO / words[1], words[2:]
    if not (folder / 'Makefile').exists():
        return [f'{folder}/Makefile']
    if folder not in databases:
        # Only printed: there is no such target. Packages of bindings/ need to know where LTT is.
        run = subprocess.run(['make', '-C', folder, '-pq', f'BUILD={BUILT.parent}', 'no-such-target'],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        names = re.sub(r'# Not a target:\n.*', '', run.stdout)
        databases[folder] = set(re.findall(r'(?m)^([\w./-]+):', names)), (folder / 'Makefile').read_text()
    targets, text = databases[folder]
    for word in words:
        variable, equals, value = word.partition('=')
        if equals:
            if not re.search(rf'\b{variable}\b', text):
                problems.append(variable)
            if variable in SELECTED:
                problems += [name for name in value.split()
                             if not name.isupper() and not fnmatch.filter(SELECTED[variable], name)]
        elif not word.startswith('-') and word not in targets:
            problems.append(word)
    return problems


def commands_of(line):
    """The words of each command of a line for the shell."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.commenters = '#'
    lexer.whitespace_split = True
    try:
        words = list(lexer)
    except ValueError:
        return
    command = []
    for word in [*words, ';']:
        if re.fullmatch(r'[;&|()<>]+', word):
            yield command
            command = []
        else:
            command.append(word)


def blocks(text):
    """Commands in blocks without a language."""
    for language, block in re.findall(r'(?ms)^```(\w*)\n(.*?)^```', text):
        for line in [] if language else block.replace('\\\n', ' ').splitlines():
            if re.match(r'[$#] |\S', line):
                yield re.sub(r'^[$#] ', '', line)


def spans(text):
    prose = re.sub(r'(?ms)^```.*?^```', '', text)
    return [' '.join(span.split()) for span in re.findall(r'`([^`]+)`', prose)]


def slug(heading):
    return re.sub(r'[^\w -]', '', heading.strip().lower()).replace(' ', '-')


def broken_links(page, text):
    for target in re.findall(r'\]\(([^)\s]+)\)', re.sub(r'(?ms)^```.*?^```', '', text)):
        path, _, section = target.partition('#')
        file = page.parent / path if path else page
        if '://' in target:
            continue
        if not file.exists():
            yield target
        elif section and section not in map(slug, re.findall(r'(?m)^#+ (.*)$', file.read_text())):
            yield target


def named_tests(text):
    for suite, name in re.findall(r'(?<![\w/])(vm|unit)/([a-zA-Z][\w-]*[a-zA-Z0-9])', text):
        if name not in (CASES if suite == 'vm' else UNIT):
            yield f'{suite}/{name}'
    # In the tables of promises.
    for names in re.findall(r'(?m)^\|.*?`programs` ([\w-]+(?:, [\w-]+)*)', text):
        yield from (name for name in names.split(', ') if name not in PROGRAMS)


def in_manual(page, lttctl):
    """Options and commands in a man page that do not exist."""
    text = page.read_text()
    for block in re.findall(r'(?ms)^\.Bd -literal.*?\n(.*?)^\.Ed', text):
        for line in [line.removeprefix('# ') for line in block.splitlines()]:
            for words in commands_of(line):
                yield from lttctl.of_words(words)
    for line in re.findall(r'(?m)^\.(?:Dl|Ql) (.*)', text):
        yield from lttctl.of_words(line.split()) if line.startswith('lttctl') else []
    if page.suffix == '.3':
        return
    for name in re.findall(r'(?m)^\.Nm lttctl Cm (\w+)', text):
        yield from [] if name in lttctl.commands else [name]
    name = page.stem.removeprefix('lttctl-')
    program = lttctl.others.get(name) or lttctl.commands.get(name, lttctl.program)
    for line in re.findall(r'(?m)^\.(?:Op|It|Fl|Nm|Cm).*', text):
        command = re.match(r'\.(?:It )?Cm (\w+)', line)
        if command and page.name == 'lttctl.1':
            program = lttctl.commands.get(command[1], program)
            if line.startswith('.It') and command[1] not in lttctl.commands:
                yield command[1]
        # In running text there are options of other pages, too.
        has = program.options if line.startswith(('.Op', '.It')) else lttctl.all
        for option in re.findall(r'\bFl (-[\w-]+|\w\b)', line):
            if f'-{option}' not in has:
                yield f'-{option} in: {line}'


def main():
    if not (BUILT / 'lttctl').exists():
        print(f'    {BUILT}/lttctl is not there: run make first\nnot ok names')
        return True
    lttctl = Lttctl()
    problems = {name: [] for name in ['tests', 'paths', 'links', 'commands']}
    seen = set()
    for page in PAGES:
        text = page.read_text()
        where = page.relative_to(REPO)
        code = spans(text)
        problems['tests'] += [(where, name) for name in named_tests(text)]
        problems['paths'] += [(where, name) for name in code
                              if re.fullmatch(rf'(?:{ROOMS})/[\w./-]*\w/?', name) and not (REPO / name).exists()]
        problems['links'] += [(where, name) for name in broken_links(page, text)]
        for line in [*blocks(text), *code]:
            for words in commands_of(line):
                seen.update(words[:1])
                problems['commands'] += [(where, f'{name} in: {line}') for name in lttctl.of_words(words)]
        problems['commands'] += [(where, name) for name in code
                                 if name.startswith('--') and not set(re.findall(r'--[\w-]+', name)) <= lttctl.all]
    for page in MANUALS:
        problems['commands'] += [(page.relative_to(REPO), name) for name in in_manual(page, lttctl)]
    # Else this script does not find them.
    problems['commands'] += [('no document', name) for name in sorted({'lttctl', 'lttd', 'make'} - seen)]
    for kind, wrong in problems.items():
        for where, name in wrong:
            print(f'    {where} names what does not exist: {name}')
        print('not ok' if wrong else 'ok', f'names/{kind}_in_documents_exist')
    return any(problems.values())


if __name__ == '__main__':
    sys.exit(main())
