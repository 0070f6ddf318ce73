"""Plans of tournaments and schedules that programs send."""

import pytest

from arena.services.base.context import Arena
from arena.services.people.keys import Scope
from tests import factories
from tests.web.api.conftest import Program, Programs

CRON = {"cron": "0 18 * * FRI"}


@pytest.fixture
def organiser(arena: Arena, program: Programs) -> Program:
    """A program that may organise."""
    return program(factories.user(arena, "boss", admin=True), Scope.ORGANISE)


def test_numbers_that_are_left_out_take_their_defaults(organiser: Program) -> None:
    """A plan has the defaults of its format, also after a change of the format; an unknown number is refused."""
    body = {"name": "Weekly", "variant": "suitability-4", "format": "swiss", **CRON}
    link = organiser.send("POST", "/schedules", 201, body)["link"].removeprefix("/api/v1")
    assert organiser.get(link)["plan"]["shape"] == {"rounds": 5}

    organiser.send("PATCH", link, 204, {"shape": {"rounds": 3}})
    organiser.send("PATCH", link, 204, {"name": "Monthly"})
    assert organiser.get(link)["plan"]["shape"] == {"rounds": 3}
    organiser.send("PATCH", link, 204, {"format": "round_robin"})
    assert organiser.get(link)["plan"]["shape"] == {"rounds": 1}
    for wrong, sentence in (({"shape": {"tables": 3}}, "needs rounds"), ({"format": "cup"}, "no format 'cup'")):
        assert sentence in organiser.ask("PATCH", link, 422, json=wrong).get_json(force=True)["detail"]


def test_next_times_of_an_expression(organiser: Program) -> None:
    """Times are in UTC and the expression is repeated in words; a wrong one is refused."""
    found = organiser.get("/schedules/times?cron=0+18+*+*+FRI&zone=Asia/Tokyo&count=2")

    assert (found["words"], len(found["times"])) == ("Every Friday at 18:00", 2)
    assert found["times"][0].endswith("T09:00:00Z")
    organiser.ask("GET", "/schedules/times?cron=x", 422)
    organiser.ask("GET", "/schedules/times?cron=*+*+*+*+*&count=1001", 400)
