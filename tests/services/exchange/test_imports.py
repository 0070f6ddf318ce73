"""Imports: verified, complete, never doubled, and rated bit for bit as where the results come from."""

import gzip
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from arena.db.models import AuditEntry, Bot, RatingEvent, Tournament, Version
from arena.exchange import files
from arena.games.errors import ArenaError, Refused
from arena.services.base.access import Account
from arena.services.base.context import Arena, open_arena
from arena.services.exchange import imports
from arena.services.exchange.imports import import_export
from arena.services.formats.field import eligible
from arena.services.integrity import fsck
from arena.services.ratings import audit, parameters, tallies
from arena.services.tournaments import seeds
from arena.services.tournaments.rejudgements import rejudge
from arena.services.tournaments.retries import retry
from arena.services.work import sweep
from tests import factories
from tests.revisions import revise
from tests.services.exchange.test_exports import StoppedError, stop_at

VARIANTS = ("suitability-2", "suitability-3")
Line = dict[str, Any]


def ratings(arena: Arena) -> list[tuple[object, ...]]:
    """Return all rating events in table order, with the names of the bots in place of IDs."""
    event = RatingEvent
    query = (
        select(event.variant, Bot.name, Version.number, event.rank, event.mu, event.sigma, event.tables, event.matches)
        .join(Version, Version.id == event.version_id)
        .join(Bot, Bot.id == Version.bot_id)
        .order_by(event.table_id, Bot.name)
    )
    with arena.reading() as session:
        return [tuple(row) for row in session.execute(query)]


def leaders(arena: Arena) -> list[tuple[object, ...]]:
    """Return the leaderboards."""
    return [
        (variant, row.rank, row.bot, row.version, row.mu, row.sigma, row.tables, row.matches, row.faults)
        for variant in VARIANTS
        for row in factories.leaderboard(arena, variant)
    ]


def check(arena: Arena) -> None:
    """Check that everything in an arena agrees."""
    assert [str(finding) for finding in fsck.check(arena) if not finding.heals] == []
    for variant in audit.variants(arena):
        assert audit.check_ratings(arena, variant) == []
    with arena.reading() as session:
        assert tallies.check(session) == []


def rewrite(folder: Path, name: str, change: Callable[..., Any]) -> None:
    """Change the JSON of a file, or of the lines of the records, and correct the manifest."""
    path = folder / name
    if name.endswith(".gz"):
        with gzip.open(path) as file:
            lines = [change(number, json.loads(line)) for number, line in enumerate(file, 1)]
        path.write_bytes(gzip.compress(b"".join(_encoded(line) for line in lines)))
    else:
        content = json.loads(path.read_text())
        path.write_text(json.dumps(change(content) or content))
    if name != "manifest.json":
        correct(folder, name)


def _encoded(line: Any) -> bytes:
    return line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n"


def correct(folder: Path, name: str) -> None:
    """Give the manifest the present hash of a file."""
    manifest = json.loads((folder / "manifest.json").read_text())
    for file in manifest["files"]:
        file["sha256"] = files.digest(folder / name) if file["path"] == name else file["sha256"]
    (folder / "manifest.json").write_text(json.dumps(manifest))


RECORDS = "records/000001.jsonl.gz"


def test_season_is_reproduced_bit_for_bit(season: Arena, exported: Path, arena: Arena, admin: Account) -> None:
    """An import into an empty arena gives the same ratings and leaderboards on both databases, and all checks agree."""
    report = import_export(arena, exported)

    assert (report.tournaments, report.tables, report.known, report.problems) == (4, report.rated + 1, 0, [])
    assert ratings(arena) == ratings(season)
    assert leaders(arena) == leaders(season)
    assert len(leaders(arena)) > 3
    check(arena)
    sweep.tick(arena)
    assert ratings(arena) == ratings(season)


def test_second_import_adds_nothing(season: Arena, exported: Path, other: Arena) -> None:
    """Tables that are here are counted, and nothing is doubled."""
    first = import_export(other, exported)
    before = ratings(other)

    second = import_export(other, exported)

    assert (second.tournaments, second.tables, second.known, second.rated) == (0, 0, first.tables, 0)
    assert ratings(other) == before


def test_own_export_adds_nothing(season: Arena, exported: Path, tmp_path: Path) -> None:
    """An arena knows the tournaments that it played."""
    shutil.copy(season.settings.home / "arena.db", tmp_path / "arena.db")
    again = open_arena(factories.settings_in(tmp_path))
    report = import_export(again, exported)

    assert (report.tournaments, report.tables, report.problems) == (0, 0, [])
    assert report.known > 3
    again.close()


def test_export_from_before_a_revision_is_imported(
    season: Arena, exported: Path, other: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A release that has added an option to each game takes the results as they are."""
    revise(monkeypatch)
    report = import_export(other, exported)

    assert report.problems == []
    assert ratings(other) == ratings(season)
    check(other)


def test_interrupted_import_goes_on(
    season: Arena, exported: Path, other: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Running the command again adds the missing tables and gives the same ratings."""
    monkeypatch.setattr(imports, "BATCH", 1)
    with pytest.raises(StoppedError):
        import_export(other, exported, stop_at(2))

    report = import_export(other, exported)

    assert report.known == 2
    assert ratings(other) == ratings(season)


def test_import_is_noted_in_the_audit_log(exported: Path, other: Arena) -> None:
    """The entry names the folder."""
    import_export(other, exported)

    with other.reading() as session:
        [entry] = session.scalars(select(AuditEntry)).all()
    assert (entry.actor, entry.action) == ("root (command)", "imported results")


def test_imported_bots_do_not_play(exported: Path, other: Arena) -> None:
    """Bots without sources are on the leaderboard, but enter no tournament, and their tables are not replayed."""
    import_export(other, exported)

    with other.reading() as session:
        assert eligible(session, "suitability-2") == []
        states = set(session.scalars(select(Version.state)))
        secret = session.scalars(select(Tournament.id).where(Tournament.seed == b"")).all()
    assert states == {"imported"}
    root = Account(1, "root", is_admin=True)
    with pytest.raises(Refused, match="another arena"):
        rejudge(other, root, 1, "a reason")
    with pytest.raises(Refused, match="another arena"):
        retry(other, root, 1)
    with pytest.raises(Refused, match="secret when"):
        seeds.header(other, secret[0])


def test_bots_with_the_same_source_are_matched(season: Arena, exported: Path, other: Arena) -> None:
    """A bot here with the same name and sources gets the results; one that differs keeps its own."""
    author = factories.user(other, "someone")
    same = factories.bot(other, author, "Faulty", b"def act(view):\n    raise ValueError('at the first move')\n")
    different = factories.bot(other, author, "bot-0", factories.CHANCE)

    import_export(other, exported)

    with other.reading() as session:
        names = {row.id: row.name for row in session.execute(select(Version.id, Bot.name).join(Version.bot))}
        rated = {names[version] for version in session.scalars(select(RatingEvent.version_id))}
        assert session.scalar(select(RatingEvent.mu).where(RatingEvent.version_id == same).limit(1))
        assert not session.scalar(select(RatingEvent.mu).where(RatingEvent.version_id == different))
    assert "bot-0-2" in rated
    check(other)


def test_own_rating_parameters_stay(exported: Path, other: Arena) -> None:
    """A variant that was played here keeps the parameters of this arena."""
    author = factories.user(other, "someone")
    cup = factories.tournament(other, author, factories.field_of(other, author, 3), "suitability-3", seed=bytes(32))
    factories.play_all(other, factories.table_ids(other, cup))

    import_export(other, exported)

    with other.reading() as session:
        assert len(parameters.eras(session, "suitability-3")) == 1


def _first_move(table: Line) -> None:
    table["matches"][0]["record"]["moves"][0][1] = "X9"


def _other_deal(table: Line) -> None:
    match = table["matches"][0]["record"]
    match["boards"] = []


DAMAGE: dict[str, tuple[Callable[[Line], Any], str]] = {
    "an illegal move": (_first_move, "match 0: move 0, seat"),
    "a missing board": (_other_deal, "match 0: board 0 is missing"),
    "a rank": (lambda table: table["places"][0].update(rank=7), "but its matches give"),
    "a state": (lambda table: table.update(state="queued"), "its state is 'queued'"),
    "a version": (lambda table: table["places"][0].update(version=99), "different entries of its tournament"),
    "a match": (lambda table: table["matches"].pop(), "matches, not"),
    "a seat": (lambda table: table["matches"][0]["seats"].reverse(), "it must have the seating 0"),
    "a cage": (lambda table: table["matches"][0].update(cage="glass"), "level of the cage is 'glass'"),
    "a huge number": (lambda table: table.update(number=10**30), "number"),
    "a tournament": (lambda table: table.update(tournament=99), "its tournament was left out"),
    "no JSON": (lambda table: b"{]\n", "malformed"),
    "nesting": (lambda table: b"[" * 100_000 + b"\n", ":1: "),
    "no text": (lambda table: b'{"id": "\xff"}\n', ":1: "),
    "a deep record": (
        lambda table: (
            json.dumps(table).replace('"boards": [', '"boards": [' + "[" * 900 + "]" * 900 + ",", 1).encode() + b"\n"
        ),
        "match 0: ",
    ),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_damaged_table_is_named_and_left_out(copy: Path, other: Arena, name: str) -> None:
    """The problem names file and line; all other tables are imported, and everything agrees."""
    damage, sentence = DAMAGE[name]

    def change(number: int, table: Line) -> Any:
        return (damage(table) if number == 1 else None) or table

    rewrite(copy, RECORDS, lambda number, table: _bytes_or(change(number, table), table))
    report = import_export(other, copy)

    [problem] = report.problems
    assert problem.startswith(f"{RECORDS}:1: ")
    assert sentence in problem
    assert report.tables > 2
    if name == "an illegal move":
        check(other)


def _bytes_or(changed: Any, table: Line) -> Any:
    return changed if isinstance(changed, bytes) else table


def test_boards_follow_from_the_seed(copy: Path, other: Arena) -> None:
    """A table with a public seed must have its boards; the same table under another number has not."""
    season = json.loads((copy / "season.json").read_text())
    assert season["tournaments"][0]["seed"]

    def swap(number: int, table: Line) -> Line:
        return {**table, "number": 1 - table["number"]} if table["tournament"] == 1 else table

    rewrite(copy, RECORDS, swap)
    report = import_export(other, copy)

    assert len(report.problems) == 2
    assert all("does not follow from the tournament's seed" in problem for problem in report.problems)


def test_record_of_another_variant_is_left_out(copy: Path, other: Arena) -> None:
    """A valid record with other options is not a match of the tournament."""

    def change(season: Line) -> None:
        season["tournaments"][0]["options"]["deals"] = 3

    rewrite(copy, "season.json", change)
    report = import_export(other, copy)

    assert "options differ" in report.problems[0]


PLANS: dict[str, tuple[Callable[[Line], Any], str]] = {
    "a format": (lambda one: one.update(format="chess"), "its format is 'chess'"),
    "a trial": (lambda one: one.update(format="trial"), "trials are not rated"),
    "a shape": (lambda one: one.update(shape={}), "lacks a whole number rounds"),
    "a name": (lambda one: one.update(name=" cup"), "begins or ends with spaces"),
    "an entry": (lambda one: one["entries"].pop(0), "without gaps"),
    "a double": (lambda one: one["entries"][0].update(version=one["entries"][1]["version"]), "entered twice"),
    "an exit": (lambda one: one["entries"][0].update(out="bored"), "allowed are"),
    "a seed": (lambda one: one.update(seed="0" * 64), "does not match its commitment"),
    "a variant": (lambda one: one.update(variant="chess-2"), "chess-2"),
    "an unknown version": (lambda one: one["entries"][0].update(version=99), "unknown versions [99]"),
}


@pytest.mark.parametrize("name", PLANS)
def test_damaged_tournament_is_named_and_left_out(copy: Path, other: Arena, name: str) -> None:
    """The problem names the tournament, each of its tables is named too, and the others are imported."""
    damage, sentence = PLANS[name]
    rewrite(copy, "season.json", lambda season: damage(season["tournaments"][0]) and None)
    report = import_export(other, copy)

    assert sentence in report.problems[0]
    assert report.problems[0].startswith("season.json: tournament 0")
    assert report.problems[1].endswith("its tournament was left out")
    assert report.tournaments == 3


def test_comparison_must_name_its_entries(copy: Path, other: Arena) -> None:
    """A comparison of versions that are not entered is left out."""
    rewrite(copy, "season.json", lambda season: [
        one["shape"].update(a=99) for one in season["tournaments"] if one["format"] == "comparison"
    ] and None)  # fmt: skip

    assert "does not name two of its entries" in import_export(other, copy).problems[0]


def test_invalid_names_of_bots_are_replaced(copy: Path, other: Arena) -> None:
    """A bot whose name is not allowed here is imported under another."""
    rewrite(copy, "season.json", lambda season: season["bots"][0].update(name="<b>"))

    import_export(other, copy)


FILES: dict[str, tuple[Callable[[Path], Any], str]] = {
    "changed": (lambda path: path.write_bytes(b"x"), "its SHA-256 is"),
    "missing": (lambda path: path.unlink(), "it is missing"),
    "truncated": (lambda path: _replace(path, path.read_bytes()[:2000]), "cannot be decompressed"),
    "cut off": (lambda path: _replace(path, gzip.compress(b"{}")), "the line is cut off"),
    "no gzip": (lambda path: _replace(path, b"records"), "cannot be decompressed"),
}


def _replace(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    correct(path.parent.parent, RECORDS)


@pytest.mark.parametrize("name", FILES)
def test_damaged_file_is_named(copy: Path, other: Arena, name: str) -> None:
    """A file that cannot be read is a problem, not a failure."""
    damage, sentence = FILES[name]
    damage(copy / RECORDS)

    report = import_export(other, copy)

    assert sentence in report.problems[-1]
    assert report.problems[-1].startswith(RECORDS)


def test_paths_outside_the_export_are_not_read(copy: Path, other: Arena) -> None:
    """A manifest cannot name files elsewhere, and a link is not followed."""
    rewrite(copy, "manifest.json", lambda one: one["files"].append({**one["files"][1], "path": "records/../../x.gz"}))
    (copy / RECORDS).rename(copy / "elsewhere")
    (copy / RECORDS).symlink_to(copy / "elsewhere")

    assert import_export(other, copy).problems == [f"{RECORDS}: it is missing"]


def test_linked_folder_of_an_export_is_not_read(copy: Path, other: Arena, tmp_path: Path) -> None:
    """The files of an export are in its own folder."""
    (copy / "records").rename(tmp_path / "elsewhere")
    (copy / "records").symlink_to(tmp_path / "elsewhere")

    assert import_export(other, copy).problems == [f"{RECORDS}: it is missing"]


def _planted(path: Path, make: Callable[[Path], None]) -> None:
    path.unlink()
    make(path)


HEADS: dict[str, tuple[Callable[[Path], Any], str]] = {
    "no manifest": (lambda folder: (folder / "manifest.json").unlink(), "cannot be read: No such file"),
    "a newer format": (
        lambda folder: rewrite(folder, "manifest.json", lambda one: one.update(format="arena-export/2", files=7)),
        "has the format 'arena-export/2'; this release reads",
    ),
    "another season": (lambda folder: (folder / "season.json").write_text("{}"), "does not match"),
    "a changed season": (
        lambda folder: (folder / "season.json").write_text((folder / "season.json").read_text() + " "),
        "its SHA-256 differs",
    ),
    "a pipe": (lambda folder: _planted(folder / "season.json", os.mkfifo), "is no plain file"),
    "a device": (
        lambda folder: _planted(folder / "manifest.json", lambda path: path.symlink_to("/dev/zero")),
        "is no plain file; links are not followed",
    ),
    "a huge file": (lambda folder: (folder / "manifest.json").open("w").truncate(2**30), "larger than"),
}


@pytest.mark.parametrize("name", HEADS)
def test_unreadable_export_is_refused(copy: Path, other: Arena, name: str) -> None:
    """Without manifest and season nothing is imported."""
    damage, sentence = HEADS[name]
    damage(copy)

    with pytest.raises(ArenaError, match=sentence):
        import_export(other, copy)
