"""Revisions of rules: an option that is added later changes nothing about matches that have been played."""

import pytest

from arena.cli.random_records import random_match
from arena.games.base import Game
from arena.games.errors import RecordError
from arena.games.registry import GAMES, VARIANTS, game, rules_of, stored_game
from arena.match.record import encode, game_of, is_of, pack, parse, unpack
from arena.match.replay import replay, trace, verify
from tests import golden
from tests.revisions import revise

SEED = bytes(32)


@pytest.fixture(params=GAMES)
def revised(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> type[Game]:
    """Return a game with an option that a second revision of its rules adds."""
    found = GAMES[request.param]
    revise(monkeypatch, found)
    return found


def test_golden_records_verify_after_a_revision(revised: type[Game]) -> None:
    """Each record that was made before is still right, and replays by the rules of its time."""
    kept = [golden.path(id) for id, variant in VARIANTS.items() if variant.game == revised.id]
    for path in kept:
        verify(path.read_bytes())
        record = parse(path.read_bytes())
        assert record["scores"] == [*trace(record)][-1]["scores"]
        assert "added" not in replay(record)["options"]
        assert game_of(record).options["added"] is False
    assert kept


def test_new_records_have_the_revision(revised: type[Game]) -> None:
    """New records are complete for it, also packed, and differ from records of other rules."""
    record = random_match(revised(), SEED)

    assert (record["revision"], record["options"]["added"]) == (2, True)
    assert unpack(pack(record)) == record
    verify(encode(record))
    assert is_of(record, revised())
    assert not is_of(record, revised.stored({name: record["options"][name] for name in [*record["options"]][:-1]}))


def test_tournament_goes_on_by_its_rules(revised: type[Game]) -> None:
    """Matches of a tournament from before a revision are played, and recorded, by the earlier rules."""
    stored = {option.name: option.default for option in revised.option_list if option.since == 1}
    record = random_match(stored_game(revised.id, stored), SEED)

    assert record["options"] == {**stored, "added": False}
    assert is_of(record, revised.stored(stored))
    assert game(revised.id).options["added"] is True


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"revision": 3}, "revision of {} is 3; this release knows 1 to 2"),
        ({"revision": True}, "revision of {} is True; this release knows 1 to 2"),
        ({"revision": 1}, "options of revision 1 do not include added"),
        ({"options": None}, "options must be complete: added missing"),
    ],
)
def test_record_must_be_complete_for_its_revision(revised: type[Game], change: dict[str, object], message: str) -> None:
    """Neither too few nor too many options, nor a revision that is not known here."""
    record = random_match(revised(), SEED)
    if "options" in change:
        change = {"options": {name: record["options"][name] for name in [*record["options"]][:-1]}}

    with pytest.raises(RecordError, match=message.format(revised.id)):
        verify(encode({**record, **change}))


def test_record_with_options_that_are_not_allowed_is_of_no_game() -> None:
    """Damaged records are found to differ, without another error."""
    record = random_match(rules_of("suits-steere-3"), SEED)

    assert is_of(record, rules_of("suits-steere-3"))
    assert not is_of({**record, "options": {"players": 9}}, rules_of("suits-steere-3"))
    assert not is_of({**record, "game": "chess"}, rules_of("suits-steere-3"))


def test_later_options_keep_earlier_rules() -> None:
    """An option of a revision has an allowed value for the rules before, and no revision is left out."""
    for found in GAMES.values():
        later = [option for option in found.option_list if option.since > 1]
        assert all(option.check(option.before) for option in later)
        assert {option.since for option in found.option_list} == {*range(1, found.revision() + 1)}


def test_records_of_the_first_revision_do_not_say_so() -> None:
    """Readers of records from before there were revisions read them as ever."""
    first = [id for id, found in GAMES.items() if found.revision() == 1]

    assert all("revision" not in random_match(game(id), SEED) for id in first)
    verify(encode({**random_match(rules_of("suits-steere-3"), SEED), "revision": 1}))
