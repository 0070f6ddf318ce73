"""The reference of `arena.sdk` in Markdown, made from the source of the names that authors import."""

import ast
import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import arena.sdk
from web.manual.reference import members_of

HEAD: Final = """# Reference of the SDK

What bots import from `arena.sdk`. [The guide](../web/manual/guide.md) shows how to use it,
[the engine](../web/manual/engine.md) has the views and events of each game.
"""


def text() -> str:
    """Return the page."""
    return "\n\n".join([HEAD.strip(), *(f"## {name}\n\n{_described(name)}" for name in arena.sdk.__all__)]) + "\n"


def _described(name: str) -> str:
    node, says = _definition(name)
    if isinstance(node, ast.ClassDef):
        return "\n\n".join([*_class(node), *_view_fields(name)])
    if isinstance(node, ast.FunctionDef):
        return f"```\n{_signature(node)}\n```\n\n{_says(node)}"
    return f"```\n{ast.unparse(node)}\n```\n\n{says}"


def _definition(name: str) -> tuple[ast.stmt, str]:
    """Return the statement that defines a name of the SDK, and the docstring that follows an assignment."""
    imports = ast.parse(inspect.getsource(arena.sdk)).body
    module = next(
        one.module for one in imports if isinstance(one, ast.ImportFrom) and name in [each.name for each in one.names]
    )
    file = importlib.import_module(module or "").__file__
    return next(_named(ast.parse(Path(file or "").read_text(encoding="utf-8")).body, name))


def _named(body: list[ast.stmt], name: str) -> Iterator[tuple[ast.stmt, str]]:
    for node, after in zip(body, [*body[1:], ast.Pass()], strict=True):
        if name in (getattr(node, "name", None), _target(node)):
            yield node, _string(after)


def _class(node: ast.ClassDef) -> Iterator[str]:
    """Yield the parts of a class: its docstring, how it is made, attributes and methods."""
    methods = [one for one in node.body if isinstance(one, ast.FunctionDef)]
    made = next((one for one in methods if one.name == "__init__"), None)
    yield _says(node)
    if made and node.name != "View":
        yield f"```\n{node.name}{_signature(made).removeprefix('__init__').removesuffix(' -> None')}\n```"
    rows = [*_attributes(node.body), *(_attributes(made.body) if made else ())]
    rows += [(one.name, ast.unparse(one.returns), _says(one)) for one in methods if _is_value(one) and one.returns]
    if rows:
        yield "\n".join(["| attribute | type | meaning |", "|---|---|---|", *map(_row, rows)])
    for one in methods:
        if one.name[0] != "_" and not _is_value(one):
            yield f"```\n{_signature(one)}\n```\n\n{_says(one)}"


def _view_fields(name: str) -> Iterator[str]:
    if name == "View":
        rows = [_row((one.name, one.type, one.text)) for one in members_of(arena.sdk.View)]
        yield "\n".join(["| attribute of every game | type | meaning |", "|---|---|---|", *rows])


def _attributes(body: list[ast.stmt]) -> Iterator[tuple[str, str, str]]:
    """Yield the public attributes that have a type or a docstring."""
    for node, after in zip(body, [*body[1:], ast.Pass()], strict=True):
        name, says = _target(node), _string(after)
        kind = ast.unparse(node.annotation) if isinstance(node, ast.AnnAssign) else ""
        if name and name[0] != "_" and (kind or says):
            yield name, kind.removeprefix("ClassVar[").removesuffix("]") if "ClassVar" in kind else kind, says


def _target(node: ast.stmt) -> str:
    """Return the name that a statement assigns to, as it is or as an attribute of `self`."""
    target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
    return target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")


def _string(node: ast.stmt) -> str:
    value = node.value if isinstance(node, ast.Expr) else None
    return inspect.cleandoc(value.value) if isinstance(value, ast.Constant) and isinstance(value.value, str) else ""


def _is_value(node: ast.FunctionDef) -> bool:
    """Whether a method reads like an attribute."""
    return any("property" in ast.unparse(one) for one in node.decorator_list)


def _says(node: ast.FunctionDef | ast.ClassDef) -> str:
    return ast.get_docstring(node) or ""


def _signature(node: ast.FunctionDef) -> str:
    arguments = ast.unparse(node.args).removeprefix("self").removeprefix(", ")
    result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{node.name}({arguments}){result}"


def _row(cells: tuple[str, str, str]) -> str:
    name, kind, says = (" ".join(cell.split()).replace("|", "\\|") for cell in cells)
    return f"| `{name}` | {f'`{kind}`' if kind else ''} | {says} |"
