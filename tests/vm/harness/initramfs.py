# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""The initramfs of the guest: init, the modules for 9p or, with --bare, busybox."""
import os
import subprocess
from pathlib import Path

from . import GUEST_PATH, HERE, REPO, SetupError, compiled, kernel

NINEP_MODULES = ['virtio_pci', '9pnet_virtio', '9p', 'overlay']
BUSYBOX = Path('/bin/busybox')
# In the order in which they are loaded, as in ../ltt-load.
LAYERS = ['timestamp', 'relay', 'markers', 'tracer', 'instrument', 'instrument/syscalls', 'instrument/probes',
          'heartbeat', 'control']


def guest_init():
    return compiled(HERE / 'init.c', '-static')


def modules_home(root):
    """Where lib/modules of the kernel is, with what depmod writes: "make stage" runs it for a fetched kernel."""
    home = kernel.home(root)
    return REPO / 'build/stage/usr' if home == kernel.fetched() else home


def inputs(options):
    """The files that make it what it is."""
    # Not modules.dep: "make stage" writes that anew each time.
    modules = kernel.home(options.root) / 'lib/modules' / kernel.release() / 'modules.order'
    return [guest_init(), *([BUSYBOX, *options.add] if options.bare else [] if kernel.built() else [modules]),
            *layers(options)]


def build(options):
    regular, link, folder = 0o100755, 0o120777, 0o040755
    entries = [('init', regular, guest_init().read_bytes())]
    names = ''
    files = [] if options.bare or kernel.built() else modules_for(NINEP_MODULES, options.root)
    for number, module in enumerate([*files, *layers(options)]):
        entries.append((f'{number}.ko', regular, module_content(module)))
        parameters = f' {options.control}' if Path(module).name == 'ltt-control.ko' else ''
        names += f'/{number}.ko{parameters}\n'
    entries.append(('modules', regular, names.encode()))
    if options.bare:
        if not os.access(BUSYBOX, os.X_OK):
            raise SetupError(f'{BUSYBOX} is missing: install busybox-static.')
        entries += [('bin', folder, b''), ('bin/sh', link, b'busybox'),
                    ('bin/busybox', regular, BUSYBOX.read_bytes())]
        entries += [(file.name, regular, file.read_bytes()) for file in options.add]
    return cpio(entries)


def layers(options):
    """The files of LTT's modules that the guest is to have loaded before its order comes."""
    if not options.loaded:
        return []
    files = [file for layer in LAYERS for file in sorted((REPO / 'modules' / layer).glob('ltt-*.ko'))]
    if len(files) < len(LAYERS):
        raise SetupError('The modules are not built: run make.')
    return files


def modules_for(names, root):
    """The files of these modules and of those they need, in loading order."""
    files = {}
    for name in names:
        show = subprocess.run(['modprobe', '-d', modules_home(root), '-S', kernel.release(), '--show-depends', name],
                              stdout=subprocess.PIPE, text=True,
                              env={'PATH': GUEST_PATH})
        if show.returncode:
            raise SetupError(f'{modules_home(root)}/lib/modules/{kernel.release()} lists no module {name}: install '
                             f'linux-image-{kernel.release()}, or run "make stage" with the KDIR of a fetched kernel.')
        for line in show.stdout.splitlines():
            if line.startswith('insmod '):
                files[Path(line.split()[1])] = True
    return list(files)


def module_content(file):
    content = file.read_bytes()
    return kernel.unpacked(content) or content


def cpio(entries):
    """An archive in "newc" format of (name, mode, content)."""
    archive = bytearray()
    for name, mode, content in [*entries, ('TRAILER!!!', 0, b'')]:
        fields = [0, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name) + 1, 0]
        archive += b'070701' + ''.join(f'{field:08x}' for field in fields).encode()
        archive += name.encode() + b'\0'
        archive += bytes(-len(archive) % 4) + content
        archive += bytes(-len(archive) % 4)
    return archive
