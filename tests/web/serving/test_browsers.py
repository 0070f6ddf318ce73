"""Descriptions of browsers."""

import pytest

from arena.services.base.languages import language
from arena.words import speaking
from web.serving.browsers import browser, in_words


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
            "Edge on Windows",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Safari/604.1",
            "Safari on iPhone",
        ),
        (
            "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36",
            "Chrome on Android",
        ),
        ("curl/8.5.0", "Unknown browser"),
        ("", "Unknown browser"),
    ],
)
def test_browser_is_described_coarsely(agent: str, words: str) -> None:
    """The description says no more than what the owner needs to recognise a session."""
    assert browser(agent) == words


@pytest.mark.parametrize(
    ("description", "words"),
    [("Firefox on Linux", "Linux 上的 Firefox"), ("Unknown browser", "未知浏览器"), ("Opera", "Opera")],
)
def test_description_is_translated_when_it_is_shown(description: str, words: str) -> None:
    """What is stored is English; a page shows it in its own language."""
    with speaking(language("zh-Hans")):
        assert in_words(description) == words
