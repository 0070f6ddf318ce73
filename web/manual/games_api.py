"""Games."""

from importlib.resources import files

from arena.games.errors import NotFound
from arena.games.registry import GAMES
from arena.services.numbers import games
from bots import STARTERS
from web.api.operations import Resource
from web.api.types.base import made
from web.api.types.games import Game, GameDetail, GameReference, game, game_detail
from web.base.variants import OF
from web.manual.reference import reference
from web.serving.session import arena

resource = Resource("Games", "Games, their variants and rules.")


@resource.get("/games")
def list_games() -> list[Game]:
    """Return the games and their variants."""
    return [game(id, GAMES[id], OF[id]) for id in GAMES]


@resource.get("/games/{game}")
def get_game(game: str) -> GameDetail:
    """Return a game: rules, variants, leaders, and matches to watch."""
    return _found(game)


@resource.get("/games/{game}/reference")
def get_reference(game: str) -> GameReference:
    """Return what bots are sent and may answer in a game, and a bot to start from."""
    _check(game)
    return made(GameReference, reference(game), starter=STARTERS[game].read_text(encoding="utf-8"))


def _found(id: str) -> GameDetail:
    _check(id)
    rules = (files("arena.games") / "rules" / f"{id}.md").read_text(encoding="utf-8")
    page = games.game_page(arena(), [variant.id for variant in OF[id]])
    return game_detail(game(id, GAMES[id], OF[id]), rules, page)


def _check(id: str) -> None:
    """Raise `NotFound` if there is no such game."""
    if id not in GAMES:
        raise NotFound(f"There is no game {id[:64]}; the games are {', '.join(GAMES)}.")
