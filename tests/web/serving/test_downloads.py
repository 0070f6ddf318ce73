"""Files that take long to make: a process sends few at a time."""

import pytest

from tests.web.conftest import MEETING, League, Person
from web.serving import downloads

LONG = [
    f"/tournaments/{MEETING}/seed.json",
    f"/tournaments/{MEETING}/tables.csv",
    f"/api/v1/tournaments/{MEETING}/seed",
]


@pytest.mark.parametrize("address", LONG)
def test_a_client_gets_two_long_files_at_a_time(league: League, address: str) -> None:
    """A third file is refused until one of the others is sent or its client has gone."""
    client = league.visitor.client
    first, second = client.get(address), client.get(address)

    assert client.get(address).status_code == 429
    assert first.get_data()
    third = client.get(address)
    assert third.status_code == 200
    for sending in (second, third):
        sending.close()
    assert client.get(address).get_data()


def test_long_files_leave_threads_to_pages(league: League, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond a number of long files for all clients, others are told to come back later; pages are not concerned."""
    monkeypatch.setattr(downloads, "MOST", 1)
    client, other = league.visitor.client, {"REMOTE_ADDR": "192.0.2.7"}
    sending = client.get(LONG[0])
    refused = client.get(LONG[0], environ_overrides=other)

    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "60")
    assert client.get(f"/tournaments/{MEETING}", environ_overrides=other).status_code == 200
    sending.close()


def test_own_data_is_a_long_file(ada: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sources of a member's bots may have hundreds of megabytes."""
    assert ada.client.post("/account/data").status_code == 200
    monkeypatch.setattr(downloads, "MOST", 0)

    assert ada.client.post("/account/data").status_code == 503


def test_proof_of_a_seed_is_made_without_the_moves(league: League, monkeypatch: pytest.MonkeyPatch) -> None:
    """The boards of a table are read from its records without decoding their moves, which take most of the time."""
    expected = league.visitor.visit(LONG[0])
    monkeypatch.setattr("arena.match.codec._Hands", None)

    assert league.visitor.visit(LONG[0]) == expected
