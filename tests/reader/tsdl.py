# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
"""CTF 1.8 metadata (TSDL) of any writer, parsed as the specification says.

It does not know typedefs of C types and references to callsites, which have no use without a C
compiler. Text that it does not understand is an error; it skips nothing.
"""
import re

TOKEN = re.compile(r'\s+|/\*.*?\*/|//[^\n]*|(?P<string>"(?:[^"\\]|\\.)*")'
                   r'|(?P<number>0[xX][0-9a-fA-F]+|\d+)|(?P<word>[A-Za-z_]\w*)'
                   r'|(?P<mark>\.\.\.|:=|[{}()\[\]<>;:,=.+-])', re.S)
KEYWORDS = set('''align callsite const char clock double enum env event floating_point float
    integer int long short signed stream string struct trace typealias typedef unsigned
    variant void'''.split())
TRUTH = {'true': True, 'TRUE': True, '1': True, 'false': False, 'FALSE': False, '0': False}


class Bad(Exception):
    """The metadata or a stream is not what it must be: the class of fault, and a sentence."""

    def __init__(self, fault, sentence):
        super().__init__(f'{fault}: {sentence}')
        self.fault = fault


class Type:
    """kind: integer, float, string, enum, struct, variant, array, sequence."""

    def __init__(self, kind, align=1, **more):
        self.kind, self.align = kind, align
        self.__dict__.update(more)


def tokens(text):
    at = 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise Bad('lexical', f'no token begins with {text[at:at + 10]!r}')
        at = match.end()
        if match.lastgroup:
            yield match.lastgroup, match[0]


def power_of_two(n):
    return n > 0 and n & (n - 1) == 0


def unquote(text):
    return re.sub(r'\\(.)', r'\1', text[1:-1], flags=re.S)


class Parser:
    def __init__(self, text):
        self.tokens, self.at = list(tokens(text)), 0
        self.scopes = [{}]              # names of types, the innermost scope last
        self.blocks = []                # (kind, attributes)
        self.byte_order = None

    # ---- Tokens ----

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead][1] if self.at + ahead < len(self.tokens) else ''

    def next(self):
        if self.at == len(self.tokens):
            raise Bad('syntax', 'the metadata ends in the middle of a declaration')
        self.at += 1
        return self.tokens[self.at - 1]

    def take(self, text):
        if self.peek() == text:
            self.at += 1
            return True
        return False

    def need(self, text):
        if not self.take(text):
            raise Bad('syntax', f'{text!r} expected, there is {self.peek()!r}')

    def word(self):
        kind, text = self.next()
        if kind != 'word':
            raise Bad('syntax', f'a name expected, there is {text!r}')
        return text

    def new_name(self):
        name = self.word()
        if name in KEYWORDS:
            raise Bad('keyword', f'{name} is a word of the language')
        return name

    def number(self):
        negative = self.take('-')
        kind, text = self.next()
        if kind != 'number':
            raise Bad('syntax', f'a number expected, there is {text!r}')
        octal = len(text) > 1 and text[0] == '0' and text[1] not in 'xX'
        try:
            return (-1 if negative else 1) * int(text, 8 if octal else 0)
        except ValueError:
            raise Bad('lexical', f'{text} is not an octal number') from None

    # ---- Types ----

    def scope(self):
        """Braces with a scope of their own for names of types: one round for each declaration in
        them, which the caller parses; typealiases are parsed here."""
        self.need('{')
        self.scopes.append({})
        while not self.take('}'):
            if self.take('typealias'):
                self.typealias()
            else:
                yield
        self.scopes.pop()

    def define(self, key, made):
        if key in self.scopes[-1]:
            raise Bad('type-redefined', f'{key} is defined twice')
        self.scopes[-1][key] = made

    def lookup(self, key):
        for scope in reversed(self.scopes):
            if key in scope:
                return scope[key]
        raise Bad('type-unknown', f'{key} is not defined')

    def attributes(self):
        """The attributes between braces: NAME = VALUE; of a type."""
        found = {}
        self.need('{')
        while not self.take('}'):
            name = self.word()
            self.need('=')
            value = self.next()[1]
            while not self.take(';'):
                value += self.next()[1]
            if name in found:
                raise Bad('attribute-twice', f'{name} is given twice')
            found[name] = value
        return found

    def integer(self):
        given = self.attributes()
        for name in given:
            if name not in ('size', 'align', 'signed', 'base', 'encoding', 'byte_order', 'map'):
                raise Bad('attribute-unknown', f'integer has no attribute {name}')
        if 'size' not in given or not given['size'].isdigit() or not 0 < int(given['size']) <= 64:
            raise Bad('integer-size', f'an integer of size {given.get("size")}')
        size = int(given['size'])
        align = given.get('align', '1' if size % 8 else '8')
        if not align.isdigit() or not power_of_two(int(align)):
            raise Bad('alignment', f'an alignment of {align}')
        if given.get('signed', 'false') not in TRUTH:
            raise Bad('attribute-value', f'signed = {given["signed"]}')
        bases = {'2': 2, '8': 8, '10': 10, '16': 16, 'hex': 16, 'x': 16, 'dec': 10, 'oct': 8}
        if given.get('base', '10') not in bases:
            raise Bad('attribute-value', f'base = {given["base"]}')
        if given.get('encoding', 'none') not in ('none', 'UTF8', 'ASCII'):
            raise Bad('attribute-value', f'encoding = {given["encoding"]}')
        return Type('integer', int(align), size=size, signed=TRUTH[given.get('signed', 'false')],
                    base=bases[given.get('base', '10')], text=given.get('encoding', 'none') != 'none',
                    order=self.order_of(given.get('byte_order', 'native')), clock=given.get('map'))

    def order_of(self, text):
        if text == 'native':
            return None
        if text not in ('le', 'be', 'network'):
            raise Bad('byte-order', f'byte_order = {text}')
        return 'le' if text == 'le' else 'be'

    def enum(self):
        name = '' if self.peek() in ':{' else self.word()
        base = self.type_name() if self.take(':') else self.lookup('int')
        if base.kind != 'integer':
            raise Bad('enum-container', 'the container of an enum is not an integer')
        if name and self.peek() != '{':
            return self.lookup(f'enum {name}')
        self.need('{')
        ranges, value = [], 0
        while not self.take('}'):
            kind, label = self.next()
            label = unquote(label) if kind == 'string' else label
            if kind not in ('string', 'word'):
                raise Bad('syntax', f'a label expected, there is {label!r}')
            if self.take('='):
                value = self.number()
            last = self.number() if self.take('...') else value
            low = -(1 << base.size - 1) if base.signed else 0
            if not low <= value <= last < low + (1 << base.size):
                raise Bad('enum-range', f'{label} from {value} to {last}')
            ranges.append((value, last, label))
            value = last + 1
            if not self.take(',') and self.peek() != '}':
                raise Bad('syntax', f'"," expected, there is {self.peek()!r}')
        if not ranges:
            raise Bad('enum-empty', 'an enum without labels')
        made = Type('enum', base.align, base=base, ranges=ranges)
        if name:
            self.define(f'enum {name}', made)
        return made

    def fields(self):
        """{ TYPE NAME[LENGTH]...; }, types of a scope of their own"""
        found = []
        for _ in self.scope():
            made = self.type_name()
            name = self.new_name()
            lengths = []
            while self.take('['):
                if self.tokens[self.at][0] == 'number' or self.peek() == '-':
                    length = self.number()
                    if length < 0:
                        raise Bad('array-length', f'{name} has {length} elements')
                else:
                    length = self.path()
                lengths.append(length)
                self.need(']')
            for length in reversed(lengths):
                made = Type('array' if isinstance(length, int) else 'sequence', made.align,
                            element=made, length=length)
            self.need(';')
            # Readers take one underscore off.
            if name == '_' or name.removeprefix('_') in [other.removeprefix('_') for other, _ in found]:
                raise Bad('field-name', f'{name} is not a name, or there are two such fields')
            if made.kind == 'sequence':
                self.check_reference(made.length, found, ('integer',), 'sequence-length')
            if made.kind == 'variant':
                if not made.tag:
                    raise Bad('variant-tag', f'{name} has no tag')
                tag = self.check_reference(made.tag, found, ('enum',), 'variant-tag')
                labels = {label for _, _, label in tag.ranges} if tag else set()
                if tag and not {option for option, _ in made.fields} >= labels:
                    raise Bad('variant-options', f'{name} has no option for each label')
            found.append((name, made))
        return found

    def check_reference(self, path, found, kinds, fault):
        """The field that a length or tag names stands before it, and is of the right type."""
        if '.' in path:
            return None
        made = dict(found).get(path)
        if made is None or made.kind not in kinds:
            raise Bad(fault, f'{path} is not an earlier {kinds[0]}')
        if made.kind == 'integer' and made.signed:
            raise Bad(fault, f'{path} is signed')
        return made

    def path(self):
        text = self.word()
        while self.take('.'):
            text += '.' + self.word()
        return text

    def structure(self):
        name = '' if self.peek() == '{' else self.word()
        if name and self.peek() != '{':
            return self.lookup(f'struct {name}')
        fields, align = self.fields(), 1
        if self.take('align'):
            self.need('(')
            align = self.number()
            self.need(')')
            if not power_of_two(align):
                raise Bad('alignment', f'an alignment of {align}')
        made = Type('struct', max([align] + [field.align for _, field in fields]), fields=fields)
        if name:
            self.define(f'struct {name}', made)
        return made

    def variant(self):
        name = '' if self.peek() in '{<' else self.word()
        tag = ''
        if self.take('<'):
            tag = self.path()
            self.need('>')
        if name and self.peek() != '{':
            return Type('variant', 1, tag=tag, fields=self.lookup(f'variant {name}').fields)
        fields = self.fields()
        if not fields:
            raise Bad('variant-empty', 'a variant without options')
        made = Type('variant', 1, tag=tag, fields=fields)
        if name:
            self.define(f'variant {name}', made)
        return made

    def type_name(self):
        word = self.word()
        if word == 'integer':
            return self.integer()
        if word == 'floating_point':
            given = self.attributes()
            size = int(given.get('exp_dig', 0)) + int(given.get('mant_dig', 0))
            if size not in (32, 64):
                raise Bad('float-size', f'a number of {size} bits')
            return Type('float', int(given.get('align', 8)), size=size,
                        order=self.order_of(given.get('byte_order', 'native')))
        if word == 'string':
            given = self.attributes() if self.peek() == '{' else {}
            if set(given) - {'encoding'}:
                raise Bad('attribute-unknown', f'string has no attribute {sorted(given)[0]}')
            return Type('string', 8)
        if word in ('struct', 'variant', 'enum'):
            return {'struct': self.structure, 'variant': self.variant, 'enum': self.enum}[word]()
        return self.lookup(word)

    def typealias(self):
        made = self.type_name()
        self.need(':=')
        self.define(self.new_name(), made)
        self.need(';')

    # ---- Blocks ----

    def block(self, kind):
        found = {}
        for _ in self.scope():
            name = self.path()
            if name in found:
                raise Bad('attribute-twice', f'{kind}.{name} is given twice')
            if self.take(':='):
                found[name] = self.type_name()
            else:
                self.need('=')
                if self.tokens[self.at][0] == 'string':
                    found[name] = unquote(self.next()[1])
                elif self.tokens[self.at][0] == 'word':
                    found[name] = self.path()
                else:
                    found[name] = self.number()
            self.need(';')
        self.take(';')
        self.blocks.append((kind, found))

    def parse(self):
        while self.at < len(self.tokens):
            word = self.peek()
            if word in ('trace', 'stream', 'event', 'clock', 'env', 'callsite'):
                self.at += 1
                self.block(word)
            elif self.take('typealias'):
                self.typealias()
            elif word in ('struct', 'variant', 'enum'):
                self.type_name()
                self.need(';')
            else:
                raise Bad('syntax', f'no declaration begins with {word!r}')
        return self.blocks
