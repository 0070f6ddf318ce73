"""Bots that administrators disable and enable."""

import pytest

from arena.db.models import Bot, Version
from arena.games.errors import NotFound, Refused
from arena.services.administration import bots as administration
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.bots import actions as bots
from arena.services.comparisons import actions as comparisons
from arena.services.comparisons.pages import candidates
from arena.services.formats.entrants import entrants
from arena.services.formats.plans import CHOSEN, Plan
from arena.services.ladders import actions as ladders
from arena.services.people import notices
from arena.services.tournaments import pages, stages
from arena.services.work.validation import validate
from tests import factories
from tests.cages import LocalCage
from tests.services.administration.test_members import noted


def test_owner_reads_why_a_bot_is_disabled_and_cannot_undo_it(arena: Arena, admin: Account, author: Account) -> None:
    """Neither the owner's switch nor a new version brings it back; an administrator does."""
    version = factories.bot(arena, author, "eager")

    administration.disable(arena, admin, 1, "it floods the log")

    refusal = "eager was disabled by an administrator: it floods the log"
    with pytest.raises(Refused, match=refusal):
        bots.set_active(arena, author, 1, True)
    with pytest.raises(Refused, match=refusal):
        bots.upload_version(arena, author, 1, factories.LAST)
    with pytest.raises(Refused, match=refusal):
        bots.validate_again(arena, author, version)
    with pytest.raises(Refused, match="eager is already disabled: it floods the log"):
        administration.disable(arena, admin, 1, "again")
    assert notices.latest(arena, author)[0].text == "organiser disabled eager: it floods the log"
    administration.enable(arena, admin, 1)
    bots.set_active(arena, author, 1, True)
    with pytest.raises(Refused, match="eager is not disabled"):
        administration.enable(arena, admin, 1)
    assert noted(arena) == [
        ("organiser", "disabled a bot", "bot eager", "it floods the log"),
        ("organiser", "enabled a bot", "bot eager", ""),
    ]


def test_disabled_bot_enters_nothing_new(arena: Arena, admin: Account, author: Account) -> None:
    """Tournaments, ladders and comparisons leave it out; the ladder takes it back when it is enabled."""
    field = factories.field_of(arena, author, 5)
    ladder = ladders.start(arena, admin, "suitability-4")
    stages.advance(arena, ladder)

    administration.disable(arena, admin, 1, "a copy")

    with arena.reading() as session:
        assert entrants(session, Plan("cup", "suitability-4")) == field[1:]
        with pytest.raises(Refused, match="Only active bots with a valid version can be entered; bot-0 cannot"):
            entrants(session, Plan("cup", "suitability-4", entry_rule=CHOSEN, chosen=[1, 2, 3, 4]))
    with pytest.raises(Refused, match="bot-0 was disabled by an administrator"):
        comparisons.create(arena, author, "suitability-2", field[1], field[0])
    assert field[0] not in [one.version_id for one in candidates(arena, author, "suitability-2")]
    assert _out(arena, ladder, field[0]) == "deactivated"
    administration.enable(arena, admin, 1)
    assert _out(arena, ladder, field[0]) is None


def _out(arena: Arena, ladder: int, version: int) -> str | None:
    """Play the tables of a ladder that wait, and return why a version is out of the ones that follow."""
    factories.play_all(arena, factories.table_ids(arena, ladder))
    [row] = [row for row in pages.page(arena, ladder).standings if row.version_id == version]
    return row.out


def test_version_of_disabled_bot_gets_no_placement(arena: Arena, admin: Account, author: Account) -> None:
    """The version may have been uploaded a moment before."""
    factories.field_of(arena, factories.user(arena, "house"), 3)
    made = bots.upload(arena, author, "eager", factories.FIRST)
    administration.disable(arena, admin, made.bot_id, "a copy")

    validate(arena, made.version_id, LocalCage())

    with arena.reading() as session:
        assert session.get_one(Version, made.version_id).state == "valid"
        assert session.get_one(Bot, made.bot_id).active_version_id == made.version_id
    assert pages.latest(arena) == []


def test_only_administrators_may(arena: Arena, admin: Account, author: Account) -> None:
    """Unknown bots are not found; a reason is needed."""
    factories.bot(arena, author, "eager")
    with pytest.raises(Refused, match="Only an administrator may do this"):
        administration.disable(arena, author, 1, "x")
    with pytest.raises(Refused, match="Only an administrator may do this"):
        administration.enable(arena, author, 1)
    with pytest.raises(Refused, match="Give a reason"):
        administration.disable(arena, admin, 1, "")
    with pytest.raises(NotFound):
        administration.disable(arena, admin, 99, "x")
