#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""Check that the tests and files that documents name exist: vm/NAME, unit/NAME, and paths."""
import re
import sys
from pathlib import Path

repo = Path(__file__).resolve().parent.parent.parent
cases = {path.stem for path in (repo / 'tests/vm/cases').iterdir()}
functions = set()
for path in (repo / 'tests/unit').glob('test-*.c'):
    functions |= set(re.findall(r'UNIT_TEST\((\w+)\)', path.read_text()))

paths = re.compile(r'`((?:core|doc|include|modules|samples|tests|userspace)/[\w./-]*\w/?)`')

failed = False
for doc in [repo / 'README.md', *sorted((repo / 'doc').glob('*.md'))]:
    named = set(re.findall(r'(?<![\w/])(vm|unit)/([a-zA-Z][\w-]*[a-zA-Z0-9])', doc.read_text()))
    for suite, name in sorted(named):
        if name not in (cases if suite == 'vm' else functions):
            print(f'    {doc.name} names {suite}/{name}, which does not exist')
            failed = True
    for name in sorted(set(paths.findall(doc.read_text()))):
        if not (repo / name).exists():
            print(f'    {doc.name} names {name}, which does not exist')
            failed = True
print('not ok' if failed or not cases or not functions else 'ok', 'names/tests_and_files_in_documents_exist')
sys.exit(failed)
