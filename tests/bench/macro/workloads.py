# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""The workloads: each a command that does the same each time, and takes a second or two of an
emulated CPU.

They run in a root of their own in memory, which has what they need and no more: files of the host
would be waited for, not always as long.
"""
import os
import re
import shutil
import subprocess
from pathlib import Path

LTT = Path(os.environ['LTT'])
BENCH = LTT / 'tests/bench'
ROOT = Path('/run/root')
DISK = ROOT / 'disk'        # a file system is mounted there

PINGPONG = LTT / 'build/bench/macro/pingpong'
SOURCES = [BENCH / 'macro/pingpong.c', BENCH / 'life/timed-write.c']
COMPILE = ['cc', '-O1', '-c', *SOURCES]
PROGRAMS = ['sh', 'true', 'dd', 'cc', 'as', 'sqlite3', PINGPONG]

INSERTS = ''.join(f"insert into t values({n}, 'row {n}', hex(randomblob(50)));\n" for n in range(300))
SQL = f'''create table t(id integer primary key, name text, value text);
{INSERTS}
create index by_name on t(name);
select count(*), max(length(value)) from t where name like 'row 1%';
select a.id from t a join t b on a.name = b.name order by b.value limit 1;
'''

COMMANDS = {
    'nothing': ['true'],
    'syscalls': ['dd', 'if=/dev/zero', 'of=/dev/null', 'bs=1', 'count=60000', 'status=none'],
    'switches': [PINGPONG, '15000'],
    'forks': ['sh', '-c', 'i=0; while [ $i -lt 200 ]; do /bin/true; i=$((i + 1)); done'],
    'disk': ['dd', 'if=/dev/zero', 'of=/disk/file', 'bs=16k', 'count=1000', 'oflag=dsync', 'status=none'],
    'compile': COMPILE,
    'sqlite': ['sqlite3', '/disk/db', '.read /disk/sql'],
}
WORKLOADS = {name: ['chroot', ROOT, *command] for name, command in COMMANDS.items()}


def said_by(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def make_root():
    for folder in 'usr/bin', 'usr/lib', 'usr/lib64', 'tmp', 'dev', 'disk':
        (ROOT / folder).mkdir(parents=True)
    for name in 'bin', 'lib', 'lib64':
        (ROOT / name).symlink_to(f'usr/{name}')
    programs = [shutil.which(program) for program in PROGRAMS] + [said_by('cc', '-print-prog-name=cc1').strip()]
    libraries = re.findall(r'/\S+\.so\S*(?= \()', said_by('ldd', *programs))
    headers = re.findall(r'/\S+', said_by(*COMPILE, '-M'))
    for file in {*map(str, programs), *libraries, *headers}:
        said_by('cp', '-L', '--parents', file, ROOT)
    said_by('mount', '--bind', '/dev', ROOT / 'dev')


def prepare():
    """Take away what the workloads left the last time."""
    for file in 'file', 'db', 'db-journal':
        (DISK / file).unlink(missing_ok=True)
    (DISK / 'sql').write_text(SQL)
