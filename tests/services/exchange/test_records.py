"""Imports of bare match records: verified, grouped into tables, never doubled, and rated."""

import io
import json
import random
import shutil
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from arena.cli.random_records import random_match
from arena.db.models import Bot, Table, TableSeat, Tournament, Version
from arena.exchange.lines import Scope
from arena.games.registry import VARIANTS, rules_of
from arena.services.base.access import Account
from arena.services.base.context import Arena, open_arena
from arena.services.exchange import archives, records
from arena.services.exchange.imports import import_export
from arena.services.exchange.records import import_records
from arena.services.ratings import fold
from tests import factories
from tests.services.exchange.conftest import export
from tests.services.exchange.test_exports import StoppedError, stop_at, tables
from tests.services.exchange.test_imports import check

Record = dict[str, Any]
Pack = Callable[[Path, dict[str, bytes]], Path]


def record(*names: str, seed: int = 0, variant: str = "suitability-2") -> Record:
    """Return the record of a match of random moves between bots with these names."""
    played = random_match(rules_of(variant), bytes([seed]) * 32)
    return {**played, "seats": [{"name": name} for name in names]}


def written(folder: Path, *played: Record) -> Path:
    """Write records to a folder as the download names them."""
    folder.mkdir(exist_ok=True)
    for number, one in enumerate(played, 1):
        (folder / f"match-{number}.json").write_text(json.dumps(one))
    return folder


@pytest.fixture(scope="module")
def downloads(exported: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the records of all matches of the season. Do not change it."""
    matches = [match["record"] for table in tables(exported) for match in table["matches"]]
    return written(tmp_path_factory.mktemp("downloads"), *matches)


def results(arena: Arena) -> list[list[tuple[object, ...]]]:
    """Return the names, half points, ranks and faults at the tables that were played, as sorted lists."""
    row = TableSeat
    query = (
        select(Tournament.variant, row.table_id, Bot.name, row.half_points, row.rank, row.faults)
        .join(Table, Table.id == row.table_id)
        .join(Tournament, Tournament.id == Table.tournament_id)
        .join(Version, Version.id == row.version_id)
        .join(Bot, Bot.id == Version.bot_id)
        .where(row.rank.is_not(None), Tournament.rated)
    )
    found: dict[tuple[object, ...], list[tuple[object, ...]]] = {}
    with arena.reading() as session:
        for variant, table, *place in session.execute(query):
            found.setdefault((variant, table), []).append(tuple(place))
    return sorted(sorted(places, key=str) for places in found.values())


def test_tables_are_restored_and_rated(season: Arena, downloads: Path, arena: Arena, admin: Account) -> None:
    """Rotations of a table come together again with its result, all checks agree, and nothing is added twice."""
    report = import_records(arena, [downloads])

    assert report.problems == []
    assert (report.tables, report.rated) == (len(results(season)), report.tables)
    assert results(arena) == results(season)
    check(arena)
    with arena.reading() as session:
        assert set(session.scalars(select(Version.state))) == {"imported"}
        origins = set(session.scalars(select(Tournament.origin)))
    assert all(origin and origin.startswith("match records, ") for origin in origins)
    assert import_records(arena, [downloads]).known == len(list(downloads.iterdir()))


def test_records_that_are_here_are_not_doubled(season: Arena, downloads: Path, other: Arena, tmp_path: Path) -> None:
    """Records that were played here, imported before, or given twice are counted; spaces and details do not matter."""
    count = len(list(downloads.iterdir()))
    spaced = json.loads((downloads / "match-1.json").read_text())
    spaced["boards"][0]["hands"][0].reverse()
    spaced["table"] = 7
    again = tmp_path / "again.json"
    again.write_text(json.dumps(spaced, indent=2))

    assert import_records(season, [downloads]).known == count
    first = import_records(other, [downloads, again])
    second = import_records(other, [again, downloads])

    assert (first.known, second.known, second.tables) == (1, count + 1, 0)
    assert results(other) == results(season)


def test_interrupted_import_of_records_goes_on(
    season: Arena, downloads: Path, other: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Running the command again adds the missing tables."""
    monkeypatch.setattr("arena.services.exchange.imports.BATCH", 1)
    monkeypatch.setattr(records, "SCANNED", 2)
    with pytest.raises(StoppedError):
        import_records(other, [downloads], stop_at(2))

    import_records(other, [downloads])

    assert results(other) == results(season)
    for variant in ("suitability-2", "suitability-3"):
        fold.catch_up(other, variant)


def test_imported_records_are_exported(downloads: Path, other: Arena, sqlite_template: Path, tmp_path: Path) -> None:
    """An export has imported records, and they are known by their content wherever they came from."""
    import_records(other, [downloads])
    export(other, tmp_path / "export", Scope(), with_parquet=False)
    shutil.copy(sqlite_template, tmp_path / "arena.db")
    third = open_arena(factories.settings_in(tmp_path))
    factories.user(third, "root", admin=True)

    report = import_export(third, tmp_path / "export")

    assert (report.problems, report.known) == ([], 0)
    assert results(third) == results(other)
    assert import_records(third, [downloads]).tables == 0
    third.close()


def _zip(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path / "some.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.mkdir("folder")
        for name, data in files.items():
            archive.writestr(name, data)
    return path / "some.zip"


def _tar(path: Path, files: dict[str, bytes], name: str = "some.tar", mode: str = "w") -> Path:
    with tarfile.open(path / name, mode) as archive:  # type: ignore[call-overload]
        folder = tarfile.TarInfo("folder")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
        for inside, data in files.items():
            entry = tarfile.TarInfo(inside)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return path / name


def _tgz(path: Path, files: dict[str, bytes]) -> Path:
    return _tar(path, files, "some.tar.gz", "w:gz")


@pytest.mark.parametrize("pack", [_zip, _tar, _tgz])
def test_archives_are_read_without_writing(pack: Pack, other: Arena, tmp_path: Path) -> None:
    """Records in archives are imported, wherever their names point to; wrong ones are named with their archive."""
    data = [json.dumps(record("ann", "bob", seed=seed)).encode() for seed in (1, 2)]
    path = pack(tmp_path, {"../../evil.json": data[0], "/\x1b[31m.json": data[1], "b.json": b"{}"})

    report = import_records(other, [path])

    assert report.tables == 2
    [problem] = report.problems
    assert problem.startswith(f"{path}: b.json: not a record: format, game")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["other", path.name]


def _bomb(path: Path) -> Path:
    return _tgz(
        path,
        {
            "a.json": bytes(SMALL * 5),
        },
    )


def _header_bomb(path: Path) -> Path:
    with tarfile.open(path / "some.tar", "w", format=tarfile.PAX_FORMAT, pax_headers={"a": "b" * 3 * SMALL}) as archive:
        archive.addfile(tarfile.TarInfo("a.json"))
    return path / "some.tar"


def _link(path: Path) -> Path:
    with tarfile.open(path / "some.tar", "w") as archive:
        link = tarfile.TarInfo("a.json")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    return path / "some.tar"


def _links(path: Path) -> Path:
    (path / "links").mkdir()
    (path / "links" / "a.json").symlink_to("/etc/passwd")
    return path / "links"


def _huge(path: Path) -> Path:
    with (path / "a.json").open("w") as file:
        file.truncate(SMALL + 1)
    return path / "a.json"


def _encrypted(path: Path) -> Path:
    packed = _zip(path, {"a.json": b"{}"})
    data = packed.read_bytes()
    flag = data.index(b"PK\x01\x02", data.index(b"PK\x01\x02") + 1) + 8
    packed.write_bytes(data[:flag] + b"\x01" + data[flag + 1 :])
    return packed


def _truncated(pack: Pack) -> Callable[[Path], Path]:
    def make(path: Path) -> Path:
        made = pack(path, {"a.json": bytes(SMALL) if pack is _zip else random.Random(1).randbytes(SMALL)})
        made.write_bytes(made.read_bytes()[:-99])
        return made

    return make


def _unreadable(path: Path) -> Path:
    (path / "some.tar.gz").write_bytes(b"\x1f\x8b" + bytes(600))
    return path / "some.tar.gz"


SMALL = 1 << 15
"""Largest file, and largest headers, in tests of hostile files."""

HOSTILE: dict[str, tuple[Callable[[Path], Path], str]] = {
    "a bomb": (_bomb, "it has a file larger than"),
    "a bomb of headers": (_header_bomb, "it has a file larger than"),
    "a zipped bomb": (lambda path: _zip(path, {"a.json": bytes(SMALL + 1)}), "a.json: it is larger than"),
    "a link": (_link, "a.json: it is neither a file nor a folder"),
    "a link in a folder": (_links, "a.json: it is neither a file nor a folder"),
    "a huge file": (_huge, "it is larger than"),
    "an encrypted file": (_encrypted, "is encrypted, password required"),
    "half a zip": (_truncated(_zip), "it cannot be read: File is not a zip file"),
    "half a tar.gz": (_truncated(_tgz), "it cannot be read: "),
    "no tar": (_unreadable, "it cannot be read: "),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_named(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is too large, damaged, encrypted or a link is named, and the reader does not fail."""
    monkeypatch.setattr(archives, "LARGEST", SMALL)
    monkeypatch.setattr(archives, "HEADERS", SMALL)
    make, sentence = HOSTILE[name]
    problems: list[str] = []

    found = list(archives.found(make(tmp_path), problems.append))

    assert found == []
    assert any(sentence in problem for problem in problems)


WRONG: dict[str, tuple[Callable[[Record], object], str]] = {
    "a move": (lambda one: one["moves"][0].__setitem__(1, "X9"), "move 0, seat"),
    "options": (lambda one: one["options"].update(first_dealer=1), "move 0, seat"),
    "a number": (lambda one: one["scores"].__setitem__(0, 10**30), "is beyond 2**53"),
    "one bot": (lambda one: one["seats"][0].update(name="bob"), "one bot plays against itself"),
    "no JSON": (lambda one: one.clear(), "not a record"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_record_is_left_out(name: str, other: Arena, tmp_path: Path) -> None:
    """A wrong record is named, and its table is imported without it."""
    damage, sentence = WRONG[name]
    wrong = record("ann", "bob")
    damage(wrong)

    report = import_records(other, [written(tmp_path / "records", wrong, record("ann", "bob", seed=1))])

    assert (report.tables, len(report.problems)) == (1, 1)
    assert report.problems[0].startswith(f"{tmp_path}/records/match-1.json: ")
    assert sentence in report.problems[0]


def test_record_of_no_variant_is_left_out(other: Arena, tmp_path: Path) -> None:
    """A valid match with options that no variant has is not rated."""
    game = rules_of("suitability-2")
    one = random_match(type(game)({**game.options, "deals": 1}), bytes(32))
    one["seats"] = [{"name": "ann"}, {"name": "bob"}]

    assert "no variant that is rated" in import_records(other, [written(tmp_path / "records", one)]).problems[0]


def test_partners_must_be_one_bot(other: Arena, tmp_path: Path) -> None:
    """Partners, who are both seats of a team, are one bot."""
    same = record("ann", "bob", "ann", "bob", variant="suitability-4-partners", seed=1)
    mixed = record("ann", "bob", "cid", "bob", variant="suitability-4-partners", seed=2)

    report = import_records(other, [written(tmp_path / "records", same, mixed)])

    assert report.tables == 1
    assert "partners must be the same bot" in report.problems[0]
    check(other)


def test_solitaires_are_compared_over_the_same_boards(other: Arena, tmp_path: Path) -> None:
    """Bots that played the same boards alone meet at a table; a bot that was alone with its boards is named."""
    variant = next(id for id in VARIANTS if len(rules_of(id).teams) == 1)
    one, two = record("ann", variant=variant), record("bob", variant=variant)

    report = import_records(other, [written(tmp_path / "records", one, two, record("cid", seed=1, variant=variant))])

    assert report.tables == 1
    assert "match-3.json: no other bot plays its boards" in report.problems[0]
    check(other)


def test_bots_of_records_are_known_by_their_names(other: Arena, tmp_path: Path) -> None:
    """A bot that plays here keeps its results to itself, and any name is made one that is allowed."""
    author = factories.user(other, "someone")
    factories.bot(other, author, "ann")
    strange = [record("ann", name, seed=seed) for seed, name in enumerate(["<b>", "[b]", "é", "x" * 300])]

    for one in range(2):
        report = import_records(other, [written(tmp_path / f"records-{one}", *strange)])

    assert (report.known, report.problems) == (4, [])
    with other.reading() as session:
        names = set(session.scalars(select(Bot.name)))
    assert names == {"ann", "ann-2", "-b-", "-b--2", "---", "x" * 28}
    check(other)
