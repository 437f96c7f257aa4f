# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""QEMU's command line, and a QEMU at work."""
import ctypes
import json
import os
import socket
import subprocess
from pathlib import Path

from . import REPO, SetupError, kernel, tsc

INSTALLED = 'qemu-system-x86_64'
FETCHED = REPO / 'build' / 'qemu'       # by tests/kernels/fetch-qemu
DONE = 33               # 2 * EXIT_DONE + 1, see init.c
MONITOR_SECONDS = 60    # an answer takes milliseconds, but the machine may be loaded


class Gone(SetupError):
    """QEMU ended, or does not obey a command."""


def program():
    """The one that LTT_QEMU names, or the newer QEMU, where there is one."""
    if os.environ.get('LTT_QEMU'):
        return os.environ['LTT_QEMU']
    return str(FETCHED / 'usr/bin' / INSTALLED) if (FETCHED / 'complete').exists() else INSTALLED


def kernel_parameters(options, accel):
    words = ['console=ttyS0 loglevel=5 printk.devkmsg=on',
             'panic=-1 oops=panic softlockup_panic=1 hung_task_panic=1',
             # A race is reported as a warning, also one of the kernel's own.
             f'panic_on_warn={int(not kernel.has("KCSAN"))}',
             # A busy host may stop a virtual CPU for long without the kernel being at fault.
             'watchdog_thresh=30 rcupdate.rcu_cpu_stall_timeout=60',
             # unknown_nmi_panic: how a hang is made to show where the CPUs are
             'panic_print=0x40 unknown_nmi_panic',
             'nokaslr mitigations=off cryptomgr.notests no_timer_check',
             # QEMU translates a library again for each address that it is mapped at: with
             # the same one in all processes, starting a program takes a fifth of the time.
             'norandmaps']
    if not (options.parallel or options.icount or has_own_root(options) or kernel.built()):
        # To begin and end a recording takes three seconds otherwise, in which the guest waits for RCU.
        # Cases about races or time (--parallel) have the grace periods that users have.
        words += ['rcupdate.rcu_expedited=1']
    if options.icount:
        words += ['tsc=reliable maxcpus=1']
    elif accel == 'tcg':
        words += [f'tsc_early_khz={tsc.khz()}']
    if kernel.has('KASAN'):
        words += ['slub_debug=-']       # KASAN sees the same, and at once
    elif options.slub_debug:
        words += ['slub_debug=FZPU']
    return ' '.join([*words, options.append])


def has_own_root(options):
    """Whether the guest's root is another one than this machine's."""
    return options.root != Path('/')


def shares(options, folder):
    """The directories the guest sees by 9p: tag to path and access."""
    if options.bare:
        return {}
    tags = {'host': (options.root, 'on'), 'out': (folder / 'out', 'off')}
    if (REPO / 'build' / 'stage').is_dir() and not has_own_root(options):
        tags['stage'] = (REPO / 'build' / 'stage', 'on')
    return tags


def command_line(options, accel, image, initrd, folder):
    """For a run with its files in this folder."""
    command = [program(), '-nodefaults', '-no-user-config', '-display', 'none',
               '-no-reboot', '-M', 'q35', '-m', str(options.mem),
               # A second CPU that is never started: cases limit traces to CPUs that run nothing.
               '-smp', '2' if options.icount else str(options.smp),
               '-kernel', str(image), '-initrd', str(initrd), '-append', kernel_parameters(options, accel),
               '-fw_cfg', f'name=opt/ltt/order,file={folder}/order',
               '-serial', f'file:{folder}/console.log',
               '-chardev', f'stdio,id=tty,mux={"on" if options.interactive else "off"},'
                           f'signal=off,logfile={folder}/output.log',
               '-serial', 'chardev:tty',
               '-chardev', f'file,id=report,path={folder}/report',
               '-device', 'isa-debugcon,iobase=0xe9,chardev=report',
               '-device', 'isa-debug-exit,iobase=0xf4,iosize=4']
    if options.interactive:
        command += ['-mon', 'tty']
    if accel == 'kvm':
        command += ['-accel', 'kvm', '-cpu', options.cpu or 'host']
    else:
        threads = 'multi' if options.parallel else 'single'
        command += ['-accel', f'tcg,tb-size=256,thread={threads}', '-cpu', options.cpu or 'max,la57=off']
    if options.icount:
        # Idle time may be skipped only where the guest waits for nothing outside.
        sleep = 'off' if options.bare else 'on'
        command += ['-icount', f'shift=0,sleep={sleep}', '-rtc', 'base=2026-01-01,clock=vm', '-seed', '1']
    if options.link:
        own, other = options.link.split(',')
        # The last byte of the address differs with the order of the names.
        command += ['-netdev', f'dgram,id=link,local.type=unix,local.path={own},remote.type=unix,remote.path={other}',
                    '-device', f'virtio-net-pci,netdev=link,mac=52:54:00:00:00:{1 + (own > other):02}']
    for tag, (path, readonly) in shares(options, folder).items():
        command += ['-virtfs', f'local,path={path},mount_tag={tag},security_model=none,'
                               f'readonly={readonly},multidevs=remap']
    return command


def die_with_parent():
    set_death_signal, sigkill = 1, 9
    ctypes.CDLL(None).prctl(set_death_signal, sigkill)


class Machine:
    """A QEMU, to be used in a with statement, at whose end it is gone."""

    def __init__(self, command, folder, stdin=subprocess.DEVNULL):
        ours, theirs = socket.socketpair()
        ours.settimeout(MONITOR_SECONDS)
        with theirs, open(folder / 'qemu.log', 'wb') as log:
            self.process = subprocess.Popen(
                [*command, '-chardev', f'socket,id=qmp,fd={theirs.fileno()}', '-mon', 'qmp,mode=control'],
                stdin=stdin, stderr=log, pass_fds=[theirs.fileno()], preexec_fn=die_with_parent)
        self.monitor = ours
        self.answers = ours.makefile('r')
        self.greeted = False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.answers.close()
        self.monitor.close()

    def ask(self, execute, **arguments):
        """Have the monitor do something; what it answers."""
        if not self.greeted:
            self.greeted = True
            self.ask('qmp_capabilities')
        try:
            self.monitor.sendall(json.dumps({'execute': execute, 'arguments': arguments}).encode())
            for line in self.answers:
                answer = json.loads(line)
                if 'error' in answer:
                    raise Gone(f'QEMU did not {execute}: {answer["error"]["desc"]}')
                if 'return' in answer:
                    return answer['return']
        except OSError as error:
            raise Gone(f'QEMU did not {execute}: {error}') from error
        raise Gone(f'QEMU did not {execute}: it has ended')

    def ends_within(self, seconds):
        try:
            self.process.wait(seconds)
            return True
        except subprocess.TimeoutExpired:
            return False

    def provoke_backtrace(self):
        """A hung kernel still takes an NMI, and panics at it: the console shows what it did."""
        try:
            self.ask('inject-nmi')
            self.ends_within(5)
        except Gone:
            pass
