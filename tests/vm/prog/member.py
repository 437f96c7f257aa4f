# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""member.py FILE EXPRESSION: print the value of a Python expression, in which d is the JSON value in FILE.

The parser is that of CPython's json, without the module around it: to import that takes an emulated CPU
a third of a second, and cases ask for a hundred members.
"""
import sys
from _json import make_scanner


class Rules:
    strict = True
    object_hook = object_pairs_hook = None
    parse_float, parse_int, parse_constant = float, int, float


with open(sys.argv[1], encoding='utf-8') as file:
    text = file.read().strip()
try:
    d, end = make_scanner(Rules)(text, 0)
except (StopIteration, SystemError):
    import json
    json.loads(text)            # It says what is wrong.
    raise
if end != len(text):
    raise ValueError(f'{sys.argv[1]}: text follows the JSON value')
print(eval(sys.argv[2]))
