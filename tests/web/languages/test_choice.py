"""The choice of a language in the foot of a page."""

import pytest
from flask import Flask

from web.serving.languages import negotiated


def test_chosen_language_goes_before_that_of_the_browser(app: Flask) -> None:
    """A visitor reads the page in the language of the browser until another one is chosen; the API stays English."""
    client = app.test_client()
    german = {"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"}
    assert '<html lang="de">' in client.get("/bots", headers=german).text

    client.post("/language", data={"language": "zh-Hans"})

    assert '<html lang="zh-Hans">' in client.get("/bots", headers=german).text
    assert client.get("/api/v1/bots/99", headers=german).get_json()["detail"] == "There is no bot 99."
    client.post("/language", data={"language": "klingon"})
    assert '<html lang="zh-Hans">' in client.get("/bots").text


@pytest.mark.parametrize(
    ("page", "back"),
    [
        ("http://localhost/bots?search=a", "/bots?search=a"),
        ("http://elsewhere.example/bots", "/"),
        ("http://localhost//elsewhere.example/x", "/elsewhere.example/x"),
        ("http://localhost/\\elsewhere.example", "/elsewhere.example"),
        ("", "/"),
    ],
)
def test_choice_leads_back_to_the_page(app: Flask, page: str, back: str) -> None:
    """The address to go back to is a page of this arena, whatever the browser says."""
    answer = app.test_client().post("/language", data={"language": "de"}, headers={"Referer": page})
    assert answer.headers["Location"] == back


@pytest.mark.parametrize(
    ("accepted", "tag"),
    [
        ("", "en"), ("*", "en"), ("fr", "en"), ("en-GB,de;q=0.9", "en"), ("fr,de;q=0.3", "de"), ("DE", "de"),
        ("zh-CN,zh;q=0.9", "zh-Hans"), ("de;q=0,zh;q=0.1", "zh-Hans"), ("garbage;q=x,,;", "en"),
    ],
)  # fmt: skip
def test_language_is_the_first_that_the_arena_has(accepted: str, tag: str) -> None:
    """The first language of the browser's list that the arena offers is used."""
    assert negotiated(accepted) == tag
