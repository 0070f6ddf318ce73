"""`arena replay`: the replay of a record as a page of this machine."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

from arena.cli import main
from arena.match.frames import framed
from arena.match.record import encode, parse
from arena.match.replay import replay
from web.tables.replay import create_app

RECORD = Path(__file__).parents[2] / "golden" / "suits-barnhart-solitaire.json"


@pytest.fixture
def client() -> FlaskClient:
    """A browser on the page of a record."""
    return create_app(parse(RECORD.read_bytes()), "match.json").test_client()


def test_page_shows_table_result_and_commands(client: FlaskClient) -> None:
    """The page has the replay of the pages, the result, and the commands with the name of the file."""
    page = client.get("/").text

    assert 'data-src="/replay.json"' in page
    assert "dummies with" in page
    assert "arena debug match.json --move" in page


def test_data_is_that_of_the_record(client: FlaskClient) -> None:
    """The replay, its moves and the record are served, and the rules with the headings that the replay opens."""
    played = parse(RECORD.read_bytes())

    assert json.loads(client.get("/replay.json").data) == framed(replay(played))
    assert json.loads(client.get("/moves/0.json").data)["moves"][0]["seat"] == 0
    assert client.get("/record.json").data == encode(played)
    assert "<h2>Solitaire</h2>" in client.get("/rules").text


def test_foreign_names_of_this_machine_are_refused(client: FlaskClient) -> None:
    """A page elsewhere whose name leads to this machine cannot read the record."""
    assert client.get("/record.json", headers={"Host": "pages.example"}).status_code == 400


def test_page_is_served_until_ctrl_c() -> None:
    """The address is printed, the page is there, and Ctrl-C ends the command without an error."""
    # A shell that starts the tests in the background ignores the signal, and its children inherit that.
    heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    started = f"{heard}; from arena.cli import main; main()"
    words = [sys.executable, "-c", started, "replay", str(RECORD), "--json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        address = json.loads(process.stdout.readline())["address"]
        try:
            with urlopen(address) as page:  # noqa: S310 -- of this machine
                assert page.status == 200
        finally:
            process.send_signal(signal.SIGINT)
        _, said = process.communicate()

    assert (process.returncode, said) == (0, "")


def test_wrong_record_is_a_usage_error(tmp_path: Path) -> None:
    """The error names the file and what is wrong with it."""
    (tmp_path / "match.json").write_text("{}")
    result = CliRunner().invoke(main, ["replay", str(tmp_path / "match.json")])

    assert result.exit_code == 2
    assert "not a record" in result.stderr
