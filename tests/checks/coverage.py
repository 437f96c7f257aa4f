#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Does tests/coverage/report see what it has to see? coverage.py KDIR FOLDER

It is given a small tree whose lines are known to have been run or not, in which "module"
and "program" are compiled as gcc does for LTT's, and then one with each of its parts
missing or wrong.
"""
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

REPORT = Path(__file__).resolve().parent.parent / 'coverage' / 'report'

RING = '''
int ring(int x);
int ring(int x)
{
	if (x)
		return 1;
	return 2;
}
'''
MAIN = '''
#include <stdlib.h>
#include "../../core/ring.c"
static int never(int x)
{
	return x + 3;
}
int main(int argc, char **argv)
{
	int sum = 0;

	for (int i = 1; i < argc; i++)
		sum += ring(atoi(argv[i]));
	if (sum > 1000)
		sum = never(sum);
	return !sum;
}
'''
JUSTIFIED = """# A comment.
@why = A reason of several lines.
*/main.c | never | * | @why
*/main.c | main | never( | Another.
*/main.c | main | sum += | ?One that is run, by chance.
"""
FILLER = '__attribute__((constructor)) static void filler(void)\n{\n' + 60 * '\t__asm__("nop");\n' + '}\n'


class Tree:
    """One in which modules/a and userspace/b have been run, each with one of ring()'s ways."""

    def __init__(self, folder):
        shutil.rmtree(folder, ignore_errors=True)
        self.root = (folder / 'src').resolve()
        self.out = folder / 'check' / 'vm-case' / 'out'
        self.justified = folder / 'justified'
        self.justified.parent.mkdir(parents=True)
        self.justified.write_text(JUSTIFIED)
        self.out.mkdir(parents=True)
        self.write('core/ring.c', RING)
        for name in 'modules/a/main.c', 'userspace/b/main.c':
            self.write(name, MAIN)
            self.write(f'{Path(name).parent}/filler.c', FILLER)
        self.run('modules/a', '1')
        self.run('userspace/b', '0')
        self.as_kernel('modules/a')
        self.as_programs('userspace/b')

    def write(self, name, text):
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text)

    def run(self, part, *arguments):
        folder = self.root / part
        for name in 'main', 'filler':
            subprocess.run(['gcc', '-O0', '--coverage', '-c', '-o', folder / f'{name}.o', folder / f'{name}.c'],
                           check=True)
        subprocess.run(['gcc', '--coverage', '-o', folder / 'program', *folder.glob('*.o')], check=True)
        subprocess.run([folder / 'program', *arguments], check=True)

    def as_kernel(self, part):
        """Counters as module/coverage.c brings them out."""
        with open(self.out / 'coverage.kernel', 'wb') as stream:
            for data in (self.root / part).glob('*.gcda'):
                stream.write(f'{data} {data.stat().st_size}\n'.encode() + data.read_bytes())
                data.unlink()

    def as_programs(self, part):
        with tarfile.open(self.out / 'coverage.user.tar', 'w') as archive:
            for data in (self.root / part).glob('*.gcda'):
                archive.add(data, '.' + str(data))
                data.unlink()

    def report(self):
        done = subprocess.run([REPORT, '--justified', self.justified, self.root, self.out.parent.parent],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout

    def details(self):
        return (self.root.parent / 'report').read_text()


def good(tree):
    """Nothing was changed."""
    return 0, 'ok coverage of the ring: 100.0 % of 4 lines'


def only_what_was_not_run(tree):
    """The lines that are listed, and no other."""
    tree.report()
    said = re.findall(r'^ *\d+  (\S.*?)    \[.*\]$', tree.details(), re.M)
    wanted = ['static int never(int x)', 'return x + 3;', 'sum = never(sum);'] * 2
    return (0, 'ok') if said == wanted else (0, f'the lines {wanted}, and not {said}')


def ring_has_a_line_less(tree):
    tree.write('core/more.c', '')
    (tree.out / 'coverage.user.tar').unlink()
    tree.run('userspace/b', '2')
    return 1, 'not ok coverage of the ring: 75.0 % of 4 lines'


def below_the_bar(tree):
    tree.write('modules/a/more.c', 'int more(int x);\nint more(int x)\n{\n' + 30 * '\tx += x / 3;\n' + '\treturn x;\n}\n')
    subprocess.run(['gcc', '-O0', '--coverage', '-c', '-o', tree.root / 'modules/a/more.o',
                    tree.root / 'modules/a/more.c'], check=True)
    return 1, 'not ok coverage of all of it: '


def no_counts_of_a_case(tree):
    (tree.out / 'coverage.kernel').unlink()
    return 1, 'case vm-case left no counts'


def no_counts_of_a_module(tree):
    (tree.out / 'coverage.kernel').write_text('')
    return 1, 'no line of modules/a/ was run'


def cut_off(tree):
    stream = tree.out / 'coverage.kernel'
    stream.write_bytes(stream.read_bytes()[:-8])
    return 1, 'is cut off in'


def other_build(tree):
    tree.write('modules/a/main.c', MAIN.replace('1000', '1001'))
    subprocess.run(['gcc', '-O0', '--coverage', '-c', '-o', tree.root / 'modules/a/main.o',
                    tree.root / 'modules/a/main.c'], check=True)
    return 1, 'mismatch'


def not_built_to_count(tree):
    for notes in tree.root.rglob('*.gcno'):
        notes.unlink()
    return 1, 'was not built to count its lines'


def justified(tree):
    return 0, '6 were not run, 6 of them for a reason'


def not_justified(tree):
    tree.justified.write_text(JUSTIFIED.replace('never(', 'nothing('))
    return 1, 'not ok neither run nor justified: modules/a/main.c:15: sum = never(sum);'


def justified_though_run(tree):
    tree.justified.write_text(JUSTIFIED + 'core/ring.c | ring | return 1 | A test.\n')
    return 1, 'justified, but run or not there: core/ring.c | ring | return 1'


def with_main(tree, text):
    """Both parts are MAIN in which never() is otherwise."""
    for part, argument in ('modules/a', '1'), ('userspace/b', '0'):
        tree.write(f'{part}/main.c', MAIN.replace('\treturn x + 3;\n', text))
        tree.run(part, argument)
    tree.as_kernel('modules/a')
    tree.as_programs('userspace/b')


def a_reason_is_for_what_follows(tree):
    with_main(tree, '\tx++;\n\tx += 3;\n\treturn x;\n')
    tree.justified.write_text(JUSTIFIED.replace('never | *', 'never | static int never('))
    return 0, 'ok coverage of the ring'


def a_reason_is_not_for_what_precedes(tree):
    with_main(tree, '\tx++;\n\tx += 3;\n\treturn x;\n')
    tree.justified.write_text(JUSTIFIED.replace('never | *', 'never | x += 3'))
    return 1, 'neither run nor justified: modules/a/main.c:6: x++;'


def a_reason_ends_where_something_is_run(tree):
    ring = RING.replace('return 2;', 'if (x == 0)\n\t\treturn 2;\n\treturn 3;')
    tree.write('core/ring.c', ring.replace('\tif (x)\n\t\treturn 1;', '\tif (x > 1)\n\t\treturn 1;'))
    for part, argument in ('modules/a', '0'), ('userspace/b', '0'):
        tree.run(part, argument)
    tree.as_kernel('modules/a')
    tree.as_programs('userspace/b')
    tree.justified.write_text(JUSTIFIED + 'core/ring.c | ring | return 1 | Of this one only.\n')
    return 1, 'neither run nor justified: core/ring.c:9: return 3;'


def a_part_of_a_function_is_not_its_whole(tree):
    tree.justified.write_text(JUSTIFIED.replace('main | never(', 'main | *'))
    return 1, 'justified as a whole, and a part of it is run: */main.c | main | * | Another.'


def nor_by_chance(tree):
    tree.justified.write_text(JUSTIFIED.replace('main | never( | Another', 'main | * | ?Another'))
    return 1, 'neither run nor justified: modules/a/main.c:15: sum = never(sum);'


def a_reason_too_many(tree):
    tree.justified.write_text(JUSTIFIED + '*/main.c | never | return | It has one.\n')
    return 1, 'justified, but run or not there: */main.c | never | return'


CASES = [good, only_what_was_not_run, ring_has_a_line_less, below_the_bar, no_counts_of_a_case,
         no_counts_of_a_module, cut_off, other_build, not_built_to_count, justified, not_justified,
         justified_though_run, a_reason_is_for_what_follows, a_reason_is_not_for_what_precedes,
         a_reason_ends_where_something_is_run, a_part_of_a_function_is_not_its_whole, nor_by_chance,
         a_reason_too_many]


def main():
    failed = False
    for case in CASES:
        tree = Tree(Path(sys.argv[2]) / case.__name__)
        status, words = case(tree)
        got, said = tree.report()
        bad = got != status or words not in said
        print(f'not ok coverage/{case.__name__} # status {got}, expected {status} and {words!r}: {said!r}'
              if bad else f'ok coverage/{case.__name__}')
        failed |= bad
    return failed


if __name__ == '__main__':
    sys.exit(main())
