"""Games."""

from importlib.resources import files

from arena.games.errors import NotFound
from arena.games.registry import GAMES
from arena.services.numbers import games
from web.api.operations import Resource
from web.api.types.games import Game, GameDetail, game, game_detail
from web.base.variants import OF
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


def _found(id: str) -> GameDetail:
    if id not in GAMES:
        raise NotFound(f"There is no game {id[:64]}; the games are {', '.join(GAMES)}.")
    rules = (files("arena.games") / "rules" / f"{id}.md").read_text(encoding="utf-8")
    page = games.game_page(arena(), [variant.id for variant in OF[id]])
    return game_detail(game(id, GAMES[id], OF[id]), rules, page)
