# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""member.py ASK ANSWER: answer questions about JSON files, until killed.

A question, written to the pipe ASK, is the path of a file and, in the next line, a Python expression in which d is the JSON
value of the file. The answer, in the pipe ANSWER, is a line with 0 and then the value, or a line with 1 and then the
reason why there is none.

The parser is that of CPython's json, without the module around it: to import that takes an emulated CPU
a third of a second.
"""
import sys
from _json import make_scanner


class Rules:
    strict = True
    object_hook = object_pairs_hook = None
    parse_float, parse_int, parse_constant = float, int, float


def value_of(path):
    with open(path, encoding='utf-8') as file:
        text = file.read().strip()
    try:
        value, end = make_scanner(Rules)(text, 0)
    except (StopIteration, SystemError):
        import json
        json.loads(text)            # It says what is wrong.
        raise
    if end != len(text):
        raise ValueError('text follows the JSON value')
    return value


def answer_to(question):
    try:
        path, expression = question.decode().removesuffix('\n').split('\n', 1)
        return f"0\n{eval(expression, {'d': value_of(path)})}\n".encode()
    except Exception as error:      # The next question needs this process.
        return f'1\n{question!r}: {type(error).__name__}: {error}\n'.encode(errors='backslashreplace')


while True:
    with open(sys.argv[1], 'rb') as ask:
        asked = ask.read()
    with open(sys.argv[2], 'wb') as answer:
        answer.write(answer_to(asked))
