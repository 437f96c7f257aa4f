#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Check the functions that an event calls: imports.py KDIR FOLDER

The objects of the modules' write path may import only the functions that this file lists: none
that allocates, locks, wakes up or sleeps. The list has a reason for each function.
"""
import re
import subprocess
import sys
from pathlib import Path

REPO = Path(__file__).resolve().parent.parent.parent

COMPILER = {'__x86_return_thunk', '__x86_indirect_thunk_\\w+', '__stack_chk_fail', '__fentry__',
            'memcpy', 'memset', '__kasan\\w*', '__asan\\w*', '__tsan\\w*', '__ubsan\\w*', '__kcsan\\w*'}
PER_CPU = {'this_cpu_off', 'cpu_number', 'current_task', 'pcpu_hot', '__preempt_count', '__per_cpu_offset'}

ALLOWED = {
    # The ring itself: nothing but the clock.
    'modules/relay/ring.o': {
        'ltt_clock_is_raw', 'ltt_clock_read_slow',
    },
    'modules/tracer/write.o': {
        'ltt_clock_is_raw', 'ltt_clock_read_slow',
        'ltt_ring_deliver', 'ltt_record_write_slow', 'ltt_record_write_context',
        # contexts, below
        'ltt_gather', 'ltt_gather_end',
        # raises an interrupt (irq_work), which does the rest
        'ltt_news_receiver', 'ltt_news_call',
        # lossless channels: asks for task work, after the record; waits where a site may sleep
        'ltt_relay_ask_to_wait', 'ltt_relay_pause',
        # preempt_enable_notrace() of ltt_event_write()
        '__SCT__preempt_schedule_notrace', 'preempt_schedule_notrace', '__SCK__preempt_schedule_notrace',
    },
    'modules/tracer/gather.o': {
        'ltt_contexts_have_stack', 'ltt_counter_read',
        'ltt_stack_begin', 'ltt_stack_end', 'ltt_stack_find', 'ltt_stack_found', 'ltt_stack_number',
    },
    'modules/tracer/context-table.o': {
        'rcu_is_watching', 'task_active_pid_ns', 'strcmp', 'pv_ops', 'ltt_stack_of_kernel', 'ltt_stack_of_user',
    },
    'modules/tracer/stack.o': {
        'rcu_is_watching', 'memmove', 'stack_trace_save', 'ltt_origin',
        # fails in place of a fault; the mode of the program in a guest of Xen
        'copy_from_user_nofault', 'pv_info',
        # ltt_stack_alloc() and ltt_stack_exit(), in a task
        '__alloc_percpu', 'free_percpu',
    },
    # The values of system calls and dynamic probes: copies that fail in place of a fault, into memory that is there.
    'modules/instrument/syscalls/pack.o': {
        'copy_from_user_nofault', 'ltt_copy_string_until', 'ltt_scratch_cpu',
    },
    'modules/instrument/nofault.o': {
        'copy_from_kernel_nofault', 'memchr',
    },
    'modules/instrument/probes/fetch.o': {
        'copy_from_kernel_nofault', 'copy_from_user_nofault', 'memchr', 'ltt_scratch_cpu', 'ltt_origin',
        '__cpu_online_mask', '__cpu_dying_mask', 'rcu_is_watching',
        '__SCT__preempt_schedule_notrace', 'preempt_schedule_notrace', '__SCK__preempt_schedule_notrace',
    },
}


def imports(file):
    listed = subprocess.run(['nm', '-u', file], stdout=subprocess.PIPE, text=True, check=True)
    return {line.split()[-1] for line in listed.stdout.splitlines()}


def main():
    failed = False
    for file, allowed in ALLOWED.items():
        if not (REPO / file).exists():
            print(f'    {file} is not there: run make first')
            failed = True
            continue
        pattern = re.compile('|'.join(COMPILER | PER_CPU | allowed))
        found = imports(REPO / file)
        for name in sorted(found):
            if not pattern.fullmatch(name):
                print(f'    {file} calls or reads {name}, which is not allowed where events are written')
                failed = True
        failed |= not found
    print('not ok' if failed else 'ok', 'imports/no_allocation_no_lock_no_wake_up')
    return failed


if __name__ == '__main__':
    sys.exit(main())
