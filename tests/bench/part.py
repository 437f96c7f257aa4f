# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Shared by the parts of the bench."""
import os
import shutil
import subprocess
from pathlib import Path

BENCH = Path(__file__).resolve().parent
REPO = BENCH.parent.parent
VM = REPO / 'tests' / 'vm'
LTTNG = REPO / 'build' / 'bench' / 'lttng'      # where its modules are built

# For parts in which much is copied: emulated, "rep movsb" counts as an instruction for
# each byte. Without ERMS and FSRM the kernel copies 8 bytes at a time, which is nearer to
# what copying costs.
CPU = 'max,la57=off,-erms,-fsrm'

# Tools that are measured with or without their program.
ALWAYS = ['ltt', 'ftrace']

LAYERS = ['timestamp', 'relay', 'markers', 'tracer', 'instrument', 'instrument/syscalls', 'instrument/probes', 'heartbeat', 'control']


class Failed(Exception):
    """One sentence for the user."""


def said_by(*command):
    """The output of a program; its last line when it fails."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, text=True, errors='replace')
    except FileNotFoundError:
        raise Failed(f'{command[0]} is not installed.') from None
    if done.returncode:
        last = (done.stdout.strip().splitlines() or ['it says nothing'])[-1]
        raise Failed(f'{Path(command[0]).name} failed: {last}')
    return done.stdout


def build_lttng():
    """The sentence on why there are no modules of LTTng, if so."""
    try:
        said_by(BENCH / 'lttng' / 'build', LTTNG)
    except Failed as why:
        return str(why)
    return ''


def available(programs, missing):
    """The tools of a table of their programs that can be measured; MISSING gets a sentence on each other."""
    if 'lttng' in programs and (no_lttng := build_lttng()):
        missing['lttng'] = no_lttng
    for tool, program in programs.items():
        if tool not in ALWAYS and not shutil.which(program):
            missing[tool] = f'{program} is not installed'
    return [tool for tool in programs if tool not in missing]


def run_guest(script, folder, seconds, *arguments):
    """Run a script in a VM whose TSC counts instructions.  It gets the folder that this returns, and the arguments."""
    vm = subprocess.run([VM / 'vm', 'run', '--icount', '--cpu', CPU, '--mem', '1536', '--timeout', str(seconds),
                         '--out', folder, '--', 'python3', script, '/out', *arguments])
    if vm.returncode:
        raise Failed(f'the VM ended with status {vm.returncode}: see {folder}/output.log')
    return folder / 'out'


def modules():
    """LTT's, in loading order."""
    found = [sorted((REPO / 'modules' / layer).glob('ltt-*.ko')) for layer in LAYERS]
    if not all(found):
        raise Failed('the modules are not built: run make first.')
    return sum(found, [])


def kernel_release():
    return os.environ.get('KVER') or said_by(VM / 'kernel').strip()


def package_version(package):
    try:
        return said_by('dpkg-query', '-W', '-f', '${Version}', package)
    except Failed:
        return ''


def versions(*packages):
    """NAME, VERSION of the kernel in the VM, and of what there is of LTTng's modules
    and the packages."""
    release = kernel_release()
    yield 'kernel', f'{release} ({package_version("linux-image-" + release)})'
    if (LTTNG / 'version').exists():
        yield 'lttng-modules', (LTTNG / 'version').read_text().strip()
    for package in packages:
        if version := package_version(package):
            yield package, version


def write(path, rows):
    path.write_text(''.join('\t'.join(map(str, row)) + '\n' for row in rows))
