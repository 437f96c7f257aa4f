# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""The order for a run, which the guest reads once it has booted: see init.c.

The guest reads it from QEMU's firmware configuration device, whose content is not
part of a saved VM: so copies of one VM get orders of their own.
"""
import os
import secrets
import shlex
import shutil
import time

from . import GUEST_PATH, REPO
from .qemu import has_own_root, shares

WAIT = b'wait\n'        # no order yet


def write(folder, options, nonce, command, copy):
    lines = [nonce, ','.join(shares(options, folder)), 'shell' if options.interactive else '']
    # A copy has the time and the randomness of when the VM was saved.
    lines += [f'{time.time():.0f}', secrets.token_hex(32)] if copy else ['', '']
    (folder / 'order').write_text('\n'.join([*lines, script(options, command)]))


def script(options, command):
    lines = [f'cd {shlex.quote(os.getcwd())}', f'export LTT={shlex.quote(str(REPO))}',
             'export HOME=/root OUT=/out LC_ALL=C', f'export PATH="$LTT/tests/vm:{GUEST_PATH}"']
    lines += [f'export {name}={shlex.quote(os.environ[name])}'
              for name in ('LTT_SEED', 'LTT_SLOW', 'LTT_MINUTES', 'LTT_LONG') if name in os.environ]
    if has_own_root(options):
        lines = ['export HOME=/root OUT=/out LC_ALL=C', f'export PATH={GUEST_PATH}']
    if options.bare:
        lines = ['busybox --install -s /bin', 'export PATH=/bin']
    if options.interactive:
        size = shutil.get_terminal_size()
        lines += [f'stty rows {size.lines} columns {size.columns}',
                  f'export TERM={shlex.quote(os.environ.get("TERM", "dumb"))}']
    return '\n'.join([*lines, command]) + '\n'
