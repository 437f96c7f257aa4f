# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""A machine with a disk of its own, that boots as an installed one does: Debian's initramfs, then systemd.

Its power can be cut: a script that resets the machine leaves on the disk what was written by then.
"""
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'vm'))
from harness import qemu  # noqa: E402

SECONDS = 1200

# The folder out is /mnt of the guest: the folder itself by 9p, or copies of its files on the disk. A script that ends the
# machine by itself writes the status before.
UNIT = '''[Unit]
Description=The script of the test

[Service]
ExecStart=/bin/sh -c 'mount -t 9p -o trans=virtio,version=9p2000.L,msize=512000 out /mnt || [ -e /mnt/script ]; sh -ex /mnt/script > /mnt/log 2>&1; echo $? > /mnt/status; poweroff -f'

[Install]
WantedBy=multi-user.target
'''


class BootFailed(Exception):
    """The sentence."""


class Machine:
    """A machine whose disk begins with the files of @root, and UNIT. Its kernel may have no 9p."""

    def __init__(self, root, kernel, folder):
        self.folder, self.out, self.disk = folder, folder / 'out', folder / 'disk'
        self.has_9p = any((root / 'lib/modules' / kernel).rglob('9pnet_virtio.ko*'))
        shutil.rmtree(folder, ignore_errors=True)
        self.out.mkdir(parents=True)
        for name in 'vmlinuz', 'initrd.img':
            shutil.copy(root / f'boot/{name}-{kernel}', folder / name)
        with open(self.disk, 'wb') as disk:
            disk.truncate(8 << 30)
        unit = root / 'etc/systemd/system/test.service'
        wanted = unit.parent / 'multi-user.target.wants' / unit.name
        unit.write_text(UNIT)
        wanted.symlink_to(f'../{unit.name}')
        subprocess.run(['mkfs.ext4', '-q', '-d', root, self.disk], check=True)
        wanted.unlink()
        unit.unlink()

    def copy_in(self):
        """Put the files of out on the disk."""
        subprocess.run(['debugfs', '-w', '-f', '-', self.disk], text=True, check=True, stdout=subprocess.DEVNULL,
                       input=''.join(f'write {file} mnt/{file.name}\n' for file in self.out.iterdir()))

    def copy_out(self):
        """Take the files of /mnt from the disk."""
        subprocess.run(['debugfs', '-R', f'rdump mnt {self.folder}', self.disk], check=True, stdout=subprocess.DEVNULL)
        shutil.rmtree(self.out)
        (self.folder / 'mnt').rename(self.out)

    def boot(self, script):
        """Run a script of the shell; raise BootFailed unless its status is 0."""
        (self.out / 'script').write_text(script)
        (self.out / 'status').unlink(missing_ok=True)
        command = [qemu.program(), '-nodefaults', '-no-user-config', '-display', 'none', '-no-reboot',
                   '-M', 'q35', '-accel', 'tcg,tb-size=256,thread=multi', '-cpu', 'max,la57=off', '-smp', '2', '-m', '1536',
                   '-kernel', self.folder / 'vmlinuz', '-initrd', self.folder / 'initrd.img',
                   '-append', 'root=/dev/vda rw console=ttyS0 panic=-1 oops=panic no_timer_check',
                   '-serial', f'file:{self.folder}/console.log',
                   '-drive', f'file={self.disk},if=virtio,format=raw',
                   '-virtfs', f'local,path={self.out},mount_tag=out,security_model=none,multidevs=remap']
        if not self.has_9p:
            self.copy_in()
        try:
            subprocess.run(command, timeout=SECONDS, check=True, stdin=subprocess.DEVNULL)
        except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as error:
            raise BootFailed(f'QEMU: {error}; see {self.folder}') from error
        if not self.has_9p:
            self.copy_out()
        status, log = self.out / 'status', self.out / 'log'
        if not status.exists() or status.read_text().strip() != '0':
            raise BootFailed(f'the script failed; see {self.folder}: {log.read_text()[-2000:] if log.exists() else ""}')
