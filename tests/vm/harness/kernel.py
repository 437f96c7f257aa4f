# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Which kernel a VM boots, as a file that QEMU can start."""
import lzma
import os
import shutil
import struct
import subprocess
from functools import lru_cache
from pathlib import Path

from . import HERE, WORK, SetupError, newer, write_file


BUILT_IMAGE = 'arch/x86/boot/bzImage'


@lru_cache(None)
def release():
    name = os.environ.get('KVER')
    if not name:
        found = subprocess.run([HERE / 'kernel'], stdout=subprocess.PIPE, text=True)
        name = found.stdout.strip()
    if not name:
        raise SetupError('No kernel here has both its headers and its image installed: '
                         'install linux-image-amd64 and linux-headers-amd64.')
    return name


def built():
    """The folder of KDIR if that is where a kernel was built; it has what we need built in."""
    folder = Path(os.environ.get('KDIR') or '/nowhere')
    return folder if (folder / BUILT_IMAGE).exists() else None


def has(option):
    """Whether a built kernel was configured so; those of distributions have no debug option."""
    return bool(built()) and f'CONFIG_{option}=y\n' in (built() / '.config').read_text()


def fetched():
    """The folder of KDIR with lib/modules and boot of a kernel that is not installed (see tests/kernels/fetch), or None."""
    folder = Path(os.environ.get('KDIR') or '/nowhere') / 'installed'
    return folder if folder.exists() else None


def home(root=Path('/')):
    """Where lib/modules and boot of the kernel are: in the guest's own root, with the kernel's headers
    in KDIR, or on this machine."""
    return root if root != Path('/') else fetched() or root


def unpacked(data):
    """The content of a file that is packed as the kernel packs its image and modules, or None."""
    if data.startswith(b'\xfd7zXZ\0'):
        return lzma.decompress(data)
    for magic, packer in (b'\x28\xb5\x2f\xfd', 'zstd'), (b'\x02\x21\x4c\x18', 'lz4'):
        if data.startswith(magic):
            if not shutil.which(packer):
                raise SetupError(f'There is no {packer}, with which this kernel is packed: install {packer}.')
            return subprocess.run([packer, '-d', '-q', '-c'], input=data, stdout=subprocess.PIPE, check=True).stdout
    return None


def image(packed, root=Path('/')):
    """The uncompressed kernel: QEMU starts it at its PVH entry, 3 s sooner than the image.

    Not in a VM that is to wake up from sleep (S3): then QEMU loads it once more, over the
    data of the one that runs.
    """
    if built():
        # KASAN's shadow is not set up on the way from the PVH entry.
        return built() / BUILT_IMAGE
    installed = home(root) / 'boot' / f'vmlinuz-{release()}'
    if not os.access(installed, os.R_OK):
        raise SetupError(f'{installed} is not readable: install linux-image-{release()}, or run as root.')
    if packed:
        return installed
    vmlinux = WORK / release() / 'vmlinux'
    if newer(vmlinux, installed):
        return vmlinux
    data = installed.read_bytes()
    # Boot protocol: setup_sects, payload_offset, payload_length; the payload ends
    # with its inflated size.
    offset, length = struct.unpack_from('<II', data, 0x248)
    start = ((data[0x1f1] or 4) + 1) * 512 + offset
    inflated = unpacked(data[start:start + length - 4])
    if inflated is None:
        return installed
    write_file(vmlinux, inflated)
    return vmlinux
