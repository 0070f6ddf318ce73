"""Fingerprints of Python programs that do not depend on names, layout, comments or the order of functions.

A program is parsed, never run. Each function becomes a sequence of tokens, one for each node of its syntax tree, in
which names that the program defines are all alike; names that it does not define, such as ``min`` or ``legal``, and
short texts stay, because a copy needs them. Comments, layout, docstrings, annotations and imports leave no token.
Winnowing (S. Schleimer, D. S. Wilkerson, A. Aiken: Winnowing: Local Algorithms for Document Fingerprinting, SIGMOD
2003) selects some of the hashes of `GRAM` tokens in a row, such that two functions with `GRAM` + `WINDOW` - 1 tokens in
common share at least one.
"""

import ast
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Final, NamedTuple

GRAM: Final = 12
"""Number of tokens in a row that make one hash; shorter matches are noise. A short statement has about ten."""
WINDOW: Final = 6
"""Number of hashes in a row of which one is selected."""
LONGEST_TEXT: Final = 24
"""Longest text that is kept, in characters: tokens of the games are short, and messages are easily reworded."""
PRIME: Final = 2**61 - 1
BASE: Final = 1_000_003
TOP: Final = pow(BASE, GRAM - 1, PRIME)
"""Weight of the first token of a hash."""

Functions = ast.FunctionDef | ast.AsyncFunctionDef


class Span(NamedTuple):
    """Lines of a file, from 1, both included."""

    file: str
    first: int
    last: int


class _Token(NamedTuple):
    text: str
    first: int
    last: int


Fingerprints = Mapping[int, Sequence[Span]]
"""The places of each fingerprint in a program."""


class Unreadable(ValueError):
    """Raised if a file is not a Python program."""


def fingerprints(files: Mapping[str, str]) -> Fingerprints:
    """Return the fingerprints of a program, given the source of each of its files. Raises `Unreadable`."""
    trees = {file: _parse(file, source) for file, source in files.items()}
    own = _Own.of(trees.values())
    found: dict[int, list[Span]] = {}
    for file, tree in trees.items():
        for unit in _units(tree):
            for fingerprint, first, last in _winnow(list(own.tokens(unit))):
                found.setdefault(fingerprint, []).append(Span(file, first, last))
    return found


def _parse(file: str, source: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the program, such as invalid escapes
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Unreadable(f"{file} is not a Python program: {error}") from None


def _units(tree: ast.Module) -> Iterator[Sequence[ast.stmt]]:
    """Yield the statements of each function, of each class outside its functions, and of the module outside both.

    Sequences of tokens do not cross these borders, so the order of functions does not matter.
    """
    yield tree.body
    for node in ast.walk(tree):
        if isinstance(node, Functions | ast.ClassDef):
            yield node.body


class _Own(NamedTuple):
    """Names that a program defines."""

    names: frozenset[str]
    attributes: frozenset[str]

    @classmethod
    def of(cls, trees: Iterable[ast.Module]) -> "_Own":
        names: set[str] = set()
        attributes: set[str] = set()
        for tree in trees:
            for node in ast.walk(tree):
                _define(node, names, attributes)
        return cls(frozenset(names), frozenset(attributes | names))

    def tokens(self, statements: Sequence[ast.stmt]) -> Iterator[_Token]:
        """Yield the tokens of these statements; a function or class among them is one token."""
        ahead: list[tuple[ast.AST, int, int]] = [(node, 0, 0) for node in reversed(statements) if not _is_silent(node)]
        while ahead:  # no recursion: an expression may be nested deeply
            node, first, last = ahead.pop()
            first, last = _lines(node, first, last)
            if text := self._text(node):
                yield _Token(text, first, last)
            if not isinstance(node, Functions | ast.ClassDef):
                ahead += [(child, first, last) for child in reversed(list(_children(node)))]

    def _text(self, node: ast.AST) -> str:
        """Return the token of a node; empty if it has none."""
        match node:
            case ast.Name(id=name):
                return "name" if name in self.names else name
            case ast.Attribute(attr=name):
                return ".name" if name in self.attributes else f".{name}"
            case ast.keyword(arg=name):
                return "=name" if name is None or name in self.names else f"={name}"
            case ast.Constant(value=value):
                return _constant(value)
            case ast.AnnAssign():
                return "Assign"
            case ast.expr_context():
                return ""
        return type(node).__name__


def _lines(node: ast.AST, first: int, last: int) -> tuple[int, int]:
    """Return the lines of a node, or the given ones if it has none; of a statement the first."""
    match node:
        case ast.stmt(lineno=line):
            return line, line
        case ast.expr(lineno=line, end_lineno=int(end)):
            return line, end
    return first, last


def _define(node: ast.AST, names: set[str], attributes: set[str]) -> None:
    """Add the name that a node defines."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) | ast.ExceptHandler(name=str(name)):
            names.add(name)
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            names.add(name)
        case ast.alias(asname=str(name)):
            names.add(name)
        case ast.Attribute(attr=name, ctx=ast.Store()):
            attributes.add(name)


def _is_silent(statement: ast.AST) -> bool:
    """Return whether a statement leaves no token: imports, docstrings and other texts that do nothing, and pass."""
    match statement:
        case ast.Import() | ast.ImportFrom() | ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
    return False


def _children(node: ast.AST) -> Iterator[ast.AST]:
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "type_comment"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _is_silent(child):
                yield child


def _constant(value: object) -> str:
    if isinstance(value, str):
        return repr(value) if len(value) <= LONGEST_TEXT else "text"
    return repr(value) if value is None or isinstance(value, bool) else type(value).__name__


def _winnow(tokens: Sequence[_Token]) -> Iterator[tuple[int, int, int]]:
    """Yield the selected hashes of a sequence of tokens, each with its first and last line."""
    hashes = _hashes([_hash(token.text) for token in tokens])
    chosen = -1
    for start in range(max(1, len(hashes) - WINDOW + 1) if hashes else 0):
        window = hashes[start : start + WINDOW]
        least = start + window.index(min(window))
        if least > chosen:
            chosen = least
            here = tokens[least : least + GRAM]
            yield hashes[least], min(token.first for token in here), max(token.last for token in here)


def _hashes(numbers: Sequence[int]) -> list[int]:
    """Return the hash of each `GRAM` numbers in a row, each from the one before (R. M. Karp, M. O. Rabin, 1987)."""
    hashes, value = [], 0
    for at, number in enumerate(numbers):
        value = (value * BASE + number) % PRIME
        if at >= GRAM - 1:
            hashes.append(value)
            value = (value - numbers[at - GRAM + 1] * TOP) % PRIME
    return hashes


@lru_cache(maxsize=4096)
def _hash(text: str) -> int:
    """Return the hash of a token: the same in every process, so that reports can be repeated."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=7).digest())
