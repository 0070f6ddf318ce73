"""The tools: an arena's operations, few and small, so that a model can play, write a bot and read its rating.

A tool is a function whose parameters are the arguments, with their descriptions:

    @reads
    def read_rules(to: Caller, game: Game) -> str:
        \"\"\"Read the rules of a game.\"\"\"
        return to.api.get(f"/games/{game}")["rules"]

Its docstring is all that a model is shown of it. A text is answered as it is, anything else as JSON. The arena decides
what is allowed, and its sentences are the errors.
"""

import inspect
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final, Literal, NamedTuple, Protocol, TypeVar, get_type_hints

import msgspec
from msgspec import Meta

from arena.games.errors import Refused


class Api(Protocol):
    """An arena's API. All methods raise `ArenaError` with a sentence."""

    def get(self, path: str, **query: object) -> Any:
        """Return the answer to a GET."""

    def create(self, path: str, body: object = None, **more: Any) -> Any:
        """Create something and return the answer; `more` are `files` and `data` of a form."""

    def act(self, path: str, body: object = None, again: bool = False) -> Any:
        """Carry out an action; with `again`, twice is the same as once."""


class Caller(NamedTuple):
    """A model that calls tools."""

    api: Api
    wait: float
    """Seconds for which a call may wait for the model's turn."""


class Tool(NamedTuple):
    """A tool."""

    name: str
    doc: str
    run: Callable[..., Any]
    arguments: type[msgspec.Struct]
    only_reads: bool

    @property
    def schema(self) -> dict[str, Any]:
        """JSON Schema of the arguments."""
        schema: dict[str, Any] = msgspec.json.schema_components([self.arguments])[1][self.name]
        return schema


TOOLS: Final[dict[str, Tool]] = {}
"""All tools by name."""
Run = TypeVar("Run", bound=Callable[..., Any])


def call(to: Caller, name: str, arguments: Mapping[str, Any]) -> str:
    """Return the answer of a tool as text. Raises `ArenaError`, and `KeyError` if there is no such tool."""
    tool = TOOLS[name]
    try:
        given = msgspec.convert(arguments, tool.arguments, strict=False)
    except msgspec.ValidationError as error:
        raise Refused(f"{error}. {name} takes: {', '.join(tool.arguments.__struct_fields__) or 'nothing'}.") from None
    try:
        found = tool.run(to, **msgspec.structs.asdict(given))
    except UnicodeEncodeError:
        raise Refused("A text has a half of a surrogate pair, which is no character.") from None
    return found if isinstance(found, str) else msgspec.json.encode(found).decode()


def reads(run: Run) -> Run:
    """Make a tool of a function that only reads."""
    return _add(run, only_reads=True)


def acts(run: Run) -> Run:
    """Make a tool of a function that changes something."""
    return _add(run, only_reads=False)


def _add(run: Run, only_reads: bool) -> Run:
    hints, name = get_type_hints(run, include_extras=True), run.__name__
    given = [one for one in inspect.signature(run).parameters.values() if one.name != "to"]
    fields = [
        (one.name, hints[one.name]) if one.default is one.empty else (one.name, hints[one.name], one.default)
        for one in given
    ]
    arguments = msgspec.defstruct(name, fields, forbid_unknown_fields=True, kw_only=True)
    TOOLS[name] = Tool(name, inspect.getdoc(run) or "", run, arguments, only_reads)
    return run


WORD: Final = r"^[\w-]{1,64}$"
"""Pattern of what becomes a part of a path."""
Game = Annotated[str, Meta(pattern=WORD, description="ID of a game, such as suitability.")]
Variant = Annotated[str, Meta(pattern=WORD, description="ID of a variant, such as suitability-4.")]
Table = Annotated[str, Meta(pattern=WORD, description="Code of a practice table.")]
Cursor = Annotated[str, Meta(description="`cursor` of the last answer; without it you get everything again.")]
Name = Annotated[str, Meta(min_length=3, max_length=32, description="Name of the bot.")]


@reads
def list_games(to: Caller) -> Any:
    """List the games and their variants. Tables, bots and ratings are of a variant."""
    return [
        {"id": game["id"], "title": game["title"], "variants": {one["id"]: one["summary"] for one in game["variants"]}}
        for game in to.api.get("/games")
    ]


@reads
def read_rules(to: Caller, game: Game) -> Any:
    """Read the rules of a game."""
    return to.api.get(f"/games/{game}")["rules"]


@reads
def read_guide(to: Caller, chapter: Literal["guide", "lessons", "engine", "learning"] = "guide") -> Any:
    """Read how a bot is written: `guide` first, then `lessons`; `engine` has views; `learning` is optional."""
    return to.api.get(f"/chapters/{chapter}")["text"]


@reads
def read_reference(to: Caller, game: Game) -> Any:
    """Read what a bot is sent and may answer in a game, with examples and a complete bot to start from."""
    return to.api.get(f"/games/{game}/reference")


@acts
def start_table(
    to: Caller,
    variant: Variant,
    length: Annotated[Literal["deal", "match"], Meta(description="`deal`: the shortest match possible.")] = "deal",
    strength: Annotated[Literal["easy", "medium", "strong"], Meta(description="Of the house bots.")] = "medium",
    bots: Annotated[list[str], Meta(description="Names of the opponents; by default house bots.")] = [],  # noqa: B006
) -> Any:
    """Start a table at which you play against bots, for practice and without a clock. Then call wait_for_turn."""
    wish = {"variant": variant, "length": length, "strength": strength, "bots": bots}
    made = to.api.create("/live-tables", wish)
    return {"table": made["code"], "page": made["page"]}


@reads
def wait_for_turn(to: Caller, cursor: Cursor = "") -> Any:
    """Wait for your turn at your tables: get each open question with your view, its legal actions, and new events.

    `over` has the results of tables that are over.
    """
    found = to.api.get("/seats/next", after=cursor, wait=to.wait)
    return {**found, "questions": [_question(one) for one in found["questions"]], "next": _advice(found)}


@acts
def play_move(
    to: Caller,
    table: Table,
    number: Annotated[int, Meta(ge=0, description="Number of the question.")],
    action: Annotated[str, Meta(description="One of its legal actions.")],
    cursor: Cursor = "",
) -> Any:
    """Answer a question, and wait for the next one as wait_for_turn does. An illegal action costs nothing."""
    to.api.act(f"/live-tables/{table}/moves", {"number": number, "action": action}, again=True)
    return wait_for_turn(to, cursor)


@reads
def read_table(to: Caller, table: Table) -> Any:
    """Read the state of one of your practice tables; scores and ranks are by seat."""
    return to.api.get(f"/live-tables/{table}")


@reads
def read_match(
    to: Caller,
    match: Annotated[int, Meta(ge=1, description="ID of a match; read_bot lists the latest of a bot.")],
    record: Annotated[bool, Meta(description="Whether to read all cards and moves instead.")] = False,
) -> Any:
    """Read a match between bots: results, faults, and for a bot of yours the error and what it printed."""
    return to.api.get(f"/matches/{match}/record" if record else f"/matches/{match}")


@acts
def upload_bot(to: Caller, name: Name, source: Annotated[str, Meta(description="Source of one Python module.")]) -> Any:
    """Upload a bot, or a new version of your bot with this name. Then call read_bot until it is settled."""
    files, known = {"file": ("bot.py", source.encode())}, _bot_id(to.api, name)
    if known is None:
        return to.api.create("/bots", files=files, data={"name": name})
    return to.api.create(f"/bots/{known}/versions", files=files)


@reads
def read_bot(to: Caller, name: Name) -> Any:
    """Read a bot: state and report of its latest version, ratings and latest matches. Not yet settled: ask again."""
    known = _bot_id(to.api, name)
    if known is None:
        raise Refused(f"There is no bot {name}.")
    versions = to.api.get(f"/bots/{known}")["versions"]
    latest = to.api.get(f"/versions/{versions[0]['id']}") if versions else None
    bot = to.api.get(f"/bots/{known}")  # after its version, so that a rating which settles that is in both
    return {
        "name": bot["name"],
        "owner": bot["owner"],
        "active": bot["active"],
        "latest": latest,
        "ratings": [{"variant": one["variant"], "rating": one["rating"]} for one in bot["variants"]],
        "matches": [{"id": one["id"], "variant": one["variant"], "seats": _seats(one)} for one in bot["matches"]],
    }


@reads
def read_leaderboard(to: Caller, variant: Variant, limit: Annotated[int, Meta(ge=1, le=200)] = 20) -> Any:
    """Read the ratings of the bots of a variant, the best first."""
    return to.api.get(f"/leaderboards/{variant}", limit=limit)


def _question(one: Mapping[str, Any]) -> dict[str, Any]:
    """Return a question without what stays the same all match."""
    return {name: value for name, value in one.items() if name not in ("game", "options")}


def _advice(found: Mapping[str, Any]) -> str:
    """Return what to call next."""
    if found["questions"]:
        return "Call play_move for each question, with this cursor."
    if not found["cursor"]:
        return "You have no table at play."
    return f"It is not your turn yet. Call wait_for_turn with this cursor{' in a second' if found['pause'] else ''}."


def _seats(match: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{name: seat[name] for name in ("bot", "version", "score", "rank", "fault")} for seat in match["seats"]]


def _bot_id(api: Api, name: str) -> int | None:
    """Return the ID of the bot with this name, in any case."""
    rows = api.get("/bots", search=name, limit=200)["items"]
    return next((row["id"] for row in rows if row["name"].lower() == name.lower()), None)
