# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""How fast the TSC counts, for the guest not to measure it: see tsc-khz.c."""
import subprocess

from . import HERE, WORK, compiled, read_text, this_boot, write_file


def khz():
    """Measured once in each boot of the host, as it is a part of what a saved VM is."""
    known = WORK / 'tsc-khz.known'
    words = read_text(known).split()
    if words[:1] != [this_boot()]:
        measured = subprocess.run([compiled(HERE / 'tsc-khz.c')], stdout=subprocess.PIPE, text=True, check=True)
        words = [this_boot(), measured.stdout.strip()]
        write_file(known, ' '.join(words).encode())
    return words[1]
