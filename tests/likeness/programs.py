"""Programs of bots for measurements: independent ones, and copies that were disguised.

An independent program is drawn from a grammar of what bots do: features of a card, plans for each phase, memory of
what was played, search. Programs share idioms, and some of them a helper that circulates, as real ones do.
"""

import ast
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from random import Random
from typing import Final

HELPERS: Final = 60
"""Number of helpers that circulate."""
BORROWED: Final = 0.3
"""Share of programs that use one of these helpers."""

_WORDS: Final = (
    "weight", "cost", "danger", "gain", "risk", "safe", "value", "plan", "points", "lead", "follow", "keep", "drop",
    "left", "seen", "best", "low", "high", "gap", "hold", "mark", "state", "total", "force", "wish", "need", "odds",
)  # fmt: skip
_LISTS: Final = ("view.hand", "view.trick", "view.legal", "view.tricks", "view.taken", "view.scores")
_NUMBERS: Final = (
    "view.deal", "view.seat", "view.leader", "view.dealer", "len(view.hand)", "len(view.trick)", "max(view.scores)",
)  # fmt: skip
_OF_CARD: Final = (
    "RANKS.index({card}[0])", "view.power({card})", "ord({card}[1])", "view.hand.count({card})",
    "len(view.suit({card}[1]))",
    "({card}[1] == view.roles['trump'])", "({card}[1] == view.roles['penalty'])",
    "({card}[0] in 'TJQKA')",
    "sum(other[1] == {card}[1] for other in view.hand)",
    "sum(view.power(other) < view.power({card}) for other in view.hand)",
)  # fmt: skip
_PHASES: Final = ("nominate", "privilege", "play")


class _Writer:
    """Writes one program."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.names = [f"{word}_{rng.choice(_WORDS)}" for word in rng.sample(_WORDS, 20)]
        self.helpers: list[str] = []

    def program(self, borrowed: Sequence[str]) -> str:
        """Return the source of a bot."""
        self.helpers = [self.rng.choice(self.names) + f"_{number}" for number in range(self.rng.randint(2, 5))]
        functions = [*borrowed, *(self.helper(name) for name in self.helpers)]
        self.rng.shuffle(functions)
        imports = 'from arena.sdk import Bot\n\nRANKS = "23456789TJQKA"\n'
        return "\n\n".join([imports, *functions, self.bot()])

    def helper(self, name: str) -> str:
        """Return a function that values a card."""
        body = [f"{self.any_name()} = {self.number('card', 2)}", *self.block(self.rng.randint(2, 5), "card")]
        return f"def {name}(card, view):\n" + indent([*body, f"return {self.number('card', 2)}"])

    def bot(self) -> str:
        """Return the class with `act`."""
        methods = [self.method(phase) for phase in self.rng.sample(_PHASES, self.rng.randint(1, 3))]
        names = [method.split("(")[0].removeprefix("def ") for method in methods]
        act = [
            *(f'if view.phase == "{name.rsplit("_", 1)[0]}":\n    return self.{name}(view)' for name in names),
            self.choice(),
        ]
        methods.append("def act(self, view):\n" + indent(act))
        return f"class {self.names[4].title()}(Bot):\n" + indent(["\n\n".join(methods)])

    def method(self, phase: str) -> str:
        """Return a method for a phase."""
        body = [*self.block(self.rng.randint(1, 4), "view.legal[0]"), self.choice()]
        return f"def {phase}_{self.rng.choice(_WORDS)}(self, view):\n" + indent(body)

    def choice(self) -> str:
        """Return a statement that chooses an action."""
        best = self.rng.choice(("min", "max"))
        if self.rng.random() < 0.5:
            return f"return {best}(view.legal, key=lambda card: {self.call('card')})"
        return f"return {best}(view.legal, key=lambda card: ({self.number('card', 1)}, {self.call('card')}))"

    def block(self, size: int, card: str) -> Iterator[str]:
        """Yield statements about a card."""
        for _ in range(size):
            yield self.rng.choice((self.assignment, self.early_return, self.selection, self.loop))(card)

    def assignment(self, card: str) -> str:
        """Return an assignment of a number."""
        return f"{self.any_name()} = {self.number(card, 2)}"

    def early_return(self, card: str) -> str:
        """Return a condition after which the function is left."""
        result = "view.legal[-1]" if "legal" in card else self.number(card, 1)
        return f"if {self.condition(card)}:\n    return {result}"

    def selection(self, _: str) -> str:
        """Return a comprehension."""
        return f"{self.any_name()} = [other for other in {self.rng.choice(_LISTS)} if {self.condition('other')}]"

    def loop(self, _: str) -> str:
        """Return a loop that adds something up."""
        name, listed = self.any_name(), self.rng.choice(_LISTS)
        inner = f"{name} {self.rng.choice(('+=', '-='))} {self.number('other', 1)}"
        head = f"{name} = {self.rng.randint(0, 9)}\nfor other in {listed}:"
        return f"{head}\n    if {self.condition('other')}:\n        {inner}"

    def condition(self, card: str) -> str:
        """Return an expression that is true or false."""
        sign = self.rng.choice(("<", ">", "<=", ">=", "=="))
        compared = f"{self.number(card, 1)} {sign} {self.number(card, 1)}"
        if self.rng.random() < 0.7:
            return compared
        return f"{compared} {self.rng.choice(('and', 'or'))} {self.number(card, 0)} > 0"

    def number(self, card: str, depth: int) -> str:
        """Return an expression that is a number."""
        if depth and self.rng.random() < 0.6:
            sign = self.rng.choice(("+", "-", "*", "//"))
            return f"{self.number(card, depth - 1)} {sign} {self.number(card, depth - 1)}"
        kind = self.rng.random()
        if kind < 0.45:
            return self.rng.choice(_OF_CARD).format(card=card)
        return self.rng.choice(_NUMBERS) if kind < 0.8 else str(self.rng.randint(1, 20))

    def call(self, card: str) -> str:
        """Return a call of one of the helpers."""
        return f"{self.rng.choice(self.helpers)}({card}, view)"

    def any_name(self) -> str:
        """Return one of the author's favourite names."""
        return self.rng.choice(self.names[:4])


def indent(statements: Sequence[str]) -> str:
    """Return statements as a body."""
    return "\n".join(f"    {line}" if line else "" for statement in statements for line in statement.split("\n"))


@cache
def circulating() -> tuple[str, ...]:
    """Return the helpers that circulate."""
    return tuple(_Writer(Random(f"helper {number}")).helper(f"helper_{number}") for number in range(HELPERS))


def independent(rng: Random) -> str:
    """Return a program that depends on no other."""
    borrowed = [rng.choice(circulating())] if rng.random() < BORROWED else []
    return _Writer(rng).program(borrowed)


def renamed(source: str, rng: Random) -> str:
    """Rename everything that the program defines."""
    tree = ast.parse(source)
    own = {name for node in ast.walk(tree) for name in _defined(node)} - {"act", "self"}
    new = {name: f"{rng.choice(_WORDS)}_{rng.randrange(1000)}x{number}" for number, name in enumerate(sorted(own))}
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) if name in new:
                node.id = new[name]
            case ast.arg(arg=name) if name in new:
                node.arg = new[name]
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) if name in new:
                node.name = new[name]
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if name in new:
                node.attr = new[name]
    return ast.unparse(tree)


def _defined(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
            yield name
        case ast.Name(id=name, ctx=ast.Store()):
            yield name


def reordered(source: str, rng: Random) -> str:
    """Put functions and methods into another order."""
    tree = ast.parse(source)
    holders: list[ast.Module | ast.ClassDef] = [tree, *(node for node in tree.body if isinstance(node, ast.ClassDef))]
    for node in holders:
        movable: list[ast.stmt] = [one for one in node.body if isinstance(one, ast.FunctionDef)]
        rest = [one for one in node.body if not isinstance(one, ast.FunctionDef)]
        rng.shuffle(movable)
        node.body = [*rest[:2], *movable, *rest[2:]]
    return ast.unparse(tree)


def reformatted(source: str, rng: Random) -> str:
    """Indent by another width, and break lines within brackets."""
    wide = rng.choice((1, 2, 3, 8))
    lines = ast.unparse(ast.parse(source)).split("\n")
    indented = [" " * ((len(line) - len(line.lstrip())) // 4 * wide) + line.lstrip() for line in lines]
    depth, result = 0, []
    for letter, quoted in _quoting("\n".join(indented)):
        result.append(letter)
        if not quoted:
            depth += (letter in "([{") - (letter in ")]}")
            if depth and letter in ",(" and rng.random() < 0.5:
                result.append("\n" + " " * rng.randrange(12))
    return "".join(result)


def _quoting(source: str) -> Iterator[tuple[str, bool]]:
    """Yield each letter, and whether it is part of a text."""
    quote = ""
    for letter in source:
        if letter in "'\"" and quote in ("", letter):
            quote = "" if quote else letter
        yield letter, bool(quote)


def commented(source: str, rng: Random) -> str:
    """Add comments, docstrings and annotations."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.body.insert(0, ast.Expr(ast.Constant(f"My own {rng.choice(_WORDS)} of the {rng.choice(_WORDS)}.")))
            node.returns = ast.Name("object")
    lines = ast.unparse(ast.fix_missing_locations(tree)).split("\n")
    return "\n".join(f"{line}  # {rng.choice(_WORDS)}" if line.endswith(")") else line for line in lines)


def disguised(source: str, rng: Random) -> str:
    """Do all of the above."""
    return commented(reformatted(reordered(renamed(source, rng), rng), rng), rng)


def extended(source: str, rng: Random) -> str:
    """Rename everything, and add two functions of one's own."""
    writer = _Writer(rng)
    return "\n\n".join([renamed(source, rng), writer.helper("own_first"), writer.helper("own_second")])


DISGUISES: Final[dict[str, Callable[[str, Random], str]]] = {
    "renamed": renamed,
    "reordered": reordered,
    "reformatted": reformatted,
    "comments changed": commented,
    "all four": disguised,
    "renamed and extended": extended,
}
"""Ways to disguise a copy, by name."""
