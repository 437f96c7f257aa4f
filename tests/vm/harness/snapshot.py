# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Booted VMs on disk, and copies of them at work.

Each kind of VM, which is a command line of QEMU and the files added, is booted once, up to where
init waits for its order (9p is not mounted yet, as that could not be saved). Its
memory is a file; the rest of its state is what QEMU writes when it migrates
elsewhere. A copy maps the memory file privately, so it costs what it changes.

A saved VM is good for this boot of the host (it knows how fast the TSC counts) and as long
as the files that it was made of stay as they are; else it is made anew.
"""
import fcntl
import hashlib
import shlex
import shutil
import time
from contextlib import contextmanager
from pathlib import Path

from . import WORK, SetupError, initramfs, kernel, order, qemu, read_text, this_boot
from .complaints import COMPLAINTS

BOOT_SECONDS = 180      # generous: the machine may be loaded
SAVE_SECONDS = 120
READY = 'ready'         # see init.c


class BootFailed(Exception):
    """It did not come to where it could be saved: (QEMU's exit status, seconds if it hung)."""


class Kind:
    def __init__(self, options, accel, image):
        self.options, self.accel, self.image = options, accel, image
        words = [*qemu.command_line(options, accel, image, 'initrd', Path('folder')),
                 *(file.name for file in options.add), 'loaded' if options.loaded else '']
        name = hashlib.sha256(shlex.join(words).encode()).hexdigest()[:16]
        self.folder = WORK / kernel.release() / 'saved' / name

    def ingredients(self):
        """The files on which the saved VM depends, apart from the command line."""
        program = shutil.which(qemu.program())
        if not program:
            raise SetupError(f'There is no {qemu.program()}: install qemu-system-x86.')
        files = [self.image, Path(program), *initramfs.inputs(self.options)]
        identities = [f'{file} {file.stat().st_size} {file.stat().st_mtime_ns}' for file in files]
        return '\n'.join([*identities, this_boot()])

    def command_line(self, saved, folder, share):
        """With memory that is a file: the saved VM's own, or a copy's."""
        line = qemu.command_line(self.options, self.accel, self.image, saved / 'initrd', folder)
        line[line.index('q35')] += ',memory-backend=memory'
        return line + ['-object', f'memory-backend-file,id=memory,size={self.options.mem}M,'
                                  f'mem-path={saved}/memory,share={share}']

    def fresh(self):
        return read_text(self.folder / 'ingredients') == self.ingredients()

    def save(self, logs):
        """Boot it, and replace what is saved. The folder gets the logs of the boot."""
        partial = self.folder.with_suffix('.partial')
        clear_away(self.folder.parent)
        for old in partial, self.folder:
            shutil.rmtree(old, ignore_errors=True)
        partial.mkdir()
        (logs / 'out').mkdir(parents=True, exist_ok=True)
        (logs / 'report').unlink(missing_ok=True)
        ingredients = self.ingredients()
        (partial / 'initrd').write_bytes(initramfs.build(self.options))
        (logs / 'order').write_bytes(order.WAIT)
        with qemu.Machine(self.command_line(partial, logs, 'on'), logs) as machine:
            wait_until_ready(machine, logs)
            machine.ask('stop')
            complained = COMPLAINTS.search(read_text(logs / 'console.log'))
            if complained:
                raise SetupError(f'The kernel complained as it booted ({complained[0]}), see {logs}.')
            leave_memory_out(machine)
            machine.ask('migrate', uri=f'exec:cat > {shlex.quote(str(partial / "state"))}')
            wait_until_saved(machine)
        (partial / 'ingredients').write_text(ingredients)
        partial.rename(self.folder)


@contextmanager
def locked(folder, how):
    """Exclusively to make a saved VM or take it away, shared while QEMU reads it."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(folder.with_suffix('.lock'), 'w') as file:
        fcntl.flock(file, how)
        yield


def clear_away(folder):
    """Remove the VMs of other boots of the host, which cannot be used any more."""
    for saved in folder.glob('*/ingredients'):
        try:
            with locked(saved.parent, fcntl.LOCK_EX | fcntl.LOCK_NB):
                if not read_text(saved).endswith(this_boot()):
                    shutil.rmtree(saved.parent)
        except BlockingIOError:
            pass    # another run is making it anew


def copy(options, accel, image, prepare):
    """A copy at work, its folder made ready for it by prepare(). Save the VM first if need be."""
    kind = Kind(options, accel, image)
    while True:
        with locked(kind.folder, fcntl.LOCK_SH):
            if kind.fresh():
                prepare()
                return resume(kind)
        with locked(kind.folder, fcntl.LOCK_EX):
            if not kind.fresh():
                kind.save(options.out)


def resume(kind):
    machine = qemu.Machine([*kind.command_line(kind.folder, kind.options.out, 'off'),
                            '-incoming', 'defer'], kind.options.out)
    try:
        leave_memory_out(machine)
        machine.ask('migrate-incoming', uri=f'exec:cat {shlex.quote(str(kind.folder / "state"))}')
        while machine.ask('query-status')['status'] == 'inmigrate':
            time.sleep(0.01)
        machine.ask('cont')
    except qemu.Gone:
        # If it has ended, its exit status will tell.
        if not machine.ends_within(5):
            machine.process.kill()
            raise
    return machine


def leave_memory_out(machine):
    machine.ask('migrate-set-capabilities',
                capabilities=[{'capability': 'x-ignore-shared', 'state': True}])


def wait_until_ready(machine, logs):
    deadline = time.monotonic() + BOOT_SECONDS
    while READY not in read_text(logs / 'report'):
        if machine.ends_within(0.02):
            raise BootFailed(machine.process.returncode, 0)
        if time.monotonic() > deadline:
            machine.provoke_backtrace()
            raise BootFailed(0, BOOT_SECONDS)


def wait_until_saved(machine):
    deadline = time.monotonic() + SAVE_SECONDS
    while (status := machine.ask('query-migrate').get('status')) != 'completed':
        if status == 'failed' or time.monotonic() > deadline:
            raise SetupError(f'The booted VM cannot be saved ({status}): is the disk full?')
        time.sleep(0.02)
