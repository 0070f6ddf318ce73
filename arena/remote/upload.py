"""``arena upload``: upload a bot, wait for its check and its rating, and end with the result."""

import re
import time
from collections.abc import Iterator
from math import hypot
from pathlib import Path
from typing import Any, Final

import click

from arena.exits import ExitCode
from arena.games.errors import Refused, Unavailable
from arena.remote.http import Remote
from arena.remote.names import found
from arena.remote.options import arena_option, remote
from arena.remote.packing import read
from arena.remote.previous import reason_against
from arena.remote.texts import block, json_option, line, rating, say, say_json
from arena.sdk.upload import MIB, UploadBounds

SHORTEST: Final = 0.2
"""Seconds between the first two looks at a version."""
LONGEST: Final = 1.0
"""Largest number of seconds between two looks."""
GROWTH: Final = 1.02
"""Ratio of a pause to the one before: a check takes seconds, a placement in a busy arena minutes."""
PATIENCE: Final = 900
"""Seconds after which the command stops waiting."""
PREVIOUS: Final = "previous"
SURE: Final = 1.96
"""Standard deviations of a difference beyond which a bot has got worse, in 39 of 40 cases."""
LARGEST: Final = UploadBounds(32 * MIB, 512 * MIB, 10_000)
"""What is packed at most. The arena has limits of its own, and names them."""


class Threshold(click.ParamType[float | str]):
    """A rating, or the word ``previous``."""

    name = "rating"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float | str:
        if value == PREVIOUS:
            return PREVIOUS
        try:
            return float(value)
        except ValueError:
            self.fail(f"{value!r} is neither a number nor {PREVIOUS!r}", param, ctx)


@click.command()
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option("--name", help="Name of the bot; by default that of the file. A bot of yours gets a new version.")
@click.option("--wait/--no-wait", default=True, help="Wait for the check and the rating.", show_default=True)
@click.option("--timeout", type=click.IntRange(1), default=PATIENCE, show_default=True, help="Seconds to wait at most.")
@click.option(
    "--fail-below", type=Threshold(), metavar="RATING|previous",
    help="Fail if the rating is below a number, or if a comparison shows that the version before is better.",
)  # fmt: skip
@arena_option
@json_option
def upload(
    path: Path, name: str | None, wait: bool, timeout: int, fail_below: float | str | None, url: str | None,
    as_json: bool,
) -> int:  # fmt: skip
    """Upload a bot: a Python file, a zip, or a folder that contains bot.py.

    Exit code 0: it passed. 1: it failed the check, or its rating is too low. 2: wrong usage. 3: the arena failed.
    """
    if fail_below is not None and not wait:
        raise click.UsageError("--fail-below needs --wait")
    arena = remote(url)
    made = _sent(arena, path, name or bot_name(path))
    if not as_json:
        say(f"Version {made['number']} is uploaded: {arena.url}{made['page']}")
    if not wait:
        return _ended(made, as_json, ExitCode.DONE)
    deadline = time.monotonic() + timeout
    version = _watched(arena, made, deadline, quiet=as_json)
    bot = arena.get(f"/bots/{made['bot_id']}")
    code, reason = verdict(version, bot, fail_below)
    if fail_below == PREVIOUS and code == ExitCode.DONE:
        reason = reason_against(arena, version, bot, deadline, (lambda _: None) if as_json else say)
        code = ExitCode.REFUSED if reason else code
    if reason and not as_json:
        say(reason)
    return _ended(version, as_json, code)


def bot_name(path: Path) -> str:
    """Return the name that a bot gets from its path, as on the page."""
    stem = re.sub(r"\.(py|zip)$", "", path.absolute().name, flags=re.IGNORECASE)
    return re.sub(r"[^\w.-]+", "-", stem, flags=re.ASCII)[:32]


def verdict(version: Any, bot: Any, fail_below: float | str | None) -> tuple[ExitCode, str]:
    """Return the exit code for a version that is settled, and a sentence if it failed."""
    if version["state"] == "infra_failed":
        return ExitCode.UNAVAILABLE, "The arena failed to check it. Ask for another check on its page."
    if version["state"] != "valid":
        return ExitCode.REFUSED, ""
    found = version["rating"]
    if isinstance(fail_below, float) and (found is None or found["mu"]["value"] < fail_below):
        return ExitCode.REFUSED, f"The rating {rating(found) or '(none)'} is below {fail_below:g}."
    worse = [row["variant"] for row in bot["variants"] if is_worse(row)] if fail_below == PREVIOUS else []
    if worse:
        return ExitCode.REFUSED, f"It is worse than the version before in {', '.join(worse)}."
    return ExitCode.DONE, ""


def is_worse(row: Any) -> bool:
    """Return whether a rating lies below that of the version before by more than chance explains."""
    now, before = row["rating"], row["before"]
    if now is None or before is None:
        return False
    gap = before["mu"]["value"] - now["mu"]["value"]
    return bool(gap > SURE * hypot(now["sigma"], before["sigma"]))


def _sent(arena: Remote, path: Path, name: str) -> Any:
    """Upload a file as a new version of the bot with this name, or as a new bot."""
    try:
        file = read(path, LARGEST)
    except Refused as refused:
        raise click.UsageError(f"{path} is not a valid bot: {refused}") from None
    except OSError as error:
        raise click.UsageError(f"cannot read {error.filename or path}: {error.strerror}") from None
    files = {"file": ("bot.zip" if file.startswith(b"PK") else "bot.py", file)}
    known = found(arena, name)
    if known is None:
        return arena.create("/bots", files=files, data={"name": name})
    return arena.create(f"/bots/{known}/versions", files=files)


def _watched(arena: Remote, made: Any, deadline: float, quiet: bool) -> Any:
    """Return a version once it is settled; print its stages meanwhile unless `quiet`. Raises `Unavailable`."""
    said: list[str] = []
    pause = SHORTEST
    while True:
        version = arena.get(f"/versions/{made['version_id']}")
        new = [text for text in stages(version) if text not in said]
        said += new
        for text in [] if quiet else new:
            click.echo(block(text))
        if version["settled"]:
            return version
        if time.monotonic() > deadline:
            raise Unavailable(f"Version {made['number']} has no result in time; its check goes on without you.")
        time.sleep(pause)
        pause = min(LONGEST, GROWTH * pause)


def stages(version: Any) -> Iterator[str]:
    """Yield a text for each stage that a version has reached."""
    number, state = version["number"], version["state"]
    if state == "pending":
        yield f"Version {number} waits for its check, or is being checked"
    elif state == "valid":
        yield f"Version {number} passed the check"
        if not version["settled"]:
            yield "It plays its first tables"
        elif version["rating"]:
            yield f"First rating {rating(version['rating'])} in {line(version['rating']['variant'])}"
    else:
        yield f"Version {number} did not pass the check" if state == "invalid" else "The check failed"
        yield from report(version["report"])


def report(found: Any) -> Iterator[str]:
    """Yield the texts of a report."""
    if not found:
        return
    place = f" ({line(found['file']) or 'bot.py'}, line {found['line']})" if found["line"] else ""
    yield f"{line(found['message'])}{place}"
    for name in ("traceback", "output"):
        if found[name]:
            yield f"{name.title()}:\n{block(found[name].rstrip())}"


def _ended(result: Any, as_json: bool, code: ExitCode) -> int:
    if as_json:
        say_json(result)
    raise click.exceptions.Exit(code)
