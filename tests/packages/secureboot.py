# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""A VM with UEFI firmware and Secure Boot on, whose trusted keys can be added to.

The firmware is Debian's OVMF with its test key, whose private half the package has, as platform
key, key exchange key and in db. So we can sign the kernel, and can add certificates to db by an
update that the guest writes, as an owner of the machine could. The kernel takes the keys of db
for its modules. (Shim's list of machine owner keys, which mokutil adds to, is another source of
such keys. It needs a person at the console.)

The harness of tests/vm cannot boot here: its init writes to I/O ports, which lockdown forbids.
"""
import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / 'vm'))
from harness import initramfs  # noqa: E402

OVMF = Path('/usr/share/OVMF')
TEST_KEY = Path('/usr/share/ovmf/PkKek-1-snakeoil.key')
TEST_CERTIFICATE = TEST_KEY.with_suffix('.pem')
SECONDS = 900
OWNER = '11111111-2222-3333-4444-123456789abc'  # of the certificate; any GUID

# Lockdown leaves no way out but files: the status is written last.
INIT = '''#!/bin/busybox sh
export PATH=/bin
/bin/busybox --install -s /bin
mkdir -p /proc /sys /dev /new
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
while read -r module; do insmod "$module"; done < /modules
mount -t 9p -o trans=virtio,version=9p2000.L,msize=512000,ro,cache=loose root /new
mount -t 9p -o trans=virtio,version=9p2000.L,msize=512000 out /new/mnt
for fs in proc sys dev; do mount --move /$fs /new/$fs; done
mount -t tmpfs tmp /new/tmp
mount -t tmpfs run /new/run
mount -t securityfs security /new/sys/kernel/security
PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot /new sh /mnt/script > /new/mnt/log 2>&1
echo $? > /new/mnt/status
sync
poweroff -f
'''

# The variable of firmware that has the keys, and the bits for: kept, seen by kernels,
# authenticated, appended to.
ENROL = r'''
modprobe efivarfs
mount -t efivarfs efivarfs /sys/firmware/efi/efivars
db=/sys/firmware/efi/efivars/db-d719b2cb-3d3a-4596-a3bc-dad00e67656f
{ printf '\147\0\0\0'; cat /mnt/db.auth; } > /tmp/update
chattr -i "$db"
dd if=/tmp/update of="$db" bs=64k oflag=append conv=notrunc
'''


class BootFailed(Exception):
    """The sentence."""


def run(*command):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise BootFailed(f'{command[0]}: exit status {done.returncode}: {done.stdout}')


class Machine:
    """A machine with this Debian as its root, and firmware that remembers what was enrolled."""

    def __init__(self, root, kernel, folder):
        self.root, self.folder, self.out = root, folder, folder / 'out'
        shutil.rmtree(folder, ignore_errors=True)
        self.out.mkdir(parents=True)
        shutil.copy(OVMF / 'OVMF_VARS_4M.snakeoil.fd', folder / 'variables')
        run('openssl', 'rsa', '-in', TEST_KEY, '-passin', 'pass:snakeoil', '-out', folder / 'key')
        run('sbsign', '--key', folder / 'key', '--cert', TEST_CERTIFICATE, '--output', folder / 'vmlinuz',
            root / f'boot/vmlinuz-{kernel}')
        (folder / 'initrd').write_bytes(self.initrd(kernel))

    def initrd(self, kernel):
        os.environ['KVER'] = kernel
        initramfs.kernel.release.cache_clear()
        regular, folder = 0o100755, 0o040755
        files = initramfs.modules_for(initramfs.NINEP_MODULES, self.root)
        entries = [('init', regular, INIT.encode()), ('bin', folder, b''),
                   ('bin/busybox', regular, initramfs.BUSYBOX.read_bytes()),
                   ('modules', regular, ''.join(f'/{number}.ko\n' for number in range(len(files))).encode())]
        entries += [(f'{number}.ko', regular, initramfs.module_content(file)) for number, file in enumerate(files)]
        return initramfs.cpio(entries)

    def prepare_enrolment(self, certificate):
        """Make the update that ENROL writes, of a certificate in DER."""
        pem, keys = self.folder / 'certificate', self.folder / 'keys'
        run('openssl', 'x509', '-inform', 'DER', '-in', certificate, '-out', pem)
        run('cert-to-efi-sig-list', '-g', OWNER, pem, keys)
        run('sign-efi-sig-list', '-a', '-k', self.folder / 'key', '-c', TEST_CERTIFICATE, 'db', keys,
            self.out / 'db.auth')

    def boot(self, script):
        """Run a script of the shell, whose /mnt is the folder out; raise BootFailed unless it succeeds."""
        (self.out / 'script').write_text(script)
        (self.out / 'status').unlink(missing_ok=True)
        command = ['qemu-system-x86_64', '-nodefaults', '-no-user-config', '-display', 'none', '-no-reboot',
                   '-machine', 'q35,smm=on', '-accel', 'tcg,tb-size=256', '-cpu', 'max,la57=off', '-m', '1024',
                   '-global', 'driver=cfi.pflash01,property=secure,value=on', '-global', 'ICH9-LPC.disable_s3=1',
                   '-drive', f'if=pflash,unit=0,format=raw,readonly=on,file={OVMF}/OVMF_CODE_4M.secboot.fd',
                   '-drive', f'if=pflash,unit=1,format=raw,file={self.folder}/variables',
                   '-kernel', self.folder / 'vmlinuz', '-initrd', self.folder / 'initrd',
                   '-append', 'console=ttyS0 panic=-1 oops=panic', '-serial', f'file:{self.folder}/console.log',
                   '-virtfs', f'local,path={self.root},mount_tag=root,security_model=none,readonly=on,multidevs=remap',
                   '-virtfs', f'local,path={self.out},mount_tag=out,security_model=none,multidevs=remap']
        try:
            subprocess.run(command, timeout=SECONDS, check=True, stdin=subprocess.DEVNULL)
        except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as error:
            raise BootFailed(f'QEMU: {error}; see {self.folder}') from error
        status = self.out / 'status'
        if not status.exists() or status.read_text().strip() != '0':
            log = self.out / 'log'
            raise BootFailed(f'the script failed; see {self.folder}: {log.read_text() if log.exists() else ""}')
