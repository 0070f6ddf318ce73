"""Every text of a page is marked for translation, and every language has it."""

import re
import subprocess
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

import pytest
from babel.messages import Catalog, Message
from babel.messages.pofile import read_po
from jinja2 import Environment, nodes

from arena.services.base import languages

ROOT: Final = Path(__file__).parents[2]
TEMPLATES: Final = sorted(ROOT.glob("web/*/templates/**/*.html"))
TRANSLATED: Final = [tag for tag in languages.NAMES if tag != "en"]
ENGLISH_ONLY: Final = ("web/docs/",)
"""Templates of what there is in English only."""
MARKS: Final = frozenset({"_", "gettext", "ngettext", "pgettext"})
SHOWN: Final = frozenset({"alt", "aria-label", "aria-description", "data-label", "label", "placeholder", "title"})
"""Attributes that people read or hear."""
UNTRANSLATED: Final = frozenset({"code", "pre", "kbd", "samp", "script", "style", "svg"})
"""Elements whose text is for machines."""
NAMES: Final = frozenset({
    "Suit", "Arena", "UTC", "Python", "JSON", "CSV", "TrueSkill", "API", "TV", "GitHub", "GitLab", "Actions", "mu",
    "sigma", "ms", "KiB", "MiB", "GiB",
})  # fmt: skip
"""Words that are the same in every language."""
WORD: Final = re.compile(r"(?<![&\w])[^\W\d_]{2,}(?!\w)")
HOLE: Final = "\ufffc"
"""What stands for a value in a text."""


class Texts(HTMLParser):
    """The texts of a template that people read."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._silent: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name in SHOWN and value]
        if tag in UNTRANSLATED or ("translate", "no") in attrs or self._silent[-1:] == [tag]:
            self._silent.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._silent[-1:] == [tag]:
            self._silent.pop()

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.found.append(data)


def unmarked(source: str) -> Iterator[str]:
    """Yield the texts of a template that are not marked, and constants of its expressions that look like texts."""
    tree = Environment(extensions=["jinja2.ext.i18n", "jinja2.ext.do"]).parse(source)  # noqa: S701  # nothing is rendered
    page = Texts()
    page.feed("".join(_pieces(tree)))
    page.close()
    yield from (text.strip() for text in page.found if set(WORD.findall(text)) - NAMES)
    yield from filter(_is_text, _constants(tree))


def _pieces(node: nodes.Node) -> Iterator[str]:
    for child in node.iter_child_nodes():
        if isinstance(child, nodes.TemplateData):
            yield child.data
        elif isinstance(child, nodes.Expr):
            yield HOLE
        else:
            yield from _pieces(child)


def _constants(node: nodes.Node) -> Iterator[str]:
    """Yield the constants in the expressions of a template that are not given to gettext."""
    for child in node.iter_child_nodes():
        if isinstance(child, nodes.Const) and isinstance(child.value, str):
            yield child.value
        elif not (isinstance(child, nodes.Call) and isinstance(child.node, nodes.Name) and child.node.name in MARKS):
            yield from _constants(child)


def _is_text(constant: str) -> bool:
    """Whether a constant is a sentence, a label, or a part of one."""
    words = [word for word in WORD.findall(constant) if word not in NAMES]
    looks = bool(re.match(r"[A-Z][a-z]", constant)) or (" " in constant.strip() and len(words) > 1)
    return bool(words) and looks and not re.search(r"%[-A-Za-z]|[/=#{}<>;_]", constant)


def forms(message: Message) -> Sequence[str]:
    """Return the translations of a message: one, or one for each plural form."""
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ("",))


def texts(catalogue: Catalog) -> set[tuple[object, ...]]:
    """Return the texts of a catalogue."""
    return {(one.context, one.id) for one in catalogue if one.id}


def test_unmarked_texts_are_found() -> None:
    """The test below would find a text, an attribute and a constant."""
    source = '<p title="Two words">{{ _("Marked") }} here {{ x if y else "No match" }}</p>{% trans %}a b{% endtrans %}'
    assert list(unmarked(source)) == ["Two words", f"{HOLE} here {HOLE}", "No match"]


@pytest.mark.parametrize("path", TEMPLATES, ids=[str(path.relative_to(ROOT / "web")) for path in TEMPLATES])
def test_every_text_of_a_template_is_marked(path: Path) -> None:
    """A new text of a page can be translated."""
    if not str(path.relative_to(ROOT)).startswith(ENGLISH_ONLY):
        assert list(unmarked(path.read_text())) == []


@pytest.mark.parametrize("tag", TRANSLATED)
def test_catalogues_are_complete(tag: str) -> None:
    """Every text has a translation that takes the same values."""
    catalogue = languages.catalogue(tag)
    missing = [one.id for one in catalogue if one.id and not all(forms(one))]
    valued = [(message.id, errors) for message, errors in catalogue.check() if "%(" in str(message.id)]
    wrong = [f"{text}: {error}" for text, errors in valued for error in errors]
    assert not missing, f"{len(missing)} texts have no translation: fill them in {tag}"
    assert not wrong
    assert not [one.id for one in catalogue if one.fuzzy]


def test_catalogues_have_all_texts(tmp_path: Path) -> None:
    """A new text is in the catalogues, and one that is gone is not: `make words` was run."""
    found = tmp_path / "messages.pot"
    subprocess.run([ROOT / "scripts/words", found], check=True, timeout=100)
    with found.open("rb") as template:
        wanted = texts(read_po(template))
    for tag in TRANSLATED:
        assert texts(languages.catalogue(tag)) == wanted, "run make words, and translate what is new"
