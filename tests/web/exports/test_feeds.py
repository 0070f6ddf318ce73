"""Feeds: well-formed, found by readers, and with permanent IDs."""

import json
import re
from xml.etree import ElementTree as Xml

import pytest

from tests.web.conftest import CRASHING, MEETING, League, Person

ATOM = "{http://www.w3.org/2005/Atom}"
FEEDS = {
    "/tournaments/feed.atom": "/tournaments/",
    f"/tournaments/{MEETING}/feed.atom": f"/tournaments/{MEETING}",
    f"/bots/{CRASHING}/feed.atom": f"/bots/{CRASHING}",
    "/authors/ada/feed.atom": "/authors/ada",
}
"""Feeds and the pages that lead to them."""


def texts(address: str, tag: str, visitor: Person) -> list[str]:
    """Return the texts of an element of all entries."""
    feed = Xml.fromstring(visitor.client.get(address).data)  # noqa: S314 -- our own
    return [entry.findtext(f"{ATOM}{tag}", "") for entry in feed.iter(f"{ATOM}entry")]


@pytest.mark.parametrize("address", FEEDS)
def test_feed_is_found_and_complete(league: League, address: str) -> None:
    """A page leads to its feed, whose entries have all that Atom requires, and IDs that do not repeat."""
    answer = league.visitor.client.get(address)
    feed = Xml.fromstring(answer.data)  # noqa: S314 -- our own
    parts = [feed, *feed.iter(f"{ATOM}entry")]
    ids = [part.findtext(f"{ATOM}id", "") for part in parts]

    assert answer.content_type == "application/atom+xml; charset=utf-8"
    assert '<link rel="alternate" type="application/atom+xml" title="' in league.visitor.visit(FEEDS[address])
    assert f'href="{address}"' in league.visitor.visit(FEEDS[address])
    assert len(parts) > 1
    assert len(set(ids)) == len(ids)
    assert all(id.startswith("urn:uuid:") for id in ids)
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", part.findtext(f"{ATOM}updated", "")) for part in parts)
    assert all(part.find(f"{ATOM}link").get("href", "").startswith("http://") for part in parts)  # type: ignore[union-attr]


@pytest.mark.parametrize("address", FEEDS)
def test_feed_is_the_same_as_json(league: League, address: str) -> None:
    """A JSON Feed has the entries of the Atom feed; its page leads to it, and its ETag saves the transfer."""
    other = address.replace(".atom", ".json")
    answer = league.visitor.client.get(other)
    again = league.visitor.client.get(other, headers={"If-None-Match": answer.headers["ETag"]})
    feed = json.loads(answer.data)

    assert answer.content_type == "application/feed+json"
    assert f'<link rel="alternate" type="application/feed+json" title="{feed["title"]}' in league.visitor.visit(
        FEEDS[address]
    ).replace("&lt;", "<").replace("&gt;", ">")
    assert (feed["version"], feed["feed_url"]) == ("https://jsonfeed.org/version/1.1", f"http://localhost{other}")
    for key, tag in {"id": "id", "title": "title", "content_text": "summary", "date_modified": "updated"}.items():
        assert [item[key] for item in feed["items"]] == texts(address, tag, league.visitor)
    assert (again.status_code, again.data) == (304, b"")


def test_feeds_say_what_happened(league: League) -> None:
    """Titles name the tournament and its state, the place of the bot, and the author's bots."""
    assert any(
        title.startswith("Meeting <of> four: ") for title in texts("/tournaments/feed.atom", "title", league.visitor)
    )
    results = texts(f"/bots/{CRASHING}/feed.atom", "title", league.visitor)
    assert any(
        re.fullmatch(r"Crasher v1: place \d of 4 in Meeting <of> four( with the fault error)?", one) for one in results
    )
    assert "Crasher v1: a new version" in results
    results = texts(f"/tournaments/{MEETING}/feed.atom", "title", league.visitor)
    assert results[0].startswith("Meeting <of> four: ")
    assert all(re.fullmatch(r"Table \d+, match \d+: .+ first", one) for one in results[1:])
    assert results[1:]
    assert {"Ducker v1", "Crasher v1"} <= set(texts("/authors/ada/feed.atom", "title", league.visitor))


def test_feed_that_has_not_changed_is_not_sent_again(league: League) -> None:
    """IDs and bytes stay the same, and the ETag saves the transfer."""
    address = "/tournaments/feed.atom"
    first = league.visitor.client.get(address)
    again = league.visitor.client.get(address, headers={"If-None-Match": first.headers["ETag"]})

    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize("address", ["/bots/999/feed.atom", "/authors/nobody/feed.atom"])
def test_feed_of_nothing_is_not_found(league: League, address: str) -> None:
    """The error is that of the page."""
    assert league.visitor.client.get(address).status_code == 404
