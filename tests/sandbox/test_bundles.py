"""Bots of several files in the cage: imports, data, and failures."""

import re

import pytest

from arena.sandbox import Cage, CagedPlayer, Limits, builder
from arena.sdk.faults import Fault
from tests.sandbox.conftest import SETUP, answer
from tests.sdk.zips import BOT, directory, packed, patched

HELPED = {
    "bot.py": "from tools import choose\nfrom tools.deep import scale\ndef act(view): return choose(view, scale())\n",
    "tools/__init__.py": "from .choosing import choose\n",
    "tools/choosing.py": "import plain\n"
    "def choose(view, number): return f'{number} {plain.NAME} {__name__} {__file__}'\n",
    "tools/deep/scale.py": "",
    "tools/deep/__init__.py": """
from arena.sdk import resource
from .. import choosing
def scale(): return resource("data/number.txt").decode() + choosing.__package__
""",
    "plain.py": "NAME = 'plain'\n",
    "data/number.txt": "42",
}


def said(cage: Cage, upload: bytes, limits: Limits | None = None) -> str:
    """Return a bot's answer to one request."""
    player = cage.player(upload, limits)
    try:
        player.start(SETUP)
        player.ready()
        assert isinstance(player, CagedPlayer)
        return answer(player)
    finally:
        player.close()


def failing(cage: Cage, upload: bytes, limits: Limits | None = None) -> Fault:
    """Return the verdict on a bot that fails."""
    with pytest.raises(Fault) as caught:
        said(cage, upload, limits)
    return caught.value


@pytest.mark.parametrize("folder", ["", "my-bot-main/", "outer/inner/"])
def test_bundle_imports_modules_and_reads_data(cage: Cage, folder: str) -> None:
    """Absolute and relative imports, nested packages and data work in any enclosing folder."""
    upload = packed({f"{folder}{name}": data for name, data in HELPED.items()})

    assert said(cage, upload) == "42tools plain tools.choosing tools/choosing.py"


BRAIN = """
from arena.sdk import Bot
class Brain(Bot):
    def act(self, view): return view.legal[0]
"""
FOUND: dict[str, dict[str, bytes | str]] = {
    "package": {"mine/__init__.py": "from .thought import act\n", "mine/thought.py": BOT},
    "package with bot": {"mine/__init__.py": "", "mine/bot.py": "from .deep import act\n", "mine/deep.py": BOT},
    "bot that its package knows": {"mine/__init__.py": "from .bot import Brain\n", "mine/bot.py": BRAIN},
    "imported class": {"bot.py": "from brains import Brain\n", "brains.py": BRAIN},
    "derived class": {"bot.py": "from brains import Brain\nclass Mine(Brain): pass\n", "brains.py": BRAIN},
    "folders": {"bot.py": b"import a.one\n" + BOT, "a/one.py": "import a.two, bot\n", "a/two.py": ""},
    "late": {"bot.py": "def act(view):\n    from late import act\n    return act(view)\n", "late.py": BOT},
    "no modules": {"bot.py": BOT, "tests/test.py": "import nowhere\n", "tools/my-notes.py": "def act(:\n"},
    "encodings": {"bot.py": b"# coding: latin-1\nfrom a import X\n" + BOT, "a.py": b"# coding: latin-1\nX = '\xe4'\n"},
}


@pytest.mark.parametrize("files", FOUND.values(), ids=FOUND.keys())
def test_bot_is_found_in_bundle(cage: Cage, files: dict[str, bytes | str]) -> None:
    """A bot is found in bot.py or a package, imported or derived; files that cannot be imported are ignored."""
    assert said(cage, packed(files)) == "2C"


def test_fault_in_bundle_has_file_and_traceback(cage: Cage) -> None:
    """The traceback has the lines of every file of the bot, without import machinery or paths of this machine."""
    fault = failing(cage, packed({
        "bot.py": "def act(view):\n    import lib.broken  # first\n    return view.legal[0]\n",
        "lib/broken.py": "from .more import go\n\ngo()  # second\n",
        "lib/more.py": "def go():\n    return {}['key']  # third\n",
    }))  # fmt: skip

    assert (fault.kind, fault.stage, fault.file, fault.line) == ("error", "play", "lib/more.py", 2)
    assert re.sub(r"(?m)^ *[~^]+\n", "", fault.traceback) == (
        "Traceback (most recent call last):\n"
        '  File "bot.py", line 2, in act\n    import lib.broken  # first\n'
        '  File "lib/broken.py", line 3, in <module>\n    go()  # second\n'
        "  File \"lib/more.py\", line 2, in go\n    return {}['key']  # third\n"
        "KeyError: 'key'\n"
    )


@pytest.mark.parametrize(
    ("files", "stage", "file", "line", "says"),
    [
        ({"bot.py": BOT, "a/b.py": "x = 1\ndef f(:\n"}, "parse", "a/b.py", 2, "SyntaxError in a/b.py, line 2: "),
        (
            {"bot.py": b"import helpers\n" + BOT, "helper.py": ""},
            "import",
            "bot.py",
            1,
            "may import its own modules, arena.games",
        ),
        ({"bot.py": "", "a.py": BOT}, "find", "", None, "the file has no bot"),
        (
            {"bot.py": b"import token\n" + BOT, "token.py": ""},
            "parse",
            "",
            None,
            "token is the standard library's name",
        ),
        (
            {"bot.py": b"x = open('data.json')\n" + BOT},
            "import",
            "bot.py",
            1,
            "it reads its archive with arena.sdk.resource",
        ),
        ({"readme.md": ""}, "parse", "", None, "The archive needs a bot.py"),
    ],
)
def test_invalid_bundle_has_stage_file_and_line(
    cage: Cage, files: dict[str, bytes | str], stage: str, file: str, line: int | None, says: str
) -> None:
    """An error in an archive has the stage, the file, the line, and a sentence that says what to do."""
    fault = failing(cage, packed(files))

    assert (fault.kind, fault.stage, fault.file, fault.line) == ("error", stage, file, line)
    assert says in fault.detail


def test_missing_data_file_lists_existing_files(cage: Cage) -> None:
    """The error for a missing data file lists the files that exist."""
    source = "from arena.sdk import resource\ndef act(view): return resource('tabel.json')\n"
    fault = failing(cage, packed({"bot.py": source, "table.json": "{}"}))
    alone = failing(cage, source.encode())

    assert fault.detail == ("FileNotFoundError: this bot's archive has no 'tabel.json'; it has bot.py, table.json")
    assert alone.detail.endswith("has no 'tabel.json'; it has bot.py")


def test_bundle_cannot_replace_modules(cage: Cage) -> None:
    """An archive cannot replace modules of the arena or the standard library."""
    for name in ("arena/sdk/guest.py", "json/__init__.py", "os.py", "numpy.py", "builtins.py"):
        assert "please rename it" in failing(cage, packed({"bot.py": BOT, name: BOT})).detail


def test_inconsistent_archive_is_the_bots_fault(cage: Cage) -> None:
    """An archive whose data contradicts its directory fails in the cage with the bot's verdict."""
    archive = packed({"bot.py": BOT, "data": bytes(10**6)})
    wrong = patched(archive, archive.index(b"data") + 4 + 9, b"\xff\xff")
    short = archive
    for at in (archive.index(b"data") - 30 + 22, directory(archive) + 46 + len("bot.py") + 24):
        short = patched(short, at, (500_000).to_bytes(4, "little"))

    assert "data" in failing(cage, wrong).detail
    assert failing(cage, short).detail == "data does not unpack to the 500,000 bytes that it declares."


@pytest.mark.parametrize(
    "bomb",
    [
        b"x = [" + b"1," * 2_500_000 + b"]",
        b"x = " + b"(" * 100_000 + b")" * 100_000,
        b"x = " + b"-" * 1_000_000 + b"1",
        b"x = " + b"+".join([b"a"] * 1_000_000),
        b"if x:\n" + b"".join(b" " * depth + b"if x:\n" for depth in range(1, 2000)),
        b"class A:\n" + b"\n".join(b"  def f%d(self): return [i for i in self]" % number for number in range(60_000)),
    ],
    ids=["literal", "parentheses", "signs", "sum", "indentation", "methods"],
)  # fmt: skip
@pytest.mark.parametrize(
    "wrap", [bytes, lambda bomb: packed({"bot.py": BOT, "bomb.py": bomb})], ids=["alone", "packed"]
)
def test_compile_bomb_is_stopped(cage: Cage, bomb: bytes, wrap: type[bytes]) -> None:
    """A compile bomb ends with a verdict before any code of the bot runs, and the next bot plays."""
    fault = failing(cage, wrap(bomb), Limits(load=0.5))

    assert fault.stage == "parse"
    assert fault.kind in ("timeout", "memory", "error")
    assert said(cage, BOT) == "2C"


def test_upload_is_built_once(cage: Cage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seats and matches share an image; the same bytes under another name have their own."""
    built: list[str] = []

    def build(upload: bytes, filename: str, limits: Limits, make: builder.MakeProcess) -> builder.SealedImage:
        built.append(filename)
        return original(upload, filename, limits, make)

    original = builder.build
    monkeypatch.setattr(builder, "build", build)
    upload = packed({"bot.py": BOT, "once": b"1"})

    assert [said(cage, bytes(bytearray(upload))) for _ in range(3)] == ["2C"] * 3
    cage.player(upload, filename="other.py").close()
    assert built == ["bot.py", "other.py"]


def test_uploaded_data_does_not_count_as_memory(cage: Cage) -> None:
    """Data in an archive does not count towards the memory limit, but copies of it do."""
    limits = Limits(memory=64 << 20)
    source = "from arena.sdk import resource\ndef act(view):\n    x = b'x' * (50 << 20)\n    return str(len(x))\n"
    reading = source.replace("    x = b", "    kept = resource('zeros')\n    x = b")
    zeros = bytes(40 << 20)

    assert said(cage, source.encode(), limits) == said(cage, packed({"bot.py": source, "zeros": zeros}), limits)
    assert failing(cage, packed({"bot.py": reading, "zeros": zeros}), limits).kind == "memory"
