"""Static files: compressed, cached for ever under hashed names, and without cookies."""

import gzip
import re
from pathlib import Path

import brotli
import pytest
from flask import Flask

from tests.web.conftest import Person
from web.serving import assets
from web.serving.security import HEADERS

STATIC = Path(__file__).parents[3] / "web/static"


def address(app: Flask, name: str) -> str:
    """Return the address of a file as pages link to it."""
    with app.test_request_context():
        return app.url_for("static", filename=name)


@pytest.mark.parametrize("name", ["site.css", "site.js", "favicon.svg", "vendor/htmx.min.js"])
def test_file_is_cached_for_ever_under_its_hash(app: Flask, visitor: Person, name: str) -> None:
    """The address has a hash, and an ETag saves the second transfer even if a browser asks again."""
    first = visitor.client.get(address(app, name))
    again = visitor.client.get(address(app, name), headers={"If-None-Match": first.headers["ETag"]})

    assert re.fullmatch(rf"/static/[0-9a-f]{{12}}/{re.escape(name)}", address(app, name))
    assert first.data == (STATIC / name).read_bytes()
    assert first.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert HEADERS.items() <= dict(first.headers).items()
    assert (again.status_code, again.data) == (304, b"")


def test_modules_find_those_that_they_import(app: Flask, visitor: Person) -> None:
    """A relative import leads to an address with the same hash."""
    folder = address(app, "site.js").rpartition("/")[0]
    for path in STATIC.glob("*.js"):
        for imported in re.findall(r'from "\./([^"]+)"', path.read_text()):
            assert visitor.client.get(f"{folder}/{imported}").status_code == 200


@pytest.mark.parametrize(
    "path",
    ["000000000000/site.css", "nothing.css", "../app.py", "..%2fapp.py", "vendor/SHA256SUMS", "", "site.css/", "%ff"],
)
def test_unknown_hash_or_file_is_not_cached(visitor: Person, path: str) -> None:
    """No cache keeps the answer to an address of another release, and nothing outside of the folder is served."""
    response = visitor.client.get(f"/static/{path}")

    assert response.status_code == 404
    assert response.headers["Cache-Control"] == "no-store"


def test_file_without_hash_is_checked_each_time(visitor: Person) -> None:
    """A plain name works, but browsers ask again."""
    assert visitor.client.get("/static/site.css").headers["Cache-Control"] == "no-cache"


def test_files_are_compressed_as_the_browser_accepts(visitor: Person) -> None:
    """The best coding is chosen; a browser that accepts none gets the plain file."""

    def get(accepted: str) -> tuple[str | None, bytes]:
        response = visitor.client.get("/static/site.css", headers={"Accept-Encoding": accepted})
        assert response.headers["Vary"] == "Accept-Encoding"
        assert int(response.headers["Content-Length"]) == len(response.data)
        return response.headers.get("Content-Encoding"), response.data

    plain = (STATIC / "site.css").read_bytes()
    packed = get("gzip, deflate, br")

    assert packed[0] == "br"
    assert brotli.decompress(packed[1]) == plain
    assert gzip.decompress(get("gzip, br;q=0")[1]) == plain
    assert get("identity") == (None, plain)
    assert get("") == (None, plain)
    assert len(packed[1]) < len(plain) / 4


def test_files_can_only_be_read(visitor: Person) -> None:
    """HEAD has no body; other methods are refused."""
    head = visitor.client.head("/static/site.css")

    assert (head.status_code, head.data) == (200, b"")
    assert visitor.client.post("/static/site.css").status_code == 405


def test_files_never_set_a_cookie(ada: Person) -> None:
    """A member's browser gets no cookie with a file."""
    assert "Set-Cookie" not in ada.client.get("/static/site.css").headers


def test_change_of_any_file_changes_every_address(tmp_path: Path) -> None:
    """The hash covers names and contents."""
    (tmp_path / "a.css").write_text("a {}")
    before = assets.Assets(None, tmp_path).hash
    same = assets.Assets(None, tmp_path).hash
    (tmp_path / "b.js").write_text("0;")
    more = assets.Assets(None, tmp_path).hash
    (tmp_path / "b.js").write_text("1;")

    assert before == same
    assert len({before, more, assets.Assets(None, tmp_path).hash}) == 3
