"""Requests to every page and every operation of the API, in the arena of `tests.web.filled`."""

import io
import re
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, Final, NamedTuple

from werkzeug.routing import AnyConverter, Rule

from tests.web.conftest import FIRST_LEGAL, PASSWORD
from tests.web.filled import VARIANT, Filled
from tests.web.rights.callers import Who
from tests.web.test_audit import NOTED, PLAN, SCHEDULE
from web.api import MCP, PREFIX
from web.api.operations import Operation, operations
from web.api.samples import sample
from web.app.resources import RESOURCES

PARAMETER: Final = re.compile(r"<(?:[^<>]*:)?(\w+)>")
TRIED: Final = {"tournament_id": "trial", "table_id": "trial_table", "match_id": "trial_match"}
"""Names of the IDs of a trial and its parts, by the parameters of paths that lead to them."""
REFUSALS: Final = frozenset({401, 403, 404})
INVALID: Final = frozenset({400, 409, 422})


class Request(NamedTuple):
    """A request."""

    name: str
    """Endpoint and action of a page, or ID of an operation."""
    method: str
    address: str
    body: dict[str, Any]
    """Form or JSON, as an argument of a request."""
    at_most: Who | None = None
    """Who may see what it names of another bot or account; None if the rule of its name decides."""
    refusals: frozenset[int] = REFUSALS
    """Statuses that refuse it."""

    @property
    def is_safe(self) -> bool:
        """Whether it only reads."""
        return self.method == "GET"


def pages(filled: Filled) -> Iterator[Request]:
    """Yield requests for all pages."""
    for rule in filled.app.url_map.iter_rules():
        if not rule.endpoint.startswith(("api.", "mcp.")):
            yield from _of_rule(filled, rule)
    yield from _crossed(filled, api=False)


def programs(filled: Filled) -> Iterator[Request]:
    """Yield requests for all operations of the API and for the tools, and some that name what belongs to others."""
    yield Request("mcp.answer", "POST", MCP, {"json": {}})
    for one in operations(RESOURCES):
        for at_most in _at_most(one.parameters):
            path = one.path.format_map(_values(filled, one.name, at_most))
            address = PREFIX + path + QUERIES.get(one.name, "").format_map(filled.ids)
            yield Request(one.name, one.method, address, _body(one), at_most)
    yield from _crossed(filled, api=True)


def _crossed(filled: Filled, api: bool) -> Iterator[Request]:
    for name, path, body, at_most in CROSSED:
        if path.startswith(PREFIX) == api:
            given = {"json": {key: filled.ids.get(str(value), value) for key, value in body.items()}} if body else {}
            method, address = "POST" if body else "GET", path.format_map(filled.ids)
            yield Request(name, method, address, given, at_most, REFUSALS | INVALID)


def _of_rule(filled: Filled, rule: Rule) -> Iterator[Request]:
    """Yield a request for each method and action of a page, and the same for a trial."""
    choices = {name: sorted(one.items) for name, one in rule._converters.items() if isinstance(one, AnyConverter)}
    for chosen in product(*choices.values()):
        name = rule.endpoint if "kind" in choices else " ".join((rule.endpoint, *chosen))
        for method, at_most in product(sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}), _at_most(rule.arguments)):
            values = {**_values(filled, name, at_most), **dict(zip(choices, chosen, strict=True))}
            path = PARAMETER.sub(lambda found, values=values: str(values[found[1]]), rule.rule)  # type: ignore[misc]
            body = {"data": FORMS.get(name, {})} if method == "POST" else {}
            body = {"data": {**body["data"], "code": filled.ids["code"]}} if name.startswith("device.answer") else body
            yield Request(name, method, path + QUERIES.get(name, "").format_map(filled.ids), body, at_most)


def _at_most(parameters: Any) -> tuple[Who | None, ...]:
    return (None, Who.TEAM) if TRIED.keys() & set(parameters) else (None,)


def _values(filled: Filled, name: str, at_most: Who | None) -> dict[str, Any]:
    """Return the values of parameters in the path of a page or operation; those of a trial with `at_most`."""
    found = {**OTHERS, **filled.ids}
    for at in (name.partition(".")[0], name.partition(" ")[0], name):
        found |= {key: filled.ids.get(str(value), value) for key, value in PLACES.get(at, {}).items()}
    return found | ({key: filled.ids[value] for key, value in TRIED.items()} if at_most else {})


def _body(one: Operation) -> dict[str, Any]:
    """Return the inputs of an operation, as arguments of a request."""
    for kind in one.inputs.keys() - {"query"}:
        given = {**sample(one.inputs[kind]), **BODIES.get(one.name, {})}
        if kind == "form":
            given["file"] = (io.BytesIO(FIRST_LEGAL.encode()), "bot.py")
        return {"json": given} if kind == "body" else {"data": given}
    return {}


OTHERS: Final = {
    "token_id": 1, "session_id": 1, "step": 3, "part": 0, "deck": "french", "filename": "site.css",
    "a_id": 2, "b_id": 3,
}  # fmt: skip
"""Values of parameters that are not in `Filled.ids`."""
_OF_TRIALS: Final = ("trials", "sheets.trial", "get_trial", "repeat_trial", "cancel_trial")
_BEFORE_START: Final = (
    "tournaments.edit", "tournaments.actions.act start", "tournaments.actions.act delete", "change_tournament",
    "start_tournament", "delete_tournament",
)  # fmt: skip
_WHILE_RUNNING: Final = (
    "tournaments.actions.act pause", "tournaments.actions.act cancel", "tournaments.actions.act withdraw",
    "pause_tournament", "cancel_tournament", "withdraw_bot",
)  # fmt: skip
PLACES: Final[Mapping[str, Mapping[str, Any]]] = {
    **{key: {"tournament_id": "trial"} for key in _OF_TRIALS},
    **{key: {"tournament_id": "comparison"} for key in ("comparisons", "get_comparison", "cancel_comparison")},
    **{key: {"tournament_id": "later"} for key in _BEFORE_START},
    **{key: {"tournament_id": "swiss"} for key in _WHILE_RUNNING},
    **{key: {"user_id": "pupil"} for key in ("groups", "change_group_member", "remove_from_group")},
    **{key: {"user_id": "mate"} for key in ("bots.actions.change_member", "remove_from_team", "transfer_bot")},
    **{key: {"token": "invitation"} for key in ("invitations", "join_group")},
    "play": {"code": "live_played", "version": "b"},
    "replays": {"code": "live_played", "version": "b"},
    **{key: {"code": "live_table"} for key in ("play.move", "learning")},
    **{key: {"code": "live_waiting"} for key in ("play.sit", "play.start")},
    "get_open_bot": {"bot_id": "open_bot"},
    **{key: {"code": "live_program"} for key in ("get_live_table", "make_move")},
    **{key: {"code": "live_noted"} for key in ("models", "list_notes", "get_note")},
    "resets": {"token": "reset"},
    "docs": {"name": "api-bots.html"},
    "notices": {"token": "unsubscribe"},
    "get_copies": {"a": 2, "b": 3},
    "get_problem": {"name": "not-found"},
    "get_chapter": {"chapter": "guide"},
}
"""Values that differ, by blueprint, endpoint, action or operation, or their names in `Filled.ids`."""
_NOTED: Final = {" ".join(filter(None, key)): step for key, step in NOTED.items()}
_PAIR: Final = "?a=1&b=2"
QUERIES: Final[Mapping[str, str]] = {
    **{name: address[address.index("?") :] for name, (address, _) in _NOTED.items() if "?" in address},
    **dict.fromkeys(("tournaments.preview", "schedules.preview"), "?format=round_robin"),
    **dict.fromkeys(("bots.versions.source", "compare_sources"), _PAIR),
    **dict.fromkeys(
        ("bots.versions.decisions", "bots.versions.results", "compare_decisions", "compare_versions"),
        f"{_PAIR}&variant={VARIANT}",
    ),
    **dict.fromkeys(("list_candidates", "get_bot_history", "get_trial_offer"), f"?variant={VARIANT}"),
    "copies.index": "?dismissed=1",
    "lti.log_in": "?iss=https://moodle.example",
    "get_times": "?cron=0+18+*+*+FRI",
}
"""Queries of pages and operations that need one, or that may name a trial."""
_HOOK: Final = {"url": "https://hooks.example/arena", "kinds": ["version.validated"]}
_NEW: Final = {"password": PASSWORD, "repeat": PASSWORD}
_TRIAL: Final = {"variant": VARIANT, "version": 1, "opponents": [2, 3, 4]}
_COMPARISON: Final = {"variant": VARIANT, "a": 1, "b": 2, "most": 100}
FORMS: Final[Mapping[str, Mapping[str, Any]]] = {
    **{name: fields for name, (_, fields) in _NOTED.items()},
    "accounts.register": {"name": "newcomer", **_NEW},
    "accounts.log_in": {"name": "stranger", "password": PASSWORD},
    "assignments.enter": {"bot": 1},
    "bots.upload": {"name": "Another", "source": FIRST_LEGAL},
    "comparisons.new": {**_COMPARISON, "delta": "0.1"},
    "trials.new": {**_TRIAL, "number": 4, "seatings": "rotations", "boards": "new"},
    "trials.again": {"boards": "same"},
    "bots.plays_people": {"active": "no"},
    "tournaments.preview": PLAN,
    "schedules.preview": SCHEDULE,
    "webhooks.index": _HOOK,
    "webhooks.show": _HOOK,
    "webhooks.again": {"delivery": 1},
    "courses.again": {"score": 1},
    "resets.choose": _NEW,
}
"""Forms of pages."""
BODIES: Final[Mapping[str, Mapping[str, Any]]] = {
    "invite_to_team": {"account": "stranger"}, "declare_bot": {"name": "another-comet"},
    "be_ready": {"bot": "comet", "variants": []},
    "make_move": {"bot": ""},
}  # fmt: skip
"""Fields of operations that differ from the examples of the document."""
CROSSED: Final[tuple[tuple[str, str, dict[str, Any], Who], ...]] = (
    ("trials.new", "/bots/{other_bot}/try?match={trial_match}", {}, Who.TEAM),
    ("matches.index", "/matches/?show=closest&tournament={trial}", {}, Who.TEAM),
    ("feeds.tournament", "/tournaments/{trial}/feed.atom", {}, Who.TEAM),
    ("matches.text", "/matches/{trial_match}/text", {}, Who.TEAM),
    ("matches.embed", "/matches/{trial_match}/embed", {}, Who.TEAM),
    ("tournaments.picture", "/tournaments/{trial}/picture.png", {}, Who.TEAM),
    ("sheets.matches", "/matches/table.csv?show=closest&tournament={trial}", {}, Who.TEAM),
    ("create_trial", PREFIX + "/trials", {**_TRIAL, "matches": 4}, Who.TEAM),
    ("create_trial", PREFIX + "/trials", {**_TRIAL, "version": "homework", "repeats": "trial"}, Who.TEAM),
    ("create_trial", PREFIX + "/trials", {**_TRIAL, "version": "homework", "deal_of": "trial_match"}, Who.TEAM),
    ("create_comparison", PREFIX + "/comparisons", {**_COMPARISON, "delta": 0.1}, Who.TEAM),
    ("enter_assignment", PREFIX + "/assignments/{assignment_id}/enter", {"bot_id": "bot_id"}, Who.NOBODY),
    ("send_delivery_again", PREFIX + "/webhooks/{other_webhook}/deliveries/{delivery_id}/again", {"": 0}, Who.NOBODY),
    ("list_matches", PREFIX + "/matches?tournament={trial}", {}, Who.TEAM),
    ("list_matches", PREFIX + "/matches?show=closest&tournament={trial}", {}, Who.TEAM),
    ("get_cut", PREFIX + "/export/cut?tournament={trial}", {}, Who.TEAM),
)
"""Pages and operations whose query or JSON names what belongs to others or is hidden, and who at most may see that."""
