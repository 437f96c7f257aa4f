# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""The results of tests, as a TAP stream."""
import subprocess
import sys
import threading
import time
from pathlib import Path

PASSED, FAILED, SKIPPED = 'ok', 'not ok', 'skipped'
LOG_LINES = 25


def read_lines(path):
    return path.read_text(errors='replace').splitlines() if path.exists() else []


def source(tree):
    """The commit of the tree that is tested ("+": changed since), and today's date."""
    done = subprocess.run(['git', '-C', tree, 'describe', '--always', '--exclude=*', '--abbrev=8', '--dirty=+'],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return {'commit': done.stdout.strip(), 'date': time.strftime('%Y-%m-%d', time.gmtime())}


def end_of(log):
    """Lines of comment with the end of a log: a file, or lines."""
    return [f'    | {line}' for line in (read_lines(log) if isinstance(log, Path) else log)[-LOG_LINES:]]


class Results:
    """A TAP stream on stdout and in a file: a line per test as it ends, the plan, the count."""

    def __init__(self, path, shown=True):
        self.shown = shown
        self.lock = threading.Lock()
        self.count = {PASSED: 0, FAILED: 0, SKIPPED: 0}
        self.file = open(path, 'w')
        self.write(['TAP version 13'])

    def write(self, lines):
        """The lock is held, or there are no other threads."""
        for file in [sys.stdout, self.file] if self.shown else [self.file]:
            print(*lines, sep='\n', end='\n' if lines else '', flush=True, file=file)

    def add(self, name, outcome, note='', log=()):
        """The log, shown if the test failed, is a file or lines."""
        comments = []
        if outcome == FAILED:
            where = [f'    log: {log}'] if isinstance(log, Path) else []
            comments = [f'# {line}' for line in [*end_of(log), *where]]
        word, directive = (PASSED, 'SKIP ') if outcome == SKIPPED else (outcome, '')
        with self.lock:
            self.count[outcome] += 1
            number = sum(self.count.values())
            self.write([f'{word} {number} - {name}' + (f' # {directive}{note}' if note or directive else ''), *comments])

    def comment(self, lines):
        with self.lock:
            self.write([f'# {line}'.rstrip() for line in lines])

    def end(self):
        """The plan, and the count as the last line, which TAP ignores."""
        self.write([f'1..{sum(self.count.values())}', self.summary()])

    def summary(self):
        line = f'{self.count[PASSED]} passed, {self.count[FAILED]} failed'
        return line + (f', {self.count[SKIPPED]} skipped' if self.count[SKIPPED] else '')
